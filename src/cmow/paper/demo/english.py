"""What the model that comes with the package can do, on a few sentences of our own."""

import time
from itertools import cycle, islice, product
from typing import NamedTuple

import numpy as np

from cmow.encoder import Encoder
from cmow.paper.demo.drawing import Drawing

NOTICES = (
    "The parcel you sent last week still has not arrived.",
    "Refunds reach your account within ten working days.",
    "You can change your password on the settings page.",
    "The kitchen closes at nine, but the bar serves until midnight.",
    "Dogs are welcome in the garden and on the ground floor.",
    "Boil the pasta, then stir in tomatoes, basil and garlic.",
    "Heavy rain is expected in the north on Thursday night.",
    "The museum is free for children under twelve.",
    "Our doctor has no appointments left before Friday.",
    "A nurse will call you with the results of the blood test.",
    "The train to the airport leaves from platform four.",
    "Please keep your seat belt fastened until the plane has stopped.",
    "The striker scored twice in the last ten minutes.",
    "Prices of houses fell for the third month in a row.",
    "The central bank raised its interest rate again.",
    "Scientists found water under the ice of a distant moon.",
    "The laptop gets hot and its battery lasts an hour.",
    "She plays the violin in the city's orchestra.",
    "The novel tells of a fisherman who loses his boat.",
    "Two thieves broke into the jewelry store at dawn.",
    "The roof leaks, and the landlord will not answer.",
    "Water the tomatoes early in the morning, never at noon.",
    "The bridge is closed to trucks until the end of May.",
    "He lost his job when the factory shut down.",
)
QUESTIONS = (
    "Where is my package?",
    "How do I get my money back?",
    "burglars robbed a shop",
    "a vegetarian recipe",
)
PAIRS = (
    Drawing(
        "flights from Berlin to Amsterdam",
        [("flights from Amsterdam to Berlin", "the same words")],
    ),
    Drawing("the dog bit the man", [("the man bit the dog", "the same words")]),
)
CHOICES = (
    (
        "convert PDF to Word",
        "a tool that converts PDF to Word",
        "a tool that converts Word to PDF",
    ),
    (
        "Anna lent Paul money",
        "Anna gave Paul a loan",
        "Paul gave Anna a loan",
    ),
    (
        "a man was bitten by a dog",
        "the dog bit the man",
        "the man bit the dog",
    ),
)
TIMED = 10_000  # texts


class Answer(NamedTuple):
    """A question, the text that is most like it, and how much."""

    question: str
    text: str
    cosine: float


class Choice(NamedTuple):
    """A question and two texts of the same words, each with its cosines by order=0 and order=1."""

    question: str
    meant: str
    other: str
    bag: tuple[float, float]
    order: tuple[float, float]

    @property
    def is_right(self) -> bool:
        """Whether the text that means the same is the nearer one."""
        return self.order[0] > self.order[1]


class Pace(NamedTuple):
    """How fast texts were encoded."""

    texts: int
    words: float  # of a text, on average
    seconds: float

    @property
    def rate(self) -> float:
        """Texts a second."""
        return self.texts / self.seconds


def answers(encoder: Encoder) -> list[Answer]:
    """What the model finds among the notices."""
    cosines = encoder.similarity(QUESTIONS, NOTICES)
    best = cosines.argmax(axis=1).tolist()
    return [
        Answer(question, NOTICES[found], float(row[found]))
        for question, found, row in zip(QUESTIONS, best, cosines, strict=True)
    ]


def choices(encoder: Encoder) -> list[Choice]:
    """Which of two texts of the same words the model holds to be nearer to a question."""
    made = []
    for question, meant, other in CHOICES:
        by_order = (encoder.similarity(question, [meant, other], order=o) for o in (0, 1))
        bag, order = ((float(one), float(two)) for one, two in by_order)
        made.append(Choice(question, meant, other, bag, order))
    return made


def pace(encoder: Encoder, texts: list[str]) -> Pace:
    """Encode the texts, over and over until they are many enough to be timed."""
    many = list(islice(cycle(texts), max(TIMED, len(texts))))
    encoder.encode(many[:1_000])  # the tables are read from the disk
    start = time.perf_counter()
    encoder.encode(many)
    seconds = time.perf_counter() - start
    return Pace(len(many), float(np.mean([len(text.split()) for text in many])), seconds)


def paired_notices() -> list[str]:
    """All pairs of notices: texts as long as those of a newspaper."""
    return [f"{one} {other}" for one, other in product(NOTICES, repeat=2)]

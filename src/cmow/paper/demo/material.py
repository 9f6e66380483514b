"""What the demonstration trains on, asks about and draws: of the grammar, or of one's own text."""

from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cmow.corpus import STDIN, PrepareSettings, read_lines
from cmow.errors import ConfigError
from cmow.evaluation import exchange_arguments, reverse, swap_neighbors
from cmow.paper.demo.drawing import Drawing
from cmow.paper.demo.folder import DemoFolder
from cmow.paper.demo.settings import DemoSettings
from cmow.paper.grammar import Draws, Grammar
from cmow.paper.probing import (
    LONGEST,
    PIPELINE,
    SHORTEST,
    BuiltSet,
    build_from_corpus,
    build_from_grammar,
    build_unparsed,
    eligible,
)
from cmow.pluralize import pluralize
from cmow.progress import ProgressCallback
from cmow.text import Tokenizer, Vocabulary
from cmow.threads import usable_cores

HELD_OUT = 5  # one sentence in so many is not trained on, of small texts more
DRAWN_WORDS = range(6, 11)
WELL_KNOWN = Drawing(
    "the dog chased the cat",
    [
        ("the cat chased the dog", "the same words, another meaning"),
        ("a puppy scratched the kitten", "other words, the same topic"),
        ("the captain steered every boat", "another topic"),
    ],
)


class OwnText(NamedTuple):
    """A text: its different lines as they are, and as sentences of separated tokens."""

    source: Path
    lines: list[str]
    training: list[str]
    held_out: list[str]


class Material(NamedTuple):
    """All that the models need and are asked."""

    training: Sequence[str]
    preparation: PrepareSettings
    sets: list[BuiltSet]  # of the probing tasks that are asked
    sentences: list[str]  # to be reordered
    reorderings: list[str]  # the tasks that do so
    drawing: Drawing
    note: str = ""  # on what could not be had


def from_grammar(
    folder: DemoFolder, settings: DemoSettings, *, progress: ProgressCallback
) -> Material:
    """Sentences of the generated language and probing sets from its gold trees."""
    training = [sentence.text for sentence in Grammar().sentences(settings.sentences)]
    probing = settings.probing(grammar=True)
    sets = build_from_grammar(folder.probing, probing, progress=progress)
    unseen = Grammar(probing.seed).sentences(100 * settings.reordered)
    exchanged = ((s.text, other.text) for s in unseen if (other := s.swap_arguments()))
    rows = list(islice(exchanged, settings.reordered))
    folder.write_sentences(rows)
    preparation = PrepareSettings(tokenizer="whitespace", lowercase=False)
    sentences = [sentence for sentence, _ in rows]
    return Material(training, preparation, sets, sentences, _reorderings(sentences), WELL_KNOWN)


def from_text(
    text: OwnText, folder: DemoFolder, settings: DemoSettings, *, progress: ProgressCallback
) -> Material:
    """The sentences of a text, a part of them held out for the probing sets."""
    corpus, held_out = text.source, text.held_out
    probing = settings.probing(grammar=False)
    if find_spec("spacy") and find_spec(PIPELINE):
        folder.held_out.write_text("\n".join(held_out) + "\n", "utf-8", newline="\n")
        sets = build_from_corpus(
            folder.held_out,
            folder.probing,
            probing,
            processes=usable_cores(),
            progress=progress,
        )
        cure = "the text has too few such sentences"
    else:
        sets = build_unparsed(
            held_out, folder.probing, probing, source=corpus.name, progress=progress
        )
        cure = "trees need spaCy: pip install 'cmow[probing]'"
    asked = [made for made in sets if made.test >= settings.least_tested]
    if not asked:
        raise ConfigError(f"{corpus}: too few sentences for any probing task; give it more")
    absent = ", ".join(made.task for made in sets if made not in asked)
    sentences = held_out[: settings.reordered]
    folder.write_sentences([(sentence, "") for sentence in sentences])
    return Material(
        text.training,
        PrepareSettings(),
        asked,
        sentences,
        _reorderings(sentences),
        _drawing(held_out, text.training),
        f"Not asked: {absent} ({cure})." if absent else "",
    )


def read_text(corpus: Path, settings: DemoSettings) -> OwnText:
    """A text's different sentences, those to train on and those held out."""
    if corpus.is_dir():
        raise ConfigError(f"{corpus} is a folder: name a file with a sentence a line")
    stripped = (line.strip() for line in islice(read_lines(corpus), settings.most_sentences))
    lines = list(dict.fromkeys(line for line in stripped if line))
    splitting = Tokenizer.words(Vocabulary(["the"]), lowercase=False)
    texts = list(dict.fromkeys(" ".join(words) for words in splitting.split(lines) if words))
    usable = list(eligible(texts))
    if len(usable) < settings.least_sentences:
        name = "<stdin>" if corpus == STDIN else corpus
        raise ConfigError(
            f"{name}: {pluralize(len(usable), 'different line')} of {SHORTEST} to {LONGEST} words; "
            f"give it a text of at least {settings.least_sentences:,}, a sentence a line"
        )
    # Word content has fifty classes: with less than half of the smallest text, too few of each.
    least = settings.least_sentences // 2
    count = min(settings.held_out, max(least, len(usable) // HELD_OUT))
    held_out = Draws(0).shuffled(usable)[:count]
    unseen = frozenset(held_out)
    training = [text for text in texts if text not in unseen]
    return OwnText(corpus, lines, training, held_out)


def _reorderings(sentences: Sequence[str]) -> list[str]:
    """The tasks that some sentence lends itself to."""
    ways = {"Swap": swap_neighbors, "Reverse": reverse, "Arguments": exchange_arguments}
    return [name for name, change in ways.items() if any(map(change, sentences))]


def _drawing(held_out: Sequence[str], training: Sequence[str]) -> Drawing:
    """A sentence of known words in other orders, and beside another sentence."""
    counts = Counter(word.lower() for text in training for word in text.split(" "))
    known = dict(counts.most_common(PrepareSettings().vocabulary_size))
    possible = [
        text
        for text in held_out
        if len(text.split(" ")) in DRAWN_WORDS
        and swap_neighbors(text)
        and reverse(text)
        and all(word.lower() in known for word in text.split(" "))
    ]
    sentence, another = (possible if len(possible) > 1 else list(held_out))[:2]
    others = [
        (swap_neighbors(sentence) or sentence, "two neighbors swapped"),
        (reverse(sentence) or sentence, "from the last word to the first"),
        (another, "another sentence"),
    ]
    return Drawing(sentence, others)

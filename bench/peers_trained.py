"""What the peers of `peers.py` learn from text, each by the settings that its authors recommend."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from peers_corpus import affordable, cpu_seconds, write_words

import cmow
from cmow import TrainConfig
from cmow.corpus import Corpus

DIMENSION = 800
TRIALS = 30_000, 300_000  # words; the difference tells the speed, without what comes first
COMPONENT_OF = 20_000  # sentences by which SIF finds what all have in common
NGRAMS = 200_000  # rows for fastText's sub-words and sent2vec's bigrams, which 30,000 words have
DOCUMENTS = 24_000_000  # words: doc2vec keeps a vector for each sentence that it learns from
INFERENCE = 20  # times that doc2vec goes through a sentence that is new to it
NOTE = "note.json"

Encode = Callable[[Sequence[str]], Any]


@dataclass(frozen=True)
class Lesson:
    """Sentences to learn from, how often, and on how many threads."""

    text: Path
    passes: int
    threads: int


@dataclass(frozen=True)
class Recipe:
    """How a peer learns, at its best, and how it is loaded again."""

    passes: int
    learn: Callable[[Lesson, Path], None]
    load: Callable[[Path], Encode]
    most_words: int | None = None  # of the text


def fasttext(kind: str, *, subwords: bool) -> Recipe:
    """The defaults of the command: window 5, 5 negatives, frequent words thinned out by 1e-4."""
    pieces = {"minn": 3, "maxn": 6, "bucket": NGRAMS} if subwords else {"minn": 0, "maxn": 0}

    def learn(lesson: Lesson, folder: Path) -> None:
        import fasttext as library

        library.train_unsupervised(
            **{"input": str(lesson.text), "model": kind, "dim": DIMENSION, "minCount": 1},
            **{"epoch": lesson.passes, "thread": lesson.threads, "verbose": 0, **pieces},
        ).save_model(str(folder / "model.bin"))

    def load(folder: Path) -> Encode:
        import fasttext as library

        model = library.load_model(str(folder / "model.bin"))
        return lambda texts: np.stack([model.get_sentence_vector(text.lower()) for text in texts])

    return Recipe(5, learn, load)


def word2vec() -> Recipe:
    """gensim's skip-gram, weighted by SIF (a = 1e-3); what all sentences share is taken out."""

    def learn(lesson: Lesson, folder: Path) -> None:
        from gensim.models import Word2Vec

        model = Word2Vec(
            **{"corpus_file": str(lesson.text), "sg": 1, "vector_size": DIMENSION, "min_count": 1},
            **{"epochs": lesson.passes, "workers": lesson.threads},
        )
        vectors = model.wv
        counts = np.array([vectors.get_vecattr(word, "count") for word in vectors.index_to_key])
        vectors.vectors *= (1e-3 / (1e-3 + counts / counts.sum()))[:, None]
        vectors.save(str(folder / "vectors"))
        with lesson.text.open(encoding="utf-8") as lines:
            some = means(
                vectors, [line for _, line in zip(range(COMPONENT_OF), lines, strict=False)]
            )
        np.save(folder / "common.npy", np.linalg.eigh(some.T @ some)[1][:, -1])

    def load(folder: Path) -> Encode:
        from gensim.models import KeyedVectors

        vectors, common = KeyedVectors.load(str(folder / "vectors")), np.load(folder / "common.npy")

        def encode(texts: Sequence[str]) -> np.ndarray:
            rows = means(vectors, texts)
            return rows - np.outer(rows @ common, common)

        return encode

    return Recipe(5, learn, load)


def means(vectors: Any, texts: Sequence[str]) -> np.ndarray:
    """The mean of the vectors of each text's words that there are."""
    found = vectors.key_to_index
    rows = np.zeros((len(texts), vectors.vector_size), np.float32)
    for row, text in zip(rows, texts, strict=True):
        known = [found[word] for word in text.lower().split() if word in found]
        if known:
            vectors.vectors[known].mean(axis=0, out=row)
    return rows


def doc2vec() -> Recipe:
    """gensim's DBOW with word vectors, as Lau and Baldwin (2016) found it best."""

    def learn(lesson: Lesson, folder: Path) -> None:
        from gensim.models import Doc2Vec

        Doc2Vec(
            **{"corpus_file": str(lesson.text), "dm": 0, "dbow_words": 1, "window": 15},
            **{"vector_size": DIMENSION, "sample": 1e-5, "min_count": 1},
            **{"epochs": lesson.passes, "workers": lesson.threads},
        ).save(str(folder / "model"))

    def load(folder: Path) -> Encode:
        from gensim.models import Doc2Vec

        model = Doc2Vec.load(str(folder / "model"))
        return lambda texts: np.stack(
            [model.infer_vector(text.lower().split(), epochs=INFERENCE) for text in texts]
        )

    return Recipe(20, learn, load, most_words=DOCUMENTS)


def sent2vec(home: Path) -> Recipe:
    """Its unigrams and bigrams by the settings of its page for Wikipedia."""

    def learn(lesson: Lesson, folder: Path) -> None:
        settings = {
            **{"input": lesson.text, "output": folder / "model", "dim": DIMENSION, "minCount": 1},
            **{"epoch": lesson.passes, "thread": lesson.threads, "bucket": NGRAMS, "lr": 0.2},
            **{"wordNgrams": 2, "loss": "ns", "neg": 10, "t": 5e-6, "dropoutK": 4, "verbose": 0},
        }
        words = [part for name, value in settings.items() for part in (f"-{name}", str(value))]
        command = [str(home / "fasttext"), "sent2vec", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def load(folder: Path) -> Encode:
        sys.path.insert(0, str(home))
        from sent2vec import Sent2vecModel

        model = Sent2vecModel()
        model.load_model(str(folder / "model.bin"))
        return lambda texts: model.embed_sentences([text.lower() for text in texts])

    return Recipe(9, learn, load)


def ours(shape: str) -> Recipe:
    """By the default recipe."""

    def learn(lesson: Lesson, folder: Path) -> None:
        settings = {
            **{"shape": shape, "epochs": lesson.passes, "threads": lesson.threads},
            "prepare": {"tokenizer": "whitespace"},
        }
        cmow.train(lesson.text, TrainConfig.of(settings)).save(folder / "model")

    def load(folder: Path) -> Encode:
        model = cmow.load(folder / "model")
        return lambda texts: model.encode(texts, threads=1)

    return Recipe(7, learn, load)


def recipes(home_of_sent2vec: Path | None) -> dict[str, Recipe]:
    """All that learn, by name."""
    shapes = ("sum(400)+windows(20)", f"sum({DIMENSION})")
    return {
        "fastText skip-gram": fasttext("skipgram", subwords=False),
        "fastText CBOW": fasttext("cbow", subwords=False),
        **{f"cmow {shape}, from text alone": ours(shape) for shape in shapes},
        "gensim word2vec + SIF": word2vec(),
        **({"sent2vec": sent2vec(home_of_sent2vec)} if home_of_sent2vec else {}),
        "fastText CBOW, sub-words": fasttext("cbow", subwords=True),
        "fastText skip-gram, sub-words": fasttext("skipgram", subwords=True),
        "gensim doc2vec DBOW": doc2vec(),
    }


def taught(
    recipe: Recipe, corpus: Corpus, folder: Path, *, cpu_minutes: float, threads: int
) -> dict[str, Any]:
    """What is known of a model that has learned for so long; it learns unless it has before."""
    note = folder / NOTE
    if note.is_file():
        found: dict[str, Any] = json.loads(note.read_text("utf-8"))
        if found["allowed"] == cpu_minutes:
            return found
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    def learn(words: int, passes: int) -> float:
        with TemporaryDirectory(dir=folder) as scratch:
            text = write_words(corpus, words, Path(scratch) / "text.txt")
            start = cpu_seconds()
            recipe.learn(Lesson(text, passes, threads), folder)
            return cpu_seconds() - start

    few, more = TRIALS
    first, whole = learn(few, 1), learn(more, 1)
    speed = (more - few) / max(whole - first, whole / 10)
    text = min(corpus.tokens, recipe.most_words or corpus.tokens)
    seconds = max(60 * cpu_minutes - first, 1)
    words, passes = affordable(seconds * speed, text=text, passes=recipe.passes)
    minutes = learn(words, passes) / 60
    found = {"allowed": cpu_minutes, "CPU minutes": minutes, "words": words, "passes": passes}
    note.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return found

"""How many words a second cmow, fastText and gensim learn from, all with the same settings."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from peers_corpus import cpu_seconds, write_words
from peers_trained import DIMENSION

import cmow
from cmow import TrainConfig
from cmow.corpus import Corpus

WORDS = 2_000_000  # so many that what comes first hardly counts
WINDOW, NEGATIVES = 5, 5
OURS = (
    ("sum(800)", "sentence"),
    ("sum(800)", "window"),
    ("sum(400)+windows(20)", "sentence"),
    ("sum(400)+product(20)", "sentence"),
)


def cmow_learns(shape: str, negatives_of: str, text: Path, threads: int) -> None:
    """Every word of a sentence is the center of a window once, as it is for the others."""
    settings = {
        **{"shape": shape, "share_negatives": negatives_of, "window": WINDOW, "threads": threads},
        **{"negatives": NEGATIVES, "centres": 10_000, "epochs": 1},
        "prepare": {"tokenizer": "whitespace"},
    }
    cmow.train(text, TrainConfig.of(settings))


def fasttext_learns(kind: str, text: Path, threads: int) -> None:
    """Without sub-words, and without thinning out frequent words."""
    import fasttext

    fasttext.train_unsupervised(
        **{"input": str(text), "model": kind, "dim": DIMENSION, "ws": WINDOW, "neg": NEGATIVES},
        **{"epoch": 1, "minCount": 1, "maxn": 0, "minn": 0, "t": 1, "thread": threads},
        verbose=0,
    )


def gensim_learns(skip_gram: int, text: Path, threads: int) -> None:
    """Without thinning out frequent words."""
    from gensim.models import Word2Vec

    Word2Vec(
        **{"corpus_file": str(text), "sg": skip_gram, "vector_size": DIMENSION, "window": WINDOW},
        **{"negative": NEGATIVES, "sample": 0, "min_count": 1, "epochs": 1, "workers": threads},
    )


CONTESTANTS: dict[str, Callable[[Path, int], None]] = {
    **{
        f"cmow {shape}, negatives of each {of}": partial(cmow_learns, shape, of)
        for shape, of in OURS
    },
    "fastText CBOW": partial(fasttext_learns, "cbow"),
    "fastText skip-gram": partial(fasttext_learns, "skipgram"),
    "gensim CBOW": partial(gensim_learns, 0),
    "gensim skip-gram": partial(gensim_learns, 1),
}


def learning_rates(corpus: Corpus, work: Path, *, threads: int) -> dict[str, float]:
    """Words for each second of the CPU, from a file of text to vectors."""
    rates = {}
    with TemporaryDirectory(dir=work) as scratch:
        text = write_words(corpus, WORDS, Path(scratch) / "text.txt")
        for name, learn in CONTESTANTS.items():
            start = cpu_seconds()
            learn(text, threads)
            rates[name] = WORDS / (cpu_seconds() - start)
    return rates

"""A spaCy pipeline that analyses sentences whose tokens are given, in several processes."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from importlib.metadata import version
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

from cmow.errors import ConfigError, MissingExtraError
from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.dependencies import analyse_parse
from cmow.paper.probing.parse import Parse
from cmow.paper.probing.settings import PIPELINE

if TYPE_CHECKING:
    from spacy.language import Language

NEEDED = ("tok2vec", "transformer", "tagger", "parser")
# A fixed number, so that the same sentences meet in a batch however many processes there are.
CHUNK = 1000
BATCH = 250

_pipeline: "Language | None" = None  # of a worker process


def load_pipeline(name: str = PIPELINE) -> "Language":
    """The tagger and the parser of an installed pipeline for English."""
    try:
        import spacy
    except ImportError:
        raise MissingExtraError("spacy", "probing") from None
    try:
        pipeline = spacy.load(name)
    except OSError:
        raise ConfigError(
            f"the spaCy pipeline {name} is not installed: pip install {name}, or name another"
        ) from None
    pipeline.select_pipes(enable=[part for part in pipeline.pipe_names if part in NEEDED])
    labels = pipeline.pipe_labels
    if "VBD" not in labels.get("tagger", ()) or "nsubjpass" not in labels.get("parser", ()):
        raise ConfigError(
            f"the spaCy pipeline {name} lacks a tagger or parser for English: "
            f"name one that has both, such as {PIPELINE}"
        )
    return pipeline


def describe_pipeline(name: str) -> str:
    """The name and version of an installed pipeline and of spaCy."""
    meta = load_pipeline(name).meta
    return f"{name} {meta['version']} (spaCy {version('spacy')})"


def analyse(
    texts: Sequence[str], *, pipeline: str = PIPELINE, processes: int = 1
) -> Iterator[list[Analysis | None]]:
    """The analyses of sentences, in their order and in chunks; None where there is no one tree."""
    chunks = (texts[start : start + CHUNK] for start in range(0, len(texts), CHUNK))
    if processes == 1 or len(texts) <= CHUNK:
        loaded = load_pipeline(pipeline)
        yield from (_analyse(loaded, chunk) for chunk in chunks)
        return
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_start, initargs=(pipeline,)
    ) as pool:
        waiting: deque[Future[list[Analysis | None]]] = deque()
        try:
            waiting.extend(pool.submit(_work, chunk) for chunk in islice(chunks, 2 * processes))
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(_work, chunk) for chunk in islice(chunks, 1))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _start(name: str) -> None:
    global _pipeline
    _pipeline = load_pipeline(name)


def _work(texts: Sequence[str]) -> list[Analysis | None]:
    assert _pipeline is not None
    return _analyse(_pipeline, texts)


def _analyse(pipeline: "Language", texts: Sequence[str]) -> list[Analysis | None]:
    from spacy.tokens import Doc

    documents = (Doc(pipeline.vocab, words=text.split(" ")) for text in texts)
    return [
        analyse_parse(
            Parse(
                [token.text for token in document],
                tags=[token.tag_ for token in document],
                relations=[token.dep_ for token in document],
                heads=[token.head.i for token in document],
            )
        )
        for document in pipeline.pipe(documents, batch_size=BATCH)
    ]

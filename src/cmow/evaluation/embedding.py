"""Embeddings of all tasks' texts, each computed once and kept no longer than needed."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from cmow.arrays import Floats
from cmow.errors import ConfigError
from cmow.evaluation.classifiers import CLASSIFIERS, Classifier

BATCH = 10_000  # texts handed to the encoder at a time


class Embedder:
    """An encoder that is asked for each text once, however many tasks it occurs in.

    :param encoder: an object with ``encode(list[str]) -> array``, or such a function itself.
    :param uses: in how many tasks each text occurs.
    """

    def __init__(
        self,
        encoder: Any,
        uses: Counter[str],
        classifier: Classifier = CLASSIFIERS["solved"],
    ) -> None:
        self.encoder = encoder
        self.classifier = classifier
        self._encode: Callable[[list[str]], Any] = getattr(encoder, "encode", encoder)
        if not callable(self._encode):
            raise ConfigError(f"{type(encoder).__name__} has no encode(list[str]) -> array")
        self._uses = uses
        self._kept: dict[str, Floats] = {}  # texts of earlier tasks that later ones use again
        self._rows: dict[str, int] = {}  # of the current task's other texts, in the block
        self._block: Floats = np.empty((0, 0), np.float32)
        self._width = 0

    def begin(self, texts: Iterable[str], advance: Callable[[int], None]) -> None:
        """Embed the texts of a task.

        :param advance: told of the number of texts embedded, now and then.
        """
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        self._rows = {text: row for row, text in enumerate(new)}
        for start in range(0, len(new), BATCH):
            vectors = self._checked(new[start : start + BATCH])
            if start == 0:
                self._width = vectors.shape[1]
                self._block = np.empty((len(new), self._width), np.float32)
            self._block[start : start + BATCH] = vectors
            advance(len(vectors))

    def embed(self, texts: Iterable[str]) -> Floats:
        """The embeddings of texts that were announced when the task began."""
        texts = list(texts)
        rows = np.array([self._rows.get(text, -1) for text in texts], np.int64)
        vectors = np.empty((len(texts), self._width), np.float32)
        if self._rows:
            vectors[rows >= 0] = self._block[rows[rows >= 0]]
        for number in np.flatnonzero(rows < 0):
            vectors[number] = self._kept[texts[number]]
        return vectors

    def end(self, texts: Iterable[str]) -> None:
        """Keep those embeddings of a task that a later one needs; forget the others."""
        for text in set(texts):
            self._uses[text] -= 1
            if self._uses[text] <= 0:
                self._kept.pop(text, None)
            elif text not in self._kept:
                self._kept[text] = self._block[self._rows[text]].copy()
        self._rows, self._block = {}, np.empty((0, 0), np.float32)

    def _checked(self, texts: Sequence[str]) -> Floats:
        with np.errstate(over="ignore"):
            vectors = np.asarray(self._encode(list(texts))).astype(np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise ConfigError(f"encode gave an array of {vectors.shape} for {len(texts)} texts")
        finite = np.isfinite(vectors).all(axis=1)
        if not finite.all():
            raise ConfigError(f"encode gave no finite embedding of {texts[int(finite.argmin())]!r}")
        return vectors

"""spaCy: a pipe by which `doc.vector` and `doc.similarity` are an encoder's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from cmow.arrays import Embeddings
from cmow.encoder import SHIPPED, Encoder
from cmow.errors import MissingExtraError

try:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token
except ImportError as error:
    raise MissingExtraError("spacy", "spacy") from error

__all__ = ["CMOWVectors", "make_vectors"]


class CMOWVectors:
    """Gives documents, spans and tokens the vectors of their texts.

    :param model: a model folder or a name of the hub.
    """

    def __init__(self, model: str = SHIPPED) -> None:
        self.model = model
        self._open(Encoder.from_pretrained(model))

    def __call__(self, doc: Doc) -> Doc:
        """Hook the encoder into a document."""
        hooks = {"vector": self._vector, "vector_norm": self._norm, "similarity": self._similarity}
        for scope in (doc.user_hooks, doc.user_span_hooks, doc.user_token_hooks):
            scope.update(hooks, has_vector=self._has_vector)
        return doc

    def to_disk(self, path: str | Path, *, exclude: Any = ()) -> None:
        """Save the model with the pipeline."""
        del exclude
        self._encoder.save(path)

    def from_disk(self, path: str | Path, *, exclude: Any = ()) -> "CMOWVectors":
        """Open the model that was saved with the pipeline."""
        del exclude
        self._open(Encoder.load(path))
        return self

    def _open(self, encoder: Encoder) -> None:
        self._encoder = encoder.comparable()

    def _vector(self, text: Doc | Span | Token) -> Embeddings:
        return self._encoder.encode(text.text, threads=1)

    def _norm(self, text: Doc | Span | Token) -> float:
        return float(np.linalg.norm(self._vector(text)))

    def _has_vector(self, text: Doc | Span | Token) -> bool:
        return len(self._encoder.tokenizer.ids([text.text], threads=1).flat) > 0

    def _similarity(self, one: Doc | Span | Token, other: Any) -> float:
        return float(self._encoder.similarity(one.text, other.text))


@Language.factory("cmow", default_config={"model": SHIPPED})
def make_vectors(nlp: Language, name: str, model: str) -> Callable[[Doc], Doc]:
    """The pipe that `nlp.add_pipe("cmow")` adds."""
    del nlp, name
    return CMOWVectors(model)

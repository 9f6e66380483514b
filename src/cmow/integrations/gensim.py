"""gensim: vectors of words, there and back."""

from typing import Any

import numpy as np

from cmow.choices import SPLITTER, Splitter
from cmow.encoder import Encoder, Part, Shape
from cmow.errors import ConfigError, MissingExtraError
from cmow.text import Tokenizer, Vocabulary

try:
    from gensim.models import KeyedVectors
except ImportError as error:
    raise MissingExtraError("gensim", "gensim") from error

__all__ = ["from_keyed_vectors", "to_keyed_vectors"]


def to_keyed_vectors(encoder: Encoder, part: str = "cbow") -> Any:
    """The rows of a part as gensim's `KeyedVectors`; of matrices the deviation from 1."""
    chosen = next((each for each in encoder.parts if each.name == part), None)
    if chosen is None:
        names = ", ".join(each.name for each in encoder.parts)
        raise ConfigError(f"no part {part!r}: this encoder has {names}")
    deviations, vocabulary = chosen.deviations(), encoder.vocabulary
    keyed = KeyedVectors(deviations.shape[1])
    keyed.add_vectors(list(vocabulary.words), deviations)
    for word, count in zip(vocabulary.words, vocabulary.counts.tolist(), strict=True):
        keyed.set_vecattr(word, "count", count)
    return keyed


def from_keyed_vectors(
    keyed: Any, *, tokenizer: Splitter = SPLITTER, lowercase: bool = False
) -> Encoder:
    """An encoder that adds the vectors of words.

    :param keyed: gensim's `KeyedVectors`, or one of its models, such as a `Word2Vec`.
    :param tokenizer: how texts are split: "words" or "whitespace".
    """
    kinds = {"words": Tokenizer.words, "whitespace": Tokenizer.whitespace}
    if tokenizer not in kinds:
        raise ConfigError(f"unknown tokenizer {tokenizer!r}: choose from {', '.join(kinds)}")
    keyed = getattr(keyed, "wv", keyed)
    words = list(keyed.index_to_key)
    counts = [keyed.get_vecattr(word, "count") for word in words] if keyed.expandos else None
    (shape,) = Shape.parse([("sum", keyed.vector_size)])
    table = np.ascontiguousarray(keyed.vectors, np.float32)
    vocabulary = Vocabulary(words) if counts is None else Vocabulary(words, counts)
    return Encoder(kinds[tokenizer](vocabulary, lowercase=lowercase), [Part("cbow", shape, table)])

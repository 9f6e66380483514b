"""What the files that an encoder's methods are spread over may rely on."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from cmow import _core
from cmow.arrays import Embeddings
from cmow.choices import Normalization
from cmow.encoder.ngrams import Ngrams
from cmow.encoder.part import Part
from cmow.encoder.projection import Projection
from cmow.errors import ConfigError
from cmow.text import Tokenizer


class EncoderBase(ABC):
    """How an encoder is made, what it holds, and that it encodes."""

    tokenizer: Tokenizer
    parts: tuple[Part, ...]
    training: dict[str, Any]
    projection: Projection | None
    _ngrams: Ngrams | None

    @abstractmethod
    def __init__(
        self,
        tokenizer: Tokenizer,
        parts: Sequence[Part],
        *,
        projection: Projection | None = None,
        ngrams: Ngrams | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None: ...

    @property
    @abstractmethod
    def dim(self) -> int:
        """Numbers in an embedding."""

    @abstractmethod
    def bag(self) -> "EncoderBase":
        """An encoder of the parts that do not see the order of words."""

    @abstractmethod
    def order(self) -> "EncoderBase":
        """An encoder of the parts that see the order of words."""

    @abstractmethod
    def encode(
        self,
        texts: Sequence[str],
        *,
        normalize: Normalization | None = None,
        dimensions: int | None = None,
        threads: int | None = None,
        dtype: DTypeLike = np.float32,
    ) -> Embeddings:
        """The embeddings of texts."""

    @abstractmethod
    def native_document(self) -> _core.Document:
        """An empty document of the core, to be cut anywhere."""

    def _part(self, name: str) -> Part:
        for part in self.parts:
            if part.name == name:
                return part
        names = ", ".join(part.name for part in self.parts)
        raise ConfigError(f"no part {name!r}: this encoder has {names}")

"""What the files that an encoder's methods are spread over may rely on."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from typing_extensions import Self


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

    @classmethod
    @abstractmethod
    def load(cls, path: str | os.PathLike[str], *, verify: bool = False) -> "Self":
        """Open a model folder."""

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
    def comparable(self) -> "EncoderBase":
        """An encoder whose embeddings are compared by their cosines."""

    @abstractmethod
    def encode(
        self,
        texts: str | Iterable[str],
        *,
        normalize: Normalization | None = None,
        normalize_embeddings: bool = False,
        dimensions: int | None = None,
        batch_size: int | None = None,
        show_progress_bar: bool | None = False,
        threads: int | None = None,
        dtype: DTypeLike = np.float32,
    ) -> Embeddings:
        """The embeddings of texts."""

    @abstractmethod
    def encode_ids(
        self,
        ids: Any,
        offsets: Any = None,
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
        dtype: DTypeLike = np.float32,
    ) -> Embeddings:
        """The embeddings of texts whose ids are known already."""

    @abstractmethod
    def native_document(self) -> _core.Document:
        """An empty document of the core, to be cut anywhere."""

    def _part(self, name: str) -> Part:
        for part in self.parts:
            if part.name == name:
                return part
        names = ", ".join(part.name for part in self.parts)
        raise ConfigError(f"no part {name!r}: this encoder has {names}")

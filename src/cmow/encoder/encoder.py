"""The encoder: texts in, embeddings out."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from cmow import _core
from cmow.arrays import Embeddings, Floats
from cmow.choices import SHIPPED, Normalization
from cmow.encoder.bar import shown
from cmow.encoder.comparing import Comparing
from cmow.encoder.composer import Composer, check_normalization
from cmow.encoder.document import Document
from cmow.encoder.folder import TENSORS, read_model
from cmow.encoder.hub import Hub
from cmow.encoder.inputs import (
    checked_texts,
    countable,
    fixed_blocks,
    id_blocks,
    ragged,
    text_blocks,
)
from cmow.encoder.making import Making
from cmow.encoder.ngrams import Ngrams
from cmow.encoder.part import Part
from cmow.encoder.projection import Projection
from cmow.encoder.shapes import Shape
from cmow.encoder.tokenwise import Tokenwise
from cmow.encoder.words import Words
from cmow.errors import ConfigError, FormatError
from cmow.text import Ids, Tokenizer, Vocabulary
from cmow.threads import thread_count

if TYPE_CHECKING:
    from typing_extensions import Self

MOST_PARTS = 16
SHIPPED_FOLDER = Path(__file__).parents[1] / "models" / SHIPPED


class Encoder(Making, Comparing, Tokenwise, Words, Hub):
    """Turns texts into embeddings: composes the rows of a text's words, part by part.

    It never changes, and threads may share it. `load`, `train` and `distill` make one.

    :param tokenizer: splits texts into words with a row in each table; others are left out.
    :param parts: the tables, each with the way in which its rows compose.
    :param projection: maps the parts into one space; else an embedding is their views side by side.
    :param ngrams: cached products, see ``with_ngram_cache``.
    :param training: how the tables came about, for the model card.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        parts: Sequence[Part],
        *,
        projection: Projection | None = None,
        ngrams: Ngrams | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.tokenizer = tokenizer
        self.parts = tuple(parts)
        self.training = dict(training or {})
        self.projection = projection
        self._ngrams = ngrams
        _check_parts(self.parts, len(tokenizer.vocabulary))
        if projection is not None:
            projection.check(self.parts)
        self._composer = Composer(self.parts, ngrams, projection)
        self._shorter: dict[int, Encoder] = {}

    @classmethod
    def load(cls, path: str | os.PathLike[str] = SHIPPED, *, verify: bool = False) -> "Self":
        """Open a model folder; its tables stay on disk and are shared with other processes.

        :param path: unless given, the English model that comes with the package.
        :param verify: read the tables, and refuse those that are not what was saved.
        """
        path = Path(path)
        if path == Path(SHIPPED) and not path.exists():
            path = SHIPPED_FOLDER
        model = read_model(path, verify=verify)
        try:
            return cls(
                model.tokenizer, model.parts, projection=model.projection, training=model.training
            )
        except ValueError as error:
            raise FormatError(f"{path / TENSORS}: {error}") from error

    # ---- what it is -----------------------------------------------------------------------------

    @property
    def dim(self) -> int:
        """Numbers in an embedding."""
        return self.shape.dim if self.projection is None else self.projection.dim

    @property
    def shape(self) -> Shape:
        """The parts' compositions and sizes."""
        return Shape(part.shape for part in self.parts)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that have a row in each table."""
        return self.tokenizer.vocabulary

    def __repr__(self) -> str:
        return f"Encoder({self.shape}, {len(self.vocabulary):,} words)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (
            self.tokenizer,
            self.parts,
            self.projection,
            self._ngrams,
            self.training,
        )

    # ---- encoding -------------------------------------------------------------------------------

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
        """The embeddings of texts, ``(len(texts), dim)``, or of a single one, ``(dim,)``.

        An empty text is the neutral element.

        :param texts: a string, or any iterable of them: a list, a column, an array, a generator.
        :param normalize: divide by the norm of the embedding ("all") or of each part ("parts").
        :param normalize_embeddings: another name of ``normalize="all"``, that of peers.
        :param dimensions: the first numbers only, before they are normalized.
        :param batch_size: a hint that nothing depends on: blocks are as large as memory likes.
        :param show_progress_bar: on a terminal.
        :param threads: all cores of the process unless given.
        :param dtype: float32 or float16.
        """
        if batch_size is not None and batch_size < 1:
            raise ConfigError(f"batch_size must be at least 1, not {batch_size}")
        if normalize_embeddings:
            if normalize is not None:
                raise ConfigError(
                    f'normalize_embeddings=True is normalize="all": give one of both, not '
                    f"normalize={normalize!r} beside it"
                )
            normalize = "all"
        if dimensions is not None and dimensions != self.dim:
            return self._short(dimensions).encode(
                texts,
                normalize=normalize,
                show_progress_bar=show_progress_bar,
                threads=threads,
                dtype=dtype,
            )
        single = isinstance(texts, str)
        texts = [texts] if isinstance(texts, str) else countable(texts)
        out = self._empty(len(texts), dtype, normalize, threads)
        ids = self._ids(texts, threads)
        if show_progress_bar:
            ids = shown(ids, len(texts))
        self._composer.fill(out, ids, normalize=normalize, threads=threads)
        return out[0] if single else out

    def encode_ids(
        self,
        ids: Any,
        offsets: Any = None,
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
        dtype: DTypeLike = np.float32,
    ) -> Embeddings:
        """The embeddings of texts whose ids are known already; the rest is as in `encode`.

        :param ids: all ids, one text behind the other; or, without ``offsets``, a list a text.
        :param offsets: text ``i`` has the ids from ``offsets[i]`` to before ``offsets[i + 1]``.
        """
        flat, offsets = ragged(ids, offsets)
        out = self._empty(len(offsets) - 1, dtype, normalize, threads)
        self._composer.fill(out, id_blocks(flat, offsets), normalize=normalize, threads=threads)
        return out

    def encode_stream(
        self,
        texts: Iterable[str],
        *,
        block: int = 4096,
        normalize: Normalization | None = None,
        threads: int | None = None,
        dtype: DTypeLike = np.float32,
    ) -> Iterator[Embeddings]:
        """The embeddings of any number of texts, in arrays of ``block`` rows (the last: fewer).

        It takes an endless stream, too; the rest is as in `encode`.
        """
        if block < 1:
            raise ConfigError(f"block must be at least 1, not {block}")
        self._empty(0, dtype, normalize, threads)
        return (
            self.encode(some, normalize=normalize, threads=threads, dtype=dtype)
            for some in fixed_blocks(checked_texts(texts), block)
        )

    # ---- cutting and composing ------------------------------------------------------------------

    @property
    def element_dim(self) -> int:
        """Numbers in an element."""
        return self.shape.element_dim

    def encode_elements(self, texts: Sequence[str], *, threads: int | None = None) -> Floats:
        """What texts compose to, ``(len(texts), element_dim)``; an embedding shows a view of it.

        Of sums and products the two are the same.
        """
        out = np.empty((len(texts), self.element_dim), np.float32)
        self._composer.fill_elements(out, self._ids(texts, threads), threads=threads)
        return out

    def compose(self, left: Floats, right: Floats) -> Floats:
        """The elements of texts followed by others, from the elements of both.

        ``view(compose(encode_elements(a), encode_elements(b)))`` is ``encode(a + b)`` but for
        rounding. Where an embedding shows all of an element, embeddings compose as well, if they
        are not normalized.
        """
        return self.shape.compose(left, right)

    def view(self, elements: Floats) -> Floats:
        """The embeddings that elements show."""
        views = self.shape.view(elements)
        if self.projection is None:
            return views
        ends = np.cumsum([part.width for part in self.parts])[:-1]
        by_part = np.split(views, ends, axis=-1)
        names = [part.name for part in self.parts]
        embeddings = self.projection.apply(dict(zip(names, by_part, strict=True)))
        neutral = np.concatenate([part.shape.neutral() for part in self.parts])
        embeddings[(elements == neutral).all(axis=-1)] = 0  # as a text without words
        return embeddings

    def document(self, text_or_words: str | Sequence[str]) -> Document:
        """A text whose spans have embeddings at hand, and which may go on."""
        return Document(self, text_or_words)

    def native_document(self) -> _core.Document:
        return self._composer.document()

    # ---- inside ---------------------------------------------------------------------------------

    def _short(self, dimensions: int) -> "Encoder":
        """The encoder of the first numbers, made once."""
        if dimensions not in self._shorter:
            self._shorter[dimensions] = self.cut(dimensions)
        return self._shorter[dimensions]

    def _ids(self, texts: Iterable[str], threads: int | None) -> Iterator[Ids]:
        """The ids of texts, block by block."""
        return (self.tokenizer.ids(block, threads=threads) for block in text_blocks(texts))

    def _empty(
        self, rows: int, dtype: DTypeLike, normalize: Normalization | None, threads: int | None
    ) -> Embeddings:
        """Memory for the result, all settings checked."""
        check_normalization(normalize, self.projection)
        thread_count(threads)
        if np.dtype(dtype) not in (np.float32, np.float16):
            raise ConfigError(f"dtype must be float32 or float16, not {np.dtype(dtype)}")
        return np.empty((rows, self.dim), dtype)


load = Encoder.load


def _rebuild(
    tokenizer: Tokenizer,
    parts: Sequence[Part],
    projection: Projection | None,
    ngrams: Ngrams | None,
    training: Mapping[str, Any],
) -> Encoder:
    return Encoder(tokenizer, parts, projection=projection, ngrams=ngrams, training=training)


def _check_parts(parts: Sequence[Part], words: int) -> None:
    names = [part.name for part in parts]
    if not 1 <= len(parts) <= MOST_PARTS or len(set(names)) < len(names):
        raise ConfigError(f"1 to {MOST_PARTS} parts of different names are needed, not {names}")
    for part in parts:
        if len(part.table) != words:
            raise ConfigError(
                f"part {part.name!r} has {len(part.table)} rows for {words} words of the vocabulary"
            )

"""The encoder: texts in, embeddings out."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import DTypeLike

from cmow.arrays import Embeddings, Floats
from cmow.choices import (
    INITIALISATION,
    SHAPE,
    SIGMA,
    SPLITTER,
    Initialisation,
    Normalization,
    Splitter,
    Storage,
)
from cmow.encoder import vectors
from cmow.encoder.caching import Ngram, cache_ngrams
from cmow.encoder.composer import Composer, normalization
from cmow.encoder.folder import TENSORS, Model, read_model, write_model
from cmow.encoder.initialisation import initial_parts
from cmow.encoder.inputs import BLOCK_TEXTS, checked_texts, fixed_blocks, ragged, text_blocks
from cmow.encoder.ngrams import Ngrams
from cmow.encoder.part import Part
from cmow.encoder.shapes import PartShape, Shape
from cmow.encoder.storage import StorageLoss, convert, storage_losses
from cmow.encoder.union import unite_parts, unite_tokenizers
from cmow.encoder.vectors import WordVectors
from cmow.encoder.words import Neighbour, neighbours
from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer, Vocabulary
from cmow.threads import thread_count

logger = logging.getLogger(__name__)

MOST_PARTS = 16


class Coverage(NamedTuple):
    """How many tokens of some texts are in the vocabulary; the others are discarded."""

    tokens: int
    known: int
    share: float  # known tokens of all; 1 where there are none


class Encoder:
    """Composes the rows of a text's words, part by part; immutable and safe among threads.

    :param ngrams: cached products, see ``with_ngram_cache``.
    :param training: how the tables came about, for the model card.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        parts: Sequence[Part],
        *,
        ngrams: Ngrams | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.tokenizer = tokenizer
        self.parts = tuple(parts)
        self.training = dict(training or {})
        self._ngrams = ngrams
        _check_parts(self.parts, len(tokenizer.vocabulary))
        self._composer = Composer(self.parts, ngrams)

    # ---- making encoders ------------------------------------------------------------------------

    @classmethod
    def initialise(
        cls,
        vocabulary: Vocabulary | Tokenizer,
        shape: str | Sequence[tuple[str, int]] = SHAPE,
        initialisation: Initialisation = INITIALISATION,
        seed: int = 0,
        sigma: float = SIGMA,
    ) -> "Encoder":
        """An untrained encoder, by default as the recipe of training starts.

        :param vocabulary: the words, of texts that white space splits, or a tokenizer.
        :param shape: a name such as hybrid-800 or terms such as ``sum(400)+product(20)``.
        :param initialisation: of product parts: identity, glorot or normal.
        :param sigma: standard deviation of the normal distributions; the paper has 0.1.
        """
        if isinstance(vocabulary, Vocabulary):
            vocabulary = Tokenizer.whitespace(vocabulary)
        parts = initial_parts(
            shape,
            words=len(vocabulary.vocabulary),
            initialisation=initialisation,
            seed=seed,
            sigma=sigma,
        )
        return cls(vocabulary, parts)

    @classmethod
    def from_vectors(
        cls,
        path: str | os.PathLike[str],
        *,
        tokenizer: Splitter = SPLITTER,
        lowercase: bool = False,
        limit: int | None = None,
    ) -> "Encoder":
        """An encoder that adds the vectors of a word2vec, fastText or GloVe file.

        :param tokenizer: how texts are split: "words" or "whitespace".
        :param lowercase: lower-case texts, and the words of the file, which are taken as they are
            unless told otherwise: a file may well hold both cases of a word.
        :param limit: use the first vectors of the file only.
        """
        kinds = {"words": Tokenizer.words, "whitespace": Tokenizer.whitespace}
        if tokenizer not in kinds:
            raise ConfigError(f"unknown tokenizer {tokenizer!r}: choose from {', '.join(kinds)}")
        words, table = vectors.read_vectors(path, lowercase=lowercase, limit=limit).tokens()
        (shape,) = Shape.parse([("sum", table.shape[1])])
        part = Part("cbow", shape, table)
        return cls(kinds[tokenizer](Vocabulary(words), lowercase=lowercase), [part])

    @classmethod
    def concatenate(cls, *encoders: "Encoder") -> "Encoder":
        """One encoder with the parts of all, which must split texts alike; caches are dropped.

        A word that only some know is the neutral element for the others: as if discarded.
        """
        if not encoders:
            raise ConfigError("nothing to concatenate")
        tokenizer = unite_tokenizers([encoder.tokenizer for encoder in encoders])
        parts = unite_parts(
            [encoder.parts for encoder in encoders],
            [encoder.vocabulary for encoder in encoders],
            tokenizer.vocabulary,
        )
        return cls(tokenizer, parts)

    def part(self, name: str) -> "Encoder":
        """An encoder of the named part alone."""
        return Encoder(
            self.tokenizer, [self._part(name)], ngrams=self._ngrams, training=self.training
        )

    def with_ngram_cache(
        self, texts_or_counts: Iterable[str] | Mapping[Ngram, int], *, megabytes: float = 4
    ) -> "Encoder":
        """An encoder that multiplies ready-made products of frequent n-grams.

        :param texts_or_counts: a sample of what will be encoded, or n-grams (words with blanks
            between them, or a tuple) and how often each occurs.
        :param megabytes: memory for the products.
        """
        ngrams = cache_ngrams(self.tokenizer, self.parts, texts_or_counts, megabytes)
        return Encoder(self.tokenizer, self.parts, ngrams=ngrams, training=self.training)

    # ---- what it is -----------------------------------------------------------------------------

    @property
    def dim(self) -> int:
        """Numbers in an embedding."""
        return sum(part.width for part in self.parts)

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
        return _rebuild, (self.tokenizer, self.parts, self._ngrams, self.training)

    # ---- encoding -------------------------------------------------------------------------------

    def encode(
        self,
        texts: Sequence[str],
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
        dtype: DTypeLike = np.float32,
    ) -> Embeddings:
        """The embeddings of texts, ``(len(texts), dim)``; an empty text is the neutral element.

        :param normalize: divide by the norm of the embedding ("all") or of each part ("parts").
        :param threads: all cores of the process unless given.
        :param dtype: float32 or float16.
        """
        if not hasattr(texts, "__len__"):
            raise TypeError(f"encode takes a list, not {type(texts).__name__}: use encode_stream")
        out = self._empty(len(texts), dtype, normalize, threads)
        filled = saturated = 0
        for block in text_blocks(texts):
            ids = self.tokenizer.ids(block, threads=threads)
            rows = out[filled : filled + len(block)]
            saturated += self._composer.compose(
                ids.flat, ids.offsets, rows, normalize=normalize, threads=threads
            )
            filled += len(block)
        _warn_of_saturation(saturated, out.dtype)
        return out

    def encode_ids(
        self,
        ids: Any,
        offsets: Any = None,
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
        dtype: DTypeLike = np.float32,
    ) -> Embeddings:
        """The embeddings of texts whose ids are known already.

        :param ids: all ids, one text behind the other; or, without ``offsets``, a list a text.
        :param offsets: text ``i`` has the ids from ``offsets[i]`` to before ``offsets[i + 1]``.
        """
        flat, offsets = ragged(ids, offsets)
        out = self._empty(len(offsets) - 1, dtype, normalize, threads)
        saturated = 0
        for start in range(0, len(out), BLOCK_TEXTS):
            rows = out[start : start + BLOCK_TEXTS]
            ends = offsets[start : start + len(rows) + 1]
            saturated += self._composer.compose(
                flat, ends, rows, normalize=normalize, threads=threads
            )
        _warn_of_saturation(saturated, out.dtype)
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
        """The embeddings of any number of texts, in arrays of ``block`` rows (the last: fewer)."""
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
        return sum(part.shape.element_width for part in self.parts)

    def encode_elements(self, texts: Sequence[str], *, threads: int | None = None) -> Floats:
        """What texts compose to, ``(len(texts), element_dim)``; an embedding shows a view of it.

        Of sums and products the two are the same.
        """
        elements = [np.zeros((0, self.element_dim), np.float32)]
        saturated = 0
        for block in text_blocks(texts):
            ids = self.tokenizer.ids(block, threads=thread_count(threads))
            elements.append(np.empty((len(block), self.element_dim), np.float32))
            saturated += self._composer.elements(
                ids.flat, ids.offsets, elements[-1], threads=threads
            )
        _warn_of_saturation(saturated, np.dtype(np.float32))
        return np.concatenate(elements)

    def compose(self, left: Floats, right: Floats) -> Floats:
        """The elements of texts followed by others, from the elements of both.

        ``view(compose(encode_elements(a), encode_elements(b)))`` is ``encode(a + b)`` but for
        rounding. Where an embedding shows all of an element, embeddings compose as well, if they
        are not normalised.
        """
        return self._by_part(PartShape.compose, left, right)

    def view(self, elements: Floats) -> Floats:
        """The embeddings that elements show."""
        return self._by_part(PartShape.view, elements)

    def _by_part(self, of: Callable[..., Floats], *elements: Floats) -> Floats:
        for each in elements:
            if each.shape[-1] != self.element_dim:
                raise ConfigError(
                    f"elements of {self.shape} have {self.element_dim} numbers, as encode_elements "
                    f"gives them, not {each.shape[-1]}"
                )
        found, start = [], 0
        for part in self.parts:
            columns = slice(start, start + part.shape.element_width)
            found.append(of(part.shape, *(each[..., columns] for each in elements)))
            start = columns.stop
        return np.concatenate(found, axis=-1)

    # ---- comparing ------------------------------------------------------------------------------

    @overload
    def similarity(self, a: str, b: str) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def similarity(self, a: Sequence[str], b: Sequence[str]) -> Floats: ...
    def similarity(self, a: str | Sequence[str], b: str | Sequence[str]) -> float | Floats:
        """The cosine of two texts, or those of two lists pair by pair."""
        if isinstance(a, str) and isinstance(b, str):
            return float(self._cosines([a], [b])[0])
        if isinstance(a, str) or isinstance(b, str):
            raise TypeError("similarity takes two texts or two lists, not one of each")
        if len(a) != len(b):
            raise ConfigError(f"similarity compares pairs: {len(a)} texts and {len(b)}")
        blocks = (slice(start, start + BLOCK_TEXTS) for start in range(0, len(a), BLOCK_TEXTS))
        cosines = [self._cosines(a[block], b[block]) for block in blocks]
        return np.concatenate([np.zeros(0, np.float32), *cosines])

    def most_similar_words(self, word: str, *, count: int = 10) -> list[Neighbour]:
        """The words whose rows deviate from the neutral element in the most similar direction."""
        return neighbours(self.tokenizer, self.parts, word, count)

    def word_vectors(self, part: str) -> WordVectors:
        """The words and their rows in the named part, as float32."""
        return WordVectors(list(self.vocabulary.words), self._part(part).rows())

    def coverage(self, texts: Iterable[str]) -> Coverage:
        """How many tokens of the texts are in the vocabulary."""
        known = tokens = 0
        for block in text_blocks(texts):
            ids = self.tokenizer.ids(block)
            known += len(ids.flat)
            tokens += len(ids.flat) + ids.discarded
        return Coverage(tokens, known, known / tokens if tokens else 1.0)

    # ---- saving ---------------------------------------------------------------------------------

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        storage: Storage = "float32",
        training: Mapping[str, Any] | None = None,
    ) -> list[StorageLoss]:
        """Write a model folder, or replace the model in one, and tell what the storage costs.

        :param storage: float32, float16 (half the size) or int8 (a quarter).
        :param training: settings to record; those of the encoder unless given.
        """
        stored = [convert(part, storage) for part in self.parts]
        losses = storage_losses(self.parts, stored, self.vocabulary.counts)
        training = self.training if training is None else training
        write_model(Path(path), Model(self.tokenizer, stored, training), losses=losses)
        for loss in losses:
            logger.info(
                "saved %s as %s: cosine loss %.2g, at worst %.2g", loss.part, storage, *loss[1:]
            )
        return losses

    def write_vectors(
        self, path: str | os.PathLike[str], *, part: str = "cbow", binary: bool = False
    ) -> None:
        """Write a sum part in word2vec's text or binary format."""
        chosen = self._part(part)
        if not chosen.monoid.has_vectors:
            raise ConfigError(f"part {part!r} is a product: vector files are for sums")
        vectors.write_vectors(path, self.vocabulary.words, chosen.rows(), binary=binary)

    # ---- inside ---------------------------------------------------------------------------------

    def _part(self, name: str) -> Part:
        for part in self.parts:
            if part.name == name:
                return part
        names = ", ".join(part.name for part in self.parts)
        raise ConfigError(f"no part {name!r}: this encoder has {names}")

    def _empty(
        self, rows: int, dtype: DTypeLike, normalize: Normalization | None, threads: int | None
    ) -> Embeddings:
        """Memory for the result, all settings checked."""
        normalization(normalize)
        thread_count(threads)
        if np.dtype(dtype) not in (np.float32, np.float16):
            raise ConfigError(f"dtype must be float32 or float16, not {np.dtype(dtype)}")
        return np.empty((rows, self.dim), dtype)

    def _cosines(self, a: Sequence[str], b: Sequence[str]) -> Floats:
        # Normalised before they are multiplied: else the numbers of long texts would overflow.
        left, right = self.encode(a, normalize="all"), self.encode(b, normalize="all")
        cosines: Floats = np.einsum("ij,ij->i", left, right)
        return cosines


def load(path: str | os.PathLike[str]) -> Encoder:
    """Open a model folder; its tables stay on disk and are shared with other processes."""
    model = read_model(Path(path))
    try:
        return Encoder(model.tokenizer, model.parts, training=model.training)
    except FormatError as error:
        raise FormatError(f"{Path(path) / TENSORS}: {error}") from error


def _rebuild(
    tokenizer: Tokenizer, parts: Sequence[Part], ngrams: Ngrams | None, training: Mapping[str, Any]
) -> Encoder:
    return Encoder(tokenizer, parts, ngrams=ngrams, training=training)


def _check_parts(parts: Sequence[Part], words: int) -> None:
    names = [part.name for part in parts]
    if not 1 <= len(parts) <= MOST_PARTS or len(set(names)) < len(names):
        raise ConfigError(f"1 to {MOST_PARTS} parts of different names are needed, not {names}")
    for part in parts:
        if len(part.table) != words:
            raise ConfigError(
                f"part {part.name!r} has {len(part.table)} rows for {words} words of the vocabulary"
            )


def _warn_of_saturation(count: int, dtype: np.dtype[Any]) -> None:
    if count:
        logger.warning(
            "%d embeddings are beyond %s and were cut to its largest number: use normalize",
            count,
            dtype,
        )

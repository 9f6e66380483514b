"""The compiled composition of all parts of an encoder, fed with ids."""

import logging
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow import _core
from cmow.arrays import Embeddings, Floats, Int32s, Int64s
from cmow.choices import Normalization
from cmow.encoder.ngrams import Ngrams
from cmow.encoder.part import Part
from cmow.encoder.projection import Projection
from cmow.errors import ConfigError
from cmow.text import Ids
from cmow.threads import thread_count

NORMALIZATIONS: dict[Normalization | None, int] = {None: 0, "all": 1, "parts": 2}


logger = logging.getLogger(__name__)


class Composer:
    """Composes ids with the tables of some parts; immutable and safe to share between threads."""

    def __init__(
        self,
        parts: Sequence[Part],
        ngrams: Ngrams | None = None,
        projection: Projection | None = None,
    ) -> None:
        self._parts = tuple(parts)
        self._composer = _core.Composer()
        for part in parts:
            magnitudes, cache = [part.monoid.magnitude(row) for row in part.magnitudes], None
            if ngrams is not None and part.name in ngrams.tables:
                rows = ngrams.tables[part.name]
                cache = _core.NgramCache(ngrams.nodes, rows, len(part.table))
                magnitudes += _core.scan_table(rows, None, thread_count(None))[1:]
            self._composer.add(
                part.monoid.kind,
                part.monoid.size,
                part.monoid.constants(),
                part.shape.mean,
                part.native_table,
                part.scales,
                rescale_every(part, magnitudes),
                cache,
            )
        if projection is not None:
            numbers = {part.name: number for number, part in enumerate(parts)}
            placements = [
                (
                    numbers[place.part],
                    place.begin,
                    place.end,
                    place.factor,
                    place.longest,
                    place.matrix,
                )
                for place in projection.placements
            ]
            self._composer.project(placements, projection.bias)

    def fill(
        self,
        out: Embeddings,
        blocks: Iterable[Ids],
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
    ) -> None:
        """Write the embeddings of all blocks' texts; a warning tells of those that saturated."""
        saturated = sum(
            self.compose(ids.flat, ids.offsets, rows, normalize=normalize, threads=threads)
            for ids, rows in _with_rows(blocks, out)
        )
        saturation_warning(saturated, out.dtype)

    def fill_elements(
        self, out: Floats, blocks: Iterable[Ids], *, threads: int | None = None
    ) -> None:
        """Write the elements of all blocks' texts; a warning tells of those that saturated."""
        saturated = sum(
            self.elements(ids.flat, ids.offsets, rows, threads=threads)
            for ids, rows in _with_rows(blocks, out)
        )
        saturation_warning(saturated, out.dtype)

    def compose(
        self,
        flat: Int32s,
        offsets: Int64s,
        out: Embeddings,
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
    ) -> int:
        """Write an embedding for each of the ragged texts; returns how many saturated.

        :param out: float32 or float16.
        """
        exact = out if out.dtype == np.float32 else np.empty(out.shape, np.float32)
        saturated = self._composer.compose(
            flat, offsets, exact, normalization(normalize), thread_count(threads)
        )
        self._check(exact, saturated)
        if exact is not out:
            saturated = int((np.abs(exact) > np.finfo(out.dtype).max).any(axis=1).sum())
            out[:] = saturate(exact, out.dtype)
        return saturated

    def elements(
        self, flat: Int32s, offsets: Int64s, out: Floats, *, threads: int | None = None
    ) -> int:
        """Write the elements of each of the ragged texts; returns how many saturated."""
        saturated = self._composer.elements(flat, offsets, out, thread_count(threads))
        self._check(out, saturated)
        return saturated

    def document(self) -> _core.Document:
        """An empty document, to be cut anywhere."""
        return _core.Document(self._composer)

    def _check(self, composed: Floats, saturated: int) -> None:
        """Refuse what comes of a table that was damaged behind the back of what is known of it."""
        if saturated and not np.isfinite(composed).all():
            for part in self._parts:
                part.verify()


def saturate(values: Floats, dtype: np.dtype[Any]) -> Embeddings:
    """Cast to another float type; what is beyond it becomes its largest number."""
    largest = np.finfo(dtype).max
    return np.clip(values, -largest, largest).astype(dtype)


def rescale_every(part: Part, magnitudes: Sequence[float]) -> int:
    """How many matrices may be multiplied before the result must be brought back near 1.

    A row of magnitude 2^k lets the product grow by 2^k · size at most, and shrink by about 2^k:
    between two rescalings the exponent stays within ±60 of where it was, of float32's ±126.
    """
    growth = math.log2(part.monoid.size) + max(
        abs(math.log2(magnitude)) if magnitude else math.inf for magnitude in magnitudes
    )
    return int(min(max(60 / max(growth, 1.0), 1), 16))


def normalization(normalize: Normalization | None) -> int:
    """The core's number for a normalization."""
    if normalize not in NORMALIZATIONS:
        raise ConfigError(f'unknown normalize={normalize!r}: choose None, "all" or "parts"')
    return NORMALIZATIONS[normalize]


def check_normalization(normalize: Normalization | None, projection: Projection | None) -> int:
    """The core's number for a normalization, refused where there are no parts to be normalized."""
    if normalize == "parts" and projection is not None:
        raise ConfigError('the parts are projected into one space: normalize "all", or use part')
    return normalization(normalize)


def _with_rows(blocks: Iterable[Ids], out: NDArray[Any]) -> Iterator[tuple[Ids, NDArray[Any]]]:
    """Blocks of texts, each with the rows that are theirs."""
    filled = 0
    for ids in blocks:
        rows = out[filled : filled + len(ids.offsets) - 1]
        yield ids, rows
        filled += len(rows)


def saturation_warning(count: int, dtype: np.dtype[Any]) -> None:
    """Tell of embeddings that a type of numbers cannot hold."""
    if count:
        logger.warning(
            "%d embeddings are beyond %s and were cut to its largest number: use normalize",
            count,
            dtype,
        )

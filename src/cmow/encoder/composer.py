"""The compiled composition of all parts of an encoder, fed with ids."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow import _core
from cmow.arrays import Embeddings, Floats, Int32s, Int64s
from cmow.choices import Normalization
from cmow.encoder.ngrams import Ngrams
from cmow.encoder.part import Part
from cmow.errors import ConfigError, FormatError
from cmow.threads import thread_count

NORMALIZATIONS: dict[Normalization | None, int] = {None: 0, "all": 1, "parts": 2}
LARGEST_MAGNITUDE = 2.0**60


class Composer:
    """Composes ids with the tables of some parts; immutable and safe to share between threads."""

    def __init__(self, parts: Sequence[Part], ngrams: Ngrams | None = None) -> None:
        self._composer = _core.Composer()
        for part in parts:
            magnitudes, cache = [part.monoid.magnitude(row) for row in scan(part)], None
            if ngrams is not None and part.name in ngrams.tables:
                rows = ngrams.tables[part.name]
                cache = _core.NgramCache(ngrams.nodes, rows, len(part.table))
                magnitudes += _core.scan_table(rows, None, thread_count(None))[1:]
            self._composer.add(
                part.monoid.kind,
                part.monoid.size,
                part.monoid.constants(),
                part.shape.mean,
                _native(part.table),
                part.scales,
                rescale_every(part, magnitudes),
                cache,
            )

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
        if exact is not out:
            saturated = int((np.abs(exact) > np.finfo(out.dtype).max).any(axis=1).sum())
            out[:] = saturate(exact, out.dtype)
        return saturated

    def elements(
        self, flat: Int32s, offsets: Int64s, out: Floats, *, threads: int | None = None
    ) -> int:
        """Write the elements of each of the ragged texts; returns how many saturated."""
        return self._composer.elements(flat, offsets, out, thread_count(threads))


def saturate(values: Floats, dtype: np.dtype[Any]) -> Embeddings:
    """Cast to another float type; what is beyond it becomes its largest number."""
    largest = np.finfo(dtype).max
    return np.clip(values, -largest, largest).astype(dtype)


def scan(part: Part) -> tuple[float, ...]:
    """The smallest and the largest magnitude of the rows of a table without NaN and infinity."""
    bad, smallest, largest = _core.scan_table(_native(part.table), part.scales, thread_count(None))
    if bad >= 0:
        raise FormatError(f"part {part.name!r}: NaN or infinity in row {bad}")
    origin = float(np.abs(part.monoid.origin()).max())
    if origin > 0 and part.scales is not None:
        # Only the deviation from the origin was scanned.
        smallest = origin / 2 if largest <= origin / 2 else 2.0**-10
        largest = origin + largest
    if largest > LARGEST_MAGNITUDE:
        raise FormatError(f"part {part.name!r}: a row has the magnitude {largest:.3g}: diverged")
    return smallest, largest


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
    """The core's number for a normalisation."""
    if normalize not in NORMALIZATIONS:
        raise ConfigError(f'unknown normalize={normalize!r}: choose None, "all" or "parts"')
    return NORMALIZATIONS[normalize]


def _native(table: NDArray[Any]) -> NDArray[Any]:
    return table.view(np.uint16) if table.dtype == np.float16 else table

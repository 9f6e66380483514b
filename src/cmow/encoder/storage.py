"""Tables with fewer bits a number, and what that costs in cosine."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cmow.arrays import Floats, Int32s, Int64s
from cmow.choices import Storage
from cmow.encoder.composer import Composer, saturate
from cmow.encoder.halves import LEAST, MOST, pack
from cmow.encoder.part import STORAGES, Part, table_columns
from cmow.errors import ConfigError

BLOCK = 4096
INT4_SCALES = np.linspace(1, 0.4, 16, dtype=np.float32)  # tried, in shares of the largest needed
SENTENCES, SENTENCE_WORDS = 1000, 25


class StorageLoss(NamedTuple):
    """One minus the cosine between a part's embeddings before and after a change of storage."""

    part: str
    mean: float
    worst: float


def common_storage(parts: Sequence[Part]) -> Storage:
    """The storage of all parts; float32, which holds the numbers of each, if it is not one."""
    storages = {part.storage for part in parts}
    return storages.pop() if len(storages) == 1 else "float32"


def convert(part: Part, storage: Storage) -> Part:
    """The same part with its table stored as float32, float16, int8 or int4."""
    if storage not in STORAGES:
        raise ConfigError(f"unknown storage {storage!r}: choose from {', '.join(STORAGES)}")
    if storage == part.storage:
        return part
    if storage == "int8":
        return _as_int8(part)
    if storage == "int4":
        return _as_int4(part)
    table = np.empty((len(part.table), part.monoid.row_width), storage)
    for block in _blocks(len(table)):
        table[block] = saturate(part.rows(block), table.dtype)
    return replace(part, table=table, scales=None)


def storage_losses(
    parts: Sequence[Part], stored: Sequence[Part], counts: Int64s
) -> list[StorageLoss]:
    """Measure the loss on random sentences whose words are as frequent as in the corpus.

    :param counts: how often each word occurs in the corpus; zeros if unknown.
    """
    flat, offsets = _sample(counts)
    losses = []
    for before, after in zip(parts, stored, strict=True):
        if before is after or not len(flat):
            losses.append(StorageLoss(before.name, 0.0, 0.0))
            continue
        left, right = (_unit_embeddings(part, flat, offsets) for part in (before, after))
        # |a - b|² / 2 is 1 - a·b for unit vectors, without the rounding of numbers near 1.
        loss = np.square(left - right).sum(axis=1, dtype=np.float64) / 2
        losses.append(StorageLoss(before.name, float(loss.mean()), float(loss.max())))
    return losses


def _as_int8(part: Part) -> Part:
    table = np.empty((len(part.table), part.monoid.row_width), np.int8)
    scales = np.empty(len(table), np.float32)
    for block in _blocks(len(table)):
        deviation = part.deviations(block)
        scales[block] = np.abs(deviation).max(axis=1) / 127
        steps = np.where(scales[block] > 0, scales[block], 1)
        table[block] = np.rint(deviation / steps[:, None]).clip(-127, 127)
    return replace(part, table=table, scales=scales)


def _as_int4(part: Part) -> Part:
    table = np.empty((len(part.table), table_columns("int4", part.monoid.row_width)), np.uint8)
    scales = np.empty(len(table), np.float32)
    for block in _blocks(len(table)):
        deviation = part.deviations(block)
        scales[block] = _int4_scales(deviation)
        steps = scales[block, None]
        np.divide(deviation, steps, out=deviation, where=steps != 0)
        table[block] = pack(_four_bits(deviation).astype(np.int8))
    return replace(part, table=table, scales=scales)


def _int4_scales(deviation: Floats) -> Floats:
    """The scale of each row whose squared error is the least of those tried.

    A row's largest magnitude comes to lie at the negative end, where there is a number more: the
    scale is negative where that number is not. A smaller scale cuts it off and has finer steps.
    """
    largest = np.take_along_axis(deviation, np.abs(deviation).argmax(1)[:, None], 1)
    relative = deviation / np.where(largest != 0, largest, 1)
    tried = INT4_SCALES / np.float32(LEAST)
    errors = [
        np.square(relative - _four_bits(relative / scale) * scale).sum(axis=1) for scale in tried
    ]
    scales: Floats = largest[:, 0] * tried[np.argmin(errors, axis=0)]
    return scales


def _four_bits(numbers: Floats) -> Floats:
    rounded: Floats = np.rint(numbers).clip(LEAST, MOST)
    return rounded


def _sample(counts: Int64s) -> tuple[Int32s, Int64s]:
    if not len(counts):
        return np.zeros(0, np.int32), np.zeros(1, np.int64)
    if not counts.any():
        counts = np.ones_like(counts)
    generator = np.random.Generator(np.random.Philox(0))
    tokens = SENTENCES * SENTENCE_WORDS
    flat = generator.choice(len(counts), tokens, p=counts / counts.sum())
    return flat.astype(np.int32), np.arange(0, len(flat) + 1, SENTENCE_WORDS, dtype=np.int64)


def _unit_embeddings(part: Part, flat: Int32s, offsets: Int64s) -> Floats:
    out = np.empty((len(offsets) - 1, part.width), np.float32)
    Composer([part]).compose(flat, offsets, out, normalize="all")
    return out


def _blocks(rows: int) -> list[slice]:
    return [slice(start, start + BLOCK) for start in range(0, rows, BLOCK)]

"""Types of the compiled core; core/*_bindings.cpp is the implementation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def levels() -> list[str]: ...
def level() -> str: ...
def use_level(name: str) -> None: ...
def part_kinds() -> list[str]: ...
def part_widths(kind: str, size: int, constants: NDArray[np.float32]) -> tuple[int, int, int]: ...

class NgramCache:
    def __init__(
        self, nodes: NDArray[np.int32], rows: NDArray[np.float32], vocabulary: int
    ) -> None: ...

class Composer:
    def __init__(self) -> None: ...
    def add(
        self,
        kind: str,
        size: int,
        constants: NDArray[np.float32],
        mean: bool,
        rows: NDArray[Any],
        scales: NDArray[np.float32] | None,
        rescale_every: int,
        cache: NgramCache | None,
    ) -> None: ...
    def project(
        self,
        placements: Sequence[tuple[int, int, int, float, float, NDArray[np.float32] | None]],
        bias: NDArray[np.float32],
    ) -> None: ...
    def compose(
        self,
        flat: NDArray[np.int32],
        offsets: NDArray[np.int64],
        out: NDArray[np.float32],
        normalize: int,
        threads: int,
    ) -> int: ...
    def elements(
        self,
        flat: NDArray[np.int32],
        offsets: NDArray[np.int64],
        out: NDArray[np.float32],
        threads: int,
    ) -> int: ...

class Document:
    def __init__(self, composer: Composer) -> None: ...
    def append(self, ids: NDArray[np.int32]) -> None: ...
    def spans(
        self,
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        out: NDArray[np.float32],
        normalize: int,
        threads: int,
    ) -> int: ...
    def windows(
        self,
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        out: NDArray[np.float32],
        normalize: int,
        threads: int,
    ) -> int: ...
    def scores(
        self,
        bounds: NDArray[np.int64],
        first: int,
        query: NDArray[np.float32],
        out: NDArray[np.float32],
        threads: int,
    ) -> None: ...

def scan_table(
    rows: NDArray[Any], scales: NDArray[np.float32] | None, threads: int
) -> tuple[int, float, float]: ...
def first_unknown(ids: NDArray[np.int32], vocabulary: int, threads: int) -> int: ...
def first_fallen(offsets: NDArray[np.int64], least: int, most: int, threads: int) -> int: ...
def permute(positions: NDArray[np.int64], size: int, seed: int, stream: int) -> None: ...
def checked_texts(texts: Sequence[str]) -> tuple[str, ...]: ...

class Words:
    def __init__(self, kind: str, lowercase: bool, words: Sequence[str]) -> None: ...
    def split(self, texts: Sequence[str]) -> list[list[str]]: ...
    def ids(
        self, texts: Sequence[str], threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], int]: ...
    def ids_of_lines(
        self, block: bytes | bytearray | memoryview
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], int]: ...

class WordPiece:
    def __init__(
        self,
        pieces: Sequence[str],
        unknown: int,
        prefix: str,
        longest_word: int,
        added: Sequence[str],
        added_ids: Sequence[int],
        clean: bool,
        space_chinese: bool,
        strip_accents: bool,
        lowercase: bool,
        split_punctuation: bool,
    ) -> None: ...
    def all_ids(self, texts: Sequence[str]) -> list[list[int]]: ...
    def ids(
        self, texts: Sequence[str], threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], int]: ...
    def ids_of_lines(
        self, block: bytes | bytearray | memoryview
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], int]: ...

class WordCounter:
    def __init__(self, kind: str, lowercase: bool) -> None: ...
    def add_lines(self, block: bytes | bytearray | memoryview) -> None: ...
    def merge(self, other: WordCounter) -> None: ...
    @property
    def total(self) -> int: ...
    def most_common(
        self, size: int | None = None, minimum_count: int = 1
    ) -> tuple[list[str], NDArray[np.int64]]: ...

class Batch:
    def __len__(self) -> int: ...
    @property
    def ids(self) -> NDArray[np.int32]: ...
    @property
    def windows(self) -> NDArray[np.int32]: ...

class NoiseBatch(Batch):
    @property
    def negatives(self) -> NDArray[np.int32]: ...
    @property
    def shared_negatives(self) -> bool: ...

class TaughtBatch(Batch):
    @property
    def targets(self) -> NDArray[np.float32]: ...

def taught_batch(
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    twins: NDArray[np.bool_],
    targets: NDArray[np.float32],
) -> TaughtBatch: ...

class LabelledBatch(Batch):
    @property
    def judged(self) -> bool: ...
    @property
    def targets(self) -> NDArray[np.float32]: ...

def labelled_batch(
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    targets: NDArray[np.float32],
    judged: bool,
) -> LabelledBatch: ...

class Sampler:
    def __init__(
        self,
        flat: NDArray[np.int32],
        offsets: NDArray[np.int64],
        noise: NDArray[np.float64],
        keep: NDArray[np.float32] | None,
        seed: int,
        batch_sentences: int,
        centres: int,
        window: int,
        negatives: int,
        random_target: bool,
        share_negatives: bool,
        validation_sentences: int,
    ) -> None: ...
    def batch(self, update: int, threads: int, rank: int = 0, world: int = 1) -> NoiseBatch: ...
    def validation_batch(self, index: int, threads: int) -> NoiseBatch: ...
    @property
    def sentences_per_epoch(self) -> int: ...
    @property
    def validation_batches(self) -> int: ...

class TrainedTable:
    def __init__(
        self,
        rows: NDArray[np.float32],
        first_moment: NDArray[np.float32],
        second_moment: NDArray[np.float32],
    ) -> None: ...

class Objective: ...

def negative_sampling(output: TrainedTable, mean_negatives: bool) -> Objective: ...
def teacher_objective(
    matrices: Sequence[TrainedTable | None],
    widths: Sequence[int],
    bias: TrainedTable,
    twin_weight: float,
) -> Objective: ...
def labels_objective(
    head: TrainedTable,
    bias: TrainedTable,
    weights: NDArray[np.float32],
    loss: str,
    pairs: bool,
) -> Objective: ...
def joint_objective(weighted: Sequence[tuple[Objective, float]]) -> Objective: ...

class Trainer:
    def __init__(
        self,
        objective: Objective,
        lazy: bool,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
    ) -> None: ...
    def add_part(
        self,
        kind: str,
        size: int,
        constants: NDArray[np.float32],
        mean: bool,
        table: TrainedTable,
        rate: float,
    ) -> None: ...
    def step(self, batch: Batch, update: int, learning_rate: float, threads: int) -> float: ...
    def loss(self, batch: Batch, threads: int) -> float: ...
    def gradients(
        self, batch: Batch, out: Sequence[NDArray[np.float32]], threads: int
    ) -> float: ...

# Rows, their scales, their weights, and queries.
_Block = tuple[
    NDArray[Any], NDArray[np.float32] | None, NDArray[np.float32] | None, NDArray[np.float32]
]

# Rows in int8, their scales, and how far they are off.
_Bytes = tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.float32]]

def search(
    blocks: Sequence[_Block],
    alive: NDArray[np.uint8] | None,
    scores: NDArray[np.float32],
    rows: NDArray[np.int64],
    threads: int,
    bytes: Sequence[_Bytes] | None = None,
) -> None: ...

class Clusters:
    def __init__(self, count: int) -> None: ...
    def link(
        self,
        rows: _Block,
        sketches: _Block,
        first_row: int,
        threshold: float,
        margin: float,
        threads: int,
    ) -> None: ...
    def labels(self, out: NDArray[np.int64]) -> None: ...

def peak_flops(threads: int) -> float: ...
def peak_bandwidth(threads: int) -> float: ...

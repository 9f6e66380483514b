"""Learning from a teacher: embeddings shall point where its vectors do.

A linear map takes the parts into the teacher's space. Where a text has a twin, the same words in
another order, the two shall differ as the teacher's vectors of them do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cmow import _core
from cmow.arrays import Booleans, Floats, Int64s
from cmow.corpus import Corpus, Permutation
from cmow.encoder import Part, PartShape, Placement, Projection
from cmow.errors import ConfigError
from cmow.training.config import TrainConfig
from cmow.training.objectives.gathering import gather
from cmow.training.objectives.negative_sampling import validation_sentences
from cmow.training.objectives.objective import Layers, Objective
from cmow.training.objectives.start_vectors import vectors_of_texts
from cmow.training.parameters import Parameters

if TYPE_CHECKING:
    import torch
    from torch import Tensor

BIAS = "bias"
MAP_SIGMA = 0.1  # of the random start of a part's map, if there is nothing else to learn from


@dataclass(frozen=True, eq=False)
class Lessons:
    """What a teacher said of the sentences of a corpus.

    :param vectors: a unit vector a sentence
    :param twins: whether a sentence is the twin of the one before it
    """

    vectors: NDArray[np.floating[Any]]
    twins: Booleans

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        return int(self.vectors.shape[1])


class TeacherObjective(Objective):
    """Cosines to a teacher's vectors, and distances between differences.

    :param twin_weight: of the latter
    :param start: vectors of the words, for a sum that is as wide; else of the texts they stand in
    """

    unit = "texts"

    def __init__(
        self,
        lessons: Lessons,
        config: TrainConfig,
        *,
        twin_weight: float,
        start: Floats | None = None,
    ) -> None:
        self._lessons = lessons
        self._config = config
        self._twin_weight = twin_weight
        self._start = start
        self.name = f"teacher, twins by {twin_weight:g}"

    def start(self, parts: Sequence[Part], corpus: Corpus) -> list[Part]:
        if not any(self._is_there(part.shape) for part in parts):
            return list(parts)
        vectors = self._start
        if vectors is None:
            vectors = vectors_of_texts(self._lessons.vectors, corpus)
        return [
            replace(part, table=vectors) if self._is_there(part.shape) else part for part in parts
        ]

    def batches(self, corpus: Corpus) -> "TaughtBatches":
        if len(corpus) != len(self._lessons.vectors):
            raise ConfigError(
                f"{len(corpus):,} texts and {len(self._lessons.vectors):,} vectors of the teacher: "
                "give those that belong together"
            )
        return TaughtBatches(corpus, self._lessons, self._config)

    def tables(self, shapes: Sequence[PartShape], words: int) -> Mapping[str, Floats]:
        del words
        # Where vectors are there already, matrices add what these lack, and start with nothing.
        sigma = 0.0 if any(map(self._is_there, shapes)) else MAP_SIGMA
        generator = np.random.Generator(np.random.Philox(key=self._config.seed))
        maps = {}
        for number, shape in enumerate(shapes):
            if not self._is_there(shape):
                size = (shape.monoid.view_width, self._lessons.dim)
                maps[map_name(number)] = np.float32(sigma) * generator.standard_normal(
                    size, np.float32
                )
        return {**maps, BIAS: np.zeros((1, self._lessons.dim), np.float32)}

    def native(self, parameters: Parameters) -> _core.Objective:
        own = {trained.name: trained.native() for trained in parameters.objective}
        return _core.teacher_objective(
            [own.get(map_name(number)) for number in range(len(parameters.shapes))],
            [shape.monoid.view_width for shape in parameters.shapes],
            own[BIAS],
            twin_weight=self._twin_weight,
        )

    def torch_examples(self, batch: Any, device: "torch.device") -> "Texts":
        return Texts.of(batch, device)

    def torch_loss(self, views: Sequence["Tensor"], layers: Layers, examples: Any) -> "Tensor":
        from torch.nn.functional import normalize

        students = _all_rows(layers[BIAS][0])
        for number, view in enumerate(views):
            own = layers.get(map_name(number))
            students = students + (view if own is None else view @ _all_rows(own[0]))
        students = normalize(students, dim=1, eps=1e-30)
        loss = (1 - (students * examples.targets).sum(1)).sum()
        twins = examples.twins
        offs = (students - examples.targets)[twins - 1] - (students - examples.targets)[twins]
        total: Tensor = loss + self._twin_weight * offs.square().sum()
        return total

    def projection(self, parameters: Parameters) -> Projection:
        own = {trained.name: trained.table.copy() for trained in parameters.objective}
        return Projection(
            tuple(
                Placement(part.name, 0, self._lessons.dim, own.get(map_name(number)))
                for number, part in enumerate(parameters.parts)
            ),
            own[BIAS][0],
        )

    def guessing_loss(self) -> float:
        return 1.0 + self._twin_weight

    def _is_there(self, shape: PartShape) -> bool:
        """Whether a part needs no map: vectors as wide as the teacher's can be in its space."""
        return shape.monoid.has_vectors and shape.monoid.view_width == self._lessons.dim


def map_name(number: int) -> str:
    """What the map of a part is called."""
    return f"map-{number}"


class TaughtBatches:
    """Texts in a random order, each with its twin."""

    def __init__(self, corpus: Corpus, lessons: Lessons, config: TrainConfig) -> None:
        self._corpus, self._lessons = corpus, lessons
        self._originals: Int64s = np.flatnonzero(~lessons.twins)
        self._have_twins: Booleans = np.append(lessons.twins, False)[self._originals + 1]
        self._seed, self._size = config.seed, config.batch_sentences
        self._held_out = validation_sentences(len(self._originals), config.validation_share)
        self._split = Permutation(len(self._originals), seed=config.seed)

    @property
    def sentences_per_epoch(self) -> int:
        return len(self._originals) - self._held_out

    @property
    def validation_batches(self) -> int:
        return -(-self._held_out // self._size)

    def batch(self, update: int, threads: int, rank: int = 0, world: int = 1) -> _core.TaughtBatch:
        del threads
        each = self.sentences_per_epoch
        places = np.arange(update * self._size + rank, (update + 1) * self._size, world)
        chosen = np.empty_like(places)
        for epoch in np.unique(places // each):
            here = places // each == epoch
            order = Permutation(each, seed=self._seed, stream=1 + int(epoch))
            chosen[here] = order.take(places[here] % each)
        return self._make(self._split.take(self._held_out + chosen))

    def validation_batch(self, index: int, threads: int) -> _core.TaughtBatch:
        del threads
        end = min((index + 1) * self._size, self._held_out)
        return self._make(self._split.take(np.arange(index * self._size, end)))

    def _make(self, numbers: Int64s) -> _core.TaughtBatch:
        rows, twinned = self._originals[numbers], self._have_twins[numbers]
        texts = np.repeat(rows, 1 + twinned)
        twins = np.zeros(len(texts), bool)
        twins[np.flatnonzero(np.repeat(twinned, 1 + twinned))[1::2]] = True
        texts[twins] += 1
        ids, lengths = gather(self._corpus, texts)
        return _core.taught_batch(
            ids,
            np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
            twins,
            np.asarray(self._lessons.vectors[texts], np.float32),
        )


# ---- in PyTorch ---------------------------------------------------------------------------------


def _all_rows(layer: Any) -> "Tensor":
    """Looked up, as lazy Adam wants the gradients of rows."""
    import torch

    rows: Tensor = layer(torch.arange(layer.num_embeddings, device=layer.weight.device))
    return rows


@dataclass(frozen=True)
class Texts:
    """A batch as tensors."""

    ids: "Tensor"
    positions: "Tensor"  # (texts, width), filled up with the position behind the last one
    targets: "Tensor"  # (texts, dim)
    twins: "Tensor"  # numbers of the texts that are the twin of the one before

    @classmethod
    def of(cls, batch: _core.TaughtBatch, device: "torch.device") -> "Texts":
        """Read a batch."""
        import torch

        slots, low, _, high = np.asarray(batch.windows, np.int64).T
        lengths = high - low
        width = 1 << (int(lengths.max(initial=1)) - 1).bit_length()
        positions = low[:, None] + np.arange(width)
        positions[np.arange(width) >= lengths[:, None]] = len(batch.ids)
        twins = 1 + np.flatnonzero(slots[1:] == slots[:-1])
        arrays = (np.array(batch.ids, np.int64), positions, np.array(batch.targets), twins)
        return cls(*(torch.from_numpy(array).to(device, non_blocking=True) for array in arrays))

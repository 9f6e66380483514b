"""Learning from labels: a linear map of embeddings is to tell classes or to hit scores.

Of a pair of texts u and v it maps |u − v| and u · v, number by number.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from zlib import crc32

import numpy as np

from cmow import _core
from cmow.arrays import Booleans, Floats, Int32s, Int64s
from cmow.corpus import Corpus, Permutation
from cmow.encoder import Part, PartShape
from cmow.errors import ConfigError
from cmow.training.config import TrainConfig
from cmow.training.objectives.gathering import gather
from cmow.training.objectives.objective import Layers, Objective
from cmow.training.parameters import Parameters

if TYPE_CHECKING:
    import torch
    from torch import Tensor

HEAD, BIAS = "head", "bias"
# Adam moves a word that occurs once as far as one that occurs often, and so learns it by heart.
# This times the share of a text in a batch is about the gradient that most words have.
EPSILON = 0.03
DRAWN_AT_ONCE = 1024  # examples: batches are so small that drawing each would take longest
LOSS_BESIDE_MISTAKES = 0.01  # of those held out: among equals the surer is better
LabelLoss = Literal["softmax", "logistic", "squared"]


@dataclass(frozen=True, eq=False)
class Answers:
    """What is to be said of the texts of a corpus.

    :param targets: a row an example: a distribution over classes, 0 or 1 for each, or scores
    :param held_out: whether an example is for validation
    :param loss: softmax (one class an example), logistic (any number) or squared (scores)
    :param weights: of each output's loss
    :param pairs: an example is two texts, one behind the other
    """

    targets: Floats
    held_out: Booleans
    loss: LabelLoss
    weights: Floats
    pairs: bool = False

    @property
    def outputs(self) -> int:
        """Classes, or scores of an example."""
        return int(self.targets.shape[1])

    @property
    def texts_an_example(self) -> int:
        """One, or two."""
        return 2 if self.pairs else 1


@dataclass(frozen=True, eq=False)
class LabelsStart:
    """Where the parts start from, and how fast they learn.

    :param parts: the first ones, whose rows the first words have; the rest is random
    :param rates: of parts by name, in learning rates: 0 freezes one
    """

    parts: Sequence[Part] = ()
    rates: Mapping[str, float] = field(default_factory=dict)


class LabelsObjective(Objective):
    """A loss of outputs that are linear in embeddings.

    :param word_dropout: share of the words that a text lacks whenever it is trained on
    """

    unit = "texts"
    keeps_tables = True

    def __init__(
        self,
        answers: Answers,
        config: TrainConfig,
        *,
        word_dropout: float = 0.0,
        start: LabelsStart | None = None,
    ) -> None:
        self._answers, self._config = answers, config
        self._word_dropout, self._start = word_dropout, start or LabelsStart()
        self.epsilon = EPSILON / config.batch_sentences
        self._guessing_loss = _guessing_loss(answers)  # the loop asks for it at every update
        known = crc32(np.ascontiguousarray(answers.targets).tobytes())
        known = crc32(np.ascontiguousarray(answers.weights, np.float32).tobytes(), known)
        known = crc32(answers.held_out.tobytes(), known)
        self.name = f"labels {known:08x}, {answers.loss}, words dropped {word_dropout:g}"

    def start(self, parts: Sequence[Part], corpus: Corpus) -> list[Part]:
        del corpus
        known = self._start.parts
        started = [
            replace(part, table=_joined(first.rows(), part.table))
            for part, first in zip(parts, known, strict=False)
        ]
        return [*started, *parts[len(known) :]]

    def part_rate(self, name: str) -> float:
        return self._start.rates.get(name, 1.0)

    def batches(self, corpus: Corpus) -> "LabelledBatches":
        answers = self._answers
        if len(corpus) != answers.texts_an_example * len(answers.targets):
            raise ConfigError(
                f"{len(corpus):,} texts and {len(answers.targets):,} labels: give those that "
                "belong together"
            )
        return LabelledBatches(corpus, answers, self._config, self._word_dropout)

    def tables(self, shapes: Sequence[PartShape], words: int) -> Mapping[str, Floats]:
        del words
        width = sum(shape.monoid.view_width for shape in shapes)
        outputs = self._answers.outputs
        return {
            HEAD: np.zeros((outputs, width * self._answers.texts_an_example), np.float32),
            BIAS: np.zeros((1, outputs), np.float32),
        }

    def native(self, parameters: Parameters) -> _core.Objective:
        own = {trained.name: trained.native() for trained in parameters.objective}
        answers = self._answers
        return _core.labels_objective(
            own[HEAD],
            own[BIAS],
            np.ascontiguousarray(answers.weights, np.float32),
            loss=answers.loss,
            pairs=answers.pairs,
        )

    def torch_examples(self, batch: Any, device: "torch.device") -> "LabelledTexts":
        import torch

        from cmow.torch import text_positions

        offsets = torch.from_numpy(np.append(batch.windows[:, 1], len(batch.ids)))
        ids, targets = (torch.tensor(array) for array in (batch.ids, batch.targets))
        positions = text_positions(offsets, len(ids))
        return LabelledTexts(
            ids.to(device), positions.to(device), targets.to(device), judged=batch.judged
        )

    def torch_loss(self, views: Sequence["Tensor"], layers: Layers, examples: Any) -> "Tensor":
        import torch

        answers, targets = self._answers, examples.targets
        features = torch.cat(list(views), dim=1)
        if answers.pairs:
            u, v = features[0::2], features[1::2]
            features = torch.cat([(u - v).abs(), u * v], dim=1)
        # Looked up, not taken as a whole: only so can the gradients be sparse.
        rows = torch.arange(answers.outputs, device=targets.device)
        (head,), (bias,) = layers[HEAD], layers[BIAS]
        scores = features @ head(rows).T + bias(rows[:1])
        weights = torch.from_numpy(answers.weights).to(scores)
        loss = (_losses(scores, targets.to(scores), answers.loss) * weights).sum()
        if examples.judged and answers.loss != "squared":
            mistakes = _mistakes(scores, targets, answers.loss).sum()
            loss = mistakes + LOSS_BESIDE_MISTAKES * loss
        # The loss is a mean over windows, and a pair has two.
        total: Tensor = answers.texts_an_example * loss
        return total

    def guessing_loss(self) -> float:
        return self._guessing_loss


def _guessing_loss(answers: Answers) -> float:
    if answers.loss == "softmax":
        each: Floats = answers.targets * math.log(max(answers.outputs, 2))
    elif answers.loss == "logistic":
        each = np.full_like(answers.targets, math.log(2))
    else:
        each = np.square(answers.targets)
    return float((each * answers.weights).sum(axis=1).mean())


def _joined(known: Floats, random: Floats) -> Floats:
    return np.concatenate([known, random[len(known) :]])


class Drawn(NamedTuple):
    """The examples of some updates, and the ids of their texts.

    :param offsets: where each text begins among the ids, and the end
    """

    number: int
    examples: Int64s
    ids: Int32s
    offsets: Int64s


class LabelledBatches:
    """Examples in a random order, each once an epoch; of those held out, mistakes count."""

    def __init__(
        self, corpus: Corpus, answers: Answers, config: TrainConfig, word_dropout: float
    ) -> None:
        self._corpus, self._answers, self._word_dropout = corpus, answers, word_dropout
        self._seed, self._size = config.seed, config.batch_sentences
        self._at_once = max(DRAWN_AT_ONCE // self._size, 1)  # updates
        self._trained: Int64s = np.flatnonzero(~answers.held_out)
        self._held_out: Int64s = np.flatnonzero(answers.held_out)
        nothing = np.zeros(0, np.int64)
        self._drawn = Drawn(-1, nothing, np.zeros(0, np.int32), nothing)

    @property
    def sentences_per_epoch(self) -> int:
        return len(self._trained)

    @property
    def validation_batches(self) -> int:
        return -(-len(self._held_out) // self._size)

    def batch(
        self, update: int, threads: int, rank: int = 0, world: int = 1
    ) -> _core.LabelledBatch:
        del threads
        number, place = divmod(update, self._at_once)
        if number != self._drawn.number:
            self._drawn = self._draw(number)
        drawn, texts_each = self._drawn, self._answers.texts_an_example
        chosen = slice(place * self._size, (place + 1) * self._size)
        texts = slice(chosen.start * texts_each, chosen.stop * texts_each)
        offsets = drawn.offsets[texts.start : texts.stop + 1] - drawn.offsets[texts.start]
        ids = drawn.ids[drawn.offsets[texts.start] : drawn.offsets[texts.stop]]
        if world > 1:
            lengths = np.diff(offsets)
            mine = np.arange(len(lengths)) // texts_each % world == rank
            ids, offsets = ids[np.repeat(mine, lengths)], _offsets(lengths[mine])
        return self._made(ids, offsets, drawn.examples[chosen][rank::world], judged=False)

    def _draw(self, number: int) -> "Drawn":
        """The examples of some updates, one behind the other."""
        each, count = self.sentences_per_epoch, self._at_once * self._size
        places = np.arange(number * count, (number + 1) * count)
        chosen = np.empty_like(places)
        for epoch in range(int(places[0] // each), int(places[-1] // each) + 1):
            here = places // each == epoch
            order = Permutation(each, seed=self._seed, stream=epoch)
            chosen[here] = order.take(places[here] % each)
        examples = self._trained[chosen]
        ids, lengths = self._words(examples)
        if self._word_dropout:
            ids, lengths = self._dropped(ids, lengths, number)
        return Drawn(number, examples, ids, _offsets(lengths))

    def validation_batch(self, index: int, threads: int) -> _core.LabelledBatch:
        del threads
        examples = self._held_out[index * self._size : (index + 1) * self._size]
        ids, lengths = self._words(examples)
        return self._made(ids, _offsets(lengths), examples, judged=True)

    def _words(self, examples: Int64s) -> tuple[Int32s, Int64s]:
        """The ids of the examples' texts, and how many each text has."""
        count = self._answers.texts_an_example
        texts = (examples[:, None] * count + np.arange(count)).ravel()
        return gather(self._corpus, texts)

    def _dropped(self, ids: Int32s, lengths: Int64s, number: int) -> tuple[Int32s, Int64s]:
        """Some of the words; a text that would lose all keeps them all."""
        key = np.array([self._seed, number], np.uint64)
        drawn = np.random.Generator(np.random.Philox(key=key)).random(len(ids))
        kept = drawn >= self._word_dropout
        before = _offsets(kept.astype(np.int64))[_offsets(lengths)]
        left: Int64s = before[1:] - before[:-1]
        kept |= np.repeat(left == 0, lengths)
        return ids[kept], np.where(left == 0, lengths, left)

    def _made(
        self, ids: Int32s, offsets: Int64s, examples: Int64s, *, judged: bool
    ) -> _core.LabelledBatch:
        targets = np.ascontiguousarray(self._answers.targets[examples], np.float32)
        return _core.labelled_batch(np.ascontiguousarray(ids), offsets, targets, judged=judged)


def _offsets(lengths: Int64s) -> Int64s:
    """Where each text begins, and the end."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


# ---- in PyTorch ---------------------------------------------------------------------------------


class LabelledTexts(NamedTuple):
    """A batch as tensors."""

    ids: "Tensor"
    positions: "Tensor"
    targets: "Tensor"
    judged: bool  # mistakes count, and the loss a little


def _mistakes(scores: "Tensor", targets: "Tensor", loss: LabelLoss) -> "Tensor":
    """Whether each example is told wrongly, or each decision by its share."""
    if loss == "softmax":
        return (scores.argmax(1) != targets.argmax(1)).to(scores)
    return ((scores > 0) != (targets > 0.5)).to(scores) / scores.shape[1]


def _losses(scores: "Tensor", targets: "Tensor", loss: LabelLoss) -> "Tensor":
    """The loss of each output."""
    from torch.nn.functional import binary_cross_entropy_with_logits, log_softmax

    if loss == "softmax":
        return -targets * log_softmax(scores, dim=1)
    if loss == "logistic":
        return binary_cross_entropy_with_logits(scores, targets, reduction="none")
    return (scores - targets).square()

"""Text and a teacher at once: the same parts learn to predict words and to point where it does."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cmow import _core
from cmow.arrays import Floats
from cmow.corpus import Corpus
from cmow.encoder import Part, PartShape, Projection
from cmow.errors import ConfigError
from cmow.threads import thread_count
from cmow.training.config import TrainConfig
from cmow.training.objectives.negative_sampling import NegativeSampling
from cmow.training.objectives.objective import Batches, Layers, Objective
from cmow.training.objectives.teacher import Lessons, TeacherObjective, Texts
from cmow.training.parameters import Parameters

if TYPE_CHECKING:
    import torch
    from torch import Tensor


class JointObjective(Objective):
    """Updates take turns.

    :param texts: those that the teacher has vectors of
    :param weight: of the teacher's loss, that of words being 1
    """

    unit = "examples"
    by_part = NegativeSampling.by_part

    def __init__(
        self,
        texts: Sequence[str],
        lessons: Lessons,
        config: TrainConfig,
        *,
        twin_weight: float,
        weight: float,
    ) -> None:
        self._text = NegativeSampling(config)
        self._teacher = TeacherObjective(lessons, config, twin_weight=twin_weight)
        self._texts, self._weight, self._threads = texts, weight, config.threads
        self.name = f"text and {weight:g} times {self._teacher.name}"

    def start(self, parts: Sequence[Part], corpus: Corpus) -> list[Part]:
        return self._teacher.start(parts, self._taught(corpus))

    def batches(self, corpus: Corpus) -> "Turns":
        return Turns(self._text.batches(corpus), self._teacher.batches(self._taught(corpus)))

    def tables(self, shapes: Sequence[PartShape], words: int) -> Mapping[str, Floats]:
        return {**self._text.tables(shapes, words), **self._teacher.tables(shapes, words)}

    def batch_memory(self, sentences: int, windows: int, width: int) -> int:
        return self._text.batch_memory(sentences, windows, width)

    def native(self, parameters: Parameters) -> _core.Objective:
        text, teacher = self._parameters(parameters)
        return _core.joint_objective(
            [(self._text.native(text), 1.0), (self._teacher.native(teacher), self._weight)]
        )

    def torch_examples(self, batch: Any, device: "torch.device") -> Any:
        taught = isinstance(batch, _core.TaughtBatch)
        return (self._teacher if taught else self._text).torch_examples(batch, device)

    def torch_loss(self, views: Sequence["Tensor"], layers: Layers, examples: Any) -> "Tensor":
        if isinstance(examples, Texts):
            return self._weight * self._teacher.torch_loss(views, layers, examples)
        return self._text.torch_loss(views, layers, examples)

    def projection(self, parameters: Parameters) -> Projection:
        _, teacher = self._parameters(parameters)
        return self._teacher.projection(teacher)

    def guessing_loss(self) -> float:
        return self._text.guessing_loss() + self._weight * self._teacher.guessing_loss()

    def _taught(self, corpus: Corpus) -> Corpus:
        """The teacher's texts in the words of the corpus."""
        tokenizer = corpus.tokenizer
        ids = tokenizer.ids(self._texts, threads=thread_count(self._threads))
        if not len(ids.flat):
            raise ConfigError("the corpus and the teacher's texts have no word in common")
        return Corpus(ids.flat, ids.offsets, tokenizer, corpus.manifest)

    def _parameters(self, parameters: Parameters) -> tuple[Parameters, Parameters]:
        """With the tables of each objective."""
        words = self._text.tables(parameters.shapes, 0)
        own = [trained for trained in parameters.objective if trained.name in words]
        others = [trained for trained in parameters.objective if trained.name not in words]
        return replace(parameters, objective=tuple(own)), replace(
            parameters, objective=tuple(others)
        )


class Turns:
    """A batch of text, a batch of the teacher's, and so on."""

    def __init__(self, text: Batches, taught: Batches) -> None:
        self._text, self._taught = text, taught

    @property
    def sentences_per_epoch(self) -> int:
        return 2 * self._text.sentences_per_epoch

    @property
    def validation_batches(self) -> int:
        return self._text.validation_batches + self._taught.validation_batches

    def batch(self, update: int, threads: int, rank: int = 0, world: int = 1) -> _core.Batch:
        turn, others = divmod(update, 2)
        return (self._taught if others else self._text).batch(turn, threads, rank, world)

    def validation_batch(self, index: int, threads: int) -> _core.Batch:
        beyond = index - self._text.validation_batches
        if beyond < 0:
            return self._text.validation_batch(index, threads)
        return self._taught.validation_batch(beyond, threads)

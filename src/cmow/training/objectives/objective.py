"""What is learned: an objective turns embeddings into a loss."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from cmow import _core
from cmow.arrays import Floats
from cmow.corpus import Corpus
from cmow.encoder import Part, PartShape, Projection
from cmow.training.parameters import Parameters

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn

Layers: TypeAlias = "Mapping[str, Sequence[nn.Embedding]]"


class Batches(Protocol):
    """What draws batches: all of them follow from a seed and their numbers."""

    @property
    def sentences_per_epoch(self) -> int:
        """Sentences that are trained on."""

    @property
    def validation_batches(self) -> int:
        """Batches of sentences that are held out."""

    def batch(self, update: int, threads: int, rank: int = 0, world: int = 1) -> _core.Batch:
        """The batch of an update, or every ``world``-th sentence of it."""

    def validation_batch(self, index: int, threads: int) -> _core.Batch:
        """The same examples every time."""


class Examples(Protocol):
    """What `torch_loss` takes, and which words are to be embedded for it: see `cmow.torch`."""

    @property
    def ids(self) -> "Tensor":
        """Words."""

    @property
    def positions(self) -> "Tensor":
        """Those of each embedding."""


class Objective(ABC):
    """A loss of embeddings, with tables of its own that are trained and kept like the parts'.

    It stands behind the update, in the core and in PyTorch, and tells the loop all that is
    particular to it.
    """

    name: str  # a run that is resumed must have the same
    unit: ClassVar[str]  # what examples are called; the loss is their mean
    by_part: ClassVar[tuple[str, ...]] = ()  # own tables whose columns are those of an embedding
    epsilon: float = 1e-8  # of Adam: numbers whose gradients are below it hardly move
    keeps_tables: ClassVar[bool] = False  # whether the encoder is of little use without its own

    @abstractmethod
    def batches(self, corpus: Corpus) -> Batches:
        """What draws the examples."""

    @abstractmethod
    def tables(self, shapes: Sequence[PartShape], words: int) -> Mapping[str, Floats]:
        """The tables of its own before training, by name."""

    def batch_memory(self, sentences: int, windows: int, width: int) -> int:  # noqa: ARG002
        """Bytes that a batch takes beside the embeddings of its windows and their gradients.

        :param width: of an embedding
        """
        return 0

    @abstractmethod
    def native(self, parameters: Parameters) -> _core.Objective:
        """The compiled objective that works on its tables."""

    @abstractmethod
    def torch_examples(self, batch: Any, device: "torch.device") -> "Examples":
        """A batch as tensors."""

    @abstractmethod
    def torch_loss(self, views: Sequence["Tensor"], layers: Layers, examples: Any) -> "Tensor":
        """The loss of examples, summed.

        :param views: what the parts make of the examples' words
        :param layers: that look up the rows of the own tables; one a part for those by part
        """

    def start(self, parts: Sequence[Part], corpus: Corpus) -> list[Part]:  # noqa: ARG002
        """The parts of a random start, changed to what the objective starts from."""
        return list(parts)

    def part_rate(self, name: str) -> float:
        """How fast a part learns, in the rates of the settings; 0 leaves it as it is."""
        del name
        return 1.0

    def projection(self, parameters: Parameters) -> Projection | None:
        """The map of the parts that belongs to the encoder, if the objective has learned one."""
        del parameters
        return None

    @abstractmethod
    def guessing_loss(self) -> float:
        """The loss of an example to a model that knows nothing."""

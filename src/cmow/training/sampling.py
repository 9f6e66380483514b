"""The sampler of a corpus and a configuration."""

import numpy as np

from cmow._core import Sampler
from cmow.arrays import Doubles, Floats, Int64s
from cmow.corpus import Corpus
from cmow.errors import ConfigError
from cmow.training.config import TrainConfig

FEW_SENTENCES = 1024  # to validate on, if they are no more than a tenth of the corpus


def make_sampler(corpus: Corpus, config: TrainConfig) -> Sampler:
    """What draws the batches."""
    counts = corpus.vocabulary.counts
    return Sampler(
        corpus.flat,
        corpus.offsets,
        noise_weights(counts, config.noise_exponent),
        keep_chances(counts, config.subsample) if config.subsample else None,
        seed=config.seed,
        batch_sentences=config.batch_sentences,
        centres=config.centres,
        window=config.window,
        negatives=config.negatives,
        random_target=config.target == "random",
        share_negatives=config.share_negatives == "sentence",
        validation_sentences=validation_sentences(len(corpus), config.validation_share),
    )


def noise_weights(counts: Int64s, exponent: float) -> Doubles:
    """How likely each word is drawn as noise; one that the corpus lacks never is."""
    return np.where(counts > 0, counts.astype(np.float64) ** exponent, 0.0)


def keep_chances(counts: Int64s, threshold: float) -> Floats:
    """How likely an occurrence of each word is kept, by word2vec's rule.

    :param threshold: share of the corpus from which on words are thinned out
    """
    excess: Doubles = threshold * counts.sum() / np.maximum(counts, 1)
    return np.minimum(np.sqrt(excess) + excess, 1, dtype=np.float64).astype(np.float32)


def validation_sentences(sentences: int, share: float) -> int:
    """How many sentences to hold out: the share, but in a small corpus more, up to a tenth."""
    if share == 0:
        return 0
    if sentences < 2:
        raise ConfigError(
            "one sentence is not enough to validate: give more text, or set stop_by to training "
            "and validation_share to 0"
        )
    few = max(min(FEW_SENTENCES, sentences // 10), 1)
    return max(round(share * sentences), few)

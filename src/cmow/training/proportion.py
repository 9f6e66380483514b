"""Whether a corpus is worth the run that is planned."""

import logging

from cmow.errors import ConfigError
from cmow.training.config import TrainConfig

_logger = logging.getLogger("cmow.training")
MANY_EPOCHS = 1000


def check_proportion(config: TrainConfig, sentences: int) -> None:
    """Refuse to go through a handful of sentences for hours, unless the end was chosen.

    :param sentences: in an epoch
    """
    if any(end is not None for end in (config.epochs, config.max_updates, config.max_minutes)):
        return
    batch = config.batch_sentences
    cure = "give more text, or say how long to train: --epochs, --max-updates or --max-minutes"
    if sentences < batch:
        raise ConfigError(
            f"the corpus has {sentences} sentences to train on, fewer than a batch of {batch}: "
            + cure
        )
    epochs = (config.last_update or 0) * batch / sentences
    if epochs > MANY_EPOCHS:
        _logger.warning("training would go through the corpus %s times: %s", f"{epochs:,.0f}", cure)

"""How an encoder becomes a model folder."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cmow.choices import Storage
from cmow.encoder.base import EncoderBase
from cmow.encoder.folder import Model, write_model
from cmow.encoder.storage import StorageLoss, common_storage, convert, storage_losses

logger = logging.getLogger(__name__)


class Saving(EncoderBase):
    """The method that writes a folder, which `load` opens."""

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        storage: Storage | None = None,
        training: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> list[StorageLoss]:
        """Write a model folder, or replace the model in one, and tell what the storage costs.

        :param storage: float32, float16 (half the size), int8 (a quarter) or int4 (an eighth);
            that of the tables unless given, or float32, which loses nothing, if they are of
            several.
        :param training: settings to record; those of the encoder unless given.
        :param name: for the model card; that of the folder unless given.
        """
        storage = common_storage(self.parts) if storage is None else storage
        stored = [convert(part, storage) for part in self.parts]
        losses = storage_losses(self.parts, stored, self.tokenizer.vocabulary.counts)
        training = self.training if training is None else training
        model = Model(self.tokenizer, stored, self.projection, training)
        write_model(Path(path), model, losses=losses, name=name)
        for loss in losses:
            logger.info(
                "saved %s as %s: cosine loss %.2g, at worst %.2g", loss.part, storage, *loss[1:]
            )
        return losses

"""sentence-transformers: an encoder as the module that its models begin with.

Every model folder has a `modules.json` that names this class, so that the library opens it; what
the library saves is a model folder. Without gradients the core encodes; with them PyTorch does.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cmow.encoder import SHIPPED, Encoder, checked_texts
from cmow.errors import MissingExtraError
from cmow.integrations.opening import Model, opened
from cmow.integrations.padding import padded_ids

try:
    import torch
    from sentence_transformers.base.modules.input_module import InputModule
    from torch import Tensor

    from cmow.torch import EncoderModule
except ImportError as error:
    raise MissingExtraError("sentence-transformers", "sentence-transformers") from error

__all__ = ["CMOW"]


class CMOW(InputModule):
    """`SentenceTransformer(modules=[CMOW("model")])`.

    :param model: an encoder, a model folder or a name of the hub.
    """

    def __init__(self, model: Model = SHIPPED) -> None:
        super().__init__()
        self._encoder = opened(model)
        self.composer = EncoderModule(self._encoder)
        self.tokenizer = self._encoder.tokenizer
        self._stale = False  # whether the composer's tables may have changed since
        self.register_load_state_dict_post_hook(CMOW._let_go)

    @property
    def encoder(self) -> Encoder:
        """An encoder with the tables as they are now."""
        if self._stale:
            self._encoder, self._stale = self.composer.encoder(), False
        return self._encoder

    def preprocess(
        self, inputs: Sequence[Any], prompt: str | None = None, **_: Any
    ) -> dict[str, Tensor]:
        """Ids, padded to the longest text, and which of them count."""
        texts = ((prompt or "") + text for text in checked_texts(inputs))
        ids, mask = padded_ids(self.tokenizer, texts)
        return {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}

    def forward(self, features: dict[str, Tensor], **_: Any) -> dict[str, Tensor]:
        """Add the embeddings."""
        mask = features["attention_mask"].bool()
        flat = features["input_ids"][mask]
        offsets = torch.nn.functional.pad(mask.sum(1).cumsum(0), (1, 0))
        if self.training or torch.is_grad_enabled() or flat.device.type != "cpu":
            self._stale = True
            embeddings = self.composer(flat, offsets)
        else:
            embeddings = torch.from_numpy(self.encoder.encode_ids(flat.numpy(), offsets.numpy()))
        features["sentence_embedding"] = embeddings
        return features

    @property
    def max_seq_length(self) -> float:
        """There is no limit."""
        return float("inf")

    def get_embedding_dimension(self) -> int:
        """Numbers in an embedding."""
        return self._encoder.dim

    def save(self, output_path: str, *args: Any, **_: Any) -> None:
        """Put a model folder's files into a folder that may have others."""
        del args
        with TemporaryDirectory() as folder:
            self.encoder.save(Path(folder) / "model")
            shutil.copytree(Path(folder) / "model", output_path, dirs_exist_ok=True)

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **settings: Any) -> "CMOW":
        """Open what `save` or an encoder has saved, there or on the hub."""
        names = ("token", "cache_folder", "revision", "local_files_only")
        found = {name: settings[name] for name in names if name in settings}
        return cls(cls.load_dir_path(model_name_or_path, subfolder=subfolder, **found))

    def _let_go(self, _: Any) -> None:
        """The encoder of before is not that of the tables that were loaded."""
        self._stale = True

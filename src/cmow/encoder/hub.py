"""Models on the Hugging Face hub, by the methods that models of other libraries have.

They are those of its `ModelHubMixin`, which would have to be imported with every encoder. There is
no network but for a name that is not a folder.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from cmow.choices import SHIPPED, Storage
from cmow.encoder.folder import CARD, CONFIG, TENSORS, TOKENIZER
from cmow.encoder.saving import Saving
from cmow.errors import ConfigError

if TYPE_CHECKING:
    from typing_extensions import Self


NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")


class Hub(Saving):
    """The methods that bring a model from the hub and there."""

    @classmethod
    def from_pretrained(
        cls,
        name_or_path: str | os.PathLike[str],
        *,
        revision: str | None = None,
        token: str | bool | None = None,
        cache_dir: str | Path | None = None,
        force_download: bool = False,
        local_files_only: bool = False,
    ) -> "Self":
        """Open a model folder, or one that the hub has: `Encoder.from_pretrained("owner/name")`.

        :param revision: a branch, tag or commit of the hub's repository.
        :param token: of a user who may read it, if not everyone may.
        :param cache_dir: where downloads are kept; the hub's own folder unless given.
        :param force_download: even if it is there.
        :param local_files_only: never ask the hub.
        """
        if Path(name_or_path).exists() or str(name_or_path) == SHIPPED:
            return cls.load(name_or_path)
        if not NAME.fullmatch(str(name_or_path)):
            raise ConfigError(
                f"{name_or_path}: no folder, and no name of the hub, owner/name: check the path"
            )
        from huggingface_hub import snapshot_download

        with _one_line(
            f"{name_or_path}: no folder, and the hub does not help",
            "give a model folder, or check the name and the network",
        ):
            folder = snapshot_download(
                str(name_or_path),
                revision=revision,
                token=token,
                cache_dir=cache_dir,
                force_download=force_download,
                local_files_only=local_files_only,
                allow_patterns=[CONFIG, TOKENIZER, TENSORS, CARD],
            )
        return cls.load(folder)

    def save_pretrained(
        self,
        save_directory: str | os.PathLike[str],
        *,
        storage: Storage | None = None,
        repo_id: str | None = None,
        push_to_hub: bool = False,
        **push_to_hub_kwargs: Any,
    ) -> str | None:
        """Write a model folder as `save` does, and let the hub have it, too, if asked to.

        :param repo_id: the hub's name for it, that of the folder unless given.
        :return: the address of the commit, if there is one.
        """
        self.save(save_directory, storage=storage)
        if not push_to_hub:
            return None
        name = repo_id or Path(save_directory).resolve().name
        return self.push_to_hub(name, storage=storage, **push_to_hub_kwargs)

    def push_to_hub(
        self,
        repo_id: str,
        *,
        storage: Storage | None = None,
        commit_message: str = "Upload a model of cmow",
        private: bool | None = None,
        token: str | None = None,
        branch: str | None = None,
        create_pr: bool | None = None,
    ) -> str:
        """Upload the model, and return the address of the commit.

        :param repo_id: `owner/name`; made if there is none.
        :param storage: as in `save`.
        """
        from huggingface_hub import HfApi

        failed = f"{repo_id}: the hub did not take it", "check the name, the token and the network"
        with TemporaryDirectory() as folder, _one_line(*failed):
            model = Path(folder) / "model"
            api = HfApi(token=token)
            made = api.create_repo(repo_id, private=private, exist_ok=True).repo_id
            self.save(model, storage=storage, name=made)
            return str(
                api.upload_folder(
                    repo_id=made,
                    folder_path=model,
                    commit_message=commit_message,
                    revision=branch,
                    create_pr=create_pr,
                )
            )


@contextmanager
def _one_line(problem: str, cure: str) -> Iterator[None]:
    """Say in one line what the hub did not do, why, and what may help."""
    try:
        yield
    except Exception as error:  # of its own, of HTTP libraries that come and go, of the system
        why = " ".join(str(error).split()) or type(error).__name__
        raise ConfigError(f"{problem} ({why}): {cure}") from error

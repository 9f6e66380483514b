"""Whether an interrupted run may continue with the settings and the corpus it is given."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cmow.encoder import Shape
from cmow.errors import ConfigError
from cmow.settings import settings_of
from cmow.spelling import americanized
from cmow.training.checkpoint import Checkpoint
from cmow.training.config import TrainConfig


def checkpoint_to_resume(
    run: Path, model: Path | None, config: TrainConfig, objective: str, *, resume: bool
) -> Checkpoint | None:
    """The checkpoint of the run to continue with; None to start from the beginning.

    :param model: the folder that the run writes, which must not be lost
    """
    checkpoint = Checkpoint.read(run)
    if checkpoint is not None and checkpoint.ending is None and not resume:
        raise ConfigError(
            f"{run} holds a run that is not finished (update {checkpoint.state['update']}): "
            "continue with --resume, or remove it to start over"
        )
    if model is not None and model.exists() and any(model.iterdir()):
        checkpoint = checkpoint or Checkpoint.read(model)
        if checkpoint is None:
            raise ConfigError(f"{model} is a model already: choose another folder, or remove it")
        if not resume:
            raise ConfigError(
                f"{model} is trained already: choose another folder, or remove it"
                if checkpoint.is_left
                else f"{model} is trained already: continue with --resume and a higher limit, "
                "choose another folder, or remove it"
            )
    if checkpoint is None or not resume:
        return None
    changes = differences(checkpoint.settings, config, finished=checkpoint.is_left)
    if checkpoint.objective != objective:
        changes.append(f"the objective was {checkpoint.objective} and is now {objective}")
    if changes and checkpoint.is_left:
        raise ConfigError(
            f"{model} has finished, and {run} is removed: {'; '.join(changes)}; continue with "
            "--continue-from in another folder, or train again with --keep-run"
        )
    if changes:
        raise ConfigError(
            f"cannot resume {run} with other settings: {'; '.join(changes)}; "
            "give the same ones, or another model folder"
        )
    return checkpoint


def check_corpus(checkpoint: Checkpoint, fingerprint: str) -> None:
    """Refuse to continue with another corpus."""
    if checkpoint.corpus != fingerprint:
        raise ConfigError(
            f"cannot resume with another corpus: its fingerprint was {checkpoint.corpus} and is "
            f"now {fingerprint}; give the same text, or another model folder"
        )


def check_processes(checkpoint: Checkpoint, config: TrainConfig, processes: int) -> None:
    """Refuse to continue with another number of them, if the result depends on it."""
    if config.average_updates is not None and checkpoint.processes != processes:
        raise ConfigError(
            f"cannot resume with another number of processes: it was {checkpoint.processes} and is "
            f"now {processes}; start as many, or give another model folder"
        )


def differences(
    before: Mapping[str, Any], config: TrainConfig, *, finished: bool = False
) -> list[str]:
    """The settings that have changed, but those that do not change what was computed so far.

    :param finished: nothing will be added to it, so that what ended the run counts as well
    """
    free = {each.name for each in settings_of(TrainConfig) if each.metadata["free"]}
    if finished or config.schedule != "constant":
        free -= {"epochs", "max_updates"}  # the rate, if it decays, depends on the last update
    if finished:
        free -= {"patience"}
    old, new = _flat(before), _flat(config.as_dict())
    if _by_clock(old) != _by_clock(new) or (finished and _by_clock(new)):
        free -= {"max_minutes"}
    return [
        f"{name} was {old.get(name)!r} and is now {new.get(name)!r}"
        for name in sorted(old.keys() | new.keys())
        if name not in free and old.get(name) != new.get(name)
    ]


def _by_clock(settings: Mapping[str, Any]) -> bool:
    limited = [name for name in ("epochs", "max_updates", "max_minutes") if settings.get(name)]
    return limited == ["max_minutes"]


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in americanized(values).items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{inner}": each for inner, each in _flat(value).items()}
        else:
            flat[name] = value
    if flat.get("shape") is not None:
        flat["shape"] = str(Shape.parse(flat["shape"]))  # one shape has many spellings
    return flat

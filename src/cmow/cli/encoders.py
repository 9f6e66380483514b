"""Whatever can be evaluated: models of ours, those of other libraries, objects of one's own."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from cmow.errors import ConfigError, MissingExtraError
from cmow.suggesting import did_you_mean

ENCODERS = (
    "Folders of models; or st:PATH for a model of sentence-transformers, m2v:PATH for one of "
    "model2vec, py:MODULE:OBJECT for anything that has encode(texts)."
)


def is_ours(model: str) -> bool:
    """Whether it is the folder of a model."""
    return _kind(model) not in KINDS or Path(model).exists()


def row_of(model: str) -> str:
    """What a model is called in tables."""
    if is_ours(model):
        return Path(model).resolve().name
    return model.rstrip("/").replace(":", "/").rpartition("/")[2]


def open_other(model: str) -> Any:
    """An encoder of another library, or of one's own."""
    kind, _, rest = model.partition(":")
    if not rest:
        raise ConfigError(f"{model} names no model: write {kind}:{HINTS[kind]}")
    return KINDS[kind](rest)


def _kind(model: str) -> str:
    return model.partition(":")[0]


def _sentence_transformer(path: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtraError("sentence-transformers", "sentence-transformers") from error
    try:
        return SentenceTransformer(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"st:{path}: {error}") from error


def _static_model(path: str) -> Any:
    try:
        from model2vec import StaticModel
    except ImportError as error:
        raise ConfigError(f"m2v:{path} needs model2vec: pip install model2vec") from error
    try:
        return StaticModel.from_pretrained(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"m2v:{path}: {error}") from error


def _object(name: str) -> Any:
    module, _, path = name.partition(":")
    found: Any = _module(module, name)
    for each in (path or "encode").split("."):
        if not hasattr(found, each):
            raise ConfigError(
                f"py:{name}: {module} has no {path or 'encode'}{did_you_mean(each, dir(found))}"
            )
        found = getattr(found, each)
    if isinstance(found, type):
        found = found()
    if not callable(getattr(found, "encode", found)):
        raise ConfigError(f"py:{name} has no encode(texts), and is no function")
    return found


def _module(module: str, name: str) -> Any:
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module in this folder, as `python -m` finds it
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise ConfigError(f"py:{name} needs {error.name}: pip install it") from error
        raise ConfigError(
            f"py:{name}: there is no module {module} here or among those installed"
        ) from error


KINDS: dict[str, Callable[[str], Any]] = {
    "st": _sentence_transformer,
    "m2v": _static_model,
    "py": _object,
}
HINTS = {"st": "PATH", "m2v": "PATH", "py": "MODULE:OBJECT"}

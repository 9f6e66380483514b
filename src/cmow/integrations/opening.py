"""Which encoder an integration works with."""

import os

from cmow.encoder import Encoder, listed
from cmow.errors import ConfigError

Model = Encoder | str | os.PathLike[str]  # one that is open, a folder, or a name of the hub


def opened(model: Model) -> Encoder:
    """The encoder that is meant."""
    return model if isinstance(model, Encoder) else Encoder.from_pretrained(model)


def path_of(model: str | os.PathLike[str]) -> str:
    """Where a model lies, for tools that write down where, and open it again later."""
    if isinstance(model, Encoder):
        raise ConfigError("an encoder in memory has no path: save it, and give its folder")
    return str(model)


def vectors(encoder: Encoder, texts: list[str], dimensions: int | None = None) -> list[list[float]]:
    """Unit vectors to be compared by cosine, as lists: what stores of vectors take."""
    found: list[list[float]] = encoder.encode(
        listed(texts), normalize="all", dimensions=dimensions
    ).tolist()
    return found

"""What commands that work with a model have in common."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cmow.errors import ConfigError

if TYPE_CHECKING:
    from cmow.encoder import Encoder

MODEL = "Folder of the model; english is the one that comes with the package."
Model = Annotated[Path, typer.Argument(metavar="MODEL", help=MODEL, show_default=False)]
ENGLISH = Path("english")
ModelOption = Annotated[Path, typer.Option(metavar="MODEL", help=MODEL)]
PartName = Annotated[
    str | None,
    typer.Option("--part", metavar="NAME", help="Use one part only, such as cbow or cmow."),
]


def checked_text(text: str | None) -> str | None:
    """For text among the arguments: the shell may hand over bytes that are no characters."""
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        raise typer.BadParameter(f"{text!r} is not UTF-8") from None
    return text


def open_model(model: Path, part: str | None = None, *, verify: bool = False) -> "Encoder":
    """Load a model, or one part of it."""
    from cmow.encoder import load

    encoder = load(model, verify=verify)
    return encoder if part is None else encoder.part(part)


def refuse_existing(model: Path) -> None:
    """Nobody wants a trained model replaced by a slip of the keyboard."""
    if model.exists() and not (model.is_dir() and not any(model.iterdir())):
        raise ConfigError(f"{model} exists already: remove it or choose another name")


def size_on_disk(model: Path) -> int:
    """Bytes of all files of a model."""
    return sum(file.stat().st_size for file in model.rglob("*") if file.is_file())


def megabytes(size: int) -> str:
    """A size for people, who would take 0.0 for nothing."""
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e6:.1g} MB"

"""What a preparation was made of, and what it holds."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cmow.corpus.sources import Stamp
from cmow.durable import write_json
from cmow.errors import FormatError
from cmow.parsing import read_json

NAME = "corpus.json"
# Goes up whenever the same text and settings give other files.
VERSION = 1


def is_prepared(folder: str | Path) -> bool:
    """Whether a folder is a finished preparation."""
    return (Path(folder) / NAME).is_file()


@dataclass(frozen=True)
class Statistics:
    """What was found in the text."""

    lines: int  # sentences read
    sentences: int  # those with at least two known words, which are kept
    tokens: int  # known words of the sentences kept
    unknown: int  # words out of vocabulary, in all lines
    invalid: int  # lines that were not UTF-8


@dataclass(frozen=True)
class Manifest:
    """The page that makes a folder a preparation."""

    version: int
    settings: dict[str, Any]
    content: str  # hash of the text
    stamps: list[Stamp] | None  # of the files, to see at a glance whether any has changed
    statistics: Statistics

    def write(self, folder: Path) -> None:
        """Write the page in one go."""
        write_json(folder / NAME, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> "Manifest":
        """Read the page of a finished preparation."""
        if folder.exists() and not is_prepared(folder):
            raise FormatError(f"{folder}: not a prepared corpus; make one with cmow prepare")
        try:
            values = read_json(folder / NAME)
            if values["version"] == VERSION:
                return cls(**{**values, "statistics": Statistics(**values["statistics"])})
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(f"{folder / NAME}: damaged; prepare the corpus again") from error
        raise FormatError(
            f"{folder}: prepared by another version of cmow "
            f"(format {values['version']}, not {VERSION}); prepare it again"
        )

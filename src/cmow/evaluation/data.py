"""Reading the files of evaluation tasks."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cmow.errors import ConfigError, FormatError


class MissingData(LookupError):  # noqa: N818 (not a fault: the task is left out)
    """A file of a task is in none of the folders; the message is its path."""


class Row(NamedTuple):
    """A line of a file, split into columns, that knows where it stands."""

    columns: list[str]
    path: Path
    number: int

    def fault(self, message: str) -> FormatError:
        """The error to raise for this line."""
        return FormatError(f"{self.path}:{self.number}: {message}")

    def label(self, column: int, labels: Sequence[str]) -> int:
        """The number of the label in a column."""
        found = self.columns[column].strip()
        if found not in labels:
            raise self.fault(f"{found!r} is none of {', '.join(labels)}")
        return labels.index(found)

    def value(self, column: int) -> float:
        """The number in a column."""
        try:
            value = float(self.columns[column])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.fault(f"{self.columns[column]!r} is not a number")
        return value


class DataFolder:
    """Folders in SentEval's layout; a file is taken from the first one that has it.

    One of the folders that a layout consists of, such as ``probing``, may be given by itself.
    """

    def __init__(self, folders: str | Path | Sequence[str | Path]) -> None:
        if isinstance(folders, str | Path):
            folders = [folders]
        self.folders = [Path(folder) for folder in folders]
        self.found = False  # any file that was looked for
        for folder in self.folders:
            if not folder.is_dir():
                raise ConfigError(f"{folder} is not a folder: name one with SentEval's layout")

    def find(self, name: str) -> Path | None:
        """Where a file is, if it is anywhere."""
        outer, _, inner = name.partition("/")
        for folder in self.folders:
            alone = [inner] if inner and folder.resolve().name == outer else []
            for place in (name, *alone):
                if (folder / place).is_file():
                    self.found = True
                    return folder / place
        return None

    def rows(
        self,
        name: str,
        columns: int,
        *,
        separator: str = "\t",
        header: bool = False,
        encoding: str = "utf-8-sig",
    ) -> Iterator[Row]:
        """The lines of a file, each of so many columns at least.

        :param separator: one other than a tab occurs in texts as well, so that the last column
            takes all that follows.
        :param header: the first line names the columns and is left out.
        """
        splits = -1 if separator == "\t" else columns - 1
        path = self._path(name)
        lines = self.lines(name, encoding=encoding)
        if header and len(lines) == 1:
            raise FormatError(f"{path}: nothing below the first line")
        for number, line in enumerate(lines, start=1):
            if header and number == 1:
                continue
            row = Row(line.split(separator, splits), path, number)
            if len(row.columns) < columns:
                raise row.fault(f"expected {columns} columns, found {len(row.columns)}")
            yield row

    def lines(self, name: str, *, encoding: str = "utf-8-sig") -> list[str]:
        """The lines of a file without their ends; there is at least one."""
        path = self._path(name)
        content = path.read_bytes()
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            number = content.count(b"\n", 0, error.start) + 1
            raise FormatError(f"{path}:{number}: not UTF-8") from None
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        if not lines:
            raise FormatError(f"{path}: the file is empty")
        return [line.rstrip("\r") for line in lines]

    def _path(self, name: str) -> Path:
        path = self.find(name)
        if path is None:
            raise MissingData(name)
        return path


def text_of(tokens: str) -> str:
    """A text with single blanks between its tokens."""
    return " ".join(tokens.split())

"""Where the text of a corpus comes from, and how to tell whether it has changed."""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import IO, cast

from cmow.corpus.columns import column_blocks
from cmow.corpus.progress import Tracker
from cmow.corpus.readers import (
    BLOCK_BYTES,
    STDIN,
    AnyPath,
    Block,
    blocks_of,
    blocks_of_texts,
    expand,
)
from cmow.errors import ConfigError, path_in_errors

Inputs = AnyPath | Iterable[AnyPath]
Stamp = list[str | int]
_Part = Callable[[], Iterator[Block]]
_Read = Callable[[IO[bytes], str], Iterator[Block]]  # how an open file of some name becomes blocks

TEXTS = "<texts>"

# 128 bits: no two texts will ever share a hash by chance.
content_hash = partial(hashlib.blake2b, digest_size=16)


@dataclass(frozen=True)
class Source:
    """Text that can be read more than once."""

    parts: list[_Part]
    size: int | None  # bytes to read, packed or not, if known
    files: list[Path] | None  # None if not all text comes from files

    def blocks(self) -> Iterator[Block]:
        """All lines, from the first on."""
        for part in self.parts:
            yield from part()

    def digest(self, tracker: Tracker) -> str:
        """A hash of the text, whatever its files are called and however they are packed."""
        tracker.start("check", self.size)
        content = content_hash()
        for block in self.blocks():
            content.update(block.data)
            tracker.advance(block.read)
        return content.hexdigest()

    def stamps(self) -> list[Stamp] | None:
        """What differs once a file has changed, told without reading it."""
        return None if self.files is None else [_stamp(file) for file in self.files]


def _stamp(file: Path) -> Stamp:
    status = file.stat()
    return [str(file.resolve()), status.st_size, status.st_mtime_ns, status.st_ctime_ns]


@contextlib.contextmanager
def open_source(
    inputs: Inputs,
    *,
    spool: Path,
    tracker: Tracker,
    paragraphs: bool = False,
    column: str | None = None,
) -> Iterator[Source]:
    """Make inputs readable more than once; what can be read only once is copied first.

    :param inputs: a path, folder, glob or "-" for stdin; several of them as Path objects; or any
        iterable of strings, which are the text itself
    :param spool: folder with room for the copies, which no one sees and which end with the process
    :param paragraphs: a string is a text of its own, to be split into sentences, not a sentence
    :param column: of tables, where the text is
    """
    paths = _paths(inputs)
    if paths is None and column is not None:
        raise ConfigError(f"column = {column!r} is for files: sentences have no columns")
    read: _Read = blocks_of
    if column is not None:
        read = partial(column_blocks, column=column, paragraphs=paragraphs)
    with contextlib.ExitStack() as stack:
        copies = _Copies(spool, tracker, stack)
        if paths is not None:
            yield _source_of_files(expand(paths), read, copies)
        else:
            yield _source_of_texts(cast("Iterable[str]", inputs), paragraphs, copies)


def _paths(inputs: Inputs) -> list[AnyPath] | None:
    if isinstance(inputs, (str, os.PathLike)):
        return [inputs]
    if isinstance(inputs, (list, tuple)) and inputs:
        _refuse_names(inputs)
        return list(inputs) if all(isinstance(item, os.PathLike) for item in inputs) else None
    return None


def _refuse_names(texts: Sequence[AnyPath]) -> None:
    """Refuse strings that are meant as paths, rather than learn from names of files."""
    if all(isinstance(text, str) and os.path.exists(text) for text in texts):  # noqa: PTH110
        raise ConfigError(
            "a list of strings is a list of sentences, but all of these name files: "
            f"pass paths, as in [Path({texts[0]!r})]"
        )


def _source_of_texts(texts: Iterable[str], paragraphs: bool, copies: "_Copies") -> Source:
    blocks: _Part = partial(blocks_of_texts, texts, TEXTS, paragraphs=paragraphs)
    if iter(texts) is texts:
        blocks = copies.add((block.data for block in blocks()), TEXTS, blocks_of)
    return Source([blocks], None, None)


def _source_of_files(files: list[Path], read: _Read, copies: "_Copies") -> Source:
    if all(file != STDIN and file.is_file() for file in files):
        size = sum(file.stat().st_size for file in files)
        return Source([partial(_read_file, file, read) for file in files], size, files)
    return Source([_part(file, read, copies) for file in files], None, None)


def _part(file: Path, read: _Read, copies: "_Copies") -> _Part:
    if file == STDIN:
        return copies.add(_chunks(sys.stdin.buffer), "<stdin>", read)
    if file.is_file():
        return partial(_read_file, file, read)
    with file.open("rb") as pipe:
        return copies.add(_chunks(pipe), str(file), read)


def _read_file(path: Path, read: _Read) -> Iterator[Block]:
    with path_in_errors(path), path.open("rb") as file:
        yield from read(file, str(path))


class _Copies:
    """Files without a name, so that nothing is left of them whatever happens to the process."""

    def __init__(self, folder: Path, tracker: Tracker, stack: contextlib.ExitStack) -> None:
        self.folder = folder
        self.tracker = tracker
        self.stack = stack

    def add(self, chunks: Iterable[bytes], name: str, read: _Read) -> _Part:
        """Copy a stream, to be read as often as needed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = tempfile.TemporaryFile(dir=self.folder)  # noqa: SIM115 (the stack closes it)
        self.stack.callback(_discard, file)
        self.tracker.start("copy", None)
        for chunk in chunks:
            with path_in_errors(self.folder):
                file.write(chunk)
            self.tracker.advance(len(chunk))
        with path_in_errors(self.folder):
            file.flush()
        return partial(_read_again, file, name, read)


def _discard(file: IO[bytes]) -> None:
    with contextlib.suppress(OSError):  # what a full disk did not take is tried once more
        file.close()


def _read_again(file: IO[bytes], name: str, read: _Read) -> Iterator[Block]:
    file.seek(0)
    return read(file, name)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    # What is there at once: waiting for a full block, Python would not see Ctrl-C in between.
    while chunk := cast("BufferedReader", file).read1(BLOCK_BYTES):
        yield chunk

"""Text files, folders, globs and stdin as blocks of whole lines."""

import errno
import glob
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from cmow.choices import Invalid
from cmow.corpus.compression import LONGEST_MAGIC, unpacked
from cmow.corpus.encoding import InvalidLines
from cmow.errors import FormatError, path_in_errors

AnyPath = str | os.PathLike[str]

STDIN = Path("-")
BLOCK_BYTES = 1 << 18
LONGEST_LINE = 1 << 24
# Small, because a piece of packed text may unpack to a thousand times its size.
_CHUNK_BYTES = 1 << 15
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Some whole lines of one file, each with its line end."""

    data: bytes
    source: str
    first_line: int  # counted from 1
    read: int  # bytes of the file, packed or not, that were read for this block


def expand(paths: AnyPath | Iterable[AnyPath]) -> list[Path]:
    """The files that paths, folders (all files below, but hidden ones) and globs stand for."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return [file for path in paths for file in _expand(Path(path))]


def _expand(path: Path) -> list[Path]:
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if file.is_file()]
        files = [file for file in files if not _hidden(file.relative_to(path))]
        if not files:
            raise FileNotFoundError(errno.ENOENT, "the folder has no files", str(path))
        return files
    if path == STDIN or path.exists():
        return [path]
    if glob.has_magic(str(path)):
        matches = sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207 (may be absolute)
        if not matches:
            raise FileNotFoundError(errno.ENOENT, "no file matches", str(path))
        return [file for match in matches for file in _expand(Path(match))]
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def read_blocks(
    paths: AnyPath | Iterable[AnyPath], *, block_bytes: int = BLOCK_BYTES
) -> Iterator[Block]:
    """Whole lines of files, folders, globs and stdin ("-"), plain or packed, as they are.

    :param block_bytes: size of a block, exceeded only by a line that is longer
    """
    for path in expand(paths):
        if path == STDIN:
            with path_in_errors("<stdin>"):
                yield from blocks_of(sys.stdin.buffer, "<stdin>", block_bytes)
        else:
            with path_in_errors(path), path.open("rb") as file:
                yield from blocks_of(file, str(path), block_bytes)


def read_lines(paths: AnyPath | Iterable[AnyPath], *, invalid: Invalid = "fail") -> Iterator[str]:
    """The lines of files, folders, globs and stdin ("-"), without their ends.

    :param invalid: what to do with a line that is not UTF-8
    """
    return lines_of(read_blocks(paths), invalid=invalid)


def lines_of(blocks: Iterable[Block], *, invalid: Invalid = "fail") -> Iterator[str]:
    """The lines of blocks, without their ends."""
    policy = InvalidLines(invalid)
    for block in blocks:
        text = policy.mend(block.data, block.source, block.first_line).decode()
        for line in text.split("\n")[:-1]:
            yield line.removesuffix("\r")


class _Chunks:
    """The bytes of a file in pieces, counted."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.start = file.read(LONGEST_MAGIC)
        self.read = 0

    def __iter__(self) -> Iterator[bytes]:
        chunk = self.start
        while chunk:
            self.read += len(chunk)
            yield chunk
            chunk = self.file.read(_CHUNK_BYTES)


def blocks_of(file: IO[bytes], source: str, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """Whole lines of one open file.

    :param source: its name for messages
    """
    chunks = _Chunks(file)
    pending = bytearray()
    line, read = 1, 0

    def block(end: int) -> Block:
        nonlocal line, read
        data = bytes(pending[:end])
        del pending[:end]
        if read == 0:
            data = data.removeprefix(_BYTE_ORDER_MARK)
        made = Block(data, source, line, chunks.read - read)
        line, read = line + data.count(b"\n"), chunks.read
        return made

    for chunk in unpacked(chunks, chunks.start, source):
        pending += chunk
        while end := _whole_lines(pending, block_bytes):
            yield block(end)
        if len(pending) > max(LONGEST_LINE, block_bytes):
            raise FormatError(
                f"{source}:{line}: longer than {LONGEST_LINE:,} bytes; "
                "break the text into lines, a sentence each"
            )
    if pending:
        if not pending.endswith(b"\n"):
            pending += b"\n"
        yield block(len(pending))


def blocks_of_texts(
    texts: Iterable[str],
    source: str,
    *,
    paragraphs: bool,
    read: Callable[[], int] | None = None,
) -> Iterator[Block]:
    """Texts as lines, each numbered by its text.

    :param paragraphs: a text ends with a blank line and may have others
    :param read: how many bytes of a file the texts were read from so far, if they come from one
    """
    lines: list[bytes] = []
    first_line, size, before = 1, 0, 0

    def block() -> Block:
        nonlocal before
        now = read() if read is not None else before + size
        made = Block(b"".join(lines), source, first_line, now - before)
        before = now
        return made

    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise TypeError(f"text {number} must be a str, not {type(text).__name__}")
        text = f"{text}\n\n" if paragraphs else text.replace("\n", " ") + "\n"
        lines.append(encoded(text))
        size += len(lines[-1])
        if size >= BLOCK_BYTES:
            yield block()
            lines, first_line, size = [], number + 1, 0
    if lines:
        yield block()


def encoded(text: str) -> bytes:
    """The bytes of a text; what is no character is no UTF-8 either, as it would be in a file."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass")


def _whole_lines(pending: bytearray, block_bytes: int) -> int:
    """How many bytes make the next block, or 0 if more must be read."""
    if len(pending) < block_bytes:
        return 0
    return pending.rfind(b"\n", 0, block_bytes) + 1 or pending.find(b"\n", block_bytes) + 1

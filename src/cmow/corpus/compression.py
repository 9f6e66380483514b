"""Unpacking of gz, xz and zst streams, recognized by their first bytes."""

import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cmow.errors import FormatError, MissingExtraError


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("zstandard", "zst") from error
    return zstandard.ZstdDecompressor().decompressobj()


# No UTF-8 text starts with these bytes, so that a plain file is never taken for a packed one.
_UNPACKERS: dict[bytes, tuple[str, Callable[[], Any]]] = {
    b"\x1f\x8b": ("gz", lambda: zlib.decompressobj(wbits=31)),
    b"\xfd7zXZ\x00": ("xz", lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ)),
    b"\x28\xb5\x2f\xfd": ("zst", _zstandard),
}
LONGEST_MAGIC = max(map(len, _UNPACKERS))


def unpacked(chunks: Iterable[bytes], start: bytes, name: str) -> Iterator[bytes]:
    """The plain bytes of a stream that may be packed.

    :param start: the stream's first bytes, which are among the chunks too
    :param name: the file's name for messages
    """
    for magic, (kind, unpacker) in _UNPACKERS.items():
        if start.startswith(magic):
            return _unpack(chunks, kind, unpacker, name)
    return iter(chunks)


def _unpack(
    chunks: Iterable[bytes], kind: str, unpacker: Callable[[], Any], name: str
) -> Iterator[bytes]:
    stream = unpacker()
    for chunk in chunks:
        while chunk:
            if stream.eof:  # another member follows, maybe after padding
                chunk = chunk.lstrip(b"\x00")
                if not chunk:
                    break
                stream = unpacker()
            try:
                plain = stream.decompress(chunk)
            except Exception as error:  # each library has its own
                raise FormatError(f"{name}: damaged {kind} data ({error}); repack it") from error
            yield plain
            chunk = stream.unused_data if stream.eof else b""
    if not stream.eof:
        raise FormatError(f"{name}: the {kind} data ends too early; is the file complete?")

"""Whether files are still what was written."""

import hashlib
from pathlib import Path

BLOCK = 1 << 20  # bytes read at a time


class Checksum:
    """Of bytes that come one after another; any that change, change it."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)

    def add(self, data: bytes | memoryview) -> None:
        """Take in some more."""
        self._hash.update(data)

    def text(self) -> str:
        """The checksum of all so far."""
        return self._hash.hexdigest()


def checksum_of(data: bytes) -> str:
    """The checksum of some bytes."""
    checksum = Checksum()
    checksum.add(data)
    return checksum.text()


def checksum_of_file(path: Path) -> str:
    """The checksum of a file of any size."""
    checksum = Checksum()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            checksum.add(block)
    return checksum.text()

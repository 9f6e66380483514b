"""Writing that outlives a power cut."""

import os
from pathlib import Path


def flush(path: Path) -> None:
    """Have the disk hold what was written to a file or folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

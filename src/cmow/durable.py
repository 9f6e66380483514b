"""Writing that outlives a power cut."""

import json
import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a file that has all of the text or, after any accident, what it had before."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text, "utf-8")
    flush(draft)
    draft.replace(path)


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON, all of it or nothing."""
    write_whole(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def flush(path: Path) -> None:
    """Have the disk hold what was written to a file or folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""The folder of probing sets: SentEval's files and a note that says they are rebuilt."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cmow.durable import replaced_folder
from cmow.errors import ConfigError
from cmow.paper.probing.allocation import Splits

# Wherever this file lies beside probing sets, scores are not comparable with published ones.
NOTE = "rebuilt.json"


def require_new(folder: Path) -> None:
    """Refuse to write where there is something already."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} exists and is not empty: remove it or name another folder")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes its name when all is written."""
    require_new(folder)
    with replaced_folder(folder) as fresh:
        yield fresh
        require_new(folder)  # as much may have happened meanwhile


def write_splits(path: Path, splits: Splits) -> None:
    """Write a set as SentEval has it: split, label and words, tab-separated."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for split, candidates in splits.items():
            file.writelines(f"{split}\t{c.label}\t{c.text}\n" for c in candidates)


def write_note(folder: Path, note: dict[str, Any]) -> None:
    """Write down how the sets were made."""
    text = json.dumps(note, indent=2, ensure_ascii=False)
    (folder / NOTE).write_text(text + "\n", encoding="utf-8")

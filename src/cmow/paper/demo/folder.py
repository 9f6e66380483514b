"""The folder that the demonstration writes."""

import json
import shutil
from importlib.metadata import version
from pathlib import Path

from cmow.errors import ConfigError
from cmow.paper.demo.settings import MODELS

MARK = "cmow-demo.json"
PROBING, ORDER, SCORES = "probing", "order", "scores"
SENTENCES = f"{ORDER}/sentences.txt"  # where evaluation looks for them


class DemoFolder:
    """A folder of our own: a mark in it says that an earlier demonstration may be replaced.

    Beside the models it is laid out as evaluation wants its data.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.exists() and not path.is_dir():
            raise ConfigError(
                f"{path} is a file: name a folder to write, and a text of your own with --corpus"
            )
        if path.is_dir() and any(path.iterdir()) and not (path / MARK).is_file():
            raise ConfigError(f"{path} is neither empty nor an earlier demo's: name another folder")

    def begin(self, source: str) -> None:
        """Make the folder, and clear away what an earlier demonstration wrote.

        :param source: what is demonstrated on
        """
        self.path.mkdir(parents=True, exist_ok=True)
        note = {"written by": f"cmow demo, version {version('cmow')}", "text": source}
        text = json.dumps(note, indent=2, ensure_ascii=False)
        (self.path / MARK).write_text(text + "\n", "utf-8")
        written = (self.probing, self.path / ORDER, self.index, self.page, *map(self.model, MODELS))
        for folder in written:
            if folder.exists():
                shutil.rmtree(folder)
        for found in (*self.path.glob(f"{SCORES}.*"), self.held_out):
            found.unlink(missing_ok=True)

    @property
    def probing(self) -> Path:
        """Where the probing sets go."""
        return self.path / PROBING

    @property
    def held_out(self) -> Path:
        """Where the sentences of a text go that are not trained on."""
        return self.path / "held-out.txt"

    @property
    def index(self) -> Path:
        """Where the index goes that can be searched."""
        return self.path / "index"

    @property
    def page(self) -> Path:
        """Where the page goes that shows a model in a browser."""
        return self.path / "page"

    def model(self, name: str) -> Path:
        """Where a model goes."""
        return self.path / name.lower()

    def scores(self, suffix: str) -> Path:
        """A file of scores."""
        return self.path / f"{SCORES}{suffix}"

    def write_sentences(self, rows: list[tuple[str, str]]) -> None:
        """Write the sentences to be reordered, and with subject and object exchanged if known."""
        file = self.path / SENTENCES
        file.parent.mkdir()
        lines = (f"{one}\t{other}\n" if other else f"{one}\n" for one, other in rows)
        file.write_text("".join(lines), "utf-8", newline="\n")

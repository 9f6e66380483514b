"""A folder with the page, the core as WebAssembly and a model: for any static host."""

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.choices import Storage
from cmow.durable import replaced_folder
from cmow.encoder import STORAGES, Encoder, Part, load, rescale_every
from cmow.errors import ConfigError
from cmow.serving.files import BACKEND, CORE, PAGE, SITE, WEB
from cmow.serving.shapes import rows_and_columns
from cmow.text import Tokenizer, plan_of

MODEL, NUMBERS, WORDS, SIZE = "model.json", "model.bin", "words.txt", "size.js"
SMALL: tuple[Storage, ...] = ("int8", "int4")
ALIGNMENT = 64  # bytes


class Numbers:
    """Arrays, one behind the other."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []
        self.size = 0

    def add(self, array: NDArray[Any] | None) -> int | None:
        """Where an array begins, if there is one."""
        if array is None:
            return None
        place = self.size
        self.arrays.append(np.ascontiguousarray(array))
        self.size += -(-array.nbytes // ALIGNMENT) * ALIGNMENT
        return place

    def write(self, path: Path) -> None:
        """Write all of them."""
        with path.open("wb") as file:
            for array in self.arrays:
                file.write(array.data)
                file.write(bytes(-array.nbytes % ALIGNMENT))


def export_web(encoder: Encoder, folder: str | os.PathLike[str], *, name: str) -> Path:
    """Write a folder that shows an encoder in a browser without a server, or replace one.

    Tables of more than eight bits a number are rounded to eight.

    :param name: what the page calls the model
    """
    folder = Path(folder)
    if folder.exists() and any(folder.iterdir()) and not (folder / MODEL).exists():
        raise ConfigError(f"{folder} has something else in it: choose another name")
    tokenizer = _tokenizer(encoder.tokenizer)
    with TemporaryDirectory() as scratch:
        if any(part.storage not in SMALL for part in encoder.parts):
            encoder.save(Path(scratch) / "model", storage="int8")
            encoder = load(Path(scratch) / "model")
        numbers = Numbers()
        told = {
            "name": name,
            "dimensions": encoder.dim,
            "tokenizer": tokenizer,
            "parts": [_part(part, numbers) for part in encoder.parts],
            "projection": _projection(encoder, numbers),
        }
        with replaced_folder(folder) as fresh:
            for file in (*PAGE, CORE):
                shutil.copyfile(SITE / file, fresh / file)
            shutil.copyfile(SITE / WEB, fresh / BACKEND)
            (fresh / SIZE).write_text(f"export const SIZE = {numbers.size};\n")
            (fresh / MODEL).write_text(json.dumps(told, ensure_ascii=False), "utf-8")
            (fresh / WORDS).write_text(_lines(encoder.vocabulary.words), "utf-8", newline="\n")
            numbers.write(fresh / NUMBERS)
    return folder


def _part(part: Part, numbers: Numbers) -> dict[str, Any]:
    rows, columns = rows_and_columns(part)
    magnitudes = [part.monoid.magnitude(row) for row in part.magnitudes]
    return {
        "name": part.name,
        "composition": part.monoid.kind,
        "size": part.monoid.size,
        "constants": part.monoid.constants().tolist(),
        "mean": part.shape.mean,
        "storage": STORAGES.index(part.storage),  # as the core counts them
        "rescale_every": rescale_every(part, magnitudes),
        "table": numbers.add(part.native_table),
        "scales": numbers.add(part.scales),
        "identity": _identity(part),
        "rows": rows,
        "columns": columns,
        "seesOrder": not part.monoid.commutes,
    }


def _identity(part: Part) -> float:
    """How much of the identity is in what a part shows of a word, beside what is its own."""
    monoid = part.monoid
    shown = monoid.view(monoid.neutral())[0] if part.shape.mean else 0
    return float(monoid.origin()[0] - shown)


def _projection(encoder: Encoder, numbers: Numbers) -> dict[str, Any] | None:
    projection = encoder.projection
    if projection is None:
        return None
    placements = [
        {
            "part": place.part,
            "begin": place.begin,
            "end": place.end,
            "factor": place.factor,
            "longest": place.longest,
            "matrix": numbers.add(place.matrix),
        }
        for place in projection.placements
    ]
    return {
        "dimensions": projection.dim,
        "bias": numbers.add(projection.bias),
        "placements": placements,
    }


def _tokenizer(tokenizer: Tokenizer) -> dict[str, Any]:
    """How the core is to split texts."""
    if tokenizer.kind != "custom":
        return {"kind": tokenizer.kind, "lowercase": tokenizer.lowercase}
    plan = plan_of(json.loads(tokenizer.to_json()))
    if plan is None:
        raise ConfigError(
            "a page cannot split texts by this tokenizer.json: it has to be WordPiece, or our own"
        )
    flags = (*plan.normalizer, plan.split_punctuation)
    _lines(plan.added.added)
    return {
        "kind": "pieces",
        "pieces": len(plan.model.pieces),
        "unknown": plan.model.unknown,
        "prefix": plan.model.prefix,
        "longest_word": min(plan.model.longest_word, 2**31 - 1),
        "added": plan.added.added,
        "added_ids": plan.added.added_ids,
        "options": sum(1 << bit for bit, flag in enumerate(flags) if flag),
    }


def _lines(words: Iterable[str]) -> str:
    lines = "".join(f"{word}\n" for word in words)
    if lines.count("\n") != len(list(words)):
        raise ConfigError("a word of the vocabulary has a line break in it: leave it out")
    return lines

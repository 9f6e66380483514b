"""A teacher's embeddings on disk, beside the texts they belong to.

Rows are only ever appended, and the folder can be read at any moment: whatever a killed process
left half-written is cut off by the next one, which goes on with the row behind it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Embeddings, Floats
from cmow.distillation.teacher import AnyTeacher, encoding, unit
from cmow.distillation.twins import REORDERINGS, draw_twin
from cmow.durable import write_json
from cmow.errors import ConfigError, FormatError
from cmow.progress import Progress, ProgressCallback

MANIFEST, TEXTS, KINDS, VECTORS = "cache.json", "texts.txt", "kinds.uint8", "vectors.float16"
CHUNK = 2048  # rows that a process embeds at a time
ORIGINAL = 0  # in KINDS; the reorderings follow


@dataclass(frozen=True)
class CacheSettings:
    """What a cache was made of; another one is needed for another teacher or other twins."""

    teacher: str
    dim: int
    twins: float  # share of the texts that get a twin in another order
    seed: int


@dataclass(frozen=True)
class TeacherCache:
    """Texts, twins among them behind their originals, and the teacher's unit vectors."""

    settings: CacheSettings
    texts: list[str]
    kinds: NDArray[np.uint8]  # ORIGINAL, or 1 + the number of the reordering
    vectors: NDArray[np.float16]

    @classmethod
    def open(cls, folder: Path) -> "TeacherCache":
        """All rows that are there."""
        settings = read_settings(folder)
        rows = whole_rows(folder, settings.dim)
        if not rows:
            raise FormatError(f"{folder}: no embeddings yet")
        with (folder / TEXTS).open(encoding="utf-8", newline="\n") as file:
            texts = [line.removesuffix("\n") for line in islice(file, rows)]
        kinds = np.fromfile(folder / KINDS, np.uint8, rows)
        vectors = np.memmap(folder / VECTORS, np.float16, "r", shape=(rows, settings.dim))
        return cls(settings, texts, kinds, vectors)


def read_settings(folder: Path) -> CacheSettings:
    """What the manifest of a cache says."""
    try:
        return CacheSettings(**json.loads((folder / MANIFEST).read_bytes()))
    except FileNotFoundError:
        raise FormatError(f"{folder / MANIFEST} is missing: not a teacher's embeddings") from None
    except (ValueError, TypeError) as error:
        raise FormatError(f"{folder / MANIFEST}: damaged ({error})") from error


def whole_rows(folder: Path, dim: int) -> int:
    """The rows that all files have in full."""
    try:
        with (folder / TEXTS).open("rb") as file:
            lines = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
        kinds = (folder / KINDS).stat().st_size
        vectors = (folder / VECTORS).stat().st_size // (2 * dim)
    except FileNotFoundError:
        return 0
    return min(lines, kinds, vectors)


def embed(
    teacher: AnyTeacher,
    texts: Iterable[str],
    folder: Path,
    settings: CacheSettings,
    *,
    processes: int = 1,
    total: int | None = None,
    progress: ProgressCallback | None = None,
) -> TeacherCache:
    """Have a teacher embed texts, from where an earlier call was interrupted.

    :param texts: the same as ever: those that are done are passed over
    """
    _begin(folder, settings)
    with _Appending(folder, settings.dim) as files, encoding(teacher, processes) as encode:
        originals = files.originals
        rest = islice(enumerate(texts), originals, None)
        for chunks in _groups(_with_twins(rest, settings), processes):
            embedded = encode([[text for text, _ in chunk] for chunk in chunks])
            for chunk, vectors in zip(chunks, embedded, strict=True):
                if vectors.shape != (len(chunk), settings.dim):
                    raise ConfigError(
                        f"the teacher gave {vectors.shape} for {len(chunk)} texts where vectors of "
                        f"{settings.dim} numbers were expected"
                    )
                files.append([text for text, _ in chunk], [kind for _, kind in chunk], vectors)
                if progress is not None:
                    progress(Progress("teacher", files.originals, total))
    return TeacherCache.open(folder)


def keep(
    vectors: Embeddings, texts: Sequence[str], folder: Path, settings: CacheSettings
) -> TeacherCache:
    """Embeddings that are there already, beside their texts."""
    _begin(folder, settings)
    with _Appending(folder, settings.dim) as files:
        for start in range(files.originals, len(texts), CHUNK):
            some = texts[start : start + CHUNK]
            rows = unit(vectors[start : start + CHUNK], first=start)
            files.append(some, [ORIGINAL] * len(some), rows)
    return TeacherCache.open(folder)


def _begin(folder: Path, settings: CacheSettings) -> None:
    """Refuse a folder that holds something else."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / MANIFEST).exists():
        write_json(folder / MANIFEST, asdict(settings))
    elif (known := read_settings(folder)) != settings:
        raise ConfigError(
            f"{folder} holds embeddings of another kind ({known}): give --cache, or remove it"
        )


class _Appending:
    """The files of a cache, cut to the last whole original with its twin."""

    def __init__(self, folder: Path, dim: int) -> None:
        rows = whole_rows(folder, dim)
        self._files = {name: (folder / name).open("ab+") for name in (TEXTS, KINDS, VECTORS)}
        kinds = np.fromfile(folder / KINDS, np.uint8, rows)
        # The last original may lack its twin: it is done again.
        starts = np.flatnonzero(kinds == ORIGINAL)
        rows = int(starts[-1]) if len(starts) else 0
        self.originals = max(len(starts) - 1, 0)
        self._cut(folder / TEXTS, rows)
        self._files[KINDS].truncate(rows)
        self._files[VECTORS].truncate(2 * dim * rows)

    def _cut(self, path: Path, rows: int) -> None:
        with path.open("rb") as file:
            for _ in islice(file, rows):
                pass
            end = file.tell() if rows else 0
        self._files[TEXTS].truncate(end)

    def append(self, texts: Sequence[str], kinds: Sequence[int], vectors: Floats) -> None:
        """Some more rows, on the disk when this returns."""
        self._files[TEXTS].write("".join(f"{text}\n" for text in texts).encode())
        self._files[KINDS].write(np.array(kinds, np.uint8).tobytes())
        self._files[VECTORS].write(vectors.astype(np.float16).tobytes())
        for file in self._files.values():
            file.flush()
        self.originals += kinds.count(ORIGINAL)

    def __enter__(self) -> "_Appending":
        return self

    def __exit__(self, *_: Any) -> None:
        for file in self._files.values():
            file.close()


def _with_twins(
    texts: Iterable[tuple[int, str]], settings: CacheSettings
) -> Iterator[list[tuple[str, int]]]:
    """Each text, and its twin if it gets one."""
    for number, text in texts:
        group = [(text, ORIGINAL)]
        chance = np.random.Philox(key=np.array([settings.seed + 1, number], np.uint64))
        if np.random.Generator(chance).random() < settings.twins:
            twin = draw_twin(text, seed=settings.seed, number=number)
            if twin is not None:
                group.append((twin[0], 1 + REORDERINGS.index(twin[1])))
        yield group


def _groups(
    groups: Iterator[list[tuple[str, int]]], processes: int
) -> Iterator[list[list[tuple[str, int]]]]:
    """A list of chunks for each process, of about CHUNK rows."""
    while some := list(islice(groups, CHUNK * processes)):
        each = -(-len(some) // processes)
        yield [
            [row for group in some[start : start + each] for row in group]
            for start in range(0, len(some), each)
        ]

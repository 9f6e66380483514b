"""What is learned from: a sentence-transformers model, any object with ``encode``, or vectors."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from cmow.arrays import Embeddings, Floats
from cmow.durable import replaced_file
from cmow.errors import FormatError, require

BATCH = 128


class Encodes(Protocol):
    """Anything that makes vectors of texts."""

    def encode(self, texts: list[str]) -> Any:
        """A row a text."""


AnyTeacher = str | Encodes
EncodeAll = Callable[[list[list[str]]], Iterator[Floats]]


class SentenceTransformerTeacher:
    """A sentence-transformers model on one thread, in half precision."""

    def __init__(self, name: str) -> None:
        require("sentence_transformers", "distill")
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(1)  # several processes are faster than several threads
        self._model = SentenceTransformer(name, device="cpu").bfloat16()

    @property
    def tokenizer(self) -> Any:
        """That of the transformers library."""
        return self._model.tokenizer

    def encode(self, texts: list[str]) -> Floats:
        """A row a text, by batches of as many tokens each: padding would cost half of the time."""
        import torch

        lengths = np.array([len(ids) for ids in self.tokenizer(texts)["input_ids"]])
        embedded: Floats | None = None
        with torch.inference_mode():
            for length in np.unique(lengths):
                alike = np.flatnonzero(lengths == length)
                for start in range(0, len(alike), BATCH):
                    some = alike[start : start + BATCH]
                    features = self._model.preprocess([texts[i] for i in some])
                    found = self._model(features)["sentence_embedding"].float().numpy()
                    if embedded is None:
                        embedded = np.empty((len(texts), found.shape[1]), np.float32)
                    embedded[some] = found
        return np.empty((0, 0), np.float32) if embedded is None else embedded


_of_this_process: SentenceTransformerTeacher | None = None


def _load(name: str) -> None:
    global _of_this_process
    _of_this_process = SentenceTransformerTeacher(name)


def _encode(texts: list[str]) -> Floats:
    return cast(SentenceTransformerTeacher, _of_this_process).encode(texts)


@contextmanager
def encoding(teacher: AnyTeacher, processes: int) -> Iterator[EncodeAll]:
    """A function that has lists of texts embedded, as unit vectors, in their order."""
    if not isinstance(teacher, str):
        yield lambda lists: (unit(teacher.encode(texts)) for texts in lists)
        return
    context = get_context("spawn")  # a forked process would inherit locked threads
    with ProcessPoolExecutor(processes, context, initializer=_load, initargs=(teacher,)) as pool:
        yield lambda lists: map(unit, pool.map(_encode, lists))


def name_of(teacher: AnyTeacher) -> str:
    """What a teacher is known by."""
    if isinstance(teacher, str):
        return Path(teacher).resolve().name if Path(teacher).exists() else teacher
    return type(teacher).__qualname__


def dim_of(teacher: AnyTeacher) -> int:
    """Numbers in a teacher's vectors."""
    with encoding(teacher, 1) as encode:
        return int(next(encode([["a"]])).shape[1])


def save_tokenizer(teacher: Any, path: Path) -> Path | None:
    """Keep the tokenizer of a sentence-transformers model as a file, and return its path."""
    if not isinstance(teacher, str):
        return None
    if not path.exists():
        own = Path(teacher) / path.name
        with replaced_file(path) as fresh:
            if own.is_file():
                fresh.write_bytes(own.read_bytes())
            else:
                fast = SentenceTransformerTeacher(teacher).tokenizer
                fresh.write_text(fast.backend_tokenizer.to_str(), "utf-8")
    return path


def read_vectors(vectors: Embeddings | os.PathLike[str]) -> Embeddings:
    """An array, or those of a .npy file or of all of a folder, in the order of their names."""
    if isinstance(vectors, np.ndarray):
        found = [vectors]
    else:
        path = Path(vectors)
        files = sorted(path.glob("*.npy")) if path.is_dir() else [path]
        try:
            found = [np.load(file, mmap_mode="r", allow_pickle=False) for file in files]
        except ValueError as error:
            raise FormatError(f"{path}: not arrays of NumPy ({error})") from error
    if not found or any(each.ndim != 2 or each.shape[1] != found[0].shape[1] for each in found):
        raise FormatError("embeddings must be arrays of two dimensions, a row a text, equally wide")
    return found[0] if len(found) == 1 else np.concatenate(found)


def unit(vectors: Any, *, first: int = 0) -> Floats:
    """Rows of length 1; what is not a number is refused.

    :param first: the number of the first row among all
    """
    rows = np.array(vectors, np.float32)
    bad = ~np.isfinite(rows).all(axis=1)
    if bad.any():
        raise FormatError(
            f"NaN or infinity in embedding {first + int(bad.argmax())} of the teacher"
        )
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Floats = rows / np.where(norms > 0, norms, np.float32(1))
    return units

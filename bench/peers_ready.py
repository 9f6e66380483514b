"""Encoders that come ready, as `peers.py` takes them: each behind one call, on one thread."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from distilled import model2vec_of, wordllama
from peers_trained import Encode

import cmow
from cmow import Encoder


class Ready(NamedTuple):
    """An encoder, and the bytes of its files."""

    encode: Encode
    size: int


Make = Callable[[str, Path], Ready]  # from the transformer's name and a folder to write to


def size_of(place: Path) -> int:
    """The bytes of a file, or of all files in a folder."""
    files = [place] if place.is_file() else place.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def transformer(teacher: str, _work: Path) -> Ready:
    """In full precision, as one gets it; batches of like lengths are its own doing."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(teacher, device="cpu")
    weights = sum(each.numel() * each.element_size() for each in model.parameters())
    return Ready(lambda texts: model.encode(list(texts), show_progress_bar=False), weights)


def model2vec(teacher: str, work: Path) -> Ready:
    """Distilled from the transformer, 256 numbers."""
    model = model2vec_of(teacher)
    model.save_pretrained(str(work / "model2vec"))
    size = size_of(work / "model2vec")
    return Ready(lambda texts: model.encode(list(texts), use_multiprocessing=False), size)


def word_llama(_teacher: str, _work: Path) -> Ready:
    """The model that comes with its package."""
    import wordllama as library

    size = size_of(Path(library.__file__).parent / "weights")
    return Ready(wordllama("").encode, size)


def ours(make: Callable[[], Encoder]) -> Make:
    """One that our package encodes with, as large as it is in a folder."""

    def ready(_teacher: str, work: Path) -> Ready:
        encoder = make()
        encoder.save(work / "ours")
        return Ready(lambda texts: encoder.encode(texts, threads=1), size_of(work / "ours"))

    return ready


READY: dict[str, Make] = {
    "all-MiniLM-L6-v2": transformer,
    "model2vec from it, 256": model2vec,
    "WordLlama, 256": word_llama,
    "cmow english": ours(cmow.load),
    "cmow english, its bag": ours(lambda: cmow.load().bag()),
}

"""Encoders that come ready, as `peers.py` takes them: each behind one call, on one thread."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from distilled import model2vec_of, wordllama
from peers_trained import Encode

import cmow
from cmow import Encoder


class Ready(NamedTuple):
    """An encoder, and the bytes of its files."""

    encode: Encode
    size: int


Make = Callable[[str], Ready]  # from the transformer's name


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def size_when_saved(save: Callable[[str], object]) -> int:
    """The bytes that an encoder has in a folder."""
    with TemporaryDirectory() as folder:
        save(f"{folder}/model")
        return size_of(Path(folder))


def transformer(teacher: str) -> Ready:
    """In full precision, as one gets it; batches of like lengths are its own doing."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(teacher, device="cpu")
    weights = sum(each.numel() * each.element_size() for each in model.parameters())
    return Ready(lambda texts: model.encode(list(texts), show_progress_bar=False), weights)


def model2vec(teacher: str) -> Ready:
    """Distilled from the transformer, 256 numbers."""
    model = model2vec_of(teacher)
    size = size_when_saved(model.save_pretrained)
    return Ready(lambda texts: model.encode(list(texts), use_multiprocessing=False), size)


def word_llama(_teacher: str) -> Ready:
    """The model that comes with its package."""
    import wordllama as library

    size = size_of(Path(library.__file__).parent / "weights")
    return Ready(wordllama("").encode, size)


def ours(make: Callable[[], Encoder]) -> Make:
    """One that our package encodes with, as large as it is in a folder."""

    def ready(_teacher: str) -> Ready:
        encoder = make()
        size = size_when_saved(encoder.save)
        return Ready(lambda texts: encoder.encode(texts, threads=1), size)

    return ready


READY: dict[str, Make] = {
    "all-MiniLM-L6-v2": transformer,
    "model2vec from it, 256": model2vec,
    "WordLlama, 256": word_llama,
    "cmow english": ours(cmow.load),
    "cmow english, its bag": ours(lambda: cmow.load().bag()),
}

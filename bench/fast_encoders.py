"""Other fast encoders, each with a table of its own for the same words, behind one call."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

# Makes encode(texts, threads) from words, vector size, sample texts and a folder to write to.
Encode = Callable[[Sequence[str], int], object]
Make = Callable[[Sequence[str], int, Sequence[str], Path], Encode]


def _tokenizer(words: Sequence[str]) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: index for index, word in enumerate(words)}
    vocabulary["[UNK]"] = len(words)
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return tokenizer


def _vectors(words: Sequence[str], size: int) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(len(words) + 1, size)).astype(np.float32)


def model2vec(words: Sequence[str], size: int, _texts: Sequence[str], _folder: Path) -> Encode:
    """A StaticModel with a white-space tokenizer; it uses one process for short lists."""
    from model2vec import StaticModel

    model = StaticModel(vectors=_vectors(words, size), tokenizer=_tokenizer(words))
    return lambda texts, _threads: model.encode(list(texts), use_multiprocessing=False)


def static_embedding(
    words: Sequence[str], size: int, _texts: Sequence[str], _folder: Path
) -> Encode:
    """The StaticEmbedding module of sentence-transformers."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import StaticEmbedding

    module = StaticEmbedding(_tokenizer(words), embedding_weights=_vectors(words, size))
    model = SentenceTransformer(modules=[module], device="cpu")

    def encode(texts: Sequence[str], threads: int) -> object:
        torch.set_num_threads(threads)
        return model.encode(list(texts), batch_size=1024, show_progress_bar=False)

    return encode


def gensim(words: Sequence[str], size: int, _texts: Sequence[str], _folder: Path) -> Encode:
    """The mean of KeyedVectors."""
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(size)
    vectors.add_vectors(list(words), _vectors(words, size)[:-1])

    def encode(texts: Sequence[str], _threads: int) -> object:
        return np.stack(
            [vectors.get_mean_vector(text.split(), pre_normalize=False) for text in texts]
        )

    return encode


def fasttext(_words: Sequence[str], size: int, texts: Sequence[str], folder: Path) -> Encode:
    """get_sentence_vector of a model without sub-words."""
    import fasttext as library

    corpus = folder / "fasttext.txt"
    corpus.write_text("\n".join(texts))
    model = library.train_unsupervised(
        str(corpus), dim=size, epoch=1, minCount=1, minn=0, maxn=0, neg=1, ws=1, verbose=0
    )
    return lambda some, _threads: np.stack([model.get_sentence_vector(text) for text in some])


PEERS: dict[str, Make] = {
    "model2vec": model2vec,
    "sentence-transformers StaticEmbedding": static_embedding,
    "gensim": gensim,
    "fastText": fasttext,
}

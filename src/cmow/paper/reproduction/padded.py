"""Encoders of padded batches in PyTorch: an encoder's parts, and a recurrent network."""

from collections.abc import Callable

import torch

from cmow.encoder import Encoder
from cmow.torch import EncoderModule

Encode = Callable[[torch.Tensor], torch.Tensor]  # ids (sentences, words) to embeddings


def composing(encoder: Encoder) -> Encode:
    """What an encoder does; the id behind the last word is padding."""
    module, padding = EncoderModule(encoder), len(encoder.vocabulary)

    @torch.no_grad()
    def encode(ids: torch.Tensor) -> torch.Tensor:
        words = ids != padding
        offsets = torch.nn.functional.pad(words.sum(1).cumsum(0), (1, 0))
        embeddings: torch.Tensor = module(ids[words], offsets)
        return embeddings

    return encode


def elman(words: int, size: int) -> Encode:
    """A simple recurrent network of as many numbers a word; its last state is the embedding."""
    torch.manual_seed(0)
    table = torch.nn.Embedding(words + 1, size, padding_idx=words)
    network = torch.nn.RNN(size, size, batch_first=True)
    return lambda ids: network(table(ids))[1][0]

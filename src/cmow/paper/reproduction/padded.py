"""Encoders of padded batches in PyTorch: sums, products, and a recurrent network."""

from collections.abc import Callable

import torch

from cmow.encoder import Encoder, Part

Encode = Callable[[torch.Tensor], torch.Tensor]  # ids (sentences, words) to embeddings


def composing(encoder: Encoder) -> Encode:
    """What an encoder does; the id behind the last word is padding."""
    parts = [_sum(part) if part.composition == "sum" else _product(part) for part in encoder.parts]
    return lambda ids: torch.cat([part(ids) for part in parts], dim=1)


def elman(words: int, size: int) -> Encode:
    """A simple recurrent network of as many numbers a word; its last state is the embedding."""
    torch.manual_seed(0)
    table = torch.nn.Embedding(words + 1, size, padding_idx=words)
    network = torch.nn.RNN(size, size, batch_first=True)
    return lambda ids: network(table(ids))[1][0]


def _rows(part: Part) -> torch.Tensor:
    table = torch.tensor(part.table)
    neutral = torch.tensor(part.monoid.neutral())
    return torch.cat([table, neutral.reshape(1, -1)])


def _sum(part: Part) -> Encode:
    table = _rows(part)
    return lambda ids: torch.nn.functional.embedding_bag(ids, table, mode="sum")


def _product(part: Part) -> Encode:
    table, size = _rows(part), part.size

    def encode(ids: torch.Tensor) -> torch.Tensor:
        # Rows hold matrices column by column, so that what is multiplied here is transposed.
        factors = table[ids].view(*ids.shape, size, size)
        while factors.shape[1] > 1:  # neighbours in pairs: log2 n steps
            odd = factors[:, -1:] if factors.shape[1] % 2 else factors[:, :0]
            pairs = factors[:, 1::2] @ factors[:, : factors.shape[1] - 1 : 2]
            factors = torch.cat([pairs, odd], dim=1)
        return factors.reshape(len(ids), -1)

    return encode

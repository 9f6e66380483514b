"""An encoder as a module of PyTorch: to fine-tune it, and to train on any device."""

from collections.abc import Mapping, Sequence

import numpy as np

from cmow.arrays import Floats, like
from cmow.encoder import Encoder, Part, PartShape, Projection
from cmow.errors import MissingExtraError

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

__all__ = ["EncoderModule", "Parts", "embedding", "text_positions"]


class Parts(nn.Module):
    """The parts' tables as parameters, and their composition.

    :param sparse: make gradients that hold the rows of the words at hand only
    """

    def __init__(
        self, shapes: Sequence[PartShape], tables: Sequence[Floats], *, sparse: bool = False
    ) -> None:
        super().__init__()
        self.shapes = tuple(shapes)
        self.layers = [embedding(table, sparse=sparse) for table in tables]
        self.tables = nn.ModuleList(self.layers)

    def forward(self, ids: Tensor, offsets: Tensor) -> Tensor:
        """The embeddings of texts.

        :param ids: all ids, one text behind the other
        :param offsets: text ``i`` has the ids from ``offsets[i]`` to before ``offsets[i + 1]``
        """
        return torch.cat(self.views(ids, text_positions(offsets, len(ids))), dim=1)

    def views(self, ids: Tensor, positions: Tensor) -> list[Tensor]:
        """What embeddings show, part by part.

        :param positions: in ``ids``, a row an embedding, as many as a power of two; the position
            behind the last one stands for no word
        """
        found = []
        for shape, layer in zip(self.shapes, self.layers, strict=True):
            elements = shape.lift(layer(ids))
            neutral = like(shape.neutral(), elements).reshape(1, -1)
            found.append(shape.view(shape.fold(torch.cat([elements, neutral])[positions])))
        return found


class Projected(nn.Module):
    """A projection of the parts' views, as it was learned: it is not trained."""

    bias: Tensor

    def __init__(self, projection: Projection) -> None:
        super().__init__()
        self._placements = projection.placements
        self.register_buffer("bias", torch.from_numpy(projection.bias.copy()))
        for number, place in enumerate(self._placements):
            matrix = None if place.matrix is None else torch.tensor(place.matrix)
            self.register_buffer(f"matrix_{number}", matrix)

    def forward(self, views: Mapping[str, Tensor], known: Tensor) -> Tensor:
        """The embeddings of views by the names of their parts.

        :param known: texts that have a word; those of others are zero
        """
        embeddings = self.bias.expand(len(known), -1)
        for number, place in enumerate(self._placements):
            view, matrix = views[place.part], getattr(self, f"matrix_{number}")
            norms = view.detach().norm(dim=1, keepdim=True)
            view = view * torch.where(norms > place.longest, place.longest / norms, 1)
            columns = place.end - place.begin
            added = place.factor * view[:, :columns] if matrix is None else view @ matrix
            around = (place.begin, len(self.bias) - place.end)
            embeddings = embeddings + nn.functional.pad(added, around)
        return embeddings * known[:, None]


class EncoderModule(Parts):
    """The parts of an encoder, to be trained further.

    ```python
    module = EncoderModule(encoder)
    ids = encoder.tokenizer.ids(texts)
    embeddings = module(torch.from_numpy(ids.flat), torch.from_numpy(ids.offsets))
    ```
    """

    def __init__(self, encoder: Encoder, *, sparse: bool = False) -> None:
        super().__init__(
            [part.shape for part in encoder.parts],
            [part.rows() for part in encoder.parts],
            sparse=sparse,
        )
        self._start = encoder
        self.projected = None if encoder.projection is None else Projected(encoder.projection)

    def forward(self, ids: Tensor, offsets: Tensor) -> Tensor:
        """The embeddings of texts, which an encoder with a projection has in its space."""
        if self.projected is None:
            return super().forward(ids, offsets)
        views = self.views(ids, text_positions(offsets, len(ids)))
        names = (part.name for part in self._start.parts)
        found: Tensor = self.projected(dict(zip(names, views, strict=True)), offsets.diff() > 0)
        return found

    def encoder(self) -> Encoder:
        """An encoder with the tables as they are now."""
        parts = [
            Part(part.name, part.shape, layer.weight.detach().cpu().numpy().copy())
            for part, layer in zip(self._start.parts, self.layers, strict=True)
        ]
        return Encoder(
            self._start.tokenizer,
            parts,
            projection=self._start.projection,
            training=self._start.training,
        )


def text_positions(offsets: Tensor, count: int) -> Tensor:
    """Where the words of texts stand, as `Parts.views` takes it.

    :param count: of all ids
    """
    lengths = offsets.diff()
    places = torch.arange(_power_of_two(int(lengths.max())) if len(lengths) else 1)
    places = places.to(offsets.device)
    outside = places >= lengths[:, None]
    return (offsets[:-1, None] + places).masked_fill(outside, count)


def embedding(table: Floats, *, sparse: bool) -> nn.Embedding:
    """A table as a layer that looks rows up; they share memory."""
    rows, width = table.shape
    weight = torch.from_numpy(np.ascontiguousarray(table))
    return nn.Embedding(rows, width, sparse=sparse, _weight=weight)


def _power_of_two(least: int) -> int:
    """The smallest power of two that is not below a number."""
    return 1 << (max(least, 1) - 1).bit_length()

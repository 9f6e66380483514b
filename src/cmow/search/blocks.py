"""What an index stores of texts, and what a query is compared with.

A row has a block for the parts that ignore word order and one for those that see it, each a unit
vector: a search weighs the two in the query. The embedding is the sum of both, each times its norm
(in one space, or side by side). So its cosine with a query's is, exactly, the sum of the query's
products with both blocks, each times a weight of the row: there is no third block.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cmow.arrays import Booleans, Doubles, Floats
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.text import Ids

BAG, ORDER, WHOLE = "bag", "order", "whole"
PARALLEL = 1e-6  # how far two blocks must be from pointing in one direction


class Rows(NamedTuple):
    """What is stored of some texts."""

    blocks: dict[str, Floats]
    weights: dict[str, Floats]  # none if there is one block
    known: Booleans  # texts that have a word that the model knows


class Query(NamedTuple):
    """What is compared with a block.

    :param weighted: whether the products count by the rows' weights
    """

    vectors: Floats
    weighted: bool


class Blocks:
    """How an encoder's embeddings are stored and searched."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._whole = encoder.comparable()
        commute = [part.monoid.commutes for part in encoder.parts]
        if any(commute) and not all(commute):
            halves = {BAG: encoder.bag(), ORDER: encoder.order()}
            self.encoders = {name: half.comparable() for name, half in halves.items()}
            self._columns = {BAG: self._of(True), ORDER: self._of(False)}
        else:
            self.encoders = {WHOLE: self._whole}
            self._columns = {WHOLE: slice(None)}

    @property
    def widths(self) -> dict[str, int]:
        """Numbers of each block of a row."""
        return {name: encoder.dim for name, encoder in self.encoders.items()}

    def rows(self, texts: Sequence[str], threads: int | None) -> Rows:
        """What is stored of texts."""
        ids = self.encoder.tokenizer.ids(texts, threads=threads)
        blocks = {
            name: self._units(encoder, ids, threads) for name, encoder in self.encoders.items()
        }
        known = np.diff(ids.offsets) > 0
        if WHOLE in blocks:
            return Rows(blocks, {}, known)
        whole = self._units(self._whole, ids, threads)
        return Rows(blocks, self._weights(whole, blocks[BAG], blocks[ORDER]), known)

    def queries(
        self, texts: Sequence[str], order: float | None, threads: int | None
    ) -> dict[str, Query]:
        """What each block is compared with; blocks that do not count are left out."""
        ids = self.encoder.tokenizer.ids(texts, threads=threads)
        if order is None:
            whole = self._units(self._whole, ids, threads)
            return {
                name: Query(np.ascontiguousarray(whole[:, columns]), WHOLE not in self.encoders)
                for name, columns in self._columns.items()
            }
        if not 0 <= order <= 1:
            raise ConfigError(f"order must be 0 to 1, not {order}")
        if WHOLE in self.encoders:
            raise ConfigError(
                f"all parts of {self.encoder.shape} treat word order alike: search without order"
            )
        return {
            name: Query(np.float32(weight) * self._units(self.encoders[name], ids, threads), False)
            for name, weight in ((BAG, 1 - order), (ORDER, order))
            if weight
        }

    def _of(self, commutes: bool) -> slice | list[int]:
        """The columns of an embedding whose parts ignore word order, or see it."""
        if self.encoder.projection is not None:
            return slice(None)
        ends = np.cumsum([part.width for part in self.encoder.parts])
        places = zip(self.encoder.parts, ends, strict=True)
        return [
            column
            for part, end in places
            if part.monoid.commutes is commutes
            for column in range(end - part.width, end)
        ]

    def _units(self, encoder: Encoder, ids: Ids, threads: int | None) -> Floats:
        return np.asarray(encoder.encode_ids(ids, normalize="all", threads=threads), np.float32)

    def _weights(self, whole: Floats, bag: Floats, order: Floats) -> dict[str, Floats]:
        """The two numbers by which the blocks add up to the embedding."""
        along_bag = _products(whole[:, self._columns[BAG]], bag)
        along_order = _products(whole[:, self._columns[ORDER]], order)
        between = np.zeros(len(whole))
        if self.encoder.projection is not None:
            between = _products(bag, order)
        rest = 1 - between**2
        apart = rest > PARALLEL
        rest[~apart] = 1
        of_bag = np.where(apart, (along_bag - between * along_order) / rest, along_bag)
        of_order = np.where(apart, (along_order - between * along_bag) / rest, 0)
        return {BAG: of_bag.astype(np.float32), ORDER: of_order.astype(np.float32)}


def _products(a: Floats, b: Floats) -> Doubles:
    products: Doubles = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    return products

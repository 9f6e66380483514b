"""What the endpoints ask: an encoder, and maybe an index, within limits."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from cmow.arrays import Embeddings, Floats, Int32s, Int64s
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.search import Index
from cmow.serving.refusal import Refusal
from cmow.serving.schemas import Texts
from cmow.serving.settings import ServeSettings
from cmow.text import Ids
from cmow.threads import usable_cores

CUTS = 16  # lengths of embeddings that are kept ready


@dataclass
class Tally:
    """What a request was about, for the log and the metrics.

    :param over: nobody waits for the answer any more
    """

    texts: int = 0
    tokens: int = 0
    unknown: int = 0
    over: bool = False


class Service:
    """One for all requests of a worker.

    :param name: what clients call the model
    """

    def __init__(
        self,
        encoder: Encoder,
        settings: ServeSettings | None = None,
        *,
        index: Index | None = None,
        name: str = "english",
    ) -> None:
        self.encoder, self.index, self.name = encoder, index, name
        self.settings = settings or ServeSettings()
        self.started = int(time.time())
        self.threads = max(1, usable_cores() // self.settings.workers)
        self._cut = lru_cache(CUTS)(encoder.cut)

    # ---- embeddings -----------------------------------------------------------------------------

    def embed(
        self,
        inputs: Texts,
        tally: Tally,
        *,
        field: str,
        dimensions: int | None = None,
        normalize: bool = True,
    ) -> Embeddings:
        """The embeddings of a text, of texts, or of what has ids already.

        :param field: that the inputs are from
        """
        encoder = self.encoder if dimensions is None else self._shortened(dimensions)
        ids = self._ids([inputs] if isinstance(inputs, str) else inputs, tally, field)
        return encoder.encode_ids(
            ids.flat,
            ids.offsets,
            normalize="all" if normalize else None,
            threads=self._threads(ids),
        )

    def cosines(
        self, source: str, others: Sequence[str], order: float | None, tally: Tally
    ) -> Floats:
        """How alike a text and others are, one by one.

        :param order: how much the order of words counts
        """
        ids = self._ids([source, *others], tally, "inputs")
        weighted = [(self.comparable, 1.0)] if order is None else self._weighted(order)
        total = np.zeros(len(others), np.float32)
        for encoder, weight in weighted:
            embeddings = encoder.encode_ids(
                ids.flat, ids.offsets, normalize="all", threads=self._threads(ids)
            )
            total += np.float32(weight) * (embeddings[1:] @ embeddings[0])
        return total

    @staticmethod
    def cosine(encoder: Encoder, a: str, b: str) -> float:
        """How alike two texts are to an encoder."""
        left, right = encoder.comparable().encode([a, b], normalize="all", threads=1)
        return float(left @ right)

    def _weighted(self, order: float) -> list[tuple[Encoder, float]]:
        halves = [(self.bag, 1 - order, "ignores"), (self.order, order, "sees")]
        missing = [sees for half, weight, sees in halves if half is None and weight > 0]
        if missing:
            raise Refusal(422, f"no part of this model {missing[0]} the order of words")
        return [(half, weight) for half, weight, _ in halves if half is not None and weight > 0]

    @cached_property
    def comparable(self) -> Encoder:
        """The encoder by whose cosines texts are compared."""
        return self.encoder.comparable()

    @cached_property
    def bag(self) -> Encoder | None:
        """The parts that do not see word order, if there are any."""
        return _or_none(lambda: self.encoder.bag().comparable())

    @cached_property
    def order(self) -> Encoder | None:
        """The parts that see word order, if there are any."""
        return _or_none(lambda: self.encoder.order().comparable())

    @cached_property
    def lone_parts(self) -> dict[str, Encoder]:
        """What each part shows before any projection."""
        return {part.name: Encoder(self.encoder.tokenizer, [part]) for part in self.encoder.parts}

    def _shortened(self, dimensions: int) -> Encoder:
        try:
            return self._cut(dimensions)
        except ConfigError as error:
            raise Refusal(400, str(error), param="dimensions") from None

    def _threads(self, ids: Ids) -> int:
        return 1 if len(ids.flat) < 4096 else self.threads

    # ---- texts ----------------------------------------------------------------------------------

    def _ids(self, inputs: Sequence[object], tally: Tally, field: str) -> Ids:
        """The ids of texts, or of ids, counted."""
        if not inputs:
            raise Refusal(422, f"{field} is an empty list: give a text", param=field)
        if all(isinstance(each, str) for each in inputs):
            self.check_count(len(inputs), field)
            ids = self.encoder.tokenizer.ids(inputs, threads=1)  # type: ignore[arg-type]
        elif all(isinstance(each, int) for each in inputs):
            ids = self._given([inputs], field)  # type: ignore[list-item]
        elif all(isinstance(each, list) for each in inputs):
            self.check_count(len(inputs), field)
            ids = self._given(inputs, field)  # type: ignore[arg-type]
        else:
            raise Refusal(422, f"{field} mixes texts and token ids: send one kind", param=field)
        tally.texts += len(ids.offsets) - 1
        tally.tokens += len(ids.flat) + ids.discarded
        tally.unknown += ids.discarded
        if tally.tokens > self.settings.max_tokens:
            raise Refusal(
                413,
                f"{tally.tokens} tokens in a request, and {self.settings.max_tokens} are allowed: "
                f"send several requests",
                param=field,
            )
        return ids

    def check_count(self, texts: int, field: str) -> None:
        """Refuse too many texts."""
        if texts > self.settings.max_texts:
            raise Refusal(
                413,
                f"{texts} texts in a request, and {self.settings.max_texts} are allowed: "
                f"send several requests",
                param=field,
            )

    def _given(self, texts: Sequence[Sequence[int]], field: str) -> Ids:
        words = len(self.encoder.vocabulary)
        offsets: Int64s = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        for text in texts:
            for number in text:
                if not isinstance(number, int):
                    raise Refusal(422, f"{field} has a token id that is no number", param=field)
                if not 0 <= number < words:
                    raise Refusal(
                        422, f"there is no token {number}: ids are below {words}", param=field
                    )
        flat: Int32s = np.fromiter((each for text in texts for each in text), np.int32, offsets[-1])
        return Ids(flat, offsets, discarded=0)


def _or_none(make: Callable[[], Encoder]) -> Encoder | None:
    try:
        return make()
    except ConfigError:
        return None

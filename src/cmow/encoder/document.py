"""A text that is cut anywhere: the embedding of each span of it, without encoding it anew.

Places are those of words as white space separates them. A word may be several tokens, or none if
it is unknown.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cmow.arrays import Floats, Int64s
from cmow.choices import Normalization
from cmow.encoder.base import EncoderBase
from cmow.encoder.composer import check_normalization, saturation_warning
from cmow.errors import ConfigError
from cmow.threads import thread_count

WORD = re.compile(r"\S+")
STARTS = 4096  # of spans whose scores are in memory at a time
LARGEST_WIDTH = 1 << 16


class Span(NamedTuple):
    """A span of a document, and how alike a query it is.

    :param begin: its first word
    :param end: the word behind its last one
    :param place: of its characters in the document's text
    """

    begin: int
    end: int
    score: float
    text: str
    place: tuple[int, int]


class Document:
    """What ``Encoder.document`` makes.

    :param words: a text, or words of one, of which each is split into tokens on its own
    """

    def __init__(self, encoder: EncoderBase, words: str | Sequence[str]) -> None:
        self._encoder = encoder
        self._native = encoder.native_document()
        self._texts: list[str] = []
        self._places: list[tuple[int, int]] = []  # of the words in the text
        self._size = 0  # of the text
        self._bounds: Int64s = np.zeros(1, np.int64)  # of the words among the tokens
        self._halves: dict[str, Document] = {}  # by the parts that cosines compare
        self.append(words)

    def __len__(self) -> int:
        """How many words it has."""
        return len(self._places)

    def __repr__(self) -> str:
        return f"Document({len(self):,} words)"

    @property
    def text(self) -> str:
        """The whole text; blanks join what was appended."""
        if len(self._texts) > 1:
            self._texts = [" ".join(self._texts)]
        return self._texts[0] if self._texts else ""

    def append(self, words: str | Sequence[str]) -> None:
        """Let the text go on."""
        text = words if isinstance(words, str) else " ".join(words)
        start = self._size + (1 if self._texts else 0)
        if isinstance(words, str):
            places = [found.span() for found in WORD.finditer(text)]
            words = [text[begin:end] for begin, end in places]
        else:
            ends = (np.cumsum([len(word) + 1 for word in words], dtype=int) - 1).tolist()
            places = [(end - len(word), end) for word, end in zip(words, ends, strict=True)]
        ids = self._encoder.tokenizer.ids(words, threads=1)
        self._native.append(ids.flat)
        self._bounds = np.concatenate([self._bounds, self._bounds[-1] + ids.offsets[1:]])
        self._texts.append(text)
        self._places += [(start + begin, start + end) for begin, end in places]
        self._size = start + len(text)
        for half in self._halves.values():
            half.append(words)

    # ---- embeddings -----------------------------------------------------------------------------

    def span(self, begin: int, end: int, *, normalize: Normalization | None = None) -> Floats:
        """The embedding of the words from one to before another, but for rounding ``encode``'s."""
        embedding: Floats = self.spans([begin], [end], normalize=normalize, threads=1)[0]
        return embedding

    def spans(
        self,
        begins: Sequence[int] | Int64s,
        ends: Sequence[int] | Int64s,
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
    ) -> Floats:
        """The embeddings of several spans, each of which takes a few compositions."""
        places = np.asarray(begins, np.int64), np.asarray(ends, np.int64)
        if places[0].shape != places[1].shape or places[0].ndim != 1:
            raise ConfigError(f"{places[0].size} begins for {places[1].size} ends of spans")
        wrong = (places[0] < 0) | (places[0] > places[1]) | (places[1] > len(self))
        if wrong.any():
            begin, end = (int(each[wrong.argmax()]) for each in places)
            raise ConfigError(f"there is no span {begin} to {end} in {len(self)} words")
        return self._composed(self._native.spans, *places, normalize, threads)

    def windows(
        self,
        width: int,
        stride: int = 1,
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
    ) -> Floats:
        """The embeddings of all windows of ``width`` words; a shorter document is one window.

        Window ``i`` begins at word ``i * stride``.
        """
        return self._composed(
            self._native.windows, *self.window_places(width, stride), normalize, threads
        )

    def window_places(self, width: int, stride: int = 1) -> tuple[Int64s, Int64s]:
        """Where windows begin and end."""
        if width < 1 or stride < 1:
            raise ConfigError(f"width and stride must be at least 1, not {width} and {stride}")
        last = max(len(self) - width, 0)
        begins = np.arange(0, last + 1 if len(self) else 0, stride, dtype=np.int64)
        return begins, np.minimum(begins + width, len(self))

    # ---- search ---------------------------------------------------------------------------------

    def best_span(
        self,
        query: str,
        max_width: int = 32,
        *,
        order: float | None = None,
        threads: int | None = None,
    ) -> Span:
        """The span of at most so many words that is most like a query, of equal ones the shortest.

        :param order: how much the order of words counts, as in ``similarity``
        """
        if not 1 <= max_width <= LARGEST_WIDTH:
            raise ConfigError(f"max_width must be 1 to {LARGEST_WIDTH:,}, not {max_width}")
        if order is not None and not 0 <= order <= 1:
            raise ConfigError(f"order must be 0 to 1, not {order}")
        if not len(self._encoder.tokenizer.ids([query], threads=1).flat):
            raise ConfigError(f"no word of the query {query!r} is known to the model")
        if self._bounds[-1] == 0:
            raise ConfigError("no word of the document is known to the model")
        weighted = self._weighted(order)
        queries = [each._encoder.encode(query, normalize="all") for each, _ in weighted]
        width, best = min(max_width, len(self)), (-np.inf, 0, 0)
        for first in range(0, len(self), STARTS):
            total = np.zeros((min(STARTS, len(self) - first), width), np.float32)
            for (document, weight), wanted in zip(weighted, queries, strict=True):
                total += weight * document._scores(first, len(total), width, wanted, threads)
            # By width before by place: of equal ones the shortest is the first.
            wide, start = divmod(int(total.T.argmax()), len(total))
            best = max(best, (float(total[start, wide]), -wide, -(first + start)))
        score, begin, end = best[0], -best[2], 1 - best[1] - best[2]
        place = self._places[begin][0], self._places[end - 1][1]
        return Span(begin, end, score, self.text[slice(*place)], place)

    # ---- inside ---------------------------------------------------------------------------------

    def _composed(
        self,
        compose: Any,
        begins: Int64s,
        ends: Int64s,
        normalize: Normalization | None,
        threads: int | None,
    ) -> Floats:
        number = check_normalization(normalize, self._encoder.projection)
        out = np.empty((len(begins), self._encoder.dim), np.float32)
        bounds = self._bounds
        saturated = compose(bounds[begins], bounds[ends], out, number, thread_count(threads))
        saturation_warning(saturated, out.dtype)
        return out

    def _scores(
        self, first: int, count: int, width: int, query: Any, threads: int | None
    ) -> Floats:
        """The cosines of spans that begin at some words, by their width less one."""
        out = np.empty((count, width), np.float32)
        self._native.scores(self._bounds, first, query, out, thread_count(threads))
        return out

    def _weighted(self, order: float | None) -> list[tuple["Document", np.float32]]:
        """The documents whose cosines are added, and what each counts."""
        weights = {"whole": 1.0} if order is None else {"bag": 1 - order, "order": order}
        return [
            (self._half(name), np.float32(weight)) for name, weight in weights.items() if weight
        ]

    def _half(self, name: str) -> "Document":
        if name not in self._halves:
            half = {"bag": self._encoder.bag, "order": self._encoder.order}.get(name)
            encoder = (self._encoder if half is None else half()).comparable()
            if encoder is self._encoder:
                return self
            words = [self.text[begin:end] for begin, end in self._places]
            self._halves[name] = Document(encoder, words)
        return self._halves[name]

"""An embedding for every token of a text, and for every beginning of it."""

from collections.abc import Iterable
from typing import NamedTuple, overload

import numpy as np

from cmow.arrays import Floats, Int64s
from cmow.choices import Normalization
from cmow.encoder.base import EncoderBase
from cmow.encoder.composer import check_normalization, saturation_warning
from cmow.encoder.inputs import text_blocks
from cmow.text import Ids
from cmow.threads import thread_count


class Tokens(NamedTuple):
    """The known tokens of a text.

    :param words: as the vocabulary has them
    :param rows: the embedding of each token alone
    :param prefixes: the embedding of the text up to each token; the last is that of the text
    """

    words: list[str]
    rows: Floats
    prefixes: Floats


class Tokenwise(EncoderBase):
    """The method that looks at texts token by token."""

    @overload
    def encode_tokens(  # type: ignore[overload-overlap]
        self, texts: str, *, normalize: Normalization | None = None, threads: int | None = None
    ) -> Tokens: ...
    @overload
    def encode_tokens(
        self,
        texts: Iterable[str],
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
    ) -> list[Tokens]: ...
    def encode_tokens(
        self,
        texts: str | Iterable[str],
        *,
        normalize: Normalization | None = None,
        threads: int | None = None,
    ) -> Tokens | list[Tokens]:
        """The embeddings of each token and of each beginning of a text, as `encode` has them.

        Texts have as many rows as known tokens: a list of one `Tokens` a text, or one for a single
        text. The rest is as in `encode`.
        """
        check_normalization(normalize, self.projection)
        if isinstance(texts, str):
            return self.encode_tokens([texts], normalize=normalize, threads=threads)[0]
        return [
            tokens
            for block in text_blocks(texts)
            for tokens in self._tokens(
                self.tokenizer.ids(block, threads=threads), normalize, threads
            )
        ]

    def _tokens(
        self, ids: Ids, normalize: Normalization | None, threads: int | None
    ) -> Iterable[Tokens]:
        words = self.tokenizer.vocabulary.words
        distinct, numbers = np.unique(ids.flat, return_inverse=True)
        singles = np.arange(len(distinct) + 1)
        rows = self.encode_ids(distinct, singles, normalize=normalize, threads=threads)
        prefixes = self._prefixes(ids, normalize, threads)
        for begin, end in zip(ids.offsets[:-1].tolist(), ids.offsets[1:].tolist(), strict=True):
            yield Tokens(
                [words[number] for number in ids.flat[begin:end].tolist()],
                np.asarray(rows, np.float32)[numbers[begin:end]],
                prefixes[begin:end],
            )

    def _prefixes(self, ids: Ids, normalize: Normalization | None, threads: int | None) -> Floats:
        document = self.native_document()
        document.append(ids.flat)
        begins: Int64s = np.repeat(ids.offsets[:-1], np.diff(ids.offsets))
        ends: Int64s = np.arange(1, len(ids.flat) + 1, dtype=np.int64)
        out = np.empty((len(ends), self.dim), np.float32)
        number = check_normalization(normalize, self.projection)
        saturated = document.spans(begins, ends, out, number, thread_count(threads))
        saturation_warning(saturated, out.dtype)
        return out

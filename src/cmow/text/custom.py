"""Any tokenizer file of the `tokenizers` library: BPE, Unigram, unusual WordPiece and others."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, Literal

import numpy as np
import tokenizers

from cmow import _core
from cmow.arrays import Booleans
from cmow.errors import FormatError
from cmow.text.ids import Ids
from cmow.text.vocabulary import Counts, Vocabulary

TEXTS_AT_A_TIME = 4096  # the library makes a large object of each text
LARGEST_ID = 10_000_000  # an encoder has a row for every id up to the largest


class CustomSplitting:
    """Splits with the library; each piece is a token, and only the unknown one is discarded."""

    kind: Literal["custom"] = "custom"
    lowercase = False  # the file decides for itself

    def __init__(self, description: dict[str, Any], counts: Counts | None) -> None:
        # A text must give the same ids whatever its batch mates and length, and each time.
        model = dict(description["model"])
        if "dropout" in model:
            model["dropout"] = None
        description = {**description, "model": model, "padding": None, "truncation": None}
        with _faults("{}"):
            self._tokenizer = tokenizers.Tokenizer.from_str(json.dumps(description))
        self.vocabulary = Vocabulary.of_pieces(_pieces(self._tokenizer), counts)
        self._unknown = _unknown_id(model, self.vocabulary)

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """The pieces of each text."""
        piece_of = self.vocabulary.words
        return [[piece_of[number] for number in row] for row in self._encode(texts)]

    def ids(self, texts: Sequence[str], threads: int) -> Ids:  # noqa: ARG002
        """The ids of the pieces of each text; the library decides on its threads itself."""
        rows = list(self._encode(texts))
        flat = np.fromiter(chain.from_iterable(rows), np.int32)
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        known: Booleans = flat != self._unknown
        kept = np.concatenate([[0], np.cumsum(known, dtype=np.int64)])
        return Ids(flat[known], kept[offsets], int(flat.size - kept[-1]))

    def ids_of_lines(self, block: bytes) -> Ids:
        """The ids of each line of a block of UTF-8."""
        lines = bytes(block).decode("utf-8", "replace").removesuffix("\n").split("\n")
        return self.ids([line.removesuffix("\r") for line in lines] if block else [], threads=1)

    def to_json(self) -> str:
        """The content of a tokenizer.json."""
        content: str = self._tokenizer.to_str()
        return content

    def _encode(self, texts: Sequence[str]) -> Iterator[list[int]]:
        checked = _core.checked_texts(texts)
        for start in range(0, len(checked), TEXTS_AT_A_TIME):
            block = list(checked[start : start + TEXTS_AT_A_TIME])
            # Such as a token that the model neither has nor calls unknown.
            with _faults("the tokenizer file has a fault: {}; mend it"):
                encodings = self._tokenizer.encode_batch_fast(block, add_special_tokens=False)
            yield from (encoding.ids for encoding in encodings)


@contextmanager
def _faults(message: str) -> Iterator[None]:
    """Whatever the library raises is a fault of the file, to be told by a message of ours."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # its panics are no `Exception`
        raise FormatError(message.format(error)) from None


def _pieces(tokenizer: tokenizers.Tokenizer) -> list[str]:
    """The piece of each id; ids that the file leaves out get a name of their own."""
    by_id = {number: piece for piece, number in tokenizer.get_vocab().items()}
    largest = max(by_id, default=-1)
    if largest > LARGEST_ID:
        raise FormatError(f"the piece {by_id[largest]!r} has the id {largest}, above {LARGEST_ID}")
    return [by_id.get(number, f"no piece {number}") for number in range(largest + 1)]


def _unknown_id(model: dict[str, Any], vocabulary: Vocabulary) -> int:
    """The id that stands for whatever the model does not know, or -1."""
    by_name = vocabulary.get(model.get("unk_token") or "")
    by_number = model.get("unk_id")
    return next((number for number in (by_name, by_number) if number is not None), -1)

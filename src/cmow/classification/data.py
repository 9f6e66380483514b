"""Examples of files: tables with a column of labels, or fastText's lines."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from cmow.corpus import (
    LONGEST_MAGIC,
    STDIN,
    MissingColumnError,
    arrow_kind,
    expand,
    lines_of,
    read_blocks,
    read_lines,
    read_rows,
    without_tables,
)
from cmow.errors import ConfigError, FormatError, path_in_errors

PREFIX = "__label__"

Label = str | int | float
Text = str | tuple[str, str]


class Columns(NamedTuple):
    """What the columns of a table are called; fastText's lines have none."""

    text: str = "text"
    label: str = "label"
    second: str | None = None  # the other text of a pair


@dataclass(frozen=True)
class Examples:
    """Texts, or pairs of them, and their labels: one each, or several."""

    texts: Sequence[Text]
    labels: Sequence[Any]
    places: Sequence[str]  # where each was found, for messages

    @classmethod
    def of(cls, texts: Iterable[Any], labels: Iterable[Any]) -> "Examples":
        """Of what was handed over; whatever is wrong with it is said."""
        texts, labels = list(texts), [_plain(label) for label in labels]
        if len(texts) != len(labels):
            raise ConfigError(f"{len(texts)} texts and {len(labels)} labels: give as many of both")
        places = [f"text {number}" for number in range(1, len(texts) + 1)]
        made = cls([_checked(*each) for each in zip(texts, places, strict=True)], labels, places)
        made.check_labels()
        return made

    def some(self, numbers: Iterable[int]) -> "Examples":
        """Those of some numbers."""
        chosen = list(numbers)
        return Examples(
            [self.texts[number] for number in chosen],
            [self.labels[number] for number in chosen],
            [self.places[number] for number in chosen],
        )

    def followed_by(self, more: "Examples") -> "Examples":
        """These and others."""
        return Examples(
            [*self.texts, *more.texts],
            [*self.labels, *more.labels],
            [*self.places, *more.places],
        )

    def check_labels(self) -> None:
        """Refuse labels that are missing: the first of them, and how many."""
        missing = [number for number, label in enumerate(self.labels) if _is_missing(label)]
        if missing:
            many = f" ({len(missing):,} of {len(self.labels):,} lack one)"
            raise FormatError(
                f"{self.places[missing[0]]}: no label{many}: give each text one, or leave it out"
            )

    def __len__(self) -> int:
        return len(self.texts)


def read_examples(paths: Iterable[Path], columns: Columns) -> Examples:
    """Examples of CSV, TSV, JSON lines, Parquet, Arrow, and fastText's ``__label__x text``."""
    found = list(chain.from_iterable(_read(path, columns) for path in expand(paths)))
    if not found:
        raise FormatError(f"{', '.join(map(str, paths))}: no examples in it")
    texts, labels, places = zip(*found, strict=True)
    Examples(texts, labels, places).check_labels()
    checked = [_checked(*each) for each in zip(texts, places, strict=True)]
    return Examples(checked, _one_each(labels), places)


def _one_each(labels: Sequence[Any]) -> Sequence[Any]:
    """The labels out of their tuples, if none has several."""
    if all(isinstance(label, tuple) and len(label) == 1 for label in labels):
        return [label for (label,) in labels]
    return labels


def read_texts(
    paths: Iterable[Path], *, pairs: bool, text: str | None = None, second: str | None = None
) -> Iterator[Text]:
    """Texts to be judged, a line each; those of a pair stand on both sides of a tab.

    :param text: the column of the texts, of tables
    :param second: that of the second texts, for pairs
    """
    if text is None and second is None:
        if pairs:
            return _of_pairs(paths)
        return lines_of(without_tables(read_blocks(paths), option="--text"))
    if text is None or (second is None) == pairs:
        wanted = "pairs: name two columns" if pairs else "single texts: name one column"
        raise ConfigError(f"the classifier labels {wanted}")
    return _of_columns(paths, [text] if second is None else [text, second])


def _of_columns(paths: Iterable[Path], names: Sequence[str]) -> Iterator[Text]:
    for path in expand(paths):
        if path == STDIN:
            raise ConfigError("standard input has lines and no columns: name files")
        for number, values in read_rows(path, names):
            found = tuple(values) if len(names) > 1 else values[0]
            yield _checked(found, f"{path}:{number}")


def _of_pairs(paths: Iterable[Path]) -> Iterator[Text]:
    for number, line in enumerate(read_lines(paths), start=1):
        first, tab, second = line.partition("\t")
        if not tab:
            raise FormatError(f"line {number}: one text only: write two, with a tab between them")
        yield first, second


def _read(path: Path, columns: Columns) -> Iterator[tuple[Any, Any, str]]:
    with path_in_errors(path), path.open("rb") as file:
        packed = arrow_kind(file.read(LONGEST_MAGIC)) is not None
    first = "" if packed else next(iter(read_lines(path)), "")
    if any(word.startswith(PREFIX) for word in first.split()):
        yield from _of_lines(path)
        return
    names = [columns.label, columns.text, *([columns.second] if columns.second else [])]
    try:
        for number, (label, *texts) in read_rows(path, names):
            text = tuple(texts) if columns.second else texts[0]
            yield text, _plain(label), f"{path}:{number}"
    except MissingColumnError as error:
        raise FormatError(
            f"{error}: name the columns of texts and labels, or begin lines with {PREFIX}NAME"
        ) from None


def _of_lines(path: Path) -> Iterator[tuple[str, tuple[str, ...] | None, str]]:
    for number, line in enumerate(read_lines(path), start=1):
        words = line.split()
        if not words:
            continue
        labels = tuple(word[len(PREFIX) :] for word in words if word.startswith(PREFIX))
        text = " ".join(word for word in words if not word.startswith(PREFIX))
        yield text, labels or None, f"{path}:{number}"


def _plain(label: Any) -> Any:
    """A label as JSON has it: numbers of NumPy become Python's, and several labels a tuple."""
    if isinstance(label, (list, tuple, set, frozenset)):
        found = [_plain(each) for each in label]
        return tuple(sorted(found, key=str) if isinstance(label, (set, frozenset)) else found)
    if hasattr(label, "item") and getattr(label, "ndim", 0) == 0:
        return label.item()
    if isinstance(label, str):
        return label.strip()
    return label


def _is_missing(label: Any) -> bool:
    return label is None or label == "" or (isinstance(label, float) and math.isnan(label))


def _checked(text: Any, place: str) -> Text:
    texts = text if isinstance(text, (tuple, list)) else (text,)
    for each in texts:
        if not isinstance(each, str):
            raise FormatError(f"{place}: {each!r} is not a text")
        try:
            each.encode()
        except UnicodeEncodeError:
            raise FormatError(f"{place}: not UTF-8: convert the text") from None
        if not each.strip():
            raise FormatError(f"{place}: the text is empty: leave it out")
    if isinstance(text, str):
        return text
    if len(texts) != 2:
        raise FormatError(f"{place}: {len(texts)} texts: give one, or a pair")
    return texts[0], texts[1]


def counted(labels: Iterable[Any]) -> Counter[Label]:
    """How often each label occurs."""
    return Counter(
        each for label in labels for each in (label if isinstance(label, tuple) else (label,))
    )

"""The pairs of SICK: whether the first entails the second, and how related they are."""

from cmow.evaluation.data import DataFolder, Row, text_of
from cmow.evaluation.sentences import Pairs

JUDGEMENTS = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
FILES = ("train", "trial", "test_annotated")


def read_sick(data: DataFolder, column: str) -> list[Pairs]:
    """The training, development and test pairs with their "entailment" or "relatedness"."""
    return [_read(data, f"downstream/SICK/SICK_{file}.txt", column) for file in FILES]


def _read(data: DataFolder, file: str, column: str) -> Pairs:
    def value(row: Row) -> float:
        return row.label(4, JUDGEMENTS) if column == "entailment" else row.value(3)

    return Pairs.of(
        (text_of(row.columns[1]), text_of(row.columns[2]), value(row))
        for row in data.rows(file, 5, header=True)
    )

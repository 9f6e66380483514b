"""The pairs of STS-B."""

from cmow.evaluation.data import DataFolder, Row, text_of
from cmow.evaluation.sentences import Pairs

FOLDER = "downstream/STS/STSBenchmark"


def read_benchmark(data: DataFolder) -> list[Pairs]:
    """The training, development and test pairs with their scores."""
    return [Pairs.of(map(_pair, _rows(data, split))) for split in ("train", "dev", "test")]


def read_test_genres(data: DataFolder) -> dict[str, Pairs]:
    """The test pairs by genre: captions, forums, news."""
    rows = _rows(data, "test")
    genres = dict.fromkeys(row.columns[0] for row in rows)
    return {
        genre.removeprefix("main-"): Pairs.of(_pair(r) for r in rows if r.columns[0] == genre)
        for genre in genres
    }


def _rows(data: DataFolder, split: str) -> list[Row]:
    return list(data.rows(f"{FOLDER}/sts-{split}.csv", 7))


def _pair(row: Row) -> tuple[str, str, float]:
    return text_of(row.columns[5]), text_of(row.columns[6]), row.value(4)

"""What the comparison with other encoders reckons by itself."""

import random
from itertools import combinations
from pathlib import Path

import pytest

from cmow.corpus import PrepareSettings, prepare

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture(autouse=True)
def _bench(monkeypatch):
    if not BENCH.is_dir():
        pytest.skip("there are no benchmarks beside the tests")
    monkeypatch.syspath_prepend(BENCH)


@pytest.mark.parametrize(
    ("words", "plan"),
    [(10.5, (10, 1)), (99, (99, 1)), (100, (100, 1)), (299, (100, 2)), (9_999, (100, 5))],
)
def test_too_little_time_takes_a_part_of_the_text_and_plenty_no_more_than_is_good(words, plan):
    from peers_corpus import affordable

    assert affordable(words, text=100, passes=5) == plan


def test_the_written_text_is_the_prepared_one_up_to_a_number_of_words(tmp_path):
    from peers_corpus import write_words

    lines = ["The cat sat .", "a Dog barked at the cat", "the dog sat"]
    corpus = prepare(lines, tmp_path / "corpus", PrepareSettings(tokenizer="whitespace"))
    texts = [line.lower() for line in lines]
    for count, written in ((13, texts), (12, texts[:2]), (10, texts[:2]), (9, texts[:1])):
        file = write_words(corpus, count, tmp_path / "text.txt")
        assert file.read_text().splitlines() == written


def test_labels_cover_neither_points_nor_each_other():
    from peers_page import Box, places, within

    draw = random.Random(0)
    points = [(draw.uniform(0, 600), draw.uniform(0, 400)) for _ in range(14)]
    points[1] = points[0]
    sizes = [(draw.uniform(40, 120), 12) for _ in points]
    room = Box(-20, -20, 620, 420)
    labels = places(points, sizes, room, gap=5)
    assert all(within(label, room) for label in labels)
    assert not any(left.meets(right) for left, right in combinations(labels, 2))
    dots = [Box(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    assert not any(label.meets(dot) for label in labels for dot in dots)
    assert [label[2] - label[0] for label in labels] == pytest.approx([each[0] for each in sizes])

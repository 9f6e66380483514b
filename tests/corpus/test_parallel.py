"""Results come in order, few at a time, and an error ends the work."""

import threading
import time
from collections.abc import Iterator

import pytest

from cmow.corpus.parallel import in_order
from cmow.corpus.passes import count_words
from cmow.corpus.progress import Tracker
from cmow.corpus.readers import Block


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_keep_the_order_of_their_items(threads: int) -> None:
    def slow_at_first(number: int) -> int:
        time.sleep(0.01 if number < 3 else 0)
        return number**2

    squares = list(in_order(slow_at_first, range(50), threads=threads))
    assert squares == [number**2 for number in range(50)]


def test_items_are_taken_as_they_are_needed() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield number

    results = in_order(lambda number: number, items(), threads=2)
    assert next(results) == 0
    assert taken < 10
    results.close()  # type: ignore[attr-defined]


def test_an_error_is_passed_on_and_no_thread_stays() -> None:
    before = threading.active_count()
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda number: 1 // (number - 5), range(20), threads=2))
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 2])
def test_a_failing_count_does_not_hang(threads: int) -> None:
    blocks = [Block(None, "text", 1, 0)] * 20  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        count_words(blocks, "words", True, threads=threads, tracker=Tracker(None))

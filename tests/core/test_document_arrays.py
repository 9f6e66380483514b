"""Documents of the core: arrays that lie end in an error, and reading while one grows is safe."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cmow import _core

WORDS = 6


def composer() -> _core.Composer:
    made = _core.Composer()
    none, rows = np.zeros(0, np.float32), np.random.default_rng(0).normal(size=(WORDS, 9))
    made.add("product", 3, none, False, rows.astype(np.float32), None, 1, None)
    made.add("sum", 9, none, False, rows.astype(np.float32), None, 1, None)
    return made


def document(length: int = 20) -> _core.Document:
    made = _core.Document(composer())
    made.append(np.arange(length, dtype=np.int32) % WORDS)
    return made


@pytest.mark.parametrize(
    ("begin", "end"), [(-1, 3), (3, 2), (0, 21), (21, 21), (2**62, 2**63 - 1), (-(2**63), 0)]
)
def test_spans_beyond_a_document(begin, end):
    out = np.empty((1, 18), np.float32)
    for compose in (document().spans, document().windows):
        with pytest.raises(ValueError, match="beyond the document"):
            compose(np.array([begin]), np.array([end]), out, 0, 1)


def test_arrays_that_do_not_fit():
    made, two = document(), np.array([0, 2])
    for begins, ends, out in [
        (two, two[:1], np.empty((2, 18), np.float32)),
        (two, two, np.empty((1, 18), np.float32)),
        (two, two, np.empty((2, 17), np.float32)),
    ]:
        with pytest.raises(ValueError, match="out must be"):
            made.spans(begins, ends, out, 0, 1)
    with pytest.raises(ValueError, match="go back"):
        made.windows(two[::-1].copy(), np.array([3, 3]), np.empty((2, 18), np.float32), 0, 1)
    with pytest.raises(ValueError, match="normalize"):
        made.spans(two, two, np.empty((2, 18), np.float32), 3, 1)
    query, out = np.zeros(18, np.float32), np.empty((2, 3), np.float32)
    for bounds, first, vector, message in [
        (np.array([0, 2, 1]), 0, query, "must not fall"),
        (np.array([0, 2, 21]), 0, query, "beyond the document"),
        (np.array([-1, 2, 3]), 0, query, "beyond the document"),
        (np.array([0, 2, 3]), 1, query, "no such bounds"),
        (np.array([0, 2, 3]), -1, query, "no such bounds"),
        (np.array([0, 2, 3]), 0, query[:5], "as wide as an embedding"),
    ]:
        with pytest.raises(ValueError, match=message):
            made.scores(bounds, first, vector, out, 1)
    with pytest.raises(IndexError, match="not in the vocabulary"):
        made.append(np.array([WORDS], np.int32))
    with pytest.raises(ValueError, match="needs a part"):
        _core.Document(_core.Composer())


def test_reading_while_a_document_grows():
    made = document(64)
    begins, ends = np.arange(0, 40), np.arange(24, 64)
    out = [np.empty((40, 18), np.float32) for _ in range(8)]
    with ThreadPoolExecutor(4) as pool:
        reading = [pool.submit(made.spans, begins, ends, rows, 1, 1) for rows in out]
        for _ in range(300):
            made.append(np.arange(64, dtype=np.int32) % WORDS)
        for each in reading:
            each.result()
    for rows in out[1:]:
        np.testing.assert_array_equal(rows, out[0])

"""A prepared corpus that something has damaged is named when it is opened."""

from pathlib import Path

import numpy as np
import pytest

from cmow.corpus import Corpus, integrity, prepare
from cmow.errors import FormatError

TEXTS = ["the dog saw the cat", "the cat saw the dog", "a bird saw them all"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    prepare(TEXTS, tmp_path / "prepared")
    return tmp_path / "prepared"


@pytest.mark.parametrize("bit", range(8 * 8))
def test_a_flipped_bit_of_an_offset(folder: Path, bit: int) -> None:
    offsets = np.fromfile(folder / "offsets.int64", "<i8")
    offsets[1] ^= np.array(1 << bit, np.uint64).astype(np.int64)
    offsets.tofile(folder / "offsets.int64")
    if bit < 4 and offsets[0] <= offsets[1] <= offsets[2]:
        assert len(Corpus.open(folder)) == 3  # one sentence begins elsewhere
    else:
        with pytest.raises(FormatError, match=r"offsets.int64: damaged \(an offset is .*again"):
            Corpus.open(folder)


@pytest.mark.parametrize("bit", range(4, 32))
def test_a_flipped_bit_of_an_id(folder: Path, bit: int) -> None:
    ids = np.fromfile(folder / "ids.int32", "<i4")
    ids[3] ^= np.array(1 << bit, np.uint32).astype(np.int32)
    ids.tofile(folder / "ids.int32")
    with pytest.raises(FormatError, match=r"ids.int32: damaged \(id .* in a vocabulary of 8 wor"):
        Corpus.open(folder)
    assert len(prepare(TEXTS, folder)) == 3  # it is made again
    assert Corpus.open(folder).flat.max() == 7


@pytest.mark.parametrize("place", [0, -1])
def test_offsets_begin_at_the_first_id_and_end_at_the_last(folder: Path, place: int) -> None:
    offsets = np.fromfile(folder / "offsets.int64", "<i8")
    offsets[place] += 1 if place == 0 else -1
    offsets.tofile(folder / "offsets.int64")
    with pytest.raises(FormatError, match=r"offsets.int64: damaged \(offsets from . to .. of 15"):
        Corpus.open(folder)


def test_files_of_many_pieces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "PIECE", 2)
    assert len(Corpus.open(folder)) == 3
    offsets = np.fromfile(folder / "offsets.int64", "<i8")
    offsets[2] = offsets[1] - 1
    offsets.tofile(folder / "offsets.int64")
    with pytest.raises(FormatError, match=r"offsets.int64: damaged \(an offset is 4"):
        Corpus.open(folder)

import pytest
from senteval import write

from cmow.errors import ConfigError, FormatError
from cmow.evaluation.data import DataFolder, MissingData, text_of


def test_the_first_folder_that_has_a_file_wins(tmp_path):
    write(tmp_path / "a/x.txt", ["from a"])
    write(tmp_path / "b/x.txt", ["from b"])
    write(tmp_path / "b/y.txt", ["only b"])
    data = DataFolder([tmp_path / "a", tmp_path / "b"])
    assert data.lines("x.txt") == ["from a"]
    assert data.lines("y.txt") == ["only b"]
    with pytest.raises(MissingData, match=r"z\.txt"):
        data.lines("z.txt")


def test_a_folder_of_the_layout_can_be_given_by_itself(tmp_path):
    write(tmp_path / "wordsim/x.txt", ["words"])
    write(tmp_path / "other/wordsim/x.txt", ["whole layout"])
    assert DataFolder(tmp_path / "wordsim").lines("wordsim/x.txt") == ["words"]
    both = DataFolder([tmp_path / "other", tmp_path / "wordsim"])
    assert both.lines("wordsim/x.txt") == ["whole layout"]
    assert both.find("downstream/x.txt") is None


def test_a_whole_layout_may_be_called_like_one_of_its_folders(tmp_path):
    write(tmp_path / "probing/probing/x.txt", ["whole layout"])
    assert DataFolder(tmp_path / "probing").lines("probing/x.txt") == ["whole layout"]


def test_a_folder_must_exist(tmp_path):
    with pytest.raises(ConfigError, match="nowhere is not a folder"):
        DataFolder(tmp_path / "nowhere")


def test_only_line_feeds_end_lines(tmp_path):
    (tmp_path / "x.txt").write_bytes("one\u2028still one\r\ntwo\x85\n\nlast".encode())
    lines = DataFolder(tmp_path).lines("x.txt")
    assert lines == ["one\u2028still one", "two\x85", "", "last"]


def test_rows(tmp_path):
    write(tmp_path / "x.txt", ["head\tline", "a b\tc\td", "e\tf"])
    rows = list(DataFolder(tmp_path).rows("x.txt", 2, header=True))
    assert [row.columns for row in rows] == [["a b", "c", "d"], ["e", "f"]]
    assert [row.number for row in rows] == [2, 3]
    write(tmp_path / "y.txt", ["3 a b"])
    (row,) = DataFolder(tmp_path).rows("y.txt", 2, separator=" ")
    assert row.columns == ["3", "a b"]
    assert row.value(0) == 3
    assert row.label(0, ("1", "3")) == 1


def test_a_file_is_not_looked_for_again_with_every_row(tmp_path, monkeypatch):
    write(tmp_path / "x.txt", ["a"] * 100)
    sought = []
    find = DataFolder.find
    monkeypatch.setattr(
        DataFolder, "find", lambda data, name: sought.append(name) or find(data, name)
    )
    assert len(list(DataFolder(tmp_path).rows("x.txt", 1))) == 100
    assert len(sought) < 5


def test_faults_name_file_and_line(tmp_path):
    write(tmp_path / "x.txt", ["1\ta", "alone", "x\tb"])
    data = DataFolder(tmp_path)
    with pytest.raises(FormatError, match=r"x\.txt:2: expected 2 columns, found 1"):
        list(data.rows("x.txt", 2))
    *_, last = data.rows("x.txt", 1)
    with pytest.raises(FormatError, match=r"x\.txt:3: 'x' is not a number"):
        last.value(0)
    with pytest.raises(FormatError, match=r"x\.txt:3: 'x' is none of 1, 2"):
        last.label(0, ("1", "2"))
    (tmp_path / "y.txt").write_bytes(b"good\nbad \xff\n")
    with pytest.raises(FormatError, match=r"y\.txt:2: not UTF-8"):
        data.lines("y.txt")


def test_text_of():
    assert text_of("  a   b\tc ") == "a b c"

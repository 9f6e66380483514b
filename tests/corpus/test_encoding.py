"""Lines that are not UTF-8 fail, are replaced or skipped, and are always named."""

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmow.corpus.encoding import InvalidLines
from cmow.corpus.readers import read_lines
from cmow.errors import ConfigError, FormatError

LATIN = "good ü\n".encode() + b"bad \xfc here\n" + b"good again\n" + b"cut \xe2\x82\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "latin.txt"
    file.write_bytes(LATIN)
    return file


def test_fail_names_file_line_byte_and_cure(file: Path) -> None:
    place = r"latin\.txt:2: not UTF-8 \(byte 0xfc at position 5\); convert .*--invalid"
    with pytest.raises(FormatError, match=place):
        list(read_lines(file))


def test_replace_keeps_every_line(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "cmow.corpus"):
        lines = list(read_lines(file, invalid="replace"))
    assert lines == ["good ü", "bad \ufffd here", "good again", "cut \ufffd"]
    assert [message.split(": ")[0] for message in caplog.messages] == [f"{file}:2", f"{file}:4"]


def test_skip_leaves_the_lines_out(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "cmow.corpus"):
        assert list(read_lines(file, invalid="skip")) == ["good ü", "good again"]
    assert "latin.txt:2: not UTF-8" in caplog.text


def test_a_file_of_bad_lines_does_not_flood_the_log(caplog: pytest.LogCaptureFixture) -> None:
    policy = InvalidLines("skip")
    with caplog.at_level(logging.WARNING, "cmow.corpus"):
        assert policy.mend(b"\xff\n" * 1000, "text", 1) == b""
    assert policy.count == 1000
    assert len(caplog.messages) == 10


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ConfigError, match="fail, replace, skip, not 'ignore'"):
        InvalidLines("ignore")  # type: ignore[arg-type]


@given(st.binary())
def test_what_comes_out_is_utf8_and_good_lines_stay(data: bytes) -> None:
    data += b"\n"
    replaced = InvalidLines("replace").mend(data, "text", 1)
    skipped = InvalidLines("skip").mend(data, "text", 1)
    assert replaced.decode() == data.decode(errors="replace")
    good = []
    for line in data.split(b"\n"):
        try:
            good.append(line.decode())
        except UnicodeDecodeError:
            continue
    assert skipped.decode().split("\n") == good

"""Every kind of input gives the same lines, and damaged input names its place."""

import gzip
import lzma
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from cmow.corpus import readers
from cmow.corpus.readers import expand, read_blocks, read_lines
from cmow.errors import FormatError, MissingExtraError

LINES = ["the first line", "", "zweite Zeile — größer", "\u4e09 \U0001f600", "last"]
TEXT = "".join(line + "\n" for line in LINES).encode()
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "txt": lambda data: data,
    "gz": gzip.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
}
PACKED = [kind for kind in PACKERS if kind != "txt"]


@pytest.mark.parametrize("kind", PACKERS)
def test_packed_files_read_as_plain_ones_whatever_their_name(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "text"
    file.write_bytes(PACKERS[kind](TEXT))
    assert list(read_lines(file)) == LINES


@pytest.mark.parametrize("kind", PACKED)
def test_members_behind_each_other_are_one_text(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "text"
    file.write_bytes(PACKERS[kind](TEXT[:7]) + PACKERS[kind](b"") + PACKERS[kind](TEXT[7:]))
    assert list(read_lines(file)) == LINES


@pytest.mark.parametrize("kind", ["gz", "xz"])
def test_padding_behind_packed_data_is_no_text(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "text"
    file.write_bytes(PACKERS[kind](TEXT) + bytes(8))
    assert list(read_lines(file)) == LINES


@pytest.mark.parametrize("kind", PACKED)
def test_a_cut_off_file_is_named(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "cut"
    file.write_bytes(PACKERS[kind](os.urandom(500).hex().encode())[:-9])
    with pytest.raises(FormatError, match=rf"cut: the {kind} data ends too early"):
        list(read_lines(file))


@pytest.mark.parametrize("kind", PACKED)
def test_damaged_packed_data_is_named(tmp_path: Path, kind: str) -> None:
    packed = bytearray(PACKERS[kind](os.urandom(5000).hex().encode()))
    packed[8:40] = b"\xff" * 32
    file = tmp_path / "broken"
    file.write_bytes(packed)
    with pytest.raises(FormatError, match=rf"broken: damaged {kind} data"):
        list(read_lines(file))


def test_zst_without_its_package_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "text.zst"
    file.write_bytes(PACKERS["zst"](TEXT))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"cmow\[zst\]"):
        list(read_lines(file))


def test_folders_are_read_in_order_and_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/1.txt", "a.txt", ".hidden", ".git/config", "c.txt"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(name)
    assert list(read_lines(tmp_path)) == ["a.txt", "b/1.txt", "b/2.txt", "c.txt"]


def test_globs_and_lists_of_paths(tmp_path: Path) -> None:
    for name in ("2.txt", "10.txt", "other.md"):
        (tmp_path / name).write_text(name)
    assert list(read_lines(f"{tmp_path}/*.txt")) == ["10.txt", "2.txt"]
    assert list(read_lines([tmp_path / "2.txt", f"{tmp_path}/*.md"])) == ["2.txt", "other.md"]


def test_a_file_whose_name_looks_like_a_glob_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "[1].txt").write_text("one")
    assert list(read_lines(tmp_path / "[1].txt")) == ["one"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.txt", "No such file"),
        ("*.nothing", "no file matches"),
        ("empty", "the folder has no files"),
    ],
)
def test_missing_input_is_named(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match=message) as error:
        expand(tmp_path / name)
    assert error.value.filename == str(tmp_path / name)


@pytest.mark.parametrize("kind", PACKERS)
def test_stdin_of_a_real_process(kind: str) -> None:
    program = "from cmow.corpus.readers import read_lines; print(list(read_lines('-')))"
    process = subprocess.Popen(
        [sys.executable, "-X", "utf8", "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    packed = PACKERS[kind](TEXT)
    process.stdin.write(packed[:1])  # a writer may be slow: less than the first bytes at once
    process.stdin.flush()
    output, _ = process.communicate(packed[1:])
    assert eval(output.decode()) == LINES


@given(
    lines=st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b""))),
    block_bytes=st.integers(1, 40),
    last_end=st.booleans(),
)
def test_blocks_are_whole_lines_with_their_numbers(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[bytes],
    block_bytes: int,
    last_end: bool,
) -> None:
    lines = [b"a start that is neither packed nor marked", *lines]
    file = tmp_path_factory.mktemp("blocks") / "text"
    data = b"\n".join(lines) + b"\n" * last_end
    file.write_bytes(data)
    blocks = list(read_blocks(file, block_bytes=block_bytes))
    whole = b"".join(block.data for block in blocks)
    assert whole == data + b"\n" * (not data.endswith(b"\n"))
    assert sum(block.read for block in blocks) == len(data)
    number = 1
    for block in blocks:
        assert block.data.endswith(b"\n")
        assert block.first_line == number
        assert block.source == str(file)
        assert len(block.data) <= block_bytes or block.data.count(b"\n") == 1
        number += block.data.count(b"\n")


def test_windows_line_ends_and_byte_order_mark_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo \r\n\r\nfour")
    assert list(read_lines(file)) == ["one", "two ", "", "four"]


def test_empty_files_have_no_lines(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "packed").write_bytes(gzip.compress(b""))
    assert list(read_lines(tmp_path)) == []


def test_a_line_without_end_is_refused_rather_than_held_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "LONGEST_LINE", 1 << 16)
    file = tmp_path / "text"
    file.write_bytes(b"short\n" + b"x" * (1 << 17))
    with pytest.raises(FormatError, match=r"text:2: longer than 65,536 bytes"):
        list(read_blocks(file, block_bytes=1 << 10))

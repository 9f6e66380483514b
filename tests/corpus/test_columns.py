"""The text of a table is one of its columns, whatever the table's format."""

import csv
import gzip
import io
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow
import pytest
from pyarrow import ipc, parquet

import cmow
from cmow.corpus import PrepareSettings, arrow, prepare
from cmow.corpus.columns import column_blocks
from cmow.errors import ConfigError, FormatError, MissingExtraError

TEXTS = ["the dog saw the cat", 'a "quoted", und größer; cat', "", "three\tof them"]
PLAIN = [text.replace("\t", " ") for text in TEXTS]


def comma_separated(texts: list[str], separator: str = ",") -> bytes:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator)
    writer.writerows(
        [("id", " text ", "n"), *((f"{i}", text, "x") for i, text in enumerate(texts))]
    )
    return file.getvalue().encode()


def tab_separated(texts: list[str]) -> bytes:
    rows = ["id\ttext\tn", *(f"{i}\t{text}\tx" for i, text in enumerate(texts))]
    return "\r\n".join(rows).encode()


def json_lines(texts: list[str]) -> bytes:
    rows = [json.dumps({"id": i, "text": text or None}) for i, text in enumerate(texts)]
    return "\n\n".join(rows).encode()


def parquet_file(texts: list[str | None], kind: object = None) -> bytes:
    file = io.BytesIO()
    column = pyarrow.array([text or None for text in texts], kind or pyarrow.string())
    ids = pyarrow.array(range(len(texts)))
    parquet.write_table(pyarrow.table({"id": ids, "text": column}), file)
    return file.getvalue()


def arrow_file(texts: list[str], opened: Any = ipc.new_file) -> bytes:
    file = io.BytesIO()
    table = parquet.read_table(io.BytesIO(parquet_file(texts)))
    with opened(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=7000)
    return file.getvalue()


FORMATS: dict[str, tuple[Callable[[list[str]], bytes], list[str]]] = {
    "CSV": (comma_separated, TEXTS),
    "CSV with semicolons": (lambda texts: comma_separated(texts, ";"), TEXTS),
    "TSV": (tab_separated, PLAIN),
    "JSON lines": (json_lines, TEXTS),
    "Parquet": (parquet_file, TEXTS),
    "Parquet with large strings": (lambda t: parquet_file(t, pyarrow.large_string()), TEXTS),
    "Parquet with few strings": (
        lambda t: parquet_file(t, pyarrow.dictionary(pyarrow.int32(), pyarrow.string())),
        TEXTS,
    ),
    "Arrow": (arrow_file, TEXTS),
    "CSV, packed": (lambda texts: gzip.compress(comma_separated(texts)), TEXTS),
    "JSON lines, packed": (lambda texts: gzip.compress(json_lines(texts)), TEXTS),
}
FILES = pytest.mark.parametrize(("make", "texts"), FORMATS.values(), ids=FORMATS)


def lines_of(data: bytes, column: str = "text") -> list[str]:
    blocks = column_blocks(io.BytesIO(data), "table", column=column)
    return b"".join(block.data for block in blocks).decode().split("\n")[:-1]


@FILES
def test_a_column_of_every_format(make: Callable[[list[str]], bytes], texts: list[str]) -> None:
    assert lines_of(make(texts)) == texts


@FILES
def test_all_bytes_are_accounted_for(make: Callable[[list[str]], bytes], texts: list[str]) -> None:
    data = make(texts * 9000)
    blocks = list(column_blocks(io.BytesIO(data), "table", column="text"))
    assert len(blocks) > 2
    assert sum(block.read for block in blocks) == len(data)
    assert [block.first_line for block in blocks][:2] == [1, 1 + blocks[0].data.count(b"\n")]
    assert blocks[0].source == "table[text]"


@FILES
def test_one_text_has_one_content_however_it_is_kept(
    make: Callable[[list[str]], bytes], texts: list[str], tmp_path: Path
) -> None:
    (tmp_path / "table").write_bytes(make(texts))
    (tmp_path / "lines").write_text("".join(f"{text}\n" for text in texts))
    settings = PrepareSettings(column="text", minimum_count=1)
    corpus = prepare(tmp_path / "table", tmp_path / "prepared", settings)
    plain = prepare(tmp_path / "lines", tmp_path / "plain", PrepareSettings(minimum_count=1))
    assert corpus.manifest.content == plain.manifest.content
    assert corpus.flat.tolist() == plain.flat.tolist()


@pytest.mark.parametrize("name", ["CSV", "Parquet"])
def test_from_stdin_and_from_pipes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, texts = FORMATS[name]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(make(texts))))
    settings = PrepareSettings(column="text", minimum_count=1)
    corpus = prepare("-", tmp_path / "one", settings)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(make(texts),))
    writer.start()
    other = prepare(tmp_path / "pipe", tmp_path / "two", settings)
    writer.join()
    assert corpus.fingerprint == other.fingerprint
    assert corpus.manifest.statistics.lines == 4


def test_line_ends_in_quotes_are_blanks_or_end_sentences(tmp_path: Path) -> None:
    data = b'text,n\n"One cat\n\nsat. Two dogs",1\n"Three",2\n'
    assert lines_of(data) == ["One cat  sat. Two dogs", "Three"]
    blocks = column_blocks(io.BytesIO(data), "table", column="text", paragraphs=True)
    assert b"".join(b.data for b in blocks) == b"One cat\n\nsat. Two dogs\n\nThree\n\n"
    (tmp_path / "table.csv").write_bytes(data)
    settings = PrepareSettings(column="text", split=True, minimum_count=1)
    assert prepare(tmp_path / "table.csv", tmp_path / "out", settings).manifest.statistics.lines > 3


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"id,title\n1,a\n", "table:1: there is no 'text' among id, title"),
        (b"id\ttitle\n1\ta\n", "table:1: there is no 'text' among id, title"),
        (b'{"id": 1, "title": 2}\n', "table:1: there is no 'text' among id, title"),
        (b'{"text": "a"}\n{"id": 1}\n', "table:2: there is no 'text' among id"),
        (b'{"text": "a"}\n\n{"text": 5}\n', "table:3: 'text' is 5, not a text"),
        (b'{"text": ["a"]}\n', r"table:1: 'text' is \['a'\], not a text"),
        (b'{"text": "a"}\n{"text": \n', r"table:2: not valid JSON \(Expecting value"),
        (b'[{"text": "a"}]\n', "table:1: not a JSON object"),
        (b'{"a":' * 999 + b"}" * 999, r"table:1: not valid JSON \(nested too deeply\)"),
        (b"id,text\n1,a\n2,b,c\n", "table:3: 3 columns, but the first line names 2"),
        (b"id,text\n1,a\n2\n", "table:3: 1 column, but the first line names 2"),
        (b'id,text\n1,"a\n' + b"x" * 200_000, "table:3: field larger .* is a quote not closed"),
        (gzip.compress(b"id,text\n")[:-9], "table: the gz data ends too early"),
        (parquet_file(["a"])[:-20], r"table: damaged Parquet data \("),
        (b"PAR1", r"table: damaged Parquet data \("),
        (arrow_file(["a"])[:-9], r"table: damaged Arrow data \("),
        (arrow_file(["a"], ipc.new_stream)[:200], r"table: damaged Arrow data \("),
        (b"ARROW1\0\0", r"table: damaged Arrow data \("),
        (
            parquet_file([b"\xff"], pyarrow.binary()),
            "table: the column 'text' holds binary, not text",
        ),
        (parquet_file([5], pyarrow.int64()), "table: the column 'text' holds int64, not text"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{message}") as error:
        lines_of(data)
    assert "\n" not in str(error.value)


def test_a_missing_column_of_parquet() -> None:
    with pytest.raises(FormatError, match="table: there is no 'body' among id, text"):
        lines_of(parquet_file(["a"]), "body")


def test_a_file_without_lines_has_no_texts() -> None:
    assert lines_of(b"") == lines_of(b"text\n") == lines_of(b"id,text\n") == []


def test_texts_that_are_not_utf_8_are_numbered(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(b"id,text\n1,a dog\n2,b\xe4d dog\n")
    with pytest.raises(FormatError, match=r"table\.csv\[text\]:2: not UTF-8 \(byte 0xe4"):
        prepare(tmp_path, tmp_path.parent / "out", PrepareSettings(column="text"))
    (tmp_path / "table.csv").write_bytes(b'{"text": "a dog"}\n{"text": "b\xe4d dog"}\n')
    settings = PrepareSettings(column="text", invalid="skip", minimum_count=1)
    assert len(prepare(tmp_path, tmp_path.parent / "out", settings)) == 1


def test_parquet_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"cmow\[arrow\]"):
        lines_of(parquet_file(["a"]))


def test_an_arrow_stream_has_no_end_that_tells_its_batches() -> None:
    assert lines_of(arrow_file(TEXTS * 5000, ipc.new_stream)) == TEXTS * 5000


def test_parquet_is_read_a_few_rows_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "_ROWS", 2)
    assert lines_of(parquet_file(TEXTS)) == TEXTS


def test_sentences_have_no_columns(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="column = 'text' is for files"):
        prepare(["a b", "c d"], tmp_path / "out", PrepareSettings(column="text"))


def test_training_takes_a_column(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(comma_separated(TEXTS * 20))
    config = cmow.TrainConfig.of(
        {"shape": "sum(5)", "max_updates": 2, "prepare": {"column": "text", "minimum_count": 1}}
    )
    words = cmow.train(tmp_path / "table.csv", config).vocabulary.words
    assert "quoted" in words
    assert "text" not in words

"""Whoever gives a table, or names of files, for text is told so."""

import io
import logging
import re
from pathlib import Path

import pytest
from pyarrow import parquet, table

from cmow.corpus import PrepareSettings, prepare
from cmow.errors import ConfigError, FormatError

SETTINGS = PrepareSettings(minimum_count=1)
TABLES = {
    "id,text\n1,the cat sat\n": r"look like CSV: name the column .* with --column \(id, text\)",
    "id;text\n1;the cat, sat\n2;on a mat\n": r"look like CSV: .* \(id, text\)",
    'id,text\n1,"the cat, sat"\n2,on\n': r"look like CSV: .* \(id, text\)",
    "label\tthe text\npos\tthe cat sat\n": r"look like TSV: .* \(label, the text\)",
    '{"id": 1, "text": "the cat"}\n{"id": 2, "text": "sat"}\n': r"look like JSON: .*\(id, text\)",
}
TEXTS = [
    "the cat sat on a mat\nit was grey\n",
    "Hello, world\nGood night, moon\n",
    "hello , world\ngood night , moon\n",
    "one\ntwo three\n",
    "yes; no\nno; yes\n",
    "1,000 cats\n2,000 dogs\n",
    "{ the cat }\n{ the dog }\n",
    "a,b\n",
]


@pytest.mark.parametrize("text", TABLES)
def test_lines_that_look_like_a_table(
    text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "table").write_text(text)
    prepare(tmp_path / "table", tmp_path / "out", SETTINGS)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(f"{tmp_path / 'table'}: the lines ")
    assert re.search(TABLES[text], record.getMessage())


def test_a_table_whose_column_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "table").write_text(next(iter(TABLES)))
    prepare(tmp_path / "table", tmp_path / "out", PrepareSettings(minimum_count=1, column="text"))
    assert not caplog.records


@pytest.mark.parametrize("text", TEXTS)
def test_lines_that_are_text(text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "text").write_text(text)
    prepare(tmp_path / "text", tmp_path / "out", SETTINGS)
    assert not caplog.records


def test_a_parquet_file_is_no_text(tmp_path: Path) -> None:
    file = io.BytesIO()
    parquet.write_table(table({"text": ["the cat sat"]}), file)
    (tmp_path / "table").write_bytes(file.getvalue())
    with pytest.raises(FormatError, match=r"table: a file of Parquet; name the column .* --column"):
        prepare(tmp_path / "table", tmp_path / "out", SETTINGS)


def test_names_of_files_are_no_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["a.txt", "b.txt"]
    for name in names:
        Path(name).write_text("the cat sat on a mat\n")
    with pytest.raises(ConfigError, match=r"all of these name files: pass .* \[Path\('a\.txt'\)\]"):
        prepare(names, "out", SETTINGS)
    with pytest.raises(ConfigError, match=r"pass paths, as in \[Path\('b\.txt'\)\]"):
        prepare(("b.txt",), "out", SETTINGS)
    assert len(prepare([Path(name) for name in names], "out", SETTINGS)) == 2
    assert len(prepare([*names, "the cat sat"], "out", SETTINGS)) == 3
    assert len(prepare(iter(names), "out", SETTINGS)) == 2  # who knows what they are doing

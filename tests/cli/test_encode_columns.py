"""`cmow encode` of tables: a column of texts in, a column of embeddings out, the others kept."""

import gzip
import io
import json
import os
import signal
import subprocess
import time

import numpy as np
import pyarrow
import pytest
from processes import CMOW, files_in, run, run_on_terminal
from pyarrow import ipc, parquet

from cmow import load
from cmow.cli import arrow_formats
from cmow.cli.formats import make_writer
from cmow.corpus import Batch, arrow

TEXTS = ["the dog chased the cat", "", "the cat, saw", None, 'die "häuser"']
COLUMNS = {
    "number": pyarrow.array(range(5), pyarrow.int16()),
    "body": pyarrow.array(TEXTS),
    "when": pyarrow.array([0, 1, None, 3, 4], pyarrow.timestamp("ms")),
    "kinds": pyarrow.array(["a", "b", "a", None, "a"]).dictionary_encode(),
    "nested": pyarrow.array([[1, 2], [], None, [3], [4]]),
}
TABLE = pyarrow.table(COLUMNS).replace_schema_metadata({"origin": "here"})


def read(path):
    """A table of either format."""
    if path.suffix == ".parquet":
        return parquet.read_table(path)
    with ipc.open_file(path) as reader:
        return reader.read_all()


def write(path, table=TABLE, rows=2):
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=rows)
    else:
        with (ipc.new_file if path.suffix == ".arrow" else ipc.new_stream)(
            path, table.schema
        ) as to:
            to.write_table(table, max_chunksize=rows)
    return path


def numbers(column):
    """A column of fixed-size lists as an array."""
    rows = column.combine_chunks()
    return rows.flatten().to_numpy(zero_copy_only=False).reshape(len(rows), -1)


@pytest.fixture
def expected(model):
    return load(model).encode([text or "" for text in TEXTS])


@pytest.mark.parametrize("source", ["in.parquet", "in.arrow", "in.stream"])
@pytest.mark.parametrize("target", ["out.parquet", "out.arrow"])
def test_a_table_gets_a_column(cmow, model, tmp_path, expected, source, target):
    write(tmp_path / source)
    told = cmow("encode", model, tmp_path / source, "--column", "body", "-o", tmp_path / target)
    assert told == (0, "", "")
    found = read(tmp_path / target)
    assert found.column_names == [*TABLE.column_names, "embedding"]
    assert found.schema.metadata[b"origin"] == b"here"
    kept = found.drop_columns(["embedding"])
    assert kept.to_pylist() == TABLE.to_pylist()
    assert kept.drop_columns(["kinds"]).equals(TABLE.drop_columns(["kinds"]))
    assert found.schema.field("embedding").type == pyarrow.list_(pyarrow.float32(), 34)
    np.testing.assert_array_equal(numbers(found["embedding"]), expected)


@pytest.mark.parametrize("target", ["out.parquet", "out.arrow"])
def test_row_groups_with_a_dictionary_each(cmow, model, tmp_path, target):
    columns = [pyarrow.array([f"{a}{b}" for b in range(5000)]).dictionary_encode() for a in "xy"]
    table = pyarrow.table({"body": pyarrow.chunked_array(columns)})
    with parquet.ParquetWriter(tmp_path / "in.parquet", table.schema) as writer:
        for batch in table.to_batches():
            writer.write_batch(batch)
    out = tmp_path / target
    told = cmow("encode", model, tmp_path / "in.parquet", "--column", "body", "-o", out)
    assert told == (0, "", "")
    assert read(out)["body"].to_pylist() == table["body"].to_pylist()


@pytest.mark.parametrize("target", ["out.parquet", "out.arrow"])
def test_fewer_bits(cmow, model, tmp_path, expected, target):
    command = ("encode", model, write(tmp_path / "in.parquet"), "--column", "body")
    out = tmp_path / target
    assert cmow(*command, "-o", out, "--storage", "float16", "--into", "vector")[0] == 0
    half = read(out)["vector"]
    assert half.type == pyarrow.list_(pyarrow.float16(), 34)
    np.testing.assert_array_equal(numbers(half), expected.astype(np.float16))
    assert cmow(*command, "-o", out, "--storage", "int8")[0] == 0
    found = read(out)
    assert found["embedding"].type == pyarrow.list_(pyarrow.int8(), 34)
    scales = found["embedding_scale"].to_numpy()
    near = numbers(found["embedding"]) * scales[:, None]
    assert (np.abs(near - expected).max(axis=1) <= scales * 0.51).all()


def test_npy_of_half_the_bits_and_none_of_a_quarter(cmow, model, tmp_path, expected):
    command = ("encode", model, write(tmp_path / "in.parquet"), "--column", "body")
    assert cmow(*command, "-o", tmp_path / "x.npy", "--storage", "float16")[0] == 0
    found = np.load(tmp_path / "x.npy")
    assert found.dtype == np.float16
    np.testing.assert_array_equal(found, expected.astype(np.float16))
    code, _, told = cmow(*command, "-o", tmp_path / "x.npy", "--storage", "int8")
    assert code == 2
    assert "a scale each: write parquet or arrow" in told


def lines_with_columns(kind):
    rows = [{"number": str(n), "body": text or ""} for n, text in enumerate(TEXTS)]
    if kind == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    between = {"csv": ",", "tsv": "\t"}[kind]
    quoted = [
        [
            row["number"],
            '"{}"'.format(row["body"].replace('"', '""')) if kind == "csv" else row["body"],
        ]
        for row in rows
    ]
    return "\n".join(between.join(row) for row in [["number", "body"], *quoted]).encode()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_lines_with_columns(cmow, model, tmp_path, expected, kind, packed):
    data = lines_with_columns(kind)
    (tmp_path / "in").write_bytes(gzip.compress(data) if packed else data)
    for target in ("out.npy", "out.parquet", "out.jsonl"):
        assert cmow(
            "encode", model, tmp_path / "in", "--column", "body", "-o", tmp_path / target
        ) == (0, "", "")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), expected)
    table = read(tmp_path / "out.parquet")
    assert table["number"].to_pylist() == ["0", "1", "2", "3", "4"]
    assert table["body"].to_pylist() == [text or "" for text in TEXTS]
    np.testing.assert_array_equal(numbers(table["embedding"]), expected)
    objects = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [list(each) for each in objects] == [["number", "body", "embedding"]] * 5
    np.testing.assert_array_equal(
        np.array([each["embedding"] for each in objects], np.float32), expected
    )


def test_parquet_as_json_lines(cmow, model, tmp_path, expected):
    out = tmp_path / "out.jsonl"
    cmow("encode", model, write(tmp_path / "in.parquet"), "--column", "body", "-o", out)
    objects = [json.loads(line) for line in out.read_text().splitlines()]
    assert [each["nested"] for each in objects] == TABLE["nested"].to_pylist()
    assert objects[1]["when"] == "1970-01-01 00:00:00.001000"
    np.testing.assert_array_equal(
        np.array([each["embedding"] for each in objects], np.float32), expected
    )


def test_lines_become_a_table(cmow, model, tmp_path):
    (tmp_path / "in.txt").write_text("the cat\n\nthe dog\n")
    assert cmow("encode", model, tmp_path / "in.txt", "-o", tmp_path / "out.parquet")[0] == 0
    found = read(tmp_path / "out.parquet")
    assert found["text"].to_pylist() == ["the cat", "", "the dog"]
    np.testing.assert_array_equal(
        numbers(found["embedding"]), load(model).encode(["the cat", "", "the dog"])
    )


def test_pipes(model, tmp_path, expected):
    for source in ("in.parquet", "in.arrow", "in.stream"):
        data = write(tmp_path / source).read_bytes()
        command = ("encode", model, "--column", "body", "--format", "parquet")
        piped = run(*command, stdin=data)
        assert (piped.returncode, piped.stderr) == (0, b"")
        found = parquet.read_table(io.BytesIO(piped.stdout))
        np.testing.assert_array_equal(numbers(found["embedding"]), expected)
    with (tmp_path / "in.parquet").open("rb") as redirected:
        command = [*CMOW, "encode", model, "--column", "body", "--format", "npy"]
        out = subprocess.run(command, stdin=redirected, capture_output=True, check=True).stdout
    np.testing.assert_array_equal(np.load(io.BytesIO(out)), expected)


def test_several_tables_of_the_same_columns(cmow, model, tmp_path, expected):
    one, other = write(tmp_path / "a.parquet"), write(tmp_path / "b.arrow")
    out = tmp_path / "out.parquet"
    assert cmow("encode", model, one, other, "--column", "body", "-o", out)[0] == 0
    np.testing.assert_array_equal(numbers(read(out)["embedding"]), np.tile(expected, (2, 1)))
    write(other, TABLE.drop_columns(["when"]))
    code, _, told = cmow("encode", model, one, other, "--column", "body", "-o", out)
    assert code == 2
    assert "b.arrow: the columns are number (int16), body (string)" in told
    assert told.endswith("encode them one by one\n")


def test_a_table_without_rows_keeps_its_columns(cmow, model, tmp_path):
    for name in ("in.parquet", "in.arrow"):
        empty = write(tmp_path / name, TABLE.slice(0, 0))
        out = tmp_path / "out.parquet"
        assert cmow("encode", model, empty, "--column", "body", "-o", out) == (0, "", "")
        assert read(out).column_names == [*TABLE.column_names, "embedding"]
        assert len(read(out)) == 0


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("text", "in.parquet: there is no 'text' among number, body, when"),
        ("number", "in.parquet: the column 'number' holds int16, not text"),
        ("nested", "in.parquet: the column 'nested' holds list<element: int64>, not text"),
    ],
)
def test_columns_that_will_not_do(cmow, model, tmp_path, column, message):
    out = tmp_path / "out.parquet"
    out.write_bytes(b"precious")
    source = write(tmp_path / "in.parquet")
    code, shown, told = cmow("encode", model, source, "--column", column, "-o", out)
    assert (code, shown) == (2, "")
    assert message in told
    assert told.count("\n") == 1
    assert out.read_bytes() == b"precious"


def test_other_misuse_is_one_line(cmow, model, tmp_path, monkeypatch):
    source, out = write(tmp_path / "in.parquet"), tmp_path / "out.parquet"

    def told_of(*arguments):
        code, shown, told = cmow("encode", model, *arguments)
        assert (code, shown, told.count("\n")) == (2, "", 1)
        assert not out.exists()
        return told

    assert "a file of Parquet; name the column" in told_of(source, "-o", out)
    taken = told_of(source, "--column", "body", "--into", "when", "-o", out)
    assert "there is a column 'when' already: name another for the embeddings (--into)" in taken
    source.write_bytes(source.read_bytes()[:-30])
    assert "damaged Parquet data" in told_of(source, "--column", "body", "-o", out)
    (tmp_path / "x.jsonl").write_text(
        '{"body": "a", "x": 1}\n' * 5000 + '{"body": "b", "x": "y"}\n'
    )
    mixed = told_of(tmp_path / "x.jsonl", "--column", "body", "-o", out)
    assert "not all of 'x' are of one type" in mixed
    assert "write jsonl instead" in mixed
    (tmp_path / "x.jsonl").write_text('{"body": "a"}\n' * 5000 + '{"body": "b", "x": "y"}\n')
    assert "rows further down have 'x' as well" in told_of(
        tmp_path / "x.jsonl", "--column", "body", "-o", out
    )
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert "pip install 'cmow[arrow]'" in told_of(source, "--column", "body", "-o", out)


def test_rows_that_are_not_utf8(cmow, model, tmp_path):
    (tmp_path / "in.csv").write_bytes(b"number,body\n1,the cat\n2,the \xff\n\xff,dog\n4,saw\n")
    out = tmp_path / "out.parquet"
    command = ("encode", model, tmp_path / "in.csv", "--column", "body", "-o", out)
    code, _, told = cmow(*command)
    assert code == 2
    assert "in.csv[body]:3: not UTF-8" in told
    assert cmow(*command, "--invalid", "skip")[0] == 0
    assert read(out)["number"].to_pylist() == ["1", "4"]
    assert cmow(*command, "--invalid", "replace")[0] == 0
    assert read(out)["number"].to_pylist() == ["1", "2", "�", "4"]


def test_terminals_are_spared(model, tmp_path):
    source = write(tmp_path / "in.parquet")
    code, shown = run_on_terminal("encode", model, source, "--column", "body", "--format", "arrow")
    assert code == 2
    assert "binary data would spoil the terminal" in shown


@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_what_an_accident_leaves_cannot_be_read(name):
    file = io.BytesIO()
    writer = make_writer(name, file, dim=2)
    writer.write(Batch(["a"], [{"text": "a"}], "", 0), np.zeros((1, 2), np.float32))
    del writer  # pyarrow's would write the end of the file now
    file.seek(0)
    with pytest.raises(pyarrow.ArrowInvalid):
        (parquet.read_table if name == "parquet" else ipc.open_file)(file)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_killed_it_leaves_no_half_file(model, tmp_path, end):
    out = tmp_path / "out.parquet"
    out.write_bytes(b"precious")
    process = subprocess.Popen(
        [*CMOW, "encode", model, "--column", "body", "-o", out], stdin=subprocess.PIPE
    )
    process.stdin.write(b"number,body\n" + b"1,the cat\n" * 200_000)
    process.stdin.flush()
    while files_in(tmp_path) == ["out.parquet"]:
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, end)
    process.wait()
    process.stdin.close()
    assert out.read_bytes() == b"precious"


def test_row_groups_are_of_a_size_that_memory_holds(cmow, model, tmp_path, monkeypatch):
    monkeypatch.setattr(arrow_formats, "GROUP_BYTES", 5000 * 34 * 4)
    monkeypatch.setattr(arrow, "_ROWS", 1000)
    many = pyarrow.table({"body": ["the cat"] * 20_000})
    source, out = write(tmp_path / "in.parquet", many, 7000), tmp_path / "out.parquet"
    assert cmow("encode", model, source, "--column", "body", "-o", out)[0] == 0
    found = parquet.ParquetFile(out).metadata
    assert found.num_rows == 20_000
    assert {found.row_group(i).num_rows for i in range(found.num_row_groups - 1)} == {5000}

"""`cmow index`, `cmow search`, `cmow duplicates` and `cmow cluster`."""

import csv
import io
import json
import sys
from datetime import date

import pyarrow
import pytest
from processes import run
from pyarrow import parquet

TEXTS = "the cat chased the dog\nthe dog chased the cat\n\nunheard of\nthe dog saw\tthe cat\n"


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text(TEXTS)
    return path


@pytest.fixture
def index(cmow, model, texts, tmp_path):
    code, shown, told = cmow("index", texts, "-o", tmp_path / "index", "--model", model)
    assert (code, told) == (0, "")
    assert shown.startswith(f"{tmp_path / 'index'}: 5 texts, 0.00")
    return tmp_path / "index"


def test_a_query_finds_lines(cmow, index, texts):
    code, shown, told = cmow("search", index, "the dog chased the cat", "-k", 2, "--order", 1)
    assert (code, told) == (0, "")
    first, second = (line.split("\t") for line in shown.splitlines())
    assert first == ["1.0000", f"{texts}:2", "the dog chased the cat"]
    assert len(second) == 3
    code, shown, _ = cmow("search", index, "the dog saw", "-k", 9)
    assert len(shown.splitlines()) == 3
    assert "the dog saw the cat" in shown


def test_json_and_queries_of_stdin(cmow, index, texts, monkeypatch):
    lines = "the dog\nunheard\ncat\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    code, shown, _ = cmow("search", index, "-k", 2, "--json")
    answers = [json.loads(line) for line in shown.splitlines()]
    assert code == 0
    assert [answer["query"] for answer in answers] == ["the dog", "unheard", "cat"]
    assert [len(answer["hits"]) for answer in answers] == [2, 0, 2]
    hit = answers[0]["hits"][0]
    assert hit.keys() == {"row", "score", "text", "file", "line"}
    assert texts.read_text().splitlines()[hit["line"] - 1] == hit["text"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    _, shown, _ = cmow("search", index, "-k", 1)
    assert [line.split("\t")[0] for line in shown.splitlines()] == ["the dog", "cat"]


def test_passages(cmow, index):
    _, shown, _ = cmow("search", index, "dog saw", "--spans", 3, "-k", 1)
    assert shown.split("\t")[2:] == ["1-3", "dog saw\n"]
    _, shown, _ = cmow("search", index, "dog saw", "--spans", 3, "-k", 1, "--json")
    (hit,) = json.loads(shown)["hits"]
    assert hit["span"]["text"] == "dog saw"
    assert hit["text"][slice(*hit["span"]["place"])] == "dog saw"


def test_a_query_without_known_words_says_so(index):
    done = run("search", index, "unheard")
    message = b"cmow: no word of the query 'unheard' is known to the model\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", message)


def test_texts_are_added_and_the_model_may_have_moved(cmow, index, model, tmp_path):
    (tmp_path / "more.txt").write_text("the cat saw the cat\n")
    code, shown, _ = cmow("index", tmp_path / "more.txt", "-o", index, "--add")
    assert (code, "6 texts" in shown) == (0, True)
    _, shown, _ = cmow("search", index, "the cat saw the cat", "-k", 1, "--model", model)
    assert shown == f"1.0000\t{tmp_path / 'more.txt'}:1\tthe cat saw the cat\n"


def test_near_duplicates(cmow, model, texts, tmp_path):
    texts.write_text(TEXTS + "the cat chased the dog\nthe dog\n")
    out = tmp_path / "clusters.tsv"
    code, shown, told = cmow(
        "duplicates", texts, "--model", model, "--threshold", 0.9999, "-o", out
    )
    assert (code, shown, told) == (0, "", "")
    assert out.read_text() == (
        f"1\t1.0000\t{texts}:1\tthe cat chased the dog\n"
        f"1\t1.0000\t{texts}:6\tthe cat chased the dog\n"
    )
    _, shown, _ = cmow("duplicates", texts, "--model", model, "--threshold", 0.01)
    assert {line.split("\t")[0] for line in shown.splitlines()} == {"1"}


def test_clusters_as_parquet(cmow, model, texts, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    texts.write_text(TEXTS + "the cat chased the dog\n")
    out = tmp_path / "clusters.parquet"
    command = ["duplicates", texts, "--model", model, "--threshold", 0.9999]
    assert cmow(*command, "-o", out) == (0, "", "")
    assert parquet.read_table(out).to_pylist() == [
        {"cluster": 1, "similarity": pytest.approx(1, abs=1e-3), "file": str(texts), "line": line,
         "text": "the cat chased the dog"}
        for line in (1, 6)
    ]  # fmt: skip


def test_as_many_clusters_as_are_wanted(cmow, model, texts):
    pytest.importorskip("sklearn")
    texts.write_text("dog\ndog dog\nunheard\ncat\ncat cat\ncat cat cat\n")
    code, shown, told = cmow("cluster", texts, "-k", 2, "--model", model)
    assert (code, told) == (0, "")
    rows = [line.split("\t") for line in shown.splitlines()]
    assert [row[0] for row in rows] == ["1", "1", "1", "2", "2"]
    assert [{row[3][:3] for row in rows[:3]}, {row[3][:3] for row in rows[3:]}] == [
        {"cat"},
        {"dog"},
    ]
    assert {row[2] for row in rows} == {f"{texts}:{line}" for line in (1, 2, 4, 5, 6)}


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_columns_of_tables_are_kept(cmow, model, tmp_path, kind):
    rows = [
        {"title": "the dog, the cat", "year": 1999, "by": "A"},
        {"title": "", "year": 2001, "by": "B"},
        {"title": "the cat", "year": 2005, "by": "C"},
    ]
    path = tmp_path / f"books.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif kind == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        with path.open("w", newline="") as file:
            dialect = {"csv": "excel", "tsv": "excel-tab"}[kind]
            writer = csv.DictWriter(file, rows[0], dialect=dialect)
            writer.writeheader()
            writer.writerows(rows)
    index = tmp_path / "index"
    command = ["index", path, "--column", "title"]
    code, shown, told = cmow(*command, "-o", index, "--model", model)
    assert (code, told, "3 texts" in shown) == (0, "", True)
    assert cmow(*command, "-o", index, "--add")[0] == 0
    _, shown, _ = cmow("search", index, "the cat", "-k", 2, "--json")
    hits = json.loads(shown)["hits"]
    year = "2005" if kind in ("csv", "tsv") else 2005
    for hit, row in zip(hits, (2, 5), strict=True):
        assert hit == {
            "row": row, "score": pytest.approx(1, abs=1e-3), "text": "the cat", "file": str(path),
            "line": 3, "year": year, "by": "C",
        }  # fmt: skip
    code, shown, _ = cmow("duplicates", path, "--column", "title", "--model", model)
    assert code == 0
    code, _, told = cmow(*command[:2], "--column", "name", "-o", tmp_path / "x", "--model", model)
    assert (code, told.count("\n"), "there is no 'name' among" in told) == (2, 1, True)
    assert not (tmp_path / "x").exists()


MISUSE = {
    "index {text} -o {folder}/x --model {missing}": "missing: No such file or directory",
    "index {text} -o {index} --model {model}": "index exists already",
    "index {text} -o {missing} --add": "missing",
    "index {missing} -o {folder}/x --model {model}": "missing: No such file or directory",
    "index {text}": "Missing option '--output'",
    "index {text} -o {folder}/x --model {model} --storage int4": "'int4' is not one of",
    "search {missing} the": "missing",
    "search {folder} the": "not an index; make one with cmow index",
    "search {index} the --order 2": "--order",
    "search {index} the -k 0": "-k",
    "search {index} the --spans 0": "--spans",
    "search {index} \udcff": "is not UTF-8",
    "search {index} the --model {other}": "built with another model",
    "cluster {text} --model {model} -k 99": "3 texts with a known word make no 99 clusters",
    "cluster {text} --model {model}": "Missing option '-k'",
    "cluster {missing} -k 2 --model {model}": "missing: No such file or directory",
    "duplicates {text} --model {model} --threshold 2": "--threshold",
    "duplicates {missing} --model {model}": "missing: No such file or directory",
}


@pytest.mark.parametrize("command", MISUSE)
def test_misuse(cmow, index, model, texts, tmp_path, command):
    other = tmp_path / "other"
    cmow("convert", model, other, "--storage", "int8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/mine").touch()
    places = {
        "index": index, "model": model, "text": texts, "other": other,
        "folder": tmp_path / "folder", "missing": tmp_path / "missing",
    }  # fmt: skip
    code, shown, told = cmow(*(word.format(**places) for word in command.split()))
    assert (code, shown) == (2, "")
    assert told.startswith("cmow: ")
    assert told.count("\n") == 1
    assert MISUSE[command] in told
    assert [file.name for file in (tmp_path / "folder").iterdir()] == ["mine"]
    assert not places["missing"].exists()


def test_a_table_is_indexed_with_its_columns(cmow, model, tmp_path):
    rows = {"body": ["the cat", "the dog saw"], "when": [date(2020, 1, 2), date(2021, 3, 4)]}
    parquet.write_table(pyarrow.table(rows), tmp_path / "in.parquet")
    index = tmp_path / "index"
    made = cmow("index", tmp_path / "in.parquet", "--column", "body", "-o", index, "--model", model)
    assert (made[0], made[2]) == (0, "")
    (tmp_path / "more.csv").write_text("id,body\n7,the dog chased\n")
    assert cmow("index", tmp_path / "more.csv", "--column", "body", "-o", index, "--add")[0] == 0
    _, shown, _ = cmow("search", index, "the dog saw", "-k", 2, "--json")
    hits = json.loads(shown)["hits"]
    place = {"file": f"{tmp_path / 'in.parquet'}", "line": 2}
    assert {**hits[0], **place, "text": "the dog saw", "when": "2021-03-04"} == hits[0]
    assert hits[1]["id"] == "7"
    (tmp_path / "more.csv").write_text("file,body\n7,the dog chased\n")
    code, _, told = cmow("index", tmp_path / "more.csv", "--column", "body", "-o", index, "--add")
    assert code == 2
    assert "a column cannot be called 'file'" in told

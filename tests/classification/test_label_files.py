"""Examples of files in all formats, and what is refused by its line."""

import json
from pathlib import Path

import pytest

from cmow.classification import Columns, read_examples, read_texts
from cmow.errors import FormatError

TEXTS, LABELS = ('a "b" c', "d; e, f", "g"), ("x", "y z", "x")


def written(folder, name, content):
    path = folder / name
    path.write_text(content, "utf-8")
    return [path]


@pytest.mark.parametrize("name", ["tsv", "csv", "jsonl", "parquet"])
def test_tables(tmp_path, name):
    import csv

    path = tmp_path / f"examples.{name}"
    rows = list(zip(range(3), TEXTS, LABELS, strict=True))
    names = ("number", "text", "label")
    if name == "parquet":
        from pyarrow import Table, parquet

        columns = {each: [row[place] for row in rows] for place, each in enumerate(names)}
        parquet.write_table(Table.from_pydict(columns), path)
    elif name == "jsonl":
        lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
        path.write_text("\n".join(lines) + "\n\n")
    elif name == "tsv":
        path.write_text("\n".join("\t".join(map(str, row)) for row in (names, *rows)) + "\n")
    else:
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([names, *rows])
    found = read_examples([path], Columns())
    assert (tuple(found.texts), tuple(found.labels)) == (TEXTS, LABELS)
    first = 2 if name in ("tsv", "csv") else 1
    assert found.places[0] == f"{path}:{first}"
    pairs = read_examples([path], Columns("text", "number" if name != "csv" else "label", "label"))
    assert pairs.texts[0] == (TEXTS[0], LABELS[0])


def test_labels_of_json_and_parquet_may_be_numbers_and_lists(tmp_path):
    lines = ['{"text": "a", "label": [1, 2]}', '{"text": "b", "label": []}']
    found = read_examples(written(tmp_path, "several.jsonl", "\n".join(lines)), Columns())
    assert list(found.labels) == [(1, 2), ()]
    lines = ['{"text": "a", "label": 1}', '{"text": "b", "label": 2}']
    found = read_examples(written(tmp_path, "one.jsonl", "\n".join(lines)), Columns())
    assert list(found.labels) == [1, 2]


def test_lines_of_fasttext(tmp_path):
    content = "__label__x a b\n\n__label__y c d\n"
    found = read_examples(written(tmp_path, "one.txt", content), Columns())
    assert (list(found.texts), list(found.labels)) == (["a b", "c d"], ["x", "y"])
    assert found.places[1].endswith("one.txt:3")
    content = "__label__x a __label__y\n__label__y c d\n"
    found = read_examples(written(tmp_path, "several.txt", content), Columns())
    assert (list(found.texts), list(found.labels)) == (["a", "c d"], [("x", "y"), ("y",)])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("__label__x a\nb c\n__label__y d\ne\n", r":2: no label \(2 of 4 lack one\)"),
        ("text\tlabel\na\tx\nb\t\n", r":3: no label \(1 of 2 lack one\)"),
        ("text\tlabel\na\tx\n\ty\n", ":3: the text is empty"),
        ('text,label\na,x\n" ",y\n', ":3: the text is empty"),
        (
            "some text\nwithout labels\n",
            ":1: there is no 'label' among some text: name",
        ),
        ('{"text": "a"}\n', ":1: there is no 'label' among text: name the columns"),
        ('{"text": "a", "label": null}\n', ":1: no label"),
        ('{"text": 3, "label": "x"}\n', ":1: 3 is not a text"),
        ("text\tlabel\na\tx\tz\n", ":2: 3 columns, but the first line names 2"),
        ("", "no examples in it"),
        ("text\tlabel\n", "no examples in it"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, content, message):
    with pytest.raises(FormatError, match=message):
        read_examples(written(tmp_path, "bad.txt", content), Columns())


def test_what_is_not_utf_8_is_refused(tmp_path):
    (tmp_path / "bad.tsv").write_bytes(b"text\tlabel\na\tx\n\xff\ty\n")
    with pytest.raises(FormatError, match=r"bad.tsv:3: not UTF-8"):
        read_examples([tmp_path / "bad.tsv"], Columns())
    with pytest.raises(FileNotFoundError):
        read_examples([Path(tmp_path / "missing.tsv")], Columns())


def test_texts_to_be_judged(tmp_path):
    path = written(tmp_path, "texts.txt", "a b\n\nc\td\n")
    assert list(read_texts(path, pairs=False)) == ["a b", "", "c\td"]
    with pytest.raises(FormatError, match="line 1: one text only"):
        list(read_texts(path, pairs=True))
    path = written(tmp_path, "pairs.txt", "a b\tc\n")
    assert list(read_texts(path, pairs=True)) == [("a b", "c")]

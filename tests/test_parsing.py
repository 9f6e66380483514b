"""What is wrong with JSON and TOML is one kind of error, whoever reads them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cmow.corpus import Corpus
from cmow.encoder import load
from cmow.errors import ConfigError, FormatError
from cmow.paper.reproduction.kept import read_kept
from cmow.parsing import DEEPEST, parse_json, parse_toml, read_json
from cmow.settings import read_toml
from cmow.text import Tokenizer
from cmow.training.checkpoint import Checkpoint
from cmow.training.history import read_history

BAD_JSON = {
    "deep arrays": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "just too deep": b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1),
    "not UTF-8": b'{"a": "\xff"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "cut": b'{"a": ',
    "empty": b"",
    "a long number": b"[" + b"9" * 10_000 + b"]",
}
BAD_TOML = {
    "deep arrays": b"a = " + b"[" * 100_000 + b"]" * 100_000,
    "deep keys": b".".join([b"a"] * 5_000) + b" = 1",
    "not UTF-8": b'a = "\xff"',
    "cut": b"a = ",
}


@pytest.mark.parametrize("data", BAD_JSON.values(), ids=BAD_JSON)
def test_bad_json(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"file\.json: not valid JSON \(.+\)$"):
        read_json(path)


@pytest.mark.parametrize("data", BAD_TOML.values(), ids=BAD_TOML)
def test_bad_toml(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=r"file\.toml: not a TOML file \(.+\)$"):
        read_toml(path)


def test_what_is_not_too_deep() -> None:
    value = parse_json(b"[" * DEEPEST + b"]" * DEEPEST)
    for _ in range(DEEPEST - 1):
        (value,) = value
    assert value == []
    assert parse_json(b'\xef\xbb\xbf{"a": [1, {"b": null}]}') == {"a": [1, {"b": None}]}
    assert parse_toml(b"a.b = [1]") == {"a": {"b": [1]}}


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a model": ("config.json", load),
    "a tokenizer": (
        "tokenizer.json",
        lambda folder: Tokenizer.from_file(folder / "tokenizer.json"),
    ),
    "a prepared corpus": ("corpus.json", Corpus.open),
    "a checkpoint": ("run.json", Checkpoint.read),
    "a history": ("history.jsonl", lambda folder: read_history(folder / "history.jsonl")),
    "a kept result": ("kept.json", lambda folder: read_kept(folder / "kept.json")),
}


@pytest.mark.parametrize("data", [BAD_JSON["deep arrays"], BAD_JSON["not UTF-8"]])
@pytest.mark.parametrize(("name", "read"), READERS.values(), ids=READERS)
def test_every_reader_names_the_file(
    name: str, read: Callable[[Path], object], data: bytes, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data + b"\n")
    with pytest.raises(FormatError, match=name):
        read(tmp_path)

"""Folders for static hosts; tests/integrations has them in a browser."""

import json

import pytest

from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.serving import export_web
from cmow.text import Tokenizer

FILES = {"index.html", "page.js", "backend.js", "cmow.wasm", "model.json", "model.bin", "words.txt"}


def test_all_that_is_needed_is_in_the_folder(encoder, tmp_path):
    folder = export_web(encoder, tmp_path / "site", name="small")
    assert {file.name for file in folder.iterdir()} >= FILES
    told = json.loads((folder / "model.json").read_text("utf-8"))
    assert (told["name"], told["dimensions"]) == ("small", encoder.dim)
    size = (folder / "model.bin").stat().st_size
    assert (folder / "size.js").read_text() == f"export const SIZE = {size};\n"
    for part in told["parts"]:
        assert 0 <= part["table"] < part["scales"] < size
    words = (folder / "words.txt").read_text("utf-8").split("\n")[:-1]
    assert words == list(encoder.vocabulary.words)


def test_it_is_replaced_but_nothing_else_is(encoder, tmp_path):
    folder = export_web(encoder, tmp_path / "site", name="small")
    (folder / "left-over").touch()
    export_web(encoder, folder, name="again")
    assert not (folder / "left-over").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/diary.txt").touch()
    with pytest.raises(ConfigError, match="something else in it"):
        export_web(encoder, tmp_path / "mine", name="small")
    assert (tmp_path / "mine/diary.txt").exists()


def test_a_tokenizer_that_the_core_has_not_is_refused(tmp_path):
    library = pytest.importorskip("tokenizers")
    bytes_and_pairs = library.Tokenizer(library.models.BPE({"a": 0, "b": 1}, []))
    bytes_and_pairs.save(str(tmp_path / "tokenizer.json"))
    tokenizer = Tokenizer.from_file(tmp_path / "tokenizer.json")
    with pytest.raises(ConfigError, match="has to be WordPiece"):
        export_web(Encoder.initialize(tokenizer, "sum(3)"), tmp_path / "site", name="a")
    assert not (tmp_path / "site").exists()

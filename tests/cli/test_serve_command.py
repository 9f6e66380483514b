"""What `cmow serve` and `cmow export-web` refuse; tests/integrations serves."""

import pytest

from cmow import errors
from cmow.encoder import Encoder
from cmow.text import Tokenizer, Vocabulary


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "99999"], "port must be a whole number from 0 to 65535, not 99999"),
        (["--workers", "0"], "workers must be"),
        (["--time-limit", "0"], "time_limit must be a number above 0"),
        (["--index", "nowhere"], "nowhere"),
        (["--host", "192.0.2.1", "--port", "0"], "cannot listen at 192.0.2.1:0"),
        (["--host", "a..b", "--port", "0"], "cannot listen at a..b:0"),
    ],
)
def test_misuse_is_one_line(cmow, model, arguments, said):
    pytest.importorskip("starlette")
    code, out, err = cmow("serve", model, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_an_index_of_another_model_is_refused(cmow, model, tmp_path):
    pytest.importorskip("starlette")
    other = Encoder.initialize(Tokenizer.whitespace(Vocabulary(["a", "b"])), "sum(4)")
    other.save(tmp_path / "other")
    (tmp_path / "texts.txt").write_text("a b\n")
    cmow("index", tmp_path / "texts.txt", "-o", tmp_path / "index", "--model", tmp_path / "other")
    code, _, err = cmow("serve", model, "--index", tmp_path / "index")
    assert code == 2
    assert "built with another model" in err


def test_the_extra_is_named(cmow, model, monkeypatch):
    found = errors.find_spec
    monkeypatch.setattr(
        errors, "find_spec", lambda name: None if name == "starlette" else found(name)
    )
    code, _, err = cmow("serve", model)
    assert code == 2
    assert err == "cmow: this needs starlette: pip install 'cmow[serve]'\n"


def test_a_page_is_written(cmow, model, tmp_path):
    code, out, _ = cmow("export-web", model, tmp_path / "site")
    assert code == 0
    size = sum(file.stat().st_size for file in (tmp_path / "site").iterdir())
    assert out == f"{tmp_path / 'site'}: {size / 1e6:.1f} MB\n"
    code, _, err = cmow("export-web", model, tmp_path)
    assert code == 2
    assert "something else in it" in err

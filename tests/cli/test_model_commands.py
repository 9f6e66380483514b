"""info, similarity, neighbors, init and convert."""

import json
import shutil

import numpy as np
import pytest
from processes import run

from cmow import load
from cmow.cli.models import megabytes

A, B = "the dog chased the cat", "the cat chased the dog"


def test_info(cmow, model):
    code, shown, _ = cmow("info", model)
    assert code == 0
    of_model, of_training = shown.split("\n\ntraining\n")
    facts = dict(line.split(maxsplit=1) for line in of_model.splitlines())
    assert facts["parts"] == "cbow = sum(9), cmow = product(5)"
    assert facts["dimensions"] == "34"
    assert facts["vocabulary"] == "7 words"
    assert facts["storage"].startswith("float32, 0.00")
    assert of_training == "recipe           none\nupdates          12\nprepare.invalid  fail\n"


@pytest.mark.parametrize(
    ("size", "shown"),
    [(2_000, "0.002"), (14_000, "0.01"), (120_000, "0.1"), (2_340_000_000, "2,340.0")],
)
def test_what_is_small_is_not_shown_as_nothing(size, shown):
    assert megabytes(size) == f"{shown} MB"


def test_info_for_programs(cmow, model):
    facts = json.loads(cmow("info", model, "--json")[1])
    assert facts["shape"] == "sum(9)+product(5)"
    assert facts["words"] == 7
    assert facts["bytes"] == sum(file.stat().st_size for file in model.iterdir())
    assert facts["training"]["updates"] == 12


def test_info_verifies_on_request(cmow, model, tmp_path):
    model = shutil.copytree(model, tmp_path / "model")
    assert cmow("info", model, "--verify") == cmow("info", model)
    weights = model / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    assert cmow("info", model)[0] == 0
    code, shown, error = cmow("info", model, "--verify")
    assert (code, shown) == (2, "")
    assert f"{weights}: part " in error


def test_similarity_of_two_texts(cmow, model):
    encoder = load(model)
    for part in (None, "cbow", "cmow"):
        options = [] if part is None else ["--part", part]
        wanted = (encoder if part is None else encoder.part(part)).similarity(A, B)
        assert cmow("similarity", model, A, B, *options) == (0, f"{wanted:.6f}\n", "")
    assert float(cmow("similarity", model, A, B, "--part", "cbow")[1]) == 1
    assert float(cmow("similarity", model, A, B, "--part", "cmow")[1]) < 1


def test_similarity_of_pairs(cmow, model, tmp_path):
    lines = f"{A}\t{B}\n{A}\t\nnobody\t{B}\n" * 2000
    (tmp_path / "pairs.tsv").write_text(lines)
    _, from_file, _ = cmow("similarity", model, "--pairs", tmp_path / "pairs.tsv")
    wanted = load(model).similarity_pairwise([A, A, "nobody"], [B, "", B])
    shown = np.array(from_file.split(), np.float32).reshape(2000, 3)
    np.testing.assert_allclose(shown, np.tile(wanted, (2000, 1)), atol=1e-6)
    assert run("similarity", model, "--pairs", "-", stdin=lines.encode()).stdout == (
        from_file.encode()
    )


def test_neighbors(cmow, model):
    wanted = load(model).part("cmow").most_similar_words("dog", count=3)
    lines = "".join(f"{word}\t{cosine:.4f}\n" for word, cosine in wanted)
    assert cmow("neighbors", model, "dog", "--count", 3, "--part", "cmow") == (0, lines, "")


def test_neighbors_on_a_terminal_that_lacks_the_characters(model, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    shown = run("neighbors", model, "dog")
    assert shown.returncode == 0
    assert rb"h\xe4user" in shown.stdout


@pytest.mark.parametrize(
    ("options", "kind", "lowercase"),
    [
        ([], "words", True),
        (["--no-lowercase"], "words", False),
        (["--tokenizer", "whitespace"], "whitespace", False),
        (["--tokenizer", "whitespace", "--lowercase"], "whitespace", True),
    ],
)
def test_init(cmow, tmp_path, options, kind, lowercase):
    (tmp_path / "words.txt").write_text("the\t9\ncat\t3\ndog\n")
    out = tmp_path / "model"
    arguments = ["--vocabulary", tmp_path / "words.txt", out, *options]
    code, shown, _ = cmow("init", "sum(4)+product(3)", *arguments)
    assert code == 0
    assert shown.startswith(f"{out}: untrained sum(4)+product(3), 3 words")
    encoder = load(out)
    assert encoder.vocabulary.counts.tolist() == [9, 3, 0]
    assert (encoder.tokenizer.kind, encoder.tokenizer.lowercase) == (kind, lowercase)


def test_init_draws_as_told(cmow, tmp_path):
    (tmp_path / "words.txt").write_text("the\ncat\n")
    for name, options in (
        ("a", []),
        ("b", ["--seed", 1]),
        ("c", ["--initialization", "normal"]),
        ("d", []),
    ):
        cmow(
            "init", "product(3)", "--vocabulary", tmp_path / "words.txt", tmp_path / name, *options
        )
    a, b, c, d = (load(tmp_path / name).parts[0].table for name in "abcd")
    np.testing.assert_array_equal(a, d)
    assert not np.array_equal(a, b)
    np.testing.assert_allclose(
        a - c, np.tile(np.eye(3, dtype=np.float32).ravel(), (2, 1)), atol=1e-6
    )


@pytest.mark.parametrize(("storage", "most"), [("int8", 0.01), ("int4", 0.3)])
def test_convert_tells_the_loss(cmow, model, tmp_path, storage, most):
    code, shown, _ = cmow("convert", model, tmp_path / "small", "--storage", storage)
    first, *losses = shown.splitlines()
    assert code == 0
    assert first.startswith(f"{tmp_path / 'small'}: {storage}, ")
    small = load(tmp_path / "small")
    assert small.parts[0].storage == storage
    assert small.training["updates"] == 12
    assert [line.split(":")[0] for line in losses] == ["cbow", "cmow"]
    assert all(0 < float(line.split()[-1]) < most for line in losses)

"""`cmow distill` and `cmow train --teacher`: from embeddings on the disk, and what is refused."""

import json

import numpy as np
import pytest
from processes import run_on_terminal

from cmow import load

WORDS = ["bado", "kemi", "gipo", "folu", "dami", "lepo"]
FEW = ("--shape", "mean(sum(8))+mean(windows(3))", "--epochs", 4, "--threads", 1)
FEW += ("--batch-sentences", 32)


@pytest.fixture
def taught(tmp_path):
    """A text and a teacher's embeddings of it."""
    generator = np.random.default_rng(0)
    texts = [" ".join(generator.choice(WORDS, generator.integers(2, 7))) for _ in range(300)]
    vectors = generator.normal(size=(len(WORDS), 8))
    rows = [sum(vectors[WORDS.index(word)] for word in text.split()) for text in texts]
    (tmp_path / "corpus.txt").write_text("\n".join(texts) + "\n")
    np.save(tmp_path / "vectors.npy", np.array(rows, np.float32))
    return tmp_path


def test_embeddings_become_a_model_and_teach_beside_text(cmow, taught, caplog):
    vectors, corpus, model = taught / "vectors.npy", taught / "corpus.txt", taught / "model"
    code, shown, errors = cmow("distill", corpus, model, "--embeddings", vectors, *FEW)
    assert code == 0, errors
    assert "updates are done" in shown
    assert "300 texts are few: with fewer than 10,000, mean(sum(8)) alone" in caplog.text
    assert load(model).dim == 8
    history = (taught / "model" / "history.jsonl").read_text().splitlines()
    assert "validation_loss" in json.loads(history[-1])
    code, shown, errors = cmow(
        *("train", corpus, taught / "both", "--teacher", taught / "model.teacher"),
        *("--teacher-weight", 0.5, *FEW),
    )
    assert code == 0, errors
    assert load(taught / "both").projection.dim == 8


def test_minutes_end_a_run_that_its_epochs_would_not(cmow, taught):
    code, shown, errors = cmow(
        *("distill", taught / "corpus.txt", taught / "model", "--minutes", 0.02),
        *("--embeddings", taught / "vectors.npy", "--shape", "mean(sum(8))", "--threads", 1),
        *("--patience", 1_000_000),
    )
    assert code == 0, errors
    assert "0.02 minutes are over" in shown
    last = (taught / "model" / "history.jsonl").read_text().splitlines()[-1]
    assert json.loads(last)["epoch"] > 3


def test_help_tells_the_defaults_of_distillation(cmow):
    code, shown, _ = cmow("distill", "--help")
    told = " ".join(shown.replace("│", " ").split())
    assert code == 0
    assert "Adam's learning rate at its peak (default 0.003)" in told
    assert "this many passes through the corpus (default 3.0)" in told


def with_nan(folder):
    vectors = np.load(folder / "vectors.npy")
    vectors[11, 2] = np.nan
    np.save(folder / "vectors.npy", vectors)


def with_a_line_less(folder):
    lines = (folder / "corpus.txt").read_text().splitlines()[:-1]
    (folder / "corpus.txt").write_text("\n".join(lines) + "\n")


def with_text_for_vectors(folder):
    (folder / "vectors.npy").write_text("no array")


FAULTS = {
    with_nan: "NaN or infinity in embedding 11",
    with_a_line_less: "299 texts and 300 embeddings",
    with_text_for_vectors: "not arrays of NumPy",
}


@pytest.mark.parametrize(("damage", "complaint"), FAULTS.items())
def test_bad_embeddings_are_refused_in_one_line(cmow, taught, damage, complaint):
    damage(taught)
    code, _, errors = cmow(
        *("distill", taught / "corpus.txt", taught / "model"),
        *("--embeddings", taught / "vectors.npy", *FEW),
    )
    assert code == 2
    assert complaint in errors
    assert "Traceback" not in errors
    assert not (taught / "model").exists()


def test_a_cache_of_other_embeddings_is_refused_and_kept(cmow, taught):
    vectors, corpus = taught / "vectors.npy", taught / "corpus.txt"
    embeddings = ("--embeddings", vectors, *FEW)
    assert cmow("distill", corpus, taught / "model", *embeddings)[0] == 0
    kept = (taught / "model.teacher" / "vectors.float16").read_bytes()
    np.save(vectors, np.load(vectors)[:, :6])
    code, _, errors = cmow(
        "distill", corpus, taught / "other", "--cache", taught / "model.teacher", *embeddings
    )
    assert code == 2
    assert "another kind" in errors
    assert (taught / "model.teacher" / "vectors.float16").read_bytes() == kept


def test_a_folder_without_embeddings_cannot_teach(cmow, taught):
    (taught / "empty").mkdir()
    code, _, errors = cmow(
        "train", taught / "corpus.txt", taught / "both", "--teacher", taught / "empty", *FEW
    )
    assert code == 2
    assert "not a teacher's embeddings" in errors


def test_a_folder_of_the_model_is_wanted(cmow, taught):
    code, _, errors = cmow("distill", taught / "corpus.txt", taught / "model")
    assert code == 2
    assert "give a teacher or --embeddings" in errors


def test_a_terminal_sees_how_far_it_has_come(taught):
    code, shown = run_on_terminal(
        *("distill", taught / "corpus.txt", taught / "model"),
        *("--embeddings", taught / "vectors.npy", *FEW),
    )
    assert code == 0, shown
    assert "100%" in shown
    assert "updates are done" in shown

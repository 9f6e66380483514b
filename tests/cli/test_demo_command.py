import pytest

from cmow import load
from cmow.cli import demo, exercise
from cmow.encoder import Encoder
from cmow.grammar import Grammar
from cmow.text import Vocabulary


@pytest.fixture
def short(monkeypatch):
    for name, value in (("SENTENCES", 4000), ("UPDATES", 2), ("LEAST_SECONDS", 0.01)):
        monkeypatch.setattr(demo, name, value)


@pytest.mark.usefixtures("short")
def test_demo_leaves_a_model_and_may_run_again(cmow, monkeypatch, tmp_path):
    for most_minutes in (1e-9, 5.0):  # on a slow machine training ends early
        monkeypatch.setattr(demo, "MOST_MINUTES", most_minutes)
        code, shown, told = cmow("demo", tmp_path / "model")
        assert (code, told) == (0, "")
    assert "7. A model is a folder" in shown
    encoder = load(tmp_path / "model")
    assert encoder.training["updates"] == 2
    assert encoder.similarity(*demo.PAIRS[0]) < 1


@pytest.mark.usefixtures("short")
def test_demo_replaces_nothing_else(cmow, tmp_path):
    (tmp_path / "precious").touch()
    code, _, told = cmow("demo", tmp_path)
    assert code == 2
    assert "neither empty nor a model" in told


def test_words_of_the_demo_are_words_of_the_language():
    words = {word for sentence in Grammar().sentences(demo.SENTENCES) for word in sentence.words}
    wanted = " ".join(
        [*exercise.LEARNT, *exercise.ASKED, *exercise.VERBS, *sum(demo.PAIRS, ()), *demo.WORDS]
    )
    assert set(wanted.split()) <= words


def test_sums_cannot_tell_who_did_it():
    words = " ".join([*exercise.LEARNT, *exercise.ASKED, *exercise.VERBS, "the", "."]).split()
    encoder = Encoder.initialise(Vocabulary(words), "sum(30)", seed=1)
    assert exercise.accuracy(encoder) == pytest.approx(0.5, abs=0.05)

from typer.testing import CliRunner

from cmow.cli import app
from cmow.paper.grammar import Grammar

RUNNER = CliRunner()


def test_sentences_one_a_line():
    result = RUNNER.invoke(app, ["grammar", "5", "--seed", "3"])
    assert result.exit_code == 0
    assert result.output.splitlines() == [s.text for s in Grammar(3).sentences(5)]


def test_trees_one_a_line():
    result = RUNNER.invoke(app, ["grammar", "2", "--trees"])
    assert result.output.splitlines() == [s.bracketed() for s in Grammar().sentences(2)]


def test_no_sentences_are_misuse():
    assert RUNNER.invoke(app, ["grammar", "0"]).exit_code == 2


def test_probing_sets_of_the_language(tmp_path):
    sizes = ["--train", "100", "--valid", "20", "--test", "20"]
    result = RUNNER.invoke(app, ["probing", "grammar", str(tmp_path / "probing"), *sizes])
    assert result.exit_code == 0
    assert "Tense    100/20/20 sentences, 2 classes\n" in result.output
    assert (tmp_path / "probing" / "rebuilt.json").exists()

from pathlib import Path

import pytest


def small_experiment(folder: Path, kind: str = "scores") -> tuple[Path, Path]:
    """The declaration of an experiment, and a corpus for it."""
    experiment = folder / "experiment.toml"
    experiment.write_text(
        f"title = 'x'\nkind = '{kind}'\n[training]\nmax_updates = 2\n"
        "[models.a]\nshape = 'sum(2)'\n[rows.a]\nencoder = 'a'\n"
    )
    corpus = folder / "corpus.txt"
    corpus.write_text("one two three\n" * 20)
    return experiment, corpus


def test_a_faulty_file_is_one_line(cmow, tmp_path):
    experiment = tmp_path / "experiment.toml"
    experiment.write_text("kind = 'scores'\n")
    code, _, error = cmow(
        "reproduce", experiment, "--corpus", experiment, "--data", tmp_path, "-o", tmp_path / "out"
    )
    assert code == 2
    assert error.count("\n") == 1
    assert "title is missing; models must be a table" in error
    assert not (tmp_path / "out").exists()


def test_a_fault_in_the_settings_for_all_names_their_file(cmow, tmp_path):
    experiment, corpus = small_experiment(tmp_path)
    typo = tmp_path / "typo.toml"
    typo.write_text("max_updats = 3\n")
    for command in (
        ("reproduce", experiment, "--corpus", corpus, "-o", tmp_path / "out", "--config", typo),
        ("train", corpus, tmp_path / "model", "--config", typo),
    ):
        code, _, error = cmow(*command)
        assert code == 2
        assert error == f"cmow: {typo}: there is no setting max_updats: did you mean max_updates?\n"


def test_a_missing_folder_of_data_is_named_before_training(cmow, tmp_path):
    experiment, corpus = small_experiment(tmp_path)
    code, _, error = cmow(
        *("reproduce", experiment, "--corpus", corpus, "--data", tmp_path / "none"),
        *("-o", tmp_path / "out"),
    )
    assert code == 2
    assert "none is not a folder" in error
    assert not (tmp_path / "out" / "models" / "a-0").exists()


def test_scores_need_data_and_other_pages_are_left_alone(cmow, tmp_path):
    experiment, corpus = small_experiment(tmp_path)
    code, _, error = cmow("reproduce", experiment, "--corpus", corpus, "-o", tmp_path / "out")
    assert code == 2
    assert "--data" in error

    values = tmp_path / "values.toml"
    values.write_text(experiment.read_text().replace("scores", "values"))
    (tmp_path / "README.md").write_text("# My project\n")
    code, _, error = cmow("reproduce", values, "--corpus", corpus, "-o", tmp_path)
    assert code == 2
    assert "README.md is not a page of results" in error
    assert (tmp_path / "README.md").read_text() == "# My project\n"
    assert not (tmp_path / "models").exists()


def test_a_refused_corpus_does_not_stand_in_the_way_of_the_next(cmow, tmp_path):
    experiment, corpus = small_experiment(tmp_path, "values")
    command = ("reproduce", experiment, "--corpus", corpus, "-o", tmp_path / "out")
    sentence = " ".join(f"w{number}" for number in range(40)) + "\n"
    corpus.write_text(sentence)
    code, _, error = cmow(*command)
    assert code == 2
    assert "one sentence is not enough to validate" in error
    corpus.write_text(20 * sentence)
    code, shown, error = cmow(*command)
    assert code == 0, error
    assert "README.md: written" in shown


def test_text_that_is_not_utf8_can_be_prepared_as_the_message_says(cmow, tmp_path):
    experiment, corpus = small_experiment(tmp_path, "values")
    sentence = b" ".join(b"w%d" % number for number in range(40))
    corpus.write_bytes(20 * (sentence + b" \xff\n"))
    command = ("reproduce", experiment, "-o", tmp_path / "out", "--corpus")
    code, _, error = cmow(*command, corpus)
    assert code == 2
    assert error.endswith("--invalid, where a command has it\n")
    assert cmow("prepare", corpus, tmp_path / "prepared", "--invalid", "replace")[0] == 0
    assert cmow(*command, tmp_path / "prepared")[0] == 0


def test_ctrl_c_says_that_the_same_command_goes_on(cmow, tmp_path, monkeypatch):
    experiment, corpus = small_experiment(tmp_path, "values")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("cmow.paper.reproduction.reproduce", interrupted)
    command = ["reproduce", experiment, "--corpus", corpus, "-o", tmp_path / "out"]
    code, shown, error = cmow(*command)
    assert (code, shown) == (130, "")
    assert error == f"interrupted; continue with: cmow {' '.join(map(str, command))}\n"


@pytest.mark.parametrize("places", [["-o", "{file}"], ["-o", "{out}", "--models", "{file}/in"]])
def test_a_file_in_place_of_a_folder_is_named(cmow, tmp_path, places):
    experiment, corpus = small_experiment(tmp_path, "values")
    out = tmp_path / "out"
    places = [place.format(file=corpus, out=out) for place in places]
    code, _, error = cmow("reproduce", experiment, "--corpus", corpus, *places)
    assert code == 2
    assert error == f"cmow: {corpus} is a file: name a folder to write\n"
    assert not out.exists()


def test_settings_for_all_go_with_the_recipe_of_the_experiments(cmow, tmp_path):
    experiment, _ = small_experiment(tmp_path, "values")
    text = experiment.read_text().replace("max_updates = 2", "recipe = 'paper'")
    experiment.write_text(text)
    settings = tmp_path / "settings.toml"
    settings.write_text("engine = 'torch'\ncompile = true\n")  # which our own recipe cannot have
    code, _, error = cmow(
        *("reproduce", experiment, "--corpus", tmp_path / "none.txt"),
        *("-o", tmp_path / "out", "--config", settings),
    )
    assert code == 2
    assert "none.txt" in error

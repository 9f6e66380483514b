"""`cmow train` and `cmow plot`."""

import json
import re
from pathlib import Path

import pytest
from processes import files_in, run, run_on_terminal

from cmow import load
from cmow.cli.training import sparkline
from cmow.paper.grammar import Grammar
from cmow.settings import read_toml

SMALL = [
    *("--preset", "sum(6)+product(3)", "--batch-sentences", 16, "--negatives", 5),
    *("--max-updates", 12, "--report-updates", 5, "--validation-updates", 6, "--threads", 1),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    lines = (sentence.text for sentence in Grammar(0).sentences(100))
    path.write_text("\n".join(lines) + "\n")
    return path


def test_text_becomes_a_model(cmow, corpus, tmp_path):
    code, told, shown = cmow("train", corpus, tmp_path / "model", *SMALL)
    assert code == 0
    assert re.fullmatch(
        r"\S*/model: all 12 updates are done; 12 updates, loss \d\.\d{4} at \d+\n", told
    )
    lines = shown.splitlines()
    assert [line.split()[1] for line in lines] == ["5/12", "6/12", "12/12"]  # not 10/12
    assert re.fullmatch(
        r"update 6/12  loss \d\.\d{4}  validation \d\.\d{4}\*  [\d,]+ windows/s  0:00:\d\d left",
        lines[1],
    )
    history = (tmp_path / "model" / "history.jsonl").read_text().splitlines()
    assert [json.loads(line)["update"] for line in history] == [5, 6, 10, 12]
    assert load(tmp_path / "model").dim == 15
    assert not (tmp_path / "model.run").exists()


def test_thousands_of_updates_have_commas(cmow, corpus, tmp_path):
    options = [*SMALL, "--max-updates", 1000, "--validation-updates", 1000]
    _, told, _ = cmow("train", corpus, tmp_path / "model", *options)
    assert "all 1,000 updates are done; 1,000 updates, loss " in told


def test_a_run_is_kept_if_that_is_asked_for(cmow, corpus, tmp_path):
    options = [*SMALL, "--schedule", "constant", "--keep-run"]
    _, told, _ = cmow("train", corpus, tmp_path / "model", *options)
    assert re.search(r"\nwhat --resume needs is in \S*/model\.run \(\d+\.\d+ MB\)\n$", told)
    options += ["--resume", "--max-updates", 15]
    code, told, _ = cmow("train", corpus, tmp_path / "model", *options)
    assert (code, "all 15 updates are done" in told) == (0, True)


def test_a_run_that_was_removed_is_not_done_again(cmow, corpus, tmp_path):
    options = [*SMALL, "--validation-updates", 5]  # and one at the end, after the checkpoint
    first = cmow("train", corpus, tmp_path / "model", *options)
    written = (tmp_path / "model" / "model.safetensors").stat().st_mtime_ns
    again = cmow("train", corpus, tmp_path / "model", *options, "--resume")
    assert again[:2] == first[:2]
    assert (tmp_path / "model" / "model.safetensors").stat().st_mtime_ns == written
    assert not (tmp_path / "model.run").exists()
    more = [*options, "--max-updates", 15, "--resume"]
    code, _, told = cmow("train", corpus, tmp_path / "model", *more)
    assert (code, told.count("\n")) == (2, 1)
    assert "max_updates was 12 and is now 15; continue with --continue-from" in told
    assert cmow("plot", tmp_path / "model")[0] == 0


def test_a_terminal_shows_one_display(corpus, tmp_path):
    code, shown = run_on_terminal("train", corpus, tmp_path / "model", *SMALL)
    assert code == 0
    *_, last = shown.split("100%")
    assert re.search(r"loss +\S*\d\.\d{4}.*[▁▂▃▄▅▆▇█]{4}", last)
    assert re.search(r"validation +\S*\d\.\d{4}.*best \d\.\d{4} at update (6|12)", last)
    assert re.search(r"update 12 of 12 · epoch 2\.\d\d · [\d,]+ windows/s · rate", last)
    assert "all 12 updates are done" in last


def test_a_curve_has_as_many_bars_as_there_is_room_for():
    falling = [100.0, *(9.0 - step / 10 for step in range(80))]
    curve = sparkline(falling, 27)
    assert len(curve) == 27
    assert curve[0] == "█"
    assert curve[-1] == "▁"
    assert list(curve) == sorted(curve, reverse=True)
    assert len(set(curve)) == 8  # though the first is far above
    assert sparkline([3.0, 3.0], 5) == "▁▁"
    assert sparkline([], 5) == sparkline([1.0], 0) == ""


def test_several_texts_and_stdin(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text(f"all about {name}\n" * 20)
    several = run("train", *tmp_path.glob("*.txt"), tmp_path / "several", *SMALL)
    assert several.returncode == 0, several.stderr
    assert {"one", "two"} <= set(load(tmp_path / "several").vocabulary.words)
    piped = run("train", "-", tmp_path / "piped", *SMALL, stdin=b"all about me\n" * 20)
    assert piped.returncode == 0, piped.stderr
    assert "me" in load(tmp_path / "piped").vocabulary


@pytest.mark.parametrize("name", ["corpus.txt", "other.txt"])
def test_a_refused_run_does_not_stand_in_the_way_of_the_next(cmow, corpus, tmp_path, name):
    text = corpus.read_text()
    corpus.write_text("one sentence only\n")
    code, _, error = cmow("train", corpus, tmp_path / "model", *SMALL)
    assert code == 2
    assert "one sentence is not enough to validate" in error
    (tmp_path / name).write_text(text)
    assert cmow("train", tmp_path / name, tmp_path / "model", *SMALL)[0] == 0
    words = load(tmp_path / "model").vocabulary
    assert "only" not in words
    assert text.split()[0] in words


def test_settings_by_recipe_file_and_flag(cmow, tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text('recipe = "paper"\nwindow = 3\nseed = 8\n[prepare]\nvocabulary_size = 99\n')
    code, shown, _ = cmow(
        "train", "--print-config", "--config", file, "--seed", 9, "--no-lowercase", "--keep-output"
    )
    assert code == 0
    file.write_text(shown)
    settings = read_toml(file)
    assert (settings["window"], settings["seed"], settings["keep_output"]) == (3, 9, True)
    assert settings["prepare"]["vocabulary_size"] == 99
    assert settings["prepare"]["lowercase"] is False
    assert cmow("train", "--print-config", "--config", file)[1] == shown


def test_flags_that_scripts_rely_on(cmow, tmp_path):
    flags = (
        "--seed 1 --threads 2 --max-updates 3 --max-minutes 4 --epochs 5 --checkpoint-updates 6 "
        "--resume --engine torch --target center --initialization glorot --negatives 7 "
        "--share-negatives sentence --recipe paper --preset cmow-784"
    )
    code, shown, _ = cmow("train", "--print-config", *flags.split())
    assert code == 0
    file = tmp_path / "shown.toml"
    file.write_text(shown)
    settings = read_toml(file)
    expected = {
        "seed": 1, "threads": 2, "max_updates": 3, "max_minutes": 4, "epochs": 5,
        "checkpoint_updates": 6, "engine": "torch", "target": "center",
        "initialization": "glorot", "negatives": 7, "share_negatives": "sentence",
        "shape": "cmow-784",
    }  # fmt: skip
    assert {name: settings[name] for name in expected} == expected


MISUSE = {
    "train": "give text, and last the folder of the model",
    "train {corpus}": "give text, and last the folder of the model",
    "train {missing} {model}": "missing: No such file or directory",
    "train {empty} {model}": "the corpus is empty",
    "train {one} {model}": "a vocabulary of 1 words, but 2 are needed",
    "train {bytes} {model}": "bytes.txt:2: not UTF-8",
    "train {corpus} {model} --window none": "'--window'",
    "train {corpus} {model} --window 0 --adam no": "window must be a whole number from 1 to 1000, "
    "not 0; adam must be one of dense, lazy, not 'no'",
    "train {corpus} {model} --preset hybrid-8": "unknown shape 'hybrid-8'",
    "train {corpus} {model} --recipe best": "unknown recipe 'best': choose from default, paper",
    "train {corpus} {model} --config {missing}": "missing: No such file or directory",
    "train {corpus} {model} --config {corpus}": "corpus.txt: not a TOML file",
    "train {corpus} {model} --learnig-rate 1": "No such option: --learnig-rate",
    "train {corpus} {corpus}": "corpus.txt is a file: a model is a folder",
    "train {corpus} {folder}": "folder is neither empty nor a model",
    "train {corpus} {model} --continue-from {missing}": "missing",
    "train {corpus} {model} --extend-vocabulary": "extend_vocabulary goes with continue_from",
    "train {corpus} {model} --learning-rate 1e9 --max-updates 9": "update 2: the loss",
    "train {corpus} {model} --negatives 2000000000": "negatives must be a whole number from 1 to "
    "100000, not 2000000000",
    "plot {missing}": "missing: has no history.jsonl",
}


@pytest.mark.parametrize("line", MISUSE)
def test_one_line_for_misuse(cmow, corpus, tmp_path, line):
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "one.txt").write_text("word word\n")
    (tmp_path / "bytes.txt").write_bytes(b"fine\n\xff\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.txt").write_text("precious")
    places = {
        "corpus": corpus,
        "empty": tmp_path / "empty.txt",
        "one": tmp_path / "one.txt",
        "bytes": tmp_path / "bytes.txt",
        "folder": tmp_path / "folder",
        "missing": tmp_path / "missing",
        "model": tmp_path / "model",
    }
    arguments = [argument.format(**places) for argument in line.split()]
    code, told, shown = cmow(*arguments)
    assert (code, told) == (2, "")
    assert shown.startswith("cmow: ")
    assert shown.count("\n") == 1
    assert MISUSE[line] in shown
    assert not (tmp_path / "model").exists()
    assert (tmp_path / "model.run").exists() == ("update 2" in shown)  # only if it began at all


def test_what_does_not_fit_into_memory_is_refused(cmow, corpus, tmp_path):
    flags = ["--batch-sentences", 10_000_000, "--negatives", 100_000]
    code, told, shown = cmow("train", corpus, tmp_path / "model", *flags)
    assert (code, told) == (2, "")
    assert shown.startswith("cmow: this takes ")
    assert shown.endswith(": lower negatives, batch_sentences or centers\n")
    assert not (tmp_path / "model").exists()


def test_changed_settings_are_named(cmow, corpus, tmp_path):
    model = tmp_path / "model"
    assert cmow("train", corpus, model, *SMALL, "--max-minutes", 1e-9)[0] == 0
    code, _, shown = cmow("train", corpus, model, *SMALL, "--resume", "--negatives", 6)
    assert code == 2
    assert "negatives was 5 and is now 6" in shown
    code, _, shown = cmow("train", corpus, model, *SMALL)
    assert code == 2
    assert "continue with --resume, or remove it to start over" in shown
    code, told, _ = cmow("train", corpus, model, *SMALL, "--resume")
    assert code == 0
    assert "all 12 updates are done" in told


def test_minutes_that_are_over_take_more_minutes(cmow, corpus, tmp_path):
    _, told, _ = cmow("train", corpus, tmp_path / "model", *SMALL, "--max-minutes", 1e-9)
    assert told.endswith("continue with --resume and a higher --max-minutes\n")


def test_plot_draws_into_the_model(cmow, corpus, tmp_path):
    model = tmp_path / "model"
    cmow("train", corpus, model, *SMALL)
    code, told, _ = cmow("plot", model)
    assert code == 0
    assert told.splitlines() == [f"{model}/curves.png", f"{model}/curves.svg"]
    assert {"curves.png", "curves.svg"} <= set(files_in(model))
    code, told, _ = cmow("plot", model, "--output", tmp_path / "elsewhere")
    assert told.splitlines() == [f"{tmp_path}/elsewhere.png", f"{tmp_path}/elsewhere.svg"]

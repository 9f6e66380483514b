"""`cmow classify` from examples to labels, whatever interrupts it."""

import json
import re
import signal
import subprocess
import time
from subprocess import PIPE

import numpy as np
import pytest
from processes import CMOW

from cmow import Classifier

ANIMALS = ("cat", "dog", "fox")
SHAPE = ("--shape", "mean(sum(8))+mean(product(4))")
FLAGS = ("--start", "nothing", *SHAPE, "--learning-rate", 0.02, "--threads", 1)


def chases(count, seed=0):
    generator = np.random.default_rng(seed)
    for _ in range(count):
        hunter, hunted = generator.choice(ANIMALS, 2, replace=False)
        yield ("hunter" if hunter == "cat" else "other"), f"the {hunter} chased the {hunted}"


def write_table(path, rows):
    lines = ["label\ttext", *("\t".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def data(tmp_path):
    return write_table(tmp_path / "train.tsv", chases(400))


def test_a_smaller_copy_labels_as_well(cmow, tmp_path, data):
    model, small = tmp_path / "model", tmp_path / "small"
    cmow("classify", "train", data, model, *FLAGS, "--max-updates", 200)
    assert cmow("convert", model, small, "--storage", "int8")[0] == 0
    (tmp_path / "texts.txt").write_text("the cat chased the dog\nthe fox chased the cat\n")
    code, told, _ = cmow("classify", "predict", small, tmp_path / "texts.txt")
    assert (code, told) == (0, "hunter\nother\n")


def test_train_predict_test_and_explain(cmow, tmp_path, data):
    model, fasttext = tmp_path / "model", tmp_path / "test.txt"
    code, told, _ = cmow("classify", "train", data, model, *FLAGS)
    assert code == 0
    assert re.search(r"on what was held out: accuracy 1\.0000, macro F1 1\.0000", told)
    rows = list(chases(50, seed=1))
    fasttext.write_text("".join(f"__label__{label} {text}\n" for label, text in rows))
    code, told, _ = cmow("classify", "test", model, fasttext, "--confusion", tmp_path / "c.png")
    assert code == 0
    assert told.startswith("accuracy 1.0000, macro F1 1.0000, calibration error 0.")
    assert re.search(r"^hunter  precision 1.000  recall 1.000  F1 1.000  \d+ texts$", told, re.M)
    assert (tmp_path / "c.png").exists()
    report = json.loads(cmow("classify", "test", model, fasttext, "--json")[1])
    assert np.trace(report["confusion"]) == 50
    texts = tmp_path / "texts.txt"
    texts.write_text("".join(f"{text}\n" for _, text in rows))
    assert cmow("classify", "predict", model, texts)[1].split() == [label for label, _ in rows]
    code, told, _ = cmow("classify", "predict", model, texts, "--top", 2)
    first, share, second, rest = told.splitlines()[0].split("\t")
    assert {first, second} == {"hunter", "other"}
    assert float(share) >= float(rest)
    text = "the cat chased the dog"
    code, told, _ = cmow("classify", "explain", model, text, "--html", tmp_path / "page.html")
    assert code == 0
    assert told.startswith("label hunter, score +")
    assert "<span" in (tmp_path / "page.html").read_text()


def test_scores_pairs_and_several_labels(cmow, tmp_path):
    path = tmp_path / "pairs.csv"
    rows = ["a,b,similarity", *("cat,cat,5\ncat,dog,1\ndog,fox,1\nfox,fox,5" for _ in range(50))]
    path.write_text("\n".join(rows) + "\n")
    columns = ("--text", "a", "--second", "b", "--label", "similarity")
    code, told, _ = cmow(
        "classify", "train", path, tmp_path / "pairs", *columns, "--scores", *FLAGS
    )
    assert code == 0
    assert "variance explained 0.9" in told or "variance explained 1.0" in told
    assert cmow("classify", "test", tmp_path / "pairs", path, *columns)[0] == 0
    lines = "__label__a __label__b cat dog\n__label__a cat\n__label__b dog\n" * 50
    (tmp_path / "tags.txt").write_text(lines)
    cmow("classify", "train", tmp_path / "tags.txt", tmp_path / "tags", *FLAGS)
    (tmp_path / "texts").write_text("cat dog\n")
    said = cmow("classify", "predict", tmp_path / "tags", tmp_path / "texts")[1]
    assert said == "a b\n"


def test_tuning_and_minutes(cmow, tmp_path, data):
    code, told, told_too = cmow(
        "classify", "train", data, tmp_path / "model", *FLAGS, "--tune", "3s"
    )
    assert code == 0
    assert re.search(r"^the best: 1\.0000$", told_too, re.M)
    code, told, _ = cmow(
        "classify",
        "train",
        data,
        tmp_path / "timed",
        *FLAGS,
        "--minutes",
        0.02,
        "--patience",
        10**6,
    )
    assert code == 0
    assert "0.02 minutes are over" in told


def test_folds(cmow, tmp_path, data):
    command = ("classify", "train", data, tmp_path / "model", *FLAGS, "--folds", 2)
    code, told, _ = cmow(*command, "--max-updates", 400)
    assert code == 0
    assert "on what was held out: accuracy 1.0000" in told
    assert cmow("classify", "test", tmp_path / "model", data)[1].startswith("accuracy 1.0000")
    code, _, told = cmow(*command, "--max-updates", 400)
    assert code == 2
    assert "model is a model already: choose another folder, or remove it" in told
    code, _, told = cmow(*command[:3], tmp_path / "other", *FLAGS, "--folds", 0)
    assert code == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("label\ttext\nx\ta b\nx\tc d\n", "all 2 texts have the label 'x'"),
        ("label\ttext\nx\ta b\n\tc d\n", r"bad\.tsv:3: no label \(1 of 2 lack one\)"),
        ("label\ttext\nx\ta b\ny\t\n", r"bad\.tsv:3: the text is empty"),
        ("a b\nc d\n", r"bad\.tsv:1: there is no 'label'"),
    ],
)
def test_bad_data_is_one_line_and_exit_code_2(cmow, tmp_path, content, message):
    (tmp_path / "bad.tsv").write_text(content)
    code, told, told_too = cmow("classify", "train", tmp_path / "bad.tsv", tmp_path / "model")
    assert (code, told) == (2, "")
    assert re.fullmatch(rf"cmow: .*{message}.*\n", told_too)
    assert not (tmp_path / "model").exists()


def test_misuse_is_one_line(cmow, tmp_path, data):
    for arguments, message in [
        (("train", data), "give examples, and last the model's folder"),
        (("train", data, tmp_path / "m", "--tune", "soon"), "write a time such as 90s, 5m or 1h"),
        (("train", data, tmp_path / "m", "--rates", "tree=1"), "rates of 'tree'"),
        (("predict", tmp_path), "labels.json is missing: not a classifier's folder"),
    ]:
        code, _, told = cmow("classify", *arguments)
        assert code == 2
        assert message in told
        assert told.count("\n") == 1


def test_an_unknown_label_of_the_development_split_is_named(cmow, tmp_path, data):
    other = write_table(tmp_path / "dev.tsv", [("hunter", "the cat"), ("new", "the dog")])
    code, _, told = cmow("classify", "train", data, tmp_path / "m", "--development", other)
    assert code == 2
    assert "dev.tsv:3: the label 'new' is not among those of training: hunter, other" in told


def test_columns_of_tables_are_labeled(cmow, tmp_path, data, caplog):
    model = tmp_path / "model"
    cmow("classify", "train", data, model, *FLAGS, "--max-updates", 300)
    rows = list(chases(20, seed=1))
    lines, table = tmp_path / "texts.txt", tmp_path / "texts.csv"
    lines.write_text("".join(f"{text}\n" for _, text in rows))
    table.write_text("number,words\n" + "".join(f"{n},{row[1]}\n" for n, row in enumerate(rows)))
    said = cmow("classify", "predict", model, lines)[1]
    assert cmow("classify", "predict", model, table, "--text", "words")[:2] == (0, said)
    assert not caplog.records
    assert cmow("classify", "predict", model, table)[0] == 0
    (record,) = caplog.records
    assert "look like CSV: name the column that holds the text with --text" in record.getMessage()
    for arguments, message in [
        ((table, "--text", "word"), "there is no 'word' among number, words"),
        ((table, "--text", "words", "--second", "number"), "single texts: name one column"),
        (("-", "--text", "words"), "standard input has lines and no columns"),
    ]:
        code, _, told = cmow("classify", "predict", model, *arguments)
        assert code == 2
        assert message in told


def test_both_trainings_of_a_start_are_shown_by_name(cmow, tmp_path, data):
    cmow("classify", "train", data, tmp_path / "start", *FLAGS, "--max-updates", 10)
    flags = [*FLAGS, "--start", tmp_path / "start", "--max-updates", 10]
    code, _, told = cmow("classify", "train", data, tmp_path / "model", *flags)
    assert code == 0
    for run in ("started, 1 of 2", "fresh, 2 of 2"):
        assert f"{run}:  update 10/10" in told


def test_what_is_finished_is_not_tuned_again(cmow, tmp_path, data):
    model = tmp_path / "model"
    command = ["classify", "train", data, model, *FLAGS, "--tune", "1s", "--resume"]
    assert "the best:" in cmow(*command)[2]
    written = (model / "labels.json").read_bytes()
    assert cmow(*command) == (0, f"{model}: tuned and trained before\n", "")
    assert (model / "labels.json").read_bytes() == written


@pytest.mark.parametrize("part", [None, "started-1", "fresh-1"])
def test_an_interrupted_run_goes_on_to_the_same_bits(cmow, tmp_path, data, part):
    flags = [*FLAGS, "--epochs", 1000, "--patience", 10_000]
    place = tmp_path / "broken.run"
    if part is not None:
        cmow("classify", "train", data, tmp_path / "start", *FLAGS, "--max-updates", 10)
        flags += ["--start", tmp_path / "start"]
        place = place / f"{part}.run"
    command = [*CMOW, "classify", "train", data, tmp_path / "broken", *flags]
    process = subprocess.Popen(list(map(str, command)), stdout=PIPE, stderr=PIPE)
    history = place / "history.jsonl"
    while process.poll() is None and not (history.exists() and history.stat().st_size):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=300)
    assert b"interrupted" in told
    assert b"--resume" in told
    assert cmow("classify", "train", data, tmp_path / "broken", *flags, "--resume")[0] == 0
    assert cmow("classify", "train", data, tmp_path / "whole", *flags)[0] == 0
    broken, whole = (Classifier.load(tmp_path / name) for name in ("broken", "whole"))
    np.testing.assert_array_equal(broken.head_.matrix, whole.head_.matrix)
    assert broken.labels_ == whole.labels_

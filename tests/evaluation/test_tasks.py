"""Every task on small files in SentEval's format."""

import numpy as np
import pytest
from senteval import PROBING, BagOfWords, Lengths, write

from cmow.errors import FormatError
from cmow.evaluation import GROUPS, TASKS, DataFolder, evaluate
from cmow.evaluation.tasks.paraphrase import f1

SENTENCES = ["SUBJ", "CR", "MR", "MPQA", "TREC", "SST2", "SST5"]
PAIRS = ["MRPC", "SICK-E", "STS-B", "SICK-R"]
PROBES = [name for name, task in TASKS.items() if task.group == "probing"]


@pytest.fixture(scope="module")
def scores(data):
    report = evaluate(BagOfWords(), data=data, tasks=["probing", "supervised", "unsupervised"])
    assert not report.missing
    return report.runs["model"]


@pytest.mark.parametrize("task", SENTENCES + PROBES)
def test_words_that_give_the_label_away_are_found(scores, task):
    assert scores[task].result.score > 85
    details = scores[task].result.details
    assert details["converged"]
    assert details["regularization"]


@pytest.mark.parametrize("task", PAIRS)
def test_pairs_that_share_words_are_found(scores, task):
    assert scores[task].result.score > 60


@pytest.mark.parametrize("task", [f"STS{year}" for year in range(12, 17)])
def test_cosines_tell_pairs_apart(scores, task):
    result = scores[task].result
    assert result.score > 60
    assert len(result.scores) == 6
    assert set(result.details["pairs"].values()) == {11}  # one of twelve has no score


def test_every_metric_is_there(scores):
    assert set(scores["MRPC"].result.scores) == {"accuracy", "F1"}
    assert set(scores["STS-B"].result.scores) == {"Pearson", "Spearman"}
    assert set(scores["SICK-R"].result.scores) == {"Pearson", "Spearman"}
    assert set(scores["STS-B-cosine"].result.details["pairs"]) == {"captions", "news"}


def test_the_papers_26_tasks_and_more_are_there():
    names = [task.name for task in TASKS.values() if task.group in GROUPS[:3]]
    assert len(names) == 26 + 2  # STS-B and SICK-R by cosine, too
    assert list(TASKS) == [task.name for task in TASKS.values()]


def test_texts_are_read_as_senteval_reads_them(data):
    folder = DataFolder(data)
    for name in SENTENCES + PROBES:
        material = TASKS[name].read(folder)
        for text in TASKS[name].texts(material):
            assert text == " ".join(text.split())
    train, _ = TASKS["TREC"].read(folder)
    assert all(text.startswith("Où ") for text in train.texts)
    assert np.bincount(train.labels).tolist() == [25] * 6
    train, _ = TASKS["MRPC"].read(folder)
    assert len(train.first) == 60


def test_blank_lines_are_texts_without_words(tmp_path):
    write(tmp_path / "downstream/CR/custrev.pos", ["good", ""])
    write(tmp_path / "downstream/CR/custrev.neg", ["bad"])
    material = TASKS["CR"].read(DataFolder(tmp_path))
    assert material.texts == ["bad", "good", ""]
    assert material.labels.tolist() == [0, 1, 1]


def bigram_shifts(folder, shifted=500):
    random = np.random.default_rng(0)
    rows = []
    for split, count in (("tr", shifted), ("va", 100), ("te", 200)):
        for _ in range(count):
            words = [f"w{n}" for n in random.integers(0, 30, 8)]
            swapped = [*words[:3], words[4], words[3], *words[5:]]
            rows.append(f"{split}\tO\t{' '.join(words)}")
            rows.append(f"{split}\tI\t{' '.join(swapped)}")
    write(folder / "probing/bigram_shift.txt", rows)


def test_a_bag_of_words_is_at_chance_on_bigram_shift(tmp_path):
    bigram_shifts(tmp_path)
    report = evaluate(BagOfWords(), data=tmp_path, tasks=["BShift"])
    assert report.runs["model"]["BShift"].result.score == pytest.approx(50, abs=3)


def test_a_model_of_lengths_solves_length(tmp_path):
    random = np.random.default_rng(0)
    rows = [
        f"{split}\t{length // 4}\t{' '.join(['word'] * length)}"
        for split, count in (("tr", 400), ("va", 100), ("te", 100))
        for length in random.integers(4, 28, count)
    ]
    write(tmp_path / "probing/sentence_length.txt", rows)
    report = evaluate(Lengths(), data=tmp_path, tasks=["Length"])
    assert report.runs["model"]["Length"].result.score == 100


@pytest.mark.parametrize(
    ("task", "file", "line", "message"),
    [
        ("MRPC", "downstream/MRPC/msr_paraphrase_test.txt", "1\tonly", "expected 5 columns"),
        ("TREC", "downstream/TREC/TREC_10.label", "WHAT:is this ?", "'WHAT' is none of ABBR"),
        ("SST2", "downstream/SST/binary/sentiment-dev", "no label", "expected 2 columns"),
        ("SST5", "downstream/SST/fine/sentiment-dev", "9 too good", "'9' is none of 0, 1"),
        ("SICK-R", "downstream/SICK/SICK_trial.txt", "1\ta\tb\tx\tNEUTRAL", "'x' is not a number"),
        ("SICK-E", "downstream/SICK/SICK_trial.txt", "1\ta\tb\t3\tMAYBE", "'MAYBE' is none of"),
        ("SICK-R", "downstream/SICK/SICK_trial.txt", "1\ta\tb\tnan\tNEUTRAL", "'nan' is not a num"),
        ("STS-B", "downstream/STS/STSBenchmark/sts-dev.csv", "a\tb", "expected 7 columns"),
        ("STS12", "downstream/STS/STS12-en-test/STS.input.MSRvid.txt", "one", "expected 2 columns"),
        ("Depth", "probing/tree_depth.txt", "tx\t5\tword", "'tx' is none of tr, va, te"),
        ("Depth", "probing/tree_depth.txt", "va\t99\tword", "'99' does not occur"),
    ],
)
def test_a_malformed_line_names_file_and_line(data, tmp_path, task, file, line, message):
    encoding = "latin-1" if "TREC" in file else "utf-8"
    lines = (data / file).read_text(encoding).splitlines()
    write(tmp_path / file, [*lines, line], encoding)
    folder = DataFolder([tmp_path, data])
    with pytest.raises(FormatError, match=message) as raised:
        TASKS[task].read(folder)
    assert f"{tmp_path / file}:{len(lines) + 1}: " in str(raised.value)


def test_scores_must_be_as_many_as_pairs(data, tmp_path):
    file = "downstream/STS/STS13-en-test/STS.gs.FNWN.txt"
    write(tmp_path / file, ["1.0"])
    with pytest.raises(FormatError, match=r"FNWN\.txt: 1 scores for 12 pairs"):
        TASKS["STS13"].read(DataFolder([tmp_path, data]))


@pytest.mark.parametrize("score", ["nan", "inf", "-inf", "NaN", "1e999"])
def test_a_score_that_is_no_number_is_not_counted_as_one(data, tmp_path, score):
    file = "downstream/STS/STS13-en-test/STS.gs.FNWN.txt"
    write(tmp_path / file, ["1.0", "", score, *["2.0"] * 9])
    with pytest.raises(FormatError, match=rf"FNWN\.txt:3: '{score}' is not a number"):
        TASKS["STS13"].read(DataFolder([tmp_path, data]))


@pytest.mark.parametrize(
    ("task", "file", "lines", "message"),
    [
        ("SST2", "downstream/SST/binary/sentiment-dev", [], "sentiment-dev: the file is empty"),
        ("SST5", "downstream/SST/fine/sentiment-test", [], "sentiment-test: the file is empty"),
        ("MR", "downstream/MR/rt-polarity.neg", [], "rt-polarity.neg: the file is empty"),
        ("SICK-E", "downstream/SICK/SICK_trial.txt", ["head"], "nothing below the first line"),
        ("STS13", "downstream/STS/STS13-en-test/STS.gs.FNWN.txt", [""] * 12, "no pair has a scor"),
        ("Analogies", "wordsim/questions-words.txt", [": capital"], "no question"),
    ],
)
def test_a_file_without_samples_is_named(data, tmp_path, task, file, lines, message):
    write(tmp_path / file, lines)
    with pytest.raises(FormatError, match=message) as raised:
        TASKS[task].read(DataFolder([tmp_path, data]))
    assert str(tmp_path / file) in str(raised.value)


def test_a_split_must_have_lines(tmp_path):
    write(tmp_path / "probing/odd_man_out.txt", ["tr\tO\ta b", "va\tO\tc d"])
    with pytest.raises(FormatError, match="no line of the split 'te'"):
        TASKS["SOMO"].read(DataFolder(tmp_path))


def test_f1_by_hand():
    predictions, labels = np.array([1, 1, 0, 0, 1]), np.array([1, 0, 1, 0, 1])
    assert f1(predictions, labels) == pytest.approx(100 * 2 / 3)
    assert f1(np.zeros(3, int), np.zeros(3, int)) == 0


def test_row_counts_of_the_real_files(real_data):
    folder = DataFolder(real_data)
    counts = {"MR": 10_662, "CR": 3_775, "SUBJ": 10_000, "MPQA": 10_606}
    for name, count in counts.items():
        assert len(TASKS[name].read(folder).texts) == count
    sizes = {"TREC": [5_452, 500], "SST2": [67_349, 872, 1_821], "SST5": [8_544, 1_101, 2_210]}
    for name, expected in sizes.items():
        assert [len(part.texts) for part in TASKS[name].read(folder)] == expected
    pairs = {
        "MRPC": [4_076, 1_725],
        "SICK-E": [4_500, 500, 4_927],
        "STS-B": [5_749, 1_500, 1_379],
    }
    for name, expected in pairs.items():
        assert [len(part.first) for part in TASKS[name].read(folder)] == expected
    years = {
        "STS12": [750, 750, 459, 750, 399],
        "STS13": [189, 750, 561],
        "STS14": [450, 300, 750, 750, 750, 750],
        "STS15": [375, 750, 375, 750, 750],
        "STS16": [254, 249, 230, 244, 209],
    }
    for name, expected in years.items():
        assert [len(part.first) for part in TASKS[name].read(folder).values()] == expected


def test_probing_files_are_senteval_s():
    assert {f"probing/{file}.txt" for file in PROBING} == {TASKS[name].file for name in PROBES}

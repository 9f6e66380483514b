import numpy as np
import pytest
from senteval import BagOfWords, write

from cmow.errors import ConfigError, FormatError
from cmow.evaluation import TASKS, Result, Task, evaluate
from cmow.evaluation.run import select_tasks


class Irony(Task):
    """The example of the documentation."""

    name, group, metric = "Irony", "own", "similarity"

    def read(self, data):
        return [row.columns for row in data.rows("irony.tsv", 2)]

    def texts(self, material):
        return [text for pair in material for text in pair]

    def score(self, material, model, *, seed):
        assert seed == 7
        first, second = (model.embed(side) for side in zip(*material, strict=True))
        return Result(100 * float(np.mean(first == second)), details={"pairs": len(material)})


def test_tasks_of_ones_own(tmp_path):
    write(tmp_path / "irony.tsv", ["a b\tb a", "c\td"])
    report = evaluate(BagOfWords(), data=tmp_path, tasks=[Irony()], seed=7)
    run = report.runs["model"]["Irony"]
    assert run.result == Result(50.0, details={"pairs": 2})
    assert report.tasks == {"Irony": "own"}


def test_missing_data_is_listed_and_the_others_run(tmp_path):
    write(tmp_path / "downstream/CR/custrev.pos", ["good"] * 30)
    write(tmp_path / "downstream/CR/custrev.neg", ["bad"] * 30)
    report = evaluate(BagOfWords(), data=tmp_path, tasks=["CR", "MR", "STS12", "probing"])
    assert set(report.runs["model"]) == {"CR"}
    assert report.missing["MR"] == "downstream/MR/rt-polarity.neg"
    assert report.missing["STS12"].startswith("downstream/STS/STS12-en-test/STS.input.")
    assert report.missing["WC"] == "probing/word_content.txt"
    assert not report.empty
    with pytest.raises(ConfigError, match=r"nothing to run .*: MR, for one, expects"):
        evaluate(BagOfWords(), data=tmp_path, tasks=["MR"])


def test_sets_beside_a_note_are_rebuilt_ones(tmp_path):
    rows = [f"{split}\t{label}\tword{label}" for split in ("tr", "va", "te") for label in (0, 1)]
    write(tmp_path / "published/probing/past_present.txt", rows)
    write(tmp_path / "ours/probing/past_present.txt", rows)
    write(tmp_path / "ours/probing/rebuilt.json", ["{}"])
    both = [tmp_path / "published", tmp_path / "ours"]
    rebuilt = {
        "published": evaluate(BagOfWords(), data=both, tasks=["probing"]).rebuilt,
        "ours": evaluate(BagOfWords(), data=both[::-1], tasks=["probing"]).rebuilt,
        "by itself": evaluate(BagOfWords(), data=both[1] / "probing", tasks=["probing"]).rebuilt,
        "other tasks": evaluate(BagOfWords(), data=both[1], tasks=["movement"]).rebuilt,
    }
    assert rebuilt == {"published": False, "ours": True, "by itself": True, "other tasks": False}


def test_malformed_data_ends_the_evaluation(tmp_path):
    write(tmp_path / "probing/word_content.txt", ["tr\tdog\tthe dog", "no tabs"])
    with pytest.raises(FormatError, match=r"word_content\.txt:2: expected 3 columns, found 1"):
        evaluate(BagOfWords(), data=tmp_path, tasks=["WC", "movement"])


def test_texts_are_encoded_once_for_all_tasks(data):
    encoder = BagOfWords()
    report = evaluate(encoder, data=data, tasks=["SICK-E", "SICK-R", "SICK-R-cosine", "CR"])
    assert len(report.runs["model"]) == 4
    assert len(encoder.asked) == len(set(encoder.asked))


def test_the_same_seed_gives_the_same_scores(data):
    tasks = ["CR", "TREC", "MRPC", "SICK-R"]
    one, same = (evaluate(BagOfWords(), data=data, tasks=tasks, seed=3) for _ in range(2))
    for task in tasks:
        assert one.runs["model"][task].result == same.runs["model"][task].result


def test_several_models_and_functions(data):
    report = evaluate({"one": BagOfWords(), "other": BagOfWords(8).encode}, data=data, tasks=["CR"])
    assert report.models == ["one", "other"]
    assert report.compare == "other"
    assert evaluate({"a": BagOfWords()}, data=data, tasks=["CR"], compare="a").compare == "a"


def test_progress_goes_from_nothing_to_all(data):
    seen = []
    models = {"a": BagOfWords(), "b": BagOfWords()}
    evaluate(models, data=data, tasks=["CR", "SICK-R-cosine", "Swap"], progress=seen.append)
    assert seen[0].stage == "a: CR"
    assert seen[0].done == 0
    assert seen[-1].stage == "b: Swap"
    assert seen[-1].done == seen[-1].total == seen[0].total
    assert [step.done for step in seen] == sorted(step.done for step in seen)


def test_select():
    assert [task.name for task in select_tasks(["MR", "movement", "MR"])] == [
        "MR",
        "Swap",
        "Reverse",
        "Arguments",
    ]
    assert len(
        select_tasks(["probing", "supervised", "unsupervised", "words", "movement", "order"])
    ) == len(TASKS)
    with pytest.raises(ConfigError, match="unknown task 'MRR': did you mean MR\\?"):
        select_tasks(["MRR"])


@pytest.mark.parametrize(
    ("models", "compare", "message"),
    [({}, None, "no model"), ({"a": len}, "b", "'b' is none of the models a")],
)
def test_misuse(tmp_path, models, compare, message):
    with pytest.raises(ConfigError, match=message):
        evaluate(models, data=tmp_path, compare=compare)


def test_evaluation_knows_nothing_of_encoders_and_training():
    import subprocess
    import sys

    code = (
        "import sys, cmow.evaluation;"
        "rooms = ('cmow.encoder', 'cmow.training', 'torch', 'scipy', 'sklearn', 'matplotlib');"
        "sys.exit(', '.join(room for room in rooms if room in sys.modules) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

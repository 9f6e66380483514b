import gc
import json
import shutil
import weakref

import numpy as np
import pytest

from cmow.corpus import Corpus
from cmow.errors import ConfigError, FormatError
from cmow.paper.reproduction import Experiment, reproduce, scoring
from cmow.paper.reproduction.expression import encoder_of
from cmow.paper.reproduction.model_store import ModelStore

pytest.importorskip("matplotlib")


@pytest.fixture
def run(declare, corpus, data, tmp_path):
    def once(*kinds, **options):
        experiments = [Experiment.read(declare(kind)) for kind in kinds]
        options = {"output": tmp_path / "results", "data": [data], **options}
        page = reproduce(experiments, corpus=corpus, **options)
        return page.read_text("utf-8")

    return once


def note_tasks(monkeypatch):
    """A list that grows by every task that is evaluated."""
    asked, original = [], scoring.evaluate

    def noted(*arguments, **options):
        asked.extend(options["tasks"])
        return original(*arguments, **options)

    monkeypatch.setattr(scoring, "evaluate", noted)
    return asked


def test_everything_is_written(run, tmp_path):
    page = run("scores")
    results = tmp_path / "results"
    assert "| **both** |" in page
    assert page.count("spread of 2 seeds") == 1
    assert (results / "scores.png").stat().st_size > 1000
    scores = json.loads((results / "scores" / "sums-both.cmow-0.json").read_text())
    assert set(scores["tasks"]) == {"Length", "BShift"}
    assert json.loads((results / "runs" / "both-1.json").read_text())["updates"] == 4
    assert (results / "runs" / "both-1.jsonl").read_text().count("\n") >= 1


def test_fewer_seeds_than_a_row_declares(run, tmp_path):
    assert "spread of 2" not in run("scores", seeds=1)
    assert not (tmp_path / "results" / "scores" / "both-1.json").exists()


def test_what_was_done_is_not_done_again(run, tmp_path, monkeypatch):
    first = run("scores")
    model = tmp_path / "results" / "models" / "both-0" / "model.safetensors"
    written = model.stat().st_mtime_ns

    asked = note_tasks(monkeypatch)
    assert run("scores") == first
    assert asked == []
    assert model.stat().st_mtime_ns == written


def test_what_resuming_needs_may_be_removed(run, tmp_path):
    first = run("scores")
    for folder in (tmp_path / "results" / "models").glob("*.run"):
        shutil.rmtree(folder)
    assert run("scores") == first
    with pytest.raises(
        ConfigError, match=r"batch_sentences was 32 and is now 16: remove the model"
    ):
        run("scores", prevailing={"batch_sentences": 16})


def test_kept_scores_and_notes_do_without_the_models(run, tmp_path, monkeypatch):
    models = tmp_path / "results" / "models"
    first = run("scores", "values")
    shutil.rmtree(models)
    asked = note_tasks(monkeypatch)
    assert run("scores", "values") == first
    assert asked == []
    assert not models.exists()

    run("scores", "values", prevailing={"max_updates": 6})
    trained = json.loads((tmp_path / "results" / "scores" / "both-1.json").read_text())["trained"]
    assert trained["both"]["updates"] == 6


def test_scores_by_the_other_classifier_are_added_to_those_that_are_kept(
    run, tmp_path, monkeypatch
):
    first = run("scores", seeds=1)
    asked = note_tasks(monkeypatch)
    second = run("scores", seeds=1, like_with_like=True)
    assert "SentEval's classifier" not in first
    assert second.count("SentEval's classifier") == 4  # a row each
    assert sorted(asked) == ["BShift"] * 4 + ["Length"] * 4
    assert run("scores", seeds=1, like_with_like=True) == second
    assert run("scores", seeds=1) == second  # what is kept is shown
    assert len(asked) == 8
    kept = json.loads((tmp_path / "results" / "scores" / "sums-0.json").read_text())["tasks"]
    assert kept["BShift"]["senteval"]["details"]["regularization"][0] in (1e-5, 1e-4, 1e-3, 1e-2)


def test_rebuilt_sets_are_not_scored_by_the_other_classifier(run, data, tmp_path, monkeypatch):
    rebuilt = tmp_path / "rebuilt"
    shutil.copytree(data, rebuilt)
    (rebuilt / "probing" / "rebuilt.json").write_text("{}")
    asked = note_tasks(monkeypatch)
    run("scores", seeds=1, like_with_like=True, data=[rebuilt])
    assert len(asked) == 8


def test_a_model_of_another_length_is_refused(run, tmp_path):
    run("scores")
    with pytest.raises(ConfigError, match="has 4 updates, more than 2: remove the model"):
        run("scores", prevailing={"max_updates": 2})
    for folder in (tmp_path / "results" / "models").glob("*.run"):
        shutil.rmtree(folder)
    with pytest.raises(ConfigError, match="max_updates was 4 and is now 6: remove the model"):
        run("scores", prevailing={"max_updates": 6})


def test_a_finished_model_of_another_corpus_is_refused(run, tmp_path, monkeypatch):
    run("scores")
    for folder in (tmp_path / "results" / "models").glob("*.run"):
        shutil.rmtree(folder)
    monkeypatch.setattr(Corpus, "fingerprint", "other")
    with pytest.raises(ConfigError, match="the corpus is another one"):
        run("scores")


def test_an_interrupted_evaluation_goes_on_at_the_next_task(run, tmp_path, monkeypatch):
    first = run("scores")
    path = tmp_path / "results" / "scores" / "both-0.json"
    page = json.loads(path.read_text())
    del page["tasks"]["Length"]
    path.write_text(json.dumps(page))
    asked = note_tasks(monkeypatch)
    assert run("scores") == first
    assert asked == ["Length"]


def test_a_model_that_was_trained_further_is_scored_again(run, tmp_path):
    run("scores")
    path = tmp_path / "results" / "scores" / "both-0.json"
    before = json.loads(path.read_text())["trained"]["both"]
    run("scores", prevailing={"max_updates": 6})
    assert before["updates"] == 4
    assert json.loads(path.read_text())["trained"]["both"]["updates"] == 6


def test_values_start_where_the_training_does(run, tmp_path):
    run("values")
    curves = json.loads((tmp_path / "results" / "values.json").read_text())["found"]
    assert set(curves["both"]) == {"at the start", "after training"}
    assert np.isfinite(curves["part"]["after training"]).all()
    run("values", prevailing={"learning_rate": 1e-30}, output=tmp_path / "still")
    still = json.loads((tmp_path / "still" / "values.json").read_text())["found"]
    for moments in still.values():
        np.testing.assert_allclose(moments["after training"], moments["at the start"], rtol=1e-5)


def test_values_of_other_rows_are_measured(run, declare, corpus, data, tmp_path):
    run("values")
    kept = tmp_path / "results" / "values.json"
    before = json.loads(kept.read_text())["found"]
    other = Experiment.read(declare("values", part=('"both:cmow"', '"both:cbow"')))
    reproduce([other], corpus=corpus, data=[data], output=tmp_path / "results")
    after = json.loads(kept.read_text())["found"]
    assert after["both"] == before["both"]
    assert after["part"] != before["part"]


@pytest.mark.parametrize("name", ["scores/both-0.json", "runs/both-0.json", "values.json"])
def test_damaged_files_are_named_and_left_alone(run, tmp_path, name):
    run("scores", "values")
    shutil.rmtree(tmp_path / "results" / "models")  # so that the notes are read
    path = tmp_path / "results" / name
    whole = path.read_bytes()
    for content in (whole[:-9], b"[]", b"{}", b"\xff"):
        path.write_bytes(content)
        with pytest.raises(FormatError, match=f"{name}: damaged; remove it"):
            run("scores", "values")
        assert path.read_bytes() == content


def test_a_page_of_another_kind_is_left_alone(run, tmp_path):
    page = tmp_path / "results" / "README.md"
    page.parent.mkdir()
    page.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match=r"README\.md is not a page of results"):
        run("scores")
    assert page.read_bytes() == b"\xff"


def test_a_model_is_let_go_of_and_trained_once(declare, corpus, tmp_path):
    told = []
    store = ModelStore(corpus, tmp_path / "models", tmp_path / "runs", {}, told.append)
    experiment = Experiment.read(declare())
    encoder = weakref.ref(store.model(experiment, "sums", 0))
    gc.collect()
    assert encoder() is None
    updates = len(told)
    assert store.model(experiment, "sums", 0).dim == 4
    assert len(told) == updates


def test_missing_tasks_are_told_and_claims_on_them_not_judged(run):
    page = run("scores")
    assert "Not scored, for want of data: Depth, SubjNum" in page
    assert "| The hybrid is above CBOW on" not in page  # it takes scores of all tasks


def test_speeds_of_all_rows_and_of_the_network(run, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from cmow.paper.reproduction import speed

    monkeypatch.setattr(speed, "BATCH", 64)
    monkeypatch.setattr(speed, "SENTENCES", 128)
    page = run("speed")
    found = json.loads((tmp_path / "results" / "speed.json").read_text())["found"]
    assert set(found["torch"]) == {"sum", "part", "joined", "both", "Elman RNN"}
    assert "| 256 words | 256 | 8 |" in page
    assert (tmp_path / "results" / "speed.png").stat().st_size > 1000
    assert not (tmp_path / "results" / "models").exists()  # nothing was trained for it
    assert run("speed") == page  # measured once


def test_batches_in_torch_hold_what_cmow_encodes(corpus):
    torch = pytest.importorskip("torch")
    from cmow.encoder import Encoder
    from cmow.paper.reproduction.padded import composing

    encoder = Encoder.initialize(corpus.tokenizer, "sum(5)+product(4)", seed=1)
    sentences = [corpus[number] for number in range(40)]
    padding = len(corpus.tokenizer.vocabulary)
    ids = np.full((40, max(map(len, sentences))), padding, np.int64)
    for row, sentence in zip(ids, sentences, strict=True):
        row[: len(sentence)] = sentence
    ours = encoder.encode_ids(sentences)
    np.testing.assert_allclose(
        composing(encoder)(torch.from_numpy(ids)), ours, rtol=2e-4, atol=1e-5
    )


def test_expressions_pick_parts_and_join_models(corpus):
    from cmow.encoder import Encoder

    models = {
        "a": Encoder.initialize(corpus.tokenizer, "sum(3)+product(2)", seed=1),
        "b": Encoder.initialize(corpus.tokenizer, "sum(2)", seed=2),
    }
    text = ["the dog chased the cat"]
    joined = encoder_of("b + a:cmow", models.__getitem__).encode(text)
    expected = np.hstack([models["b"].encode(text), models["a"].part("cmow").encode(text)])
    np.testing.assert_array_equal(joined, expected)

import shutil
from pathlib import Path

import pytest

from cmow import errors
from cmow.corpus import prepare
from cmow.errors import ConfigError, FormatError, MissingExtraError
from cmow.paper.reproduction import Experiment, reproduce
from cmow.paper.reproduction.checks import check_experiments
from cmow.settings import read_toml
from cmow.training.config import PAPER

PLACE = Path(__file__).parents[3] / "examples"
EXAMPLES = sorted((PLACE / "paper").glob("*.toml"))


def test_settings_of_the_file_are_merged_and_can_be_overruled(declare):
    experiment = Experiment.read(declare())
    config = experiment.config("both", 7, {"max_updates": 9, "prepare": {"lowercase": False}})
    assert config.shape == "sum(4)+product(3)"
    assert (config.max_updates, config.batch_sentences, config.seed) == (9, 32, 7)
    assert not config.prepare.lowercase


def test_a_row_is_called_as_in_the_paper_unless_it_says_otherwise(declare):
    rows = {row.name: row.paper for row in Experiment.read(declare()).rows}
    assert rows == {"sum": "CBOW/784", "part": "part", "joined": "joined", "both": "Hybrid"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "scores"', 'kind = "stores"', "kind must be one of scores, values, speed"),
        ('title = "Small"', 'tittle = "Small"', "there is no setting tittle; title is missing"),
        ('compare = "both"', 'compare = "none"', "compare names 'none', which is no row"),
        ('encoder = "sums"', 'encoder = "some"', "row 'sum' names the model 'some'"),
        ('encoder = "sums"', 'encode = "sums"', "rows must be tables with an encoder"),
        ("seeds = 2", "seeds = 0", "rows must be tables with an encoder"),
        ("seeds = 2", "seeds = 2.0", "rows must be tables with an encoder"),
        ('encoder = "sums"', "encoder = 5", "rows must be tables with an encoder"),
        ('compare = "both"', 'compare = ["both"]', r"compare names \['both'\], which is no row"),
        ("[training]", "training = 5\n[other]", "training must be a table"),
        ("[models.sums]", '[models."../sums"]', "'../sums' must have a name of letters"),
        ("[models.sums]", '[models."sümme"]', "'sümme' must have a name of letters"),
        (
            "[training]",
            "[training.prepare]\nlowercase = false\n[other]",
            "training must be a table",
        ),
    ],
)
def test_faults_are_named(declare, old, new, message):
    path = declare(fault=(old, new))
    with pytest.raises(ConfigError, match=message):
        Experiment.read(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sum(4)+product(3)", "product(3)+sum(4)", "'both' has other settings in other"),
        (
            'encoder = "sums"\n',
            'encoder = "both:cbow"\n',
            "row 'sum' of other has the paper's name 'CBOW/784'",
        ),
    ],
    ids=["model", "name of the paper"],
)
def test_one_name_cannot_mean_two_things(declare, data, tmp_path, old, new, message):
    first = Experiment.read(declare())
    other = tmp_path / "other.toml"
    other.write_text(declare().read_text().replace(old, new))
    with pytest.raises(ConfigError, match=message):
        check_experiments([first, Experiment.read(other)], {}, [data])


@pytest.mark.parametrize("model", ["both.cmow", "BOTH", "sums-both.cmow"])
def test_one_file_of_scores_is_not_for_two_encoders(declare, data, model):
    path = declare(
        model=("[models.sums]", f'[models."{model}"]\nshape = "sum(2)"\n[models.sums]'),
        row=("[rows.both]", f'[rows.other]\nencoder = "{model}"\n[rows.both]'),
    )
    with pytest.raises(ConfigError, match=r"has its scores in .*\.json, as has another encoder"):
        check_experiments([Experiment.read(path)], {}, [data])


@pytest.mark.parametrize(("package", "kind"), [("matplotlib", "scores"), ("torch", "speed")])
def test_what_is_not_installed_is_told_before_training(declare, data, monkeypatch, package, kind):
    monkeypatch.setattr(errors, "find_spec", lambda name: None if name == package else object())
    with pytest.raises(MissingExtraError, match=f"this needs {package}: pip install"):
        check_experiments([Experiment.read(declare(kind))], {}, [data])


def test_a_faulty_set_is_told_before_training(declare, data, tmp_path):
    broken = tmp_path / "probing"
    shutil.copytree(data / "probing", broken)
    (broken / "word_content.txt").write_text("tr\tonly two columns\n")
    with pytest.raises(FormatError, match=r"word_content\.txt:1"):
        check_experiments([Experiment.read(declare())], {}, [broken])


def test_settings_that_do_not_go_with_those_for_all_are_told(declare, data):
    path = declare(adam=("batch_sentences = 32", 'batch_sentences = 32\nadam = "lazy"'))
    with pytest.raises(ConfigError, match="set adam to dense"):
        check_experiments([Experiment.read(path)], {"compile": True}, [data])


def test_what_differs_between_models_cannot_be_overruled_for_all(declare, data):
    with pytest.raises(ConfigError, match="shape is the experiments' own"):
        check_experiments([Experiment.read(declare())], {"shape": "sum(3)"}, [data])


def test_a_folder_without_any_data_is_refused_before_training(declare, tmp_path):
    with pytest.raises(ConfigError, match="no task has its data here"):
        check_experiments([Experiment.read(declare())], {}, [tmp_path])


@pytest.mark.parametrize(
    ("kind", "message"),
    [("values", "no sentence of the corpus has 32 words"), ("speed", "batches of 1,024 sentences")],
)
def test_a_corpus_that_does_not_do_is_refused_before_training(
    declare, data, tmp_path, kind, message
):
    pytest.importorskip("torch")
    corpus = prepare(["a few short words"] * 100, tmp_path / "prepared")
    experiments = [Experiment.read(declare()), Experiment.read(declare(kind))]
    with pytest.raises(ConfigError, match=message):
        reproduce(experiments, corpus=corpus, data=[data], output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_parts_are_those_of_the_model(declare, data):
    path = declare(part=('encoder = "both:cmow"', 'encoder = "both:cmov"'))
    with pytest.raises(ConfigError, match="the part 'cmov' of both, which has cbow and cmow"):
        check_experiments([Experiment.read(path)], {}, [data])


def test_the_papers_experiments_take_the_budget(data):
    budget = read_toml(PLACE / "budget.toml")
    check_experiments([Experiment.read(path) for path in EXAMPLES], budget, [data])
    assert set(budget) == {"max_updates", "learning_rate", "share_negatives"}


def test_the_papers_experiments_agree_and_are_the_papers(data):
    experiments = [Experiment.read(path) for path in EXAMPLES]
    check_experiments(experiments, {}, [data])
    assert {e.name for e in experiments} == {
        "models",
        "objective",
        "initialization",
        "values",
        "speed",
    }
    varied = {"shape", "target", "initialization", "prepare"}
    for experiment in experiments:
        for model in experiment.settings:
            config = experiment.config(model, 0, {}).as_dict()
            assert {n: config[n] for n in PAPER if n not in varied} == {
                n: value for n, value in PAPER.items() if n not in varied
            }

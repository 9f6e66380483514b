"""The paper's own scores in place of ours: differences vanish, and its vs. rows come out."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from cmow.evaluation.paper import published
from cmow.evaluation.tasks import TASKS
from cmow.paper.reproduction import Experiment
from cmow.paper.reproduction.claims import FAILS, HOLDS, SUPERVISED, WEAKER, judged
from cmow.paper.reproduction.plot import plot_scores
from cmow.paper.reproduction.retrained import retrained
from cmow.paper.reproduction.tables import score_tables

EXAMPLES = Path(__file__).parents[3] / "examples" / "paper"
MODELS = Experiment.read(EXAMPLES / "models.toml")
ROWS = [row for row in MODELS.rows if published(row.paper)]


def found(*, rebuilt: bool = False) -> dict[str, list[dict[str, dict[str, object]]]]:
    def entry(task: str, score: float) -> dict[str, object]:
        group = TASKS[task].group
        name = f"{group} (rebuilt)" if rebuilt else group
        return {"score": score, "group": name, "metric": TASKS[task].metric, "details": {}}

    return {
        row.name: [{task: entry(task, score) for task, score in published(row.paper).items()}]
        for row in ROWS
    }


def cells(table: str, label: str) -> list[str]:
    line = next(line for line in table.splitlines() if line.startswith(f"| {label} |"))
    return [cell.strip() for cell in line.split("|")[2:-1]]


@pytest.fixture
def experiment():
    rows = tuple(ROWS)
    return Experiment(MODELS.name, MODELS.title, MODELS.kind, MODELS.settings, rows, "Hybrid")


def test_the_changes_are_those_that_the_paper_prints(experiment):
    probing = score_tables(experiment, found())[0]
    printed = [6.1, 42.7, 3, 3.3, 10.8, 13.3, 0.5, 3.2, -0.6, -2.1]
    ours = [cell.rstrip("%") for cell in cells(probing, "vs. CBOW/784")]
    assert [float(cell) for cell in ours[:-1]] == pytest.approx(printed, abs=0.11)
    assert float(ours[-1]) == pytest.approx(8.0, abs=0.1)  # "the average … is 8 %"


def test_the_difference_to_itself_is_none(experiment):
    probing = score_tables(experiment, found())[0]
    assert set(cells(probing, "difference")) == {"+0.0"}


def test_rebuilt_sets_are_not_subtracted_from_the_published(experiment):
    probing = score_tables(experiment, found(rebuilt=True))[0]
    assert "difference" not in probing
    assert "**probing (rebuilt)**" in probing
    assert "rebuilt: the paper's figures" in probing


def test_one_rebuilt_set_is_enough(experiment, tmp_path, monkeypatch):
    rows = found()
    rows["Hybrid"][0]["WC"]["group"] = "probing (rebuilt)"
    probing = score_tables(experiment, rows)[0]
    assert "difference" not in probing
    assert "**probing (rebuilt)**" in probing
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")
    plot_scores(experiment, rows, tmp_path / "scores.svg")
    assert ">probing (rebuilt)<" in (tmp_path / "scores.svg").read_text()


def test_the_spread_is_that_of_the_seeds(experiment):
    first, second = found(), found()
    for row in second.values():
        row[0]["BShift"] = {**row[0]["BShift"], "score": row[0]["BShift"]["score"] + 2}
    both = {name: [first[name][0], second[name][0]] for name in first}
    probing = score_tables(experiment, both)[0]
    assert cells(probing, "spread of 2 seeds")[:2] == ["0.0", "2.0"]
    assert cells(probing, r"**Hybrid**")[1] == "71.8"


def test_a_score_of_nothing_has_no_relative_change(experiment):
    rows = found()
    rows["CBOW/784"][0]["Depth"]["score"] = -2.0
    assert cells(score_tables(experiment, rows)[0], "vs. CBOW/784")[0] == "–"


def test_scores_of_nothing_have_no_mean_change_and_no_claim(experiment):
    two = replace(experiment, rows=[row for row in ROWS if row.name in ("CBOW/784", "Hybrid")])
    rows = {row.name: found()[row.name] for row in two.rows}
    unsupervised = [task for task in published("CBOW/784") if TASKS[task].group == "unsupervised"]
    for task in unsupervised:
        rows["CBOW/784"][0][task]["score"] = 0.0
    assert set(cells(score_tables(two, rows)[2], "vs. CBOW/784")) == {"–"}
    nothing = {**published("CBOW/784"), **dict.fromkeys(unsupervised, 0.0)}
    claims = judged({"CBOW/784": [nothing], "Hybrid": [published("Hybrid")]}, None, None)
    assert "The hybrid is above CBOW on unsupervised tasks" not in {c.text for c in claims}
    assert "The hybrid is above CBOW on probing tasks" in {c.text for c in claims}


def test_classifiers_that_did_not_converge_are_named(experiment):
    rows = found()
    rows["Hybrid"][0]["WC"]["details"] = {"converged": False}
    assert "had converged: Hybrid on WC." in score_tables(experiment, rows)[0]


@pytest.fixture
def three(experiment):
    """The rows that the paper has all tables of, and their scores."""
    rows = [row for row in ROWS if retrained(row.paper)]
    return replace(experiment, rows=rows), {row.name: found()[row.name] for row in rows}


def by_senteval(rows, *, less):
    """The rows with scores by the other classifier, so many points lower."""
    for of_seeds in rows.values():
        for scores in of_seeds:
            for task, found in scores.items():
                if TASKS[task].classified:
                    found["senteval"] = {"score": found["score"] - less, "details": {}}
    return rows


def test_the_difference_is_that_of_like_with_like(three):
    experiment, rows = three
    supervised = score_tables(experiment, by_senteval(rows, less=0.5))[1]
    differences = cells(supervised, "difference, like with like")
    assert differences[:-1] == ["-0.5"] * 9 + ["+0.0"] * 2  # STS-B and SICK-R have no classifier
    assert "| difference |" not in supervised
    ours, alike = (cells(supervised, row) for row in (r"**CBOW/784**", "SentEval's classifier"))
    assert float(ours[0]) - float(alike[0]) == pytest.approx(0.5)
    assert float(ours[-1]) - float(alike[-1]) == pytest.approx(0.4, abs=0.11)


def test_half_a_table_by_the_other_classifier_is_not_shown(three):
    experiment, rows = three
    by_senteval(rows, less=0.5)
    for of_seeds in rows.values():
        del of_seeds[0]["TREC"]["senteval"]
    assert "SentEval's classifier" not in score_tables(experiment, rows)[1]
    assert "SentEval's classifier" not in score_tables(experiment, rows)[2]


def test_the_retrained_models_stand_beside(three):
    probing, supervised, unsupervised = score_tables(*three)
    assert cells(probing, "authors, retrained")[1] == "49.6"
    assert probing.count("authors, retrained") == 3
    assert "Spearman" not in probing
    assert "correlations are Spearman's" in supervised
    assert "correlations are Spearman's" in unsupervised


def test_retrained_hybrids_win_two_tasks_of_eleven():
    claims = {claim.text: claim for claim in judged(papers_rows(), None, None)}
    most = claims["The hybrid is above CBOW on most supervised tasks"]
    assert (most.paper, most.retrained) == ("8 of 11", "2 of 11")
    assert claims["Glorot is above N(0, 0.1)"].retrained == "–"
    hybrid, cbow = retrained("Hybrid"), retrained("CBOW/784")
    assert [task for task in SUPERVISED if hybrid[task] > cbow[task]] == ["MPQA", "TREC"]
    assert hybrid.keys() == published("Hybrid").keys()


def papers_rows():
    names = ["CBOW/784", "CMOW/784", "CBOW/400", "CMOW/400", "H-CBOW", "H-CMOW", "Hybrid"]
    names += ["CMOW-C", "CBOW-C", "Glorot", "N(0, 0.1)"]
    return {name: [published(name)] for name in names}


def test_the_papers_claims_hold_by_its_own_figures():
    claims = judged(papers_rows(), None, None)
    assert len(claims) == 21
    assert {claim.verdict for claim in claims} == {HOLDS}
    effects = {claim.text: claim.paper for claim in claims}
    assert effects["CMOW: a random target is far above the center"] == "+20.8 %"
    assert effects["CBOW: the target makes no difference"] == "-0.1 %"
    assert effects["Identity is above Glorot"] == "+2.8 %"
    assert effects["The hybrid is above CBOW on probing tasks"] == "+8.0 %"
    assert effects["The hybrid is above CBOW on most supervised tasks"] == "8 of 11"
    assert effects["CMOW is above CBOW on all probing tasks but WC"] == "9 of 9"
    assert effects["Joint training: H-CMOW gives up WC"] == "-32.5 points"


@pytest.mark.parametrize(
    ("points", "verdict"), [(21, HOLDS), (5, WEAKER), (0.5, FAILS), (-9, FAILS)]
)
def test_a_verdict_follows_the_size_of_the_effect(points, verdict):
    rows = {name: [dict(published(name))] for name in ("CBOW/784", "CMOW/784")}
    rows["CMOW/784"][0]["BShift"] = rows["CBOW/784"][0]["BShift"] + points
    claim = next(c for c in judged(rows, None, None) if re.search("BShift", c.text))
    assert claim.verdict == verdict


def test_seeds_that_disagree_on_the_sign_decide_nothing():
    lower, higher = published("CBOW/784"), published("CMOW/784")
    worse = {**higher, "BShift": lower["BShift"] - 1}
    rows = {"CBOW/784": [lower, lower], "CMOW/784": [higher, worse]}
    assert judged(rows, None, None)[0].verdict == FAILS


def test_a_row_of_one_seed_is_compared_with_every_seed_of_another():
    lower, higher = published("CBOW/784"), published("CMOW/784")
    better = {**lower, "BShift": lower["BShift"] + 4}
    rows = {"CBOW/784": [lower, better], "CMOW/784": [higher]}
    effect = higher["BShift"] - lower["BShift"]
    spread = f"({effect - 4:+.1f} to {effect:+.1f} in 2 seeds of one row, 1 of another)"
    assert judged(rows, None, None)[0].ours == f"{effect - 2:+.1f} points {spread}"


@pytest.mark.parametrize(("lost", "verdict"), [(3, HOLDS), (4, WEAKER), (5, WEAKER), (6, FAILS)])
def test_a_verdict_follows_the_number_of_tasks(lost, verdict):
    cbow, hybrid = published("CBOW/784"), dict(published("Hybrid"))
    tasks = [task for task in cbow if TASKS[task].group == "supervised"]
    for number, task in enumerate(tasks):
        hybrid[task] = cbow[task] + (1 if number >= lost else -1)
    claims = judged({"CBOW/784": [cbow], "Hybrid": [hybrid]}, None, None)
    claim = next(each for each in claims if "on most supervised tasks" in each.text)
    assert claim.ours == f"{len(tasks) - lost} of {len(tasks)}"
    assert claim.verdict == verdict


@pytest.mark.parametrize(("below", "verdict"), [(0.9, HOLDS), (1.9, WEAKER), (2.1, FAILS)])
def test_a_verdict_follows_the_largest_gap(below, verdict):
    names = ("CBOW/784", "CMOW/784")
    rows = {name: [dict.fromkeys(published(name), 50.0)] for name in names}
    rows["Hybrid"] = [{**dict.fromkeys(published("Hybrid"), 50.0), "SST2": 50 - below}]
    claims = judged(rows, None, None)
    claim = next(each for each in claims if re.search("far below.* supervised", each.text))
    assert claim.verdict == verdict


@pytest.mark.parametrize(
    ("cbow", "network", "verdicts"),
    [(1.0, 4.0, [HOLDS, HOLDS]), (0.5, 2.0, [WEAKER, WEAKER]), (0.3, 1.0, [FAILS, FAILS])],
)
def test_speed_is_judged_in_pytorch(cbow, network, verdicts):
    in_torch = {"CMOW/784": 100.0, "CBOW/784": 100 / cbow, "Elman RNN": 100 / network}
    speeds = {"torch": in_torch, "cmow": {"CMOW/784": 9.0, "CBOW/784": 9.0}}
    claims = judged({}, None, speeds)
    assert [claim.verdict for claim in claims] == verdicts
    assert claims[0].ours.endswith("×1 in cmow")


def test_no_vanishing_is_judged_by_the_curves():
    steady = {"at the start": [1.0, 1.2], "after training": [1.0, 2.0]}
    falling = {"at the start": [1.0, 1e-5], "after training": [1.0, 1e-5]}
    curves = {"identity": steady, "Glorot": falling, "N(0, 0.1)": falling}

    def verdicts(**changed):
        return [claim.verdict for claim in judged({}, {**curves, **changed}, None)]

    assert verdicts() == [HOLDS, HOLDS]
    growing = {"at the start": [1.0, 64.0], "after training": [1.0, 64.0]}
    assert verdicts(identity=growing) == [HOLDS, FAILS]
    assert verdicts(Glorot=steady) == [FAILS, HOLDS]
    assert verdicts(identity=falling) == [FAILS, FAILS]


def test_no_difference_is_not_one_that_cancels_out():
    centre = published("CBOW-C")
    shifted = [{task: score * by for task, score in centre.items()} for by in (1.03, 0.97)]
    claim = next(
        each
        for each in judged({"CBOW-C": [centre], "CBOW/784": shifted}, None, None)
        if "no difference" in each.text
    )
    assert claim.verdict == FAILS


def test_a_claim_needs_scores_on_its_own_tasks_only():
    rows = {name: [{"BShift": published(name)["BShift"]}] for name in ("CBOW/784", "CMOW/784")}
    assert [claim.text for claim in judged(rows, None, None)] == [
        "CMOW is far above CBOW on BShift"
    ]


def test_what_was_trained_apart_is_judged_by_the_sign():
    hybrid = published("Hybrid")
    for by, verdict in ((0.9, HOLDS), (1.1, FAILS)):
        apart = {task: score * by for task, score in hybrid.items()}
        claims = judged({"CBOW/400 + CMOW/400": [apart], "Hybrid": [hybrid]}, None, None)
        assert [claim.verdict for claim in claims] == [verdict]

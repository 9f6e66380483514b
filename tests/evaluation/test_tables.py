import json

import pytest

from cmow.errors import ConfigError, MissingExtraError
from cmow.evaluation.paper import PAPER
from cmow.evaluation.report import Report, Run, check_output
from cmow.evaluation.tables import changes, grid, markdown, notes_of, tables_of
from cmow.evaluation.task import Result

GROUPS = {task: group for group, rows in PAPER.items() for task in next(iter(rows.values()))}


def report(**changed):
    """The paper's own results, as if they were ours."""
    models = ("CBOW/784", "CMOW/784", "Hybrid")
    runs = {
        model: {task: Run(Result(PAPER[group][model][task]), 1.5) for task, group in GROUPS.items()}
        for model in models
    }
    facts = {
        "tasks": GROUPS,
        "metrics": dict.fromkeys(GROUPS, "accuracy"),
        "runs": runs,
        "missing": {},
        "left_out": {},
        "seed": 1,
        "compare": "Hybrid",
        "rebuilt": False,
        "seconds": 2.5,
    }
    return Report(**{**facts, **changed})


def rows(found, title):
    (table,) = (table for table in tables_of(found) if table.title.startswith(title))
    return {row[0]: row[1:] for row in table.rows}


@pytest.mark.parametrize(
    ("group", "other", "printed"),
    [
        ("probing", "CBOW/784", "6.1 42.7 3 3.3 10.8 13.3 0.5 3.2 -0.6 -2.1"),
        ("probing", "CMOW/784", "-0.3 0 -0.4 1 -3.9 1.9 -0.9 0.1 -2.8 20.9"),
        ("supervised", "CBOW/784", "0.2 -0.6 -0.4 0.2 1.5 2.3 0.6 1.4 2.9 3.9 -0.4"),
        ("supervised", "CMOW/784", "3.1 7.2 4.4 0 4.5 -0.5 2.9 6.7 14.3 12.2 2.1"),
        ("unsupervised", "CBOW/784", "14.6 -8 -4.5 -1.5 1.8"),
        ("unsupervised", "CMOW/784", "26.5 44.2 42.4 25.6 19.0"),
    ],
)
def test_the_papers_relative_changes(group, other, printed):
    """Its authors computed some from scores before they were rounded, or mistyped them."""
    row = [float(cell.rstrip("%")) for cell in rows(report(), group)[f"vs. {other}"][:-1]]
    expected = [float(cell) for cell in printed.split()]
    assert row == pytest.approx(expected, abs=0.8)
    close = [abs(one - other) < 0.11 for one, other in zip(row, expected, strict=True)]
    assert sum(close) >= len(row) - 2


def test_one_task_is_no_plural():
    alone = report(tasks={"WC": "probing"})
    assert "; mean of 1 task;" in tables_of(alone)[0].title


def test_the_papers_averages():
    """In its text 8, 1.6, 1.2 and 0.5 %: from scores before they were rounded."""
    summary = rows(report(), "mean relative change")
    assert summary["model"] == ["probing", "supervised", "unsupervised", "downstream"]
    assert summary["vs. CBOW/784"][:3] == ["+8.0%", "+1.1%", "+0.4%"]
    assert summary["vs. CMOW/784"][0] == "+1.5%"
    assert rows(report(), "probing")["vs. CBOW/784"][-1] == "+8.0%"
    assert rows(report(), "probing")["Hybrid"][-1] == "70.2"


def test_groups_that_the_paper_lacks_are_not_summed_up():
    runs = {name: {"Triples": Run(Result(50), 1)} for name in ("a", "b")}
    found = report(
        runs=runs, tasks={"Triples": "order"}, metrics={"Triples": "accuracy"}, compare="b"
    )
    assert [table.title.partition(":")[0] for table in tables_of(found)] == ["order"]


def test_extra_tasks_are_shown_but_not_averaged():
    runs = {"a": {"STS12": Run(Result(40), 1), "STS-B-cosine": Run(Result(80), 1)}}
    tasks = dict.fromkeys(["STS12", "STS-B-cosine"], "unsupervised")
    found = report(runs=runs, tasks=tasks, metrics=dict.fromkeys(tasks, "Pearson"), compare="a")
    assert rows(found, "unsupervised")["a"] == ["40.0", "80.0", "40.0"]


def test_what_cannot_be_compared_is_left_open():
    runs = {
        "bag": {"Swap": Run(Result(0), 1), "Reverse": Run(Result(5), 1)},
        "other": {"Swap": Run(Result(9), 1), "Reverse": Run(Result(10), 1)},
    }
    tasks = dict.fromkeys(["Swap", "Reverse"], "movement")
    found = report(runs=runs, tasks=tasks, metrics=dict.fromkeys(tasks, "x"), compare="other")
    assert rows(found, "movement")["vs. bag"] == ["–", "+100.0%", "+100.0%"]
    assert changes(found, "bag", tasks) == {"Reverse": 100}


def test_the_papers_rows_are_marked_with_their_corpus():
    text = markdown(report(), with_paper=True)
    assert "| paper: H-CMOW (3 billion tokens) | 32.3 | 70.8 |" in text
    assert "paper:" not in markdown(report())


def test_rebuilt_sets_are_called_so_everywhere(tmp_path, monkeypatch):
    found = report(rebuilt=True)
    text = markdown(found, with_paper=True)
    assert "## probing (rebuilt): accuracy" in text
    assert "paper: H-CMOW" not in text
    assert "paper: Hybrid (3 billion tokens) | 90.2" in text
    assert "probing: rebuilt sets, not to be compared with published figures" in notes_of(found)
    assert found.as_dict()["models"]["Hybrid"]["WC"]["group"] == "probing (rebuilt)"
    found.save(tmp_path / "report.csv")
    assert "Hybrid,probing (rebuilt),WC,accuracy,87.6000" in (tmp_path / "report.csv").read_text()
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")
    found.save(tmp_path / "report.svg")
    assert ">probing (rebuilt)<" in (tmp_path / "report.svg").read_text()


def test_notes():
    found = report(
        missing={"MR": "downstream/MR/rt-polarity.neg"},
        left_out={"Hybrid": {"MEN": "no words"}},
    )
    assert notes_of(found) == [
        "MR: no data: expected downstream/MR/rt-polarity.neg",
        "MEN: left out for Hybrid: no words",
    ]


def test_further_scores_are_named():
    result = Result(40, {"Pearson": 40, "Spearman": 39})
    runs = {"a": {"STS-B": Run(result, 1), "MR": Run(Result(70), 1)}}
    tasks = dict.fromkeys(["STS-B", "MR"], "supervised")
    found = report(runs=runs, tasks=tasks, metrics=dict.fromkeys(tasks, "x"), compare="a")
    text = markdown(found)
    assert "| a | Spearman | 39.0 | – |" in text


def test_a_name_does_not_break_the_table():
    assert grid([["model", "MR"], ["a|b", "70.1"]]).endswith("\n| a\\|b | 70.1 |")


def test_json_csv_and_markdown(tmp_path):
    found = report(missing={"X": "x.txt"})
    for ending in ("json", "csv", "md"):
        found.save(tmp_path / f"report.{ending}")
    facts = json.loads((tmp_path / "report.json").read_text())
    assert facts["models"]["Hybrid"]["MR"]["score"] == 73.7
    assert facts["models"]["Hybrid"]["MR"]["seconds"] == 1.5
    assert facts["seed"] == 1
    assert set(facts["versions"]) == {"cmow", "numpy", "python"}
    assert facts["no data"] == {"X": "x.txt"}
    lines = (tmp_path / "report.csv").read_text().splitlines()
    assert lines[0] == "model,group,task,score,value"
    assert "Hybrid,supervised,MR,accuracy,73.7000" in lines
    assert "| Hybrid | 90.2 |" in (tmp_path / "report.md").read_text()


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_plot(tmp_path, ending):
    pytest.importorskip("matplotlib")
    file = tmp_path / f"scores.{ending}"
    report().save(file, with_paper=True)
    assert file.stat().st_size > 10_000


def test_outputs_are_checked_beforehand(tmp_path, monkeypatch):
    with pytest.raises(ConfigError, match=r"x\.txt: the ending must be one of \.json"):
        check_output(tmp_path / "x.txt")
    with pytest.raises(ConfigError, match="nowhere is not a folder"):
        check_output(tmp_path / "nowhere" / "x.json")
    monkeypatch.setattr("cmow.errors.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"cmow\[plot\]"):
        check_output(tmp_path / "x.png")


def test_a_report_prints_as_tables():
    shown = str(report(missing={"MEN": "wordsim/EN-MEN-TR-3k.txt"})).splitlines()
    start = next(number for number, line in enumerate(shown) if line.startswith("supervised"))
    head, *models = shown[start + 1 : start + 5]
    assert head.split()[:3] == ["model", "SUBJ", "CR"]
    assert [line.split()[0] for line in models] == ["CBOW/784", "CMOW/784", "Hybrid"]
    assert len({line.rindex(" ") for line in [head, *models]}) == 1  # one column below the other
    assert shown[-1] == "MEN: no data: expected wordsim/EN-MEN-TR-3k.txt"

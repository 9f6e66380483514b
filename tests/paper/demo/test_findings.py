import pytest

from cmow.encoder import Encoder
from cmow.evaluation import Report, Result
from cmow.evaluation.report import Run
from cmow.paper.demo import Drawing, balance, distances_from, findings, unsolved
from cmow.paper.probing import BuiltSet
from cmow.text import Vocabulary

WORDS = ["the", "dog", "chased", "cat", "a", "sailor", "steered", "every", "boat"]
DRAWING = Drawing(
    "the dog chased the cat",
    [("the cat chased the dog", "order"), ("a sailor steered every boat", "topic")],
)


def report(**scores: dict[str, float]) -> Report:
    runs = {
        model: {task: Run(Result(score), 0.0) for task, score in by_task.items()}
        for model, by_task in scores.items()
    }
    tasks = dict.fromkeys(next(iter(scores.values())), "probing")
    return Report(
        tasks=tasks,
        metrics=dict.fromkeys(tasks, "accuracy"),
        runs=runs,
        missing={},
        left_out={},
        seed=0,
        compare=next(iter(scores)),
        rebuilt=True,
        seconds=0.0,
    )


def built(task: str, classes: int) -> BuiltSet:
    return BuiltSet(task, "", 1000, 1000, 1000, classes, True)


def test_luck_is_no_knowledge():
    scores = report(CBOW={"BShift": 52.0, "WC": 90.0}, CMOW={"BShift": 75.0, "WC": 40.0})
    shift, content = findings(scores, [built("BShift", 2), built("WC", 50)])
    assert (shift.chance, content.chance) == (50, 2)
    assert shift.margin == pytest.approx(4.74, abs=0.01)
    assert not shift.knows("CBOW")
    assert shift.share("CBOW") == 0
    assert shift.share("CMOW") == pytest.approx(0.5)
    assert "50 words" in content.question


def test_tasks_that_tell_nothing_are_named():
    scores = report(
        CBOW={"SOMO": 49.0, "Tense": 99.5, "WC": 90.0},
        CMOW={"SOMO": 51.0, "Tense": 99.1, "WC": 2.0},
    )
    lines = unsolved(findings(scores, [built("SOMO", 2), built("Tense", 2), built("WC", 50)]))
    assert [line.split(":")[0] for line in lines] == ["SOMO", "Tense"]
    assert "48.9 to 50.7" in lines[0]
    assert "all models solve it" in lines[1]


def test_the_balance_counts_ties_as_neither():
    both = {"BShift": 50.0, "WC": 90.0}, {"BShift": 75.0, "WC": 40.0}
    sets = [built("BShift", 2), built("WC", 50)]

    def said(shift: float, content: float) -> str:
        hybrid = {"BShift": shift, "WC": content}
        found = findings(report(CBOW=both[0], CMOW=both[1], Hybrid=hybrid), sets)
        return balance(found, "Hybrid", ("CBOW", "CMOW"))

    assert said(76.0, 85.5) == (
        "Hybrid is above CBOW and CMOW on 1 of 2 tasks; "
        "at worst it is 4.5 points below the better one (WC)."
    )
    assert said(75.0, 91.0).endswith("on 1 of 2 tasks, and below the better one on none.")


def test_the_balance_is_of_tasks_that_some_model_knows_something_of():
    sets = [built("BShift", 2), built("WC", 50)]

    def said(content: float) -> list[str]:
        scores = {"BShift": 49.0, "WC": content}
        hybrid = {"BShift": 51.0, "WC": content + 1}
        found = findings(report(CBOW=scores, CMOW=scores, Hybrid=hybrid), sets)
        return [balance(found, "Hybrid", ("CBOW", "CMOW")), *unsolved(found)]

    summary, shift = said(90.0)
    assert "on 1 of 1 task on which one of the three is above chance, and" in summary
    assert shift.startswith("BShift: no model is above chance")
    summary, *each = said(2.0)
    assert summary.startswith("None of the three is above chance on any task")
    assert len(each) == len(sets)


def test_what_only_another_model_knows_is_not_weighed():
    luck, knowledge = {"BShift": 51.0}, {"BShift": 80.0}
    scores = report(CBOW=luck, CMOW=luck, Hybrid={"BShift": 52.0}, english=knowledge)
    found = findings(scores, [built("BShift", 2)])
    assert balance(found, "Hybrid", ("CBOW", "CMOW")).startswith("None of the three")
    assert unsolved(found) == []


def test_only_a_sum_holds_the_same_words_together():
    listed = [DRAWING.sentence, *(text for text, _ in DRAWING.others)]
    for shape in ("sum(9)", "product(4)", "sum(9)+product(4)"):
        encoder = Encoder.initialize(Vocabulary(WORDS), shape, seed=1)
        order, topic = distances_from(DRAWING, encoder, sentences=listed)
        assert (order > 0) is ("product" in shape)
        assert topic > order

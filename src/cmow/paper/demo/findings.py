"""What the scores say, and what they do not."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from cmow.evaluation import PAPER, Report, scores_of
from cmow.paper.probing import BuiltSet
from cmow.pluralize import pluralize

QUESTIONS = {
    "BShift": "Are two neighboring words swapped?",
    "CoordInv": "Are the two clauses in the wrong order?",
    "WC": "Which of {} words is in the sentence?",
}
STANDARD_ERRORS = 3  # beyond chance that count as knowing something
SOLVED = 99.0


class Finding(NamedTuple):
    """How well models answer a question."""

    task: str
    question: str
    chance: float
    margin: float  # a score this far above chance may be luck
    scores: dict[str, float]  # by model

    def share(self, model: str) -> float:
        """How much of the way from chance to perfection a model goes; 0 if that may be luck."""
        return (self.scores[model] - self.chance) / (100 - self.chance) if self.knows(model) else 0

    def knows(self, model: str) -> bool:
        """Whether a score is beyond luck."""
        return self.scores[model] > self.chance + self.margin

    @property
    def is_known(self) -> bool:
        """Whether some model knows something."""
        return any(map(self.knows, self.scores))


def findings(report: Report, sets: Iterable[BuiltSet]) -> list[Finding]:
    """What was found on each task."""
    return [_finding(report, made) for made in sets]


def balance(found: Sequence[Finding], model: str, others: Sequence[str]) -> str:
    """How often a model is better than others, and how much worse at worst, beyond luck."""
    leads = {
        each.task: each.scores[model] - max(each.scores[other] for other in others)
        for each in found
        if any(map(each.knows, (model, *others)))
    }
    if not leads:
        return "None of the three is above chance on any task: these scores are luck."
    better = sum(lead > 0 for lead in leads.values())
    worst = min(leads, key=lambda task: leads[task])
    tasks = pluralize(len(leads), "task")
    if len(leads) < len(found):
        tasks += " on which one of the three is above chance"
    text = f"{model} is above {' and '.join(others)} on {better} of {tasks}"
    if leads[worst] >= 0:
        return f"{text}, and below the better one on none."
    return f"{text}; at worst it is {-leads[worst]:.1f} points below the better one ({worst})."


def unsolved(found: Iterable[Finding]) -> list[str]:
    """A line on each task that does not tell the models apart."""
    lines = []
    for each in found:
        if not each.is_known:
            published = [scores[each.task] for scores in PAPER["probing"].values()]
            lines.append(
                f"{each.task}: no model is above chance here; on the paper's own set they score "
                f"{min(published)} to {max(published)}."
            )
        elif min(each.scores.values()) >= SOLVED:
            lines.append(f"{each.task}: too easy, all models solve it.")
    return lines


def _finding(report: Report, made: BuiltSet) -> Finding:
    chance = 1 / made.classes
    margin = STANDARD_ERRORS * sqrt(chance * (1 - chance) / made.test)
    question = QUESTIONS.get(made.task, "").format(made.classes)
    scores = {model: scores_of(report, model)[made.task] for model in report.models}
    return Finding(made.task, question, 100 * chance, 100 * margin, scores)

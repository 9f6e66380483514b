"""What the paper claims, what we found, and whether that agrees."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from cmow.evaluation.paper import PAPER, published
from cmow.evaluation.tables import Scores
from cmow.reproduction.speed import NETWORK
from cmow.reproduction.tables import change
from cmow.reproduction.values import Curves

HOLDS, WEAKER, FAILS = "holds", "holds weaker", "does not hold at this scale"
HALF, TENTH = 0.5, 0.1  # of the paper's effect: enough to hold, and to hold weaker

PROBING, SUPERVISED, UNSUPERVISED = (tuple(next(iter(rows.values()))) for rows in PAPER.values())
DOWNSTREAM = (*SUPERVISED, *UNSUPERVISED)
CBOW, CMOW, HYBRID = "CBOW/784", "CMOW/784", "Hybrid"
VANISHING = ("Glorot", "N(0, 0.1)")

Rows = Mapping[str, Sequence[Scores]]  # by the paper's name of a row: scores for each seed
Effect = Callable[[Mapping[str, Scores]], float]  # of rows of one seed


class Claim(NamedTuple):
    """One line: what is said, the paper's evidence, ours, and a verdict."""

    text: str
    paper: str
    ours: str
    verdict: str


class Comparison(NamedTuple):
    """A claim that one row is above another."""

    text: str
    lower: str
    higher: str
    tasks: tuple[str, ...]
    relative: bool  # in percent, averaged over tasks, else in points

    def effect(self, rows: Mapping[str, Scores]) -> float:
        """How far it is above."""
        lower, higher = rows[self.lower], rows[self.higher]
        if self.relative:
            return change(lower, higher, self.tasks)
        return fmean(higher[task] - lower[task] for task in self.tasks)

    def judge(self, rows: Rows) -> Claim:
        """Set our effect beside the paper's."""
        paper = self.effect({name: published(name) for name in (self.lower, self.higher)})
        ours = _of_seeds(self.effect, rows, (self.lower, self.higher))
        form = "{:+.1f} %" if self.relative else "{:+.1f} points"
        return Claim(self.text, form.format(paper), _shown(ours, form), _verdict(ours, paper))


COMPARISONS = (
    Comparison("CMOW is far above CBOW on BShift", CBOW, CMOW, ("BShift",), False),
    Comparison("CBOW is far above CMOW on WC", CMOW, CBOW, ("WC",), False),
    Comparison("The hybrid is above CBOW on probing tasks", CBOW, HYBRID, PROBING, True),
    Comparison("The hybrid is above CBOW on supervised tasks", CBOW, HYBRID, SUPERVISED, True),
    Comparison("Joint training: H-CMOW gives up WC", "H-CMOW", "CMOW/400", ("WC",), False),
    Comparison("Joint training: H-CMOW gains on BShift", "CMOW/400", "H-CMOW", ("BShift",), False),
    Comparison("CMOW: a random target is far above the centre", "CMOW-C", CMOW, DOWNSTREAM, True),
    Comparison("Identity is above Glorot", "Glorot", CMOW, DOWNSTREAM, True),
    Comparison("Glorot is above N(0, 0.1)", "N(0, 0.1)", "Glorot", DOWNSTREAM, True),
)


def judged(rows: Rows, curves: Curves | None, speeds: Mapping[str, Scores] | None) -> list[Claim]:
    """All claims that there is evidence on."""
    claims = [each.judge(rows) for each in COMPARISONS if _has(rows, each.lower, each.higher)]
    if _has(rows, CBOW, HYBRID):
        claims.append(_above_cbow(rows))
    if _has(rows, CBOW, CMOW, HYBRID):
        claims += [
            _not_below(rows),
            _near_the_better(rows, "supervised", SUPERVISED),
            _near_the_better(rows, "probing", PROBING),
        ]
    if _has(rows, "CBOW-C", CBOW):
        claims.append(_no_difference(rows))
    if curves is not None and {"identity", *VANISHING} <= curves.keys():
        claims.append(_no_vanishing(curves))
    if speeds is not None and {CBOW, CMOW} <= speeds["torch"].keys():
        claims += _fast(speeds)
    return claims


def _near_the_better(rows: Rows, kind: str, tasks: Sequence[str]) -> Claim:
    def deficit(of: Mapping[str, Scores]) -> float:
        return max(max(of[CBOW][t], of[CMOW][t]) - of[HYBRID][t] for t in tasks)

    paper, ours = _both(deficit, rows, (CBOW, CMOW, HYBRID))
    most, allowed = fmean(ours), max(1.0, paper)
    verdict = HOLDS if most <= allowed else WEAKER if most <= 2 * allowed else FAILS
    text = f"The hybrid is nowhere far below the better one of CBOW and CMOW on {kind} tasks"
    form = "at most {:.1f} points below"
    return Claim(text, form.format(paper), _shown(ours, form), verdict)


def _above_cbow(rows: Rows) -> Claim:
    def wins(of: Mapping[str, Scores]) -> float:
        return sum(of[HYBRID][t] > of[CBOW][t] for t in SUPERVISED)

    text = "The hybrid is above CBOW on most supervised tasks"
    return _on_most(text, *_both(wins, rows, (CBOW, HYBRID)))


def _not_below(rows: Rows) -> Claim:
    def wins(of: Mapping[str, Scores]) -> float:
        return sum(of[HYBRID][t] >= max(of[CBOW][t], of[CMOW][t]) for t in SUPERVISED)

    text = "The hybrid is as good as or above both on most supervised tasks"
    return _on_most(text, *_both(wins, rows, (CBOW, CMOW, HYBRID)))


def _on_most(text: str, paper: float, ours: Sequence[float]) -> Claim:
    won = fmean(ours)
    verdict = HOLDS if won >= paper else WEAKER if won >= len(SUPERVISED) / 2 else FAILS
    form = f"{{:.1f}} of {len(SUPERVISED)}"
    return Claim(text, form.format(paper), _shown(ours, form), verdict)


def _no_difference(rows: Rows) -> Claim:
    comparison = Comparison("CBOW: no difference", "CBOW-C", CBOW, DOWNSTREAM, True)
    claim = comparison.judge(rows)
    size = abs(fmean(_of_seeds(comparison.effect, rows, ("CBOW-C", CBOW))))
    verdict = HOLDS if size <= 1 else WEAKER if size <= 2 else FAILS
    return claim._replace(text="CBOW: the target makes no difference", verdict=verdict)


def _no_vanishing(curves: Curves) -> Claim:
    def ratio(row: str, moment: str) -> float:
        return curves[row][moment][-1] / curves[row][moment][0]

    start, trained = ratio("identity", "at the start"), ratio("identity", "after training")
    lost = {row: ratio(row, "at the start") for row in VANISHING}
    steps = len(curves["identity"]["at the start"]) - 1
    others = ", ".join(f"{row} ×{share:.1g}" for row, share in lost.items())
    ours = f"×{start:.2g} by {steps} multiplications, ×{trained:.2g} after training; {others}"
    kept, steady = min(start, trained) > TENTH, max(start, trained) < 1 / TENTH
    vanish = max(lost.values()) < TENTH**3
    verdict = HOLDS if kept and steady and vanish else WEAKER if kept and vanish else FAILS
    text = "From the identity, values keep their magnitude; from Glorot and N(0, 0.1) they vanish"
    return Claim(text, "about a tenth each time from Glorot", ours, verdict)


def _fast(speeds: Mapping[str, Scores]) -> list[Claim]:
    claims = []
    for text, other, paper, least in (
        ("CMOW encodes as fast as CBOW", CBOW, 71 / 61, 0.8),
        ("CMOW encodes several times as fast as an RNN", NETWORK, 71 / 12, 3.0),
    ):
        in_torch = speeds["torch"][CMOW] / speeds["torch"][other]
        ours = f"×{in_torch:.2g} in PyTorch"
        if other in speeds["cmow"]:
            ours += f", ×{speeds['cmow'][CMOW] / speeds['cmow'][other]:.2g} in cmow"
        verdict = HOLDS if in_torch >= least else WEAKER if in_torch >= least / 2 else FAILS
        claims.append(Claim(text, f"×{paper:.2g} on a GPU", ours, verdict))
    return claims


def _has(rows: Rows, *names: str) -> bool:
    """Whether there are rows with all scores that the paper has of them."""
    return all(
        name in rows and all(published(name).keys() <= scores.keys() for scores in rows[name])
        for name in names
    )


def _both(effect: Effect, rows: Rows, names: Sequence[str]) -> tuple[float, list[float]]:
    """The paper's effect, and ours by seed."""
    return effect({name: published(name) for name in names}), _of_seeds(effect, rows, names)


def _of_seeds(effect: Effect, rows: Rows, names: Sequence[str]) -> list[float]:
    """The effect by seed; a row of one seed is compared with every seed of the others."""
    seeds = max(len(rows[name]) for name in names)
    return [
        effect({name: rows[name][seed % len(rows[name])] for name in names})
        for seed in range(seeds)
    ]


def _shown(effects: Sequence[float], form: str) -> str:
    text = form.format(fmean(effects))
    if len(effects) > 1:
        text += f" ({min(effects):.1f} to {max(effects):.1f} in {len(effects)} seeds)"
    return text


def _verdict(ours: Sequence[float], paper: float) -> str:
    share = fmean(ours) / paper
    if not all(effect * paper > 0 for effect in ours):
        return FAILS
    return HOLDS if share >= HALF else WEAKER if share >= TENTH else FAILS

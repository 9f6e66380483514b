"""What the paper claims, what we found, and whether that agrees."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan
from statistics import fmean
from typing import NamedTuple

from cmow.evaluation import PAPER, Scores, paper_tasks, published
from cmow.paper.reproduction import speed
from cmow.paper.reproduction.retrained import retrained
from cmow.paper.reproduction.tables import change
from cmow.paper.reproduction.values import Curves

HOLDS, WEAKER, FAILS = "holds", "holds weaker", "does not hold at this scale"
NONE = "–"
HALF, TENTH = 0.5, 0.1  # of the paper's effect: enough to hold, and to hold weaker

PROBING, SUPERVISED, UNSUPERVISED = (tuple(paper_tasks(group)) for group in PAPER)
DOWNSTREAM = (*SUPERVISED, *UNSUPERVISED)
CBOW, CMOW, HYBRID, APART = "CBOW/784", "CMOW/784", "Hybrid", "CBOW/400 + CMOW/400"
VANISHING = ("Glorot", "N(0, 0.1)")

Rows = Mapping[str, Sequence[Scores]]  # by the paper's name of a row: scores for each seed
Effect = Callable[..., float]  # of tasks and the rows' scores by one seed
Verdict = Callable[[Sequence[float], float], str]  # on our effects by seed and the paper's


class Claim(NamedTuple):
    """One line: what is said, the paper's evidence, the authors' later one, ours, and a verdict."""

    text: str
    paper: str
    retrained: str
    ours: str
    verdict: str


class ScoreClaim(NamedTuple):
    """A claim that the scores of some rows bear out.

    :param rows: by the paper's names, in the order in which the effect takes them
    :param form: how an effect is written: the number, a space, the unit
    """

    text: str
    rows: tuple[str, ...]
    tasks: tuple[str, ...]
    effect: Effect
    form: str
    verdict: Verdict

    def judge(self, rows: Rows) -> Claim | None:
        """Set our effect beside the paper's; there is none in percent of nothing."""
        paper = self.effect(self.tasks, *map(published, self.rows))
        ours = _by_seed(partial(self.effect, self.tasks), rows, self.rows)
        if any(map(isnan, ours)):
            return None
        shown = _shown(ours, self.form, [len(rows[name]) for name in self.rows])
        return Claim(
            self.text,
            self.form.format(paper),
            self._retrained(),
            shown,
            self.verdict(ours, paper),
        )

    def _retrained(self) -> str:
        """The effect on the authors' retrained models, where they have the rows."""
        scores = [retrained(name) for name in self.rows]
        return self.form.format(self.effect(self.tasks, *scores)) if all(scores) else NONE


def judged(rows: Rows, curves: Curves | None, speeds: Mapping[str, Scores] | None) -> list[Claim]:
    """All claims that there is evidence on."""
    evident = (each for each in CLAIMS if _has(rows, each.rows, each.tasks))
    claims = [claim for each in evident if (claim := each.judge(rows)) is not None]
    if _has(rows, (APART, HYBRID), (*PROBING, *DOWNSTREAM)):
        claims.append(_jointly(rows))
    if curves is not None and {"identity", *VANISHING} <= curves.keys():
        claims += _values(curves)
    if speeds is not None and {CBOW, CMOW} <= speeds["torch"].keys():
        claims += _fast(speeds)
    return claims


def _points(tasks: Sequence[str], lower: Scores, higher: Scores) -> float:
    return fmean(higher[task] - lower[task] for task in tasks)


def _percent(tasks: Sequence[str], lower: Scores, higher: Scores) -> float:
    return change(lower, higher, tasks)


def _wins(tasks: Sequence[str], other: Scores, row: Scores) -> float:
    return sum(row[task] > other[task] for task in tasks)


def _not_below(tasks: Sequence[str], *others_and_row: Scores) -> float:
    *others, row = others_and_row
    return sum(row[task] >= max(other[task] for other in others) for task in tasks)


def _deficit(tasks: Sequence[str], *others_and_row: Scores) -> float:
    *others, row = others_and_row
    return max(max(other[task] for other in others) - row[task] for task in tasks)


def _by_size(ours: Sequence[float], paper: float) -> str:
    share = fmean(ours) / paper
    if not all(effect * paper > 0 for effect in ours):
        return FAILS
    return HOLDS if share >= HALF else WEAKER if share >= TENTH else FAILS


def _by_count(ours: Sequence[float], paper: float, *, of: int) -> str:
    won = fmean(ours)
    return HOLDS if won >= paper else WEAKER if won > of / 2 else FAILS


def _at_most(ours: Sequence[float], paper: float) -> str:
    most, allowed = fmean(ours), max(1.0, paper)
    return HOLDS if most <= allowed else WEAKER if most <= 2 * allowed else FAILS


def _as_good_as_none(ours: Sequence[float], _paper: float) -> str:
    size = max(map(abs, ours))
    return HOLDS if size <= 1 else WEAKER if size <= 2 else FAILS


def _above(text: str, lower: str, higher: str, tasks: tuple[str, ...]) -> ScoreClaim:
    """A claim on one task is in points, a claim on several in percent, averaged over them."""
    if len(tasks) == 1:
        return ScoreClaim(text, (lower, higher), tasks, _points, "{:+.1f} points", _by_size)
    return ScoreClaim(text, (lower, higher), tasks, _percent, "{:+.1f} %", _by_size)


def _count(text: str, rows: tuple[str, ...], tasks: tuple[str, ...], effect: Effect) -> ScoreClaim:
    of = len(tasks)
    return ScoreClaim(text, rows, tasks, effect, f"{{:.3g}} of {of}", partial(_by_count, of=of))


def _near_the_better(kind: str, tasks: tuple[str, ...]) -> ScoreClaim:
    text = f"The hybrid is nowhere far below the better one of CBOW and CMOW on {kind} tasks"
    form = "{:.1f} points below, at most"
    return ScoreClaim(text, (CBOW, CMOW, HYBRID), tasks, _deficit, form, _at_most)


def _without(task: str, tasks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for each in tasks if each != task)


CLAIMS = (
    _above("CMOW is far above CBOW on BShift", CBOW, CMOW, ("BShift",)),
    _above("CBOW is far above CMOW on WC", CMOW, CBOW, ("WC",)),
    _count(
        "CMOW is above CBOW on all probing tasks but WC",
        (CBOW, CMOW),
        _without("WC", PROBING),
        _wins,
    ),
    _count(
        "CBOW is as good as CMOW or above on all supervised tasks but TREC",
        (CMOW, CBOW),
        _without("TREC", SUPERVISED),
        _not_below,
    ),
    _above("CMOW is above CBOW on TREC", CBOW, CMOW, ("TREC",)),
    _above("CBOW is far above CMOW on unsupervised tasks", CMOW, CBOW, UNSUPERVISED),
    _above("The hybrid is above CBOW on probing tasks", CBOW, HYBRID, PROBING),
    _above("The hybrid is above CMOW on probing tasks", CMOW, HYBRID, PROBING),
    _above("The hybrid is above CBOW on supervised tasks", CBOW, HYBRID, SUPERVISED),
    _above("The hybrid is above CBOW on unsupervised tasks", CBOW, HYBRID, UNSUPERVISED),
    _count("The hybrid is above CBOW on most supervised tasks", (CBOW, HYBRID), SUPERVISED, _wins),
    _count(
        "The hybrid is as good as both or above on most supervised tasks",
        (CBOW, CMOW, HYBRID),
        SUPERVISED,
        _not_below,
    ),
    _near_the_better("supervised", SUPERVISED),
    _near_the_better("probing", PROBING),
    _above("Joint training: H-CMOW gives up WC", "CMOW/400", "H-CMOW", ("WC",)),
    _above("Joint training: H-CMOW gains on BShift", "CMOW/400", "H-CMOW", ("BShift",)),
    _above("Joint training: H-CBOW gains on WC", "CBOW/400", "H-CBOW", ("WC",)),
    _above("CMOW: a random target is far above the center", "CMOW-C", CMOW, DOWNSTREAM),
    ScoreClaim(
        "CBOW: the target makes no difference",
        ("CBOW-C", CBOW),
        DOWNSTREAM,
        _percent,
        "{:+.1f} %",
        _as_good_as_none,
    ),
    _above("Identity is above Glorot", "Glorot", CMOW, DOWNSTREAM),
    _above("Glorot is above N(0, 0.1)", "N(0, 0.1)", "Glorot", DOWNSTREAM),
)


def _jointly(rows: Rows) -> Claim:
    """The paper gives no figure, so that our sign alone decides."""
    groups = {"probing": PROBING, "downstream": DOWNSTREAM}
    effects = {
        name: _by_seed(partial(_percent, tasks), rows, (APART, HYBRID))
        for name, tasks in groups.items()
    }
    seeds = [len(rows[name]) for name in (APART, HYBRID)]
    ours = [f"{name} {_shown(found, '{:+.1f} %', seeds)}" for name, found in effects.items()]
    above = [min(found) > 0 for found in effects.values()]
    verdict = HOLDS if all(above) else WEAKER if any(above) else FAILS
    text = "Trained jointly, CBOW and CMOW are above the two trained apart and concatenated"
    return Claim(text, "no figures", NONE, ", ".join(ours), verdict)


def _values(curves: Curves) -> list[Claim]:
    def ratio(row: str, moment: str) -> float:
        return curves[row][moment][-1] / curves[row][moment][0]

    start, trained = ratio("identity", "at the start"), ratio("identity", "after training")
    lost = {row: ratio(row, "at the start") for row in VANISHING}
    steps = len(curves["identity"]["at the start"]) - 1
    shares = ", ".join(f"×{share ** (1 / steps):.2g} from {row}" for row, share in lost.items())
    least, most = min(start, trained), max(start, trained)
    kept, vanish = least > TENTH, max(lost.values()) < TENTH**3
    return [
        Claim(
            "From Glorot and N(0, 0.1), values vanish; from the identity they do not",
            "about ×0.1 with each multiplication",
            NONE,
            f"{shares}; ×{start ** (1 / steps):.2g} from the identity",
            HOLDS if kept and vanish else FAILS,
        ),
        Claim(
            "From the identity, values have the same magnitude whatever the length",
            "a flat line",
            NONE,
            f"{_times(start)} by {steps} multiplications, {_times(trained)} after training",
            HOLDS if kept and most < 1 / TENTH else FAILS,
        ),
    ]


def _times(factor: float) -> str:
    return f"×{factor:.2g}" if factor < 100 else f"×{factor:,.0f}"


def _fast(speeds: Mapping[str, Scores]) -> list[Claim]:
    claims = []
    for text, other, least in (
        ("CMOW encodes as fast as CBOW", CBOW, 0.8),
        ("CMOW encodes several times as fast as an RNN", speed.NETWORK, 3.0),
    ):
        paper = speed.PAPER[CMOW] / speed.PAPER[other]
        in_torch = speeds["torch"][CMOW] / speeds["torch"][other]
        ours = f"×{in_torch:.2g} in PyTorch"
        if other in speeds["cmow"]:
            ours += f", ×{speeds['cmow'][CMOW] / speeds['cmow'][other]:.2g} in cmow"
        verdict = HOLDS if in_torch >= least else WEAKER if in_torch >= least / 2 else FAILS
        claims.append(Claim(text, f"×{paper:.2g} on a GPU", NONE, ours, verdict))
    return claims


def _has(rows: Rows, names: Sequence[str], tasks: Sequence[str]) -> bool:
    """Whether there are scores of these rows on these tasks."""
    return all(
        name in rows and all(set(tasks) <= scores.keys() for scores in rows[name]) for name in names
    )


def _by_seed(effect: Effect, rows: Rows, names: Sequence[str]) -> list[float]:
    """The effect by seed; a row of one seed is compared with every seed of the others."""
    seeds = max(len(rows[name]) for name in names)
    return [
        effect(*(rows[name][seed % len(rows[name])] for name in names)) for seed in range(seeds)
    ]


def _shown(effects: Sequence[float], form: str, seeds: Sequence[int]) -> str:
    text = form.format(fmean(effects))
    if len(effects) == 1:
        return text
    number = form.partition(" ")[0]
    least, greatest = number.format(min(effects)), number.format(max(effects))
    span = "" if least == greatest else f"{least} to {greatest} "
    fewest, most = min(seeds), max(seeds)
    of = f"{most} seeds" if fewest == most else f"{most} seeds of one row, {fewest} of another"
    return f"{text} ({span}in {of})"

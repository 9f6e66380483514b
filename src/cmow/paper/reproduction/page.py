"""All findings on one page."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmow.evaluation import grid
from cmow.paper.reproduction import speed, values
from cmow.paper.reproduction.claims import Claim
from cmow.paper.reproduction.experiment import Experiment
from cmow.paper.reproduction.tables import OfSeeds, score_tables

HEAD = ["claim", "paper", "authors, retrained", "ours", "verdict"]
PAGE, TITLE = "README.md", "# Experiments"


def page(
    facts: Sequence[str],
    claims: Sequence[Claim],
    experiments: Sequence[Experiment],
    found: Mapping[str, Any],
) -> str:
    """The page in Markdown.

    :param found: by experiment: scores by row, curves, or speeds
    """
    sections = [TITLE, "\n".join(f"- {fact}" for fact in facts)]
    if claims:
        sections += ["## Claims", grid([HEAD, *claims])]
    for experiment in experiments:
        sections += [f"## {experiment.title}", *_section(experiment, found[experiment.name])]
    return "\n\n".join(sections) + "\n"


def _section(experiment: Experiment, found: Any) -> list[str]:
    picture = f"![{experiment.title}]({experiment.name}.png)"
    if experiment.kind == "values":
        return [values.table(found), picture]
    if experiment.kind == "speed":
        return [speed.table(found), picture]
    scores: Mapping[str, OfSeeds] = found
    return [*score_tables(experiment, scores), picture]

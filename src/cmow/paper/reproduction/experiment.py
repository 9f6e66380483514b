"""An experiment as a TOML file declares it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cmow.errors import ConfigError
from cmow.paper.reproduction.expression import terms
from cmow.settings import read_toml
from cmow.training import PREPARE, TrainConfig

KINDS = ("scores", "values", "speed")
NAME = re.compile(r"[\w.-]+", re.ASCII)  # of a model: it becomes that of a folder


class Row(NamedTuple):
    """A line of a table.

    :param encoder: a model, a part of one as in ``hybrid-800:cbow``, or several joined by ``+``.
    :param paper: the name that the paper's figures for it have.
    :param seeds: how many trainings its scores are the mean of.
    """

    name: str
    encoder: str
    paper: str
    seeds: int


@dataclass(frozen=True)
class Experiment:
    """What is trained, and what is compared.

    :param kind: scores of evaluation tasks, values of embeddings by length, or encoding speed.
    :param settings: of training, by model.
    :param compare: the row that "vs." lines set beside the others.
    """

    name: str
    title: str
    kind: str
    settings: Mapping[str, Mapping[str, Any]]
    rows: tuple[Row, ...]
    compare: str | None

    @classmethod
    def read(cls, path: str | Path) -> "Experiment":
        """Read a file; everything that is wrong with it is said at once."""
        path = Path(path)
        values = read_toml(path)
        problems = list(_problems(values))
        if problems:
            raise ConfigError(f"{path}: {'; '.join(problems)}")
        training = values.get("training", {})
        return cls(
            name=path.stem,
            title=values["title"],
            kind=values["kind"],
            settings={
                name: TrainConfig.merged(training, settings)
                for name, settings in values["models"].items()
            },
            rows=tuple(_row(name, row) for name, row in values["rows"].items()),
            compare=values.get("compare"),
        )

    def config(self, model: str, seed: int, prevailing: Mapping[str, Any]) -> TrainConfig:
        """How a model is trained.

        :param prevailing: settings that go before those of the file
        """
        try:
            layers = self.settings[model], prevailing, {"seed": seed}
            return TrainConfig.of(TrainConfig.merged(*layers))
        except ConfigError as error:
            raise ConfigError(f"{self.name}, model {model}: {error}") from error


def _row(name: str, row: Mapping[str, Any]) -> Row:
    return Row(name, row["encoder"], row.get("paper", name), row.get("seeds", 1))


def _problems(values: Mapping[str, Any]) -> Iterator[str]:
    known = {"title", "kind", "training", "models", "rows", "compare"}
    for name in sorted(values.keys() - known):
        yield f"there is no setting {name}"
    if not isinstance(values.get("title"), str):
        yield "title is missing"
    if values.get("kind") not in KINDS:
        yield f"kind must be one of {', '.join(KINDS)}, not {values.get('kind')!r}"
    models, rows = values.get("models"), values.get("rows")
    if not _are_settings(values.get("training", {})):
        yield "training must be a table of settings (prepare is a matter of --config)"
    if not isinstance(models, Mapping) or not all(map(_are_settings, models.values())):
        yield "models must be a table of settings for each model (prepare is a matter of --config)"
        return
    for name in models:
        if not NAME.fullmatch(name):
            yield f"the model {name!r} must have a name of letters, digits, points and dashes"
    if not (isinstance(rows, Mapping) and rows and all(map(_is_row, rows.values()))):
        yield (
            "rows must be tables with an encoder and, where they differ, the paper's name and the "
            "number of seeds, which is 1"
        )
        return
    for name, row in rows.items():
        for term in terms(row["encoder"]):
            if term.model not in models:
                yield f"row {name!r} names the model {term.model!r}, which is not declared"
    if values.get("compare", next(iter(rows))) not in list(rows):
        yield f"compare names {values['compare']!r}, which is no row"


def _are_settings(values: Any) -> bool:
    return isinstance(values, Mapping) and PREPARE not in values  # there is one corpus for all


def _is_row(row: Any) -> bool:
    kinds = {"encoder": str, "paper": str, "seeds": int}
    return (
        isinstance(row, Mapping)
        and "encoder" in row
        and all(type(value) is kinds.get(name) for name, value in row.items())
        and row.get("seeds", 1) >= 1
    )

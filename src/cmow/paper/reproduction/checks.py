"""What is refused before time is spent on it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cmow.corpus import Corpus
from cmow.encoder import Shape
from cmow.errors import ConfigError, require
from cmow.paper.reproduction import speed, values
from cmow.paper.reproduction.experiment import Experiment
from cmow.paper.reproduction.expression import Term, terms
from cmow.paper.reproduction.page import PAGE, TITLE
from cmow.paper.reproduction.scoring import check_data, slug

VARIED = {"shape", "target", "initialization", "seed"}  # from model to model


def check_experiments(
    experiments: Sequence[Experiment], prevailing: Mapping[str, Any], data: Sequence[Path]
) -> None:
    """Refuse what cannot end well before time is spent on it.

    The same model must be trained in the same way wherever it is named.
    """
    kinds = {experiment.kind for experiment in experiments}
    require("matplotlib", "plot")
    if "speed" in kinds:
        require("torch", "torch")
    if "scores" in kinds:
        check_data(data)
    settings: dict[str, Any] = {}
    encoders: dict[str, str] = {}
    files: dict[str, list[Term]] = {}
    if own := ", ".join(sorted(VARIED & prevailing.keys())):
        raise ConfigError(f"{own} is the experiments' own: leave it out of the settings for all")
    names = [experiment.name for experiment in experiments]
    if not names:
        raise ConfigError("no experiment to run: name the files")
    if len(set(names)) < len(names):
        raise ConfigError("two experiments have the same name: rename a file")
    for experiment in experiments:
        _check_parts(experiment, prevailing)
        for row in experiment.rows if experiment.kind == "scores" else ():
            if encoders.setdefault(row.paper, row.encoder) != row.encoder:
                raise ConfigError(
                    f"row {row.name!r} of {experiment.name} has the paper's name {row.paper!r}, as "
                    "has another encoder: give it another one"
                )
            encoder, file = terms(row.encoder), slug(row.encoder)
            if files.setdefault(file, encoder) != encoder:
                raise ConfigError(
                    f"row {row.name!r} of {experiment.name} has its scores in {file}-0.json, as "
                    "has another encoder: rename a model"
                )
        for model in experiment.settings:
            config = experiment.config(model, 0, prevailing)
            if settings.setdefault(model, config) != config:
                raise ConfigError(
                    f"the model {model!r} has other settings in {experiment.name} than before: "
                    "give it another name"
                )


def check_folders(output: Path, models: Path) -> None:
    """Refuse to write where a file is, or over a page of another kind, such as a project's own."""
    for folder in (output, models):
        for place in (folder, *folder.parents):
            if place.exists() and not place.is_dir():
                raise ConfigError(f"{place} is a file: name a folder to write")
    page = output / PAGE
    if page.exists() and not (page.is_file() and page.read_bytes().startswith(TITLE.encode())):
        raise ConfigError(f"{page} is not a page of results: choose another output folder")


def check_corpus(experiments: Sequence[Experiment], corpus: Corpus) -> None:
    """Refuse a corpus that some experiment could not be made on in the end."""
    kinds = {experiment.kind for experiment in experiments}
    if "values" in kinds:
        values.check_corpus(corpus)
    if "speed" in kinds:
        speed.check_corpus(corpus)


def _check_parts(experiment: Experiment, prevailing: Mapping[str, Any]) -> None:
    for row in experiment.rows:
        for term in terms(row.encoder):
            parts = Shape.parse(experiment.config(term.model, 0, prevailing).shape).names
            if term.part and term.part not in parts:
                raise ConfigError(
                    f"{experiment.name}: row {row.name!r} names the part {term.part!r} of "
                    f"{term.model}, which has {' and '.join(parts)}"
                )

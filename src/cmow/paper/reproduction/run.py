"""Runs experiments: trains what they need, scores it, and writes everything down."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cmow.corpus import Corpus
from cmow.durable import write_json, write_whole
from cmow.evaluation import PAPER_CORPUS, Scores, paper_tasks
from cmow.paper.reproduction import speed, values
from cmow.paper.reproduction.checks import check_corpus, check_experiments, check_folders
from cmow.paper.reproduction.claims import judged
from cmow.paper.reproduction.experiment import Experiment, Row
from cmow.paper.reproduction.expression import encoder_of, terms
from cmow.paper.reproduction.kept import read_kept
from cmow.paper.reproduction.model_store import TELLING, ModelStore
from cmow.paper.reproduction.page import PAGE, page
from cmow.paper.reproduction.plot import plot_scores
from cmow.paper.reproduction.scoring import Scoring
from cmow.paper.reproduction.speed import machine_today
from cmow.progress import ProgressCallback

MODELS, RUNS, SCORES = "models", "runs", "scores"


def reproduce(
    experiments: Sequence[Experiment],
    *,
    corpus: Corpus,
    data: Sequence[Path],
    output: Path,
    models: Path | None = None,
    prevailing: Mapping[str, Any] | None = None,
    seeds: int | None = None,
    like_with_like: bool = False,
    progress: ProgressCallback | None = None,
) -> Path:
    """Run experiments and return the page of results; what was done before is not done again.

    :param data: folders in SentEval's layout
    :param output: folder for scores, settings, histories, pictures and the page
    :param models: folder for the models; ``models`` in the output folder if not given
    :param prevailing: settings of training that go before those of the experiments
    :param seeds: so many for a row at most; as many as it declares if not given
    :param like_with_like: score by SentEval's classifier too, where published scores are by it
    """
    check_experiments(experiments, prevailing or {}, data)
    models = models or output / MODELS
    check_folders(output, models)
    check_corpus(experiments, corpus)
    tell = progress or (lambda _: None)
    output.mkdir(parents=True, exist_ok=True)
    store = ModelStore(corpus, models, output / RUNS, prevailing or {}, tell)
    work = _Work(store, Scoring(output / SCORES, data, tell, like_with_like), output, seeds)
    found = {experiment.name: work.run(experiment) for experiment in experiments}
    text = page(work.facts(experiments, found), work.claims(experiments, found), experiments, found)
    written = output / PAGE
    write_whole(written, text)
    return written


@dataclass(frozen=True)
class _Work:
    store: ModelStore
    scoring: Scoring
    output: Path
    seeds: int | None

    def run(self, experiment: Experiment) -> Any:
        """What an experiment found: scores by row, curves, or speeds."""
        picture = self.output / f"{experiment.name}.png"
        if experiment.kind == "scores":
            found: Any = {
                row.name: [
                    self._scores(experiment, row, seed)
                    for seed in range(min(row.seeds, self.seeds or row.seeds))
                ]
                for row in experiment.rows
            }
            plot_scores(experiment, found, picture)
            return found
        found = self._measured(experiment)
        (values if experiment.kind == "values" else speed).plot(found, picture)
        return found

    def _scores(self, experiment: Experiment, row: Row, seed: int) -> dict[str, Any]:
        load = partial(self.store.model, experiment, seed=seed)
        encoder = partial(encoder_of, row.encoder, load)
        trained = self._trained(experiment, [row], seed)
        return self.scoring.scores(f"{row.encoder} {seed}", encoder, trained)

    def _measured(self, experiment: Experiment) -> Any:
        """Curves or speeds, measured once for the same models."""
        kept = self.output / f"{experiment.name}.json"
        if experiment.kind == "values":
            models, measure = self._trained(experiment, experiment.rows, seed=0), values.curves
        else:
            models, measure = self._untrained(experiment), speed.speeds
        rows = {row.name: row.encoder for row in experiment.rows}
        if kept.is_file():
            page = read_kept(kept, "models", "rows", "found")
            if page["models"] == models and page["rows"] == rows:
                return page["found"]
        found = measure(experiment, self.store)
        page = {"models": models, "rows": rows, "found": found}
        write_json(kept, page)
        return found

    def _trained(self, experiment: Experiment, rows: Sequence[Row], seed: int) -> dict[str, Any]:
        """What tells the models of some rows from others of the same names."""
        trained = {}
        for name in sorted({term.model for row in rows for term in terms(row.encoder)}):
            training = self.store.training(experiment, name, seed)
            trained[name] = {fact: training[fact] for fact in TELLING}
        return trained

    def _untrained(self, experiment: Experiment) -> dict[str, Any]:
        """What tells models from others where training makes no difference."""
        corpus, prevailing = self.store.corpus.fingerprint, self.store.prevailing
        return {
            name: {"shape": experiment.config(name, 0, prevailing).shape, "corpus": corpus}
            for name in sorted(experiment.settings)
        }

    def claims(self, experiments: Sequence[Experiment], found: Mapping[str, Any]) -> list[Any]:
        """The paper's claims in the light of what was found."""
        rows: dict[str, Sequence[Scores]] = {}
        by_kind = {}
        for experiment in experiments:
            by_kind[experiment.kind] = found[experiment.name]
            if experiment.kind == "scores":
                for row in experiment.rows:
                    of_seeds = [
                        {task: each["score"] for task, each in scores.items()}
                        for scores in found[experiment.name][row.name]
                    ]
                    rows[row.paper] = max(rows.get(row.paper, []), of_seeds, key=len)
        return judged(rows, by_kind.get("values"), by_kind.get("speed"))

    def facts(self, experiments: Sequence[Experiment], found: Mapping[str, Any]) -> list[str]:
        """What the figures come from."""
        corpus = self.store.corpus
        settings = json.dumps(self.store.prevailing, ensure_ascii=False)
        rows = [row for e in experiments if e.kind == "scores" for row in found[e.name].values()]
        lacking = [task for task in paper_tasks() if not all(task in s for r in rows for s in r)]
        missing = [f"Not scored, for want of data: {', '.join(lacking)}."] if lacking else []
        return [
            f"Page written by `cmow reproduce` with {', '.join(e.name for e in experiments)}; "
            f"cmow {version('cmow')}, Python {platform.python_version()}; {machine_today()}.",
            f"Corpus: {len(corpus):,} sentences, {corpus.tokens:,} tokens in the vocabulary of "
            f"{len(corpus.tokenizer.vocabulary):,} words; the paper's has {PAPER_CORPUS}.",
            f"Settings beside those of the experiments: `{settings}`; those of every model, its "
            f"updates and its losses are in `{RUNS}/`.",
            "A row is of one seed unless the spread of several stands below it.",
            *missing,
        ]

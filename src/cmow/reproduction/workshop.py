"""Where models are trained once and fetched by name ever after."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cmow.corpus import Corpus
from cmow.encoder import Encoder
from cmow.reproduction.experiment import Experiment
from cmow.reproduction.progress import Progress
from cmow.training import train
from cmow.training.history import HISTORY, Callback


@dataclass(frozen=True)
class Workshop:
    """The models of all experiments.

    :param folder: of the models
    :param notes: the folder for settings and histories, which are kept longer than models
    :param prevailing: settings that go before those of the experiments
    :param tell: is told which model is trained, and how far it has come
    """

    corpus: Corpus
    folder: Path
    notes: Path
    prevailing: Mapping[str, Any]
    tell: Callable[[Progress], None]
    _loaded: dict[Path, Encoder] = field(default_factory=dict)

    def model(self, experiment: Experiment, name: str, seed: int) -> Encoder:
        """A trained model; training goes on where it was interrupted."""
        title = f"{name}-{seed}"
        place = self.folder / title
        if place not in self._loaded:
            config = experiment.config(name, seed, self.prevailing)
            callbacks = [self._shown(title)]
            trained = train(self.corpus, config, folder=place, resume=True, callbacks=callbacks)
            self._loaded[place] = trained
            self._note(title, trained, place / HISTORY)
        return self._loaded[place]

    def start(self, experiment: Experiment, name: str, seed: int) -> Encoder:
        """The model before its training."""
        config = experiment.config(name, seed, self.prevailing)
        return Encoder.initialise(
            self.corpus.tokenizer,
            config.shape,
            initialisation=config.initialisation,
            seed=config.seed,
            sigma=config.sigma,
        )

    def _shown(self, title: str) -> Callback:
        def show(progress: Any) -> None:
            self.tell(Progress(f"training {title}", progress.update, progress.updates))

        return show

    def _note(self, title: str, encoder: Encoder, history: Path) -> None:
        self.notes.mkdir(parents=True, exist_ok=True)
        text = json.dumps(encoder.training, indent=1, ensure_ascii=False) + "\n"
        (self.notes / f"{title}.json").write_text(text, "utf-8")
        (self.notes / f"{title}.jsonl").write_bytes(history.read_bytes())

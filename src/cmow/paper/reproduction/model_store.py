"""Where models are trained once and fetched by name ever after."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cmow.corpus import Corpus
from cmow.durable import write_json, write_whole
from cmow.encoder import Encoder, load
from cmow.errors import ConfigError
from cmow.paper.reproduction.experiment import Experiment
from cmow.paper.reproduction.kept import read_kept
from cmow.progress import Progress, ProgressCallback
from cmow.spelling import americanized
from cmow.training import HISTORY, PREPARE, Callback, TrainConfig, differences, run_place, train

CURE = "remove the model, or choose another folder"
TELLING = ("updates", "validation_loss", "corpus")  # what tells a training from others of its name


@dataclass(frozen=True)
class ModelStore:
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
    tell: ProgressCallback
    _ready: set[Path] = field(default_factory=set)  # not the models, which are large

    def model(self, experiment: Experiment, name: str, seed: int) -> Encoder:
        """A trained model; training goes on where it was interrupted."""
        title = f"{name}-{seed}"
        place = self.folder / title
        if place not in self._ready:
            config = experiment.config(name, seed, self.prevailing)
            if place.exists() and not run_place(place).exists():
                trained = self._finished(place, config)
            else:
                callbacks = [self._shown(title)]
                trained = train(
                    self.corpus,
                    replace(config, keep_run=True),  # for more updates, if they are wanted later
                    folder=place,
                    resume=True,
                    callbacks=callbacks,
                )
                _check_length(place, trained, config)
            self._note(title, trained, place / HISTORY)
            self._ready.add(place)
        return load(place)

    def training(self, experiment: Experiment, name: str, seed: int) -> Mapping[str, Any]:
        """What is known of a model's training; the notes do, where the model was removed."""
        title = f"{name}-{seed}"
        note = self.notes / f"{title}.json"
        if not (self.folder / title).exists() and note.is_file():
            config = experiment.config(name, seed, self.prevailing)
            recorded = read_kept(note, *TELLING)
            if not self._changes(recorded, config):
                return recorded
        return self.model(experiment, name, seed).training

    def start(self, experiment: Experiment, name: str, seed: int) -> Encoder:
        """The model before its training."""
        config = experiment.config(name, seed, self.prevailing)
        return Encoder.initialize(
            self.corpus.tokenizer,
            config.shape,
            initialization=config.initialization,
            seed=config.seed,
            sigma=config.sigma,
        )

    def _finished(self, place: Path, config: TrainConfig) -> Encoder:
        """A model whose folder for resumption was removed, if it was trained in this way."""
        encoder = load(place)
        changes = self._changes(encoder.training, config)
        if changes:
            raise ConfigError(f"{place}: {'; '.join(changes)}: {CURE}")
        return encoder

    def _changes(self, training: Mapping[str, Any], config: TrainConfig) -> list[str]:
        """In what a finished training is not the one that is wanted."""
        values = config.as_dict()
        trained = americanized(training)
        recorded = {name: trained.get(name) for name in values}
        changes = differences({**recorded, PREPARE: values[PREPARE]}, config, finished=True)
        if training.get("corpus") != self.corpus.fingerprint:
            changes.append("the corpus is another one")
        return changes

    def _shown(self, title: str) -> Callback:
        def show(progress: Any) -> None:
            self.tell(Progress(f"training {title}", progress.update, progress.updates))

        return show

    def _note(self, title: str, encoder: Encoder, history: Path) -> None:
        self.notes.mkdir(parents=True, exist_ok=True)
        write_json(self.notes / f"{title}.json", encoder.training)
        write_whole(self.notes / f"{title}.jsonl", history.read_text("utf-8"))


def _check_length(place: Path, encoder: Encoder, config: TrainConfig) -> None:
    """Refuse a model that was trained for longer before."""
    updates, wanted = encoder.training["updates"], config.last_update
    if wanted is not None and updates > wanted:
        raise ConfigError(f"{place}: it has {updates:,} updates, more than {wanted:,}: {CURE}")

"""Trains an encoder: from a corpus and a configuration to a model folder."""

import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cmow.arrays import Floats
from cmow.encoder import Encoder, Shape, check_replaceable, load
from cmow.errors import ConfigError
from cmow.progress import ProgressCallback
from cmow.training.checkpoint import Checkpoint, read_arrays
from cmow.training.config import TrainConfig
from cmow.training.engines import check_engine, make_engine
from cmow.training.folder import RunFolder, locked, run_place
from cmow.training.history import NOTHING, Callback
from cmow.training.loop import Ending, Loop
from cmow.training.memory import Need, check_memory
from cmow.training.objectives import NegativeSampling, Objective
from cmow.training.opening import AnyCorpus, open_corpus
from cmow.training.proportion import check_proportion
from cmow.training.resuming import check_corpus, check_processes, checkpoint_to_resume
from cmow.training.start import make_start
from cmow.training.state import State
from cmow.training.store import Store, read_output
from cmow.training.world import World, open_world


class Outcome(NamedTuple):
    """What has come of a run."""

    encoder: Encoder  # the best so far
    ending: Ending
    state: State
    rank: int  # of this process; the first one writes
    output: dict[str, Floats]  # the objective's own tables, if they were kept


def train(
    corpus: AnyCorpus,
    config: TrainConfig | None = None,
    *,
    objective: Objective | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    callbacks: Sequence[Callback] = (),
) -> Encoder:
    """Train an encoder and return the best one.

    :param corpus: path of text or of a prepared corpus, several paths of text, or a list (or
        anything that can be gone through twice) of sentences
    :param config: all settings; the recipe ``default`` unless given
    :param objective: what is learned; the paper's negative sampling unless given
    :param folder: where the model is saved; what is needed to resume goes beside it, into a
        folder of the same name with ``.run`` behind it, which is removed when the run has finished
        unless ``config.keep_run`` keeps it. Without a folder nothing is written
    :param resume: continue with an interrupted run, or start if there is none; a run that has
        finished is not done again
    :param callbacks: called after every update with a `Progress`
    """
    outcome = run_training(
        corpus,
        config or TrainConfig(),
        objective=objective,
        folder=None if folder is None else Path(folder),
        resume=resume,
        callbacks=callbacks,
    )
    if outcome.ending.signal is not None:
        signal.raise_signal(outcome.ending.signal)
    return outcome.encoder


def run_training(
    corpus: AnyCorpus,
    config: TrainConfig,
    *,
    objective: Objective | None = None,
    folder: Path | None,
    resume: bool = False,
    callbacks: Sequence[Callback] = (),
    preparing: ProgressCallback | None = None,
) -> Outcome:
    """The same as `train`, with all that is known at the end.

    :param preparing: is told how far the preparation of text has come
    """
    _check(config, folder, resume)
    config = _with_the_model_s_shape(config)
    objective = objective or NegativeSampling(config)
    with open_world(config) as world, _place(folder) as place, _alone(place, world):
        checkpoint = checkpoint_to_resume(place, folder, config, objective.name, resume=resume)
        with world.first_alone():
            tell = preparing if world.rank == 0 else None
            opened = open_corpus(corpus, config, place, progress=tell)
        if checkpoint is None:
            checkpoint = Checkpoint(
                settings=config.as_dict(),
                corpus=opened.fingerprint,
                objective=objective.name,
                state=State().as_dict(),
                history=NOTHING,
                processes=world.size,
            )
        check_processes(checkpoint, config, world.size)
        check_corpus(checkpoint, opened.fingerprint)
        if folder is not None and checkpoint.is_left:
            return _finished(folder, checkpoint, objective, world, place)
        shapes = Shape.parse(config.shape)
        check_memory(Need.of(config, objective, opened, shapes, processes=world.size))
        start = make_start(opened, objective, config)
        if checkpoint.arrays is not None:
            arrays = start.parameters.arrays()
            read_arrays(place / checkpoint.arrays, arrays, checkpoint.checksums)
        writer = world.rank == 0
        store = Store(
            folder if writer else None,
            start.tokenizer,
            objective,
            keep_output=config.keep_output,
        )
        # Before the run has a checkpoint: one that is refused must not stand in the next one's way.
        batches = objective.batches(opened)
        check_proportion(config, batches.sentences_per_epoch)
        with (
            closing(make_engine(start.parameters, objective, config, world)) as engine,
            _run_folder(place, folder if writer else None, checkpoint) as run_folder,
        ):
            if run_folder is not None:
                store.put_back(run_folder.aside)
            loop = Loop(
                config=config,
                corpus=opened,
                objective=objective,
                batches=batches,
                engine=engine,
                world=world,
                store=store,
                folder=run_folder,
                callbacks=callbacks if writer else (),
                state=State.of(checkpoint.state),
                resumable=folder is not None,
            )
            ending = loop.run()
        world.wait()  # for all, who read the corpus
        if run_folder is not None and ending.finished and not config.keep_run:
            run_folder.leave(loop.state)
        output = store.kept_output() if objective.keeps_tables and writer else {}
        return Outcome(store.kept(), ending, loop.state, world.rank, output)


def _finished(
    folder: Path, checkpoint: Checkpoint, objective: Objective, world: World, place: Path
) -> Outcome:
    """What has come of a run before this one, which only made sure that it was the same."""
    if world.rank == 0:
        shutil.rmtree(place)  # the corpus was prepared again
    encoder = load(folder)
    output = read_output(folder, encoder.parts) if objective.keeps_tables else {}
    ending = Ending(checkpoint.ending or "", finished=True)
    return Outcome(encoder, ending, State.of(checkpoint.state), world.rank, output)


def _check(config: TrainConfig, folder: Path | None, resume: bool) -> None:
    """Refuse at once what could not be done in the end."""
    check_engine(config)
    if folder is not None:
        check_replaceable(folder)
        if config.continue_from and Path(config.continue_from).resolve() == folder.resolve():
            raise ConfigError(f"{folder} is the model to continue from: choose another folder")
    elif resume or config.keep_output:
        what = "resume" if resume else "keep_output"
        raise ConfigError(f"{what} needs a folder: there is none without it")


def _with_the_model_s_shape(config: TrainConfig) -> TrainConfig:
    """What is continued has a shape already."""
    if config.continue_from is None:
        return config
    return replace(config, shape=str(load(config.continue_from).shape))


@contextmanager
def _place(folder: Path | None) -> Iterator[Path]:
    """The folder of the run, or one that vanishes with it."""
    if folder is not None:
        place = run_place(folder)
        place.mkdir(parents=True, exist_ok=True)
        try:
            yield place
        finally:
            with suppress(OSError):
                place.rmdir()  # if it is empty, because nothing came of the run
    else:
        with TemporaryDirectory(prefix="cmow-") as temporary:
            yield Path(temporary)


def _alone(place: Path, world: World) -> AbstractContextManager[None]:
    """The process that writes keeps other runs off, from before it reads what there is."""
    return locked(place) if world.rank == 0 else nullcontext()


@contextmanager
def _run_folder(
    place: Path, model: Path | None, checkpoint: Checkpoint
) -> Iterator[RunFolder | None]:
    if model is None:
        yield None
        return
    with closing(RunFolder(place, model, checkpoint)) as folder:
        yield folder

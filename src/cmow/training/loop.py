"""The training loop."""

import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cmow.corpus import Corpus
from cmow.errors import ConfigError, DivergenceError
from cmow.threads import thread_count
from cmow.training.config import PREPARE, TrainConfig
from cmow.training.divergence import bad_row, diverged, loss_problem
from cmow.training.engines import Engine
from cmow.training.folder import RunFolder
from cmow.training.history import Callback, Progress
from cmow.training.interruption import deferred_interruption
from cmow.training.objectives import Batches, Objective
from cmow.training.parameters import Parameters
from cmow.training.schedule import learning_rate, total_updates, validation_is_due
from cmow.training.state import State, Tally
from cmow.training.store import Store
from cmow.training.world import World


class Ending(NamedTuple):
    """Why a run has stopped."""

    reason: str
    finished: bool  # by itself: if not, it is to be resumed
    signal: int | None = None  # that interrupted it


@dataclass
class Loop:
    """A run and all that it works with.

    :param folder: for checkpoints and the history, if there are to be any
    :param callbacks: are told of every update
    :param resumable: whether there are checkpoints, maybe of another process
    """

    config: TrainConfig
    corpus: Corpus
    objective: Objective
    batches: Batches
    engine: Engine
    world: World
    store: Store
    folder: RunFolder | None
    callbacks: Sequence[Callback]
    state: State
    resumable: bool

    def __post_init__(self) -> None:
        self._threads = thread_count(self.config.threads)
        self._total = total_updates(self.config, self.batches.sentences_per_epoch)
        self._first_update = self.state.update
        self._began = self._checkpointed = time.monotonic()
        self._seconds_before = self.state.seconds
        self._signal: int | None = None
        self._checkpoint_awaited = False
        self._time_is_up = self._is_over(self.state.seconds)

    def run(self) -> Ending:
        """Update until something says stop, and keep the best encoder."""
        with deferred_interruption() as interruption:
            while (ending := self._ending()) is None:
                before = self.state.seconds
                self._update(interruption.signal)
                state = self.state
                due = validation_is_due(self.config, state.update, before, state.seconds)
                if due:
                    self._validate()
                self._report(validated=due)
                if self._checkpoint_is_due():
                    self._checkpoint()
            self.engine.settle()
            self._checkpoint()
            # Not before: a run that is resumed to do more updates has no validation here.
            if ending.signal is None and self.state.validated != self.state.update:
                if self.folder is not None and self.state.best_update is not None:
                    self.store.set_aside(self.folder.aside)
                self._validate()
                self._report(validated=True)
            self._end(ending)
        if ending.signal is None:  # one may have come after the last update
            ending = ending._replace(signal=interruption.signal)
        return ending

    def _ending(self) -> Ending | None:
        config, state = self.config, self.state
        if state.checks_since_best >= config.patience:
            times = f"{config.patience} validations"
            return Ending(f"no better {config.stop_by} loss in {times}", finished=True)
        if self._total is not None and state.update >= self._total:
            return Ending(f"all {self._total:,} updates are done", finished=True)
        if not self.engine.settled:  # what is to be resumed must be what all processes hold
            return None
        if self._signal is not None:
            return Ending("interrupted", finished=False, signal=self._signal)
        if self._time_is_up:
            minutes = (
                "1 minute is" if config.max_minutes == 1 else f"{config.max_minutes:g} minutes are"
            )
            return Ending(f"{minutes} over", finished=config.by_clock or not self.resumable)
        return None

    def _update(self, received: int | None) -> None:
        state, world = self.state, self.world
        started = time.monotonic()
        rate = learning_rate(self.config, state.update, self._total, seconds=state.seconds)
        batch = self.batches.batch(state.update, self._threads, world.rank, world.size)
        loss = self.engine.step(batch, update=state.update, learning_rate=rate)
        # Processes must agree on when to stop: their wishes are added up, and one clock counts.
        clock = self._seconds() if world.rank == 0 else 0.0
        loss, examples, tokens, wishes, seconds = world.total(
            [loss, len(batch), len(batch.ids), received is not None, clock]
        )
        self._signal = received or signal.SIGINT if wishes else None
        self._time_is_up = self._is_over(seconds)
        state.add(loss, int(examples), int(tokens))
        state.seconds, state.learning_rate = seconds, rate
        state.line_seconds += time.monotonic() - started
        if examples:
            self._check_loss(loss / examples)

    def _validate(self) -> None:
        """Compute the validation loss and keep the encoder if it is the best so far."""
        self.engine.settle()
        config, state, world = self.config, self.state, self.world
        tally = Tally()
        for index in range(world.rank, self.batches.validation_batches, world.size):
            batch = self.batches.validation_batch(index, self._threads)
            tally.add(self.engine.loss(batch), len(batch))
        loss, examples = world.total([tally.loss, tally.examples])
        if not examples and config.stop_by == "validation":
            raise ConfigError(
                "the sentences held out for validation are too short to predict anything: "
                "raise validation_share, lower subsample or set stop_by to training"
            )
        state.validation_loss = loss / examples if examples else None
        self._check_loss(state.validation_loss)
        by_validation = config.stop_by == "validation"
        if state.judge(state.validation_loss if by_validation else state.check.mean()):
            self._keep()

    def _report(self, *, validated: bool) -> None:
        """Tell the callbacks, and write a line of the history if it is time for one."""
        state = self.state
        is_line = validated or state.update % self.config.report_updates == 0
        if not is_line and not self.callbacks:
            return
        progress = Progress(
            update=state.update,
            updates=self._total,
            epoch=state.update * self.config.batch_sentences / self.batches.sentences_per_epoch,
            unit=self.objective.unit,
            examples=state.examples,
            tokens=state.tokens,
            seconds=self._seconds(),
            examples_per_second=(
                state.line.examples / max(state.line_seconds, 1e-9) if state.line.examples else None
            ),
            seconds_left=self._seconds_left(),
            learning_rate=state.learning_rate,
            training_loss=state.line.mean(),
            validation_loss=state.validation_loss,
            validated=validated,
            is_line=is_line,
        )
        if is_line:
            state.line, state.line_seconds = Tally(), 0.0
            if self.folder is not None:
                self.folder.history.add(progress)
        for callback in self.callbacks:
            callback(progress)

    def _checkpoint_is_due(self) -> bool:
        minutes = (time.monotonic() - self._checkpointed) / 60
        if (
            self.state.update % self.config.checkpoint_updates == 0
            or minutes >= self.config.checkpoint_minutes
        ):
            self._checkpoint_awaited = True
        return self._checkpoint_awaited and self.engine.settled

    def _checkpoint(self) -> None:
        self._checkpoint_awaited = False
        if self.folder is not None and self.folder.checkpointed != self.state.update:
            self.folder.checkpoint(self.state, self._checked_parameters().arrays())
            self._checkpointed = time.monotonic()

    def _end(self, ending: Ending) -> None:
        state = self.state
        # A plan by the clock ends with the rate at nothing: that end is what was asked for.
        planned = self.config.by_clock and self._time_is_up and state.best_update != state.update
        if state.best_update is None or self.store.is_empty() or planned:
            self._keep()
        if self.folder is not None:
            self.store.keep_history(self.folder.history.path)
            if ending.finished:
                self.folder.finish(ending.reason)

    def _keep(self) -> None:
        self.store.keep(self._checked_parameters(), self._training())
        if self.folder is not None:
            self.store.keep_history(self.folder.history.path)

    def _training(self) -> dict[str, Any]:
        """What the model says of its training; the same whatever interruptions there were."""
        state = self.state
        return {
            "updates": state.update,
            self.objective.unit: state.examples,
            "tokens": state.tokens,
            "validation_loss": state.validation_loss,
            "corpus": self.corpus.fingerprint,
            "corpus_sentences": len(self.corpus),
            "corpus_tokens": self.corpus.tokens,
            **self.config.as_dict(),
            PREPARE: dict(self.corpus.manifest.settings),  # of a prepared corpus, they are its own
        }

    def _check_loss(self, loss: float | None) -> None:
        problem = loss_problem(loss, self.objective)
        if problem is not None:
            raise self._diverged(problem)

    def _checked_parameters(self) -> Parameters:
        parameters = self.engine.parameters()
        if bad_row(parameters, self.corpus.vocabulary) is not None:
            raise self._diverged("the tables have diverged")
        return parameters

    def _diverged(self, problem: str) -> DivergenceError:
        return diverged(
            problem,
            self.state,
            self.engine.parameters(),
            self.corpus.vocabulary,
            checkpoint=self.folder.checkpointed if self.folder is not None else None,
        )

    def _seconds(self) -> float:
        return self._seconds_before + time.monotonic() - self._began

    def _is_over(self, seconds: float) -> bool:
        limit = self.config.max_minutes
        return limit is not None and seconds >= 60 * limit

    def _seconds_left(self) -> float | None:
        """Until the last update or minute, whichever comes first."""
        state, ends = self.state, []
        if self._total is not None:
            speed = (time.monotonic() - self._began) / max(state.update - self._first_update, 1)
            ends.append((self._total - state.update) * speed)
        if self.config.max_minutes is not None:
            ends.append(max(60 * self.config.max_minutes - self._seconds(), 0.0))
        return min(ends, default=None)

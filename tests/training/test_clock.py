"""Training by the minute: the rate and the validations follow the clock."""

import os
import signal
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from language import SETTINGS, content, losses, write_text

from cmow import TrainConfig, load
from cmow.errors import ConfigError
from cmow.training import loop, run
from cmow.training.engines.native import NativeEngine
from cmow.training.history import Progress, read_history
from cmow.training.run import run_training
from cmow.training.schedule import learning_rate, total_updates, validation_is_due
from cmow.training.state import State
from cmow.training.world import World

BY_CLOCK = TrainConfig(
    **{**SETTINGS, "schedule": "linear", "validation_updates": 1000}, max_minutes=1
)
A_LOOK = 0.25  # seconds that pass from one look at the clock to the next


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Time passes by being looked at."""
    looks = iter(range(10**9))
    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: A_LOOK * next(looks)))


@pytest.fixture
def corpus(tmp_path) -> Path:
    return write_text(tmp_path / "corpus.txt")


def test_the_rate_falls_with_the_time_that_is_left():
    assert BY_CLOCK.by_clock
    assert total_updates(BY_CLOCK, 1000) is None
    rates = [learning_rate(BY_CLOCK, 7, None, seconds=seconds) for seconds in (0, 15, 30, 59.4)]
    assert rates == pytest.approx([0.003, 0.00225, 0.0015, 0.00003])
    cosine = replace(BY_CLOCK, schedule="cosine")
    assert learning_rate(cosine, 7, None, seconds=30) == pytest.approx(0.0015)
    warming = replace(BY_CLOCK, warmup_updates=10)
    assert learning_rate(warming, 4, None, seconds=30) == pytest.approx(0.0015)
    constant = replace(BY_CLOCK, schedule="constant")
    assert learning_rate(constant, 7, None, seconds=30) == 0.003


@pytest.mark.parametrize("limit", [{"max_updates": 100}, {"epochs": 2.0}])
def test_beside_another_limit_minutes_only_pause(limit):
    config = replace(BY_CLOCK, **limit)
    assert not config.by_clock
    total = total_updates(config, 800)
    assert total == 100
    assert learning_rate(config, 50, total, seconds=59) == learning_rate(config, 50, total)
    assert not validation_is_due(config, 50, 5.9, 6.1)


def test_validations_follow_the_clock():
    due = [second for second in range(60) if validation_is_due(BY_CLOCK, 7, second, second + 1)]
    assert due == [5, 11, 17, 23, 29, 35, 41, 47, 53, 59]
    assert validation_is_due(BY_CLOCK, 2000, 7.0, 7.1)
    assert validation_is_due(BY_CLOCK, 7, 7.0, 30.0)  # a slow update


def test_a_run_ends_annealed_and_validated_and_saves_its_end(corpus, tmp_path):
    seen: list[Progress] = []
    outcome = run_training(corpus, BY_CLOCK, folder=tmp_path / "model", callbacks=[seen.append])
    assert outcome.ending == ("1 minute is over", True, None)
    assert seen[-1].validated
    assert seen[-1].learning_rate < 0.06 * BY_CLOCK.learning_rate
    assert 60 <= outcome.state.seconds < 62
    assert sum(progress.validated for progress in seen) == 10
    assert [progress.learning_rate for progress in seen] == sorted(
        (progress.learning_rate for progress in seen), reverse=True
    )
    assert seen[-1].updates is None
    assert outcome.encoder.training["updates"] == outcome.state.update
    assert outcome.encoder.training["validation_loss"] == outcome.state.best_loss
    assert read_history(tmp_path / "model/history.jsonl")[-1]["update"] == outcome.state.update


def test_the_end_is_saved_even_if_it_was_better_before(corpus, tmp_path, monkeypatch):
    judge = State.judge
    monkeypatch.setattr(State, "judge", lambda state, loss: judge(state, 0.1 * state.update + loss))
    outcome = run_training(corpus, BY_CLOCK, folder=tmp_path / "model")
    assert outcome.state.best_update < outcome.state.update
    assert outcome.encoder.training["updates"] == outcome.state.update


def test_an_interrupted_run_goes_on_where_its_clock_stood(corpus, tmp_path):
    def interrupt(progress: Progress) -> None:
        if progress.update == 12:
            os.kill(os.getpid(), signal.SIGINT)

    seen: list[Progress] = []
    model = tmp_path / "model"
    first = run_training(corpus, BY_CLOCK, folder=model, callbacks=[interrupt, seen.append])
    assert not first.ending.finished
    second = run_training(corpus, BY_CLOCK, folder=model, resume=True, callbacks=[seen.append])
    assert second.ending.finished
    assert first.state.seconds < 30
    assert 60 <= second.state.seconds < 62
    rates = [progress.learning_rate for progress in seen]
    assert rates == sorted(rates, reverse=True)
    assert second.encoder.training["updates"] == second.state.update


def test_a_finished_run_may_get_more_minutes(corpus, tmp_path):
    model = tmp_path / "model"
    kept = replace(BY_CLOCK, keep_run=True)
    run_training(corpus, kept, folder=model)
    seen: list[Progress] = []
    more = replace(kept, max_minutes=2)
    outcome = run_training(corpus, more, folder=model, resume=True, callbacks=[seen.append])
    assert 120 <= outcome.state.seconds < 122
    assert seen[0].learning_rate == pytest.approx(0.0015, rel=0.05)  # half of the time is left
    assert load(model).training["updates"] == outcome.state.update
    before = content(model), losses(model)
    run_training(corpus, more, folder=model, resume=True)
    assert (content(model), losses(model)) == before


def test_a_plan_by_the_clock_is_not_one_by_updates(corpus, tmp_path):
    model = tmp_path / "model"
    run_training(corpus, replace(BY_CLOCK, max_minutes=0.01), folder=model)
    with pytest.raises(ConfigError, match=r"max_minutes was 0\.01 and is now None; max_updates"):
        run_training(corpus, replace(BY_CLOCK, max_minutes=None), folder=model, resume=True)


def test_the_pause_of_a_plan_by_updates_is_validated(corpus, tmp_path):
    # Beside a folder the last validation was that of update 25, and its model was the one saved.
    config = replace(
        BY_CLOCK, schedule="constant", max_updates=200, max_minutes=0.8, validation_updates=25
    )
    model = tmp_path / "model"
    outcome = run_training(corpus, config, folder=model)
    assert outcome.ending == ("0.8 minutes are over", False, None)
    assert outcome.state.update % 25
    assert outcome.state.update > 25
    assert outcome.encoder.training["updates"] == outcome.state.update


def test_a_pause_does_not_change_what_is_best_in_the_end(corpus, tmp_path, monkeypatch):
    # The best of the scheduled validations is the first, better still is that of the pause.
    def judge(state, _):
        return really(state, {25: 2.0}.get(state.update, 1.0 if state.update % 25 else 3.0))

    really = State.judge
    monkeypatch.setattr(State, "judge", judge)
    config = replace(BY_CLOCK, schedule="constant", max_updates=100, validation_updates=25)
    whole = run_training(corpus, replace(config, max_minutes=None), folder=tmp_path / "whole")
    assert whole.encoder.training["updates"] == 25
    paused = run_training(corpus, replace(config, max_minutes=0.8), folder=tmp_path / "paused")
    assert paused.encoder.training["updates"] == paused.state.update > 25
    resumed = run_training(
        corpus, replace(config, max_minutes=None), folder=tmp_path / "paused", resume=True
    )
    assert resumed.encoder.training["updates"] == 25
    tables = [content(tmp_path / name)["model.safetensors"] for name in ("whole", "paused")]
    assert tables[0] == tables[1]


class Second(World):
    """The second of two processes; the clock of the first one is far ahead."""

    rank, size = 1, 2

    def total(self, numbers: Sequence[float]) -> list[float]:
        if len(numbers) < 5:
            return list(numbers)
        *sums, clock = numbers
        assert clock == 0  # it keeps its own to itself
        return [*sums, 45.0]


def test_the_clock_of_the_first_process_counts(corpus, monkeypatch):
    def steps(engine, batch, *, update, learning_rate):
        rates.append(learning_rate)
        return step(engine, batch, update=update, learning_rate=learning_rate)

    rates: list[float] = []
    step = NativeEngine.step
    monkeypatch.setattr(NativeEngine, "step", steps)
    monkeypatch.setattr(run, "open_world", lambda _: nullcontext(Second()))
    outcome = run_training(corpus, replace(BY_CLOCK, max_minutes=0.75), folder=None)
    assert outcome.state.update == 1  # 45 seconds are over
    rates.clear()
    config = replace(BY_CLOCK, patience=1, validation_updates=2)
    run_training(corpus, config, folder=None)
    assert rates[:3] == pytest.approx([0.003, 0.00075, 0.00075])

"""What a run counts, and what it holds for the best."""

import json

from cmow.training.state import State


def judged(*losses: float | None) -> State:
    """A state that saw these losses, one an update."""
    state = State()
    for loss in losses:
        state.update += 1
        state.judge(loss)
    return state


def test_a_lower_loss_is_better():
    state = judged(3.0, 2.0)
    assert (state.best_loss, state.best_update, state.checks_since_best) == (2.0, 2, 0)


def test_the_same_loss_is_not():
    state = judged(2.0, 2.0, 2.0)
    assert (state.best_loss, state.best_update, state.checks_since_best) == (2.0, 1, 2)


def test_a_higher_one_or_none_is_not_either():
    state = judged(2.0, 3.0, None)
    assert (state.best_loss, state.best_update, state.checks_since_best) == (2.0, 1, 2)


def test_judging_begins_a_new_tally_and_notes_the_update():
    state = State()
    state.add(6.0, 3, 4)
    assert state.check.mean() == 2.0
    assert not state.judge(None)
    assert (state.check.mean(), state.line.mean(), state.validated) == (None, 2.0, 1)


def test_a_state_is_the_same_after_json():
    state = judged(2.0, 0.1, 0.3)
    state.add(1 / 3, 7, 9)
    assert State.of(json.loads(json.dumps(state.as_dict()))) == state

"""What every test can rely on."""

import signal

import pytest

from cmow import _core
from cmow.paper.demo import DemoSettings

# Tests that are started in the background inherit that Ctrl-C is ignored, and so would the programs
# they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def tiny() -> DemoSettings:
    """A demo of seconds."""
    return DemoSettings(
        sentences=2_000,
        updates=2,
        cbow="sum(16)",
        cmow="product(4)",
        hybrid="sum(8)+product(3)",
        train=300,
        valid=60,
        test=60,
        content_words=5,
        reordered=20,
        least_sentences=100,
        least_tested=5,
        held_out=400,
    )


@pytest.fixture(params=_core.levels())
def level(request):
    """Run the test on each instruction level that this CPU has."""
    before = _core.level()
    _core.use_level(request.param)
    yield request.param
    _core.use_level(before)

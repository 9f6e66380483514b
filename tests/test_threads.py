import os

import pytest

from cmow.errors import ConfigError
from cmow.threads import thread_count, usable_cores


def test_all_cores_that_may_be_used_unless_given(monkeypatch):
    assert thread_count(3) == 3
    assert thread_count(None) == usable_cores() >= 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 5}, raising=False)
    assert thread_count(None) == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert thread_count(None) == os.cpu_count()


def test_there_is_no_work_without_a_thread():
    with pytest.raises(ConfigError, match="threads is 0: give 1 or more"):
        thread_count(0)


def test_there_are_no_more_threads_than_memory_for_them():
    assert thread_count(4096) == 4096
    with pytest.raises(ConfigError, match="threads is 2147483648: give 1 or more, up to 4096"):
        thread_count(2**31)

"""What does not fit into memory is refused before it is tried."""

import numpy as np
import pytest
from language import write_text

from cmow import TrainConfig
from cmow.corpus import prepare
from cmow.encoder import Shape
from cmow.errors import ConfigError
from cmow.training import memory
from cmow.training.memory import Need, available_memory, check_memory
from cmow.training.objectives import Answers, LabelsObjective, NegativeSampling
from cmow.training.parameters import Parameters
from cmow.training.start import make_start


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    return prepare(write_text(folder / "corpus.txt"), folder / "prepared")


def need(corpus, **changes) -> Need:
    config = TrainConfig(**changes)
    return Need.of(config, NegativeSampling(config), corpus, Shape.parse(config.shape))


def size(parameters: Parameters) -> int:
    return sum(array.nbytes for array in parameters.arrays().values())


@pytest.mark.parametrize("shape", ["hybrid-1184", "sum(6)+product(3)", "windows(4)+mean(sum(7))"])
def test_the_tables_are_counted_to_the_byte(corpus, shape):
    config = TrainConfig(shape=shape)
    start = make_start(corpus, NegativeSampling(config), config)
    assert need(corpus, shape=shape).tables == size(start.parameters)


def test_processes_that_join_their_tables_hold_a_copy_of_them(corpus):
    config = TrainConfig(average_updates=5)
    objective, shape = NegativeSampling(config), Shape.parse(config.shape)
    alone, one_of_two = (
        Need.of(config, objective, corpus, shape, processes=processes) for processes in (1, 2)
    )
    parameters = make_start(corpus, objective, config).parameters
    assert one_of_two.tables - alone.tables == sum(each.table.nbytes for each in parameters)


@pytest.mark.parametrize("share_negatives", ["window", "sentence"])
def test_a_batch_grows_with_each_of_its_settings(corpus, share_negatives):
    def batch(**changes) -> int:
        return need(corpus, share_negatives=share_negatives, **changes).batch

    settings = {"batch_sentences": 64, "negatives": 50, "centers": 5}
    for name in settings:
        assert batch(**{**settings, name: settings[name] + 1}) > batch(**settings)
    drawn = NegativeSampling(TrainConfig(share_negatives=share_negatives)).batches(corpus)
    noise = np.asarray(drawn.batch(0, 1).negatives).nbytes
    assert noise < batch()


def test_what_does_not_fit_is_named_with_its_cure():
    fits = Need(tables=3 * 10**9, batch=10**9)
    check_memory(fits, 4 * 10**9)
    with pytest.raises(ConfigError) as caught:
        check_memory(fits, 4 * 10**9 - 10**8)
    assert str(caught.value) == (
        "this takes 4.0 GB of memory at the least (tables and their moments 3.0 GB, a batch "
        "1.0 GB), but there are 3.9 GB: lower vocabulary_size, or choose a smaller shape"
    )
    with pytest.raises(
        ConfigError, match=r"a batch 5,000\.0 TB.* lower negatives, batch_sentences"
    ):
        check_memory(Need(10**6, 5 * 10**15), 10**9)


def test_the_machine_and_its_container_both_limit(tmp_path, monkeypatch):
    machine, limit = tmp_path / "meminfo", tmp_path / "memory.max"
    monkeypatch.setattr(memory, "MEMORY", machine)
    monkeypatch.setattr(memory, "LIMITS", [limit, tmp_path / "missing"])
    assert available_memory() is None  # such a system tells nothing
    check_memory(Need(10**18, 0))
    machine.write_text("MemTotal:  90 kB\nMemAvailable:   20 kB\nSwapFree:   3 kB\n")
    assert available_memory() == 23 * 1024
    limit.write_text("max\n")
    assert available_memory() == 23 * 1024
    limit.write_text("5000\n")
    assert available_memory() == 5000


def test_tables_without_a_row_a_word_are_counted_once(corpus):
    config = TrainConfig(shape="sum(6)+product(3)")
    answers = Answers(np.eye(50, dtype=np.float32), np.zeros(50, bool), "softmax", np.ones(50))
    objective = LabelsObjective(answers, config)
    start = make_start(corpus, objective, config)
    found = Need.of(config, objective, corpus, Shape.parse(config.shape))
    assert found.tables == size(start.parameters)

"""Ray for real: a cluster of two workers on this machine; run by `make test-integrations`."""

import os
import secrets
import shutil
import signal
import sys

import numpy as np
import pytest

import cmow
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.numbers import stored
from cmow.paper.grammar import Grammar
from cmow.text import Vocabulary

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")
pyarrow = pytest.importorskip("pyarrow")

from cmow.integrations import ray as ours  # noqa: E402

TEXTS = [sentence.text for sentence in Grammar().sentences(20_000)]


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Two CPUs; a token of its own keeps others out and leaves none in the home folder."""
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    ray.data.DataContext.get_current().enable_progress_bars = False
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    ray.shutdown()
    del os.environ["RAY_AUTH_TOKEN"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    words = sorted({word for text in TEXTS for word in text.split()})
    encoder = Encoder.initialize(Vocabulary(words), "sum(12)+product(5)", sigma=0.1)
    encoder.save(folder := tmp_path_factory.mktemp("ray") / "model")
    return folder


@pytest.fixture
def dataset(tmp_path):
    """Files of Parquet, as a cluster reads them."""
    from pyarrow import parquet

    for number, part in enumerate(np.array_split(np.arange(len(TEXTS)), 10)):
        table = pyarrow.table({"id": part, "text": [TEXTS[each] for each in part]})
        parquet.write_table(table, tmp_path / f"{number}.parquet")
    return ray.data.read_parquet(str(tmp_path), override_num_blocks=10)


def taken(dataset):
    """All rows, in the order of their ids."""
    tables = [table for table in ray.get(dataset.to_arrow_refs()) if len(table)]
    return pyarrow.concat_tables(tables).sort_by("id")


def numbers(column):
    rows = column.combine_chunks()
    return rows.flatten().to_numpy(zero_copy_only=False).reshape(len(rows), -1)


def check(table, expected):
    assert table["id"].to_pylist() == list(range(len(TEXTS)))
    assert table["text"].to_pylist() == TEXTS
    np.testing.assert_array_equal(numbers(table["embedding"]), expected)


def test_two_workers_give_the_bits_of_one_process(model, dataset):
    expected = cmow.load(model).encode(TEXTS)
    check(taken(ours.encode_dataset(dataset, model, column="text", workers=2)), expected)


def test_settings_reach_the_workers(model, dataset):
    settings = {"part": "cmow", "normalize": "all", "into": "vector"}
    made = ours.encode_dataset(dataset, model, column="text", storage="float16", **settings)
    expected = cmow.load(model).part("cmow").encode(TEXTS, normalize="all")
    np.testing.assert_array_equal(numbers(taken(made)["vector"]), expected.astype(np.float16))
    made = ours.encode_dataset(dataset, model, column="text", storage="int8", workers=1, threads=2)
    table = taken(made)
    rows, scales = stored(cmow.load(model).encode(TEXTS), "int8")
    np.testing.assert_array_equal(numbers(table["embedding"]), rows)
    np.testing.assert_array_equal(table["embedding_scale"].to_numpy(), scales)


def test_a_killed_worker_loses_no_row(model, dataset, tmp_path, monkeypatch):
    died = tmp_path / "died"

    class DiesOnce(ours.EncodeColumn):
        def __call__(self, batch):
            if not died.exists():
                died.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return super().__call__(batch)

    monkeypatch.setattr(ours, "EncodeColumn", DiesOnce)
    table = taken(ours.encode_dataset(dataset, model, column="text", workers=2))
    assert died.exists()
    check(table, cmow.load(model).encode(TEXTS))


def test_another_model_on_a_worker_is_one_clear_line(model, dataset, tmp_path_factory):
    copy = shutil.copytree(model, tmp_path_factory.mktemp("copied") / "model")
    made = ours.encode_dataset(dataset, copy, column="text", workers=1)
    encoder = Encoder.initialize(cmow.load(model).tokenizer, "sum(12)+product(5)", seed=9)
    encoder.save(copy)  # the workers will find this one
    with pytest.raises(ray.exceptions.RayError) as caught:
        made.materialize()
    last = str(caught.value).strip().splitlines()[-1]
    assert last.startswith(f"cmow.errors.ConfigError: {copy} on ")
    assert last.endswith("is another model than where the work was given out: copy the same "
                         "folder to every machine")  # fmt: skip
    config = copy / "config.json"
    config.write_text(config.read_text().replace('"format_version": ', '"format_version": 9'))
    with pytest.raises(ray.exceptions.RayError) as caught:
        made.materialize()
    last = str(caught.value).strip().splitlines()[-1]
    assert last.startswith("cmow.errors.FormatError: ")
    assert "config.json" in last


def test_columns_that_will_not_do(model, dataset):
    with pytest.raises(ConfigError, match="no column 'body' among id, text"):
        ours.encode_dataset(dataset, model, column="body")
    with pytest.raises(ConfigError, match="there is a column 'id' already"):
        ours.encode_dataset(dataset, model, column="text", into="id")
    made = ours.encode_dataset(dataset, model, column="id", workers=1)
    with pytest.raises(ray.exceptions.RayError) as caught:
        made.materialize()
    assert "the column 'id' holds int64, not text" in str(caught.value)


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "cmow.integrations.ray")
    with pytest.raises(ImportError, match=r"pip install 'cmow\[ray\]'"):
        import cmow.integrations.ray  # noqa: F401

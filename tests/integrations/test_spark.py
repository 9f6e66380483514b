"""Spark for real: two cores of this machine; run by `make test-integrations`, needs a JDK."""

import os
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

pytest.importorskip("pyspark")
pyarrow = pytest.importorskip("pyarrow")
if shutil.which("java") is None:
    pytest.skip("Spark needs a JDK", allow_module_level=True)

from pyspark.errors import PySparkException  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

from cmow.integrations.spark import encode_frame  # noqa: E402

TEXTS = [sentence.text for sentence in Grammar().sentences(20_000)]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """Two tasks at a time, each of which may fail three times."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = tmp_path_factory.mktemp("spark")
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.local.dir", str(folder / "local"))
    made = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse")).getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()
    del os.environ["PYSPARK_PYTHON"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    words = sorted({word for text in TEXTS for word in text.split()})
    encoder = Encoder.initialize(Vocabulary(words), "sum(12)+product(5)", sigma=0.1)
    encoder.save(folder := tmp_path_factory.mktemp("models") / "model")
    return folder


@pytest.fixture(scope="module")
def frame(session, tmp_path_factory):
    from pyarrow import parquet

    folder = tmp_path_factory.mktemp("table")
    table = pyarrow.table({"id": range(len(TEXTS)), "text": TEXTS})
    parquet.write_table(table, folder / "table.parquet")
    return session.read.parquet(str(folder)).repartition(8)


def taken(frame):
    """All rows, in the order of their ids."""
    return frame.toArrow().sort_by("id")


def numbers(column):
    rows = column.combine_chunks()
    return rows.flatten().to_numpy(zero_copy_only=False).reshape(len(rows), -1)


def check(table, expected):
    assert table["id"].to_pylist() == list(range(len(TEXTS)))
    assert table["text"].to_pylist() == TEXTS
    np.testing.assert_array_equal(numbers(table["embedding"]), expected)


@pytest.mark.parametrize("send", [False, True])
def test_two_tasks_give_the_bits_of_one_process(model, frame, send):
    made = encode_frame(frame, model, column="text", send=send)
    assert made.schema["embedding"].dataType.simpleString() == "array<float>"
    check(taken(made), cmow.load(model).encode(TEXTS))


def test_settings_reach_the_tasks(model, frame):
    settings = {"part": "cmow", "normalize": "all", "into": "vector", "threads": 2}
    table = taken(encode_frame(frame, model, column="text", storage="int8", **settings))
    rows, scales = stored(cmow.load(model).part("cmow").encode(TEXTS, normalize="all"), "int8")
    np.testing.assert_array_equal(numbers(table["vector"]), rows)
    np.testing.assert_array_equal(table["vector_scale"].to_numpy(), scales)


def test_a_failed_task_loses_no_row(model, frame, tmp_path):
    died = str(tmp_path / "died")

    def dies_once(batches):
        for batch in batches:
            yield batch
            if not os.path.exists(died):  # noqa: PTH110
                open(died, "w").close()  # noqa: PTH123
                os.kill(os.getpid(), signal.SIGKILL)

    made = encode_frame(frame, model, column="text").mapInArrow
    schema = encode_frame(frame, model, column="text").schema
    table = taken(made(dies_once, schema))
    assert (tmp_path / "died").exists()
    check(table, cmow.load(model).encode(TEXTS))


def test_another_model_on_a_worker_is_one_clear_line(model, frame, tmp_path):
    copy = tmp_path / "copied"
    shutil.copytree(model, copy)
    made = encode_frame(frame, copy, column="text")
    Encoder.initialize(cmow.load(model).tokenizer, "sum(12)+product(5)", seed=9).save(copy)
    with pytest.raises(PySparkException) as caught:
        made.collect()
    line = next(line for line in str(caught.value).splitlines() if "ConfigError: " in line)
    assert f"{copy} on " in line
    assert "is another model than where the work was given out: copy the same folder" in line


def test_columns_that_will_not_do(model, frame):
    with pytest.raises(ConfigError, match="no column 'body' among id, text"):
        encode_frame(frame, model, column="body")
    with pytest.raises(ConfigError, match="there is a column 'id' already"):
        encode_frame(frame, model, column="text", into="id")
    with pytest.raises(ConfigError, match="must be float32 or int8"):
        encode_frame(frame, model, column="text", storage="float16")
    with pytest.raises(PySparkException, match="the column 'id' holds int64, not text"):
        encode_frame(frame, model, column="id").collect()


def test_without_spark_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.delitem(sys.modules, "cmow.integrations.spark")
    with pytest.raises(ImportError, match=r"pip install 'cmow\[spark\]'"):
        import cmow.integrations.spark  # noqa: F401

"""Ray and Spark with two workers beside one process with two threads: from Parquet to Parquet.

    python bench/cluster.py [--rows 400000] [--rounds 3]

All read the same texts of a generated language, encode them with the model that comes with the
package and write them with their embeddings, in turns within one run; the clusters are started
and warm before. Writes results/cluster.json and results/cluster.md. Needs ray[data], pyspark and a
JDK; some two minutes for the rows above.
"""

import argparse
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow
import ray
from measuring import machine, table, write_results
from pyarrow import parquet
from pyspark.sql import SparkSession

import cmow
from cmow.cli.formats import make_writer
from cmow.corpus import read_batches
from cmow.integrations.ray import encode_dataset
from cmow.integrations.spark import encode_frame
from cmow.paper.grammar import Grammar

WORKERS = 2
FILES = 16


def write_texts(folder: Path, rows: int) -> None:
    """Files of Parquet, as a cluster has them."""
    sentences = [sentence.text for sentence in Grammar().sentences(min(rows, 50_000))]
    each = rows // FILES
    for number in range(FILES):
        ids = range(number * each, (number + 1) * each)
        texts = [sentences[row % len(sentences)] for row in ids]
        parquet.write_table(pyarrow.table({"id": ids, "text": texts}), folder / f"{number}.parquet")


def one_process(texts: Path, out: Path) -> None:
    """What `cmow encode` does."""
    encoder = cmow.load()
    with (out / "all.parquet").open("wb") as file:
        writer = make_writer("parquet", file, dim=encoder.dim)
        for batch in read_batches(sorted(texts.iterdir()), column="text"):
            writer.write(batch, encoder.encode(batch.texts, threads=WORKERS))
        writer.finish()


def ray_workers(texts: Path, out: Path) -> None:
    """Two actors."""
    dataset = ray.data.read_parquet(str(texts), override_num_blocks=FILES)
    made = encode_dataset(dataset, "english", column="text", workers=WORKERS)
    made.write_parquet(str(out))


def spark_tasks(texts: Path, out: Path) -> None:
    """Two tasks at a time."""
    frame = SparkSession.getActiveSession().read.parquet(str(texts))
    encode_frame(frame, "english", column="text").write.parquet(str(out / "spark"))


def start_clusters(work: Path) -> None:
    """Both with two CPUs."""
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    ray.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False, logging_level="error")
    ray.data.DataContext.get_current().enable_progress_bars = False
    builder = SparkSession.builder.master(f"local[{WORKERS}]").config("spark.ui.enabled", "false")
    session = builder.config("spark.local.dir", str(work / "spark")).getOrCreate()
    session.sparkContext.setLogLevel("OFF")


def main() -> None:
    """Measure all, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ways: dict[str, Callable[[Path, Path], None]] = {
        f"one process of {WORKERS} threads": one_process,
        f"Ray, {WORKERS} workers of one thread": ray_workers,
        f"Spark, {WORKERS} tasks of one thread": spark_tasks,
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (texts := work / "texts").mkdir()
        (few := work / "few").mkdir()
        write_texts(texts, options.rows)
        write_texts(few, 16 * FILES)
        start_clusters(work)
        for source in (few, *[texts] * options.rounds):  # the first warms up
            for name, run in ways.items():
                with tempfile.TemporaryDirectory(dir=work) as out:
                    start = time.perf_counter()
                    run(source, Path(out))
                    if source is texts:
                        seconds[name].append(time.perf_counter() - start)
        ray.shutdown()
        SparkSession.getActiveSession().stop()
    rows = options.rows // FILES * FILES
    rates = {name: rows / min(each) for name, each in seconds.items()}
    alone = next(iter(rates.values()))
    lines = [[name, f"{rate:,.0f}", f"{rate / alone:.2f}"] for name, rate in rates.items()]
    page = table(["", "rows a second", "of one process"], lines)
    found = {"machine": machine("ray", "pyspark", "pyarrow"), "rows": rows, "rates": rates}
    write_results("cluster", "Clusters", found, [page])


if __name__ == "__main__":
    main()

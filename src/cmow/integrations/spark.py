"""Spark: a column of texts gets a column of embeddings, on all machines of a cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from cmow.choices import INTO, Normalization, RowStorage
from cmow.errors import ConfigError, MissingExtraError
from cmow.integrations.columns import ColumnEncoding

try:
    from pyspark import SparkFiles
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import ArrayType, ByteType, FloatType, StructType
except ImportError as error:
    raise MissingExtraError("pyspark", "spark") from error


def encode_frame(
    frame: DataFrame,
    model: str | os.PathLike[str],
    *,
    column: str,
    into: str = INTO,
    part: str | None = None,
    normalize: Normalization | None = None,
    storage: RowStorage = "float32",
    send: bool = False,
    threads: int = 1,
) -> DataFrame:
    """The frame with the embeddings of a column of texts as its last column, an array of floats.

    :param model: a folder that every machine has at the same path, unless it is sent.
    :param storage: float32, or int8 with a scale for each row in a further column.
    :param send: have Spark copy the model to every machine first (``addFile``).
    :param threads: of each task, of which there is one a core.
    """
    if storage == "float16":
        raise ConfigError("Spark has no numbers of 16 bits: storage must be float32 or int8")
    encoding = ColumnEncoding.of(
        model,
        column=column,
        into=into,
        part=part,
        normalize=normalize,
        storage=storage,
        threads=threads,
    )
    encoding.check(frame.columns)
    if send:
        _send(frame.sparkSession, encoding.model)
    return frame.mapInArrow(_work(encoding, sent=send), _schema(frame.schema, encoding))


def _schema(known: StructType, encoding: ColumnEncoding) -> StructType:
    number = ByteType() if encoding.storage == "int8" else FloatType()
    types = [ArrayType(number, containsNull=False), FloatType()]
    schema = StructType(list(known.fields))
    for name, kind in zip(encoding.new_columns, types, strict=False):
        schema = schema.add(name, kind, nullable=False)
    return schema


def _work(encoding: ColumnEncoding, *, sent: bool) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What a task does with its batches."""

    def encode(batches: Iterable[Any]) -> Iterator[Any]:
        here = encoding
        if sent:
            here = encoding.moved(SparkFiles.get(Path(encoding.model).name))
        work = _opened(here)
        for batch in batches:
            yield _with_lists(work(batch))

    return encode


@lru_cache(maxsize=1)  # a process of Spark takes one task after the other
def _opened(encoding: ColumnEncoding) -> Callable[[Any], Any]:
    return encoding.open()


def _with_lists(batch: Any) -> Any:
    """The same batch with lists of any length, the only ones that Spark knows."""
    import pyarrow

    schema = batch.schema
    for number, field in enumerate(schema):
        if pyarrow.types.is_fixed_size_list(field.type):
            lists = pyarrow.list_(pyarrow.field("element", field.type.value_type, nullable=False))
            schema = schema.set(number, field.with_type(lists))
    return batch.cast(schema)


def _send(session: SparkSession, model: str) -> None:
    if not Path(model).is_dir():
        raise ConfigError(f"{model} is no folder that could be sent: give the folder of a model")
    session.sparkContext.addFile(model, recursive=True)

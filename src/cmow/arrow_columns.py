"""Embeddings as columns of Arrow: lists of one length, beside the columns that there are."""

from typing import Any

import numpy as np

from cmow.arrays import Embeddings
from cmow.choices import INTO, RowStorage
from cmow.errors import ConfigError, MissingExtraError
from cmow.numbers import stored

SCALE = "{}_scale"  # the column of what a row of int8 is to be multiplied by


def columns_of(into: str, storage: RowStorage) -> list[str]:
    """The names of the columns that embeddings take."""
    return [into, SCALE.format(into)] if storage == "int8" else [into]


def with_embeddings(
    rows: Any, embeddings: Embeddings, *, into: str = INTO, storage: RowStorage = "float32"
) -> Any:
    """A batch or table with the embeddings of its rows as its last column.

    :param storage: of int8, a further column has a number that each row is to be multiplied by
    """
    pyarrow = _pyarrow()
    names = columns_of(into, storage)
    refuse_taken(names, rows.schema.names)
    numbers, scales = stored(np.asarray(embeddings, np.float32), storage)
    width = embeddings.shape[1]
    lists = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(numbers.ravel()), width)
    arrays = [lists] if scales is None else [lists, pyarrow.array(scales)]
    schema = rows.schema
    for name, array in zip(names, arrays, strict=True):
        schema = schema.append(pyarrow.field(name, array.type, nullable=False))
    return type(rows).from_arrays([*rows.columns, *arrays], schema=schema)


def refuse_taken(names: list[str], taken: list[str]) -> None:
    """Refuse columns that there are already."""
    for name in names:
        if name in taken:
            raise ConfigError(
                f"there is a column {name!r} already: name another for the embeddings (--into)"
            )


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError("pyarrow", "arrow") from error
    return pyarrow

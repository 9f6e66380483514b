"""Where clusters of texts go: lines with tabs, or a Parquet file."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cmow.cli.output import opened_output
from cmow.cli.search import one_line, place
from cmow.errors import require

if TYPE_CHECKING:
    from cmow.search import Member

OUTPUT = (
    "Write the clusters here instead of to stdout: tab-separated lines, or columns if the name "
    "ends in .parquet. The file appears when it is complete."
)
PARQUET = ".parquet"
ROWS = 65_536  # of a Parquet file that are written at a time


def check_output(path: Path | None) -> None:
    """Say what is missing before the work begins."""
    if path is not None and path.suffix == PARQUET:
        require("pyarrow", "arrow")


def write_clusters(members: Iterable["Member"], path: Path | None) -> None:
    """Write texts with the numbers of their clusters."""
    if path is not None and path.suffix == PARQUET:
        _write_parquet(iter(members), path)
        return
    with opened_output(path, rewound=False) as file:
        for cluster, similarity, (text, metadata) in members:
            columns = [str(cluster), f"{similarity:.4f}", place(metadata), one_line(text)]
            file.write(("\t".join(columns) + "\n").encode())


def _write_parquet(members: Iterator["Member"], path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    kinds = {
        "cluster": pyarrow.int64(),
        "similarity": pyarrow.float32(),
        "file": pyarrow.string(),
        "line": pyarrow.int64(),
        "text": pyarrow.string(),
    }
    schema = pyarrow.schema(kinds.items())
    with opened_output(path, rewound=False) as file, parquet.ParquetWriter(file, schema) as writer:
        while some := list(islice(members, ROWS)):
            rows = [_row(member) for member in some]
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))


def _row(member: "Member") -> dict[str, Any]:
    cluster, similarity, (text, metadata) = member
    return {"cluster": cluster, "similarity": similarity, "text": text, **metadata}

"""`cmow search`: the texts of an index that are most like a query."""

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmow.cli.app import app
from cmow.cli.models import checked_text

if TYPE_CHECKING:
    from cmow.search import Hit

BLOCK = 240  # queries that are searched together

QUERY = "A text, in quotes if it has blanks. Without it, queries are read from stdin, one per line."
ORDER = "Weight of word order, from 0 (ignored) to 1; the plain cosine if not given."
SPANS = "Find the best passages of at most this many words within the texts."
MODEL = "Folder of the model, if it has moved since the index was made."


@app.command()
def search(
    index: Annotated[
        Path, typer.Argument(metavar="INDEX", help="Folder of the index.", show_default=False)
    ],
    query: Annotated[
        str | None, typer.Argument(help=QUERY, callback=checked_text, show_default=False)
    ] = None,
    k: Annotated[
        int, typer.Option("-k", metavar="NUMBER", min=1, help="Number of texts to find.")
    ] = 10,
    order: Annotated[float | None, typer.Option(metavar="NUMBER", min=0, max=1, help=ORDER)] = None,
    spans: Annotated[int | None, typer.Option(metavar="WORDS", min=1, help=SPANS)] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Look at all texts, even if there is a graph.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="An object a query, for programs.")
    ] = False,
    model: Annotated[Path | None, typer.Option(metavar="MODEL", help=MODEL)] = None,
) -> None:
    """Find the texts most like a query.

    `cmow search index/ "from Berlin to Rome" --order 0.5`

    `cmow search index/ -k 1 < queries.txt`

    Prints score, file and line, and text, best first, with tabs between them; with `--spans` the
    words from which to which the passage goes, and the passage. Queries of stdin come first in
    their lines.
    """
    from cmow.search import Index

    opened = Index.open(index, model)
    several = query is None
    queries = _from_stdin() if query is None else iter([query])
    while block := list(islice(queries, BLOCK)):
        found = opened.search(block, k, order=order, spans=spans, exact=exact)
        for asked, hits in zip(block, found, strict=True):
            if as_json:
                answer = {"query": asked, "hits": [_fields(hit) for hit in hits]}
                sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
            else:
                for hit in hits:
                    columns = [*([asked] if several else []), *_columns(hit)]
                    sys.stdout.write("\t".join(map(one_line, columns)) + "\n")


def one_line(text: str) -> str:
    """A text that may stand between tabs."""
    return " ".join(text.split())


def place(metadata: dict[str, Any]) -> str:
    """File and line, if they are known."""
    return f"{metadata['file']}:{metadata['line']}" if "file" in metadata else ""


def _from_stdin() -> Iterator[str]:
    from cmow.corpus import STDIN, read_lines

    return read_lines(STDIN)


def _columns(hit: "Hit") -> Sequence[str]:
    where = place(hit.metadata) or str(hit.row)
    if hit.span is None:
        return f"{hit.score:.4f}", where, hit.text
    return f"{hit.score:.4f}", where, f"{hit.span.begin}-{hit.span.end}", hit.span.text


def _fields(hit: "Hit") -> dict[str, Any]:
    fields = {"row": hit.row, "score": hit.score, "text": hit.text, **hit.metadata}
    return fields if hit.span is None else {**fields, "span": hit.span._asdict()}

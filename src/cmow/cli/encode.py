"""`cmow encode`: texts in, embeddings out, whatever their number."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cmow.choices import INTO, Invalid, Normalization, RowStorage
from cmow.cli.app import app
from cmow.cli.choices import BINARY, FORMATS, Format, chosen_from
from cmow.cli.models import Model, PartName, open_model
from cmow.errors import ConfigError

if TYPE_CHECKING:
    from cmow.cli.formats import Writer
    from cmow.corpus import Batch
    from cmow.encoder import Encoder

FILES = (
    "One text per line, or tables: CSV, TSV and JSON lines, plain or packed by gz, xz or zst, "
    "Parquet and Arrow. Without files, or with -, stdin is read."
)
COLUMN = "The column of the texts, if the files are tables."
INTO_HELP = "The column for the embeddings, in parquet, arrow and jsonl."
STORAGE = "Type of the numbers: 32 bits, 16, or 8 with a scale per row (parquet and arrow)."
OUTPUT = "Write the embeddings here instead of to stdout. The file appears when it is complete."
FORMAT = "Format of the output; without it, the suffix of FILE decides, or else npy."
NORMALIZE = "Divide each embedding by its norm (all), or each part by its own (parts)."
THREADS = "Number of threads; all cores if not given."
INVALID = "What to do with lines that are not UTF-8; skipped ones get no row."
VERBOSE = "Report how many words were unknown, even if stderr is not a terminal."


@app.command()
def encode(
    model: Model,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILES", help=FILES, show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=OUTPUT, rich_help_panel="Output"),
    ] = None,
    format: Annotated[
        Format | None, chosen_from(Format, help=FORMAT, rich_help_panel="Output")
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help=COLUMN, rich_help_panel="Input")
    ] = None,
    into: Annotated[
        str, typer.Option(metavar="NAME", help=INTO_HELP, rich_help_panel="Output")
    ] = INTO,
    storage: Annotated[
        RowStorage, chosen_from(RowStorage, help=STORAGE, rich_help_panel="Output")
    ] = "float32",
    part: PartName = None,
    normalize: Annotated[Normalization | None, chosen_from(Normalization, help=NORMALIZE)] = None,
    threads: Annotated[int | None, typer.Option(metavar="NUMBER", min=1, help=THREADS)] = None,
    invalid: Annotated[
        Invalid, chosen_from(Invalid, help=INVALID, rich_help_panel="Input")
    ] = "fail",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help=VERBOSE)] = False,
) -> None:
    """Turn texts into embeddings.

    `cmow encode model/ sentences.txt -o sentences.npy`

    `zcat corpus.gz | cmow encode model/ --format tsv | head -3`

    `cmow encode model/ books.parquet --column title -o embedded.parquet`

    Each line is a text and gets a row, also if it is empty. Memory does not grow with the number
    of texts. npy is for NumPy (`numpy.load`), tsv has the numbers only, jsonl has objects with
    `text` and `embedding`. jsonl, parquet and arrow keep all columns of a table.
    """
    from cmow.cli.formats import make_writer
    from cmow.cli.output import opened_output
    from cmow.cli.progress import shown_progress
    from cmow.corpus import STDIN, expand, read_batches

    chosen = _format(format, output)
    sources = expand(files or ["-"])
    work = _Encoding(open_model(model, part), normalize, threads, storage)
    on_terminal = sys.stderr.isatty()
    with (
        opened_output(output, rewound=chosen == "npy", binary=chosen in BINARY) as file,
        shown_progress(sources, visible=on_terminal and not file.isatty()) as advance,
    ):
        if on_terminal and STDIN in sources and sys.stdin.isatty():
            sys.stderr.write("reading texts from the terminal, one a line: end with Ctrl-D\n")
        dim = work.encoder.dim
        writer = make_writer(chosen, file, dim=dim, into=into, storage=storage)
        for batch in read_batches(sources, column=column, invalid=invalid):
            work.encode(batch, writer)
            advance(batch.read, len(batch.texts))
        writer.finish()
    if verbose or on_terminal:
        sys.stderr.write(f"{work.summary()}\n")


class _Encoding:
    """Encodes batch by batch and counts."""

    def __init__(
        self,
        encoder: "Encoder",
        normalize: Normalization | None,
        threads: int | None,
        storage: RowStorage,
    ) -> None:
        self.encoder = encoder
        self._type = "float16" if storage == "float16" else "float32"
        self._normalize = normalize
        self._threads = threads
        self._texts = self._known = self._unknown = 0

    def encode(self, batch: "Batch", writer: "Writer") -> None:
        ids = self.encoder.tokenizer.ids(batch.texts, threads=self._threads)
        embeddings = self.encoder.encode_ids(
            ids, normalize=self._normalize, threads=self._threads, dtype=self._type
        )
        writer.write(batch, embeddings)
        self._texts += len(batch.texts)
        self._known += len(ids.flat)
        self._unknown += ids.discarded

    def summary(self) -> str:
        tokens = self._known + self._unknown
        share = self._unknown / tokens if tokens else 0.0
        return f"{self._texts:,} texts, {tokens:,} tokens, {self._unknown:,} ({share:.1%}) unknown"


def _format(name: Format | None, output: Path | None) -> Format:
    """The format that was asked for, or else the one that the file's suffix tells."""
    suffix = output.suffix.removeprefix(".") if output is not None else ""
    if name is not None or not suffix:
        return name or "npy"
    for known in FORMATS:
        if suffix == known:
            return known
    names = ", ".join(FORMATS)
    raise ConfigError(f"{output}: {suffix!r} is no known format: give --format, one of {names}")

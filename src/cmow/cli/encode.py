"""`cmow encode`: texts in, embeddings out, whatever their number."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cmow.choices import Invalid, Normalization
from cmow.cli.app import app
from cmow.cli.choices import FORMATS, Format, chosen_from
from cmow.cli.models import Model, PartName, open_model
from cmow.errors import ConfigError

if TYPE_CHECKING:
    from cmow.cli.formats import Writer
    from cmow.cli.progress import Advance
    from cmow.encoder import Encoder

ROWS = 4096  # embeddings in memory at a time

FILES = "One text a line; plain or packed by gz, xz or zst. - is stdin, as is no file at all."
OUTPUT = "Where the embeddings go, instead of stdout. The file appears when it is complete."
FORMAT = "By the suffix of FILE if not given, or else npy."
NORMALIZE = "Divide each embedding by its norm (all), or each part by its own (parts)."
THREADS = "All cores if not given."
INVALID = "What to do with lines that are not UTF-8; skipped ones get no row."
VERBOSE = "Tell how many words were unknown, also if stderr is no terminal."


@app.command()
def encode(
    model: Model,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILES]...", help=FILES, show_default=False)
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=OUTPUT)
    ] = None,
    format: Annotated[Format | None, chosen_from(Format, help=FORMAT)] = None,
    part: PartName = None,
    normalize: Annotated[Normalization | None, chosen_from(Normalization, help=NORMALIZE)] = None,
    threads: Annotated[int | None, typer.Option(min=1, help=THREADS)] = None,
    invalid: Annotated[Invalid, chosen_from(Invalid, help=INVALID)] = "fail",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help=VERBOSE)] = False,
) -> None:
    """Turn texts into embeddings: `cmow encode model/ sentences.txt -o sentences.npy`.

    Each line is a text and gets a row, also if it is empty. Memory does not grow with the number
    of texts. For pipes:

    `zcat corpus.gz | cmow encode model/ --format tsv | head -3`

    npy is for NumPy (`numpy.load`), tsv has the numbers only, jsonl has objects with `text` and
    `embedding`.
    """
    from cmow.cli.formats import make_writer
    from cmow.cli.output import opened_output
    from cmow.cli.progress import shown_progress
    from cmow.corpus import STDIN, expand

    chosen = _format(format, output)
    sources = expand(files or ["-"])
    work = _Encoding(open_model(model, part), normalize, threads)
    on_terminal = sys.stderr.isatty()
    with (
        opened_output(output, rewound=chosen == "npy") as file,
        shown_progress(sources, visible=on_terminal and not file.isatty()) as advance,
    ):
        if on_terminal and STDIN in sources and sys.stdin.isatty():
            sys.stderr.write("reading texts from the terminal, one a line: end with Ctrl-D\n")
        writer = make_writer(chosen, file, dim=work.encoder.dim)
        for texts in _batches(sources, invalid, advance):
            work.encode(texts, writer)
        writer.finish()
    if verbose or on_terminal:
        sys.stderr.write(f"{work.summary()}\n")


class _Encoding:
    """Encodes batch by batch and counts."""

    def __init__(
        self, encoder: "Encoder", normalize: Normalization | None, threads: int | None
    ) -> None:
        self.encoder = encoder
        self._normalize = normalize
        self._threads = threads
        self._texts = self._known = self._unknown = 0

    def encode(self, texts: Sequence[str], writer: "Writer") -> None:
        ids = self.encoder.tokenizer.ids(texts, threads=self._threads)
        writer.write(
            texts, self.encoder.encode_ids(ids, normalize=self._normalize, threads=self._threads)
        )
        self._texts += len(texts)
        self._known += len(ids.flat)
        self._unknown += ids.discarded

    def summary(self) -> str:
        tokens = self._known + self._unknown
        share = self._unknown / tokens if tokens else 0.0
        return f"{self._texts:,} texts, {tokens:,} tokens, {self._unknown:,} ({share:.1%}) unknown"


def _batches(
    sources: Sequence[Path], invalid: Invalid, advance: "Advance"
) -> Iterator[Sequence[str]]:
    from cmow.corpus import InvalidLines, read_blocks

    policy = InvalidLines(invalid)
    for block in read_blocks(sources):
        data = policy.mend(block.data, block.source, block.first_line)
        texts = [line.removesuffix("\r") for line in data.decode().split("\n")[:-1]]
        advance(block.read, len(texts))
        for start in range(0, len(texts), ROWS):
            yield texts[start : start + ROWS]


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

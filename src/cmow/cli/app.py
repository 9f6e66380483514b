"""The Typer application that the commands are registered with."""

import os
import signal
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup


class Commands(TyperGroup):
    """All commands; a reader that closes the pipe, and Ctrl-C, end each of them quietly."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command until its last byte is on the way."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Keep the interpreter's last flush quiet too.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(128 + signal.SIGPIPE) from None
        except KeyboardInterrupt:
            raise typer.Exit(128 + signal.SIGINT) from None
        return result


app = typer.Typer(
    cls=Commands,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        sys.stdout.write(f"cmow {version('cmow')}\n")
        raise typer.Exit


@app.callback()
def cmow(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Order-aware sentence embeddings at bag-of-words speed.

    A model is a folder. Try `cmow demo`, or make one with `cmow train corpus.txt model/` and use
    it with `cmow encode model/ sentences.txt -o sentences.npy`.
    """

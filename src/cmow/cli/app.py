"""The Typer application that the commands are registered with."""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from cmow.cli.help import help_of
from cmow.spelling import american
from cmow.suggesting import did_you_mean

Function = TypeVar("Function", bound=Callable[..., Any])

GROUPS = {
    "Use a model": (
        *("demo", "encode", "similarity", "index", "search", "duplicates", "cluster"),
        *("neighbors", "serve", "export-web", "info", "convert"),
    ),
    "Train one": ("train", "distill", "classify", "prepare", "plot", "init"),
    "Evaluate": ("evaluate", "triples"),
    "Laboratory": ("reproduce", "probing", "grammar"),
}


class Command(TyperCommand):
    """A command with help of our own."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        formatter.write(help_of(self, ctx, {}))


class Group(TyperGroup):
    """Commands by name; one that is misspelled is told which it may be."""

    panels: Mapping[str, Iterable[str]] = {}

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        formatter.write(help_of(self, ctx, self.panels))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Show the help if there is no command, as Click does, whatever its version."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            raise typer.Exit
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command."""
        name = american(args[0])
        if name not in self.commands and not name.startswith("-"):
            ctx.fail(f"No such command {args[0]!r}{did_you_mean(name, self.commands)}")
        return super().resolve_command(ctx, args)


class Commands(Group):
    """All commands; a reader that closes the pipe, and Ctrl-C, end each of them quietly."""

    panels = GROUPS

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


class App(typer.Typer):
    """Commands that go together, whose options have their former names, too."""

    def __init__(self, cls: type[Group] = Group, **settings: Any) -> None:
        context = {"help_option_names": ["-h", "--help"], "token_normalize_func": american}
        super().__init__(cls=cls, context_settings=context, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """Register a command."""
        return super().command(name, cls=Command, **settings)


app = App(Commands, pretty_exceptions_enable=False)


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

    A model is a folder, and `english` is the one that comes with the package:

    `cmow demo`

    `cmow encode english sentences.txt -o sentences.npy`

    `cmow train corpus.txt model/`

    Each command has its own help, with examples: `cmow encode --help`.
    """

"""The Typer application that the commands are registered with."""

import typer

app = typer.Typer(
    help="Order-aware sentence embeddings at bag-of-words speed.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def cmow() -> None:
    """Order-aware sentence embeddings at bag-of-words speed."""

"""Options that let one choose from some words."""

from typing import Any, Literal, get_args

import typer

# Of embeddings, each called like the suffix of its files.
Format = Literal["npy", "tsv", "jsonl", "parquet", "arrow"]
FORMATS: tuple[Format, ...] = get_args(Format)
BINARY: tuple[Format, ...] = ("npy", "parquet", "arrow")


def chosen_from(words: Any, **about: Any) -> Any:
    """An option whose value is a word of a Literal type, which the older Typer does not know.

    :param about: what else there is to say of the option, such as its help
    """
    known = get_args(words)

    def read(word: str) -> str:
        if word not in known:
            raise typer.BadParameter(f"{word!r} is not one of {', '.join(map(repr, known))}.")
        return word

    return typer.Option(parser=read, metavar="|".join(known), **about)

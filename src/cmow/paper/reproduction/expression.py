"""Encoders made of trained models: one, a part of one, or several side by side."""

from collections.abc import Callable
from typing import NamedTuple

from cmow.encoder import Encoder


class Term(NamedTuple):
    """A model, or one of its parts."""

    model: str
    part: str


def terms(expression: str) -> list[Term]:
    """The terms of an expression such as ``cbow-400 + hybrid-800:cmow``."""
    split = (term.strip().partition(":") for term in expression.split("+"))
    return [Term(model.strip(), part.strip()) for model, _, part in split]


def encoder_of(expression: str, load: Callable[[str], Encoder]) -> Encoder:
    """The encoder that an expression stands for.

    :param load: gives the model of a name
    """
    encoders = [
        load(term.model).part(term.part) if term.part else load(term.model)
        for term in terms(expression)
    ]
    return encoders[0] if len(encoders) == 1 else Encoder.concatenate(*encoders)

"""The kinds of parts, a file each."""

from typing import Any

from cmow.encoder.parts.monoid import Array, Monoid, concatenate
from cmow.encoder.parts.product import Product
from cmow.encoder.parts.reversed import Reversed
from cmow.encoder.parts.sum import Sum
from cmow.encoder.parts.windows import Windows
from cmow.errors import ConfigError

__all__ = ["KINDS", "Array", "Monoid", "concatenate", "make_monoid"]

KINDS: dict[str, type[Monoid]] = {
    kind.kind: kind
    for kind in (
        Sum,
        Product,
        Reversed,
        Windows,
    )
}


def make_monoid(kind: str, size: int, **options: Any) -> Monoid:
    """The monoid of a kind such as "sum" or "product", of the given vector or matrix size."""
    made = KINDS.get(kind)
    if made is None:
        raise ConfigError(f"unknown composition {kind!r}: choose from {', '.join(KINDS)}")
    if not made.smallest <= size <= made.largest:
        raise ConfigError(
            f"{kind}({size}): the size must lie between {made.smallest} and {made.largest}"
        )
    known = made.options()
    strangers = options.keys() - known
    if strangers:
        raise ConfigError(f"{kind} has no option {', '.join(sorted(strangers))}")
    return made(
        size, **{name: _number(name, value, type(known[name])) for name, value in options.items()}
    )


def _number(option: str, value: Any, wanted: type[float]) -> float:
    """The value of an option, whole or not as its default is."""
    if not isinstance(value, int | float) or wanted(value) != value:
        kind = "whole number" if wanted is int else "number"
        raise ConfigError(f"option {option} must be a {kind}, not {value!r}")
    return wanted(value)

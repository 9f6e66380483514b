"""How what a part shows is laid out."""

from math import isqrt

from cmow.encoder import Part


def rows_and_columns(part: Part) -> tuple[int, int]:
    """Of what a part shows: a vector is one row."""
    width = part.width
    size = isqrt(width)
    return (1, width) if part.monoid.has_vectors or size**2 != width else (size, size)

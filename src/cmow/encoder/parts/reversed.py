"""Square matrices under multiplication from right to left; with a product, CMOW both ways."""

from cmow.encoder.parts.monoid import Array
from cmow.encoder.parts.product import Product


class Reversed(Product):
    """Matrices of ``size`` rows and columns, the last word's leftmost."""

    kind, part_name = "reversed", "reversed"

    def compose(self, left: Array, right: Array) -> Array:
        return super().compose(right, left)

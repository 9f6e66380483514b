"""What three small models can learn from a text of one's own, as `bench/demo.py` measured it."""

from cmow.paper.demo.material import OwnText


def expectation(text: OwnText) -> str:
    """What to expect, before minutes are spent on it."""
    return f"{len(text.training)}"

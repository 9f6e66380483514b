"""The settings in which the paper's recipe and ours differ, as a table."""

from measuring import table

from cmow import TrainConfig
from cmow.settings import settings_of


def differences() -> str:
    """The settings in which the paper's recipe and ours differ."""
    theirs, ours = TrainConfig.of({"recipe": "paper"}), TrainConfig()
    both = [
        (each, getattr(theirs, each.name), getattr(ours, each.name)) for each in settings_of(ours)
    ]
    rows = [
        [f"`{each.name}`: {each.metadata['comment']}", _plain(paper), _plain(default)]
        for each, paper, default in both
        if paper != default
    ]
    return table(["setting", "paper", "ours"], rows) + "\n"


def _plain(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)

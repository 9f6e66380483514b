"""Rooms that import their files on demand, so that the command line's help is quick."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(room: str, files: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a room: imports a file when a name in it is first asked for.

    :param files: the module of each name; none may be called like a name, which it would hide
    """

    def get(name: str) -> Any:
        if name not in files:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(files[name]), name)

    return get

"""Names of a package that are imported when they are first asked for."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any


def lazy_names(package: str, **modules: Iterable[str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose modules are too heavy for the command line's help.

    :param modules: of the package, with the names that each has; none may be called like a name,
        which it would hide
    """
    homes = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return get

"""Rooms know one another in one direction only, and by what their `__init__.py` shows."""

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path

import pytest

import cmow

PACKAGE = Path(cmow.__file__).parent
LIBRARY = (
    *("settings", "text", "corpus", "encoder", "torch", "training", "distillation"),
    "classification",
)
# What each room may know beside the compiled core and the shared modules.
MAY_KNOW: dict[str, tuple[str, ...]] = {
    **{room: LIBRARY[:number] for number, room in enumerate(LIBRARY)},
    "text": (),
    "search": ("settings", "text", "corpus", "encoder"),
    "serving": ("settings", "text", "encoder", "search"),
    "evaluation": (),  # it takes any object with `encode`
    "integrations": ("text", "corpus", "encoder", "torch", "evaluation"),
    "paper.grammar": (),
    "paper.probing": ("settings", "text", "corpus", "paper.grammar"),
    "paper.demo": (*LIBRARY, "search", "evaluation", "paper.grammar", "paper.probing"),
    "paper.reproduction": (*LIBRARY, "evaluation"),
}
MAY_KNOW["cli"] = tuple(MAY_KNOW)
ROOMS = tuple(MAY_KNOW)
CORE = "_core"
SHARED = "shared modules"  # those directly below the package, such as errors
OUTSIDE = ("", "paper", "__main__")  # what rooms are in: it may know all of them, and they not it


def room_of(module: str) -> str:
    """The room of a module, both named as below the package."""
    if module in (CORE, *OUTSIDE):
        return module
    for room in ROOMS:
        if f"{module}.".startswith(f"{room}."):
            return room
    return module.rpartition(".")[0] or SHARED


def modules_of(package: Path) -> dict[str, Path]:
    """The files of a package by their modules' names below it."""
    files = {}
    for file in [*package.rglob("*.py"), *package.rglob("*.pyi")]:
        *folders, name = file.relative_to(package).with_suffix("").parts
        files[".".join(folders if name == "__init__" else [*folders, name])] = file
    return files


def faults(package: Path) -> list[str]:
    """All imports that are not as they should be: where, what, and the cure."""
    modules = modules_of(package)
    exported = {room: exports(modules[room]) for room in ROOMS if room in modules}
    found = []
    for module, file in sorted(modules.items()):
        where, room = file.relative_to(package.parent), room_of(module)
        if room not in (*ROOMS, *OUTSIDE, CORE, SHARED):
            found.append(f"{where}: {room} is no room yet: say in {Path(__file__).name} what it is")
            continue
        for line, target, name in imports(file, package, modules):
            other = room_of(target)
            if other == room:
                continue
            shown = exported.get(other)
            if fault := out_of_order(room, other) or past_the_door(target, name, shown):
                found.append(f"{where}:{line}: {fault}")
    return found


def out_of_order(room: str, other: str) -> str:
    """What is wrong with one room's knowing another."""
    allowed = (*ROOMS, SHARED) if room in OUTSIDE else (CORE, SHARED, *MAY_KNOW.get(room, ()))
    if room == SHARED:
        allowed = (CORE,)
    if other in allowed:
        return ""
    if other in OUTSIDE:
        return f"{room} imports from what it is in: import from the room that has it"
    return f"{room} must not know {other}: have it handed over, or move it where both may know it"


def past_the_door(target: str, name: str, exported: list[str] | None) -> str:
    """What is wrong with taking a name, or if it is empty all, from a module of another room.

    :param exported: by the room, unless it is the core or a shared module
    """
    if name.startswith("_"):
        return f"{name} is private to cmow.{target}: do without it, or drop the underscore"
    if exported is None or (name in exported and target in ROOMS):
        return ""
    room = room_of(target)
    if not name:
        return f"takes all of cmow.{target}: write `from cmow.{room} import` and what it needs"
    return f"write `from cmow.{room} import {name}`, and add {name} to that room's __all__"


def imports(file: Path, package: Path, modules: dict[str, Path]) -> Iterator[tuple[int, str, str]]:
    """Line, module and name of all that a file imports from our package, functions included."""
    folder = ".".join(("cmow", *file.relative_to(package).parent.parts))
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            taken = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), folder)
            taken = [(source, alias.name) for alias in node.names]
        else:
            continue
        for source, name in taken:
            if source.split(".")[0] == "cmow":
                target = source.partition(".")[2]
                inner = f"{target}.{name}".strip(".")
                is_module = target in OUTSIDE and name and inner in modules
                yield (node.lineno, inner, "") if is_module else (node.lineno, target, name)


def exports(file: Path) -> list[str]:
    """The names in a file's ``__all__``."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def test_no_import_goes_back_or_past_a_door():
    assert not (found := faults(PACKAGE)), "\n".join(found)


@pytest.mark.parametrize("room", [room for room in ROOMS if room in modules_of(PACKAGE)])
def test_rooms_have_all_that_they_export(room):
    module = import_module(f"cmow.{room}")
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    with pytest.raises(AttributeError, match=rf"module 'cmow.{room}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018


@pytest.mark.parametrize(
    ("file", "line", "fault"),
    [
        ("encoder/a.py", "from cmow.training import run", "encoder must not know training"),
        ("encoder/a.py", "def f():\n    from cmow.paper.demo import x", "must not know paper.demo"),
        ("corpus/a.py", "if TYPE_CHECKING:\n    from cmow.encoder import x", "not know encoder"),
        ("evaluation/a.py", "from cmow.encoder import shown", "evaluation must not know encoder"),
        ("paper/grammar/a.py", "from cmow.paper.probing import x", "must not know paper.probing"),
        ("paper/demo/a.py", "from cmow.cli import x", "paper.demo must not know cli"),
        ("errors.py", "from cmow.text import x", "shared modules must not know text"),
        ("text/a.py", "from cmow import load", "text imports from what it is in"),
        ("cli/a.py", "from cmow.encoder.parts import shown", "`from cmow.encoder import shown`"),
        ("cli/a.py", "from ..encoder.parts import shown", "`from cmow.encoder import shown`"),
        ("cli/a.py", "from cmow.encoder import parts", "add parts to that room's __all__"),
        ("cli/a.py", "import cmow.encoder.parts", "takes all of cmow.encoder.parts"),
        ("cli/a.py", "from cmow import encoder", "takes all of cmow.encoder"),
        ("__main__.py", "from cmow.encoder.parts import shown", "`from cmow.encoder import shown`"),
        ("cli/a.py", "from cmow.encoder import _x", "_x is private to cmow.encoder"),
        ("cli/a.py", "from cmow.errors import _x", "_x is private to cmow.errors"),
        ("attic/a.py", "", "attic is no room yet"),
        ("cli/a.py", "from cmow.encoder import shown", None),
        ("cli/a.py", "from cmow.cli.b import _x", None),
        ("encoder/a.py", "from cmow import _core, errors\nfrom cmow._core import x", None),
        ("__init__.py", "from cmow.encoder import shown", None),
    ],
)
def test_faults_are_found(tmp_path, file, line, fault):
    package = tmp_path / "cmow"
    files = {
        "encoder/__init__.py": "from cmow.encoder.parts import shown\n__all__ = ['shown']",
        "encoder/parts.py": "",
        "_core.pyi": "",
        "errors.py": "",
        "__init__.py": "",
    }
    for name, text in {**files, file: line}.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    found = faults(package)
    assert len(found) == (fault is not None)
    if fault is not None:
        assert found[0].startswith(f"cmow/{file}:")
        assert fault in found[0]

"""The stub says of the compiled core what the core says of itself."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from cmow import _core

STUB = (Path(__file__).parents[2] / "src" / "cmow" / "_core.pyi").read_text()


def in_stub(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, str]]:
    """Names that a stub declares, each with what it is: a class, a property or parameters."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node.name, "class"
            yield from in_stub(node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
            accessors = decorators & {"property", f"{node.name}.setter"}
            yield owner + node.name, accessors.pop() if accessors else parameters(node.args)


def parameters(arguments: ast.arguments) -> str:
    """Parameters without types, and dots for defaults."""
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    arguments.defaults = [ast.Constant(...) for _ in arguments.defaults]
    arguments.kw_defaults = [default and ast.Constant(...) for default in arguments.kw_defaults]
    return f"({ast.unparse(arguments)})"


def in_module(held: ModuleType | type, owner: str = "") -> Iterator[tuple[str, str]]:
    """The same of a compiled module."""
    for name, value in vars(held).items():
        if isinstance(value, type):
            yield name, "class"
            yield from in_module(value, f"{name}.")
        elif isinstance(value, property):
            yield owner + name, f"{name}.setter" if value.fset else "property"
        elif hasattr(value, "__nb_signature__"):
            yield owner + name, parameters_in(value.__nb_signature__[0][0])


def parameters_in(signature: str) -> str:
    """The same of a signature by nanobind, whose types are no Python."""
    while signature != (signature := re.sub(r"\[[^][]*\]", "", signature)):
        pass
    listed = signature[signature.index("(") : signature.index(")") + 1]
    return re.sub(r"= \\\d+", "=...", re.sub(r": [^,=)]*", "", listed))


def differences(stub: str) -> list[str]:
    """What stub and core do not agree on."""
    declared, held = dict(in_stub(ast.parse(stub).body)), dict(in_module(_core))
    return [
        f"{name}: {declared.get(name, 'nothing')}, but {held.get(name, 'nothing')} in the core"
        for name in sorted(declared.keys() | held.keys())
        if declared.get(name) != held.get(name)
    ]


def test_the_stub_is_true():
    assert not differences(STUB)


@pytest.mark.parametrize(
    ("right", "wrong", "named"),
    [
        ("def level() ", "def height() ", "height: (), but nothing in the core"),
        ("def level() ", "def height() ", "level: nothing, but () in the core"),
        ("class Words:", "class Texts:", "Texts.split: (self, texts), but nothing in the core"),
        ("other: Word", "counter: Word", "WordCounter.merge: (self, counter), but (self, other)"),
        ("| None = None", "| None", "WordCounter.most_common: (self, size, minimum_count=...), b"),
        ("@property\n    def total", "def total", "WordCounter.total: (self), but property"),
    ],
)
def test_what_differs_is_named(right, wrong, named):
    assert right in STUB
    assert any(line.startswith(named) for line in differences(STUB.replace(right, wrong)))

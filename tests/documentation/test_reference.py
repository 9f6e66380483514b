"""The reference has every public name, each with an example that test_pages.py runs."""

import importlib
import inspect
import re
import sys
from pathlib import Path

import pytest

import cmow
from cmow.classification import ClassifySettings
from cmow.corpus import PrepareSettings
from cmow.distillation import DistillSettings
from cmow.settings import settings_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SETTINGS = (cmow.TrainConfig, PrepareSettings, DistillSettings, ClassifySettings)
HIDDEN = {"native_document", "bar", "initialise"}  # for the house's own use, or a former spelling


def section(page: str, heading: str) -> str:
    """What a page has below a heading of the second level."""
    text = (DOCS / page).read_text("utf-8")
    found = re.search(
        rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE
    )
    assert found is not None, f"{page} has no heading {heading}"
    return found[1]


@pytest.mark.parametrize("name", cmow.__all__)
def test_every_public_name_has_an_example_and_its_docstring(name: str):
    found = section("reference.md", name)
    assert "```python\n" in found
    assert f"\n::: cmow.{name}\n" in found or f".{name}\n" in found


@pytest.mark.parametrize("kind", [cmow.Encoder, cmow.Index, cmow.Classifier])
def test_every_method_is_in_the_reference(kind: type):
    public = {name for name in dir(kind) if not name.startswith("_")} - HIDDEN
    named = set(re.findall(r"[a-z_]+", section("reference.md", kind.__name__).partition(":::")[2]))
    assert public - named == set()


def test_every_method_says_what_it_does():
    methods = [
        (f"{kind.__name__}.{name}", inspect.getattr_static(kind, name))
        for kind in (cmow.Encoder, cmow.Index, cmow.Classifier)
        for name in dir(kind)
        if not name.startswith("_")
    ]
    assert [name for name, method in methods if not inspect.getdoc(method)] == []


def test_every_integration_is_in_the_reference():
    text = (DOCS / "reference-tools.md").read_text("utf-8")
    listed = (DOCS / "integrations.md").read_text("utf-8")
    listed += (DOCS / "clusters.md").read_text("utf-8")
    for module in re.findall(r"cmow\.integrations\.(\w+)", listed):
        assert f"::: cmow.integrations.{module}." in text, module
    for path in re.findall(r"^::: (cmow\.[\w.]+)\.(\w+)$", text, re.MULTILINE):
        source = ROOT / "src" / f"{path[0].replace('.', '/')}.py"
        assert re.search(rf"^(class|def) {path[1]}\b", source.read_text("utf-8"), re.MULTILINE), (
            path
        )


def test_what_guides_take_from_packages_is_in_the_reference():
    text = (DOCS / "reference-packages.md").read_text("utf-8")
    packages = "search|corpus|encoder|evaluation|serving|paper\\.grammar|paper\\.probing"
    imports = rf"^from (cmow\.(?:{packages})) import ([\w, ]+)$"
    for page in sorted(DOCS.glob("*.md")):
        if page.name != "architecture.md":  # for those who change the packages
            for package, names in re.findall(imports, page.read_text("utf-8"), re.MULTILINE):
                for name in names.split(", "):
                    assert re.search(rf"\b{package}\.{name}\b", text), f"{name} of {page.name}"


def test_every_setting_has_a_sentence_a_default_and_a_range(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    sys.modules.pop("settings_tables", None)
    page = importlib.import_module("settings_tables").with_tables(
        (DOCS / "settings.md").read_text("utf-8")
    )
    rows = re.findall(r"^\| `(\w+)`.*? \| (.+) \| (.+) \| ([A-Z].+\.) \|$", page, re.MULTILINE)
    names = [each.name for kind in SETTINGS for each in settings_of(kind)]
    assert [row[0] for row in rows] == names
    shown = {row[0]: row[1:3] for row in rows}
    assert shown["window"] == ("`5`", "a whole number from 1 to 1000")
    assert shown["batch_sentences"] == ("`256`", "a whole number from 1 to 10,000,000")
    assert shown["continue_from"] == ("not set", "a model")

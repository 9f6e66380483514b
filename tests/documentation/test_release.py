"""The version is the same wherever it is named."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def named(file: str, pattern: str) -> str:
    """What the first match of a pattern names."""
    found = re.search(pattern, (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert found is not None, file
    return found[1]


def test_package_citation_and_changelog_name_the_same_version():
    version = named("pyproject.toml", r'^version = "(.+)"$')
    assert named("CITATION.cff", r"^version: (.+)$") == version
    assert named("CHANGELOG.md", r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$") == version

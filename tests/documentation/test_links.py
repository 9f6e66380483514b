"""Links lead somewhere, on GitHub and in the site, and the site shows every page."""

import re
import unicodedata
from pathlib import Path

import pytest
from blocks import FENCE

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
NAMED = re.compile(r"`((?:src|core|tests|bench|results|examples|docs)/[\w./-]+)`")

pytestmark = pytest.mark.skipif(
    not (ROOT / "results").is_dir(), reason="there are no results beside the tests"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    broken = []
    for target, anchor in LINK.findall(CODE.sub("", FENCE.sub("", page.read_text("utf-8")))):
        file = (page.parent / target).resolve() if target else page
        if not file.exists() or (anchor and anchor not in _anchors(file)):
            broken.append(f"{target}#{anchor}")
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_named_are_there(page: Path):
    named = NAMED.findall(page.read_text("utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_links_of_the_documentation_stay_within_the_site():
    """The site has the pages and, copied beside them, the results."""
    targets = [
        (page.parent / target).resolve()
        for page in PAGES[1:]
        for target, _ in LINK.findall(page.read_text("utf-8"))
        if target
    ]
    homes = (DOCS, ROOT / "results")
    assert [t for t in targets if not any(t.is_relative_to(home) for home in homes)] == []


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]
    listed = re.findall(r"[\w/-]+\.md", navigation)
    pages = {page.name for page in PAGES[1:]}
    assert {name for name in listed if not name.startswith("results/")} == pages
    results = [ROOT / name for name in listed if name.startswith("results/")]
    assert [file for file in results if not file.is_file()] == []


def test_every_picture_is_shown():
    text = "".join(page.read_text("utf-8") for page in PAGES)
    pictures = [picture.name for picture in DOCS.glob("pictures/*.svg")]
    assert pictures
    assert [name for name in pictures if f"pictures/{name}" not in text] == []


def test_search_from_the_disk_fetches_nothing_from_elsewhere():
    """The plugin brings the address of a script unless it finds one of this name."""
    (script,) = re.findall(r"polyfills: \[(\S+)\]", (ROOT / "mkdocs.yml").read_text("utf-8"))
    assert "iframe-worker" in script
    assert (DOCS / script).is_file()


def _anchors(file: Path) -> set[str]:
    """The anchors that GitHub and MkDocs agree on."""
    headings = [heading.replace("`", "") for heading in HEADING.findall(file.read_text("utf-8"))]
    return {_github(heading) for heading in headings} & {_mkdocs(heading) for heading in headings}


def _github(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _mkdocs(heading: str) -> str:
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())

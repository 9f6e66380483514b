"""What MkDocs does besides: it copies the results beside the pages that link to them."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

RESULTS = Path(__file__).parent.parent / "results"
MARKED = re.compile(r"^(```\w+) no-run$", re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    """Add the folder of results, which lies outside of the documentation."""
    for path in sorted(RESULTS.rglob("*")):
        if path.is_file():
            name = f"results/{path.relative_to(RESULTS).as_posix()}"
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Link to the copies, and take the marks for the tests out of the fences."""
    for there, here in (("](../results/", "](results/"), ("](../docs/", "](../")):
        markdown = markdown.replace(there, here)
    return MARKED.sub(r"\1", markdown)

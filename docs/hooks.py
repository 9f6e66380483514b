"""What MkDocs does besides: it copies the results beside the pages that link to them."""

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

RESULTS = Path(__file__).parent.parent / "results"


def on_files(files: Files, config: Any) -> Files:
    """Add the folder of results, which lies outside of the documentation."""
    for path in sorted(RESULTS.rglob("*")):
        if path.is_file():
            name = f"results/{path.relative_to(RESULTS).as_posix()}"
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Link to the copies."""
    for there, here in (("](../results/", "](results/"), ("](../docs/", "](../")):
        markdown = markdown.replace(there, here)
    return markdown

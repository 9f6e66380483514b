"""What MkDocs does besides: results beside the pages that link to them, settings, and a demo."""

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from settings_tables import with_tables

RESULTS = Path(__file__).parent.parent / "results"


def on_files(files: Files, config: Any) -> Files:
    """Add the folder of results, which lies outside of the documentation."""
    for path in sorted(RESULTS.rglob("*")):
        if path.is_file():
            name = f"results/{path.relative_to(RESULTS).as_posix()}"
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Link to the copies, and fill in the tables of settings."""
    for there, here in (("](../results/", "](results/"), ("](../docs/", "](../")):
        markdown = markdown.replace(there, here)
    return with_tables(markdown)


def on_post_build(config: Any) -> None:
    """Write the page that runs the English model in the browser beside the others."""
    import cmow
    from cmow.serving import export_web

    export_web(cmow.load(), Path(config.site_dir) / "demo", name="english")

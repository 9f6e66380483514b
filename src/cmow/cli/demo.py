"""`cmow demo`: the paper in small, without any download."""

import shlex
import sys
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

import typer

from cmow.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from cmow.encoder import Encoder
    from cmow.evaluation import Report
    from cmow.paper.demo import DemoFolder, DemoSettings, Material

FOLDER = "Folder to write; an earlier demo in it is replaced."
CORPUS = "A text of your own, a sentence a line, in place of the generated language; - is stdin."


def _text(name: str) -> Path:
    """The path that was meant; an empty one would be this folder."""
    if not name:
        raise typer.BadParameter("the name is empty: name a file with a sentence a line")
    return Path(name)


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help=FOLDER)] = Path("cmow-demo"),
    corpus: Annotated[
        Path | None, typer.Option(help=CORPUS, show_default=False, parser=_text, metavar="<path>")
    ] = None,
) -> None:
    """Train CBOW, CMOW and their hybrid, and show what each can and cannot tell: `cmow demo`.

    It takes less than three minutes on two cores.
    """
    from rich.console import Console

    from cmow.cli.demo_output import show_examples
    from cmow.paper.demo import DemoFolder

    place, settings = DemoFolder(folder), _settings()
    console = Console(highlight=False, markup=False)
    material = _gather(console, corpus, place, settings)
    show_examples(console, material)
    models = _train(console, material, settings, place)
    report = _evaluate(console, models, material, place)
    _draw(console, models, report, material)
    _write(console, place, report, list(models))
    _suggest(console, place, material, list(models))


def _settings() -> "DemoSettings":
    """How large all of it is; tests make it small."""
    from cmow.paper.demo import DemoSettings

    return DemoSettings()


def _gather(
    console: "Console", corpus: Path | None, place: "DemoFolder", settings: "DemoSettings"
) -> "Material":
    from cmow.cli.demo_output import heading
    from cmow.cli.stages import shown_stages
    from cmow.paper.demo import from_grammar, from_text

    with shown_stages("items") as progress:
        if corpus is not None:
            material = from_text(corpus, place, settings, progress=progress)
            source = f"{len(material.training):,} sentences of {corpus}:"
        else:
            material = from_grammar(place, settings, progress=progress)
            source = (
                f"{len(material.training):,} sentences of a small generated language with gold "
                "trees, half of whose words are invented, so that nothing is downloaded:"
            )
    heading(console, "1. A corpus", source)
    return material


def _train(
    console: "Console", material: "Material", settings: "DemoSettings", place: "DemoFolder"
) -> "dict[str, Encoder]":
    from cmow.cli.demo_output import heading
    from cmow.cli.demo_training import shown_models
    from cmow.paper.demo import train_models

    heading(
        console,
        "2. Three models of equal size",
        "CBOW gives each word a vector, and adds. CMOW gives it a matrix, and multiplies. The "
        "hybrid does both at half the size each. All learn to predict a word that is left out of "
        "its sentence, with the same settings and as many updates.",
    )
    with shown_models(console) as progress:
        models = train_models(material, settings, progress=progress)
    for name, encoder in models.items():
        encoder.save(place.model(name))
    return models


def _evaluate(
    console: "Console", models: "Mapping[str, Encoder]", material: "Material", place: "DemoFolder"
) -> "Report":
    from cmow.cli.demo_output import heading, show_tables
    from cmow.cli.stages import shown_stages
    from cmow.paper.demo import evaluate_models

    with shown_stages("share") as progress:
        report = evaluate_models(models, material, data=place.path, progress=progress)
    heading(
        console,
        "3. The paper's Table 1, in small",
        "What does an embedding know of its sentence? A linear classifier is trained to answer "
        "from embeddings, each part of which is divided by its norm: how many vectors were added "
        "does not show in that. H-CBOW and H-CMOW are the two halves of the hybrid.",
    )
    show_tables(console, report, material)
    return report


def _draw(
    console: "Console", models: "Mapping[str, Encoder]", report: "Report", material: "Material"
) -> None:
    from cmow.cli.demo_output import heading, show_answers, show_distances

    heading(
        console,
        "4. What each model can and cannot tell",
        "How far the first sentence is from the others; 100 is the mean of two random sentences.",
    )
    show_distances(console, models, material)
    heading(
        console,
        "",
        "Right answers from embeddings, in percent; a bar begins where guessing ends.",
    )
    show_answers(console, report, material)


def _write(console: "Console", place: "DemoFolder", report: "Report", models: list[str]) -> None:
    from importlib.util import find_spec

    from cmow.cli.demo_output import examples, heading

    suffixes = [".md", ".json", *([".png"] if find_spec("matplotlib") else [])]
    for suffix in suffixes:
        report.save(place.scores(suffix))
    heading(console, "5. What was written", "")
    examples(console, [*map(place.model, models), place.probing, *map(place.scores, suffixes)])
    if ".png" not in suffixes:
        console.print("There is a plot as well after: pip install 'cmow[plot]'")


def _suggest(
    console: "Console", place: "DemoFolder", material: "Material", models: list[str]
) -> None:
    from cmow.cli.demo_output import examples, heading

    heading(console, "", "Now try:")
    cmow, folders = _program(), [str(place.model(name)) for name in models]
    sentence, (other, _) = material.drawing.sentence, material.drawing.others[0]
    longest = max(sentence.lower().split(" "), key=len)
    commands = [
        [cmow, "similarity", folders[-1], sentence, other, "--part", "cmow"],
        [cmow, "neighbours", folders[-1], longest],
        [cmow, "evaluate", *folders, "--data", str(place.path), "--normalize", "parts"],
        [cmow, "train", "corpus.txt", "model/"],
    ]
    examples(console, map(shlex.join, commands))


def _program() -> str:
    """What to type to start this program, which may not be on the path."""
    started = sys.argv[0]
    return started if Path(started).name == "cmow" and not which("cmow") else "cmow"

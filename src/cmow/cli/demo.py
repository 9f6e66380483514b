"""`cmow demo`: the model that comes with the package, and the paper in small; no download."""

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
    from cmow.paper.demo import DemoFolder, DemoSettings, Material, OwnText

FOLDER = "Folder to write; an earlier demo in it is replaced."
PAGE_NAME = "english"
# Of results/recipe, by `cmow reproduce`.
LARGE_TEXT = (
    "Minutes of training teach which words go together; their order takes more text. From 94 "
    "million words and an hour, `cmow train` tells swapped neighbors right in 71 of 100 cases; "
    "guessing is 50."
)
CORPUS = "Your own text, one sentence per line, instead of the generated language; - is stdin."


def _text(name: str) -> Path:
    """The path that was meant; an empty one would be this folder."""
    if not name:
        raise typer.BadParameter("the name is empty: name a file with a sentence a line")
    return Path(name)


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help=FOLDER)] = Path("cmow-demo"),
    corpus: Annotated[
        Path | None, typer.Option(help=CORPUS, show_default=False, parser=_text, metavar="FILE")
    ] = None,
) -> None:
    """Show what the model can do, and train the paper's three in small.

    `cmow demo`

    `cmow demo --corpus sentences.txt`

    It begins with the model that comes with the package, and takes less than three minutes on two
    cores, longer on a text of long sentences.
    """
    from rich.console import Console

    from cmow.encoder import load
    from cmow.paper.demo import ENGLISH, DemoFolder, read_text

    place, settings = DemoFolder(folder), _settings()
    console = Console(highlight=False, markup=False)
    text = None if corpus is None else read_text(corpus, settings)
    place.begin("the generated language" if corpus is None else str(corpus))
    english = load(ENGLISH)
    _open(console, english, text, place, settings)
    material = _gather(console, text, place, settings)
    models = _train(console, material, settings, place)
    report = _evaluate(console, models, material, place, None if text is None else english)
    _draw(console, models, report, material)
    _write(console, place, report, material, english)
    _suggest(console, place, material, list(models), text)


def _settings() -> "DemoSettings":
    """How large all of it is; tests make it small."""
    from cmow.paper.demo import DemoSettings

    return DemoSettings()


def _open(
    console: "Console",
    english: "Encoder",
    text: "OwnText | None",
    place: "DemoFolder",
    settings: "DemoSettings",
) -> None:
    """Index and show what there is to be searched; the text's own lines, if there is a text."""
    from cmow.cli.demo_opening import show_english, show_look
    from cmow.paper.demo import ENGLISH, NOTICES, look_at
    from cmow.search import Index

    if text is None:
        Index.build(ENGLISH, NOTICES, place.index)
        show_english(console, english)
    else:
        look = look_at(english, text.lines[: settings.looked_at], place.index)
        show_look(console, look, str(text.source))


def _gather(
    console: "Console", text: "OwnText | None", place: "DemoFolder", settings: "DemoSettings"
) -> "Material":
    from cmow.cli.demo_output import heading, sentences
    from cmow.cli.stages import shown_stages
    from cmow.paper.demo import ENGLISH, from_grammar, from_text

    if text is None:
        source = (
            f"{settings.sentences:,} sentences of a small generated language with gold trees, half "
            "of whose words are invented:"
        )
    else:
        words = sum(len(sentence.split(" ")) for sentence in text.training)
        source = (
            f"{len(text.training):,} sentences of {text.source}, {words:,} words. {LARGE_TEXT} So "
            f"{ENGLISH}, the model that comes with the package, answers the same questions."
        )
    heading(console, "2. The paper in small: a text to learn from", source)
    with shown_stages("items") as progress:
        if text is None:
            material = from_grammar(place, settings, progress=progress)
        else:
            material = from_text(text, place, settings, progress=progress)
    sentences(console, material.training[:3])
    return material


def _train(
    console: "Console", material: "Material", settings: "DemoSettings", place: "DemoFolder"
) -> "dict[str, Encoder]":
    from cmow.cli.demo_output import heading
    from cmow.cli.demo_training import shown_models
    from cmow.paper.demo import train_models

    heading(
        console,
        "3. Three models of equal size",
        "CBOW gives each word a vector, and adds. CMOW gives it a matrix, and multiplies. The "
        "hybrid does both at half the size each. All learn to predict a word that is left out of "
        "its sentence, with the same settings for the same number of updates. This is the longest "
        "part: a minute or two on two cores that have nothing else to do.",
    )
    with shown_models(console) as progress:
        models = train_models(material, settings, progress=progress)
    for name, encoder in models.items():
        encoder.save(place.model(name))
    return models


def _evaluate(
    console: "Console",
    models: "Mapping[str, Encoder]",
    material: "Material",
    place: "DemoFolder",
    beside: "Encoder | None",
) -> "Report":
    from cmow.cli.demo_output import heading, show_tables
    from cmow.cli.stages import shown_stages
    from cmow.paper.demo import ENGLISH, evaluate_models

    with shown_stages("share") as progress:
        report = evaluate_models(
            models, material, data=place.path, progress=progress, beside=beside
        )
    rows = (
        f"{ENGLISH} is the model that comes with the package."
        if beside
        else "H-CBOW and H-CMOW are the two halves of the hybrid."
    )
    heading(
        console,
        "4. The paper's Table 1, in small",
        "What does an embedding know of its sentence? A linear classifier is trained to answer "
        "from embeddings, each part of which is divided by its norm: how many vectors were added "
        f"does not show in that. {rows}",
    )
    show_tables(console, report, material)
    return report


def _draw(
    console: "Console", models: "Mapping[str, Encoder]", report: "Report", material: "Material"
) -> None:
    from cmow.cli.demo_output import heading, show_answers, show_distances

    heading(
        console,
        "5. What each model can and cannot tell",
        "How far the first sentence is from the others; 100 is the mean of two random sentences.",
    )
    show_distances(console, models, material)
    heading(
        console,
        "",
        "Right answers from embeddings, in percent; a bar begins where guessing ends.",
    )
    show_answers(console, report, material)


def _write(
    console: "Console",
    place: "DemoFolder",
    report: "Report",
    material: "Material",
    english: "Encoder",
) -> None:
    from importlib.util import find_spec

    from cmow.cli.demo_output import heading
    from cmow.paper.demo import findings, save_picture
    from cmow.serving import export_web

    for suffix in (".md", ".json"):
        report.save(place.scores(suffix))
    export_web(english, place.page, name=PAGE_NAME)
    picture = place.scores(".png")
    if find_spec("matplotlib"):
        found = findings(report, material.sets)
        save_picture(report, found, material.reorderings, picture)
        drawn = f"The scores as a picture: {picture}"
    else:
        drawn = "There is a picture of the scores as well after: pip install 'cmow[plot]'"
    heading(console, "6. Your turn", drawn)


def _suggest(
    console: "Console",
    place: "DemoFolder",
    material: "Material",
    models: list[str],
    text: "OwnText | None",
) -> None:
    from cmow.cli.demo_output import commands, heading

    cmow, folders = _program(), [place.model(name) for name in models]
    sentence, (other, _) = material.drawing.sentence, material.drawing.others[0]
    longest = max(sentence.lower().split(" "), key=len)
    found = "a pet in the pub" if text is None else sentence
    own = "my.txt" if text is None else str(text.source)
    heading(console, "", "Search what was searched above, then a text of yours, one text a line:")
    commands(
        console,
        [
            [cmow, "search", place.index, found, "-k", 3],
            [cmow, "index", own, "--output", "my-index"],
            [cmow, "search", "my-index", "what you look for"],
        ],
    )
    heading(console, "", "Drag words about and watch the numbers, at http://localhost:8000:")
    commands(console, [["python3", "-m", "http.server", "--directory", place.page]])
    heading(console, "", "Ask the models that were trained here:")
    commands(
        console,
        [
            [cmow, "similarity", folders[-1], sentence, other, "--part", "cmow"],
            [cmow, "neighbors", folders[-1], longest],
            [cmow, "evaluate", *folders, "--data", place.path, "--normalize", "parts"],
        ],
    )
    heading(console, "", "And train one that is worth its hour:")
    commands(console, [[cmow, "train", own, "model/"]])


def _program() -> str:
    """What to type to start this program, which may not be on the path."""
    started = sys.argv[0]
    return started if Path(started).name == "cmow" and not which("cmow") else "cmow"

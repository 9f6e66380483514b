"""`cmow classify`: labels in, a classifier out."""

import json
import signal
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmow.choices import SHIPPED
from cmow.classification import ClassifySettings
from cmow.cli.app import App, app
from cmow.cli.flags import flags_of, layer_of, with_flags
from cmow.durable import write_json, write_whole
from cmow.errors import ConfigError
from cmow.parsing import read_json
from cmow.training import RECIPES, TrainConfig, read_settings

if TYPE_CHECKING:
    from cmow.classification import Classifier, Examples, Report, Trial

DATA = "Examples: CSV, TSV, JSON lines, Parquet, or fastText's lines; last, the model's folder."
NOTHING = "nothing"
EXAMPLES = "Examples whose labels are known, in any of the formats of train."
START = f"What to start from: {SHIPPED}, a model's folder, a file of vectors, or {NOTHING}."
DEVELOPMENT = "Examples to stop training by; else a share of DATA (--validation-share, --folds)."
TUNE = "Try settings for this long, such as 90s, 5m or 1h, and train with the best of them."
CONFUSION = "Draw which classes are mistaken for which: .png, .svg or .pdf."
FILES = "One text per line; pairs have a tab in between. Without files, or with -, stdin is read."
TABLE = "The column of the texts, where FILES are tables."
TOP = "Show this many of the likeliest classes, with their probabilities."
HTML = "Write a page with colored words here."
LABEL = "The label to explain; the predicted one unless given."
UNITS = {"s": 1, "m": 60, "h": 3600}
BLOCK = 4096
TUNED = "tuned.json"  # the settings that were found, for --resume
TRAINING = {
    *("shape", "sigma", "batch_sentences", "adam", "learning_rate", "product_rate", "schedule"),
    *("seed", "epochs", "max_updates", "max_minutes", "patience", "validation_share"),
    *("engine", "threads", "device", "report_updates", "keep_run"),
    *("tokenizer", "lowercase", "vocabulary_size", "minimum_count", "word_list"),
}

classify = App(
    help="Learn to label texts, and label them.\n\n`cmow classify train examples.tsv model/`",
    no_args_is_help=True,
)
app.add_typer(classify, name="classify")

Model = Annotated[Path, typer.Argument(help="Folder of a classifier.", show_default=False)]
TextColumn = Annotated[str, typer.Option("--text", metavar="NAME", help="The column of the texts.")]
LabelColumn = Annotated[
    str, typer.Option("--label", metavar="NAME", help="The column of the labels.")
]
SecondColumn = Annotated[
    str | None,
    typer.Option(
        "--second",
        metavar="NAME",
        help="The column of the second texts, for pairs.",
        show_default=False,
    ),
]


@classify.command()
@with_flags(
    [
        *flags_of(ClassifySettings, panel="Labels"),
        *flags_of(
            TrainConfig,
            only=TRAINING,
            names={"max_minutes": ["--minutes", "--max-minutes"]},
            layered=True,
            shown=RECIPES["classify"],
        ),
    ]
)
def train(
    paths: Annotated[
        list[Path], typer.Argument(metavar="DATA... MODEL", help=DATA, show_default=False)
    ],
    *,
    text: TextColumn = "text",
    label: LabelColumn = "label",
    second: SecondColumn = None,
    start: Annotated[Path, typer.Option(metavar="MODEL", help=START)] = Path(SHIPPED),
    development: Annotated[
        Path | None, typer.Option(metavar="FILE", help=DEVELOPMENT, show_default=False)
    ] = None,
    tune: Annotated[
        str | None,
        typer.Option(metavar="TIME", help=TUNE, show_default=False, rich_help_panel="Run"),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="TOML file of training settings; flags override it.",
            rich_help_panel="Run",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Resume an interrupted run; the result is the same, bit for bit.",
            rich_help_panel="Run",
        ),
    ] = False,
    **flags: Any,
) -> None:
    """Learn from labels.

    `cmow classify train examples.tsv model/`

    The first line of a table names its columns. Lines such as `__label__spam buy now` need no
    columns; if any has several labels, any number of them is learned for a text.
    """
    from cmow.classification import Classifier, Columns, is_finished, read_examples
    from cmow.cli.train import tell
    from cmow.cli.training import shown_training
    from cmow.training import run_place

    if len(paths) < 2:
        raise typer.BadParameter("give examples, and last the model's folder", param_hint="paths")
    *inputs, model = paths
    seconds = None if tune is None else _seconds(tune)
    if seconds is not None and resume and is_finished(model):
        sys.stdout.write(f"{model}: tuned and trained before\n")
        return
    columns = Columns(text, label, second)
    examples = read_examples(inputs, columns)
    held_out = None if development is None else read_examples([development], columns)
    begin = None if start == Path(NOTHING) and not start.exists() else start
    classifier = Classifier(start=begin, **_settings(config, flags))
    if seconds is not None:
        kept = run_place(model) / TUNED
        if resume and kept.exists():
            classifier.set_params(**read_json(kept))
        else:
            _tune(classifier, examples, held_out, seconds)
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_json(kept, classifier.settings)
    with shown_training(lambda: None) as show:
        outcome = classifier.run(examples, held_out, folder=model, resume=resume, callbacks=[show])
    tell(outcome, model)
    if classifier.development_ is not None:
        sys.stdout.write(f"on what was held out: {_headline(classifier.development_)}\n")
    if outcome.ending.signal is not None:
        signal.raise_signal(outcome.ending.signal)


@classify.command()
def predict(
    model: Model,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILES", help=FILES, show_default=False)
    ] = None,
    *,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="NAME", help=TABLE, show_default=False),
    ] = None,
    second: SecondColumn = None,
    top: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=1, help=TOP, show_default=False)
    ] = None,
) -> None:
    """Label texts.

    `cmow classify predict model/ texts.txt`

    Prints a line for each text; several labels are separated by blanks.
    """
    from cmow.classification import Classifier, read_texts

    classifier = Classifier.load(model)
    texts = read_texts(
        files or [Path("-")], pairs=classifier.labels_.pairs, text=text, second=second
    )
    while some := list(islice(texts, BLOCK)):
        for line in _lines(classifier, some, top):
            sys.stdout.write(f"{line}\n")


@classify.command("test")
def judge(
    model: Model,
    data: Annotated[list[Path], typer.Argument(metavar="DATA", help=EXAMPLES)],
    *,
    text: TextColumn = "text",
    label: LabelColumn = "label",
    second: SecondColumn = None,
    confusion: Annotated[
        Path | None, typer.Option(metavar="FILE", help=CONFUSION, show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
) -> None:
    """Say how good a classifier is.

    `cmow classify test model/ test.tsv`
    """
    from cmow.classification import Classifier, Columns, plot_confusion, read_examples

    classifier = Classifier.load(model)
    report = classifier.test(read_examples(data, Columns(text, label, second)))
    if confusion is not None:
        plot_confusion(report, confusion)
    if as_json:
        sys.stdout.write(json.dumps(report.as_dict()) + "\n")
        return
    sys.stdout.write(f"{_headline(report)}\n")
    width = max((len(str(each.label)) for each in report.classes), default=0)
    for each in report.classes:
        sys.stdout.write(
            f"{each.label!s:<{width}}  precision {each.precision:.3f}  recall {each.recall:.3f}  "
            f"F1 {each.f1:.3f}  {each.texts:,} texts\n"
        )


@classify.command()
def explain(
    model: Model,
    texts: Annotated[list[str], typer.Argument(metavar="TEXT", help="Quote each.")],
    *,
    label: Annotated[
        str | None, typer.Option(metavar="LABEL", help=LABEL, show_default=False)
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help=HTML, show_default=False)
    ] = None,
) -> None:
    """Say why a text gets its label.

    `cmow classify explain model/ "not bad at all"`

    For each word, what the label's score would lose without it; below it, if it matters, what it
    would lose beyond that without the word and the next.
    """
    from cmow.classification import Classifier, explanation_page

    classifier = Classifier.load(model)
    known = {str(each): each for each in classifier.labels_.classes}
    wanted = None if label is None else known.get(label, label)
    found = [classifier.explain(each, wanted) for each in texts]
    if html is not None:
        write_whole(html, explanation_page(found))
    for explanation in found:
        for line in explanation.lines():
            sys.stdout.write(f"{line}\n")


def _settings(config: Path | None, flags: Mapping[str, Any]) -> dict[str, Any]:
    """Those that were given, all in one."""
    layer = TrainConfig.merged(
        read_settings(config) if config is not None else {}, layer_of(TrainConfig, flags)
    )
    own, default = {name: flags[name] for name in vars(ClassifySettings())}, ClassifySettings()
    given = {name: value for name, value in own.items() if value != getattr(default, name)}
    return {**given, **layer.pop("prepare", {}), **layer}


def _seconds(duration: str) -> float:
    """Of a text such as 5m."""
    number, unit = duration[:-1], duration[-1:]
    try:
        seconds = float(number) * UNITS[unit]
    except (ValueError, KeyError):
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ConfigError(f"--tune {duration}: write a time such as 90s, 5m or 1h")
    return seconds


def _tune(
    classifier: "Classifier",
    examples: "Examples",
    held_out: "Examples | None",
    seconds: float,
) -> None:
    from cmow.classification import tune

    def tell(trial: "Trial") -> None:
        shown = ", ".join(
            f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
            for name, value in trial.settings.items()
        )
        sys.stderr.write(f"{trial.score:.4f} in {trial.seconds:.1f} s: {shown or 'as it is'}\n")

    best = tune(classifier, examples, held_out, seconds=seconds, tell=tell)
    sys.stderr.write(f"the best: {best.score:.4f}\n")


def _lines(classifier: "Classifier", texts: list[Any], top: int | None) -> Iterator[str]:
    if top is None:
        for said in classifier.predict(texts):
            yield " ".join(map(str, said)) if isinstance(said, tuple) else str(said)
        return
    for row in classifier.predict_proba(texts):
        best = (-row).argsort(kind="stable")[:top]
        yield "\t".join(f"{classifier.classes_[c]}\t{row[c]:.4f}" for c in best)


def _headline(report: "Report") -> str:
    if report.macro_f1 is None:
        return f"variance explained {report.score:.4f}, squared error {report.loss:.4f}"
    return (
        f"accuracy {report.score:.4f}, macro F1 {report.macro_f1:.4f}, "
        f"calibration error {report.calibration_error:.4f}"
    )

"""`cmow train`: text becomes an encoder."""

import inspect
import shlex
import signal
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmow.cli.app import app
from cmow.cli.flags import flags_of_command, flags_of_settings
from cmow.cli.prepare import prepare
from cmow.training import PREPARE, RECIPES, settings

if TYPE_CHECKING:
    from cmow.training import Outcome, TrainConfig

PATHS = "Text (files, folders, globs; - is stdin) or a prepared corpus; last, the model's folder."
RECIPE = "The settings to start from; paper has those of the paper to the letter."
PANELS = {
    "shape": "The encoder",
    "batch_sentences": "What is predicted",
    "adam": "Optimisation",
    "epochs": "The end",
    "engine": "The engine",
    "report_updates": "What is written",
}
OF_PREPARE = (
    "tokenizer",
    "lowercase",
    "vocabulary_size",
    "minimum_count",
    "word_list",
    "split",
    "language",
    "invalid",
)


def train(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="CORPUS... MODEL", help=PATHS, show_default=False),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(metavar="|".join(RECIPES), help=RECIPE, show_default=False),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TOML file of settings; flags prevail over it."),
    ] = None,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print all settings as TOML and stop.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an interrupted run, to the same bits.")
    ] = False,
    **flags: Any,
) -> None:
    """Turn text into an encoder: `cmow train corpus.txt model/`.

    Stop with Ctrl-C and go on with the same command and `--resume`. What that needs is kept in
    `MODEL.run/`, which may be removed when the model is done.
    """
    from cmow.training import write_toml

    made = _configuration(recipe, config, flags)
    if print_config:
        sys.stdout.write(write_toml(made))
        return
    if paths is None or len(paths) < 2:
        raise typer.BadParameter("give text, and last the folder of the model", param_hint="paths")
    *inputs, model = map(Path, paths)
    _train(inputs, model, made, resume=resume)


def _configuration(
    recipe: str | None, config: Path | None, flags: Mapping[str, Any]
) -> "TrainConfig":
    """The settings: of the recipe, changed by the file, changed by the flags."""
    from cmow.training import TrainConfig, merged, read_settings

    given = {name: value for name, value in flags.items() if value is not None}
    layer = {name: given.pop(name) for name in OF_PREPARE if name in given}
    return TrainConfig.of(
        merged(
            read_settings(config) if config is not None else {},
            {"recipe": recipe} if recipe is not None else {},
            {**given, PREPARE: layer},
        )
    )


def _train(inputs: list[Path], model: Path, config: "TrainConfig", *, resume: bool) -> None:
    from cmow.cli.preparation import shown_progress
    from cmow.cli.training import shown_training
    from cmow.training import run_training

    with ExitStack() as preparation, shown_training(preparation.close) as show:
        outcome = run_training(
            inputs[0] if len(inputs) == 1 else inputs,
            config,
            folder=model,
            resume=resume,
            callbacks=[show],
            preparing=preparation.enter_context(shown_progress()),
        )
    if outcome.rank == 0:
        _tell(outcome, model)
    if outcome.ending.signal is not None:
        signal.raise_signal(outcome.ending.signal)


def _tell(outcome: "Outcome", model: Path) -> None:
    from cmow.training import run_place

    state, ending = outcome.state, outcome.ending
    best = f", loss {state.best_loss:.4f} at {state.best_update:,}" if state.best_update else ""
    sys.stdout.write(f"{model}: {ending.reason}; {state.update:,} updates{best}\n")
    if ending.finished:
        sys.stdout.write(f"what --resume needs is in {run_place(model)}\n")
    elif ending.signal is None:
        sys.stdout.write("go on with --resume and a higher --max-minutes\n")
    else:
        arguments = [argument for argument in sys.argv[1:] if argument != "--resume"]
        sys.stdout.write(f"go on with: cmow {shlex.join([*arguments, '--resume'])}\n")


def _with_flags() -> inspect.Signature:
    own = inspect.signature(train)
    keep = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
    made = flags_of_settings(settings(), panels=PANELS, names={"shape": ["--preset", "--shape"]})
    made += flags_of_command(prepare, OF_PREPARE, panel="Text, as in 'cmow prepare'")
    return own.replace(parameters=[*keep, *made])


train.__signature__ = _with_flags()  # type: ignore[attr-defined]
app.command()(train)

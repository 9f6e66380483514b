"""`cmow train`: text becomes an encoder."""

import shlex
import signal
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmow.cli.app import app
from cmow.cli.flags import flags_of, layer_of, with_flags
from cmow.cli.models import megabytes, size_on_disk
from cmow.settings import write_toml
from cmow.training import RECIPES, TrainConfig, read_settings

if TYPE_CHECKING:
    from cmow.training import Objective, Outcome

PATHS = "Text (files, folders, globs; - is stdin) or a prepared corpus; last, the folder to write."
FLAGS = {"shape": ["--preset", "--shape"], "max_minutes": ["--minutes", "--max-minutes"]}
TEACHER = "Learn from these embeddings too: the folder that `cmow distill` leaves beside a model."
WEIGHT = "Weight of the teacher's loss beside that of the text."
RUN, LEARNED_FROM = "Run", "Teacher"
RESUME = "Resume an interrupted run; the result is the same, bit for bit."
RECIPE = "The settings to start from; paper has exactly those of the paper."


@app.command()
@with_flags(flags_of(TrainConfig, names=FLAGS, layered=True))
def train(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="CORPUS... MODEL", help=PATHS, show_default=False),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(RECIPES), help=RECIPE, show_default=False, rich_help_panel=RUN
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="TOML file of settings; flags override it.",
            rich_help_panel=RUN,
        ),
    ] = None,
    print_config: Annotated[
        bool,
        typer.Option(
            "--print-config", help="Print all settings as TOML and stop.", rich_help_panel=RUN
        ),
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help=RESUME, rich_help_panel=RUN)] = False,
    teacher: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help=TEACHER, show_default=False, rich_help_panel=LEARNED_FROM
        ),
    ] = None,
    teacher_weight: Annotated[
        float, typer.Option(metavar="NUMBER", min=0, help=WEIGHT, rich_help_panel=LEARNED_FROM)
    ] = 1.0,
    **flags: Any,
) -> None:
    """Turn text into an encoder.

    `cmow train corpus.txt model/ --minutes 20`

    `cmow train corpus.txt model/ --minutes 20 --resume`

    Stop with Ctrl-C, and continue with the same command and `--resume`. What that needs is in
    `MODEL.run/`, which is removed when the run has finished, unless you give `--keep-run`.
    """
    made = _configuration(recipe, config, flags)
    if print_config:
        sys.stdout.write(write_toml(made))
        return
    if paths is None or len(paths) < 2:
        raise typer.BadParameter("give text, and last the folder of the model", param_hint="paths")
    *inputs, model = map(Path, paths)
    objective = None
    if teacher is not None:
        from cmow.distillation import joint_objective

        objective = joint_objective(teacher, made, weight=teacher_weight)
    _train(inputs, model, made, objective, resume=resume)


def _configuration(
    recipe: str | None, config: Path | None, flags: Mapping[str, Any]
) -> TrainConfig:
    """The settings: of the recipe, changed by the file, changed by the flags."""
    return TrainConfig.of(
        TrainConfig.merged(
            read_settings(config) if config is not None else {},
            {"recipe": recipe} if recipe is not None else {},
            layer_of(TrainConfig, flags),
        )
    )


def _train(
    inputs: list[Path],
    model: Path,
    config: TrainConfig,
    objective: "Objective | None",
    *,
    resume: bool,
) -> None:
    from cmow.cli.preparation import shown_progress
    from cmow.cli.training import shown_training
    from cmow.training import run_training

    with ExitStack() as preparation, shown_training(preparation.close) as show:
        outcome = run_training(
            inputs[0] if len(inputs) == 1 else inputs,
            config,
            objective=objective,
            folder=model,
            resume=resume,
            callbacks=[show],
            preparing=preparation.enter_context(shown_progress()),
        )
    if outcome.rank == 0:
        tell(outcome, model)
    if outcome.ending.signal is not None:
        signal.raise_signal(outcome.ending.signal)


def tell(outcome: "Outcome", model: Path) -> None:
    """What has come of a run, and how to go on."""
    from cmow.training import run_place

    state, ending = outcome.state, outcome.ending
    best = f", loss {state.best_loss:.4f} at {state.best_update:,}" if state.best_update else ""
    updates = f"; {state.update:,} updates{best}" if state.update else ""
    sys.stdout.write(f"{model}: {ending.reason}{updates}\n")
    run = run_place(model)
    if run.exists():
        size = megabytes(size_on_disk(run))
        sys.stdout.write(f"what --resume needs is in {run} ({size})\n")
    if ending.signal is not None:
        arguments = [argument for argument in sys.argv[1:] if argument != "--resume"]
        sys.stdout.write(f"continue with: cmow {shlex.join([*arguments, '--resume'])}\n")
    elif not ending.finished:
        sys.stdout.write("continue with --resume and a higher --max-minutes\n")

"""`cmow distill`: a transformer becomes an order-aware static encoder."""

import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from cmow.cli.app import app
from cmow.cli.flags import flags_of, layer_of, with_flags
from cmow.distillation import DistillSettings, shape_for
from cmow.training import PREPARE, RECIPES, TrainConfig, read_settings

PATHS = (
    "A sentence-transformers model (folder or name); text, one sentence per line (files, folders, "
    "globs); last, the model's folder."
)
EMBEDDINGS = (
    "Ready-made embeddings instead of a TEACHER: a .npy file or a folder of them, in the order of "
    "their names, with a row for each line that is not blank."
)
CACHE = "Where to keep the teacher's embeddings, for later runs too; MODEL.teacher/ unless given."
WORDS = "the teacher's; for embeddings, words"
SHAPE = shape_for("N").replace("+", " + ") + ", N being the teacher's width"
TRAINING = {
    *("shape", "sigma", "batch_sentences", "adam", "learning_rate", "product_rate", "schedule"),
    *("seed", "epochs", "max_updates", "max_minutes", "patience", "validation_updates"),
    *("validation_share", "engine", "threads", "device", "report_updates", "keep_run"),
    *("tokenizer", "lowercase", "vocabulary_size", "minimum_count", "word_list"),
}


@app.command()
@with_flags(
    [
        *flags_of(DistillSettings, panel="Teacher"),
        *flags_of(
            TrainConfig,
            only=TRAINING,
            names={"max_minutes": ["--minutes", "--max-minutes"]},
            layered=True,
            shown={**RECIPES["distill"], "shape": SHAPE, PREPARE: {"tokenizer": WORDS}},
        ),
    ]
)
def distill(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="TEACHER CORPUS... MODEL", help=PATHS, show_default=False),
    ],
    *,
    embeddings: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help=EMBEDDINGS, show_default=False, rich_help_panel="Teacher"
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="TOML file of training settings; flags override it.",
            rich_help_panel="Run",
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help=CACHE, show_default=False, rich_help_panel="Teacher"),
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
    """Turn a transformer into a static encoder.

    `cmow distill sentence-transformers/all-MiniLM-L6-v2 corpus.txt model/`

    `cmow distill --embeddings vectors.npy corpus.txt model/`

    The teacher embeds the text once. If it is interrupted, the same command continues where it
    stopped. Needs `pip install 'cmow[distill]'`, except with --embeddings.
    """
    from cmow.cli.stages import shown_stages
    from cmow.cli.train import tell
    from cmow.cli.training import shown_training
    from cmow.distillation import run_distillation

    teacher: str | Path | None = embeddings
    if teacher is None:
        teacher, *paths = paths
    if len(paths) < 2:
        raise typer.BadParameter(
            "give a teacher or --embeddings, text, and last the folder of the model",
            param_hint="paths",
        )
    *inputs, model = map(Path, paths)
    names = set(DistillSettings.__dataclass_fields__)
    settings = DistillSettings(**{name: flags[name] for name in names})
    layer = TrainConfig.merged(
        read_settings(config) if config is not None else {}, layer_of(TrainConfig, flags)
    )
    with ExitStack() as stack, shown_training(stack.close) as show:
        outcome = run_distillation(
            teacher,
            inputs[0] if len(inputs) == 1 else inputs,
            layer,
            settings=settings,
            folder=model,
            cache=cache,
            resume=resume,
            callbacks=[show],
            progress=stack.enter_context(shown_stages("items", STAGES)),
        )
    tell(outcome, model)
    if outcome.ending.signal is not None:
        signal.raise_signal(outcome.ending.signal)


STAGES = {
    "teacher": "asking the teacher",
    "copy": "copying the texts",
    "check": "checking for changes",
    "count": "counting words",
    "write": "writing ids",
}

"""Training the three models, and scoring them and the parts of the hybrid."""

from collections.abc import Callable, Mapping
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

from cmow.choices import Normalization
from cmow.corpus import prepare
from cmow.encoder import Encoder
from cmow.evaluation import Normalized, Report, evaluate
from cmow.paper.demo.material import Material
from cmow.paper.demo.settings import CBOW, CMOW, ENGLISH, HYBRID, DemoSettings
from cmow.progress import ProgressCallback
from cmow.training import Progress as Trained
from cmow.training import TrainConfig, train

PARTS = {"H-CBOW": "cbow", "H-CMOW": "cmow"}
NORMALIZATION: Normalization = "parts"
LINES = 5  # on the training of each model
BATCH_SENTENCES = 1024


def train_models(
    material: Material, settings: DemoSettings, *, progress: Callable[[str, Trained], None]
) -> dict[str, Encoder]:
    """Train on the same sentences, with as many updates and the same settings.

    :param progress: called with the name of the model after every update
    """
    shapes = {CBOW: settings.cbow, CMOW: settings.cmow, HYBRID: settings.hybrid}
    epochs_end = ceil(settings.epochs * len(material.training) / BATCH_SENTENCES)
    models = {}
    with TemporaryDirectory(prefix="cmow-demo-") as folder:
        corpus = prepare(material.training, Path(folder) / "corpus", material.preparation)
        for name, shape in shapes.items():
            config = TrainConfig(
                shape=shape,
                sigma=0.05,
                batch_sentences=BATCH_SENTENCES,
                adam="dense",
                learning_rate=3e-3,
                product_rate=1.0,
                schedule="constant",
                share_negatives="sentence",
                noise_exponent=0.75,
                max_updates=settings.updates,
                epochs=settings.epochs,
                validation_updates=settings.updates,
                report_updates=ceil(min(settings.updates, epochs_end) / LINES),
            )
            tell = _named(name, progress)
            models[name] = train(corpus, config, callbacks=[tell])
    return models


def evaluate_models(
    models: Mapping[str, Encoder],
    material: Material,
    *,
    data: Path,
    progress: ProgressCallback,
    beside: Encoder | None = None,
) -> Report:
    """Score the models and the parts of the hybrid, the rows in the order of the paper.

    :param beside: the model that comes with the package, in place of the parts
    """
    hybrid = models[HYBRID]
    parts = {} if beside else {name: hybrid.part(part) for name, part in PARTS.items()}
    rows = {
        name: Normalized(encoder, NORMALIZATION) for name, encoder in {**parts, **models}.items()
    }
    if beside:
        rows[ENGLISH] = Normalized(beside, "all")
    return evaluate(
        rows,
        data=data,
        tasks=[*(made.task for made in material.sets), *material.reorderings],
        compare=HYBRID,
        progress=progress,
    )


def _named(name: str, progress: Callable[[str, Trained], None]) -> Callable[[Trained], None]:
    return lambda trained: progress(name, trained)

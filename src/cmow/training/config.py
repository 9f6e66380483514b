"""All settings of a training run.

The encoder is imported where it is needed, so that the command line's help is quick.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cmow.choices import INITIALIZATION, PRESETS, SHAPE, SIGMA, Initialization
from cmow.corpus import PrepareSettings
from cmow.errors import ConfigError
from cmow.settings import (
    Settings,
    choice,
    noting,
    number,
    optional,
    positive,
    read_toml,
    refuse,
    setting,
    switch,
    table,
    text,
    understood,
    whole,
)
from cmow.spelling import americanized

PREPARE = "prepare"
UPDATES_OF_DECAY = 120_000  # where nothing else ends a run whose rate decays

Target = Literal["random", "center"]
NegativesOf = Literal["window", "sentence"]
NegativesLoss = Literal["sum", "mean"]
Adam = Literal["dense", "lazy"]
Schedule = Literal["constant", "linear", "cosine"]
StoppingLoss = Literal["validation", "training"]
EngineName = Literal["native", "torch"]
Precision = Literal["float32", "bfloat16"]


def _read_shape(shape: str) -> None:
    from cmow.encoder import Shape

    Shape.parse(shape)


@dataclass(frozen=True)
class TrainConfig(Settings):
    """How an encoder is trained; the defaults are the recipe ``default``."""

    shape: str = setting(
        SHAPE,
        understood("NAME", _read_shape),
        f"one of {PRESETS}, or your own, such as sum(9)+product(3)",
        heading="Encoder",
    )
    initialization: Initialization = setting(
        INITIALIZATION, choice(Initialization), "how the matrices start"
    )
    sigma: float = setting(SIGMA, number(0), "standard deviation of the random start")
    continue_from: str | None = setting(
        None, optional(text("MODEL")), "model to continue from, instead of a random start"
    )
    extend_vocabulary: bool = setting(
        False, switch(), "add the words of the new text that MODEL does not know"
    )

    batch_sentences: int = setting(
        256, whole(1, 10_000_000), "sentences in a batch", heading="Objective"
    )
    centers: int = setting(30, whole(1, 10_000), "center words per sentence, at most")
    window: int = setting(5, whole(1, 1000), "words on either side of a center")
    target: Target = setting("random", choice(Target), "the word of a window to predict")
    negatives: int = setting(20, whole(1, 100_000), "noise words to tell each target from")
    share_negatives: NegativesOf = setting(
        "sentence",
        choice(NegativesOf),
        "draw noise words for each window, or for each sentence (faster)",
    )
    negatives_loss: NegativesLoss = setting(
        "sum", choice(NegativesLoss), "add up the losses of noise words, or take their mean"
    )
    noise_exponent: float = setting(1.0, number(0), "draw noise words by their count to this power")
    subsample: float = setting(
        0.0, number(0), "thin out words more frequent than this, as word2vec does; 0 is off"
    )

    adam: Adam = setting(
        "lazy",
        choice(Adam),
        "update the moments of all words (dense), or of the batch's words only (lazy)",
        heading="Optimization",
    )
    learning_rate: float = setting(2.5e-3, positive(), "Adam's learning rate at its peak")
    product_rate: float = setting(
        2.0,
        positive(),
        "learning rate of the matrices in products, as a multiple of the learning rate",
    )
    schedule: Schedule = setting(
        "linear",
        choice(Schedule),
        f"how the rate falls until the end, at update {UPDATES_OF_DECAY:,} unless given",
    )
    warmup_updates: int = setting(0, whole(0), "updates over which the rate rises from 0")
    seed: int = setting(0, whole(0, 2**63 - 1), "the same seed gives the same result")

    epochs: float | None = setting(
        None,
        optional(positive()),
        "stop after this many passes through the corpus",
        heading="Length of the run",
        free=True,
    )
    max_updates: int | None = setting(
        None, optional(whole(1)), "stop after this many updates", free=True
    )
    max_minutes: float | None = setting(
        None,
        optional(positive()),
        "train for this many minutes; with epochs or max_updates, pause then, for --resume",
        free=True,
    )
    stop_by: StoppingLoss = setting(
        "validation", choice(StoppingLoss), "the loss that has to keep falling"
    )
    patience: int = setting(
        10, whole(1), "stop after this many validations without improvement", free=True
    )
    validation_updates: int = setting(4000, whole(1), "updates between two validations")
    validation_share: float = setting(
        0.001, number(0, 0.5), "share of the sentences held out for validation"
    )

    engine: EngineName = setting(
        "native", choice(EngineName), "compute in C++ (native) or PyTorch (torch)", heading="Engine"
    )
    threads: int | None = setting(
        None, optional(whole(1, 1024)), "number of threads; all cores unless given", free=True
    )
    average_updates: int | None = setting(
        None,
        optional(whole(1)),
        "updates between joining the tables of several processes (engine native)",
    )
    device: str = setting(
        "auto", text("DEVICE"), "where engine torch computes: cpu, cuda, cuda:1, mps …"
    )
    precision: Precision = setting(
        "float32", choice(Precision), "precision of matrix products in engine torch"
    )
    compile: bool = setting(False, switch(), "compile the objective (engine torch)")

    report_updates: int = setting(
        100, whole(1), "updates between two lines of the history", heading="Output"
    )
    checkpoint_updates: int = setting(4000, whole(1), "updates between two checkpoints", free=True)
    checkpoint_minutes: float = setting(
        10.0, positive(), "minutes between two checkpoints", free=True
    )
    keep_output: bool = setting(
        False, switch(), "keep the output table, to continue training from", free=True
    )
    keep_run: bool = setting(
        False, switch(), "keep MODEL.run/ after the run, so that it can be extended", free=True
    )

    prepare: PrepareSettings = table(PrepareSettings(), heading="Text, as in cmow prepare")

    def contradictions(self) -> Iterator[str]:
        """What is wrong with settings that are fine each on its own."""
        if self.stop_by == "validation" and self.validation_share == 0:
            yield "validation_share is 0: there is nothing to stop by, set stop_by to training"
        if self.compile and self.adam == "lazy":
            yield "compile cannot do sparse gradients: set adam to dense"
        for_torch = (self.device not in ("auto", "cpu"), self.precision != "float32", self.compile)
        if self.engine == "native" and any(for_torch):
            yield "device, precision and compile are for PyTorch: set engine to torch"
        if self.engine == "torch" and self.average_updates is not None:
            yield "average_updates is for engine native: PyTorch's processes share every gradient"
        if self.extend_vocabulary and self.continue_from is None:
            yield "extend_vocabulary goes with continue_from: name the model"

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "TrainConfig":
        """From plain values, as a TOML or JSON file has them; among them may be a recipe."""
        problems: list[str] = []
        start: Mapping[str, Any] = {}
        rest = dict(values)
        with noting(problems):
            start = recipe(rest.pop("recipe", "default"))
        with noting(problems):
            config = super().of(cls.merged(start, rest))
        refuse(problems)
        return config

    @classmethod
    def check(cls, values: Mapping[str, Any]) -> None:
        """Refuse plain values that are wrong whatever others they go with."""
        problems: list[str] = []
        rest = dict(values)
        with noting(problems):
            recipe(rest.pop("recipe", "default"))
        with noting(problems):
            super().check(rest)
        refuse(problems)

    @property
    def by_clock(self) -> bool:
        """Whether the minutes are all that is planned, so that the rate follows them."""
        return self.max_minutes is not None and self.max_updates is None and self.epochs is None

    @property
    def last_update(self) -> int | None:
        """The update that ends a run, if its epochs or its minutes do not end it before."""
        unlimited = self.max_updates is None and self.epochs is None and self.max_minutes is None
        if unlimited and self.schedule != "constant":
            return UPDATES_OF_DECAY
        return self.max_updates

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as a TOML or JSON file has them; the last update is among them."""
        return {**super().as_dict(), "max_updates": self.last_update}


# Written out in full, so that they stay what they are whatever the defaults become.
PAPER: dict[str, Any] = {
    "shape": "hybrid-800",
    "initialization": "identity",
    "sigma": 0.1,
    "batch_sentences": 1024,
    "centers": 30,
    "window": 5,
    "target": "random",
    "negatives": 20,
    "share_negatives": "window",
    "negatives_loss": "sum",
    "noise_exponent": 0.75,
    "subsample": 0.0,
    "adam": "dense",
    "learning_rate": 3e-4,
    "product_rate": 1.0,
    "schedule": "constant",
    "warmup_updates": 0,
    "stop_by": "validation",
    "patience": 10,
    "validation_updates": 1000,
    "validation_share": 0.001,
    PREPARE: {"vocabulary_size": 30_000, "minimum_count": 1},
}
# From a teacher's embeddings; the shape follows from its vectors.
DISTILL: dict[str, Any] = {
    "sigma": 0.02,
    "batch_sentences": 512,
    "adam": "lazy",
    "learning_rate": 3e-3,
    "product_rate": 2.0,
    "epochs": 3.0,
    "validation_updates": 500,
    "validation_share": 0.01,
}
# From labels, of which there are thousands rather than millions.
CLASSIFY: dict[str, Any] = {
    "shape": "mean(sum(100))+mean(product(16))",
    "sigma": 0.02,
    "batch_sentences": 32,
    "adam": "lazy",
    "learning_rate": 1e-2,
    "product_rate": 0.5,
    "validation_share": 0.1,
    PREPARE: {"vocabulary_size": 100_000},
}
RECIPES: dict[str, dict[str, Any]] = {
    "default": {},
    "paper": PAPER,
    "distill": DISTILL,
    "classify": CLASSIFY,
}


def recipe(name: Any) -> dict[str, Any]:
    """The settings of a recipe that are not left at their defaults."""
    if not isinstance(name, str) or name not in RECIPES:
        raise ConfigError(f"unknown recipe {name!r}: choose from {', '.join(RECIPES)}")
    return RECIPES[name]


def read_settings(path: str | Path) -> dict[str, Any]:
    """The settings of a file, each checked; what they go with is not known yet."""
    try:
        values = americanized(read_toml(path))
        TrainConfig.check(values)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return values

"""All settings of a training run.

Other rooms are imported where they are needed, so that the command line's help is quick.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from cmow.errors import ConfigError
from cmow.training.rules import (
    Rule,
    choice,
    number,
    optional,
    positive,
    setting,
    switch,
    text,
    whole,
)

if TYPE_CHECKING:
    from cmow.corpus import PrepareSettings

PREPARE = "prepare"
UPDATES_OF_DECAY = 120_000  # where nothing else ends a run whose rate decays
PRESETS = "cbow-400, cbow-784, cmow-400, cmow-784, hybrid-800, hybrid-1184"


def _default_preparation() -> "PrepareSettings":
    from cmow.corpus import PrepareSettings

    return PrepareSettings()


@dataclass(frozen=True)
class TrainConfig:
    """How an encoder is trained; the defaults are the recipe ``default``."""

    # The encoder.
    shape: str = setting(
        "hybrid-1184", text("NAME"), f"one of {PRESETS}, or such as sum(9)+product(3)"
    )
    initialisation: str = setting(
        "identity", choice("identity", "glorot", "normal"), "how the matrices start"
    )
    sigma: float = setting(0.01, number(0), "standard deviation of the random start")
    continue_from: str | None = setting(
        None, optional(text("MODEL")), "model folder to train on, instead of a random start"
    )
    extend_vocabulary: bool = setting(
        False, switch(), "give words of the new text that MODEL does not know rows of their own"
    )

    # What is to be predicted from what.
    batch_sentences: int = setting(256, whole(1), "sentences in a batch")
    centres: int = setting(30, whole(1), "centre words of a sentence, at most")
    window: int = setting(5, whole(1, 1000), "words on either side of a centre")
    target: str = setting(
        "random", choice("random", "center"), "the word of a window that is predicted"
    )
    negatives: int = setting(20, whole(1), "noise words that a target is told from")
    share_negatives: str = setting(
        "sentence",
        choice("window", "sentence"),
        "what noise words are drawn for: each window or each sentence (faster)",
    )
    negatives_loss: str = setting("sum", choice("sum", "mean"), "the noise words' part of the loss")
    noise_exponent: float = setting(1.0, number(0), "noise words are drawn by count to this power")
    subsample: float = setting(
        0.0, number(0), "words more frequent than this are thinned out as in word2vec; 0 is off"
    )

    # Optimisation.
    adam: str = setting(
        "lazy", choice("dense", "lazy"), "whether moments of words outside the batch decay"
    )
    learning_rate: float = setting(2.5e-3, positive(), "Adam's rate, at its highest")
    product_rate: float = setting(
        2.0, positive(), "of products: their matrices step at so many times the learning rate"
    )
    schedule: str = setting(
        "linear",
        choice("constant", "linear", "cosine"),
        f"decay of the rate until the last update, the {UPDATES_OF_DECAY:,}th unless given",
    )
    warmup_updates: int = setting(0, whole(0), "updates in which the rate rises from 0")
    seed: int = setting(0, whole(0, 2**63 - 1), "one seed, one result")

    # When to stop.
    epochs: float | None = setting(
        None, optional(positive()), "stop after as many times through the corpus", free=True
    )
    max_updates: int | None = setting(
        None, optional(whole(1)), "stop after as many updates", free=True
    )
    max_minutes: float | None = setting(
        None, optional(positive()), "stop after as many minutes; --resume goes on", free=True
    )
    stop_by: str = setting(
        "validation", choice("validation", "training"), "the loss that must go on falling"
    )
    patience: int = setting(
        10, whole(1), "stop after as many validations without improvement", free=True
    )
    validation_updates: int = setting(4000, whole(1), "updates between two validations")
    validation_share: float = setting(
        0.001, number(0, 0.5), "share of the sentences that is held out for validation"
    )

    # Engine.
    engine: str = setting("native", choice("native", "torch"), "what computes: C++ or PyTorch")
    threads: int | None = setting(
        None, optional(whole(1, 1024)), "threads; all cores unless given", free=True
    )
    device: str = setting("auto", text("DEVICE"), "of engine torch: cpu, cuda, cuda:1, mps …")
    precision: str = setting(
        "float32", choice("float32", "bfloat16"), "of the products of engine torch"
    )
    compile: bool = setting(False, switch(), "let engine torch compile the objective")

    # What is written, and when.
    report_updates: int = setting(100, whole(1), "updates between two lines of the history")
    checkpoint_updates: int = setting(4000, whole(1), "updates between two checkpoints", free=True)
    checkpoint_minutes: float = setting(
        10.0, positive(), "minutes between two checkpoints", free=True
    )
    keep_output: bool = setting(
        False, switch(), "keep the output table, for training on", free=True
    )

    prepare: "PrepareSettings" = field(default_factory=_default_preparation)

    def __post_init__(self) -> None:
        problems = list(self._problems())
        if problems:
            raise ConfigError("; ".join(problems))

    def _problems(self) -> Iterator[str]:
        yield from _faults(vars(self))
        if self.stop_by == "validation" and self.validation_share == 0:
            yield "validation_share is 0: there is nothing to stop by, set stop_by to training"
        if self.compile and self.adam == "lazy":
            yield "compile cannot do sparse gradients: set adam to dense"
        for_torch = (self.device not in ("auto", "cpu"), self.precision != "float32", self.compile)
        if self.engine == "native" and any(for_torch):
            yield "device, precision and compile are for PyTorch: set engine to torch"
        if self.extend_vocabulary and self.continue_from is None:
            yield "extend_vocabulary goes with continue_from: name the model"

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "TrainConfig":
        """From plain values, as a TOML or JSON file has them; among them may be a recipe."""
        from cmow.corpus import PrepareSettings

        problems: list[str] = []
        with noting(problems):
            values = merged(recipe(values.get("recipe", "default")), values)
        prepare = _known(PrepareSettings, preparation(values), problems, f"{PREPARE}.")
        values = _known(cls, {**values, PREPARE: None}, problems)
        made = PrepareSettings()
        with noting(problems):
            made = PrepareSettings(**prepare)
        with noting(problems):
            config = cls(**{**values, PREPARE: made})
        if problems:
            raise ConfigError("; ".join(problems))
        return config

    @property
    def last_update(self) -> int | None:
        """The update that ends a run, if its epochs do not end it before."""
        decays = self.schedule != "constant"
        if decays and self.max_updates is None and self.epochs is None:
            return UPDATES_OF_DECAY
        return self.max_updates

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as a TOML or JSON file has them; the last update is among them."""
        return {**asdict(self), "max_updates": self.last_update}


# Written out in full, so that they stay what they are whatever the defaults become.
PAPER: dict[str, Any] = {
    "shape": "hybrid-800",
    "initialisation": "identity",
    "sigma": 0.1,
    "batch_sentences": 1024,
    "centres": 30,
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
RECIPES: dict[str, dict[str, Any]] = {"default": {}, "paper": PAPER}


def recipe(name: Any) -> dict[str, Any]:
    """The settings of a recipe that are not left at their defaults."""
    if not isinstance(name, str) or name not in RECIPES:
        raise ConfigError(f"unknown recipe {name!r}: choose from {', '.join(RECIPES)}")
    return RECIPES[name]


def check_one_by_one(values: Mapping[str, Any]) -> None:
    """Refuse settings that are wrong whatever others they go with."""
    from cmow.corpus import PrepareSettings

    problems: list[str] = []
    with noting(problems):
        recipe(values.get("recipe", "default"))
    problems += _faults(_known(TrainConfig, values, problems))
    prepare = _known(PrepareSettings, preparation(values), problems, f"{PREPARE}.")
    for name, value in prepare.items():
        with noting(problems):
            PrepareSettings(**{name: value})
    if problems:
        raise ConfigError("; ".join(problems))


def settings() -> list[Field[Any]]:
    """The fields of a configuration, but those of the preparation of text."""
    return [each for each in fields(TrainConfig) if each.name != PREPARE]


def rule_of(each: Field[Any]) -> Rule:
    """What values a field may have."""
    rule: Rule = each.metadata["rule"]
    return rule


def merged(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, of which a later layer's prevail."""
    values: dict[str, Any] = {}
    for layer in layers:
        values |= {**layer, PREPARE: {**preparation(values), **preparation(layer)}}
    return values


def preparation(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings of the preparation of text among others."""
    found = values.get(PREPARE, {})
    if not isinstance(found, Mapping):
        raise ConfigError(f"{PREPARE} must be a table of settings, not {found!r}")
    return found


@contextmanager
def noting(problems: list[str]) -> Iterator[None]:
    """Note what is wrong with the settings and go on."""
    try:
        yield
    except ConfigError as error:
        problems.append(str(error))


def _faults(values: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the values of settings, each on its own."""
    from cmow.encoder import Shape

    for each in settings():
        rule = rule_of(each)
        if each.name in values and not rule.holds(values[each.name]):
            yield f"{each.name} must be {rule.wanted}, not {values[each.name]!r}"
    if "shape" in values:
        try:
            Shape.parse(values["shape"])
        except (ConfigError, AttributeError, TypeError) as error:
            yield f"shape: {error}"


def _known(
    kind: type, values: Mapping[str, Any], problems: list[str], prefix: str = ""
) -> dict[str, Any]:
    """The values that are fields of a dataclass; the others are noted."""
    names = {each.name for each in fields(kind)}
    strangers = values.keys() - names - {"recipe"}
    problems += [f"there is no setting {prefix}{name}" for name in sorted(strangers)]
    return {name: value for name, value in values.items() if name in names}

"""How far a run has come: small enough for a file of JSON, enough to go on from."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cmow.errors import FormatError

REMEMBERED = 5  # losses that an error message shows


@dataclass
class Tally:
    """A loss summed over examples."""

    loss: float = 0.0
    examples: int = 0

    def add(self, loss: float, examples: int) -> None:
        """Add that of some more examples."""
        self.loss += loss
        self.examples += examples

    def mean(self) -> float | None:
        """The loss of an example; None if there were none."""
        return self.loss / self.examples if self.examples else None


@dataclass
class State:
    """The counters of a run; all but the seconds follow from the settings and the corpus."""

    update: int = 0
    examples: int = 0
    tokens: int = 0
    seconds: float = 0.0
    learning_rate: float = 0.0  # of the latest update
    line: Tally = field(default_factory=Tally)  # since the last line of the history
    line_seconds: float = 0.0  # spent on updates since then
    check: Tally = field(default_factory=Tally)  # since the last validation
    validation_loss: float | None = None  # the latest
    validated: int | None = None  # update of the latest validation
    best_loss: float | None = None
    best_update: int | None = None
    checks_since_best: int = 0
    last_losses: list[float] = field(default_factory=list)

    def add(self, loss: float, examples: int, tokens: int) -> None:
        """Count an update."""
        self.update += 1
        self.examples += examples
        self.tokens += tokens
        self.line.add(loss, examples)
        self.check.add(loss, examples)
        if examples:
            self.last_losses = [*self.last_losses, loss / examples][-REMEMBERED:]

    def judge(self, loss: float | None) -> bool:
        """Note the loss that is watched; returns whether it is the best so far."""
        self.check, self.validated = Tally(), self.update
        best = loss is not None and (self.best_loss is None or loss < self.best_loss)
        if best:
            self.best_loss, self.best_update, self.checks_since_best = loss, self.update, 0
        else:
            self.checks_since_best += 1
        return best

    def as_dict(self) -> dict[str, Any]:
        """Plain values, from which `of` makes the same state to the last bit."""
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "State":
        """The state that `as_dict` has written."""
        if values.keys() != FIELDS.keys():
            raise FormatError("not the fields of a state")
        wrong = [name for name, holds in FIELDS.items() if not holds(values[name])]
        if wrong:
            raise FormatError(f"no values of a state: {', '.join(wrong)}")
        tallies = {name: Tally(**values[name]) for name in ("line", "check")}
        return cls(**{**values, **tallies})


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_tally(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"loss", "examples"}
        and _is_number(value["loss"])
        and _is_count(value["examples"])
    )


FIELDS: dict[str, Callable[[Any], bool]] = {
    "update": _is_count,
    "examples": _is_count,
    "tokens": _is_count,
    "seconds": _is_number,
    "learning_rate": _is_number,
    "line": _is_tally,
    "line_seconds": _is_number,
    "check": _is_tally,
    "validation_loss": lambda value: value is None or _is_number(value),
    "validated": lambda value: value is None or _is_count(value),
    "best_loss": lambda value: value is None or _is_number(value),
    "best_update": lambda value: value is None or _is_count(value),
    "checks_since_best": _is_count,
    "last_losses": lambda value: isinstance(value, list) and all(map(_is_number, value)),
}

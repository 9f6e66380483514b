"""How far a run has come: small enough for a file of JSON, enough to go on from."""

from dataclasses import asdict, dataclass, field
from typing import Any

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
    line: Tally = field(default_factory=Tally)  # since the last line of the history
    check: Tally = field(default_factory=Tally)  # since the last validation
    validation_loss: float | None = None  # the latest
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
        self.check = Tally()
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
    def of(cls, values: dict[str, Any]) -> "State":
        """The state that `as_dict` has written."""
        tallies = {name: Tally(**values[name]) for name in ("line", "check")}
        return cls(**{**values, **tallies})

"""Frozen dataclasses of settings, which may hold others as tables."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, asdict, dataclass, field, fields
from inspect import Signature, signature
from typing import TYPE_CHECKING, Any, TypeVar

from cmow.errors import ConfigError
from cmow.settings.rules import Rule
from cmow.spelling import american, americanized
from cmow.suggesting import did_you_mean

T = TypeVar("T")
S = TypeVar("S", bound="Settings")


def setting(default: T, rule: Rule, comment: str, *, heading: str = "", free: bool = False) -> T:
    """A field with its rule and a line that explains it.

    :param heading: of this and the next ones in the help of the command line
    :param free: whether it may be changed when an interrupted run is resumed, because what has
        been computed so far would have been the same
    """
    metadata = {"rule": rule, "comment": comment, "heading": heading, "free": free}
    return field(default=default, metadata=metadata)


def table(default: S, *, heading: str = "") -> S:
    """A field that holds other settings."""
    return field(default=default, metadata={"table": type(default), "heading": heading})


class _Spelled(type):
    """Lets settings be made by names in their former spelling."""

    def __call__(cls, *args: Any, **values: Any) -> Any:
        return super().__call__(*args, **americanized(values))

    @property
    def __signature__(cls) -> Signature:
        """What names there are, for help and editors."""
        _, *names = signature(cls.__init__).parameters.values()  # type: ignore[misc]
        return Signature(names)


@dataclass(frozen=True)
class Settings(metaclass=_Spelled):
    """All are checked when they are made, and all that is wrong with them is said at once."""

    def __post_init__(self) -> None:
        problems = [*faults(type(self), vars(self)), *self.contradictions()]
        if problems:
            raise ConfigError(self.complaint(problems))

    def contradictions(self) -> Iterator[str]:
        """What is wrong with settings that are fine each on its own."""
        yield from ()

    def complaint(self, problems: list[str]) -> str:
        """All problems in one line."""
        return "; ".join(problems)

    @classmethod
    def of(cls: type[S], values: Mapping[str, Any]) -> S:
        """From plain values, as a TOML or JSON file has them."""
        problems: list[str] = []
        made = _read(cls, values, "", problems)
        refuse(problems)
        return made

    @classmethod
    def check(cls, values: Mapping[str, Any]) -> None:
        """Refuse plain values that are wrong whatever others they go with."""
        refuse(list(faults(cls, values)))

    @classmethod
    def merged(cls, *layers: Mapping[str, Any]) -> dict[str, Any]:
        """Plain values by name, of which a later layer's prevail, those of tables one by one."""
        values: dict[str, Any] = {}
        layers = tuple(map(americanized, layers))
        for layer in layers:
            values |= layer
        for each in tables_of(cls):
            tables = [layer[each.name] for layer in layers if each.name in layer]
            refuse([f"{each.name}{_no_table(one)}" for one in tables if not _is_table(one)])
            if tables:
                values[each.name] = kind_of(each).merged(*tables)
        return values

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as a TOML or JSON file has them."""
        return asdict(self)

    if not TYPE_CHECKING:  # a typo is to be seen

        def __getattr__(self, name: str) -> Any:
            if american(name) == name:
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            return getattr(self, american(name))


def settings_of(settings: Settings | type[Settings]) -> list[Field[Any]]:
    """The fields that are settings themselves."""
    return [each for each in fields(settings) if "rule" in each.metadata]


def tables_of(settings: Settings | type[Settings]) -> list[Field[Any]]:
    """The fields that hold other settings."""
    return [each for each in fields(settings) if "table" in each.metadata]


def rule_of(each: Field[Any]) -> Rule:
    """What values a field may have."""
    rule: Rule = each.metadata["rule"]
    return rule


def kind_of(each: Field[Any]) -> type[Settings]:
    """What settings a table holds."""
    kind: type[Settings] = each.metadata["table"]
    return kind


def faults(kind: type[Settings], values: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """What is wrong with some values, each on its own."""
    rules = {each.name: rule_of(each) for each in settings_of(kind)}
    tables = {each.name: kind_of(each) for each in tables_of(kind)}
    for name, value in americanized(values).items():
        if name in rules:
            if fault := rules[name].fault(value):
                yield f"{name}{fault}"
        elif name not in tables:
            close = did_you_mean(name, [*rules, *tables])
            yield f"there is no setting {prefix}{name}{close}"
        elif _is_table(value):
            yield from faults(tables[name], value, f"{prefix}{name}.")
        elif not isinstance(value, tables[name]):  # which was checked when it was made
            yield f"{prefix}{name}{_no_table(value)}"


def refuse(problems: list[str]) -> None:
    """Say all that is wrong at once, if anything is."""
    if problems:
        raise ConfigError("; ".join(problems))


@contextmanager
def noting(problems: list[str]) -> Iterator[None]:
    """Note what is wrong with the settings and go on."""
    try:
        yield
    except ConfigError as error:
        problems.append(str(error))


def _read(kind: type[S], values: Mapping[str, Any], prefix: str, problems: list[str]) -> S:
    """Settings of plain values; the defaults if anything is wrong, which is noted."""
    known = {each.name for each in settings_of(kind)}
    tables = {each.name: kind_of(each) for each in tables_of(kind)}
    given: dict[str, Any] = {}
    for name, value in americanized(values).items():
        if name in tables and _is_table(value):
            given[name] = _read(tables[name], value, f"{prefix}{name}.", problems)
        elif name in known:
            given[name] = tuple(value) if isinstance(value, list) else value
        else:
            problems += faults(kind, {name: value}, prefix)
    with noting(problems):
        return kind(**given)
    return kind()


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _no_table(value: Any) -> str:
    return f" must be a table of settings, not {value!r}"

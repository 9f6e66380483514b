"""Flags of the command line made of settings, so that a setting is explained in one place."""

import inspect
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import Field
from typing import Annotated, Any

import typer

from cmow.settings import Settings, kind_of, rule_of, settings_of, tables_of

Command = Callable[..., None]


def flags_of(
    settings: Settings | type[Settings],
    *,
    only: Container[str] | None = None,
    names: Mapping[str, list[str]] | None = None,
    layered: bool = False,
    shown: Mapping[str, Any] | None = None,
    panel: str = "",
) -> list[inspect.Parameter]:
    """A flag for each setting, those of tables behind the others.

    :param settings: their values are the defaults
    :param only: leave out all others
    :param names: of flags that are not called like their setting
    :param layered: whether flags are None unless they are given, because a file may say otherwise
    :param shown: defaults that the help tells instead, of settings that a recipe has others for
    :param panel: title in the help, until a setting begins another one
    """
    flags = []
    for each in settings_of(settings):
        panel = each.metadata["heading"] or panel
        if only is None or each.name in only:
            default = getattr(settings, each.name)
            told = (shown or {}).get(each.name, default)
            option = _option(each, told, (names or {}).get(each.name, []), panel)
            flags.append(
                inspect.Parameter(
                    each.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=None if layered else default,
                    annotation=Annotated[rule_of(each).kind | None, option],
                )
            )
    for each in tables_of(settings):
        heading = each.metadata["heading"]
        flags += flags_of(
            getattr(settings, each.name),
            only=only,
            names=names,
            layered=layered,
            shown=(shown or {}).get(each.name),
            panel=heading,
        )
    return flags


def with_flags(flags: Iterable[inspect.Parameter]) -> Callable[[Command], Command]:
    """Give a command flags, before those that are keywords only, as values of its ``**flags``."""

    def give(command: Command) -> Command:
        own = inspect.signature(command)
        first, last = [], []
        for each in own.parameters.values():
            if each.kind is each.KEYWORD_ONLY:
                last.append(each)
            elif each.kind is not each.VAR_KEYWORD:
                first.append(each)
        signature = own.replace(parameters=[*first, *flags, *last])
        command.__signature__ = signature  # type: ignore[attr-defined]
        return command

    return give


def layer_of(kind: type[Settings], flags: Mapping[str, Any]) -> dict[str, Any]:
    """The flags that were given, as a file of settings would have them."""
    names = [each.name for each in settings_of(kind) if flags.get(each.name) is not None]
    values = {name: flags[name] for name in names}
    return values | {each.name: layer_of(kind_of(each), flags) for each in tables_of(kind)}


def _option(each: Field[Any], default: Any, names: list[str], panel: str) -> Any:
    comment = each.metadata["comment"]
    if isinstance(default, bool):
        default = "on" if default else None  # to be off goes without saying
    return typer.Option(
        *names,
        help=f"{comment[0].upper()}{comment[1:]}.",
        metavar=rule_of(each).metavar or None,
        show_default=False if default is None else str(default),
        rich_help_panel=panel or None,
    )

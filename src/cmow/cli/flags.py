"""Flags of the command line made of settings, so that a setting is explained in one place."""

import inspect
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import Field
from typing import Annotated, Any, get_args

import typer

from cmow.training import rule_of


def flag(name: str, kind: Any, option: Any) -> inspect.Parameter:
    """A parameter that is None unless it is given."""
    kind = Annotated[kind | None, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)


def flags_of_settings(
    settings: Iterable[Field[Any]], *, panels: dict[str, str], names: dict[str, list[str]]
) -> list[inspect.Parameter]:
    """A flag for each setting.

    :param panels: titles in the help, by the first setting below each
    :param names: of flags that are not called like their setting
    """
    flags, panel = [], None
    for each in settings:
        panel = panels.get(each.name, panel)
        rule, comment = rule_of(each), each.metadata["comment"]
        option = typer.Option(
            *names.get(each.name, []),
            help=_help(comment[0].upper() + comment[1:], each.default),
            metavar=rule.metavar or None,
            show_default=False,
            rich_help_panel=panel,
        )
        flags.append(flag(each.name, each.type, option))
    return flags


def flags_of_command(
    command: Callable[..., Any], names: Iterable[str], *, panel: str
) -> list[inspect.Parameter]:
    """Some of another command's flags."""
    flags = []
    for name in names:
        parameter = inspect.signature(command).parameters[name]
        kind, option = get_args(parameter.annotation)
        option = copy(option)
        option.rich_help_panel = panel
        option.help = _help(option.help.rstrip("."), parameter.default)
        option.show_default = False
        flags.append(flag(name, kind, option))
    return flags


def _help(comment: str, default: Any) -> str:
    # A switch shows by its name what it changes.
    shown = "" if default is None or isinstance(default, bool) else f" (default {default})"
    return f"{comment}{shown}."

"""Help that fits any terminal: what a command does, examples to copy, options by purpose.

Typer's own cuts long options and tells types in the words of Python.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from typer.core import TyperArgument

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

WIDEST = 100  # columns; longer lines are hard to read
LEFT = 31  # columns of the left side of a panel, at most
ARGUMENTS, OPTIONS, OTHERS, COMMANDS = "Arguments", "Options", "Other options", "Commands"
STYLES = {"name": "bold cyan", "value": "yellow", "code": "cyan", "default": "dim"}

Row = tuple["Text", "Text"]


def help_of(command: Any, context: Any, panels: Mapping[str, Iterable[str]]) -> str:
    """The help of a command, with the colors that the terminal has.

    :param panels: of commands, if it is a group: their names by purpose
    """
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDEST)
    with console.capture() as captured:
        console.print(_usage(command, context))
        for each in _description(command.help or ""):
            console.print("")
            console.print(each)
        console.print("")
        shown = list(_panels(command, context, panels))
        longest = max(name.cell_len for _, rows in shown for name, _ in rows)
        for title, rows in shown:
            console.print(_panel(title, rows, console, min(longest, LEFT) + 2))
    return captured.get()


def _usage(command: Any, context: Any) -> "Text":
    from rich.text import Text

    arguments = [_in_usage(each) for each in command.params if isinstance(each, TyperArgument)]
    ending = ["COMMAND ..."] if hasattr(command, "commands") else []
    needed = [
        f"{min(each.opts, key=len)} {_value(each)}"
        for each in command.params
        if each.required and not isinstance(each, TyperArgument)
    ]
    words = [context.command_path, *arguments, *needed, *ending, "[OPTIONS]"]
    return Text.assemble((" Usage: ", STYLES["value"]), " ".join(words))


def _in_usage(argument: Any) -> str:
    name = _value(argument)
    if " " in name:  # it tells all by itself
        return name
    name = f"{name}..." if argument.nargs != 1 else name
    return name if argument.required else f"[{name}]"


def _description(text: str) -> Iterator["RenderableType"]:
    """Paragraphs, of which those that are all code are examples, and stand as they are."""
    from rich.padding import Padding
    from rich.text import Text

    examples: list[str] = []
    for paragraph in [*text.split("\n\n"), ""]:
        line = " ".join(paragraph.split())
        if line.startswith("`") and line.endswith("`") and line.count("`") == 2:
            examples.append(line.strip("`"))
            continue
        if examples:
            code = Text("\n".join(examples), STYLES["code"], no_wrap=True, overflow="ignore")
            yield Padding(code, (0, 0, 0, 3))
            examples = []
        if line:
            yield Padding(_prose(line), (0, 1))


def _prose(line: str) -> "Text":
    """A text whose code has a color instead of marks."""
    from rich.text import Text

    text = Text()
    for number, piece in enumerate(line.split("`")):
        text.append(piece, STYLES["code"] if number % 2 else "")
    return text


def _panels(
    command: Any, context: Any, panels: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, list[Row]]]:
    arguments: list[Row] = []
    options: dict[str, list[Row]] = {}
    for each in command.get_params(context):
        if isinstance(each, TyperArgument):
            if each.help:
                arguments.append((_styled(_value(each), "value"), _meaning(each)))
        elif not each.hidden:
            title = getattr(each, "rich_help_panel", None) or OPTIONS
            options.setdefault(title, []).append((_option(each), _meaning(each)))
    if arguments:
        yield ARGUMENTS, arguments
    for title, rows in _commands(command, panels):
        yield title, rows
    others = options.pop(OPTIONS, [])
    yield from options.items()
    yield (OTHERS if options else OPTIONS), others


def _commands(command: Any, panels: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, list[Row]]]:
    known = getattr(command, "commands", {})
    for title, names in (panels or {COMMANDS: known}).items():
        rows = [(_styled(name, "name"), _prose(_first(known[name].help))) for name in names]
        if rows:
            yield title, rows


def _first(text: str) -> str:
    """The paragraph that says what a command does."""
    return " ".join(text.split("\n\n")[0].split()).removesuffix(".")


def _option(option: Any) -> "Text":
    """Its names, shortest first, and what stands for a value."""
    from rich.text import Text

    names = sorted(option.opts, key=lambda name: name.startswith("--"))
    if option.secondary_opts:
        names = [name.replace("--", "--[no-]", 1) for name in names]
    text = _styled(", ".join(names), "name")
    value = _value(option)
    return Text.assemble(text, (f" {value}", STYLES["value"])) if value else text


def _value(parameter: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return ""
    return str(parameter.metavar or parameter.name.upper())


def _meaning(parameter: Any) -> "Text":
    """What it is for, and what it is unless given."""
    text = _prose((parameter.help or "").removesuffix("."))
    if getattr(parameter, "required", False) and not isinstance(parameter, TyperArgument):
        text.append(" (required)", STYLES["default"])
    elif default := _default(parameter):
        text.append(f" (default {default})", STYLES["default"])
    return text


def _default(parameter: Any) -> str:
    if isinstance(parameter.show_default, str):
        return parameter.show_default
    if not parameter.show_default or parameter.default is None or parameter.default is False:
        return ""
    return str(parameter.default)


def _styled(text: str, style: str) -> "Text":
    from rich.text import Text

    return Text(text, STYLES[style])


def _panel(title: str, rows: list[Row], console: "Console", left: int) -> "RenderableType":
    """Names on the left, meanings on the right; below a name that is too long for its side."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    lines: list[Text] = []
    for name, meaning in rows:
        wrapped = list(meaning.wrap(console, console.width - 4 - left)) or [Text()]
        if name.cell_len > left - 2:
            lines.append(name)
        else:
            lines.append(Text.assemble(name, " " * (left - name.cell_len), wrapped.pop(0)))
        lines += [Text.assemble(" " * left, line) for line in wrapped]
    return Panel(Group(*lines), title=title, title_align="left", border_style="dim")

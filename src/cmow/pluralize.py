"""Numbers of things in words."""


def pluralize(number: int, thing: str) -> str:
    """A number and the thing, in the plural if there is not exactly one."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"

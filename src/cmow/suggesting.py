"""What somebody may have meant who misspelled a name."""

from collections.abc import Iterable

SUGGESTED = 3


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about a name that is unknown; empty if nothing is like it."""
    found = nearest(name, known)
    return f": did you mean {' or '.join(found)}?" if found else ""


def nearest(name: str, known: Iterable[str], count: int = SUGGESTED) -> list[str]:
    """The names that fewest slips turn into this one.

    Of equals those with the same letters, whose order is what goes wrong most; then those that are
    known first, such as the most frequent of words.
    """
    lowered, limit = name.lower(), max(1, len(name) // 3)
    ranked = []
    for each in known:
        other = each.lower()
        # A slip changes the length by one at most, and the set of letters by two.
        if abs(len(other) - len(lowered)) <= limit and len(set(lowered) ^ set(other)) <= 2 * limit:
            number = slips(lowered, other, limit)
            if number <= limit:
                ranked.append((number, sorted(lowered) != sorted(other), each))
    ranked.sort(key=lambda each: each[:2])
    return [each for number, _, each in ranked[:count] if number == ranked[0][0]]


def slips(one: str, other: str, limit: int) -> int:
    """Letters too many, missing, wrong, or exchanged with the next; not counted beyond a limit."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        two_before, before, row = before, row, [i]
        for j, against in enumerate(other, start=1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                least = min(least, two_before[j - 2] + 1)
            row.append(least)
        if min(row) > limit <= min(before):  # an exchange builds on the row before the last
            break
    return min(row[-1], limit + 1)

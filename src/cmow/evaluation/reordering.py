"""Ways to put the words of a sentence into another order."""

from itertools import pairwise, permutations, product

DETERMINERS = {
    *("the", "a", "an", "this", "that", "these", "those", "some", "every", "each", "no"),
    *("my", "your", "his", "her", "its", "our", "their"),
}
ANIMATE = (
    *("dog", "cat", "child", "man", "woman", "girl"),
    *("boy", "king", "soldier", "doctor", "friend", "teacher"),
)
REVERSIBLE = (
    *("saw", "followed", "helped", "met", "heard"),
    *("found", "called", "loved", "feared", "remembered"),
)
PATTERNS = (
    "the {} {} the {} .",
    "the young {} {} a {} in the garden .",
    "yesterday a {} {} the {} .",
    "every {} {} the old {} again .",
)


def swap_neighbors(sentence: str) -> str | None:
    """The two different neighbors nearest to the middle, swapped; None if there are none."""
    words = sentence.split()
    middle = (len(words) - 1) / 2
    for left in sorted(range(len(words) - 1), key=lambda left: abs(left + 0.5 - middle)):
        if words[left] != words[left + 1]:
            words[left], words[left + 1] = words[left + 1], words[left]
            return " ".join(words)
    return None


swap_neighbours = swap_neighbors  # its former spelling


def reverse(sentence: str) -> str | None:
    """The words from last to first; None if that is the same."""
    words = sentence.split()
    return " ".join(reversed(words)) if words != words[::-1] else None


def exchange_arguments(sentence: str) -> str | None:
    """Subject and object exchanged, as well as that goes without knowing the grammar.

    The words behind the first two determiners change places, if a word stands between the two
    phrases: "the dog bit a man" becomes "the man bit a dog". None if there are no two such words.
    """
    words = sentence.split()
    places = [
        place + 1
        for place, word in enumerate(words[:-1])
        if word.lower() in DETERMINERS and words[place + 1].isalpha()
    ]
    for one, other in pairwise(places):
        between = any(word.isalpha() for word in words[one + 1 : other - 1])
        if between and words[one] != words[other]:
            words[one], words[other] = words[other], words[one]
            return " ".join(words)
    return None


def transitive_sentences() -> list[tuple[str, str]]:
    """Simple sentences of our own, each with its subject and object exchanged."""
    pairs = product(REVERSIBLE, permutations(ANIMATE, 2))
    return [
        (pattern.format(subject, verb, target), pattern.format(target, verb, subject))
        for number, (verb, (subject, target)) in enumerate(pairs)
        for pattern in (PATTERNS[number % len(PATTERNS)],)
    ]

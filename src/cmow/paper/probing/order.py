"""Candidates for the order of words and of clauses."""

from cmow.paper.probing.allocation import Candidate
from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.pool import QUOTES, Source

ORIGINAL, INVERTED = "O", "I"


def bigram_shift(source: Source) -> list[Candidate]:
    """Sentences that could have two neighbors exchanged, and every other one of them so.

    Whether it is done is decided last: no bag of words can tell.
    """
    pool, settings, draws = source
    candidates: list[Candidate] = []
    for text in draws.shuffled(pool.texts):
        words = text.split(" ")
        places = _exchangeable(words)
        if not places:
            continue
        place = places[draws.below(len(places))]
        words[place : place + 2] = words[place + 1], words[place]
        inverted = " ".join(words)
        if inverted in pool:
            continue
        if len(candidates) % 2:
            candidates.append(Candidate(ORIGINAL, text))
        else:
            candidates.append(Candidate(INVERTED, inverted))
        if len(candidates) == 2 * settings.each(2):
            break
    return candidates


def coordination_inversion(source: Source) -> list[Candidate]:
    """Sentences of two clauses, half of them with the clauses exchanged.

    They come in pairs, one original and one inverted, that look alike in which clause is longer.
    """
    pool, _, draws = source
    kinds: dict[int, list[Analysis]] = {-1: [], 0: [], 1: []}
    for analysis in draws.shuffled(pool.analyses):
        usable = analysis.clauses and not QUOTES & set(analysis.words)
        if usable and _exchange_clauses(analysis) not in pool:
            kinds[_longer(analysis)].append(analysis)
    level = kinds[0]
    pairs = [*zip(kinds[1], kinds[-1], strict=False), *zip(level[::2], level[1::2], strict=False)]
    candidates = []
    for pair in pairs:
        original, inverted = draws.shuffled(pair)
        candidates.append(Candidate(ORIGINAL, original.text))
        candidates.append(Candidate(INVERTED, _exchange_clauses(inverted)))
    return candidates


def _exchangeable(words: list[str]) -> list[int]:
    """Where two different words meet, the first word and marks excepted; nowhere in quotations."""
    if QUOTES & set(words):
        return []
    return [
        place
        for place in range(1, len(words) - 1)
        if _is_word(words[place])
        and _is_word(words[place + 1])
        and words[place].lower() != words[place + 1].lower()
    ]


def _is_word(token: str) -> bool:
    return any(character.isalnum() for character in token)


def _longer(analysis: Analysis) -> int:
    """1 if the first clause is the longer one, -1 if the second, 0 if neither."""
    assert analysis.clauses is not None
    end, start = analysis.clauses
    first, second = end, analysis.text.count(" ") - start
    return (first > second) - (first < second)


def _exchange_clauses(analysis: Analysis) -> str:
    assert analysis.clauses is not None
    end, start = analysis.clauses
    words = analysis.words
    first, link, second, mark = words[:end], words[end:start], words[start:-1], words[-1:]
    if first[0][0].isupper():
        keeps_capital = first[0] == "I" or analysis.tags.startswith("NNP")
        first[0] = first[0] if keeps_capital else first[0].lower()
        second[0] = second[0][0].upper() + second[0][1:]
    return " ".join([*second, *link, *first, *mark])

"""All words of the language, inflected and ready to stand in a tree."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple, TypeVar

from cmow.paper.grammar.domains import DOMAINS, Domain
from cmow.paper.grammar.draws import Draws, Weighted
from cmow.paper.grammar.inflection import past, plural, third_person
from cmow.paper.grammar.tree import Tree

Word = TypeVar("Word")


class Noun(NamedTuple):
    """A noun in both numbers."""

    singular: Tree
    plural: Tree


class Verb(NamedTuple):
    """A verb in its four forms."""

    base: Tree
    plain: Tree
    third: Tree
    past: Tree

    def finite(self, *, past: bool, plural: bool) -> Tree:
        """The form that agrees with a tense and a number."""
        if past:
            return self.past
        return self.plain if plural else self.third


class Topic(NamedTuple):
    """The words of a domain, see `Domain`."""

    beings: Weighted[Noun]
    meetings: Weighted[Verb]
    goods: Weighted[Noun]
    uses: Weighted[Verb]
    tools: Weighted[Noun]
    crafts: Weighted[Verb]
    places: Weighted[Noun]
    moves: Weighted[Verb]
    traits: Weighted[Tree]
    qualities: Weighted[Tree]


class Lexicon(NamedTuple):
    """The topics and the words that belong to none of them."""

    topics: Weighted[Topic]
    reports: Weighted[Verb]  # verbs with a that-clause
    effects: Weighted[Verb]  # verbs: a thing does it to a being
    events: Weighted[Verb]  # verbs without an object: a thing does it
    adjectives: Weighted[Tree]
    manners: Weighted[Tree]
    past_times: Weighted[Tree]
    present_times: Weighted[Tree]
    habits: Weighted[Tree]


REPORTS = """say:said think:thought know:knew believe claim hear:heard hope notice remember fear
suspect doubt explain admit deny insist guess announce suppose forget:forgot"""
EFFECTS = "please frighten surprise delight puzzle amuse annoy worry bore fascinate disgust tempt"
EVENTS = "fall:fell break:broke vanish rattle crack wobble explode glitter roll tilt shake:shook"
ADJECTIVES = """old new big small good bad young beautiful strange red green black white nice huge
pretty blue brown grey ugly yellow wonderful terrible ordinary odd remarkable pink purple"""
MANNERS = """quickly slowly quietly carefully gladly loudly gently bravely badly happily sadly
angrily eagerly calmly secretly proudly kindly rudely softly boldly wisely rapidly patiently
cautiously politely fiercely cheerfully silently gracefully nervously foolishly lazily"""
PAST_TIMES = "yesterday earlier recently formerly previously beforehand"
PRESENT_TIMES = "now today nowadays currently presently tonight"
HABITS = "often always never sometimes usually rarely seldom frequently"

ONSETS = "b bl br d dr f fl fr g gl gr k kl kr m n p pl pr r s sk sl sn st t tr v z"
VOWELS = "a e i o u"
CODAS = "b d g k l lm lt m mp n nd nt p r rk rn sk t v"
SYLLABLES = [part.split() for part in (ONSETS, VOWELS, CODAS, VOWELS, CODAS)]


@cache
def lexicon() -> Lexicon:
    """The one lexicon, which no seed changes."""
    invented = _invented()
    return Lexicon(
        Weighted.zipf([_topic(domain, invented) for domain in DOMAINS]),
        _all(_verb, REPORTS),
        _all(_verb, EFFECTS),
        _all(_verb, EVENTS),
        tagged("JJ", ADJECTIVES),
        *(tagged("RB", words) for words in (MANNERS, PAST_TIMES, PRESENT_TIMES, HABITS)),
    )


def leaf(label: str, word: str) -> Tree:
    """A part of speech with its word."""
    return Tree(label, (), word)


def tagged(label: str, words: str) -> Weighted[Tree]:
    """Words of one part of speech, the most frequent first."""
    return Weighted.zipf([leaf(label, word) for word in words.split()])


@cache
def reversible_verbs() -> frozenset[str]:
    """All forms of the verbs that beings do to each other."""
    topics = lexicon().topics.items
    return frozenset(
        form.word for topic in topics for verb in topic.meetings.items for form in verb
    )


def _topic(domain: Domain, invented: Iterator[str]) -> Topic:
    """A domain's words, with invented ones as the rare half of each field."""
    return Topic(
        beings=_all(_noun, domain.beings, islice(invented, 10)),
        meetings=_all(_verb, domain.meetings, islice(invented, 4)),
        goods=_all(_noun, domain.goods, islice(invented, 10)),
        uses=_all(_verb, domain.uses, islice(invented, 4)),
        tools=_all(_noun, domain.tools, islice(invented, 10)),
        crafts=_all(_verb, domain.crafts, islice(invented, 4)),
        places=_all(_noun, domain.places),
        moves=_all(_verb, domain.moves, islice(invented, 3)),
        traits=_all(_adjective, domain.traits, islice(invented, 6)),
        qualities=_all(_adjective, domain.qualities, islice(invented, 6)),
    )


def _all(make: Callable[[str], Word], entries: str, invented: Iterable[str] = ()) -> Weighted[Word]:
    return Weighted.zipf([make(entry) for entry in (*entries.split(), *invented)])


def _noun(entry: str) -> Noun:
    singular, _, irregular = entry.partition(":")
    return Noun(leaf("NN", singular), leaf("NNS", irregular or plural(singular)))


def _verb(entry: str) -> Verb:
    base, _, irregular = entry.partition(":")
    return Verb(
        leaf("VB", base),
        leaf("VBP", base),
        leaf("VBZ", third_person(base)),
        leaf("VBD", irregular or past(base)),
    )


def _adjective(entry: str) -> Tree:
    return leaf("JJ", entry)


def _invented() -> Iterator[str]:
    """Words that no dictionary has, each once."""
    draws = Draws(0)
    seen = {entry for domain in DOMAINS for field in domain for entry in field.split()}
    while True:
        word = "".join(part[draws.below(len(part))] for part in SYLLABLES)
        if word not in seen:
            seen.add(word)
            yield word

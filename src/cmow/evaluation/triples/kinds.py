"""Twelve kinds of meaning that hang on the order of words.

In a template ``{a}`` is a word and ``{A}`` another one that means the same (of measures, the
contrary). The words of a rewording are put into another order by exchanging some of them, unless
that order is written out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cmow.evaluation.triples.lexicon import (
    ACTS,
    ANIMALS,
    BEFORE_CLAUSES,
    BEFORE_PHRASES,
    CARED,
    CHORES,
    CITIES,
    DEEDS,
    DISHES,
    DOINGS,
    MEASURES,
    NAMES,
    NOTHING,
    NUMBERS,
    PEOPLE,
    QUALITIES,
    RELATIONS,
    SKILLS,
    THINGS,
    TRAITS,
    TROUBLES,
    Row,
)

Template = str | tuple[str, str]  # a rewording; behind it, its words in an order that is special


@dataclass(frozen=True)
class Frame:
    """A sentence and ways to say the same.

    :param words: what each letter of the templates may stand for
    :param exchange: letters, two by two, that change places in a rewording to mean something else
    :param kept: rewordings that name things in the anchor's order
    :param turned: those that do not, so that who looks at the surface alone is led astray
    :param openings: what may stand before all three sentences
    """

    anchor: str
    words: Mapping[str, list[Row]]
    exchange: tuple[tuple[str, str], ...] = (("a", "b"),)
    kept: tuple[Template, ...] = ()
    turned: tuple[Template, ...] = ()
    openings: tuple[str, ...] = BEFORE_CLAUSES


KINDS: dict[str, tuple[Frame, ...]] = {
    # Who did what to whom.
    "agents": (
        Frame(
            "the {a} {v} the {b}",
            {"a": PEOPLE, "b": PEOPLE, "v": DEEDS},
            kept=("the {A} {V} the {B}", "it was the {a} who {v} the {b}"),
            turned=("the {b} was {v} by the {a}", "it was the {b} whom the {a} {V}"),
        ),
    ),
    # From where to where.
    "routes": (
        Frame(
            "{n} travelled from {a} to {b}",
            {"a": CITIES, "b": CITIES, "n": NAMES},
            kept=("{n} left {a} and went to {b}", "{a} to {b} was the journey of {n}"),
            turned=("{n} came to {b} out of {a}", "{b} was where {n} arrived after leaving {a}"),
        ),
    ),
    # What was before and what after.
    "times": (
        Frame(
            "{n} {a} before {m} {b}",
            {"n": NAMES, "m": NAMES, "a": ACTS, "b": ACTS},
            exchange=(("n", "m"), ("a", "b")),
            kept=("{n} {a} and only then {m} {b}", "{n} {a} earlier than {m} {b}"),
            turned=("{m} {b} after {n} {a}", "before {m} {b} it was {n} who {a}"),
        ),
    ),
    # What is more and what less.
    "comparisons": (
        Frame(
            "the {a} is {m} than the {b}",
            {"a": THINGS, "b": THINGS, "m": MEASURES},
            kept=("in {mm} the {a} exceeds the {b}", "the {a} is the {m} one and not the {b}"),
            turned=("the {b} is {M} than the {a}", "next to the {b} the {a} is {m}"),
        ),
    ),
    # What made what happen.
    "causes": (
        Frame(
            "the {a} caused the {b}",
            {"a": TROUBLES, "b": TROUBLES},
            kept=("the {a} led to the {b}", "without the {a} there would be no {b}"),
            turned=("the {b} was a result of the {a}", "the {b} happened because of the {a}"),
        ),
    ),
    # What is denied.
    "negation": (
        Frame(
            "{n} is {a} and not {b}",
            {"n": NAMES, "a": DOINGS, "b": DOINGS},
            kept=("{n} is busy {a} instead of {b}", "what {n} does is {a} rather than {b}"),
            turned=("{n} is not {b} but {a}", "instead of {b} it is {a} that {n} does"),
        ),
        Frame(
            "the {d} was {a} but not {b}",
            {"d": DISHES, "a": QUALITIES, "b": QUALITIES},
            kept=("the {d} was {a} without being {b}",),
            turned=("the {d} was not {b} though {a}",),
        ),
    ),
    # Whether it is asked or said.
    "questions": (
        Frame(
            "please tell me if {n} is able to {s}",
            {"n": NAMES, "s": SKILLS},
            turned=(("can {n} {s}", "{n} can {s}"),),
            openings=NOTHING,
        ),
        Frame(
            "nobody doubts that {n} is able to {s}",
            {"n": NAMES, "s": SKILLS},
            kept=(("{n} can {s}", "can {n} {s}"),),
            openings=NOTHING,
        ),
        Frame(
            "let me know whether {n} spent the day {g}",
            {"n": NAMES, "g": DOINGS},
            turned=(("was {n} {g} all day", "{n} was {g} all day"),),
            openings=NOTHING,
        ),
        Frame(
            "we are sure that {n} spent the day {g}",
            {"n": NAMES, "g": DOINGS},
            kept=(("{n} was {g} all day", "was {n} {g} all day"),),
            openings=NOTHING,
        ),
    ),
    # Which word a modifier belongs to.
    "modifiers": (
        Frame(
            "a {t} {a} and a {u} {b}",
            {"t": TRAITS, "u": TRAITS, "a": THINGS, "b": THINGS},
            kept=("the {T} {a} and the {U} {b}", "a {T} {a} as well as a {U} {b}"),
            turned=("a {u} {b} and a {t} {a}", "the {U} {b} together with the {T} {a}"),
            openings=BEFORE_PHRASES,
        ),
    ),
    # What "all", "not" and "only" reach.
    "quantifiers": (
        Frame(
            "all of the {a} but few of the {b} were sold",
            {"a": ANIMALS, "b": ANIMALS},
            kept=("they sold every one of the {a} but hardly any of the {b}",),
            turned=("few of the {b} were sold but all of the {a}",),
        ),
        Frame(
            "some of the {a} were not {v}",
            {"a": ANIMALS, "v": CARED},
            turned=(("not all of the {a} were {v}", "all of the {a} were not {v}"),),
        ),
        Frame(
            "nobody but the {p} likes {f}",
            {"p": PEOPLE, "f": DISHES},
            kept=(("only the {P} likes {f}", "the {P} likes only {f}"),),
        ),
        Frame(
            "{f} is the one thing that the {p} likes",
            {"p": PEOPLE, "f": DISHES},
            turned=(("the {P} likes only {f}", "only the {P} likes {f}"),),
        ),
    ),
    # Who belongs to whom.
    "possession": (
        Frame(
            "my {a} has a {b} who lives abroad",
            {"a": RELATIONS, "b": RELATIONS},
            kept=("my {a} is the one whose {b} lives abroad", "abroad my {a} has a {b}"),
            turned=("the {b} of my {a} lives abroad", "abroad lives the {b} of my {a}"),
        ),
    ),
    # What came first and what next.
    "events": (
        Frame(
            "{n} {a} and then {b}",
            {"n": NAMES, "a": CHORES, "b": CHORES},
            kept=("first {n} {a} and next {b}", "having {a} {n} {b}"),
            turned=("before {n} {b} the same person {a}", "{n} {b} but had earlier {a}"),
        ),
    ),
    # What a number counts.
    "numbers": (
        Frame(
            "{t} {a} and {u} {b}",
            {"t": NUMBERS, "u": NUMBERS, "a": ANIMALS, "b": ANIMALS},
            kept=("{T} {a} and {U} {b}", "{t} {a} as well as {u} {b}"),
            turned=("{u} {b} and {t} {a}", "{U} {b} together with {T} {a}"),
            openings=BEFORE_PHRASES,
        ),
    ),
}

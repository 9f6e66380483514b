import pytest

from cmow.paper.grammar.inflection import past, plural, third_person


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("dog", "dogs"), ("fox", "foxes"), ("bench", "benches"), ("lady", "ladies"), ("boy", "boys")],
)
def test_plural(noun, expected):
    assert plural(noun) == expected


@pytest.mark.parametrize(
    ("verb", "expected"),
    [("chase", "chases"), ("wash", "washes"), ("carry", "carries"), ("play", "plays")],
)
def test_third_person(verb, expected):
    assert third_person(verb) == expected


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("chase", "chased"),
        ("carry", "carried"),
        ("play", "played"),
        ("hug", "hugged"),
        ("tow", "towed"),
        ("mix", "mixed"),
        ("load", "loaded"),
        ("hunt", "hunted"),
        ("visit", "visited"),
        ("queue", "queued"),
    ],
)
def test_past(verb, expected):
    assert past(verb) == expected

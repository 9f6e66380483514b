"""What the demo says of the model that ships is so."""

import pytest

from cmow import load
from cmow.paper.demo import NOTICES, PAIRS, answers, choices, distances_from, pace, paired_notices

MEANT = {
    "Where is my package?": "The parcel you sent",
    "How do I get my money back?": "Refunds reach",
    "burglars robbed a shop": "Two thieves",
    "a vegetarian recipe": "Boil the pasta",
}


@pytest.fixture(scope="module")
def english():
    return load()


def test_the_questions_find_what_is_meant(english):
    found = {answer.question: answer.text for answer in answers(english)}
    assert found.keys() == MEANT.keys()
    assert all(found[question].startswith(start) for question, start in MEANT.items())


def test_a_question_shares_no_telling_word_with_its_answer(english):
    small = {"a", "the", "is", "do", "i", "my", "how", "where"}
    for answer in answers(english):
        question, text = (
            {word.strip("?,.").lower() for word in side.split()} - small
            for side in (answer.question, answer.text)
        )
        assert not question & text


def test_only_the_parts_that_see_order_tell_the_pairs_apart(english):
    for pair in PAIRS:
        assert distances_from(pair, english.bag(), sentences=NOTICES) == [0]
        [told] = distances_from(pair, english.order(), sentences=NOTICES)
        assert told > 10


def test_a_bag_is_undecided_and_order_is_right_but_for_the_passive(english):
    made = choices(english)
    assert all(choice.bag[0] == pytest.approx(choice.bag[1], abs=1e-5) for choice in made)
    wrong = [choice.question for choice in made if not choice.is_right]
    assert wrong == ["a man was bitten by a dog"]


def test_the_pace_is_that_of_enough_texts(english):
    found = pace(english, paired_notices())
    assert found.texts == 10_000
    assert 10 < found.words < 30
    assert found.rate == pytest.approx(found.texts / found.seconds)

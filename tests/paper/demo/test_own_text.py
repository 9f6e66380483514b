"""What the model that ships says of a text."""

import pytest

from cmow import load
from cmow.paper.demo import NOTICES, look_at
from cmow.paper.demo.own_text import duplicates_of, order_told

TWICE = ["The cat sat on the mat near the door.", "The cat sat on a mat near the door."]


@pytest.fixture(scope="module")
def english():
    return load()


def test_a_look_finds_lines_that_are_alike_in_what_they_say_only(english, tmp_path):
    alike = ["Dogs may run about in the pub's yard too.", *TWICE]
    look = look_at(english, [*NOTICES, *alike], tmp_path / "index")
    assert look.texts == len(NOTICES) + len(alike)
    assert ("Dogs may run about in the pub's yard too.", NOTICES[4]) in [
        (answer.question, answer.text) for answer in look.similar
    ]
    assert not any(set(TWICE) == {answer.question, answer.text} for answer in look.similar)
    assert [[member.entry.text for member in group] for group in look.duplicates] == [TWICE]


def test_no_line_is_shown_twice(english, tmp_path):
    similar = look_at(english, NOTICES, tmp_path / "index").similar
    texts = [text for answer in similar for text in (answer.question, answer.text)]
    assert len(set(texts)) == len(texts)


def test_a_bag_guesses_the_order_and_the_other_parts_know_it(english):
    found = order_told(english, NOTICES)
    assert found is not None
    assert found.questions == len(NOTICES)
    assert found.bag == pytest.approx(50)
    assert found.order > 90


def test_lines_without_neighbors_to_swap_ask_nothing(english, tmp_path):
    assert order_told(english, ["one two", "same same same"]) is None
    look = look_at(english, ["one two", "three"], tmp_path / "index")
    assert (look.similar, look.order) == ([], None)


def test_different_lines_have_no_duplicates(english):
    assert duplicates_of(english, NOTICES) == []

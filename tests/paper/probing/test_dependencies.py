import pytest

from cmow.paper.probing.dependencies import analyse_parse
from cmow.paper.probing.parse import Parse


def parse(table: str) -> Parse:
    """A tree from lines of word, tag, relation and head's position."""
    words, tags, relations, heads = zip(*(line.split() for line in table.split("\n")), strict=True)
    return Parse(words, tags=tags, relations=relations, heads=[int(head) for head in heads])


CHASE = """The DT det 1
dogs NNS nsubj 2
chased VBD ROOT 2
a DT det 4
cat NN dobj 2
in IN prep 2
the DT det 7
garden NN pobj 5
. . punct 2"""

COORDINATION = """He PRP nsubj 1
sang VBD ROOT 1
, , punct 1
and CC cc 1
she PRP nsubj 5
danced VBD conj 1
well RB advmod 5
. . punct 5"""


def test_a_plain_clause():
    analysis = analyse_parse(parse(CHASE))
    assert analysis is not None
    assert analysis.text == "The dogs chased a cat in the garden ."
    assert analysis.depth == 3
    assert analysis.top == "NP_VP_."
    assert (analysis.subject, analysis.verb, analysis.object) == (1, 2, 4)
    assert analysis.clauses is None


def test_coordinate_clauses():
    analysis = analyse_parse(parse(COORDINATION))
    assert analysis is not None
    assert analysis.clauses == (2, 4)
    assert analysis.top == "S_,_CC_S_."
    assert (analysis.subject, analysis.verb, analysis.object) == (None, None, None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (". . punct 5", "and CC cc 5"),  # another conjunction, no mark
        ("she PRP nsubj 5", "she PRP dep 5"),  # the second clause has no subject
        ("He PRP nsubj 1", "He PRP dep 1"),  # nor has the first
        ("well RB advmod 5", "well RB advmod 1"),  # a word of the first one behind the second
    ],
)
def test_what_is_no_pair_of_clauses(old, new):
    assert old in COORDINATION
    analysis = analyse_parse(parse(COORDINATION.replace(old, new)))
    assert analysis is not None
    assert analysis.clauses is None


def test_auxiliaries_hide_the_tense():
    analysis = analyse_parse(parse(CHASE.replace("The DT det 1", "Had VBD aux 2")))
    assert analysis is not None
    assert analysis.verb is None
    assert analysis.top == "VBD_NP_VP_."


def test_second_nouns_hide_the_number():
    table = CHASE.replace("in IN prep 2", "or CC cc 4").replace("garden NN pobj 5", "owl NN conj 4")
    analysis = analyse_parse(parse(table))
    assert analysis is not None
    assert analysis.object is None


def test_pronouns_and_names_show_no_number():
    for tag in ("PRP", "NNP"):
        analysis = analyse_parse(parse(CHASE.replace("dogs NNS", f"dogs {tag}")))
        assert analysis is not None
        assert analysis.subject is None


def test_two_roots_are_no_tree():
    assert analyse_parse(parse(CHASE.replace("in IN prep 2", "in IN ROOT 5"))) is None

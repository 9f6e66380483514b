"""The probing labels of the language, checked by another reader of its trees."""

from brackets import Node, find, height, is_leaf, labels, leaves, parse

from cmow.paper.grammar import Grammar
from cmow.paper.probing.gold import analyse_tree

SENTENCES = list(Grammar(seed=11).sentences(4000))
TREES = [parse(sentence.bracketed()) for sentence in SENTENCES]
ANALYSES = [analyse_tree(sentence) for sentence in SENTENCES]


def numbered(tree: Node, start: int = 0) -> dict[int, int]:
    """The position of the first word of every node, by the node's identity."""
    starts = {id(tree): start}
    if not is_leaf(tree):
        for child in tree[1:]:
            starts.update(numbered(child, start))
            start += len(leaves(child))
    return starts


def noun_at(tree: Node, phrase: Node | None) -> int | None:
    """The position of the noun that a phrase is about."""
    if phrase is None:
        return None
    while "NP" in labels(phrase):
        if "CC" in labels(phrase):
            return None
        phrase = find(phrase, "NP")
    for child in phrase[1:]:
        if child[0] in ("NN", "NNS"):
            return numbered(tree)[id(child)]
    return None


def expected(tree: Node) -> tuple[int | None, int | None, int | None]:
    """Subject, verb and object of a simple main clause."""
    outer = find(tree, "VP")
    if tree[0] not in ("S", "SQ") or outer is None:
        return None, None, None
    inner = find(outer, "VP") or outer
    finite = inner[1][0] in ("VBD", "VBZ", "VBP")
    verb = numbered(tree)[id(inner[1])] if finite else None
    return noun_at(tree, find(tree, "NP")), verb, noun_at(tree, find(inner, "NP"))


def test_words_tags_depth_and_top():
    for tree, analysis in zip(TREES, ANALYSES, strict=True):
        assert analysis.text == " ".join(word for _, word in leaves(tree))
        assert analysis.tags == " ".join(tag for tag, _ in leaves(tree))
        assert analysis.depth == height(tree)
        assert analysis.top == "_".join(labels(tree))


def test_main_clauses():
    for tree, analysis in zip(TREES, ANALYSES, strict=True):
        found = analysis.subject, analysis.verb, analysis.object
        assert found == expected(tree), analysis.text
    for position in range(3):
        assert sum(expected(tree)[position] is not None for tree in TREES) > 500


def test_coordinate_clauses():
    found = 0
    for tree, analysis in zip(TREES, ANALYSES, strict=True):
        if labels(tree).count("S") != 2 or analysis.tags.split().count("CC") != 1:
            assert analysis.clauses is None
            continue
        end, start = analysis.clauses
        first, *link, second, _ = tree[1:]
        words = analysis.words
        assert words[:end] == [word for _, word in leaves(first)]
        assert words[end:start] == [word for part in link for _, word in leaves(part)]
        assert words[start:-1] == [word for _, word in leaves(second)]
        found += 1
    assert found > 300

import hashlib
from collections import Counter

import numpy as np
import pytest
from brackets import find, height, labels, leaves, nodes, parse

from cmow.errors import ConfigError
from cmow.paper.grammar import Grammar, Sentence, Tree
from cmow.paper.grammar.lexicon import lexicon

DIGEST = "58177f58a3d9245828f2892a0ece8cd483b123343f3d6ad74ca4d07f9ba4dc8d"
SENTENCES = list(Grammar(seed=1).sentences(5000))
TREES = [parse(sentence.bracketed()) for sentence in SENTENCES]


def test_words_are_those_of_the_bracketed_tree():
    for sentence, tree in zip(SENTENCES, TREES, strict=True):
        assert sentence.words == [word for _, word in leaves(tree)]
        assert sentence.text == " ".join(sentence.words)
        assert sentence.tree.depth() == height(tree)


def test_the_same_seed_gives_the_same_sentences_on_every_machine():
    text = "\n".join(sentence.bracketed() for sentence in Grammar(seed=7).sentences(2000))
    assert hashlib.sha256(text.encode()).hexdigest() == DIGEST


def test_more_sentences_begin_with_the_same_ones():
    assert list(Grammar(seed=1).sentences(50)) == SENTENCES[:50]
    assert list(Grammar(seed=2).sentences(50)) != SENTENCES[:50]


def test_negative_seeds_are_refused():
    with pytest.raises(ConfigError, match="seed -1 is negative"):
        Grammar(seed=-1)


def test_a_word_has_one_part_of_speech():
    tags: dict[str, set[str]] = {}
    for tree in TREES:
        for tag, word in leaves(tree):
            tags.setdefault(word, set()).add(tag)
    assert {word: found for word, found in tags.items() if len(found - {"VB"}) > 1} == {}


def test_the_vocabulary_has_some_thousand_words():
    words = set()
    for topic in lexicon().topics.items:
        for field in topic:
            for entry in field.items:
                words.update([entry.word] if isinstance(entry, Tree) else [f.word for f in entry])
    assert 2500 < len(words) < 6000


def test_frequencies_fall_like_zipf():
    counts = Counter(word for sentence in SENTENCES for word in sentence.words)
    frequencies = np.array([count for _, count in counts.most_common()])
    ranks = np.arange(10, 1000)
    slope, _ = np.polyfit(np.log(ranks), np.log(frequencies[ranks]), 1)
    assert -1.3 < slope < -0.7


def test_all_the_constructions_occur():
    top = Counter("_".join(labels(tree)) for tree in TREES)
    assert sum("," not in sequence for sequence in top) >= 20
    inside = Counter(node[0] for tree in TREES for node in nodes(tree))
    for label in ("SBAR", "WHNP", "PP", "ADVP", "ADJP", "CC", "MD", "VBD", "VBZ", "VBP", "CD"):
        assert inside[label] > 100, label
    lengths = Counter(len(sentence.words) for sentence in SENTENCES)
    assert all(lengths[length] >= 15 for length in range(5, 29))
    depths = Counter(height(tree) for tree in TREES)
    assert all(depths[depth] >= 50 for depth in range(4, 11))


def noun_number(phrase) -> str | None:
    """The number of a noun phrase by its own words."""
    if "CC" in labels(phrase):
        return "plural"
    if "NP" in labels(phrase):
        return noun_number(find(phrase, "NP"))
    words = dict(leaves(phrase))
    if "PRP" in words:
        return "singular" if words["PRP"] in ("he", "she", "it") else "plural"
    return "plural" if "NNS" in words else "singular" if "NN" in words else None


def test_verbs_agree_with_their_subjects():
    checked = 0
    for tree in TREES:
        for node in nodes(tree):
            if isinstance(node[1], str) or not {"NP", "VP"} <= set(labels(node)):
                continue
            finite = find(node, "VP")[1] if node[0] == "S" else node[1]
            number = noun_number(find(node, "NP"))
            if finite[0] == "VBZ" or finite[1] == "was":
                assert number == "singular", node
                checked += 1
            elif finite[0] == "VBP" or finite[1] == "were":
                assert number == "plural", node
                checked += 1
    assert checked > 1000


def test_the_article_fits_the_next_word():
    for sentence in SENTENCES:
        for word, following in zip(sentence.words, sentence.words[1:], strict=False):
            if word in ("a", "an"):
                assert (word == "an") == (following[0] in "aeiou"), sentence.text


def test_verbs_choose_their_objects():
    verbs = {form.word for t in lexicon().topics.items for v in t.uses.items for form in v}
    goods = {form.word for t in lexicon().topics.items for n in t.goods.items for form in n}
    chosen = 0
    for tree in TREES:
        for node in nodes(tree):
            if node[0] == "VP" and node[1][1] in verbs and (target := find(node, "NP")):
                noun = next(word for tag, word in leaves(target) if tag in ("NN", "NNS"))
                assert noun in goods
                chosen += 1
    assert chosen > 500


def test_swapped_arguments_keep_the_words_and_exchange_the_phrases():
    swapped = [(s, other) for s in SENTENCES if (other := s.swap_arguments()) is not None]
    assert len(swapped) > 300
    for sentence, other in swapped:
        assert sorted(sentence.words) == sorted(other.words)
        assert other.swap_arguments() == sentence
        before, after = parse(sentence.bracketed()), parse(other.bracketed())
        assert main_phrases(before) == main_phrases(after)[::-1]


def main_phrases(tree):
    verb_phrase = find(tree, "VP")
    verb_phrase = find(verb_phrase, "VP") or verb_phrase
    return [find(tree, "NP"), find(verb_phrase, "NP")]


def sentence(verb: str, first: str, second: str) -> Sentence:
    def phrase(noun: str, tag: str) -> Tree:
        return Tree("NP", (Tree("DT", (), "the"), Tree(tag, (), noun)))

    tag = "NNS" if second.endswith("s") else "NN"
    action = Tree(
        "VP", (Tree("VBD" if verb.endswith("d") else "VBZ", (), verb), phrase(second, tag))
    )
    return Sentence(Tree("S", (phrase(first, "NN"), action, Tree(".", (), "."))))


def test_swaps_by_example():
    assert sentence("chased", "dog", "cat").swap_arguments().text == "the cat chased the dog ."
    assert sentence("chases", "dog", "cat").swap_arguments().text == "the cat chases the dog ."
    assert sentence("chased", "dog", "cats").swap_arguments().text == "the cats chased the dog ."
    assert sentence("chases", "dog", "cats").swap_arguments() is None  # agreement would break
    assert sentence("baked", "cook", "cake").swap_arguments() is None  # cakes bake nobody

"""The benchmark of word order: what its triples are, and what they say of encoders."""

import json

import numpy as np
import pytest
from senteval import BagOfWords

from cmow.evaluation import KINDS, evaluate, triples, write_benchmark
from cmow.evaluation.triples.lexicon import half

EACH = 500


@pytest.fixture(scope="module", params=["train", "test"])
def split(request):
    return request.param, triples(request.param)


def test_there_are_many_of_each_kind(split):
    kinds = [triple.kind for triple in split[1]]
    assert {kind: kinds.count(kind) for kind in kinds} == dict.fromkeys(KINDS, EACH)
    assert len({triple[1:4] for triple in split[1]}) == len(KINDS) * EACH


def test_a_reordering_has_the_words_of_the_rewording(split):
    for triple in split[1]:
        assert sorted(triple.rewording.split()) == sorted(triple.reordering.split())
        assert triple.rewording != triple.reordering
        assert triple.rewording != triple.anchor


def test_every_kind_keeps_the_order_of_things_and_turns_it(split):
    for kind in KINDS:
        kept = np.mean([triple.kept for triple in split[1] if triple.kind == kind])
        assert 0.3 < kept < 0.7


def test_splits_share_no_word_but_those_of_the_templates():
    for kind, frames in KINDS.items():
        for frame in frames:
            for entries in frame.words.values():
                train, test = (
                    {word for row in half(entries, name) for word in row}
                    for name in ("train", "test")
                )
                assert not train & test, (kind, train & test)


def test_they_are_always_the_same():
    assert triples("test") == triples("test")
    first = triples("test")[0]
    assert first.sentences == tuple(
        getattr(first, n) for n in ("anchor", "rewording", "reordering")
    )


class FirstThingsFirst:
    """A bag of words in which a word counts less the later it comes: the surface, no meaning."""

    def encode(self, texts):
        bag = BagOfWords(64)
        return np.array(
            [bag.encode(words).T @ np.linspace(2, 1, len(words)) for words in map(str.split, texts)]
        )


def scores(encoder, task, folder):
    report = evaluate(encoder, data=folder, tasks=[task])
    return report.runs["model"][task].result


@pytest.mark.parametrize("task", ["Triples", "TriplesProbe"])
def test_a_bag_of_words_has_exactly_half(task, tmp_path):
    found = scores(BagOfWords(32), task, tmp_path)
    assert found.score == 50
    assert set(found.scores.values()) == {50.0}


def test_who_knows_the_meaning_has_all(tmp_path):
    made = triples("test")
    meaning = {sentence: sentence for triple in made for sentence in triple.sentences}

    def known(sentence):
        while meaning[sentence] != sentence:
            sentence = meaning[sentence]
        return sentence

    for triple in made:
        meaning[known(triple.anchor)] = known(triple.rewording)
    # Nowhere do two triples together say that a reordering means what its anchor does.
    assert all(known(triple.anchor) != known(triple.reordering) for triple in made)
    bag = BagOfWords(24)
    found = scores(
        lambda texts: bag.encode([known(text).replace(" ", "_") for text in texts]),
        "Triples",
        tmp_path,
    )
    assert found.score == 100


def test_the_surface_misleads_where_the_order_is_turned(tmp_path):
    found = scores(FirstThingsFirst(), "Triples", tmp_path).scores
    assert found["order kept"] > 70
    assert found["order turned"] < 30


def test_files_for_other_tools(tmp_path):
    folder = tmp_path / "word-order"
    folder.mkdir()
    (folder / "mine.txt").write_text("stays")
    write_benchmark(folder)
    lines = (folder / "test.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["positive"] for row in rows] == [triple.rewording for triple in triples("test")]
    card = (folder / "README.md").read_text()
    assert f"{2 * EACH * len(KINDS):,} in all" in card
    assert (folder / "mine.txt").read_text() == "stays"

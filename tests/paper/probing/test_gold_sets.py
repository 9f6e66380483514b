"""The ten sets of the generated language, read as SentEval reads them."""

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest

from cmow.errors import ConfigError
from cmow.paper.grammar import Grammar
from cmow.paper.probing import GRAMMAR_SETTINGS, build_from_grammar
from cmow.paper.probing.from_grammar import SENTENCES_FOR_ONE
from cmow.paper.probing.gold import analyse_tree
from cmow.paper.probing.tasks import TASKS

DIGEST = "955b22ad89a76cefa7fbc28dbd2e437f56a211c957e2514ee3e7ff7c780639f3"
SETTINGS = replace(GRAMMAR_SETTINGS, train=1000, valid=200, test=200, content_words=20)
ANALYSES = {
    analysis.text: analysis
    for analysis in map(
        analyse_tree, Grammar(SETTINGS.seed).sentences(SENTENCES_FOR_ONE * SETTINGS.total)
    )
}
Rows = list[tuple[str, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets") / "probing"
    build_from_grammar(folder, SETTINGS)
    return folder


@pytest.fixture(scope="module")
def sets(folder: Path) -> dict[str, Rows]:
    return {
        task.name: [tuple(line.split("\t")) for line in read(folder / task.file).splitlines()]
        for task in TASKS
    }


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_files_are_senteval_s(folder, sets):
    assert {path.name for path in folder.iterdir()} == {
        "sentence_length.txt",
        "word_content.txt",
        "tree_depth.txt",
        "top_constituents.txt",
        "bigram_shift.txt",
        "past_present.txt",
        "subj_number.txt",
        "obj_number.txt",
        "odd_man_out.txt",
        "coordination_inversion.txt",
        "rebuilt.json",
    }
    for rows in sets.values():
        assert [split for split, _, _ in rows] == ["tr"] * 1000 + ["va"] * 200 + ["te"] * 200


def test_classes_are_balanced(sets):
    classes = {name: len({label for _, label, _ in rows}) for name, rows in sets.items()}
    assert classes == {
        **dict.fromkeys(("BShift", "SubjNum", "Tense", "CoordInv", "ObjNum", "SOMO"), 2),
        **{"Depth": 5, "Length": 6, "TopConst": 20, "WC": 20},
    }
    for name, rows in sets.items():
        for split in ("tr", "va", "te"):
            counts = Counter(label for found, label, _ in rows if found == split)
            assert len(counts) == classes[name], name
            assert max(counts.values()) - min(counts.values()) <= 1, name


def test_splits_are_shuffled_and_without_repetition(sets):
    for name, rows in sets.items():
        sentences = [sentence for _, _, sentence in rows]
        assert len(set(sentences)) == len(sentences), name
        labels = [label for split, label, _ in rows if split == "te"]
        assert labels != sorted(labels), name


def test_labels_of_unchanged_sentences(sets):
    bins = [range(5, 9), range(9, 13), range(13, 17), range(17, 21), range(21, 26), range(26, 29)]
    for _, label, sentence in sets["Length"]:
        assert len(sentence.split()) in bins[int(label)]
    for _, label, sentence in sets["Depth"]:
        assert ANALYSES[sentence].depth == int(label)
    named = {label for _, label, _ in sets["TopConst"]} - {"OTHER"}
    for _, label, sentence in sets["TopConst"]:
        assert ANALYSES[sentence].top == label or (
            label == "OTHER" and ANALYSES[sentence].top not in named
        )
    targets = {label for _, label, _ in sets["WC"]}
    for _, label, sentence in sets["WC"]:
        assert [word for word in sentence.split() if word in targets] == [label]


@pytest.mark.parametrize(("name", "role"), [("SubjNum", "subject"), ("ObjNum", "object")])
def test_numbers(sets, name, role):
    homes = defaultdict(set)
    for split, label, sentence in sets[name]:
        position = getattr(ANALYSES[sentence], role)
        assert ANALYSES[sentence].tags.split()[position] == label
        homes[sentence.split()[position]].add(split)
    assert all(len(splits) == 1 for splits in homes.values())


def test_tenses(sets):
    homes = defaultdict(set)
    for split, label, sentence in sets["Tense"]:
        position = ANALYSES[sentence].verb
        assert (ANALYSES[sentence].tags.split()[position] == "VBD") == (label == "PAST")
        homes[sentence.split()[position]].add(split)
    assert all(len(splits) == 1 for splits in homes.values())


def test_shifted_bigrams_are_one_exchange_away(sets):
    by_words = defaultdict(list)
    for text in ANALYSES:
        by_words[tuple(sorted(text.split()))].append(text.split())
    for _, label, sentence in sets["BShift"]:
        words = sentence.split()
        if label == "O":
            assert sentence in ANALYSES
            continue
        originals = by_words[tuple(sorted(words))]
        assert any(neighbours_exchanged(words, original) for original in originals), sentence


def neighbours_exchanged(words: list[str], original: list[str]) -> bool:
    places = [n for n, pair in enumerate(zip(words, original, strict=True)) if len(set(pair)) == 2]
    return (
        len(places) == 2
        and places[1] == places[0] + 1
        and places[0] > 0
        and all(words[place].isalpha() for place in places)
    )


def test_a_bag_of_words_is_at_chance_on_shifted_bigrams(sets):
    assert 0.42 < naive_bayes(sets["BShift"]) < 0.58
    assert naive_bayes(sets["TopConst"]) > 0.2  # the same classifier can learn


def naive_bayes(rows: Rows) -> float:
    """The accuracy of a bag-of-words classifier."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for split, label, sentence in rows:
        if split == "tr":
            counts[label].update(sentence.split())
    words = {word for found in counts.values() for word in found}

    def score(label: str, sentence: str) -> float:
        total = sum(counts[label].values()) + len(words)
        return sum(log((counts[label][word] + 1) / total) for word in sentence.split())

    tests = [(label, sentence) for split, label, sentence in rows if split == "te"]
    hits = sum(
        max(sorted(counts), key=lambda guess: score(guess, sentence)) == label
        for label, sentence in tests
    )
    return hits / len(tests)


def test_inverted_coordinations(sets):
    longer = {"O": Counter(), "I": Counter()}
    for _, label, sentence in sets["CoordInv"]:
        link = next(word for word in ("and", "but", "so", "or", "yet") if word in sentence.split())
        first, second = sentence.removesuffix(" .").replace(" ,", "").split(f" {link} ")
        longer[label][len(first.split()) > len(second.split())] += 1
        if label == "O":
            assert sentence in ANALYSES
        else:
            backs = [f"{second}{comma} {link} {first} ." for comma in ("", " ,")]
            assert any(back in ANALYSES for back in backs), sentence
    assert abs(longer["O"][True] - longer["I"][True]) < 60


def test_odd_words(sets):
    tags = {
        word: tag
        for analysis in ANALYSES.values()
        for word, tag in zip(analysis.words, analysis.tags.split(), strict=True)
    }
    by_frame = defaultdict(list)
    for text in ANALYSES:
        for frame, word in frames(text.split()):
            by_frame[frame].append(word)
    homes = defaultdict(set)
    for split, label, sentence in sets["SOMO"]:
        if label == "O":
            assert sentence in ANALYSES
            continue
        odd = {
            word
            for frame, word in frames(sentence.split())
            for original in by_frame[frame]
            if original != word and tags[original][:2] == tags[word][:2]
        }
        assert odd, sentence
        if len(odd) == 1:
            homes[odd.pop()].add(split)
    assert all(len(splits) == 1 for splits in homes.values())


def frames(words: list[str]) -> list[tuple[tuple[str, ...], str]]:
    """Each inner word and the sentence without it."""
    return [
        ((*words[:place], "", *words[place + 1 :]), words[place])
        for place in range(1, len(words) - 1)
    ]


def test_length_says_little_about_depth(sets):
    pairs = [(int(label), len(sentence.split())) for _, label, sentence in sets["Depth"]]
    everything = [(a.depth, len(a.words)) for a in ANALYSES.values() if 5 <= len(a.words) <= 28]
    assert correlation(pairs) < 0.5 * correlation(everything)


def correlation(pairs: list[tuple[int, int]]) -> float:
    return float(np.corrcoef(np.array(pairs).T)[0, 1])


def test_the_note_says_what_was_built(folder):
    note = json.loads(read(folder / "rebuilt.json"))
    assert note["source"] == "cmow.grammar, seed 1"
    assert note["settings"]["train"] == 1000
    assert {made["task"] for made in note["sets"]} == {task.name for task in TASKS}
    assert set(note["definitions"]) == {task.name for task in TASKS}
    assert all(made["complete"] for made in note["sets"])


def test_the_same_seed_gives_the_same_files(folder):
    digest = hashlib.sha256()
    for task in TASKS:
        digest.update((folder / task.file).read_bytes())
    assert digest.hexdigest() == DIGEST


def test_a_full_folder_is_refused(folder):
    with pytest.raises(ConfigError, match="exists and is not empty"):
        build_from_grammar(folder, SETTINGS)


def test_bad_settings_are_listed():
    with pytest.raises(ConfigError, match=r"train 0 \(at least 1\), seed -1 \(at least 0\)"):
        replace(SETTINGS, train=0, seed=-1)

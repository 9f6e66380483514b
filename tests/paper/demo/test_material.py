from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from cmow.errors import ConfigError
from cmow.paper.demo import DemoFolder, DemoSettings, from_grammar, from_text
from cmow.paper.demo import material as rooms
from cmow.paper.demo.material import WELL_KNOWN, read_text
from cmow.paper.grammar import Grammar
from cmow.paper.probing.pool import eligible


def quiet(progress):
    pass


def material_of(file, folder, settings):
    place = DemoFolder(folder)
    place.begin(file.name)
    return from_text(read_text(file, settings), place, settings, progress=quiet)


def grammar_in(folder, settings):
    place = DemoFolder(folder)
    place.begin("the generated language")
    return from_grammar(place, settings, progress=quiet)


@pytest.fixture
def text(tmp_path) -> Path:
    file = tmp_path / "my.txt"
    lines = [sentence.text for sentence in Grammar(3).sentences(3_000)]
    file.write_text("\n".join(lines) + "\n")
    return file


def test_words_of_the_drawing_are_words_of_the_language():
    words = {word for sentence in Grammar().sentences(30_000) for word in sentence.words}
    texts = [WELL_KNOWN.sentence, *(text for text, _ in WELL_KNOWN.others)]
    assert set(" ".join(texts).split()) <= words


def test_the_grammar_gives_all_ten_tasks_and_nothing_probed_is_trained_on(tmp_path, tiny):
    material = grammar_in(tmp_path / "out", tiny)
    assert all(made.classes for made in material.sets)
    assert len(material.sets) == 10
    assert material.note == ""
    assert material.reorderings == ["Swap", "Reverse", "Arguments"]
    assert len(material.sentences) == tiny.reordered
    files = list((tmp_path / "out/probing").glob("*.txt"))
    probed = {line.split("\t")[2] for file in files for line in file.read_text().splitlines()}
    assert len(files) == 10
    assert probed.isdisjoint(material.training)
    assert set(material.sentences).isdisjoint(material.training)


def test_held_out_sentences_are_not_trained_on(text, tiny):
    own = read_text(text, tiny)
    assert own.held_out
    assert not set(own.training) & set(own.held_out)
    assert len(set(own.training)) == len(own.training)


@pytest.mark.parametrize(("sentences", "held_out"), [(600, 300), (2_000, 400), (5_000, 1_000)])
def test_half_of_the_smallest_text_is_held_out_and_a_fifth_of_others(
    tmp_path, tiny, sentences, held_out
):
    file = tmp_path / "my.txt"
    file.write_text("".join(f"line number {number} is new .\n" for number in range(sentences)))
    sizes = replace(tiny, least_sentences=600, held_out=10_000)
    assert len(read_text(file, sizes).held_out) == held_out


def test_the_smallest_text_gives_the_tasks_that_need_no_trees(tmp_path, monkeypatch):
    monkeypatch.setattr(rooms, "find_spec", lambda _: None)
    settings, file = DemoSettings(), tmp_path / "my.txt"
    texts = dict.fromkeys(sentence.text for sentence in Grammar(3).sentences(30_000))
    lines = list(islice(eligible(texts), settings.least_sentences))
    file.write_text("\n".join(lines) + "\n")
    material = material_of(file, tmp_path / "out", settings)
    assert [made.task for made in material.sets] == ["BShift", "Length", "WC"]


def test_the_drawing_has_words_of_the_vocabulary_only():
    frequent = ["w" + letter for letter in "abcdefghij"]
    rare = [f"rare{number}" for number in range(30_000)]
    training = [" ".join(frequent)] * 2 + rare
    held_out = [f"wa wb wc wd we {rare[-1]}", "wa wb wc wd we wf", "wj wi wh wg wf we"]
    drawing = rooms._drawing(held_out, training)
    assert drawing.sentence == held_out[1]


def test_without_a_parser_three_tasks_remain(text, tmp_path, monkeypatch, tiny):
    monkeypatch.setattr(rooms, "find_spec", lambda _: None)
    material = material_of(text, tmp_path / "out", tiny)
    assert {made.task for made in material.sets if made.classes} == {"BShift", "Length", "WC"}
    assert "pip install 'cmow[probing]'" in material.note
    assert "Depth" in material.note


def test_a_task_with_few_sentences_is_not_asked(text, tmp_path, monkeypatch, tiny):
    monkeypatch.setattr(rooms, "find_spec", lambda _: None)
    few = replace(tiny, least_tested=40)
    material = material_of(text, tmp_path / "out", few)
    assert [made.task for made in material.sets] == ["BShift"]
    assert "Length" in material.note
    with pytest.raises(ConfigError, match="too few sentences for any probing task"):
        material_of(text, tmp_path / "out", replace(few, least_tested=61))


def test_raw_text_is_split_into_words(tmp_path, tiny):
    file = tmp_path / "raw.txt"
    file.write_text("".join(f"It didn't work on day {day}.\n" for day in range(200)))
    own = read_text(file, tiny)
    assert "It did n't work on day 0 ." in [*own.training, *own.held_out]
    assert own.lines[0] == "It didn't work on day 0."


@pytest.mark.parametrize(
    "content", ["", "\n\n", "too short\n" * 500, "the same line again .\n" * 500]
)
def test_a_text_that_is_too_small_is_refused(tmp_path, content, tiny):
    file = tmp_path / "small.txt"
    file.write_text(content)
    with pytest.raises(ConfigError, match=r"small.txt: \d different lines? .* at least 100"):
        read_text(file, tiny)

"""A hundred sentences and what a grammarian says about them.

The columns of known.txt: top constituents, subject, tense, object (a word and its label, or -), and
the sentence, in which bars separate coordinate clauses from what links them. The small pipeline is
wrong now and then; our reading of its trees must not be.
"""

from pathlib import Path

import pytest

from cmow.errors import ConfigError
from cmow.paper.probing import pipeline
from cmow.paper.probing.analysis import Analysis

pytest.importorskip("spacy")
pytest.importorskip(pipeline.PIPELINE)

KNOWN = Path(__file__).with_name("known.txt")
ROWS = [line.split(None, 4) for line in KNOWN.read_text().splitlines()]
TEXTS = [" ".join(row[4].replace("||", " ").split()) for row in ROWS]


@pytest.fixture(scope="module")
def analyses() -> list[Analysis | None]:
    return [analysis for chunk in pipeline.analyse(TEXTS) for analysis in chunk]


def as_row(analysis: Analysis) -> list[str]:
    words, tags = analysis.words, analysis.tags.split(" ")

    def noun(position: int | None) -> str:
        return "-" if position is None else f"{words[position]}/{tags[position]}"

    verb = analysis.verb
    tense = "-" if verb is None else f"{'PAST' if tags[verb] == 'VBD' else 'PRES'}/{words[verb]}"
    sentence = analysis.text
    if analysis.clauses:
        end, start = analysis.clauses
        parts = words[:end], words[end:start], words[start:]
        sentence = " || ".join(" ".join(part) for part in parts)
    return [analysis.top, noun(analysis.subject), tense, noun(analysis.object), sentence]


def test_a_hundred_sentences(analyses):
    assert len(ROWS) == 100
    wrong = [
        (expected, as_row(analysis) if analysis else None)
        for expected, analysis in zip(ROWS, analyses, strict=True)
        if analysis is None or as_row(analysis) != expected
    ]
    assert len(wrong) <= 5, wrong


def test_tokens_are_kept(analyses):
    assert [analysis.text for analysis in analyses if analysis] == TEXTS
    (odd,) = next(pipeline.analyse(["can't e-mail U.S. a/b ..."]))
    assert odd is None or odd.text == "can't e-mail U.S. a/b ..."


def test_processes_change_nothing(monkeypatch):
    monkeypatch.setattr(pipeline, "CHUNK", 30)
    alone = list(pipeline.analyse(TEXTS))
    shared = list(pipeline.analyse(TEXTS, processes=2))
    assert [len(chunk) for chunk in shared] == [30, 30, 30, 10]
    assert shared == alone


def test_an_unknown_pipeline_is_named():
    with pytest.raises(ConfigError, match="pipeline no_such_thing is not installed"):
        pipeline.load_pipeline("no_such_thing")

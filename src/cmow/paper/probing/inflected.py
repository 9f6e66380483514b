"""Candidates for what inflection shows: tense and number in the main clause."""

from cmow.paper.probing.allocation import Candidate
from cmow.paper.probing.pool import Source

TENSES = {"VBD": "PAST", "VBZ": "PRES", "VBP": "PRES"}
NUMBERS = {"NN": "NN", "NNS": "NNS"}


def tense(source: Source) -> list[Candidate]:
    """Sentences labeled with the tense of the main verb."""
    return _inflected(source, "verb", TENSES)


def subject_number(source: Source) -> list[Candidate]:
    """Sentences labeled with the number of the main clause's subject."""
    return _inflected(source, "subject", NUMBERS)


def object_number(source: Source) -> list[Candidate]:
    """Sentences labeled with the number of the main clause's direct object."""
    return _inflected(source, "object", NUMBERS)


def _inflected(source: Source, role: str, labels: dict[str, str]) -> list[Candidate]:
    candidates = []
    for analysis in source.pool.analyses:
        position: int | None = getattr(analysis, role)
        if position is None:
            continue
        target = analysis.words[position].lower()
        if source.pool.frequency_within(target, source.settings.target_frequencies):
            label = labels[analysis.tags.split(" ")[position]]
            candidates.append(Candidate(label, analysis.text, target))
    return candidates

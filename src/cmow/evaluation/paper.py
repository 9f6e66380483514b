"""The figures of the paper's result tables."""

PAPER_CORPUS = "3 billion tokens"

_PROBING = "Depth BShift SubjNum Tense CoordInv Length ObjNum TopConst SOMO WC"
_SUPERVISED = "SUBJ CR MR MPQA MRPC TREC SICK-E SST2 SST5 STS-B SICK-R"
_UNSUPERVISED = "STS12 STS13 STS14 STS15 STS16"


def _table(tasks: str, rows: dict[str, str]) -> dict[str, dict[str, float]]:
    return {
        model: dict(zip(tasks.split(), map(float, scores.split()), strict=True))
        for model, scores in rows.items()
    }


# By group, model and task; a group's tasks are those that the paper averages over.
PAPER = {
    "probing": _table(
        _PROBING,
        {
            "CBOW/400": "32.5 50.2 78.9 78.7 53.6 73.6 79.0 69.6 48.9 86.7",
            "CMOW/400": "34.4 68.8 80.1 79.9 59.8 81.9 79.2 70.7 50.3 70.7",
            "H-CBOW": "31.2 50.2 77.2 78.8 52.6 77.5 76.1 66.1 49.2 87.2",
            "H-CMOW": "32.3 70.8 81.3 76.0 59.6 82.3 77.4 70.0 50.2 38.2",
            "CBOW/784": "33.0 49.6 79.3 78.4 53.6 74.5 78.6 72.0 49.6 89.5",
            "CMOW/784": "35.1 70.8 82.0 80.2 61.8 82.8 79.7 74.2 50.7 72.9",
            "Hybrid": "35.0 70.8 81.7 81.0 59.4 84.4 79.0 74.3 49.3 87.6",
        },
    ),
    "supervised": _table(
        _SUPERVISED,
        {
            "CBOW/784": "90.0 79.2 74.0 87.1 71.6 85.6 78.9 78.5 42.1 61.0 78.1",
            "CMOW/784": "87.5 73.4 70.6 87.3 69.6 88.0 77.2 74.7 37.9 56.5 76.2",
            "Hybrid": "90.2 78.7 73.7 87.3 72.7 87.6 79.4 79.6 43.3 63.4 77.8",
        },
    ),
    "unsupervised": _table(
        _UNSUPERVISED,
        {
            "CBOW/784": "43.5 50.0 57.7 63.2 61.0",
            "CMOW/784": "39.2 31.9 38.7 49.7 52.2",
            "Hybrid": "49.6 46.0 55.1 62.4 62.1",
        },
    ),
}


# The rows that only the appendix has; its other rows are CMOW/784 and CBOW/784 again.
APPENDIX = {
    "probing": _table(
        _PROBING,
        {
            "CMOW-C": "36.2 66.0 81.1 78.7 61.7 83.9 79.1 73.6 50.4 66.8",
            "CBOW-C": "34.3 50.5 79.8 79.9 53.0 75.9 79.8 72.9 48.6 89.0",
            "N(0, 0.1)": "29.7 71.5 82.0 78.5 60.1 80.5 76.3 74.7 51.3 52.5",
            "Glorot": "31.3 72.3 81.8 78.7 59.4 81.3 76.6 74.6 50.4 57.0",
        },
    ),
    "supervised": _table(
        _SUPERVISED,
        {
            "CMOW-C": "85.9 72.1 69.4 87.0 71.9 85.4 74.2 73.8 37.6 54.6 71.3",
            "CBOW-C": "90.0 79.3 74.6 87.5 72.9 85.0 80.0 78.4 41.0 60.5 79.2",
            "N(0, 0.1)": "85.6 71.5 68.4 86.2 71.6 86.4 73.7 72.3 38.2 53.7 72.7",
            "Glorot": "86.2 74.4 69.5 86.5 71.4 88.4 75.4 73.2 38.2 54.1 73.6",
        },
    ),
    "unsupervised": _table(
        _UNSUPERVISED,
        {
            "CMOW-C": "27.6 14.6 22.1 33.2 41.6",
            "CBOW-C": "43.5 49.2 57.9 63.7 61.6",
            "N(0, 0.1)": "37.7 26.5 33.3 44.7 50.3",
            "Glorot": "39.6 27.2 35.2 46.5 51.6",
        },
    ),
}


def paper_tasks(*groups: str) -> list[str]:
    """The tasks of the paper's tables, or of some of them; other groups have none."""
    return [
        task
        for group in groups or PAPER
        if group in PAPER
        for task in next(iter(PAPER[group].values()))
    ]


def published(model: str) -> dict[str, float]:
    """All scores of a model that the paper has, by task."""
    tables = [*PAPER.values(), *APPENDIX.values()]
    return {task: score for rows in tables for task, score in rows.get(model, {}).items()}

"""The demonstration: the model that ships, then three small ones and what each can tell."""

from cmow.paper.demo.drawing import Drawing, distances_from
from cmow.paper.demo.english import (
    NOTICES,
    PAIRS,
    Answer,
    Choice,
    Pace,
    answers,
    choices,
    pace,
    paired_notices,
)
from cmow.paper.demo.findings import Finding, balance, findings, unsolved
from cmow.paper.demo.folder import DemoFolder
from cmow.paper.demo.material import Material, OwnText, from_grammar, from_text, read_text
from cmow.paper.demo.models import NORMALIZATION, evaluate_models, train_models
from cmow.paper.demo.own_text import Look, OrderFound, look_at
from cmow.paper.demo.picture import save_picture
from cmow.paper.demo.settings import CBOW, CMOW, ENGLISH, HYBRID, DemoSettings

__all__ = [
    "CBOW",
    "CMOW",
    "ENGLISH",
    "HYBRID",
    "NORMALIZATION",
    "NOTICES",
    "PAIRS",
    "Answer",
    "Choice",
    "DemoFolder",
    "DemoSettings",
    "Drawing",
    "Finding",
    "Look",
    "Material",
    "OrderFound",
    "OwnText",
    "Pace",
    "answers",
    "balance",
    "choices",
    "distances_from",
    "evaluate_models",
    "findings",
    "from_grammar",
    "from_text",
    "look_at",
    "pace",
    "paired_notices",
    "read_text",
    "save_picture",
    "train_models",
    "unsolved",
]

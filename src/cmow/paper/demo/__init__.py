"""The demonstration: three small models of equal size, and what each can and cannot tell."""

from cmow.paper.demo.drawing import Drawing, distances_from
from cmow.paper.demo.findings import Finding, balance, findings, unsolved
from cmow.paper.demo.folder import DemoFolder
from cmow.paper.demo.material import Material, from_grammar, from_text
from cmow.paper.demo.models import NORMALIZATION, evaluate_models, train_models
from cmow.paper.demo.settings import CBOW, CMOW, HYBRID, DemoSettings

__all__ = [
    "CBOW",
    "CMOW",
    "HYBRID",
    "NORMALIZATION",
    "DemoFolder",
    "DemoSettings",
    "Drawing",
    "Finding",
    "Material",
    "balance",
    "distances_from",
    "evaluate_models",
    "findings",
    "from_grammar",
    "from_text",
    "train_models",
    "unsolved",
]

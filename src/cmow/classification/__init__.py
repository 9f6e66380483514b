"""Texts and labels to a classifier."""

from typing import TYPE_CHECKING

from cmow.classification.settings import ClassifySettings
from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.classification.classifier import Classifier, is_classifier, is_finished
    from cmow.classification.data import Columns, Examples, read_examples, read_texts
    from cmow.classification.explaining import Explanation, explanation_page
    from cmow.classification.report import Report, plot_confusion
    from cmow.classification.tuning import Trial, tune

__all__ = [
    "Classifier",
    "ClassifySettings",
    "Columns",
    "Examples",
    "Explanation",
    "Report",
    "Trial",
    "explanation_page",
    "is_classifier",
    "is_finished",
    "plot_confusion",
    "read_examples",
    "read_texts",
    "tune",
]

# The command line's help needs the settings only.
__getattr__ = lazy_names(
    __name__,
    classifier=["Classifier", "is_classifier", "is_finished"],
    data=["Columns", "Examples", "read_examples", "read_texts"],
    explaining=["Explanation", "explanation_page"],
    report=["Report", "plot_confusion"],
    tuning=["Trial", "tune"],
)

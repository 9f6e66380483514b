"""The ten sets from the small generated language."""

from pathlib import Path

from cmow.paper.grammar import Grammar
from cmow.paper.probing.build import BuiltSet, Origin, build, silent
from cmow.paper.probing.definitions import BY_CONSTITUENTS
from cmow.paper.probing.files import require_new
from cmow.paper.probing.gold import analyse_tree
from cmow.paper.probing.pool import Pool, eligible
from cmow.paper.probing.settings import GRAMMAR_SETTINGS, ProbingSettings
from cmow.progress import Progress, ProgressCallback

# About one sentence in so many is of the rarest kind that a set is full of.
SENTENCES_FOR_ONE = 9


def build_from_grammar(
    folder: str | Path,
    settings: ProbingSettings = GRAMMAR_SETTINGS,
    *,
    progress: ProgressCallback = silent,
) -> list[BuiltSet]:
    """Build the ten sets from sentences of the generated language and their gold trees."""
    folder = Path(folder)
    require_new(folder)
    progress(Progress("generating", 0, 1))
    sentences = Grammar(settings.seed).sentences(SENTENCES_FOR_ONE * settings.total)
    analyses = {analysis.text: analysis for analysis in map(analyse_tree, sentences)}
    texts = list(eligible(analyses))
    pool = Pool(texts, [analyses[text] for text in texts])
    origin = Origin(f"cmow.grammar, seed {settings.seed}", "gold constituents", BY_CONSTITUENTS)
    return build(pool, folder, settings, origin=origin, progress=progress)

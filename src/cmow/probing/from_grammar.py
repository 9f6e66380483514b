"""The ten sets from the small generated language."""

from pathlib import Path

from cmow.grammar import Grammar
from cmow.probing.build import BuiltSet, Origin, Progress, ProgressCallback, build, silent
from cmow.probing.definitions import BY_CONSTITUENTS
from cmow.probing.files import require_new
from cmow.probing.gold import analyse_tree
from cmow.probing.pool import Pool, eligible
from cmow.probing.settings import GRAMMAR_SETTINGS, ProbingSettings

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

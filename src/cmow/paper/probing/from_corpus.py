"""The ten sets from any corpus."""

from itertools import islice
from pathlib import Path

from cmow.corpus import read_lines
from cmow.errors import ConfigError, FormatError
from cmow.paper.grammar import Draws
from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.build import BuiltSet, Origin, build, silent
from cmow.paper.probing.definitions import BY_DEPENDENCIES
from cmow.paper.probing.files import require_new
from cmow.paper.probing.pipeline import analyse, describe_pipeline
from cmow.paper.probing.pool import LONGEST, SHORTEST, Pool, eligible
from cmow.paper.probing.settings import CORPUS_SETTINGS, PIPELINE, SENTENCES, ProbingSettings
from cmow.paper.probing.supply import Supply
from cmow.progress import Progress, ProgressCallback


def build_from_corpus(
    corpus: str | Path,
    folder: str | Path,
    settings: ProbingSettings = CORPUS_SETTINGS,
    *,
    pipeline: str = PIPELINE,
    processes: int = 1,
    sentences: int = SENTENCES,
    progress: ProgressCallback = silent,
) -> list[BuiltSet]:
    """Build the ten sets from tokenized text, analyzed by a spaCy pipeline.

    :param corpus: a sentence a line, tokens separated by blanks, plain or packed
    :param pipeline: the name of an installed spaCy pipeline for English
    :param sentences: use at most so many of the corpus's sentences of 5 to 28 words
    """
    folder = Path(folder)
    if processes < 1 or sentences < 1:
        raise ConfigError(f"{processes} processes, {sentences} sentences: give at least 1 of each")
    require_new(folder)
    trees = f"dependencies by {describe_pipeline(pipeline)}"
    progress(Progress("reading", 0, 1))
    texts = list(islice(eligible(read_lines(corpus)), sentences))
    if not texts:
        raise FormatError(
            f"{corpus}: no line has {SHORTEST} to {LONGEST} words; give it a sentence a line"
        )
    # A corpus is often sorted by its sources, and perhaps only a part of it is analyzed.
    texts = Draws(settings.seed).shuffled(texts)
    analyses = _analyses(texts, settings, pipeline, processes, progress)
    origin = Origin(Path(corpus).name, trees, BY_DEPENDENCIES)
    return build(Pool(texts, analyses), folder, settings, origin=origin, progress=progress)


def _analyses(
    texts: list[str],
    settings: ProbingSettings,
    pipeline: str,
    processes: int,
    progress: ProgressCallback,
) -> list[Analysis]:
    """The analyses of as many sentences as the tasks need."""
    supply = Supply(settings)
    analyses: list[Analysis] = []
    done = 0
    for chunk in analyse(texts, pipeline=pipeline, processes=processes):
        found = [analysis for analysis in chunk if analysis is not None]
        analyses += found
        supply.add(found)
        done += len(chunk)
        progress(Progress("parsing", done, len(texts)))
        if supply.is_ample():
            break
    return analyses

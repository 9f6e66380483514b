"""Distils a teacher: from its embeddings of a corpus to an encoder that is order-aware and fast."""

import logging
import os
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cmow.arrays import Floats
from cmow.corpus import Corpus, prepare, read_lines
from cmow.distillation.embeddings import CacheSettings, TeacherCache, embed, keep
from cmow.distillation.settings import SENTENCES_OF_MATRICES, DistillSettings, shape_for
from cmow.distillation.space import principal_axes, turn
from cmow.distillation.start import vectors_of_words
from cmow.distillation.teacher import (
    AnyTeacher,
    dim_of,
    name_of,
    read_vectors,
    save_tokenizer,
)
from cmow.durable import replaced_file
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.progress import ProgressCallback
from cmow.threads import thread_count
from cmow.training import (
    PREPARE,
    Callback,
    JointObjective,
    Lessons,
    Outcome,
    TeacherObjective,
    TrainConfig,
    run_training,
)

logger = logging.getLogger(__name__)

TOKENIZER = "tokenizer.json"
BOUNDING = 20_000  # texts

Texts = str | os.PathLike[str] | Sequence[str] | Sequence[os.PathLike[str]]


def distill(
    teacher: AnyTeacher | Floats | os.PathLike[str],
    corpus: Texts,
    config: TrainConfig | Mapping[str, Any] | None = None,
    *,
    settings: DistillSettings | None = None,
    folder: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | None = None,
    resume: bool = False,
    callbacks: Sequence[Callback] = (),
) -> Encoder:
    """Train an encoder to point where a teacher's embeddings do, and return it.

    :param teacher: name or folder of a sentence-transformers model; an object with ``encode``; or
        embeddings that are there already, a row a text: an array, or the Path of .npy files
    :param corpus: path of text, several of them as Paths, or a list of texts
    :param config: settings of training, or some of them by name; the others are those of the
        recipe ``distill`` with vectors as wide as the teacher's
    :param settings: what the teacher is asked, and in which space the encoder answers
    :param folder: where the model is saved, with what is needed to resume beside it
    :param cache: where the teacher's embeddings are kept; ``FOLDER.teacher`` unless given
    :param resume: continue with an interrupted run, or start if there is none
    :param callbacks: called after every update with a `Progress`
    """
    outcome = run_distillation(
        teacher,
        corpus,
        config,
        settings=settings or DistillSettings(),
        folder=None if folder is None else Path(folder),
        cache=None if cache is None else Path(cache),
        resume=resume,
        callbacks=callbacks,
    )
    if outcome.ending.signal is not None:
        signal.raise_signal(outcome.ending.signal)
    return outcome.encoder


def run_distillation(
    teacher: AnyTeacher | Floats | os.PathLike[str],
    corpus: Texts,
    config: TrainConfig | Mapping[str, Any] | None,
    *,
    settings: DistillSettings,
    folder: Path | None,
    cache: Path | None = None,
    resume: bool = False,
    callbacks: Sequence[Callback] = (),
    progress: ProgressCallback | None = None,
) -> Outcome:
    """The same as `distill`, with all that is known at the end."""
    with TemporaryDirectory(prefix="cmow-") as temporary:
        if cache is None:
            cache = Path(temporary) / "teacher" if folder is None else beside(folder)
        cache.mkdir(parents=True, exist_ok=True)
        threads = thread_count(settled(config, 1).threads)
        taught = _taught(teacher, corpus, settings, cache, threads, progress)
        if len(taught.texts) < SENTENCES_OF_MATRICES:
            logger.warning(
                "%s texts are few: with fewer than %s, mean(sum(%d)) alone learns more",
                f"{len(taught.texts):,}",
                f"{SENTENCES_OF_MATRICES:,}",
                taught.settings.dim,
            )
        axes = _axes(taught, settings)
        lessons = _lessons(taught, axes)
        config = settled(config, lessons.dim, save_tokenizer(teacher, cache / TOKENIZER))
        prepared = _corpus(taught.texts, cache, config, progress)
        start = _start(teacher, prepared, config, cache)
        if start is not None and axes is not None:
            start = start @ axes
        objective = TeacherObjective(lessons, config, twin_weight=settings.twin_weight, start=start)
        outcome = run_training(
            prepared, config, objective=objective, folder=folder, resume=resume, callbacks=callbacks
        )
        return _bounded(outcome, taught, folder)


def _bounded(outcome: Outcome, taught: TeacherCache, folder: Path | None) -> Outcome:
    """A finished encoder whose parts show nothing longer than they did of what was taught."""
    if not outcome.ending.finished or outcome.rank != 0:
        return outcome
    encoder = outcome.encoder.bounded(taught.texts[:BOUNDING])
    if folder is not None:
        encoder.save(folder)
    return outcome._replace(encoder=encoder)


def _axes(taught: TeacherCache, settings: DistillSettings) -> Floats | None:
    dimensions = settings.dimensions or taught.settings.dim
    if dimensions > taught.settings.dim:
        raise ConfigError(
            f"dimensions = {dimensions}, but the teacher's vectors have {taught.settings.dim} "
            "numbers"
        )
    return None if settings.like else principal_axes(taught.vectors, dimensions)


def _lessons(taught: TeacherCache, axes: Floats | None) -> Lessons:
    vectors = taught.vectors if axes is None else turn(taught.vectors, axes)
    return Lessons(vectors, taught.kinds != 0)


def beside(folder: Path) -> Path:
    """Where the teacher's embeddings are kept unless one says otherwise."""
    folder = folder.resolve()
    return folder.with_name(f"{folder.name}.teacher")


def settled(
    config: TrainConfig | Mapping[str, Any] | None, dim: int, tokenizer: Path | None = None
) -> TrainConfig:
    """All settings: what is not given is the recipe's, for vectors of so many numbers.

    :param tokenizer: the teacher's, whose pieces leave no word out
    """
    if isinstance(config, TrainConfig):
        return config
    defaults: dict[str, Any] = {
        "recipe": "distill",
        "shape": shape_for(dim),
    }
    given = config or {}
    if given.get("max_minutes") is not None:
        defaults["epochs"] = None  # the minutes say how long
    own_words = {"tokenizer", "lowercase", "vocabulary_size", "minimum_count", "word_list"}
    if tokenizer is not None and not own_words & set(given.get(PREPARE, {})):
        defaults[PREPARE] = {"tokenizer": str(tokenizer)}
    return TrainConfig.of(TrainConfig.merged(defaults, given))


def _taught(
    teacher: AnyTeacher | Floats | os.PathLike[str],
    corpus: Texts,
    settings: DistillSettings,
    cache: Path,
    threads: int,
    progress: ProgressCallback | None,
) -> TeacherCache:
    """The texts, twins among them, and the teacher's vectors of them."""
    if isinstance(teacher, (np.ndarray, os.PathLike)):
        return _ready(teacher, corpus, settings, cache)
    total = sum(1 for _ in _texts(corpus))
    wanted = set(_spread(total, settings.sentences).tolist())
    return embed(
        teacher,
        (text for number, text in enumerate(_texts(corpus)) if number in wanted),
        cache,
        CacheSettings(name_of(teacher), dim_of(teacher), settings.twins, seed=0),
        processes=threads,
        total=len(wanted),
        progress=progress,
    )


def _ready(
    embeddings: Floats | os.PathLike[str], corpus: Texts, settings: DistillSettings, cache: Path
) -> TeacherCache:
    """The same of embeddings that are there already."""
    texts, vectors = list(_texts(corpus)), read_vectors(embeddings)
    if len(texts) != len(vectors):
        raise ConfigError(
            f"{len(texts):,} texts and {len(vectors):,} embeddings: give as many of both"
        )
    chosen = _spread(len(texts), settings.sentences)
    name = "embeddings" if isinstance(embeddings, np.ndarray) else Path(embeddings).name
    kept = CacheSettings(name, vectors.shape[1], twins=0.0, seed=0)
    return keep(vectors[chosen], [texts[number] for number in chosen], cache, kept)


def _texts(corpus: Texts) -> Iterator[str]:
    """The texts that are not blank, a line each."""
    lines: Iterable[str]
    if isinstance(corpus, (str, os.PathLike)) or all(
        isinstance(each, os.PathLike) for each in corpus
    ):
        lines = read_lines(corpus)
    else:
        lines = (str(text).replace("\n", " ") for text in corpus)
    return (line for line in lines if line.strip())


def _spread(total: int, count: int | None) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The numbers of so many texts, evenly spread over all."""
    count = total if count is None else min(count, total)
    return np.arange(count, dtype=np.int64) * total // max(count, 1)


def _corpus(
    texts: list[str], cache: Path, config: TrainConfig, progress: ProgressCallback | None
) -> Corpus:
    """All texts as ids, those without a known word as well, so that rows stay what they are."""
    learnt = prepare(
        texts, cache / "corpus", config.prepare, threads=config.threads, progress=progress
    )
    ids = learnt.tokenizer.ids(texts, threads=thread_count(config.threads))
    if not len(ids.flat):
        raise ConfigError("the tokenizer knows no word of the texts: choose another one")
    return Corpus(ids.flat, ids.offsets, learnt.tokenizer, learnt.manifest)


def _start(
    teacher: AnyTeacher | Floats | os.PathLike[str],
    corpus: Corpus,
    config: TrainConfig,
    cache: Path,
) -> Floats | None:
    """The teacher's vectors of the words, if it can be asked."""
    if isinstance(teacher, (np.ndarray, os.PathLike)):
        return None
    kept = cache / f"words-{corpus.fingerprint}.npy"
    if not kept.exists():
        found = vectors_of_words(teacher, corpus.vocabulary, processes=thread_count(config.threads))
        with replaced_file(kept) as fresh, fresh.open("wb") as file:
            np.save(file, found, allow_pickle=False)
    vectors: Floats = np.load(kept, allow_pickle=False)
    return vectors


def joint_objective(
    cache: str | os.PathLike[str],
    config: TrainConfig,
    *,
    weight: float = 1.0,
    settings: DistillSettings | None = None,
) -> JointObjective:
    """What `train` takes to learn from text and from a teacher at once.

    :param cache: where a distillation has kept the teacher's embeddings
    :param weight: of the teacher's loss, that of words being 1
    """
    settings = settings or DistillSettings()
    taught = TeacherCache.open(Path(cache))
    return JointObjective(
        taught.texts,
        _lessons(taught, _axes(taught, settings)),
        config,
        twin_weight=settings.twin_weight,
        weight=weight,
    )

"""The corpus of a run: prepared already, or prepared now."""

import os
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path

from cmow.corpus import SPLITTERS, Corpus, PrepareSettings, is_prepared, prepare
from cmow.encoder import load
from cmow.errors import ConfigError
from cmow.progress import ProgressCallback
from cmow.training.config import TrainConfig

AnyCorpus = Corpus | str | os.PathLike[str] | Iterable[str] | Iterable[os.PathLike[str]]

CORPUS, LEARNT, WORDS = "corpus", "corpus-for-words", "words.txt"


def open_corpus(
    corpus: AnyCorpus,
    config: TrainConfig,
    folder: Path,
    *,
    progress: ProgressCallback | None = None,
) -> Corpus:
    """Open a prepared corpus, or prepare text.

    :param corpus: a folder that ``cmow prepare`` has made; a path, or several, of text; sentences
    :param folder: where to put what is prepared
    """
    if isinstance(corpus, Corpus):
        return corpus
    if isinstance(corpus, (str, os.PathLike)) and is_prepared(Path(corpus)):
        opened = Corpus.open(Path(corpus))
        _check_settings(opened, config.prepare, os.fspath(corpus))
        return opened

    def prepared(name: str, settings: PrepareSettings) -> Corpus:
        return prepare(corpus, folder / name, settings, threads=config.threads, progress=progress)

    if config.continue_from is None:
        return prepared(CORPUS, config.prepare)
    model = Path(config.continue_from)
    tokenizer = load(model).tokenizer
    if not config.extend_vocabulary:
        known = replace(config.prepare, tokenizer=str(model / "tokenizer.json"), word_list=None)
        return prepared(CORPUS, known)
    if tokenizer.kind == "custom":
        raise ConfigError(f"{model} has a tokenizer of another's making: its words are fixed")
    _check_readable_twice(corpus)
    learning = replace(
        config.prepare, tokenizer=tokenizer.kind, lowercase=tokenizer.lowercase, word_list=None
    )
    found = prepared(LEARNT, learning).vocabulary.words
    new = [word for word in found if word not in tokenizer.vocabulary]
    words = folder / WORDS
    words.write_text("\n".join([*tokenizer.vocabulary.words, *new]) + "\n", "utf-8")
    return prepared(CORPUS, replace(learning, word_list=str(words)))


def _check_settings(corpus: Corpus, settings: PrepareSettings, name: str) -> None:
    """Refuse settings that the corpus was not prepared with."""
    for each in fields(settings):
        wanted, used = getattr(settings, each.name), corpus.manifest.settings.get(each.name)
        if wanted != each.default and wanted != used and not _names_a_file(each.name, wanted):
            raise ConfigError(
                f"{name} was prepared with {each.name} = {used!r}, not {wanted!r}: "
                "leave the setting out, or give the text"
            )


def _names_a_file(setting: str, value: object) -> bool:
    """Whether it is known by the file's content, not by its name."""
    return setting == "word_list" or (setting == "tokenizer" and value not in SPLITTERS)


def _check_readable_twice(corpus: AnyCorpus) -> None:
    items = corpus if isinstance(corpus, (list, tuple)) else [corpus]
    stdin = corpus == "-" or any(item == Path("-") for item in items)
    once = not isinstance(corpus, (str, os.PathLike)) and iter(corpus) is corpus
    if stdin or once:
        raise ConfigError("new words are found by reading the text twice: put it into a file")

"""Text of any size becomes ids on disk, once for each text and settings."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cmow.corpus.encoding import InvalidLines
from cmow.corpus.manifest import VERSION, Manifest, Statistics, is_prepared
from cmow.corpus.passes import LEAST_WORDS, count_words, write_ids
from cmow.corpus.progress import Tracker
from cmow.corpus.readers import Block
from cmow.corpus.sentences import split_sentences
from cmow.corpus.settings import SPLITTERS, PrepareSettings
from cmow.corpus.shards import COUNTS, TOKENIZER, Corpus
from cmow.corpus.sources import Inputs, Source, content_hash, open_source
from cmow.corpus.tables import without_tables
from cmow.durable import replaced_folder
from cmow.errors import ConfigError, FormatError, path_in_errors
from cmow.progress import ProgressCallback
from cmow.text import Tokenizer, Vocabulary
from cmow.threads import thread_count

_logger = logging.getLogger("cmow.corpus")


def prepare(
    inputs: Inputs,
    folder: str | Path,
    settings: PrepareSettings | None = None,
    *,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> Corpus:
    """Turn text into a folder of ids, or open that folder if it holds just that already.

    :param inputs: a path, folder, glob or "-" for stdin; several of them as Path objects; or any
        iterable of strings, which are the sentences themselves
    :param threads: all cores when None; the same files for any number
    :param progress: called now and then from this thread
    """
    folder = Path(folder)
    settings = settings or PrepareSettings()
    threads = thread_count(threads)
    tracker = Tracker(progress)
    _refuse_foreign(folder)
    with open_source(
        inputs,
        spool=folder.resolve().parent,
        tracker=tracker,
        paragraphs=settings.split,
        column=settings.column,
    ) as source:
        _refuse_overlap(source, folder)
        key = _key(settings)
        if _is_finished(folder, source, key, tracker):
            _logger.info("%s: prepared before and unchanged", folder)
        else:
            with replaced_folder(folder) as fresh:
                _Preparation(source, settings, threads, tracker).write(fresh, key)
    return Corpus.open(folder)


def _refuse_foreign(folder: Path) -> None:
    ours = not folder.exists() or is_prepared(folder)
    if not ours and not (folder.is_dir() and not any(folder.iterdir())):
        raise ConfigError(f"{folder} exists and is no prepared corpus; choose another folder")
    if Path.cwd().is_relative_to(folder.resolve()):
        raise ConfigError(f"{folder} is to be replaced and you are in it; choose another folder")


def _refuse_overlap(source: Source, folder: Path) -> None:
    for file in source.files or []:
        if file.resolve().is_relative_to(folder.resolve()):
            raise ConfigError(f"{folder} holds {file}, which is to be read; choose another folder")


def _key(settings: PrepareSettings) -> dict[str, Any]:
    """The settings with the contents of files in place of their names."""
    key = asdict(settings)
    if settings.column is None:
        del key["column"]  # so that texts without columns are known from before there were any
    files = {"word_list": settings.word_list}
    if settings.tokenizer not in SPLITTERS:
        files["tokenizer"] = settings.tokenizer
    for name, path in files.items():
        if path is not None:
            key[name] = content_hash(Path(path).read_bytes()).hexdigest()
    return key


def _is_finished(folder: Path, source: Source, key: dict[str, Any], tracker: Tracker) -> bool:
    """Whether a folder holds the text and settings already; reads the text only in doubt."""
    try:
        finished = Corpus.open(folder).manifest
    except (FileNotFoundError, FormatError):
        return False
    if finished.settings != key:
        return False
    stamps = source.stamps()
    if stamps is not None and stamps == finished.stamps:
        return True
    if source.digest(tracker) != finished.content:
        return False
    with suppress(OSError):  # a shared folder may be read-only; then the next time takes as long
        replace(finished, stamps=stamps).write(folder)
    return True


@dataclass(frozen=True)
class _Preparation:
    """One text on its way to disk."""

    source: Source
    settings: PrepareSettings
    threads: int
    tracker: Tracker

    def write(self, folder: Path, key: dict[str, Any]) -> None:
        """Go through the text twice, or once if the vocabulary is given."""
        stamps = self.source.stamps()
        tokenizer = self._tokenizer()
        policy = InvalidLines(self.settings.invalid, log=not self.settings.learns_vocabulary)
        content = content_hash()
        blocks = self._sentences(_hashed(self.source.blocks(), content), policy)
        self.tracker.start("write", self.source.size)
        written = write_ids(blocks, tokenizer, folder, threads=self.threads, tracker=self.tracker)
        if not written.sentences:
            raise FormatError(
                f"none of {written.lines:,} lines has two words of the vocabulary; "
                "give more text or other words"
            )
        if self.source.stamps() != stamps:
            raise FormatError("the text was changed while it was read; prepare it again")
        with path_in_errors(folder / COUNTS):
            (folder / COUNTS).write_bytes(written.counts.astype("<i8").tobytes())
        tokenizer.save(folder / TOKENIZER)
        statistics = Statistics(
            written.lines, written.sentences, written.tokens, written.unknown, policy.count
        )
        Manifest(VERSION, key, content.hexdigest(), stamps, statistics).write(folder)

    def _sentences(self, blocks: Iterable[Block], policy: InvalidLines) -> Iterator[Block]:
        if self.settings.column is None:
            blocks = without_tables(blocks, log=policy.log)
        mended = (block._replace(data=policy.mend(*block[:3])) for block in blocks)
        if self.settings.split:
            return split_sentences(mended, language=self.settings.language)
        return mended

    def _tokenizer(self) -> Tokenizer:
        settings = self.settings
        if settings.tokenizer not in SPLITTERS:
            return Tokenizer.from_file(settings.tokenizer)
        if settings.word_list is not None:
            vocabulary = Vocabulary.from_file(settings.word_list)
        else:
            vocabulary = self._learnt_vocabulary()
        if len(vocabulary) < LEAST_WORDS:
            raise ConfigError(
                f"a vocabulary of {len(vocabulary)} words, but {LEAST_WORDS} are needed; "
                f"give more text or a minimum_count lower than {settings.minimum_count}"
            )
        make = Tokenizer.words if settings.tokenizer == "words" else Tokenizer.whitespace
        return make(vocabulary, lowercase=settings.lowercase)

    def _learnt_vocabulary(self) -> Vocabulary:
        settings = self.settings
        self.tracker.start("count", self.source.size)
        counter = count_words(
            self._sentences(self.source.blocks(), InvalidLines(settings.invalid)),
            settings.tokenizer,
            settings.lowercase,
            threads=self.threads,
            tracker=self.tracker,
        )
        if not counter.total:
            raise FormatError("the corpus is empty: there is not a word in it")
        return Vocabulary(*counter.most_common(settings.vocabulary_size, settings.minimum_count))


def _hashed(blocks: Iterable[Block], content: Any) -> Iterator[Block]:
    for block in blocks:
        content.update(block.data)
        yield block

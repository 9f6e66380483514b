"""What is damaged: valid files, and what users do with them."""

import gzip
import io
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers
from children import NotFiniteError
from senteval import BagOfWords, write_senteval
from tokenizers import models, normalizers, pre_tokenizers, trainers

import cmow
from cmow import TrainConfig
from cmow.corpus import PrepareSettings, prepare, read_lines
from cmow.encoder import Encoder, load
from cmow.encoder.vectors import read_vectors, write_vectors
from cmow.evaluation import evaluate
from cmow.paper.reproduction.experiment import Experiment
from cmow.search import Index
from cmow.settings import write_toml
from cmow.text import Tokenizer, Vocabulary
from cmow.training import read_settings

WORDS = [f"w{number}" for number in range(30)]
draw = random.Random(0)
SENTENCES = [" ".join(draw.choices(WORDS, k=draw.randint(3, 9))) for _ in range(120)]
CONFIG = TrainConfig(
    shape="sum(6)+product(3)",
    batch_sentences=16,
    schedule="constant",
    max_updates=4,
    checkpoint_updates=2,
    validation_updates=2,
    threads=1,
    prepare=PrepareSettings(minimum_count=1),
)
# None of the native ones splits "Größe's" so, and no table has all of them.
PROBES = ["w1 w2 w3", "", "w1", "Größe's 犬 \U0001f600", "w4 " * 300, "\x00 \u2028 \ud7ff"]


@dataclass(frozen=True)
class Target:
    """Files of one kind.

    :param make: writes valid files into a folder
    :param use: works with the files of a folder, one of which is damaged and named
    """

    name: str
    make: Callable[[Path], object]
    use: Callable[[Path, Path], None]
    seconds: float = 20.0


def check(*arrays: Any) -> None:
    """Results are finite, whatever they were made of."""
    for array in arrays:
        if not np.isfinite(np.asarray(array, np.float64)).all():
            raise NotFiniteError(str(np.asarray(array).shape))


# ---- model folders ------------------------------------------------------------------------------


def make_model(folder: Path) -> None:
    tokenizer = Tokenizer.words(Vocabulary(WORDS, range(30, 0, -1)))
    shape = "mean(sum(7))+product(4)+windows(3)+reversed(3)"
    encoder = Encoder.initialize(tokenizer, shape, seed=1, sigma=0.1)
    encoder.save(folder, training={"updates": 5})


def make_small_model(folder: Path) -> None:
    encoder = Encoder.initialize(_custom(_word_piece(), folder), "sum(7)+product(4)", seed=1)
    encoder.save(folder, storage="int8")


def make_smallest_model(folder: Path) -> None:
    tokenizer = Tokenizer.words(Vocabulary(WORDS, range(30, 0, -1)))
    shape = "sum(7)+product(3)+windows(4)"
    Encoder.initialize(tokenizer, shape, seed=1, sigma=0.1).save(folder, storage="int4")


def use_model(folder: Path, damaged: Path) -> None:  # noqa: ARG001
    encoder = load(folder)
    check(encoder.encode(PROBES, threads=1), encoder.encode(PROBES, normalize="parts"))
    check(encoder.encode_ids([[0], []]))
    encoder.save(folder.with_name("saved"))


def searcher() -> Encoder:
    tokenizer = Tokenizer.words(Vocabulary(WORDS, range(30, 0, -1)))
    return Encoder.initialize(tokenizer, "sum(7)+product(3)", seed=1, sigma=0.1)


def make_index(folder: Path) -> None:
    index = Index.build(searcher(), SENTENCES[:60], folder / "index", storage="float16")
    index.add(SENTENCES[60:])
    index.remove([3, 70])


def use_index(folder: Path, damaged: Path) -> None:  # noqa: ARG001
    index = Index.open(folder / "index", searcher())
    for order in (None, 0, 0.5):
        for hits in index.search(PROBES, 5, order=order, threads=2):
            check([hit.score for hit in hits])


# ---- prepared corpora and checkpoints -----------------------------------------------------------


def make_corpus(folder: Path) -> None:
    prepare(SENTENCES, folder, CONFIG.prepare)


def use_corpus(folder: Path, damaged: Path) -> None:  # noqa: ARG001
    check(*(part.table for part in cmow.train(folder, CONFIG).parts))


def make_run(folder: Path) -> None:
    (folder / "text").write_text("\n".join(SENTENCES))
    config = TrainConfig.of({**CONFIG.as_dict(), "keep_run": True})
    cmow.train(folder / "text", config, folder=folder / "model")


def use_run(folder: Path, damaged: Path) -> None:  # noqa: ARG001
    config = TrainConfig.of({**CONFIG.as_dict(), "max_updates": 7})
    encoder = cmow.train(folder / "text", config, folder=folder / "model", resume=True)
    check(*(part.table for part in encoder.parts))


# ---- files of others ----------------------------------------------------------------------------


def make_vectors(folder: Path) -> None:
    table = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    write_vectors(folder / "text.vec", WORDS, table)
    write_vectors(folder / "binary.bin", WORDS, table, binary=True)
    text = (folder / "text.vec").read_bytes()
    (folder / "glove.txt").write_bytes(text.partition(b"\n")[2])
    (folder / "packed.vec.gz").write_bytes(gzip.compress(text))


def use_vectors(folder: Path, damaged: Path) -> None:  # noqa: ARG001
    check(read_vectors(damaged).table)
    check(read_vectors(damaged, lowercase=True, limit=3).table)


TASKS_OF = {
    "MR/": "MR", "TREC/": "TREC", "SST/binary": "SST2", "SST/fine": "SST5", "MRPC/": "MRPC",
    "SICK/": "SICK-E", "STS12": "STS12", "STSB": "STS-B", "tree_depth": "Depth",
    "word_content": "WC", "questions-words": "Analogies", "ws353": "WS-353",
}  # fmt: skip


def make_senteval(folder: Path) -> None:
    write_senteval(folder)
    wordsim = folder / "wordsim"
    wordsim.mkdir()
    (wordsim / "ws353.txt").write_text("".join(f"w{n}\tw{n + 1}\t{n % 10}\n" for n in range(20)))
    questions = ": capital\nw1 w2 w3 w4\n: gram1-x\nw5 w6 w7 w8\n"
    (wordsim / "questions-words.txt").write_text(questions)
    for file in folder.rglob("*"):
        if file.is_file() and not any(part in str(file) for part in TASKS_OF):
            file.unlink()


def use_senteval(folder: Path, damaged: Path) -> None:
    task = next(task for part, task in TASKS_OF.items() if part in str(damaged))
    tokenizer = Tokenizer.words(Vocabulary(WORDS))
    words = Encoder.initialize(tokenizer, "sum(7)", seed=1)
    model = words if "wordsim" in str(damaged) else BagOfWords(5)
    report = evaluate(model, data=folder, tasks=[task])
    for run in report.runs["model"].values():
        check(run.result.score, *run.result.scores.values())


def _word_piece() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        SENTENCES, trainers.WordPieceTrainer(vocab_size=60, special_tokens=["[UNK]"])
    )
    return made


def _byte_pairs() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel()
    made.train_from_iterator(SENTENCES, trainers.BpeTrainer(vocab_size=60))
    return made


def _unigram() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.train_from_iterator(
        SENTENCES, trainers.UnigramTrainer(vocab_size=60, unk_token="?", special_tokens=["?"])
    )
    return made


def _custom(library: tokenizers.Tokenizer, folder: Path) -> Tokenizer:
    path = folder.with_name("made.json")
    library.save(str(path))
    return Tokenizer.from_file(path)


def make_tokenizers(folder: Path) -> None:
    for name, make in (("piece", _word_piece), ("pair", _byte_pairs), ("unigram", _unigram)):
        make().save(str(folder / f"{name}.json"))
    Tokenizer.words(Vocabulary(WORDS)).save(folder / "words.json")
    (folder / "list.txt").write_text("".join(f"{word}\t{n}\n" for n, word in enumerate(WORDS)))


def use_tokenizer(folder: Path, damaged: Path) -> None:
    if damaged.suffix == ".txt":
        Vocabulary.from_file(damaged)
        return
    tokenizer = Tokenizer.from_file(damaged)
    ids = tokenizer.ids(PROBES, threads=1)
    assert len(ids.offsets) == len(PROBES) + 1
    tokenizer.split(PROBES)
    tokenizer.save(folder / "saved.json")
    encoder = Encoder.initialize(tokenizer, "sum(3)", seed=0)
    check(encoder.encode(PROBES))


def make_settings(folder: Path) -> None:
    (folder / "settings.toml").write_text(write_toml(CONFIG))
    (folder / "paper.toml").write_text(
        'title = "T"\nkind = "scores"\ncompare = "one"\n[training]\nmax_updates = 5\n'
        '[models.small]\nshape = "sum(5)"\n[rows.one]\nencoder = "small"\nseeds = 2\n'
    )


def use_settings(folder: Path, damaged: Path) -> None:  # noqa: ARG001
    if damaged.name == "paper.toml":
        experiment = Experiment.read(damaged)
        for model in experiment.settings:
            experiment.config(model, 0, {})
    else:
        write_toml(TrainConfig.of(read_settings(damaged)))


# ---- texts --------------------------------------------------------------------------------------


def make_texts(folder: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    text = "\n".join(SENTENCES[:60]).encode()
    (folder / "plain.txt").write_bytes(text)
    (folder / "packed.gz").write_bytes(gzip.compress(text))
    rows = "".join(f'{n},"{sentence}",x\r\n' for n, sentence in enumerate(SENTENCES[:30]))
    (folder / "table.csv").write_text(f"id,text,other\r\n{rows}")
    (folder / "table.tsv").write_text(f"id\ttext\tother\n{rows}".replace(",", "\t"))
    objects = (f'{{"id": {n}, "text": "{each}"}}\n' for n, each in enumerate(SENTENCES[:30]))
    (folder / "table.jsonl").write_text("".join(objects))
    file = io.BytesIO()
    parquet.write_table(pyarrow.table({"text": SENTENCES[:30]}), file)
    (folder / "table.parquet").write_bytes(file.getvalue())


def use_text(folder: Path, damaged: Path) -> None:
    column = "text" if damaged.name.startswith("table") else None
    for invalid in ("fail", "replace", "skip"):
        settings = PrepareSettings(minimum_count=1, column=column, invalid=invalid)
        try:
            corpus = prepare(damaged, folder.with_name(f"prepared-{invalid}"), settings, threads=1)
        except ValueError:
            if invalid == "skip":
                raise
        else:
            encoder = Encoder.initialize(corpus.tokenizer, "sum(5)+product(3)", seed=0)
    if column is None:
        texts = list(read_lines(damaged, invalid="replace"))
        embedded = encoder.encode(texts, threads=1)
        check(embedded)
        assert (embedded == encoder.encode(texts, threads=2)).all()


TARGETS = [
    Target("model folders", make_model, use_model),
    Target("int8 models with a tokenizer of others", make_small_model, use_model),
    Target("int4 models", make_smallest_model, use_model),
    Target("indexes", make_index, use_index),
    Target("prepared corpora", make_corpus, use_corpus),
    Target("checkpoints", make_run, use_run),
    Target("vector files", make_vectors, use_vectors),
    Target("SentEval files", make_senteval, use_senteval, seconds=60.0),
    Target("tokenizer files", make_tokenizers, use_tokenizer),
    Target("TOML", make_settings, use_settings),
    Target("texts and tables", make_texts, use_text),
]
os.environ["TOKENIZERS_PARALLELISM"] = "false"  # its threads do not survive a fork

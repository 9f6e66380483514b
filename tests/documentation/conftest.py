"""A folder with all that the code blocks of the documentation work on."""

import gzip
import lzma
import secrets
import shutil
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import cmow
from cmow.paper.demo import DemoSettings
from cmow.paper.grammar import Grammar
from cmow.paper.probing import GRAMMAR_SETTINGS, build_from_grammar

sys.path.append(str(Path(__file__).parents[1] / "evaluation"))
from senteval import CLUES, FILLERS, write, write_senteval

ROOT = Path(__file__).parents[2]
SENTENCES = 1500
CONFIG = cmow.TrainConfig(
    shape="sum(40)+product(6)", max_updates=60, learning_rate=1e-2, share_negatives="sentence"
)
SMALL_DEMO = """
from cmow.cli import demo, main
from cmow.paper.demo import DemoSettings

demo._settings = lambda: {settings}
main()
"""
PROBING = replace(
    GRAMMAR_SETTINGS, train=120, valid=30, test=30, content_words=5, top_sequences=4, depths=3
)


@pytest.fixture(scope="session")
def prepared_place(tmp_path_factory: pytest.TempPathFactory, tiny: DemoSettings) -> Path:
    """The folder as every page finds it."""
    place = tmp_path_factory.mktemp("documentation") / "place"
    texts = [sentence.text for sentence in Grammar().sentences(SENTENCES)]
    write(place / "corpus.txt", texts)
    write(place / "my.txt", texts)
    (place / "small_demo.py").write_text(SMALL_DEMO.format(settings=tiny))
    write(place / "new.txt", [f"{text} indeed" for text in texts[:200]])
    write(place / "sentences.txt", texts[:20])
    write(place / "words.txt", ["the", "dog", "chased", "a", "cat", "."])
    write(place / "pairs.tsv", [f"{one}\t{other}" for one, other in pairwise(texts[:6])])
    reviews = {"stars": [number % 5 + 1 for number in range(100)], "body": texts[:100]}
    parquet.write_table(pyarrow.table(reviews), place / "reviews.parquet")
    _pack(place, texts)
    _senteval(place / "senteval")
    _experiments(place)
    # The words of the sets are known, so that there is something to be learned from them.
    cmow.train([*texts, *([" ".join([*FILLERS, *CLUES])] * 20)], CONFIG).save(place / "model")
    return place


@pytest.fixture
def place(prepared_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder to work in."""
    shutil.copytree(prepared_place, tmp_path / "place")
    monkeypatch.chdir(tmp_path / "place")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    # Else Ray leaves one in the home folder.
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    return tmp_path / "place"


def _experiments(place: Path) -> None:
    shutil.copytree(ROOT / "examples", place / "examples")
    (place / "rebuilt/probing").mkdir(parents=True)
    shutil.copy(place / "senteval/probing/bigram_shift.txt", place / "rebuilt/probing")
    (place / "short.toml").write_text("max_updates = 2\n")


def _pack(place: Path, texts: list[str]) -> None:
    data = "".join(f"{text}\n" for text in texts[:500]).encode()
    (place / "a.txt").write_bytes(data)
    (place / "b.txt.gz").write_bytes(gzip.compress(data))
    (place / "corpus.txt.xz").write_bytes(lzma.compress(data))


def _senteval(folder: Path) -> None:
    write_senteval(folder)
    shutil.copy(folder.parent / "corpus.txt", folder / "downstream/sentences.txt")
    shutil.rmtree(folder / "probing")
    build_from_grammar(folder / "probing", PROBING)

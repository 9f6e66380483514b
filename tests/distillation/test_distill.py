"""A teacher's embeddings become an encoder: what is kept, what is learned, and what is refused."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import cmow
from cmow import TrainConfig
from cmow.distillation import DistillSettings, embeddings
from cmow.distillation.embeddings import CacheSettings, TeacherCache, embed
from cmow.distillation.twins import REORDERINGS, draw_twin, reorder
from cmow.errors import ConfigError, FormatError

WORDS = [f"{first}{second}" for first in "bdfgkl" for second in ("ado", "emi", "ipo", "olu")]


class Teacher:
    """Knows words, and the first word of a text best: order counts."""

    dim = 12

    def __init__(self):
        generator = np.random.default_rng(3)
        self.vectors = {word: generator.normal(size=self.dim) for word in WORDS}

    def encode(self, texts):
        rows = []
        for text in texts:
            words = [self.vectors.get(word, np.zeros(self.dim)) for word in text.split()]
            weights = 1 / np.arange(1, len(words) + 1)
            rows.append(weights @ np.array(words) if words else np.zeros(self.dim))
        return np.array(rows)


def some_texts(count, seed=0):
    generator = np.random.default_rng(seed)
    return [" ".join(generator.choice(WORDS, generator.integers(2, 9))) for _ in range(count)]


TEXTS = some_texts(600)
CONFIG = TrainConfig.of(
    {
        "recipe": "distill",
        "shape": "mean(sum(12))+mean(product(3))+mean(windows(3))",
        "batch_sentences": 32,
        "learning_rate": 0.02,
        "epochs": 12,
        "validation_updates": 50,
        "threads": 1,
    }
)


LIKE = DistillSettings(like=True)


def fidelity(encoder, texts):
    teacher = Teacher().encode(texts)
    ours = encoder.encode(texts, normalize="all")
    return float(np.mean((teacher / np.linalg.norm(teacher, axis=1, keepdims=True) * ours).sum(1)))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("distilled") / "model"
    cmow.distill(Teacher(), TEXTS, CONFIG, settings=LIKE, folder=folder)
    return folder


@pytest.mark.filterwarnings("ignore")
def test_an_encoder_points_where_its_teacher_does(model):
    encoder = cmow.load(model)
    assert encoder.dim == Teacher.dim
    held_out = some_texts(200, seed=9)
    assert fidelity(encoder, held_out) > 0.85
    bag = encoder.part("cbow")
    assert fidelity(encoder, held_out) > fidelity(bag, held_out)  # order helps
    one, other = "bado kemi gipo", "gipo kemi bado"
    assert encoder.similarity(one, other) < 0.999
    assert bag.similarity(one, other) == pytest.approx(1, abs=1e-5)


def cosines(embeddings):
    units = embeddings / np.linalg.norm(embeddings, axis=1, keepdims=True)
    return (units @ units.T)[np.triu_indices(len(units), 1)]


def test_the_first_numbers_say_most():
    turned = cmow.distill(Teacher(), TEXTS, CONFIG)
    held_out = some_texts(100, seed=9)
    teacher = cosines(Teacher().encode(held_out))
    agreement = {
        count: np.corrcoef(cosines(turned.encode(held_out, dimensions=count)), teacher)[0, 1]
        for count in (4, 8, 12)
    }
    assert agreement[4] < agreement[8] < agreement[12]
    assert agreement[12] > 0.75
    last = np.corrcoef(cosines(turned.encode(held_out)[:, -4:]), teacher)[0, 1]
    assert agreement[4] > last
    shorter = cmow.distill(
        Teacher(), TEXTS, {"epochs": 1, "threads": 1}, settings=DistillSettings(dimensions=5)
    )
    assert shorter.dim == 5
    with pytest.raises(ConfigError, match="13, but the teacher's vectors have 12"):
        cmow.distill(Teacher(), TEXTS, CONFIG, settings=DistillSettings(dimensions=13))
    with pytest.raises(ConfigError, match="either like"):
        DistillSettings(like=True, dimensions=5)


def test_a_text_without_known_words_is_zero(model):
    encoder = cmow.load(model)
    assert not encoder.encode(["", "unheard of"]).any()
    assert encoder.similarity("bado", "") == 0


def test_the_same_bits_with_any_number_of_threads_and_after_saving(model, tmp_path):
    encoder = cmow.load(model)
    texts = some_texts(300, seed=4)
    one = encoder.encode(texts, threads=1)
    np.testing.assert_array_equal(encoder.encode(texts, threads=3), one)
    for text, embedding in zip(texts[:20], one, strict=False):
        np.testing.assert_array_equal(encoder.encode([text])[0], embedding)
    encoder.save(tmp_path / "copy", storage="int8")
    np.testing.assert_allclose(cmow.load(tmp_path / "copy").encode(texts), one, atol=0.05)


def test_pieces_compose(model):
    encoder = cmow.load(model)
    left, right = encoder.encode_elements(["bado kemi"]), encoder.encode_elements(["gipo"])
    composed = encoder.view(encoder.compose(left, right))
    np.testing.assert_allclose(composed, encoder.encode(["bado kemi gipo"]), atol=1e-5)
    assert not encoder.view(encoder.encode_elements([""])).any()


def test_parts_are_not_normalised_in_one_space(model):
    with pytest.raises(ConfigError, match="one space"):
        cmow.load(model).encode(["bado"], normalize="parts")


def test_embeddings_that_are_there_already(tmp_path):
    vectors = Teacher().encode(TEXTS).astype(np.float16)
    for number, some in enumerate(np.array_split(vectors, 3)):
        np.save(tmp_path / f"{number}.npy", some)
    encoder = cmow.distill(Path(tmp_path), TEXTS, CONFIG, settings=LIKE)
    assert fidelity(encoder, some_texts(200, seed=9)) > 0.8
    with pytest.raises(ConfigError, match=r"599 texts and 600 embeddings"):
        cmow.distill(vectors, TEXTS[:-1], CONFIG)
    vectors[7, 3] = np.nan
    with pytest.raises(FormatError, match="NaN or infinity in embedding 7"):
        cmow.distill(vectors, TEXTS, CONFIG)


def test_the_teacher_is_asked_once(tmp_path):
    asked = []

    class Counting(Teacher):
        def encode(self, texts):
            asked.append(len(texts))
            return super().encode(texts)

    settings = DistillSettings(twins=0.2)
    for name in ("one", "other"):
        teacher = Counting()
        cmow.distill(
            teacher, TEXTS, CONFIG, settings=settings, folder=tmp_path / name, cache=tmp_path / "c"
        )
        if name == "one":
            first = sum(asked)
            asked.clear()
    assert first > 600
    assert sum(asked) <= 4  # to know its dimension, and the last text once more
    with pytest.raises(ConfigError, match="another kind"):
        cmow.distill(
            Counting(), TEXTS, CONFIG, settings=DistillSettings(twins=0.3), cache=tmp_path / "c"
        )


SETTINGS = CacheSettings("Teacher", Teacher.dim, 0.5, 0)


def test_a_cache_that_was_cut_anywhere_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(embeddings, "CHUNK", 16)
    embed(Teacher(), TEXTS[:100], tmp_path / "whole", SETTINGS)
    files = [embeddings.TEXTS, embeddings.KINDS, embeddings.VECTORS]
    expected = {name: (tmp_path / "whole" / name).read_bytes() for name in files}
    generator = np.random.default_rng(0)
    for case in range(20):
        folder = tmp_path / f"cut-{case}"
        embed(Teacher(), TEXTS[: generator.integers(1, 100)], folder, SETTINGS)
        for name in files:
            size = (folder / name).stat().st_size
            with (folder / name).open("ab") as file:
                file.truncate(int(generator.integers(size // 2, size + 1)))
        embed(Teacher(), TEXTS[:100], folder, SETTINGS)
        assert {name: (folder / name).read_bytes() for name in files} == expected


def test_a_killed_process_loses_no_row(tmp_path):
    script = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import time
import test_distill as here
from cmow.distillation import embeddings
embeddings.CHUNK = 8
class Slow(here.Teacher):
    def encode(self, texts):
        time.sleep(0.02)
        return super().encode(texts)
embeddings.embed(Slow(), here.TEXTS, here.Path(sys.argv[1]), here.SETTINGS)
"""
    folder = tmp_path / "cache"
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", script, str(folder)])
        time.sleep(1.2)
        process.kill()
        process.wait()
    killed = embed(Teacher(), TEXTS, folder, SETTINGS)
    whole = embed(Teacher(), TEXTS, tmp_path / "whole", SETTINGS)
    assert killed.texts == whole.texts
    np.testing.assert_array_equal(killed.vectors, whole.vectors)


def test_twins_stand_behind_their_originals(tmp_path):
    cache = embed(Teacher(), TEXTS, tmp_path / "cache", SETTINGS)
    assert [text for text, kind in zip(cache.texts, cache.kinds, strict=True) if not kind] == TEXTS
    for number in np.flatnonzero(cache.kinds):
        twin, original = cache.texts[number], cache.texts[number - 1]
        assert twin != original
        assert sorted(twin.split()) == sorted(original.split())
    share = np.mean(cache.kinds > 0) / np.mean(cache.kinds == 0)
    assert 0.4 < share < 0.6
    assert isinstance(cache, TeacherCache)


@pytest.mark.parametrize("kind", REORDERINGS)
def test_reorderings(kind):
    generator = np.random.default_rng(0)
    text = "the dogs quietly chased some cats , today ."
    twin = reorder(text, kind, generator)
    moved = [a != b for a, b in zip(text.split(), twin.split(), strict=True)]
    assert sorted(twin.split()) == sorted(text.split())
    assert twin.split()[6] == ","
    assert sum(moved) == 2 or kind == "words"
    assert reorder("one one", kind, generator) is None
    assert reorder("", kind, generator) is None


def test_what_cannot_be_reordered_has_no_twin():
    assert draw_twin("alone", seed=0, number=0) is None
    assert draw_twin("a b", seed=0, number=5) == draw_twin("a b", seed=0, number=5)


def test_a_tokenizer_without_a_word_in_common_is_refused(tmp_path):
    (tmp_path / "words.txt").write_text("zzz\nyyy\n")
    config = TrainConfig.of(
        {**CONFIG.as_dict(), "prepare": {"word_list": str(tmp_path / "words.txt")}}
    )
    with pytest.raises(ValueError, match="word"):
        cmow.distill(Teacher(), TEXTS, config)

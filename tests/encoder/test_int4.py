"""Tables of four bits a number: two in a byte, and a scale a row."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from safetensors.numpy import load_file, save_file
from some_words import WORDS

import cmow
from cmow.encoder import Encoder, Part, PartShape, config
from cmow.encoder.composer import Composer
from cmow.encoder.halves import LEAST, MOST, pack, unpack
from cmow.encoder.inputs import ragged
from cmow.encoder.storage import convert
from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer, Vocabulary

TEXTS = ["the dog bit the man", "", "not very good"]


@pytest.fixture
def small(hybrid):
    return Encoder(hybrid.tokenizer, [convert(part, "int4") for part in hybrid.parts])


@pytest.fixture
def folder(small, tmp_path):
    small.save(tmp_path / "model")
    return tmp_path / "model"


def make_part(shape, table):
    return Part("x", PartShape.parse(shape), table)


# ---- bytes --------------------------------------------------------------------------------------


def test_the_low_half_is_the_first_number():
    numbers = np.array([[1, -1, 7, -8], [-7, 0, 3, 2]], np.int8)
    np.testing.assert_array_equal(pack(numbers), [[0xF1, 0x87], [0x09, 0x23]])
    np.testing.assert_array_equal(pack(numbers[:, :3]), [[0xF1, 0x07], [0x09, 0x03]])


@given(numbers=st.integers(1, 9).flatmap(lambda width: arrays(np.int8, (3, width))))
def test_numbers_come_back(numbers):
    numbers = numbers.clip(LEAST, MOST)
    np.testing.assert_array_equal(unpack(pack(numbers), numbers.shape[1]), numbers)


# ---- kernels ------------------------------------------------------------------------------------


def random_part(shape, row_width):
    """A part of random bytes: every number occurs, also where a row has none."""
    generator = np.random.default_rng(row_width)
    table = generator.integers(0, 256, (40, (row_width + 1) // 2), np.uint8)
    scales = generator.normal(size=40).astype(np.float32)
    return Part("x", PartShape.parse(shape), table, scales)


def by_halves(part):
    """The rows, number by number."""
    width = part.monoid.row_width
    halves = np.stack([part.table & 15, part.table >> 4], axis=2).reshape(len(part.table), -1)
    numbers = np.where(halves < 8, halves, halves.astype(np.int32) - 16)[:, :width]
    return part.scales[:, None] * numbers.astype(np.float32) + part.monoid.origin()


@pytest.mark.parametrize("width", [*range(1, 40), 64, 99, 400, 401])
@pytest.mark.usefixtures("level")
def test_rows_have_the_same_bits_on_every_level(width):
    part = random_part(f"sum({width})", width)
    texts = [[word] for word in range(40)]
    out = np.empty((40, width), np.float32)
    Composer([part]).compose(*ragged(texts), out)
    np.testing.assert_array_equal(out, by_halves(part))
    np.testing.assert_array_equal(part.rows(), by_halves(part))
    np.testing.assert_array_equal(part.rows(np.array([7, 3], np.int32)), by_halves(part)[[7, 3]])


@pytest.mark.parametrize("kind", ["product", "reversed", "windows"])
@pytest.mark.parametrize("size", [2, 3, 5, 8, 13, 20])
@pytest.mark.usefixtures("level")
def test_matrices_have_the_same_bits_on_every_level(kind, size):
    part = random_part(f"{kind}({size})", size**2)
    out = np.empty((40, size**2), np.float32)
    Composer([part]).compose(*ragged([[word] for word in range(40)]), out)
    np.testing.assert_array_equal(out, by_halves(part))


# ---- conversion ---------------------------------------------------------------------------------

tables = arrays(np.float32, (3, 5), elements=st.floats(-1e4, 1e4, width=32))


@given(table=tables)
def test_a_number_is_off_by_half_a_step_or_cut_by_the_scale(table):
    part = convert(make_part("sum(5)", table), "int4")
    steps = np.abs(part.scales[:, None])
    ends = np.sort(part.scales[:, None] * np.array([LEAST, MOST], np.float32), axis=1)
    rounding = 1e-6 * np.abs(table) + 1e-37
    nearest = np.clip(table, ends[:, :1], ends[:, 1:])
    assert (np.abs(part.rows() - nearest) <= 0.5 * steps + rounding).all()
    assert (steps[:, 0] * -LEAST <= np.abs(table).max(axis=1) * (1 + 1e-6) + 1e-37).all()


@pytest.mark.parametrize("magnitude", [1e-30, 1e-3, 1e18])
@pytest.mark.parametrize("shape", ["sum(100)", "product(10)", "windows(10)"])
def test_the_scale_is_the_best_of_many(shape, magnitude):
    table = np.random.default_rng(0).normal(size=(50, 100)).astype(np.float32) * magnitude
    part = make_part(shape, table + PartShape.parse(shape).monoid.origin())
    deviation = part.deviations().astype(np.float64)
    stored = convert(part, "int4")
    errors = np.square(stored.deviations() - deviation).sum(axis=1)
    for share in np.linspace(1.2, 0.2, 30):
        scales = share * np.abs(deviation).max(axis=1, keepdims=True) / MOST
        scales = np.where(scales > 0, scales, 1)
        coarse = np.rint(deviation / scales).clip(-MOST, MOST) * scales
        assert errors.sum() <= np.square(coarse - deviation).sum()


def test_rows_of_the_origin_and_of_single_numbers_are_exact():
    table = np.array([[0, 0, 0], [8, 0, 0], [0, -8, 4], [7, -8, 1]], np.float32)
    stored = convert(make_part("sum(3)", table), "int4")
    np.testing.assert_array_equal(stored.rows(), table)
    assert stored.scales[0] == 0


@pytest.mark.parametrize("before", ["float16", "int8"])
def test_any_storage_becomes_int4_and_int4_any(before, hybrid):
    for part in hybrid.parts:
        stored = convert(convert(part, before), "int4")
        assert stored.storage == "int4"
        for after in ("float32", "float16", "int8"):
            np.testing.assert_allclose(convert(stored, after).rows(), stored.rows(), atol=2e-3)


# ---- encoders -----------------------------------------------------------------------------------


def test_a_union_of_vocabularies_keeps_it():
    first, second = (
        Encoder(
            Tokenizer.whitespace(Vocabulary(words.split())),
            [
                convert(part, "int4")
                for part in Encoder.initialize(
                    Vocabulary(words.split()), "sum(3)+product(3)", seed=seed, sigma=0.1
                ).parts
            ],
        )
        for seed, words in enumerate(["a b c", "d b"])
    )
    both = Encoder.concatenate(first, second)
    assert {part.storage for part in both.parts} == {"int4"}
    texts = ["a b d", "d", "c c b", ""]
    expected = np.hstack([first.encode(texts), second.encode(texts)])
    np.testing.assert_allclose(both.encode(texts), expected, atol=1e-6)


def test_what_an_encoder_does_with_words_works(small, tmp_path):
    floats = Encoder(small.tokenizer, [convert(part, "float32") for part in small.parts])
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(small)).encode(TEXTS), small.encode(TEXTS)
    )
    np.testing.assert_allclose(
        small.with_ngram_cache({"the dog": 3, "bit the": 2}).encode(TEXTS),
        floats.encode(TEXTS),
        atol=1e-5,
    )
    np.testing.assert_allclose(
        small.part("cmow").encode(TEXTS), floats.encode(TEXTS)[:, 7:], atol=1e-6
    )
    assert small.most_similar_words("dog") == floats.most_similar_words("dog")
    for encoder, name in ((small, "small"), (floats, "floats")):
        encoder.write_vectors(tmp_path / name)
    assert (tmp_path / "small").read_bytes() == (tmp_path / "floats").read_bytes()


# ---- folders ------------------------------------------------------------------------------------


def test_a_folder_of_two_numbers_a_byte(folder, small):
    tensors = load_file(folder / "model.safetensors")
    assert {name: (str(t.dtype), t.shape) for name, t in tensors.items()} == {
        "cbow.table": ("uint8", (12, 4)),
        "cbow.scales": ("float32", (12,)),
        "cmow.table": ("uint8", (12, 13)),
        "cmow.scales": ("float32", (12,)),
        "counts": ("int64", (12,)),
    }
    loaded = cmow.load(folder, verify=True)
    np.testing.assert_array_equal(loaded.encode(TEXTS), small.encode(TEXTS))


def test_older_readers_are_told_to_upgrade(folder, monkeypatch):
    assert json.loads((folder / "config.json").read_text())["format_version"] == 2
    monkeypatch.setattr(config, "FORMAT_VERSION", 1)
    with pytest.raises(FormatError, match=r"format_version 2 is newer .* upgrade cmow"):
        cmow.load(folder)


DAMAGES = {
    "wrong columns": (
        "cmow.table",
        np.zeros((12, 12), np.uint8),
        r"\(12, 12\) .* uint8 \(12, 13\)",
    ),
    "wrong type": (
        "cmow.table",
        np.zeros((12, 25), np.int8),
        r"int8 \(12, 25\) .* uint8 \(12, 13\)",
    ),
    "few scales": ("cbow.scales", np.zeros(11, np.float32), r"'cbow.scales' is float32 \(11,\)"),
    "no scales": ("cbow.scales", None, r"'cbow.scales' is missing"),
    "infinite": (
        "cbow.scales",
        np.full(12, np.inf, np.float32),
        r"'cbow': NaN or infinity in row 0",
    ),
    "diverged": ("cbow.scales", np.full(12, 1e20, np.float32), r"'cbow'.* diverged"),
}


@pytest.mark.parametrize(("tensor", "value", "fault"), DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told_in_a_line(folder, tensor, value, fault):
    path = folder / "model.safetensors"
    tensors = {**load_file(path), tensor: value}
    save_file({name: t for name, t in tensors.items() if t is not None}, path)
    with pytest.raises(FormatError, match=rf"model\.safetensors: .*{fault}") as told:
        cmow.load(folder)
    assert "\n" not in str(told.value)


def test_verifying_finds_every_changed_half(folder):
    path = folder / "model.safetensors"
    data = path.read_bytes()
    table = cmow.load(folder).parts[1].table.tobytes()
    for place in (0, len(table) // 2, len(table) - 1):
        for half in (0x01, 0x10):
            damaged = bytearray(data)
            damaged[data.index(table) + place] ^= half
            path.write_bytes(damaged)
            with pytest.raises(FormatError, match="'cmow': the table is not the one"):
                cmow.load(folder, verify=True)


def test_wrong_tables_are_refused():
    table, scales = np.zeros((3, 2), np.uint8), np.zeros(3, np.float32)
    for shape in ("sum(3)", "sum(4)", "product(2)"):
        assert Part("x", PartShape.parse(shape), table, scales).storage == "int4"
    for shape, *arrays_ in [
        ("sum(2)", table, scales),
        ("sum(5)", table, scales),
        ("sum(4)", table),
        ("sum(4)", table, scales[:2]),
    ]:
        with pytest.raises(ConfigError, match="part 'x'"):
            Part("x", PartShape.parse(shape), *arrays_)


def test_an_eighth_of_the_bytes(tmp_path):
    encoder = Encoder.initialize(Vocabulary(WORDS), "sum(5000)")
    sizes = {}
    for storage in ("float32", "int4"):
        encoder.save(tmp_path / storage, storage=storage)
        sizes[storage] = (tmp_path / storage / "model.safetensors").stat().st_size
    assert sizes["int4"] < sizes["float32"] / 7.5

"""What a model file records of its tables is trusted, and found out when it is wrong."""

import json
import struct
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import cmow
from cmow import _core
from cmow.encoder import Encoder, Part, PartShape
from cmow.encoder.records import KEY
from cmow.encoder.storage import convert
from cmow.encoder.tensors import read_metadata
from cmow.errors import FormatError
from cmow.text import Tokenizer, Vocabulary

TEXTS = ["the dog bit the man", "", "not very good"]


@pytest.fixture
def model(hybrid, tmp_path):
    hybrid.save(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def no_scan(monkeypatch):
    """Call it to have every reading of a whole table fail from then on."""

    def fail(*_):
        raise AssertionError("a table was read")

    return lambda: monkeypatch.setattr(_core, "scan_table", fail)


def poke(model, tensor, place, value):
    """Change a number of a tensor in the file, and nothing else."""
    path = model / "model.safetensors"
    data = bytearray(path.read_bytes())
    (size,) = struct.unpack("<Q", data[:8])
    entry = json.loads(data[8 : 8 + size])[tensor]
    start = 8 + size + entry["data_offsets"][0] + 4 * (place[0] * entry["shape"][-1] + place[1])
    data[start : start + 4] = np.float32(value).tobytes()
    path.write_bytes(data)


def set_record(model, record):
    path = model / "model.safetensors"
    save_file(load_file(path), path, {KEY: record})


def record_of(model):
    return json.loads(read_metadata(model / "model.safetensors")[KEY])


@pytest.mark.parametrize("storage", ["float32", "float16", "int8", "int4"])
def test_the_record_is_what_reading_the_tables_finds(hybrid, tmp_path, storage):
    hybrid.save(tmp_path / "model", storage=storage)
    for part in cmow.load(tmp_path / "model", verify=True).parts:
        entry = record_of(tmp_path / "model")[part.name]
        assert (entry["smallest"], entry["largest"]) == part.magnitudes == part.scan()
        if storage == "float32":
            largest = np.abs(part.table).max(axis=1)
            assert part.magnitudes == (largest.min(), largest.max())


def test_a_model_is_saved_to_the_same_bytes(hybrid, model, tmp_path):
    hybrid.save(tmp_path / "again")
    one, two = (folder / "model.safetensors" for folder in (model, tmp_path / "again"))
    assert one.read_bytes() == two.read_bytes()


def test_tables_that_are_known_are_not_read_again(hybrid, model, no_scan):
    no_scan()
    loaded = cmow.load(model)
    united = Encoder.concatenate(loaded, loaded.part("cmow"))
    np.testing.assert_array_equal(loaded.encode(TEXTS), hybrid.encode(TEXTS))
    assert united.dim == hybrid.dim + 25


def test_tables_without_a_record_are_read(hybrid, model, no_scan):
    path = model / "model.safetensors"
    save_file(load_file(path), path)
    np.testing.assert_array_equal(cmow.load(model, verify=True).encode(TEXTS), hybrid.encode(TEXTS))
    no_scan()
    with pytest.raises(AssertionError, match="a table was read"):
        cmow.load(model)


def test_another_table_has_magnitudes_of_its_own(hybrid):
    part = hybrid.parts[0]
    assert part.magnitudes.largest > 0
    assert replace(part, table=np.zeros_like(part.table)).magnitudes == (0, 0)
    small = convert(part, "int8")
    assert small.magnitudes == small.scan() != part.magnitudes


# ---- damage -------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.5, 7.0, 1e30, np.nan, np.inf])
@pytest.mark.parametrize("tensor", ["cbow.table", "cmow.table"])
def test_verifying_finds_every_changed_number(model, tensor, value):
    cmow.load(model, verify=True)
    poke(model, tensor, (4, 2), value)
    with pytest.raises(FormatError, match=rf"model\.safetensors: part '{tensor[:4]}'"):
        cmow.load(model, verify=True)


def test_verifying_finds_a_wrong_record(model):
    record = record_of(model)
    record["cmow"]["smallest"] /= 2
    set_record(model, json.dumps(record))
    with pytest.raises(FormatError, match=r"'cmow': rows of magnitudes .* not .* as recorded"):
        cmow.load(model, verify=True)


def test_a_damaged_number_is_named_when_it_is_used(hybrid, model, tmp_path):
    poke(model, "cmow.table", (hybrid.vocabulary.index("dog"), 2), np.nan)
    loaded = cmow.load(model)
    np.testing.assert_array_equal(loaded.encode(TEXTS[1:]), hybrid.encode(TEXTS[1:]))
    fault = f"'cmow': NaN or infinity in row {hybrid.vocabulary.index('dog')}"
    uses = [
        lambda: loaded.encode(TEXTS),
        lambda: loaded.encode(TEXTS, normalize="parts"),
        lambda: loaded.encode(TEXTS, normalize="all", dtype=np.float16),
        lambda: loaded.encode_elements(TEXTS),
        lambda: loaded.similarity("dog", "man"),
        lambda: loaded.most_similar_words("man"),
        lambda: loaded.word_vectors("cmow"),
        lambda: loaded.with_ngram_cache({"the dog": 3}),
        lambda: loaded.save(tmp_path / "other"),
        lambda: loaded.save(tmp_path / "other", storage="int8"),
    ]
    for use in uses:
        with pytest.raises(FormatError, match=fault):
            use()
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("shape", ["sum(4)", "product(2)", "reversed(2)", "windows(2)"])
@pytest.mark.parametrize("magnitude", [2.0**-57, 1.0, 2.0**57])
@pytest.mark.parametrize("recorded", [(0.0, 0.0), (1.0, 1.0), (2.0**-60, 2.0**60)])
def test_a_wrong_record_gives_no_nan(tmp_path, shape, magnitude, recorded):
    table = np.random.default_rng(0).normal(size=(9, 4)).astype(np.float32) * magnitude
    tokenizer = Tokenizer.whitespace(Vocabulary([str(n) for n in range(9)]))
    Encoder(tokenizer, [Part("x", PartShape.parse(shape), table)]).save(tmp_path / "model")
    record = {"smallest": recorded[0], "largest": recorded[1], "crc32": 0}
    set_record(tmp_path / "model", json.dumps({"x": record}))
    loaded = cmow.load(tmp_path / "model")
    for normalize in (None, "all"):
        for length in (1, 5, 40):
            with suppress(FormatError):
                embedding = loaded.encode(["7 1 2 8 " * length], normalize=normalize)
                assert np.isfinite(embedding).all()


@pytest.mark.parametrize(
    "record",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"cmow": 3}',
        '{"cmow": {"smallest": 1}}',
        '{"cmow": {"smallest": "x", "largest": 1, "crc32": 1}}',
        '{"cmow": {"smallest": NaN, "largest": 1, "crc32": 1}}',
        '{"cmow": {"smallest": -1, "largest": 1, "crc32": 1}}',
        '{"cmow": {"smallest": 2, "largest": 1, "crc32": 1}}',
        '{"cmow": {"smallest": 1, "largest": 1e30, "crc32": 1}}',
        '{"cmow": {"smallest": 1, "largest": 1' + 400 * "0" + ', "crc32": 1}}',
        '{"cmow": {"smallest": 1, "largest": 1, "crc32": Infinity}}',
    ],
)
def test_a_record_that_cannot_be_is_not_trusted(hybrid, model, record):
    set_record(model, record)
    np.testing.assert_array_equal(cmow.load(model).encode(TEXTS), hybrid.encode(TEXTS))
    poke(model, "cmow.table", (4, 2), np.nan)
    with pytest.raises(FormatError, match="'cmow': NaN or infinity in row 4"):
        cmow.load(model)

import logging

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from some_words import WORDS

import cmow
from cmow.encoder import Encoder, Part, PartShape
from cmow.encoder.storage import convert, storage_losses
from cmow.errors import ConfigError
from cmow.text import Vocabulary

tables = arrays(np.float32, (3, 4), elements=st.floats(-1e4, 1e4, width=32))


@pytest.mark.parametrize(("composition", "size"), [("sum", 4), ("product", 2)])
@given(table=tables)
def test_int8_is_off_by_half_a_step_of_the_row_at_most(composition, size, table):
    part = Part("x", PartShape.parse(f"{composition}({size})"), table)
    stored = convert(part, "int8")
    deviations = np.abs(table - part.monoid.neutral()).max(axis=1, keepdims=True)
    errors = np.abs(stored.rows() - table)
    assert (errors <= deviations / 127 * 0.501 + 1e-6 * (1 + np.abs(table))).all()


@given(table=tables)
def test_float16_is_rounded_to_the_nearest(table):
    stored = convert(Part("x", PartShape.parse("sum(4)"), table), "float16")
    np.testing.assert_array_equal(stored.rows(), table.astype(np.float16))


def test_float16_saturates():
    stored = convert(
        Part("x", PartShape.parse("sum(2)"), np.array([[1e6, -1e6]], np.float32)), "float16"
    )
    np.testing.assert_array_equal(stored.rows(), [[65504, -65504]])


@pytest.mark.parametrize("composition", ["sum", "product"])
def test_the_neutral_element_is_stored_exactly(composition):
    (neutral,) = Encoder.initialize(Vocabulary(["a"]), [(composition, 3)], sigma=0).parts
    neutral = Part("x", PartShape.parse(f"{composition}(3)"), neutral.monoid.neutral()[None])
    for storage in ("float16", "int8", "int4"):
        np.testing.assert_array_equal(convert(neutral, storage).rows(), neutral.rows())


def test_the_same_storage_is_not_converted_again():
    part = convert(Part("x", PartShape.parse("sum(2)"), np.ones((1, 2), np.float32)), "int8")
    assert convert(part, "int8") is part
    with pytest.raises(ConfigError, match="int2"):
        convert(part, "int2")


@pytest.mark.parametrize(
    ("storage", "most"), [("float32", 0), ("float16", 1e-5), ("int8", 1e-3), ("int4", 0.1)]
)
def test_round_trip_through_a_folder(hybrid, tmp_path, storage, most):
    losses = hybrid.save(tmp_path / "model", storage=storage)
    loaded = cmow.load(tmp_path / "model")
    assert {part.storage for part in loaded.parts} == {storage}
    texts = [" ".join(WORDS[n % 5 :: 2]) for n in range(5)]
    for name, loss in zip(("cbow", "cmow"), losses, strict=True):
        before, after = (e.part(name).encode(texts, normalize="all") for e in (hybrid, loaded))
        assert loss.part == name
        assert loss.mean <= loss.worst <= most
        assert (loss.worst > 0) == (storage != "float32")
        assert (1 - (before * after).sum(axis=1)).max() <= most + 1e-6
    expected = [convert(part, storage).rows() for part in hybrid.parts]
    for part, rows in zip(loaded.parts, expected, strict=True):
        np.testing.assert_array_equal(part.rows(), rows)


@pytest.mark.parametrize("storage", ["float32", "float16", "int8", "int4"])
def test_saving_keeps_the_storage_unless_told_otherwise(hybrid, tmp_path, storage):
    hybrid.save(tmp_path / "model", storage=storage)
    model = cmow.load(tmp_path / "model")
    assert all(loss.worst == 0 for loss in model.save(tmp_path / "again"))
    for before, after in zip(model.parts, cmow.load(tmp_path / "again").parts, strict=True):
        assert after.storage == storage
        np.testing.assert_array_equal(after.table, before.table)
        np.testing.assert_array_equal(after.scales, before.scales)
    model.save(tmp_path / "again", storage="float16")
    assert {part.storage for part in cmow.load(tmp_path / "again").parts} == {"float16"}


def test_parts_of_several_storages_are_saved_without_loss(hybrid, tmp_path):
    half, eighth = (
        Encoder(hybrid.tokenizer, [convert(part, storage)])
        for part, storage in zip(hybrid.parts, ("float16", "int8"), strict=True)
    )
    mixed = Encoder.concatenate(half, eighth)
    mixed.save(tmp_path / "model")
    loaded = cmow.load(tmp_path / "model")
    for before, after in zip(mixed.parts, loaded.parts, strict=True):
        assert after.storage == "float32"
        np.testing.assert_array_equal(after.rows(), before.rows())


def test_the_loss_is_logged_and_written_on_the_card(hybrid, tmp_path, caplog):
    with caplog.at_level(logging.INFO):
        (_, loss) = hybrid.save(tmp_path / "model", storage="int8")
    assert "saved cmow as int8" in caplog.text
    assert (
        f"| cmow | {loss.mean:.2g} | {loss.worst:.2g} |"
        in (tmp_path / "model/README.md").read_text()
    )


def test_words_that_never_occur_do_not_count_in_the_loss():
    table = np.array([[1, 0.5], [300.123, 1.07]], np.float32)
    part = Part("x", PartShape.parse("sum(2)"), table)
    (loss,) = storage_losses([part], [convert(part, "float16")], np.array([5, 0]))
    assert loss.worst == 0
    (loss,) = storage_losses([part], [convert(part, "float16")], np.array([0, 0]))
    assert loss.worst > 0

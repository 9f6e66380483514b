"""Parts that are mapped into one space: the formula, its parts, its beginnings, and its folder."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from some_words import WORDS

from cmow.encoder import Encoder, Placement, Projection, load
from cmow.errors import ConfigError, FormatError

TEXTS = ["", " ".join(WORDS[:3]), WORDS[1], " ".join(reversed(WORDS)), "unheard of", WORDS[0]]
TEXTS += [" ".join(WORDS[i % 7 :]) for i in range(200)]
DIM = 9


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.fixture
def parts(tokenizer):
    shape = "mean(sum(6))+mean(product(3))+mean(windows(2))"
    return Encoder.initialize(tokenizer, shape, seed=3, sigma=0.3).parts


@pytest.fixture
def projection(parts):
    vectors, product, windows = (part.name for part in parts)
    width = parts[2].width
    return Projection(
        (
            Placement(vectors, 0, 6, factor=0.5),
            Placement(product, 0, 8, random(9, 8)),
            Placement(windows, 1, 9, random(width, 8, seed=1)),
            Placement(windows, 7, 9, factor=2.0),
        ),
        random(DIM, seed=2),
    )


@pytest.fixture
def projected(tokenizer, parts, projection):
    return Encoder(tokenizer, parts, projection=projection)


def by_formula(tokenizer, parts, projection, texts):
    out = np.tile(projection.bias.astype(np.float64), (len(texts), 1))
    views = {part.name: Encoder(tokenizer, [part]).encode(texts) for part in parts}
    for place in projection.placements:
        view = views[place.part].astype(np.float64)
        if place.matrix is None:
            out[:, place.begin : place.end] += place.factor * view[:, : place.end - place.begin]
        else:
            out[:, place.begin : place.end] += view @ place.matrix
    known = [any(word in WORDS for word in text.split()) for text in texts]
    return out * np.array(known)[:, None]


def test_embeddings_are_those_of_the_formula(projected, tokenizer, parts, projection):
    expected = by_formula(tokenizer, parts, projection, TEXTS)
    np.testing.assert_allclose(projected.encode(TEXTS), expected, atol=2e-5)
    norms = np.linalg.norm(expected, axis=1, keepdims=True)
    units = expected / np.where(norms > 0, norms, 1)
    np.testing.assert_allclose(projected.encode(TEXTS, normalize="all"), units, atol=1e-5)
    elements = projected.encode_elements(TEXTS)
    np.testing.assert_allclose(projected.view(elements), expected, atol=2e-5)


def test_texts_of_any_length_stay_finite(tokenizer, parts, projection, caplog):
    product = parts[1]
    grown = replace(product, table=2 * product.rows())
    encoder = Encoder(tokenizer, [parts[0], grown, parts[2]], projection=projection)
    text = " ".join(WORDS * 400)
    (embedding,) = encoder.encode([text])
    assert np.isfinite(embedding).all()
    assert np.linalg.norm(encoder.encode([text], normalize="all")) == pytest.approx(1, abs=1e-5)
    assert not caplog.records
    # The product has outgrown all else, and keeps its direction.
    (direction,) = Encoder(tokenizer, [grown]).encode([text], normalize="all")
    placed = projection.of_parts([grown.name], bias=False).apply({grown.name: direction})
    np.testing.assert_allclose(
        encoder.encode(text, normalize="all"), placed / np.linalg.norm(placed), atol=1e-5
    )


def test_no_part_outgrows_what_it_was_bounded_by(projected, tokenizer, parts):
    known = TEXTS[1:3]
    bounded = projected.bounded(known)
    np.testing.assert_allclose(bounded.encode(known), projected.encode(known), atol=1e-6)
    part = Encoder(tokenizer, [parts[0]])
    longest = np.linalg.norm(part.encode(known), axis=1).max()
    views = {each.name: Encoder(tokenizer, [each]).encode(TEXTS) for each in parts}
    norms = np.linalg.norm(views[parts[0].name], axis=1)
    assert norms.max() > longest
    shown = bounded.part(parts[0].name).encode(TEXTS)[:, :6]
    np.testing.assert_allclose(
        shown,
        0.5 * views[parts[0].name] * np.minimum(1, longest / np.maximum(norms, 1e-9))[:, None],
        atol=1e-5,
    )
    elements = bounded.encode_elements(TEXTS)
    np.testing.assert_allclose(bounded.view(elements), bounded.encode(TEXTS), atol=2e-5)


def test_neither_batch_nor_threads_change_a_bit(projected):
    whole = projected.encode(TEXTS, threads=1)
    np.testing.assert_array_equal(projected.encode(TEXTS, threads=3), whole)
    for some in (slice(0, 1), slice(3, 70), slice(64, 65)):
        np.testing.assert_array_equal(projected.encode(TEXTS[some]), whole[some])


@pytest.mark.parametrize("dimensions", [1, 6, 7, 8, DIM])
def test_the_first_numbers(projected, dimensions):
    whole = projected.encode(TEXTS)
    short = projected.encode(TEXTS, dimensions=dimensions)
    np.testing.assert_allclose(short, whole[:, :dimensions], atol=2e-6)
    units = projected.encode(TEXTS, dimensions=dimensions, normalize="all")
    norms = np.linalg.norm(units, axis=1)
    assert np.all((np.abs(norms - 1) < 1e-5) | (norms == 0))
    assert projected.cut(dimensions).dim == dimensions


def test_the_first_numbers_of_parts_side_by_side(hybrid):
    whole = hybrid.encode(TEXTS[:1] + TEXTS[1:20])
    short = hybrid.encode(TEXTS[:1] + TEXTS[1:20], dimensions=9)
    np.testing.assert_array_equal(short[1:4], whole[1:4, :9])
    with pytest.raises(ConfigError, match="1 to 32"):
        hybrid.encode(TEXTS, dimensions=33)


def test_bag_and_order_add_up(projected):
    texts = TEXTS[1:4]
    bag, order = projected.bag(), projected.order()
    np.testing.assert_allclose(
        bag.encode(texts) + order.encode(texts), projected.encode(texts), atol=2e-5
    )
    assert [part.shape.monoid.kind for part in bag.parts] == ["sum"]
    assert [part.shape.monoid.kind for part in order.parts] == ["product", "windows"]


def test_order_weighs_the_parts_that_see_it(projected):
    text, other = f"{WORDS[0]} {WORDS[1]} {WORDS[2]}", f"{WORDS[2]} {WORDS[1]} {WORDS[0]}"
    assert projected.similarity(text, other, order=0) == pytest.approx(1, abs=1e-5)
    at = [projected.similarity(text, other, order=order) for order in (0.25, 0.5, 1)]
    assert at[0] > at[1] > at[2]
    assert at[1] == pytest.approx((1 + at[2]) / 2, abs=1e-5)
    pairs = projected.similarity_pairwise([text, text], [other, text], order=1)
    np.testing.assert_allclose(pairs, [at[2], 1], atol=1e-5)
    with pytest.raises(ConfigError, match="0 to 1"):
        projected.similarity(text, other, order=1.5)
    with pytest.raises(ConfigError, match="sees the order"):
        projected.bag().similarity(text, other, order=1)


def test_encoders_side_by_side_with_weights(projected, hybrid):
    both = Encoder.concatenate(projected, hybrid, weights=[2.0, 0.25])
    texts = TEXTS[1:4]
    expected = np.hstack([2 * projected.encode(texts), 0.25 * hybrid.encode(texts)])
    np.testing.assert_allclose(both.encode(texts), expected, atol=1e-5)
    np.testing.assert_allclose(
        Encoder.concatenate(hybrid, projected).encode(texts)[:, hybrid.dim :],
        projected.encode(texts),
        atol=1e-6,
    )
    with pytest.raises(ConfigError, match="1 weights for 2 encoders"):
        Encoder.concatenate(projected, hybrid, weights=[1])


@pytest.mark.parametrize("storage", ["float32", "int8", "int4"])
def test_a_folder_keeps_it(projected, tmp_path, storage):
    projected.save(tmp_path / "model", storage=storage)
    opened = load(tmp_path / "model", verify=True)
    tolerance = 0 if storage == "float32" else 0.3
    np.testing.assert_allclose(opened.encode(TEXTS), projected.encode(TEXTS), atol=tolerance)
    again = pickle.loads(pickle.dumps(opened))
    np.testing.assert_array_equal(again.encode(TEXTS), opened.encode(TEXTS))
    assert json.loads((tmp_path / "model" / "config.json").read_text())["format_version"] == 2


def test_without_one_a_folder_is_of_the_first_version(hybrid, tmp_path):
    hybrid.save(tmp_path / "model")
    assert json.loads((tmp_path / "model" / "config.json").read_text())["format_version"] == 1


DAMAGES = {
    "no matrix": lambda entries: entries[0].update(mapped=True),
    "too wide": lambda entries: entries[0].update(end=100),
    "of no part": lambda entries: entries[0].update(part="nobody"),
    "no list": lambda entries: entries.append("x"),
    "negative": lambda entries: entries[0].update(begin=-1),
    "longer than anything": lambda entries: entries[0].update(longest=1e30),
    "not a number": lambda entries: entries[0].update(factor=None),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_one_is_refused_in_one_line(projected, tmp_path, damage):
    projected.save(tmp_path / "model")
    path = tmp_path / "model" / "config.json"
    config = json.loads(path.read_text())
    damage(config["projection"])
    path.write_text(json.dumps(config))
    with pytest.raises(FormatError) as caught:
        load(tmp_path / "model")
    assert "\n" not in str(caught.value)


def test_what_does_not_fit_is_refused(tokenizer, parts):
    vectors, bias = parts[0].name, np.zeros(DIM, np.float32)
    for placement, complaint in [
        (Placement("nobody", 0, 3), "no such part"),
        (Placement(vectors, 0, 7), "7 columns for the 6 numbers"),
        (Placement(vectors, 4, 10), "beyond its space"),
        (Placement(vectors, 0, 3, random(5, 3)), r"must be \(6, 3\)"),
        (Placement(vectors, 0, 3, np.full((6, 3), np.nan, np.float32)), "NaN"),
    ]:
        with pytest.raises(ConfigError, match=complaint):
            Encoder(tokenizer, parts, projection=Projection((placement,), bias))

"""onnxruntime computes what an encoder does, from a file alone."""

import numpy as np
import onnx
import onnxruntime
import pytest

from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.integrations.onnx import export_onnx, onnx_inputs

SHAPE = "sum(5)+product(4)+reversed(3)+windows(3,decay=0.7)+mean(sum(2))+mean(product(2))"


def computed(encoder, texts, path, **options):
    export_onnx(encoder, path, **options)
    onnx.checker.check_model(str(path), full_check=True)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (embeddings,) = session.run(None, onnx_inputs(encoder, texts))
    return embeddings


@pytest.mark.parametrize("shape", [*SHAPE.split("+"), SHAPE])
@pytest.mark.parametrize("storage", ["float32", "float16", "int8", "int4"])
def test_every_part_and_storage(hybrid, texts, tmp_path, shape, storage):
    encoder = Encoder.initialize(hybrid.tokenizer, shape, seed=1, sigma=0.1)
    encoder.save(tmp_path / "model", storage=storage)
    encoder = Encoder.load(tmp_path / "model")
    some = [*texts[:40], "", "xyzzy", texts[0].split()[0]]
    expected = encoder.encode(some, normalize="all")
    found = computed(encoder, some, tmp_path / "model.onnx")
    norms = np.linalg.norm(encoder.encode(some), axis=1, keepdims=True)
    np.testing.assert_allclose(found / np.maximum(norms, 1e-30), expected, atol=1e-6)
    units = computed(encoder, some, tmp_path / "unit.onnx", normalize=True)
    np.testing.assert_allclose(units, expected, atol=1e-6)


def test_the_model_that_comes_with_the_package(english, texts, tmp_path):
    some = [*texts[:100], "", "A wonderful film, not bad at all!"]
    for encoder in (english, english.cut(64), english.order()):
        found = computed(encoder, some, tmp_path / "english.onnx", normalize=True)
        np.testing.assert_allclose(found, encoder.encode(some, normalize="all"), atol=1e-6)
    export_onnx(english, tmp_path / "english.onnx")
    assert (tmp_path / "english.onnx").stat().st_size < 40_000_000  # a byte a number


def test_comparable_embeddings(hybrid, texts, tmp_path):
    found = computed(hybrid.comparable(), texts, tmp_path / "model.onnx", normalize=True)
    np.testing.assert_allclose(found @ found.T, hybrid.similarity(texts, texts), atol=5e-6)


@pytest.mark.parametrize("opset", [13, 16, 18, 21])
def test_opsets(hybrid, texts, tmp_path, opset):
    found = computed(hybrid, texts[:5], tmp_path / "model.onnx", opset=opset)
    np.testing.assert_allclose(found, hybrid.encode(texts[:5]), rtol=1e-4, atol=1e-5)
    assert onnx.load(tmp_path / "model.onnx").opset_import[0].version == opset


@pytest.mark.parametrize("opset", [9, 12, 999])
def test_an_opset_that_is_too_old_is_one_line(hybrid, tmp_path, opset):
    with pytest.raises(ConfigError, match=rf"opset must be 13 to \d+, not {opset}") as caught:
        export_onnx(hybrid, tmp_path / "model.onnx", opset=opset)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "model.onnx").exists()


def test_what_is_no_list_of_texts_is_refused(hybrid):
    with pytest.raises(TypeError, match="not a single str"):
        onnx_inputs(hybrid, "a text, and not its letters")
    with pytest.raises(TypeError, match="text 1 is of type NoneType"):
        onnx_inputs(hybrid, ["a text", None])

"""How fast onnxruntime runs an exported encoder, against our own core.

    python bench/exported.py

From ids, in batches of 256 sentences of about 25 words, on one thread each, in one run. Needs
`pip install 'cmow[onnx]' onnxruntime`. Writes results/exported.json and results/exported.md.
"""

import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
from measuring import OURS, VOCABULARY, best_rate, machine, table, write_results, zipf_ids

from cmow import Encoder, load
from cmow.integrations.onnx import export_onnx
from cmow.text import Vocabulary

TEXTS, LENGTH = 256, 25


def rates(encoder: Encoder, folder: Path) -> dict[str, float]:
    """Sentences for each CPU-second, by both."""
    drawn = zipf_ids(np.random.default_rng(0), TEXTS * LENGTH, vocabulary=len(encoder.vocabulary))
    offsets = np.arange(TEXTS + 1) * LENGTH
    export_onnx(encoder, folder / "model.onnx")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(folder / "model.onnx", options)
    inputs = {
        "input_ids": drawn.reshape(TEXTS, LENGTH).astype(np.int64),
        "attention_mask": np.ones((TEXTS, LENGTH), bool),
    }
    found = session.run(None, inputs)[0]
    expected = encoder.encode_ids(drawn, offsets, threads=1)
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)
    return {
        "cmow": best_rate(lambda: encoder.encode_ids(drawn, offsets, threads=1), TEXTS).cpu,
        "onnxruntime": best_rate(lambda: session.run(None, inputs), TEXTS).cpu,
    }


def main() -> None:
    """Measure and write."""
    vocabulary = Vocabulary([f"w{number}" for number in range(VOCABULARY)])
    encoders = {OURS: Encoder.initialize(vocabulary, OURS), "english": load()}
    with tempfile.TemporaryDirectory() as folder:
        found = {name: rates(encoder, Path(folder)) for name, encoder in encoders.items()}
    rows = [
        [name, rate["cmow"], rate["onnxruntime"], rate["cmow"] / rate["onnxruntime"]]
        for name, rate in found.items()
    ]
    header = ["sentences of 25 words per CPU-second", "cmow", "onnxruntime", "ratio"]
    sections = [f"Batches of {TEXTS}, from ids, one thread.", table(header, rows)]
    figures = {"machine": machine("onnx", "onnxruntime"), "rates": found}
    write_results("exported", "Exported to ONNX", figures, sections)


if __name__ == "__main__":
    main()

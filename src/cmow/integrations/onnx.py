"""ONNX: an encoder as a file that runs without us, from the ids of tokens.

A `Scan` reads the ids from left to right, as the core does, and composes all parts a step a token.
What the core does beside, so that no text is too long for float32, is left out.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Booleans, Floats, Int64s
from cmow.encoder import Encoder, Part, Projection
from cmow.errors import ConfigError, MissingExtraError
from cmow.integrations.padding import padded_ids

try:
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    raise MissingExtraError("onnx", "onnx") from error

__all__ = ["export_onnx", "onnx_inputs"]

IDS, MASK, OUTPUT = "input_ids", "attention_mask", "sentence_embedding"
OLDEST, USUAL = 13, 17  # operator sets
TINY = np.float32(1e-30)
LARGE = 1 << 30  # bytes of tables that go into a file of their own: a graph holds 2 GiB at most


def export_onnx(
    encoder: Encoder,
    path: str | os.PathLike[str],
    *,
    normalize: bool = False,
    opset: int = USUAL,
) -> None:
    """Write a file with inputs `input_ids` and `attention_mask` and output `sentence_embedding`.

    :param normalize: divide embeddings by their norms.
    :param opset: version of the operators; what runs the file must know it.
    """
    newest = onnx.defs.onnx_opset_version()
    if not OLDEST <= opset <= newest:
        raise ConfigError(f"opset must be {OLDEST} to {newest}, not {opset}: {USUAL} runs anywhere")
    graph = _Graph()
    embedding = _embedding(graph, encoder)
    if normalize:
        embedding = graph.op("Div", embedding, graph.op("Max", graph.norm(embedding), TINY))
    graph.op("Identity", embedding, output=OUTPUT)
    made = helper.make_graph(
        graph.nodes,
        "cmow",
        [_input(IDS, TensorProto.INT64), _input(MASK, TensorProto.BOOL)],
        [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["texts", encoder.dim])],
        graph.constants,
    )
    operators = [helper.make_opsetid("", opset)]
    model = helper.make_model(
        made,
        producer_name="cmow",
        opset_imports=operators,
        ir_version=helper.find_min_ir_version_for(operators),
    )
    onnx.save(
        model,
        os.fspath(path),
        save_as_external_data=graph.bytes > LARGE,
        location=f"{Path(path).name}.data",
    )


def onnx_inputs(encoder: Encoder, texts: Iterable[str]) -> dict[str, Int64s | Booleans]:
    """What a session of onnxruntime is fed with."""
    ids, mask = padded_ids(encoder.tokenizer, texts)
    return {IDS: ids, MASK: mask}


class _Graph:
    """Nodes in their order, and constants, which the steps of the scan see, too."""

    def __init__(self, outer: "_Graph | None" = None) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = [] if outer is None else outer.constants
        self.bytes = 0

    def op(self, kind: str, *inputs: Any, output: str | None = None, **attributes: Any) -> str:
        """Add a node, and tell what its output is called; arrays among the inputs are constants."""
        names = [each if isinstance(each, str) else self.constant(each) for each in inputs]
        output = output or f"{kind}_{id(self)}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [output], **attributes))
        return output

    def constant(self, array: Any) -> str:
        """Add a constant, and tell what it is called."""
        name, array = f"constant_{len(self.constants)}", np.asarray(array)
        self.constants.append(numpy_helper.from_array(array, name))
        self.bytes += array.nbytes
        return name

    def norm(self, rows: str) -> str:
        """The norms of rows, a column."""
        squares = self.op("Mul", rows, rows)
        return self.op("Sqrt", self.op("ReduceSum", squares, np.array([1]), keepdims=1))


class _Steps:
    """How a part goes on by a token: what its state starts from, and what comes of it."""

    def __init__(self, graph: _Graph, part: Part) -> None:
        self.part, self.kind, self.size = part, part.monoid.kind, part.monoid.size
        self.square = (self.size, self.size)
        if self.kind not in ("sum", "product", "reversed", "windows"):
            raise ConfigError(f"part {part.name!r}: {self.kind} has no form in ONNX")
        self._table = graph.constant(_with_padding(part))
        self._scales = None
        if part.scales is not None:
            self._scales = graph.constant(np.append(part.scales, np.float32(0)))
        self.pads = part.monoid.neutral_row() is not None

    def start(self) -> list[Floats]:
        """The states before the first token, for one text."""
        if self.kind == "sum":
            return [np.zeros((1, self.size), np.float32)]
        if self.kind == "windows":
            return [np.zeros((1, *self.square), np.float32)] * 2
        return [np.eye(self.size, dtype=np.float32)[None]]

    def go_on(self, body: _Graph, states: list[str], ids: str) -> list[str]:
        """The states after a token. Matrices are stored by columns: each is its transpose here."""
        row = self._row(body, ids)
        if self.kind == "sum":
            return [body.op("Add", states[0], row)]
        if self.kind == "product":
            return [body.op("MatMul", row, states[0])]
        if self.kind == "reversed":
            return [body.op("MatMul", states[0], row)]
        ending, total = states
        decayed = body.op("Mul", ending, np.float32(self.part.monoid.constants()[0]))
        ending = body.op("MatMul", row, body.op("Add", decayed, np.eye(self.size, dtype="f4")))
        return [ending, body.op("Add", total, ending)]

    def view(self, graph: _Graph, states: list[str], lengths: str) -> str:
        """What embeddings show after the last token, a row a text."""
        flat = graph.op("Reshape", states[-1], np.array([-1, self.part.width]))
        if not self.part.shape.mean:
            return flat
        neutral = self.start()[-1].reshape(1, -1)
        return graph.op("Div", graph.op("Sub", flat, neutral), lengths)

    def _row(self, body: _Graph, ids: str) -> str:
        row = body.op("Gather", self._table, ids)
        if self.part.table.dtype != np.float32:
            row = body.op("Cast", row, to=TensorProto.FLOAT)
        if self._scales is not None:
            scale = body.op("Unsqueeze", body.op("Gather", self._scales, ids), np.array([1]))
            row = body.op("Add", body.op("Mul", row, scale), self.part.monoid.origin()[None])
        if self.kind == "sum":
            return row
        return body.op("Reshape", row, np.array([-1, *self.square]))


def _embedding(graph: _Graph, encoder: Encoder) -> str:
    parts = [_Steps(graph, part) for part in encoder.parts]
    texts = graph.op("Gather", graph.op("Shape", IDS), np.array([0]))
    body, made = _Graph(graph), []
    initial, in_body, out_of_body = [], [], []
    for steps in parts:
        states = []
        for array in steps.start():
            shape = graph.op("Concat", texts, np.array(array.shape[1:], np.int64), axis=0)
            initial.append(graph.op("Expand", array, shape))
            states.append(f"state_{len(initial)}")
            in_body.append(_state(states[-1], array))
        for state, new, array in zip(
            states, steps.go_on(body, states, "ids"), steps.start(), strict=True
        ):
            if steps.pads:  # padding has changed nothing
                kept = body.op("Identity", new)
            else:
                counts = body.op("Unsqueeze", "mask", np.arange(1, array.ndim))
                kept = body.op("Where", counts, new, state)
            out_of_body.append(_state(kept, array))
        made.append([f"{state}_final" for state in states])
    in_body += [
        helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts"]),
        helper.make_tensor_value_info("mask", TensorProto.BOOL, ["texts"]),
    ]
    scan = helper.make_graph(body.nodes, "token", in_body, out_of_body)
    graph.nodes.append(
        helper.make_node(
            "Scan",
            [*initial, graph.op("Where", MASK, IDS, np.int64(len(encoder.vocabulary))), MASK],
            [state for states in made for state in states],
            body=scan,
            num_scan_inputs=2,
            scan_input_axes=[1, 1],
        )
    )
    numbers = graph.op("Cast", MASK, to=TensorProto.FLOAT)
    counts = graph.op("ReduceSum", numbers, np.array([1]), keepdims=1)
    lengths = graph.op("Max", counts, np.float32(1))
    views = [steps.view(graph, states, lengths) for steps, states in zip(parts, made, strict=True)]
    if encoder.projection is None:
        return graph.op("Concat", *views, axis=1) if len(views) > 1 else views[0]
    names = [part.name for part in encoder.parts]
    projected = _projected(graph, encoder.projection, dict(zip(names, views, strict=True)))
    return graph.op("Where", graph.op("Greater", counts, np.float32(0)), projected, np.float32(0))


def _projected(graph: _Graph, projection: Projection, views: dict[str, str]) -> str:
    embedding = graph.constant(projection.bias[None])
    for place in projection.placements:
        view, columns = views[place.part], place.end - place.begin
        norm = graph.op("Max", graph.norm(view), TINY)
        shorter = graph.op("Min", graph.op("Div", np.float32(place.longest), norm), np.float32(1))
        view = graph.op("Mul", view, shorter)
        if place.matrix is None:
            first = graph.op("Slice", view, np.array([0]), np.array([columns]), np.array([1]))
            added = graph.op("Mul", first, np.float32(place.factor))
        else:
            added = graph.op("MatMul", view, place.matrix)
        around = np.array([0, place.begin, 0, projection.dim - place.end])
        embedding = graph.op("Add", embedding, graph.op("Pad", added, around))
    return embedding


def _with_padding(part: Part) -> NDArray[Any]:
    """The stored rows and one more, for padding: the neutral one, or what is not looked at."""
    numbers, neutral = part.numbers(), part.monoid.neutral_row()
    if part.scales is not None or neutral is None:
        neutral = np.zeros(numbers.shape[1], np.float32)  # for scaled rows: the origin
    return np.vstack([numbers, neutral.astype(numbers.dtype)])


def _input(name: str, kind: int) -> Any:
    return helper.make_tensor_value_info(name, kind, ["texts", "tokens"])


def _state(name: str, array: NDArray[Any]) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["texts", *array.shape[1:]])

"""Transformer layers as ONNX graphs, written with the operators with which onnxruntime is quickest on processors.

Weights by their names in a network of ours become constants. In 8 bits, activations are whole numbers from 0 to 255
whose scale is that of the run, weights from −64 to 64 with a scale for each column: on processors with AVX2 the
products of two neighbors are added in 16 bits, which larger ones would exceed (255 · 64 · 2 < 2¹⁵).

Few channels of a BERT's states are many times as large as all others, and one scale for all would leave few of the 255
steps to these. So a channel that reaches beyond `REACH` times the median channel is divided before a product so that it
reaches that far, and its weights are multiplied (Xiao et al. 2023, SmoothQuant: Accurate and Efficient Post-Training
Quantization for Large Language Models). How far channels reach is measured with a few texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import requires
from nutgraf.inference.graphs import MICROSOFT

Floats = npt.NDArray[np.float32]
Shape = Sequence[str | int]

LARGEST = 64
"""Largest whole number that a weight becomes."""

REACH = 3.0
"""Beyond so many times the median channel, a channel is divided."""

QUANTIZATIONS = ("float32", "float16", "int8")
"""Types of the weights. Only in "int8" are products themselves in fewer bits than 32."""

FEW = 1 << 14
"""Weights of a matrix that is too small to be worth 8 bits."""

OPSET, IR = 17, 8
"""Versions of ONNX, so that onnxruntime 1.22 reads the graph."""


@dataclass(frozen=True)
class Layers:
    """Transformer layers without their weights."""

    count: int
    heads: int
    norm: str
    activation: str
    epsilon: float


class Graph:
    """A graph that grows operator by operator.

    Args:
        tensors: Weights by their names.
        reach: How far each channel of a linear layer's input reaches, by the layer's name; without it, products are
            in single precision.
        halved: Matrices are kept in 16 bits, and become single precision when the graph is loaded.

    Attributes:
        read: Names of the inputs of linear layers, by the names of the layers.
    """

    def __init__(
        self, tensors: Mapping[str, Floats], reach: Mapping[str, Floats] | None = None, halved: bool = False
    ) -> None:
        self.tensors, self.reach, self.halved = tensors, reach, halved
        self.read: dict[str, str] = {}
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def op(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        """Add an operator, and return the name of its output, or the names of several."""
        from onnx import helper

        names = [f"{kind}_{len(self._nodes)}_{number}" for number in range(outputs)]
        self._nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, values: npt.NDArray[Any]) -> str:
        """Add a constant, and return its name."""
        from onnx import numpy_helper

        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def weight(self, name: str) -> str:
        """Add a weight as a constant, and return its name."""
        return self.constant(self.tensors[name])

    def _matrix(self, values: Floats) -> str:
        """Add a matrix as a constant in single precision."""
        if not self.halved:
            return self.constant(values)
        from onnx import TensorProto

        return str(self.op("Cast", self.constant(values.astype(np.float16)), to=TensorProto.FLOAT))

    def norm(self, given: str, name: str, epsilon: float) -> str:
        """Add a layer normalization."""
        weights = (self.weight(f"{name}.{kind}") for kind in ("weight", "bias"))
        return str(self.op("LayerNormalization", given, *weights, axis=-1, epsilon=epsilon))

    def linear(self, given: str, name: str) -> str:
        """Add a linear layer."""
        return self.columns(given, name, [slice(None)])[0]

    def columns(self, given: str, name: str, parts: Sequence[slice]) -> list[str]:
        """Add a linear layer, and return parts of its output."""
        self.read[name] = given
        matrix = self.tensors[f"{name}.weight"].T
        bias = self.tensors.get(f"{name}.bias", np.zeros(matrix.shape[1], dtype=np.float32))
        if self.reach is None or matrix.size < FEW:
            products = [self.op("MatMul", given, self._matrix(matrix[:, part])) for part in parts]
            return [self.op("Add", one, self.constant(bias[part])) for one, part in zip(products, parts, strict=True)]
        divisor = _divisor(self.reach[name])
        if (divisor > 1).any():
            given = self.op("Mul", given, self.constant(1 / divisor))
        whole, scale, zero = self.op("DynamicQuantizeLinear", given, outputs=3)
        found = []
        for part in parts:
            weights, scales = _quantized(matrix[:, part] * divisor[:, None])
            constants = self.constant(weights), scale, self.constant(scales), zero, "", self.constant(bias[part])
            found.append(self.op("MatMulIntegerToFloat", whole, *constants, domain=MICROSOFT))
        return found

    def layers(self, states: str, name: str, layers: Layers, kept: str | None = None) -> str:
        """Add transformer layers over states [1, positions, width].

        Args:
            states: Input of the first layer.
            name: Beginning of the names of their weights.
            layers: What they are like.
            kept: Positions for which the last layer is computed; None for all.
        """
        for number in range(layers.count):
            last = kept if number == layers.count - 1 else None
            states = self._layer(states, f"{name}.layers.{number}", layers, last)
        return self.norm(states, f"{name}.norm", layers.epsilon) if layers.norm == "pre" else states

    def _layer(self, states: str, name: str, layers: Layers, kept: str | None) -> str:
        attention, feed = f"{name}.self_attention_residual.norm", f"{name}.feed_forward_residual.norm"
        states = self._residual(
            states, attention, layers, lambda given: self._attention(given, name, layers, kept), kept
        )
        return self._residual(states, feed, layers, lambda given: self._feed_forward(given, name, layers))

    def _residual(self, states: str, norm: str, layers: Layers, sublayer: Any, kept: str | None = None) -> str:
        given = self.norm(states, norm, layers.epsilon) if layers.norm == "pre" else states
        changed = sublayer(given)
        added = self.op("Add", changed, states if kept is None else self.op("Gather", states, kept, axis=1))
        return str(added) if layers.norm == "pre" else self.norm(added, norm, layers.epsilon)

    def _attention(self, given: str, name: str, layers: Layers, kept: str | None) -> str:
        projection = f"{name}.self_attention.multi_head.qkv_proj"
        width = len(self.tensors[f"{projection}.weight"]) // 3
        parts = [slice(start, start + width) for start in (0, width, 2 * width)]
        if kept is None:
            projected = self.columns(given, projection, parts)
        else:
            queries = self.columns(self.op("Gather", given, kept, axis=1), projection, parts[:1])
            projected = [*queries, *self.columns(given, projection, parts[1:])]
        attended = self.op("MultiHeadAttention", *projected, domain=MICROSOFT, num_heads=layers.heads)
        return self.linear(attended, f"{name}.self_attention.multi_head.out_proj")

    def _feed_forward(self, given: str, name: str, layers: Layers) -> str:
        return self.linear(
            self.activated(self.linear(given, f"{name}.feed_forward.linear1"), layers.activation),
            f"{name}.feed_forward.linear2",
        )

    def activated(self, given: str, activation: str) -> str:
        """Add an activation: "relu", "gelu", or "gelu_tanh", its approximation."""
        if activation == "relu":
            return str(self.op("Relu", given))
        return str(self.op("FastGelu" if activation == "gelu_tanh" else "Gelu", given, domain=MICROSOFT))

    def model(self, inputs: Mapping[str, tuple[str, Shape]], output: str, probed: bool = False) -> bytes:
        """Return the graph as a file.

        Args:
            inputs: Type, "float" or "int64", and shape of each input.
            output: Name of the output of the last operator.
            probed: The inputs of linear layers are outputs, too.
        """
        from onnx import TensorProto, helper

        types = {"float": TensorProto.FLOAT, "int64": TensorProto.INT64}
        self._nodes[-1].output[:] = [output]
        wanted = [output, *(sorted(set(self.read.values()) - inputs.keys()) if probed else [])]
        graph = helper.make_graph(
            self._nodes,
            "network",
            [helper.make_tensor_value_info(name, types[kind], list(shape)) for name, (kind, shape) in inputs.items()],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in wanted],
            self._constants,
        )
        versions = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        return bytes(helper.make_model(graph, opset_imports=versions, ir_version=IR).SerializeToString())


def written(
    draw: Callable[[Graph], None],
    tensors: Mapping[str, Floats],
    inputs: Mapping[str, tuple[str, Shape]],
    output: str,
    samples: Sequence[Mapping[str, Any]],
    quantization: str,
) -> bytes:
    """Return a graph as a file.

    Args:
        draw: Adds its operators.
        tensors: Weights by their names.
        inputs: Type and shape of each input.
        output: Name of the output.
        samples: Inputs with which is measured how far channels reach.
        quantization: Type of the weights: one of `QUANTIZATIONS`.
    """
    plain = Graph(tensors, halved=quantization == "float16")
    draw(plain)
    if quantization != "int8":
        return plain.model(inputs, output)
    graph = Graph(tensors, _reach(plain.model(inputs, output, probed=True), plain.read, samples))
    draw(graph)
    return graph.model(inputs, output)


def _reach(model: bytes, read: Mapping[str, str], samples: Sequence[Mapping[str, Any]]) -> dict[str, Floats]:
    """Return the largest absolute value of each channel of the inputs of linear layers."""
    with requires("export", "Exports need"):
        from onnxruntime import InferenceSession, SessionOptions
    options = SessionOptions()
    options.intra_op_num_threads = 1  # so that the last digits are those of every machine like this one
    session = InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_outputs()]
    found: dict[str, Floats] = {}
    for given in samples:
        values = {**given, **dict(zip(names, session.run(None, dict(given)), strict=True))}
        for layer, name in read.items():
            states = values[name]
            largest = np.abs(states).reshape(-1, states.shape[-1]).max(0)
            found[layer] = np.maximum(found.get(layer, largest), largest)
    return found


def _divisor(reach: Floats) -> Floats:
    """Return what each channel is divided by."""
    usual = REACH * float(np.median(reach))
    found: Floats = np.maximum(1, reach / usual).astype(np.float32) if usual else np.ones_like(reach)
    return found


def _quantized(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return a matrix in whole numbers, and the scale of each column."""
    scales = np.abs(matrix).max(0) / LARGEST
    scales[scales == 0] = 1
    return np.rint(matrix / scales).astype(np.int8), scales.astype(np.float32)

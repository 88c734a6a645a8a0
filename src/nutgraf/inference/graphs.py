"""ONNX graphs as networks are kept: a list of known operators over tensors that lie in the file itself.

A file is read before onnxruntime sees it. What is allowed is what `nutgraf export` writes: no data in other files, no
operators of one's own, no graphs inside of operators, and inputs and outputs of known names. The format is protobuf: a
message is a list of fields, each a number and a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nutgraf.errors import requires

MICROSOFT = "com.microsoft"
"""Domain of the operators that onnxruntime adds to ONNX."""

_STANDARD = """
    Add Cast DynamicQuantizeLinear Gather LayerNormalization MatMul Mul Relu Shape Slice Squeeze Unsqueeze
""".split()
_FURTHER = ("FastGelu", "Gelu", "MatMulIntegerToFloat", "MultiHeadAttention")

OPERATORS = frozenset({*(("", name) for name in _STANDARD), *((MICROSOFT, name) for name in _FURTHER)})
"""Operators by domain and name."""

LARGEST_VARINT = 10
"""Bytes of the longest whole number."""

Value = int | memoryview

GRAPH, OPSET = 7, 8
MODEL_FIELDS = frozenset({1, 2, 3, 4, 5, 6, GRAPH, OPSET})
NODE, GRAPH_NAME, INITIALIZER, INPUT, OUTPUT = 1, 2, 5, 11, 12
GRAPH_FIELDS = frozenset({NODE, GRAPH_NAME, INITIALIZER, INPUT, OUTPUT})
OPERATOR, ATTRIBUTE, DOMAIN = 4, 5, 7
NODE_FIELDS = frozenset({1, 2, 3, OPERATOR, ATTRIBUTE, DOMAIN})
ATTRIBUTE_FIELDS = frozenset({1, 2, 3, 4, 7, 8, 20})
TENSOR_FIELDS = frozenset({1, 2, 4, 5, 7, 8, 9})
NAME = 1


def check_graph(data: bytes, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Check that a file holds a graph of known operators.

    Args:
        data: The file.
        inputs: Names of its inputs.
        outputs: Names of its outputs.

    Raises:
        ValueError: If it does not; the message says what it has instead.
    """
    model = list(_fields(memoryview(data), MODEL_FIELDS, "the model"))
    graphs = [_message(value) for number, value in model if number == GRAPH]
    if len(graphs) != 1:
        raise ValueError(f"it has {len(graphs)} graphs")
    named: dict[int, list[str]] = {INPUT: [], OUTPUT: []}
    for number, value in _fields(graphs[0], GRAPH_FIELDS, "the graph"):
        if number == NODE:
            _check_node(_message(value))
        elif number == INITIALIZER:
            list(_fields(_message(value), TENSOR_FIELDS, "a tensor"))
        elif number in named:
            named[number] += [_text(one) for field, one in _fields(_message(value), None, "a value") if field == NAME]
    for words, number, wanted in (("inputs", INPUT, inputs), ("outputs", OUTPUT, outputs)):
        if named[number] != list(wanted):
            raise ValueError(f"its {words} are {', '.join(named[number]) or 'none'}, not {', '.join(wanted)}")


def session(data: bytes, name: str) -> Any:
    """Return what runs a graph that was checked, in one thread. Raises MissingPackage, and ValueError if it cannot run.

    Args:
        data: The file.
        name: Its name, for messages of onnxruntime.
    """
    with requires("minilm", "Networks that have read need"):
        import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.logid = name
    options.enable_mem_pattern = False  # which keeps a plan for each length of a row
    # The graphs are written with the operators that are quickest; further fusions make them slower.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.load_model_format", "ONNX")
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # of many types, none of them public
        raise ValueError(f"onnxruntime cannot run it ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]


def _check_node(node: memoryview) -> None:
    domain = operator = ""
    for number, value in _fields(node, NODE_FIELDS, "an operator"):
        if number == OPERATOR:
            operator = _text(value)
        elif number == DOMAIN:
            domain = _text(value)
        elif number == ATTRIBUTE:
            list(_fields(_message(value), ATTRIBUTE_FIELDS, "an attribute"))
    if (domain, operator) not in OPERATORS:
        raise ValueError(
            f"it has the operator {'.'.join(filter(None, (domain, operator)))!r:.80}, which no network needs"
        )


def _fields(data: memoryview, allowed: frozenset[int] | None, what: str) -> Iterator[tuple[int, Value]]:
    """Yield the fields of a message. Raises ValueError if it has one that is not allowed, or is no message."""
    at = 0
    while at < len(data):
        key, at = _whole(data, at)
        number, kind = key >> 3, key & 7
        if allowed is not None and number not in allowed:
            raise ValueError(f"{what} has a field {number} ({_MEANT.get((what, number), 'which no network needs')})")
        value: Value
        if kind == 0:
            value, at = _whole(data, at)
        elif kind in (1, 2, 5):
            size = {1: 8, 5: 4}.get(kind, 0)
            if kind == 2:
                size, at = _whole(data, at)
            if size > len(data) - at:
                raise ValueError(CUT)
            value, at = data[at : at + size], at + size
        else:
            raise ValueError(CUT)
        yield number, value


CUT = "it is no ONNX file, or was cut"

_MEANT = {
    ("a tensor", 13): "data in another file",
    ("a tensor", 14): "data in another file",
    ("an attribute", 6): "a graph inside of an operator",
    ("an attribute", 11): "graphs inside of an operator",
    ("the model", 25): "functions",
}


def _whole(data: memoryview, at: int) -> tuple[int, int]:
    """Return a whole number of 7 bits a byte, and the place behind it."""
    value = 0
    for shift, byte in enumerate(data[at : at + LARGEST_VARINT]):
        value |= (byte & 127) << (7 * shift)
        if byte < 128:
            return value, at + shift + 1
    raise ValueError(CUT)


def _message(value: Value) -> memoryview:
    if isinstance(value, int):
        raise ValueError(CUT)
    return value


def _text(value: Value) -> str:
    return bytes(_message(value)).decode("utf-8", "replace")

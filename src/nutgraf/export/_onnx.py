"""ONNX: graphs that many engines run. The files and their inputs have the names that Optimum gives them.

An encoder–decoder becomes `encoder_model.onnx` and `decoder_model.onnx`, a language model `model.onnx`. The decoder
reads all that was written so far at each step: no keys and values are kept between steps.
"""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from nutgraf.errors import InputError, requires
from nutgraf.export._format import Format, Original, Writer

ENCODER, DECODER, MODEL = "encoder_model.onnx", "decoder_model.onnx", "model.onnx"


class _Encoder(nn.Module):
    def __init__(self, network: Any) -> None:
        super().__init__()
        self.encoder = network.get_encoder()

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        states: Tensor = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return states


class _Decoder(nn.Module):
    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor, encoder_hidden_states: Tensor, encoder_attention_mask: Tensor) -> Tensor:
        from transformers.modeling_outputs import BaseModelOutput

        logits: Tensor = self.network(
            encoder_outputs=BaseModelOutput(last_hidden_state=encoder_hidden_states),
            attention_mask=encoder_attention_mask,
            decoder_input_ids=input_ids,
            use_cache=False,
        ).logits
        return logits


class _LanguageModel(nn.Module):
    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        logits: Tensor = self.network(input_ids=input_ids, attention_mask=attention_mask, use_cache=False).logits
        return logits


def write(original: Original, folder: Path, quantization: str) -> None:
    """Write a model into a folder. Raises InputError if its computation cannot be written as a graph."""
    with requires("export", "Exports need"):
        import onnx  # noqa: F401
        import onnxscript  # noqa: F401
    network = original.network
    network.set_attn_implementation("eager")  # kernels that choose by the size of their input are no graph
    ids = torch.randint(3, network.config.get_text_config().vocab_size, (2, 7))
    mask = torch.ones_like(ids)
    if original.encodes:
        encoder = _Encoder(network)
        _write_graph(
            original, encoder, {"input_ids": ids, "attention_mask": mask}, "last_hidden_state", folder / ENCODER
        )
        with torch.no_grad():
            states = encoder(ids, mask)
        given = {"input_ids": ids[:, :5], "encoder_hidden_states": states, "encoder_attention_mask": mask}
        _write_graph(original, _Decoder(network), given, "logits", folder / DECODER)
    else:
        given = {"input_ids": ids, "attention_mask": mask}
        _write_graph(original, _LanguageModel(network), given, "logits", folder / MODEL)
    if quantization == "int8":
        for path in sorted(folder.glob("*.onnx")):
            _quantize(path)


def _write_graph(original: Original, part: nn.Module, given: Mapping[str, Tensor], output: str, path: Path) -> None:
    """Write the graph of a part of a model, with texts of any number and length."""
    shapes = {name: {0: "texts", 1: "source" if "encoder" in name else "tokens"} for name in given}
    said = io.StringIO()
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # of packages that nobody needs here
    try:
        with torch.no_grad(), warnings.catch_warnings(), contextlib.redirect_stdout(said):
            warnings.simplefilter("ignore")
            torch.onnx.export(
                part.eval(),
                tuple(given.values()),
                str(path),
                input_names=list(given),
                output_names=[output],
                dynamic_shapes=shapes,
                dynamo=True,
                verbose=False,
            )
    except Exception as error:  # whatever the exporter makes of a computation that it cannot follow
        kind = type(original.network).__name__
        raise InputError(
            f"{kind} cannot be written as ONNX: PyTorch cannot follow what it computes ({type(error).__name__}). BART, "
            "mBART, PEGASUS, T5, LongT5, Llama, GPT-2 and Gemma can."
        ) from error


def _quantize(path: Path) -> None:
    with requires("export", "Exports need"):
        from onnxruntime.quantization import QuantType, quantize_dynamic

    whole = path.with_name(f"whole-{path.name}")
    path.rename(whole)
    data = path.with_name(f"{path.name}.data")  # whose name stands in the graph
    quantize_dynamic(whole, path, weight_type=QuantType.QInt8)
    for one in (whole, data):
        one.unlink(missing_ok=True)


def read(folder: Path, original: Original) -> Writer:
    """Return what writes with the folder."""
    with requires("export", "Exports need"):
        import onnxruntime

    def session(name: str) -> Any:
        return onnxruntime.InferenceSession(folder / name, providers=["CPUExecutionProvider"])

    def continued(graph: Any, written: list[int], longest: int, given: Mapping[str, Any]) -> list[int]:
        begin = len(written)
        for _ in range(longest):
            ids = np.array([written], dtype=np.int64)
            mask = given or {"attention_mask": np.ones_like(ids)}
            [logits] = graph.run(None, {"input_ids": ids, **mask})
            written.append(int(logits[0, -1].argmax()))
            if written[-1] in original.ends:
                return written[begin:-1]
        return written[begin:]

    if not original.encodes:
        model = session(MODEL)
        return lambda ids, longest: continued(model, list(ids), longest, {})
    encoder, decoder = session(ENCODER), session(DECODER)

    def write_after(ids: Sequence[int], longest: int) -> list[int]:
        row = np.array([ids], dtype=np.int64)
        mask = np.ones_like(row)
        [states] = encoder.run(None, {"input_ids": row, "attention_mask": mask})
        given = {"encoder_hidden_states": states, "encoder_attention_mask": mask}
        return continued(decoder, [original.start], longest, given)

    return write_after


FORMAT = Format(
    packages=("onnx", "onnxscript", "onnxruntime"), quantizations=("float32", "int8"), write=write, read=read
)

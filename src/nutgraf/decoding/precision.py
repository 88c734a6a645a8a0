"""Lower precision for search: weights laid out for few rows at a time, in single precision, bfloat16 or int8.

A step of search multiplies every matrix of the decoder with a handful of rows, so that it takes as long as the matrices
take to be read. bfloat16 halves what is read; int8 quarters it: the weights have a scale for each output, and the rows,
as they come, one for each row, so that a hypothesis never depends on its neighbours. Only the decoder's matrices and
the projection to the vocabulary change; LSTMs and what else it has stay as they are. Sums, norms and softmax stay in
single precision, and the encoder, which runs once, works in bfloat16 where the decoder is below single precision and
the processor can.
"""

from __future__ import annotations

import copy
import time
import weakref
from collections.abc import Collection
from functools import cached_property, lru_cache
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.errors import PresetError
from nutgraf.model.convolution import WeightNormLinear
from nutgraf.model.multi_head import MultiHead
from nutgraf.model.records import Batch, EncoderOutput, changed
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.runtime.compute import has_bf16_kernels, multiplies_bf16

Precision = Literal["fp32", "bf16", "int8"]

ROWS = 8
"""Rows that the weights are laid out for; other numbers work, a little more slowly."""

LONG = 0.05
"""Seconds after which a product is not timed again."""


def decoding_precision(
    asked: Precision | Literal["auto"], device: torch.device, validated_precisions: Collection[str] = ()
) -> Precision:
    """Return the precision to search in; "auto" is the fastest of those that do no harm.

    Args:
        asked: The preset's `decoding.precision`.
        device: Device of the network.
        validated_precisions: Lower precisions in which this network was found to write equally good summaries.
    """
    if asked != "auto":
        return asked
    if not validated_precisions:
        return "fp32"  # without measuring which ones are quick, which may take a second
    return next((one for one in quick_precisions(device) if one in validated_precisions), "fp32")


def quick_precisions(device: torch.device) -> list[Precision]:
    """Return the lower precisions in which this device is faster than in single precision, lowest first."""
    found: list[Precision] = []
    if has_int8(device) and _is_quick("int8"):
        found.append("int8")
    if multiplies_bf16(device) and (device.type != "cpu" or _is_quick("bf16")):
        found.append("bf16")
    return found


@lru_cache
def _is_quick(precision: Precision) -> bool:
    """Return True if a product with a few rows takes less time than in single precision.

    Instruction sets do not tell: with some of them torch has int8 only in a form that is hundreds of times slower.
    """
    linear, rows = nn.Linear(512, 512), torch.zeros(1, ROWS, 512)
    with torch.inference_mode():
        exact, lower = (_seconds(_matrix(linear, one), rows) for one in ("fp32", precision))
    return lower < exact


def _seconds(module: nn.Module, rows: Tensor) -> float:
    """Return the shortest of a few times, after one that is not counted; of one where it takes long."""
    times: list[float] = []
    while len(times) < 6 and sum(times[1:]) < LONG:
        began = time.perf_counter()
        module(rows)
        times.append(time.perf_counter() - began)
    return min(times[1:])


def has_int8(device: torch.device) -> bool:
    """Return True if torch multiplies whole numbers on this device."""
    return device.type == "cpu" and hasattr(torch.ops.onednn, "qlinear_pointwise")


def lowered(network: Seq2Seq, precision: Precision) -> Seq2Seq:
    """Return the network for search, which shares with `network` what does not change.

    The rest is made once, and anew when weights have changed. Raises PresetError if the precision is not available
    here.
    """
    if precision == "int8" and not has_int8(next(network.parameters()).device):
        raise PresetError('decoding.precision = "int8" needs a CPU and a torch with oneDNN; "bf16" or "fp32" would do.')
    if precision == "fp32" and not _packs(network.head.vocab_proj):
        return network
    made = _made.setdefault(network, {})
    weights = _fingerprint(network)
    if precision not in made or made[precision][0] != weights:
        made[precision] = weights, _lower(network, precision)
    return made[precision][1]


def encode(network: Seq2Seq, batch: Batch, precision: Precision) -> EncoderOutput:
    """Return the encoder's output."""
    if precision == "fp32" or (batch.source.device.type == "cpu" and not has_bf16_kernels()):
        return network.encode(batch)
    with torch.autocast(batch.source.device.type, torch.bfloat16):
        output = network.encode(batch)
    exact: EncoderOutput = changed(output, lambda part: part.float() if part.is_floating_point() else part)
    return exact


_Made = dict[Precision, tuple[tuple[tuple[int, int, float], ...], Seq2Seq]]
_made: weakref.WeakKeyDictionary[Seq2Seq, _Made] = weakref.WeakKeyDictionary()


def _fingerprint(network: Seq2Seq) -> tuple[tuple[int, int, float], ...]:
    """Return a value that changes whenever a weight that is laid out anew is replaced or written to."""
    weights = (one.detach() for part in (network.decoder, network.head) for one in part.parameters())
    return tuple((one.data_ptr(), one._version, float(one[:: len(one) // 64 or 1].sum())) for one in weights)


def _lower(network: Seq2Seq, precision: Precision) -> Seq2Seq:
    lower = copy.deepcopy(network, {id(one): one for one in (*network.parameters(), *network.buffers())})
    with torch.no_grad():
        _replace_matrices(lower.decoder, precision)
        lower.head.vocab_proj = _matrix(lower.head.vocab_proj, precision)  # type: ignore[assignment]
    return lower


def _replace_matrices(module: nn.Module, precision: Precision) -> None:
    """Replace plain matrices; classes derived from these may do more than they do, and stay as they are."""
    for name, part in list(module.named_children()):
        if type(part) is MultiHead:
            setattr(module, name, _Heads(part, precision))
        elif type(part) is nn.Linear:
            setattr(module, name, _matrix(part, precision))
        elif isinstance(part, WeightNormLinear):
            setattr(module, name, _matrix(part.plain(), precision))
        elif not isinstance(part, (MultiHead, nn.Linear)):
            _replace_matrices(part, precision)


def _matrix(linear: nn.Linear, precision: Precision) -> nn.Module:
    if precision == "int8":
        return _Int8(linear)
    dtype = torch.bfloat16 if precision == "bf16" else torch.float32
    return _Packed(linear, dtype) if _packs(linear, dtype) else _Plain(linear, dtype)


def _packs(linear: nn.Linear, dtype: torch.dtype = torch.float32) -> bool:
    """Return True if oneDNN can lay out its weights in a precision."""
    weight = next(linear.parameters())  # a weight that is computed is not computed for this
    here = weight.device.type == "cpu" and weight.dtype == torch.float32
    if not here or not torch._C._has_mkldnn or not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        return False
    return dtype == torch.float32 or has_bf16_kernels()


class _Heads(MultiHead):
    """A `MultiHead` with a matrix of its own for each use, made when it is first used."""

    def __init__(self, heads: MultiHead, precision: Precision) -> None:
        nn.Module.__init__(self)
        self.size, self.precision = heads.size, precision
        self.unchanged = heads.qkv_proj
        self.out_proj = _matrix(heads.out_proj, precision)  # type: ignore[assignment]

    @cached_property
    def qkv_proj(self) -> nn.Module:  # type: ignore[override]
        """Query, key and value."""
        return _matrix(self.unchanged, self.precision)

    @cached_property
    def query(self) -> nn.Module:
        """The first third."""
        return self._rows(slice(self.size.d_model))

    @cached_property
    def key_value(self) -> nn.Module:
        """Key and value."""
        return self._rows(slice(self.size.d_model, None))

    def project_query(self, states: Float[Tensor, "batch steps width"]) -> Float[Tensor, "batch heads steps head_dim"]:
        """Return the queries of states that attend."""
        return self._split(self.query(states)).squeeze(2).transpose(1, 2)

    def project_key_value(self, states: Float[Tensor, "batch source width"]) -> tuple[Tensor, Tensor]:
        """Return the keys and values of the states that are attended to."""
        key, value = self._split(self.key_value(states)).unbind(2)
        return key.transpose(1, 2), value.transpose(1, 2)

    def _split(self, projected: Tensor) -> Tensor:
        return super()._split(projected if self.precision == "fp32" else projected.to(torch.bfloat16))

    def _rows(self, rows: slice) -> nn.Module:
        part = nn.Linear(1, 1, device="meta")
        part.weight = nn.Parameter(self.unchanged.weight[rows], requires_grad=False)
        part.bias = nn.Parameter(self.unchanged.bias[rows], requires_grad=False)
        return _matrix(part, self.precision)


class _Matrix(nn.Module):
    """x ↦ Wx + b for a few rows x, in the precision of x; there may be no b."""

    def __init__(self, linear: nn.Linear, dtype: torch.dtype) -> None:
        super().__init__()
        self.out_features, self.in_features = linear.weight.shape
        self.bias = None if linear.bias is None else linear.bias.detach().to(dtype)


class _Plain(_Matrix):
    """By the product that torch has for this device and precision."""

    def __init__(self, linear: nn.Linear, dtype: torch.dtype) -> None:
        super().__init__(linear, dtype)
        self.weight = linear.weight.detach().to(dtype)

    def forward(self, states: Float[Tensor, "*rows width"]) -> Float[Tensor, "*rows outputs"]:
        return F.linear(states.to(self.weight.dtype), self.weight, self.bias).to(states.dtype)


class _Packed(_Matrix):
    """By oneDNN, with the weights laid out beforehand."""

    def __init__(self, linear: nn.Linear, dtype: torch.dtype) -> None:
        super().__init__(linear, dtype)
        self.dtype = dtype
        self.weight = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach().to(dtype), ROWS)

    def forward(self, states: Float[Tensor, "*rows width"]) -> Float[Tensor, "*rows outputs"]:
        rows = states.to(self.dtype)
        return torch.ops.mkldnn._linear_pointwise(rows, self.weight, self.bias, "none", [], "").to(states.dtype)


class _Int8(_Matrix):
    """W ≈ scale · whole numbers from −127 to 127, a scale for each output; rows alike, a scale for each row.

    Processors without VNNI add two products in 16 bits, which overflow; with weights from −63 to 63 they cannot.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__(linear, torch.float32)
        weight = linear.weight.detach().float()
        self.scale = _scale(weight, 127 if torch.cpu._is_vnni_supported() else 63).squeeze(-1)
        self.zero = torch.zeros(self.out_features, dtype=torch.long)
        self.weight = torch.ops.onednn.qlinear_prepack((weight / self.scale[:, None]).round_().to(torch.int8), None)

    def forward(self, states: Float[Tensor, "*rows width"]) -> Float[Tensor, "*rows outputs"]:
        rows = states.float()
        scale = _scale(rows, 127)
        whole = (rows / scale).round_().to(torch.int8)
        product = torch.ops.onednn.qlinear_pointwise(
            whole, 1.0, 0, self.weight, self.scale, self.zero, None, 1.0, 0, torch.float32, "none", [], ""
        )
        scaled = product.mul_(scale) if self.bias is None else torch.addcmul(self.bias, product, scale, out=product)
        return scaled.to(states.dtype)


def _scale(rows: Float[Tensor, "*rows width"], largest: int) -> Float[Tensor, "*rows 1"]:
    """Return the factor of whole numbers of which a row's largest is `largest`."""
    return torch.add(rows.new_tensor(1e-12), rows.abs().amax(-1, keepdim=True), alpha=1 / largest)

"""Weights in 8 bits: each row of a matrix is whole numbers and one scale.

A row x is kept as q = round(x / s), from -127 to 127, with s = max |x| / 127, so that no weight moves by more than
s / 2. Vectors, such as biases and the gains of norms, are few and stay as they are. Networks compute with q · s in
float32.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import torch
from torch import Tensor

from nutgraf.errors import InputError

QUANTIZATIONS = ("float32", "int8")
"""Types in which a model folder can keep its weights."""

SCALE = ".int8_scale"
"""End of the name of a matrix's scales; the beginning is the name of the matrix."""

LARGEST = 127
"""Largest whole number that a weight becomes; the smallest is its negative."""


def pack(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights of which the matrices are in 8 bits, with a scale for each row beside them."""
    packed: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and tensor.ndim > 1 and tensor.numel():
            packed[name], packed[name + SCALE] = quantized(tensor)
        else:
            packed[name] = tensor
    return packed


def unpack(tensors: Mapping[str, Tensor], where: object) -> dict[str, Tensor]:
    """Return weights without scales, in float32 where they were in 8 bits.

    Args:
        tensors: What `pack` returned; tensors that were never packed stay as they are.
        where: File of the weights, for messages.

    Raises:
        InputError: If scales do not fit their matrix.
    """
    found = {}
    for name in without_scales(tensors):
        tensor, scale = tensors[name], tensors.get(name + SCALE)
        if scale is None:
            found[name] = tensor
            continue
        if tensor.dtype != torch.int8 or not tensor.ndim or scale.shape != tensor.shape[:1]:
            raise InputError(f"{where} has scales that do not fit: {name} is of another type or has other rows.")
        found[name] = restored(tensor, scale)
    return found


def without_scales(names: Collection[str]) -> list[str]:
    """Return the names that are not those of another tensor's scales."""
    return [name for name in names if not (name.endswith(SCALE) and name.removesuffix(SCALE) in names)]


def quantized(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Return a matrix, or a tensor with rows of several dimensions, in 8 bits, and the scale of each row."""
    rows = matrix.float().flatten(1)
    scale = rows.abs().amax(1) / LARGEST
    divisor = torch.where(scale > 0, scale, torch.ones_like(scale))  # a row of zeros
    return (rows / divisor[:, None]).round().clamp(-LARGEST, LARGEST).to(torch.int8).view(matrix.shape), scale


def restored(whole: Tensor, scale: Tensor) -> Tensor:
    """Return whole numbers times the scales of their rows, in float32."""
    return (whole.flatten(1) * scale.float()[:, None]).view(whole.shape)

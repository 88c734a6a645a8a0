"""A GPU that is not there: tensors that say they are on cuda:0, and that meet no tensor of the processor.

Their numbers are those of a hidden tensor in the processor's memory. What a real GPU refuses is refused: becoming an
array of numpy, and computing with a tensor of the processor that is more than one number. (A real one takes indices
from the processor, but waits for them; they are refused, too.) Below Python the device is torch's `privateuseone`, the
one that may be defined outside torch; `cuda` is translated on the way in and out. Precision and kernels are the
processor's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import return_and_correct_aliasing
from torch.utils._pytree import tree_leaves, tree_map_only

SHOWN, BELOW = torch.device("cuda", 0), torch.device("privateuseone", 0)
"""The device that a program sees, and that of torch's C++ code."""

aten = torch.ops.aten

MIXED = {aten.copy_.default, aten._pack_padded_sequence.default, aten.tensor_split.tensor_indices_or_sections}
"""Operations that take tensors of both on a real GPU, too."""

REFUSED = "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."


class OnFakeGpu(Tensor):
    """A tensor on the GPU; `hidden` has its numbers."""

    hidden: Tensor
    device = property(lambda self: SHOWN)  # type: ignore[assignment]
    is_cuda = property(lambda self: True)  # type: ignore[assignment]
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, hidden: Tensor) -> OnFakeGpu:
        made = Tensor._make_wrapper_subclass(
            cls,
            hidden.shape,
            strides=hidden.stride(),
            storage_offset=hidden.storage_offset(),
            dtype=hidden.dtype,
            device=BELOW,
        )
        made.hidden = hidden
        return made

    def numpy(self, *_: Any, **__: Any) -> Any:
        raise TypeError(REFUSED)

    __array__ = numpy

    def tolist(self) -> Any:
        return self.cpu().tolist()

    def new_tensor(self, data: Any, *, dtype: Any = None, **options: Any) -> Tensor:
        return torch.tensor(data, dtype=dtype or self.dtype, **options).to(BELOW)

    @classmethod
    def __torch_dispatch__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if function is aten._fused_sdp_choice.default:
            return 0  # the plain formula: the fused kernels of a GPU are not here
        kwargs = kwargs or {}
        given = [one for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor)]
        strangers = [one for one in given if not isinstance(one, OnFakeGpu) and one.dim()]
        if strangers and function not in MIXED:
            raise RuntimeError(f"{function}: expected all tensors to be on the same device, but found cuda:0 and cpu.")
        asked = kwargs.get("device")
        below = {**kwargs, "device": torch.device("cpu")} if asked is not None else kwargs
        made = function(*tree_map_only(OnFakeGpu, _hidden, args), **tree_map_only(OnFakeGpu, _hidden, below))
        stays = isinstance(args[0], OnFakeGpu) if function is aten.copy_.default else True
        if not stays or (asked is not None and torch.device(asked).type == "cpu"):
            return made
        known = {id(one.hidden): one for one in given if isinstance(one, OnFakeGpu)}
        made = tree_map_only(Tensor, lambda one: known[id(one)] if id(one) in known else OnFakeGpu(one), made)
        return made if asked is not None else return_and_correct_aliasing(function, args, kwargs, made)


def _hidden(tensor: Tensor) -> Tensor:
    return tensor.hidden if isinstance(tensor, OnFakeGpu) else tensor


class _Translated(TorchFunctionMode):
    """Calls torch with the device of its C++ code."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = {name: _below(value) for name, value in (kwargs or {}).items()}
        if function in (torch.tensor, torch.as_tensor) and given.get("device") == BELOW:
            return function(*args, **{**given, "device": None}).to(BELOW)
        return function(*map(_below, args), **given)


def _below(value: Any) -> Any:
    if isinstance(value, torch.device | str) and str(value).partition(":")[0] == "cuda":
        return BELOW
    return value


@cache
def _registered() -> torch.library.Library:
    """Define the device, once for this process."""
    from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

    _setup_privateuseone_for_python_backend()
    made = torch.library.Library("aten", "IMPL")
    made.impl("empty.memory_format", lambda size, dtype=None, **_: OnFakeGpu(torch.empty(size, dtype=dtype)), KEY)
    made.impl(
        "empty_strided",
        lambda size, stride, dtype=None, **_: OnFakeGpu(torch.empty_strided(size, stride, dtype=dtype)),
        KEY,
    )
    made.impl("_copy_from", _copied, KEY)
    made.impl("_thnn_fused_lstm_cell", _lstm_cell, f"Autograd{KEY}")
    made.impl("_thnn_fused_gru_cell", _gru_cell, f"Autograd{KEY}")
    return made


KEY = "PrivateUse1"


def _copied(given: Tensor, target: Tensor, *_: Any) -> Tensor:
    _hidden(target).copy_(_hidden(given))
    return target


def _lstm_cell(given: Tensor, hidden: Tensor, cell: Tensor, *biases: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """A step of an LSTM, of which GPUs have a kernel of their own."""
    gates = sum((one for one in biases if one is not None), given + hidden)
    take, forget, new, show = gates.chunk(4, 1)
    after = forget.sigmoid() * cell + take.sigmoid() * new.tanh()
    return show.sigmoid() * after.tanh(), after, gates


def _gru_cell(given: Tensor, hidden: Tensor, state: Tensor, *biases: Tensor) -> tuple[Tensor, Tensor]:
    """A step of a GRU."""
    if biases and biases[0] is not None:
        given, hidden = given + biases[0], hidden + biases[1]
    (reset, update, new), (more_reset, more_update, before) = given.chunk(3, 1), hidden.chunk(3, 1)
    after = (new + (reset + more_reset).sigmoid() * before).tanh()
    return after + (update + more_update).sigmoid() * (state - after), given


def _moved(network: nn.Module, *args: Any, **kwargs: Any) -> nn.Module:
    """`Module.to`, in which parameters that are shared stay shared, as they do where only their data moves."""
    device, dtype, *_ = torch._C._nn._parse_to(*args, **kwargs)
    kept: dict[int, Any] = {}

    def moved(tensor: Tensor) -> Tensor:
        other = tensor.detach().to(device, dtype if tensor.is_floating_point() else None)
        return nn.Parameter(other, tensor.requires_grad) if isinstance(tensor, nn.Parameter) else other

    for module in network.modules():
        for tensors in (module._parameters, module._buffers):
            for name, tensor in tensors.items():
                if tensor is not None:
                    tensors[name] = kept.setdefault(id(tensor), moved(tensor))
        if isinstance(module, nn.RNNBase):
            module._init_flat_weights()
    return network


@contextmanager
def fake_gpu() -> Iterator[None]:
    """Let torch have one GPU in this thread."""
    _registered()
    from accelerate.state import AcceleratorState, PartialState

    state: dict[str, Callable[..., Any]] = {
        "is_available": lambda: True,
        "is_bf16_supported": lambda *_, **__: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "set_device": lambda device: None,
        "get_device_name": lambda device=None: "Fake GPU",
        "max_memory_allocated": lambda device=None: 1 << 20,
        "get_rng_state": lambda device=None: torch.get_rng_state(),
        "set_rng_state": lambda state, device=None: None,
        "synchronize": lambda device=None: None,
        "_lazy_init": lambda: None,
    }
    with pytest.MonkeyPatch.context() as patch, _Translated():
        for name, value in state.items():
            patch.setattr(torch.cuda, name, value)
        patch.setattr(nn.Module, "to", _moved)
        patch.setattr(torch, "inference_mode", torch.no_grad)  # tensors of subclasses have no views in it
        patch.setattr(torch.accelerator, "is_available", lambda: True)
        AcceleratorState._reset_state(reset_partial_state=True)
        PartialState._reset_state()
        try:
            yield
        finally:
            AcceleratorState._reset_state(reset_partial_state=True)
            PartialState._reset_state()

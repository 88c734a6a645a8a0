"""A GPU that is not there: tensors that say they are on cuda:0, and that meet no tensor of the processor.

Their numbers are those of a hidden tensor in the processor's memory. What a real GPU refuses is refused: becoming an
array of numpy, and computing with a tensor of the processor that is more than one number. (A real one takes indices
from the processor, but waits for them; they are refused, too.) To torch's C++ code they are on the device `meta`, for
which nothing has to be defined. Precision and kernels are the processor's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.autograd.graph import _engine_run_backward
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode
from torch.utils import _device
from torch.utils._python_dispatch import TorchDispatchMode, return_and_correct_aliasing

SHOWN, BELOW, HOME = torch.device("cuda", 0), torch.device("meta"), torch.device("cpu")
"""The device that a program sees, the same one in torch's C++ code, and where the numbers are."""

aten = torch.ops.aten

MIXED = {aten.copy_.default, aten._pack_padded_sequence.default, aten.tensor_split.tensor_indices_or_sections}
"""Operations that take tensors of both on a real GPU, too."""

REFUSED = "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."


class OnFakeGpu(Tensor):
    """A tensor on the GPU; `hidden` has its numbers."""

    hidden: Tensor
    device = property(lambda self: SHOWN)  # type: ignore[assignment]
    is_cuda = property(lambda self: True)  # type: ignore[assignment]
    is_meta = property(lambda self: False)  # type: ignore[assignment]
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

    def __repr__(self) -> str:  # type: ignore[override]
        return f"{self.hidden!r} on the fake GPU"

    def tolist(self) -> Any:
        return self.cpu().tolist()

    def new_tensor(self, data: Any, *, dtype: Any = None, **_: Any) -> Tensor:
        return OnFakeGpu(torch.tensor(data, dtype=dtype or self.dtype, device=HOME))

    def __getitem__(self, place: Any) -> Tensor:
        return super().__getitem__(_listed_there(place))

    def __setitem__(self, place: Any, value: Any) -> None:
        number = value if isinstance(value, Tensor) else torch.tensor(value, dtype=self.dtype, device=HOME)
        super().__setitem__(_listed_there(place), number)

    @classmethod
    def __torch_dispatch__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        given: list[Tensor] = []
        _changed((args, kwargs), given.append)
        if function not in MIXED and any(not isinstance(one, OnFakeGpu) and one.dim() for one in given):
            raise RuntimeError(f"{function}: expected all tensors to be on the same device, but found cuda:0 and cpu.")
        asked = kwargs.get("device")
        below = {**kwargs, "device": HOME} if asked is not None else kwargs
        made = function(*_changed(args, _hidden), **_changed(below, _hidden))
        leaves = asked == HOME or (function is aten.copy_.default and not isinstance(args[0], OnFakeGpu))
        if leaves:
            return made
        known = {id(one.hidden): one for one in given if isinstance(one, OnFakeGpu)}
        if function is aten._pack_padded_sequence.default:
            return OnFakeGpu(made[0]), made[1]  # how many sequences go on is counted in the processor's memory
        made = _changed(made, lambda one: known[id(one)] if id(one) in known else OnFakeGpu(one))
        return made if asked is not None else return_and_correct_aliasing(function, args, kwargs, made)


def _listed_there(place: Any) -> Any:
    """Return an index whose lists of numbers are tensors on the GPU, as torch makes them."""
    if isinstance(place, tuple):
        return tuple(map(_listed_there, place))
    if not isinstance(place, list):
        return place
    return OnFakeGpu(torch.tensor(place, device=HOME, dtype=None if place else torch.long))


def _hidden(tensor: Tensor) -> Tensor:
    return tensor.hidden if isinstance(tensor, OnFakeGpu) else tensor


def _changed(value: Any, change: Callable[[Tensor], Any]) -> Any:
    """Return a value with its tensors changed, also within lists, tuples and tables."""
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, tuple | list):
        return type(value)([_changed(one, change) for one in value])
    return {name: _changed(one, change) for name, one in value.items()} if isinstance(value, dict) else value


class _Translated(TorchFunctionMode):
    """Makes tensors on the GPU where torch is asked for them, and moves others there."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if function is F.scaled_dot_product_attention and isinstance(args[0], OnFakeGpu):
            return _attention(*args, **kwargs)
        if function is Tensor.backward:
            with self:  # in which the backward passes of our own functions run, too
                ones = (torch.ones_like(*args),)
                return _engine_run_backward(args, ones, False, False, (), allow_unreachable=True, accumulate_grad=True)
        speaks_of_it = function in (torch.device, torch._C._nn._parse_to) or "autocast" in function.__name__
        if speaks_of_it or not any(map(_is_gpu, (*args, *kwargs.values()))):
            return function(*args, **kwargs)
        there = any(isinstance(one, OnFakeGpu) for one in args)
        device = BELOW if there else HOME
        made = function(
            *(device if _is_gpu(one) else one for one in args),
            **{name: device if _is_gpu(one) else one for name, one in kwargs.items()},
        )
        return made if there else _changed(made, lambda one: OnFakeGpu(one.detach()))


def _attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Attention by its formula: torch chooses among its kernels by the device."""
    if enable_gqa:
        key, value = (one.repeat_interleave(query.shape[1] // one.shape[1], 1) for one in (key, value))
    scores = query @ key.mT * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = scores.new_ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, -torch.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return F.dropout(scores.softmax(-1).nan_to_num(), dropout_p) @ value


class _Made(TorchDispatchMode):
    """Makes tensors on the GPU where torch's C++ code asks for them, unless a program wants shapes alone."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # to skip it, torch would import its compiler

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if kwargs.get("device") != BELOW or types or _device.CURRENT_DEVICE == BELOW:
            return function(*args, **kwargs)
        return OnFakeGpu(function(*args, **{**kwargs, "device": HOME}))


def _is_gpu(value: Any) -> bool:
    return isinstance(value, torch.device | str) and str(value).partition(":")[0] == "cuda"


def _moved(network: nn.Module, *args: Any, **kwargs: Any) -> nn.Module:
    """`Module.to`, in which parameters that are shared stay shared, as they do where only their data moves."""
    device, dtype, *_ = torch._C._nn._parse_to(*args, **kwargs)
    moved: dict[Tensor, Tensor] = {}
    for module in network.modules():
        for tensors in (module._parameters, module._buffers):
            for name, tensor in tensors.items():
                if tensor is None:
                    continue
                if tensor not in moved:
                    other = tensor.detach().to(device, dtype if tensor.is_floating_point() else None)
                    learns = isinstance(tensor, nn.Parameter)
                    moved[tensor] = nn.Parameter(other, tensor.requires_grad) if learns else other
                tensors[name] = moved[tensor]
        if isinstance(module, nn.RNNBase):
            module._init_flat_weights()
    return network


@contextmanager
def fake_gpu() -> Iterator[None]:
    """Let torch have one GPU in this thread."""
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
    with pytest.MonkeyPatch.context() as patch, _Translated(), _Made():
        for name, value in state.items():
            patch.setattr(torch.cuda, name, value)
        patch.setattr(nn.Module, "to", _moved)
        clip = torch.nn.utils.clip_grad_norm_  # the kernels of a GPU for many tensors at a time are not here
        patch.setattr(torch.nn.utils, "clip_grad_norm_", lambda *args, foreach: clip(*args, foreach=False))
        patch.setattr(torch, "inference_mode", torch.no_grad)  # tensors of subclasses have no views in it
        patch.setattr(torch.accelerator, "is_available", lambda: True)
        AcceleratorState._reset_state(reset_partial_state=True)
        PartialState._reset_state()
        threads = torch.get_num_threads()
        try:
            yield
        finally:
            torch.set_num_threads(threads)
            AcceleratorState._reset_state(reset_partial_state=True)
            PartialState._reset_state()

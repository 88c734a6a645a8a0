"""Devices and processes, by Hugging Face's accelerate."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager

import torch
from accelerate import Accelerator
from torch import Tensor, nn

from nutgraf.errors import TrainingError
from nutgraf.runtime.compute import ThreadTuner, has_bf16_kernels, kernels, training_precision
from nutgraf.runtime.hardware import available_cores
from nutgraf.training.config import Config

WORKSPACE = "CUBLAS_WORKSPACE_CONFIG"
"""Variable of the environment with which products on a GPU give the same numbers every time."""

FIXED_WORKSPACES = (":4096:8", ":16:8")
"""Its values that do so; torch's documentation of `use_deterministic_algorithms` names them."""

MOST_LOADERS, MANY_BATCHES = 8, 256
"""Processes that read batches for one GPU at most, and batches of an epoch from which on there are any."""


class Machine:
    """Device, precision and threads of this process, and the other processes that train the same network.

    Attributes:
        device: Device of the network.
        processes: Number of processes.
        process: Number of this one.
        main: True for the process that writes and reports.
        precision: Floating-point format; "auto" is resolved.
        threads: Chooses the number of threads.
    """

    def __init__(self, config: Config) -> None:
        """Find the device and the other processes.

        Raises TrainingError if there is no GPU but one is asked for, or it was used before it was made deterministic.
        """
        if config.device == "cuda" and not torch.cuda.is_available():
            raise TrainingError(
                'There is no GPU that torch can use, but training.device is "cuda"; leave it out, or see '
                "https://pytorch.org/get-started for a torch that fits the machine's driver."
            )
        if config.deterministic and config.device != "cpu" and torch.cuda.is_available():
            fix_workspace()
        # accelerate takes processes without a GPU for separate ones unless it is told that processors are meant.
        self._accelerator = Accelerator(cpu=config.device == "cpu" or not torch.accelerator.is_available())
        self.device: torch.device = self._accelerator.device
        self.processes = int(self._accelerator.num_processes)
        self.process = int(self._accelerator.process_index)
        self.precision = training_precision(config.precision, self.device)
        self.threads = ThreadTuner(self._fixed_threads(config))
        if config.deterministic:
            torch.use_deterministic_algorithms(True, warn_only=True)
        self.main = bool(self._accelerator.is_main_process)

    def __str__(self) -> str:
        several = f", {self.processes} processes" if self.processes > 1 else ""
        return f"{self.device} ({kernels(self.device)}), {self.precision}, {self.threads}{several}"

    def _fixed_threads(self, config: Config) -> int | None:
        """Return a fixed number of threads, or None to measure.

        Work on a GPU outlasts a step's code, so it is not timed.
        """
        if config.threads != "auto":
            return config.threads
        return available_cores() if config.deterministic or self.device.type != "cpu" else None

    def loaders_of(self, batches: int) -> int:
        """Return how many processes read the batches of an epoch; 0: a thread does.

        A thread does not keep a GPU busy, but so few batches that processes would hardly have begun are left to it.
        """
        if self.device.type != "cuda" or batches < MANY_BATCHES:
            return 0
        return max(1, min(MOST_LOADERS, available_cores() // self.processes - 1))

    def check(self, network: nn.Module) -> None:
        """Raise TrainingError if this device cannot compute the network in the training's precision."""
        emulated = self.precision == "bf16" and self.device.type == "cpu" and not has_bf16_kernels()
        if emulated and any(isinstance(part, nn.LSTM) for part in network.modules()):
            raise TrainingError(
                'This processor has no LSTM in bfloat16, which training.precision = "bf16" asks for; "fp32" would do.'
            )

    def autocast(self) -> torch.autocast:
        """Return a context in which networks compute in the training's precision."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.precision == "bf16")

    def sum(self, *values: float) -> list[int]:
        """Return whole numbers, each summed over all processes."""
        if self.processes == 1:
            return [int(value) for value in values]
        given = torch.tensor([int(value) for value in values], device=self.device)
        return [int(value) for value in self._accelerator.reduce(given, "sum").tolist()]

    def total(self, value: Tensor) -> float:
        """Return one number, summed over all processes."""
        return float(self._accelerator.reduce(value, "sum"))

    def share_gradients(self, network: nn.Module) -> None:
        """Sum every gradient over all processes; a gradient that is absent counts as zero. Frozen weights have none."""
        if self.processes == 1:
            return
        parameters = [one for one in network.parameters() if one.requires_grad]
        given = [torch.zeros_like(one) if one.grad is None else one.grad for one in parameters]
        total = self._accelerator.reduce(torch.cat([one.flatten() for one in given]), "sum")
        for one, part in zip(parameters, total.split([one.numel() for one in parameters]), strict=True):
            one.grad = part.view_as(one)

    def wait(self) -> None:
        """Wait until all processes are here."""
        self._accelerator.wait_for_everyone()

    def main_first(self) -> AbstractContextManager[None]:
        """Return a context that the main process runs through before the others."""
        return self._accelerator.main_process_first()


def fix_workspace() -> None:
    """Let products on a GPU give the same numbers every time, which cuBLAS is told before it begins.

    Raises TrainingError if the environment says otherwise, or torch has used the GPU already.
    """
    set_already = os.environ.get(WORKSPACE)
    if set_already in FIXED_WORKSPACES:
        return
    if set_already is not None or torch.cuda.is_initialized():
        raise TrainingError(
            f"training.deterministic needs the variable {WORKSPACE}={FIXED_WORKSPACES[0]} on a GPU before torch uses "
            f"it{'' if set_already is None else f', and it is {set_already!r}'}: set it before Python starts."
        )
    os.environ[WORKSPACE] = FIXED_WORKSPACES[0]

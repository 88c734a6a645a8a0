"""Computing on this machine: precision, kernels, and the number of threads.

The fastest number of threads depends on the size of the network and on what else the machine does: on a quiet machine
large products gain from every core, while beside other programs threads wait for each other. No model of the machine
tells which; `ThreadTuner` measures it.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Literal

import torch

from nutgraf.runtime.hardware import available_cores

TrainingPrecision = Literal["fp32", "bf16"]

TRIALS = 3
"""Measurements of each number of threads before one is chosen."""

SPAN = 5.0
"""Seconds for which a choice holds at least."""

SHARE = 20
"""A choice holds for so many times as long as it took to find, so that finding it costs a twentieth at most."""

SLOWER, EARLY = 1.5, 4
"""Work that takes so much longer than when the number was chosen, `TRIALS` times in a row, ends the choice early; but
not before it has held so many times as long as it took to find."""


def training_precision(asked: TrainingPrecision | Literal["auto"], device: torch.device) -> TrainingPrecision:
    """Return the precision to train in; "auto" is bfloat16 where the hardware multiplies in it."""
    if asked != "auto":
        return asked
    return "bf16" if multiplies_bf16(device) else "fp32"


def multiplies_bf16(device: torch.device) -> bool:
    """True if the device has instructions for products in bfloat16."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    supported = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    return device.type == "cpu" and any(bool(getattr(torch.cpu, name, bool)()) for name in supported)


def has_bf16_kernels() -> bool:
    """True if oneDNN computes in bfloat16 on this processor; without AVX-512 it has no LSTM in it, for one."""
    return bool(torch._C._has_mkldnn) and bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def kernels(device: torch.device) -> str:
    """Return what the device's kernels are made for: the CPU's instruction set, or the GPU's name."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else torch.backends.cpu.get_cpu_capability()


class ThreadTuner:
    """Chooses how many threads compute, by the time that work takes with each number of them.

    A few pieces of work are measured with one thread, with all, and with powers of two between; the quickest number is
    kept for a while and then compared anew, because other programs come and go.

    Attributes:
        threads: The number in use.
        automatic: False if there is no choice: one core, a fixed number, or OMP_NUM_THREADS in the environment.
    """

    def __init__(
        self,
        threads: int | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
        use: Callable[[int], None] = torch.set_num_threads,
    ) -> None:
        """Begin with all candidates untried.

        Args:
            threads: A fixed number; None chooses.
            clock: Tells the time in seconds.
            use: Makes torch compute with a number of threads.
        """
        self._clock, self._use, self._lock = clock, use, Lock()
        self._candidates = _candidates(threads)
        self.automatic = len(self._candidates) > 1
        self.threads = self._candidates[-1]
        self._waiting: list[int] = []
        self._seen: dict[int, list[float]] = {}
        self._began = self._valid_until = self._valid_from = -1.0
        self._usual, self._slow = 0.0, 0
        use(self.threads)

    def __str__(self) -> str:
        return f"{self.threads} thread{'' if self.threads == 1 else 's'}"

    @contextmanager
    def measure(self, amount: float = 1.0) -> Iterator[None]:
        """Time a piece of work.

        Args:
            amount: Its size, in any unit: what is compared is time per unit.
        """
        if not self.automatic:
            yield
            return
        with self._lock:
            began = self._clock()
            count = self._next(began)
        yield
        with self._lock:
            seconds = (self._clock() - began) / amount
            if count is None:
                self._watch(seconds)
            else:
                self._seen[count].append(seconds)
                if not self._waiting:
                    self._choose()

    def _next(self, began: float) -> int | None:
        """Use the next number of threads that is to be tried; None while a choice is valid."""
        if not self._waiting:
            if began < self._valid_until:
                return None
            self._began, self._seen = began, {count: [] for count in self._candidates}
            self._waiting = list(self._candidates) * TRIALS
        count = self._waiting.pop(0)
        self._use(count)
        return count

    def _watch(self, seconds: float) -> None:
        """End the choice early if the machine has become busy since."""
        self._slow = self._slow + 1 if seconds > SLOWER * self._usual else 0
        if self._slow >= TRIALS and self._clock() >= self._valid_from:
            self._valid_until = self._clock()

    def _choose(self) -> None:
        medians = {count: statistics.median(seen) for count, seen in self._seen.items() if seen}
        self.threads = min(medians, key=lambda count: (medians[count], count))
        self._use(self.threads)
        now = self._clock()
        spent = now - self._began
        self._usual, self._slow = medians[self.threads], 0
        self._valid_from, self._valid_until = now + EARLY * spent, now + max(SPAN, SHARE * spent)


def _candidates(threads: int | None) -> list[int]:
    """Numbers of threads to choose from: one, powers of two, and all cores."""
    if threads is None and os.environ.get("OMP_NUM_THREADS", "").isdigit():
        threads = int(os.environ["OMP_NUM_THREADS"])
    if threads is not None:
        return [max(1, threads)]
    cores = available_cores()
    return sorted({cores, *(1 << power for power in range(cores.bit_length()) if 1 << power <= cores)})

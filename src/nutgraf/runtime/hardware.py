"""Processor cores and memory available to this process, also inside a container."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from nutgraf.errors import InputError, PresetError

_CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")

_DEVICE = re.compile(r"auto|(?:cpu|cuda|mps|xpu)(?::\d{1,3})?")
"""Devices that hold networks, as torch names them; whether there is one here is known when torch is loaded."""


@dataclass(frozen=True)
class Compute:
    """Settings for running a network.

    Attributes:
        deterministic: Give the same numbers every time, whatever else the machine does: one thread, and single
            precision unless the preset says otherwise.
        threads: A fixed number of threads; None takes the number that is fastest at present.
        device: A device of torch: "cpu", "cuda", "cuda:1", "mps"; "auto" is the GPU if there is one.

    Raises:
        InputError: If there is no such device.
        PresetError: If the number of threads is not a whole number from 1 on.
    """

    deterministic: bool = False
    threads: int | None = None
    device: str = "auto"

    def __post_init__(self) -> None:
        if not _DEVICE.fullmatch(str(self.device)):
            raise InputError(f"There is no device {self.device!r}; there are auto, cpu, cuda, cuda:1 and mps.")
        if self.threads is not None and not (type(self.threads) is int and self.threads > 0):
            raise PresetError(f"The number of threads is a whole number from 1 on, not {self.threads!r}.")


def available_cores() -> int:
    """Number of processor cores that this process may use: its CPU affinity and, in a container, the group's quota."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _read(_CPU_QUOTA).partition(" ")
    if quota.isdigit() and period.isdigit() and int(period):
        allowed = min(allowed, -(-int(quota) // int(period)))
    return max(1, allowed)


def total_memory() -> int | None:
    """Memory in bytes that this process may use, or None if the system does not say."""
    try:
        installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    limit = _read(_MEMORY_LIMIT)
    return min(installed, int(limit)) if limit.isdigit() else installed


def peak_memory() -> int:
    """Return the most bytes of memory that this process has used; 0 if the system does not say."""
    try:
        import resource
    except ImportError:  # not a Unix
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def limit_memory(memory: int | None) -> None:
    """Limit the memory of this process, where the system can (not on Windows).

    Args:
        memory: Bytes; None for no limit.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    if memory:
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (memory if most < 0 else min(memory, most), most))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""

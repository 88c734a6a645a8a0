"""Processor cores and memory available to this process, also inside a container."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True)
class Compute:
    """Settings for running a network.

    Attributes:
        deterministic: Give the same numbers every time, whatever else the machine does: one thread, and single
            precision unless the preset says otherwise.
        threads: A fixed number of threads; None takes the number that is fastest at present.
        device: A device of torch: "cpu", "cuda", "cuda:1"; "auto" is the GPU if there is one.
    """

    deterministic: bool = False
    threads: int | None = None
    device: str = "auto"


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


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""

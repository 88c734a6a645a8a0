"""How much memory a piece of work takes, as the system counts it (Linux)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def kibibytes(name: str) -> int:
    """Of this process: "VmRSS" is what it has, "VmHWM" the most that it has had."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1])


def peak_of(work: Callable[[], Any]) -> int:
    """KiB that it takes at most, beyond what this process has."""
    Path("/proc/self/clear_refs").write_text("5")  # The peak is counted from here.
    before = kibibytes("VmRSS")
    work()
    return kibibytes("VmHWM") - before


def elsewhere(*arguments: str) -> int:
    """The number that this script prints with these arguments, in a process of its own."""
    command = [sys.executable, sys.argv[0], *arguments]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

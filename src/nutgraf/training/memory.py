"""Keeps freed memory for the next training step.

glibc returns large blocks to the system as soon as they are free, and a step asks for the same blocks again and again:
each time the system clears every page of them. Kept, they cost nothing; a process then has its peak until its end.
"""

from __future__ import annotations

import ctypes
import platform

TRIM_THRESHOLD, TOP_PAD, MMAP_MAX = -1, -2, -4
"""Parameters of mallopt(3)."""


def keep_freed_memory() -> bool:
    """Let this process keep what it frees from now on; False if its allocator is not glibc's, and nothing changes."""
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    mallopt.argtypes = [ctypes.c_int, ctypes.c_int]
    return all([mallopt(MMAP_MAX, 0), mallopt(TRIM_THRESHOLD, -1), mallopt(TOP_PAD, 1 << 26)])

"""Limits of the memory of a process."""

from __future__ import annotations


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

"""Garbage collection of a process that serves for long."""

from __future__ import annotations

import gc


def settle() -> None:
    """Take all objects that there are from the garbage collection, once whatever stays has been loaded.

    Modules and tables live as long as the process. With them, a full collection stops the process for tens of
    milliseconds, under load every few seconds, and whatever waits, waits for that, too.
    """
    gc.collect()
    gc.freeze()

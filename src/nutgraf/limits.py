"""Limits of memory and processor time, and programs of ours that handle within them what others wrote.

What a file of somebody else makes a library do may take forever or fill the memory, and a library cannot be
interrupted. So it is tried in a process of its own, which reads what it is asked as a JSON object and writes its
outcome as another.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any

WAIT = 60.0
"""Seconds for a program, which has to start first, and may have to wait for a processor."""

SINGLE = {"OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
"""Environment variables that keep libraries to one thread, so that processor time is time."""


class Ended(Exception):
    """A program had no outcome; the text says why, with a verb: "takes more than 1 second of a processor"."""


def run(program: str, asked: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Run a program that calls `serve`, and return its outcome.

    Args:
        program: Its file.
        asked: What it is asked.
        seconds: Its limit of processor time, for the message.

    Raises:
        Ended: If it was ended before it had one.
    """
    import subprocess

    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **SINGLE}
    command = [sys.executable, "-P", program]
    try:
        ran = subprocess.run(
            command, input=json.dumps(asked, default=str), env=environment, capture_output=True, text=True, timeout=WAIT
        )
    except subprocess.TimeoutExpired as error:
        raise Ended(f"has no outcome after {WAIT:g} seconds") from error
    if ran.returncode < 0:
        ending = signal.Signals(-ran.returncode).name
        unit = "second" if seconds == 1 else "seconds"
        raise Ended(f"takes more than {seconds:g} {unit} of a processor, or breaks off ({ending})")
    if ran.returncode:
        raise RuntimeError(f"{command} ended with status {ran.returncode}: {ran.stderr}")
    return dict(json.loads(ran.stdout))


def serve(outcome: Callable[[dict[str, Any]], Mapping[str, Any]], seconds: float, memory: int) -> None:
    """Be such a program: read what is asked, and write the outcome.

    Args:
        outcome: Makes the outcome of what is asked.
        seconds: Limit of its processor time; Windows has none.
        memory: Limit of its memory in bytes; Windows has none.
    """
    asked = json.load(sys.stdin)
    limit_memory(memory)
    if hasattr(signal, "setitimer"):  # not on Windows
        signal.setitimer(signal.ITIMER_PROF, seconds)
    json.dump(outcome(asked), sys.stdout)


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

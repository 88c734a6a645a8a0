"""The command `nutgraf`: whatever goes wrong ends in one sentence and an exit status.

    0    done
    1    a mistake of nutgraf's own, or what `check --fail-on` was to find
    2    something that the user, or whoever runs the machine, can mend
    130  interrupted by Ctrl-C
    141  nobody reads on: `| head` has seen enough; nothing is said
    143  ended by SIGTERM, 129 by SIGHUP

Nothing heavy is imported before errors and signals are handled, so that Ctrl-C works from the first moment.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

DEBUG = "--debug"
WIDTHS = ("COLUMNS", "LINES", "TERMINAL_WIDTH")
"""Variables that say how large a terminal is."""

CLOSED_PIPE = 128 + 13
"""Status of a process that SIGPIPE ends; Windows has no such signal."""

BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
"""Variables that say how many threads NumPy's matrix products take."""

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that ask a process to end."""


def main() -> None:
    """Run the command line and leave with its status."""
    debug, received = False, list[int]()
    try:
        _interrupt_on_signals(received)
        arguments, debug = _without_debug(sys.argv[1:])
        _prepare_streams()
        _drop_absurd_widths()
        _take_one_thread()
        from nutgraf.cli.app import run

        status = run(arguments)
        sys.stdout.flush()
    except BaseException as error:
        if isinstance(error, SystemExit):
            if not isinstance(error.__context__, BrokenPipeError):
                raise
            error = error.__context__  # a library's own way to leave
        if debug:
            import traceback

            traceback.print_exc()
        status = _report(error, received)
        if isinstance(error, KeyboardInterrupt):
            # Where Ctrl-C came while code was made of a text, as for a dataclass, Python would still end by SIGINT. It
            # forgets that with the next code.
            exec("")
    _give_up_broken_streams()
    raise SystemExit(status)


def _without_debug(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """The arguments for the commands, and whether a traceback is wanted."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [one for one in arguments[:end] if one != DEBUG]
    wanted = len(kept) < end or os.environ.get("NUTGRAF_DEBUG", "") not in ("", "0")
    return [*kept, *arguments[end:]], wanted


def _interrupt_on_signals(received: list[int]) -> None:
    """Let a signal that ends this process interrupt the command as Ctrl-C does, so that nothing is left half-written.

    A signal that the parent process ignores, as nohup does, stays ignored. `received` gets the signal's number.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)


def _take_one_thread() -> None:
    """Let NumPy multiply with one thread, unless the user has set a number.

    The matrices of a document are so small that more threads only wait for each other. NumPy reads this when it is
    loaded; torch has settings of its own.
    """
    if not any(name in os.environ for name in BLAS_THREADS):
        os.environ[BLAS_THREADS[0]] = "1"


def _report(error: BaseException, received: Sequence[int]) -> int:
    """Print what went wrong, and return the exit status."""
    from nutgraf.cli._say import say
    from nutgraf.errors import NutgrafError

    if isinstance(error, NutgrafError):
        say(str(error))
    elif isinstance(error, KeyboardInterrupt):
        number = received[0] if received else signal.SIGINT
        say("interrupted." if number == signal.SIGINT else f"ended by {signal.Signals(number).name}.")
        return 128 + number
    elif isinstance(error, BrokenPipeError):
        return CLOSED_PIPE
    elif isinstance(error, OSError):
        place = f"{error.filename} cannot be used" if error.filename else "Something cannot be read or written"
        say(f"{place}: {error.strerror or error}.")
    elif _is_memory(error):
        say("There is not enough memory for this; give it less at a time, or a machine that has more.")
    elif isinstance(error, RecursionError):
        say("What was given is nested too deeply to be read.")
    else:
        say(
            f"This is a mistake of nutgraf's, not of yours ({type(error).__name__}: {error}). Please report it as "
            f"SECURITY.md and README.md say, with the command and what it prints with {DEBUG}."
        )
        return 1
    return 2


def _is_memory(error: BaseException) -> bool:
    """Return True if memory was refused.

    torch has a RuntimeError for that, a library that does not fit an ImportError; only their text tells.
    """
    message = str(error).lower()
    refused = (
        "out of memory",
        "not enough memory",
        "can't allocate memory",
        "cannot allocate",
        "failed to map segment",
    )
    refusal = isinstance(error, (RuntimeError, ImportError)) and any(words in message for words in refused)
    return isinstance(error, MemoryError) or refusal


def _prepare_streams() -> None:
    """Replace streams that were closed by one that takes everything, and replace what cannot be encoded.

    A closed stream is None, and what is printed to None goes to stdout.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def _drop_absurd_widths() -> None:
    """Forget widths of the environment that no terminal has; tables would be drawn to them."""
    for name in WIDTHS:
        width = os.environ.get(name)
        if width is not None and not (width.isdecimal() and len(width) < 5 and 20 <= int(width) <= 1000):
            del os.environ[name]


def _give_up_broken_streams() -> None:
    """Discard the rest of a stream that cannot be written, which Python would report once more at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

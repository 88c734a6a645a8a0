"""Errors of transformers become sentences, and what it writes to stderr is kept back while it reads a model."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from typing import Any

from nutgraf.errors import InputError, MissingPackage, NutgrafError
from nutgraf.model.pretrained_generation import CONFIG

UNTOLD = (TypeError, AttributeError, LookupError, AssertionError)
"""Errors with which a library breaks off where it does not expect any, so that their texts tell a user little."""

LONGEST_REASON = 300
"""Characters of what a library says that are shown."""


@contextmanager
def told(folder: Path, what: str = "cannot be loaded", files: str = "them") -> Iterator[None]:
    """Tell in a sentence what a model cannot do: what its files make the libraries do is no mistake of nutgraf's.

    An error that is raised in a line of nutgraf, and not within a library, is a mistake of its own, and passes.

    Args:
        folder: Its folder.
        what: What it cannot do, with the verb.
        files: Files that are to be fetched anew if what they hold is the reason; "them" for all.
    """
    try:
        yield
    except NutgrafError:
        raise
    except ImportError as error:
        raise MissingPackage(f"The model in {folder} needs another package: {_reason(error)}.") from error
    except Exception as error:  # whatever the library makes of files that do not fit together
        *_, (last, _) = walk_tb(error.__traceback__)
        if str(last.f_globals.get("__name__")).startswith("nutgraf."):
            raise
        if "trust_remote_code" in str(error):
            raise InputError(
                f"{folder} brings code of its own; nutgraf runs no code that comes with a model."
            ) from error
        if "ignore_mismatched_sizes" in str(error):
            raise InputError(f"{folder} has weights of other shapes than its {CONFIG} says; fetch it anew.") from error
        kind = type(error).__name__
        if isinstance(error, UNTOLD):
            raise InputError(
                f"{folder} {what}: its files do not fit together; fetch {files} anew. (The library says {kind}: "
                f"{_reason(error)}.)"
            ) from error
        advice = "" if files == "them" else f" Fetch {files} anew."
        raise InputError(f"{folder} {what}: {_reason(error)} ({kind}).{advice}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of the library tokenizers, which derives from no Exception
            raise
        raise InputError(
            f"{folder} {what}: its tokenizer breaks off ({_reason(error)}); fetch tokenizer.json anew."
        ) from error


def _reason(error: BaseException) -> str:
    """Return what a library says, its first words if they are many."""
    said = " ".join(str(error).split())
    return textwrap.shorten(said, LONGEST_REASON, placeholder=" …").removesuffix(".") or "no reason was given"


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from writing to stderr, where notices stand."""
    from transformers.utils import logging as their_logging

    logging: Any = their_logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()

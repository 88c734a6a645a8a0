"""Marks what a later version will remove (docs/releasing.md)."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def deprecated(*, since: str, removed_in: str, instead: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function warn its callers that it will be removed.

    Args:
        since: The version that deprecates it.
        removed_in: The version that will no longer have it.
        instead: The replacement.

    Returns:
        A decorator. The decorated function gives a `DeprecationWarning` that points at the calling line.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        message = (
            f"{function.__qualname__} is deprecated since nutgraf {since} and will be removed in {removed_in}; "
            f"use {instead} instead."
        )

        @functools.wraps(function)
        def warned(*args: P.args, **kwargs: P.kwargs) -> R:
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        return warned

    return decorate

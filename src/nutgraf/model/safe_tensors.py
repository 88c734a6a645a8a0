"""Files of safetensors, opened with the library's errors as a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError


@contextmanager
def opened(path: str | Path) -> Iterator[Any]:
    """Open a file of safetensors, whose tensors are read when they are asked for. Raises InputError if it was cut."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            yield file
    except (OSError, SafetensorError, UnicodeError) as error:
        raise InputError(f"{path} cannot be read; it is missing or was cut: {error}.") from error

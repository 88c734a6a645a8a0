"""Files of networks: as large as they may be, and as their card says."""

from __future__ import annotations

import hashlib
from pathlib import Path

from nutgraf.errors import InputError
from nutgraf.runtime.files import read_bytes

LARGEST = 64_000_000
"""Bytes of the largest file of a network."""


def whole(path: Path, digest: str) -> bytes:
    """Return a file that has the digest that its card says.

    Args:
        path: The file.
        digest: SHA-256, in hexadecimal digits.

    Raises:
        InputError: If it cannot be read, is too large, or is another one.
    """
    try:
        data = read_bytes(path, LARGEST)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise InputError(f"{path} is no file of a network: {error}.") from error
    if hashlib.sha256(data).hexdigest() != digest:
        raise InputError(f"{path} is not the file that its card names: its SHA-256 is another one. Install it anew.")
    return data

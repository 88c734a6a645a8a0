"""Rules of a page: it runs nothing but its own scripts and style."""

from __future__ import annotations

import base64
import hashlib
import re

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
"""Characters that HTML or UTF-8 cannot hold."""


def content_policy(style: str, *scripts: str) -> str:
    """Return the content security policy of a page with one style and its scripts, which it names by their hashes."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {' '.join(map(_hash, scripts))}; "
        "base-uri 'none'; form-action 'none'"
    )


def printable(page: str) -> str:
    """Replace characters that HTML or UTF-8 cannot hold by U+FFFD."""
    return UNPRINTABLE.sub("\ufffd", page)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

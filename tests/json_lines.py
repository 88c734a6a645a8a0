"""Files of JSON lines, as tests write them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

OPENERS: Mapping[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def write_lines(path: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    """Write objects line by line, compressed where the name says so."""
    with OPENERS.get(path.suffix, open)(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)

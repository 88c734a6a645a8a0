"""The folder of the corpora that some benchmarks read."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path("../shared/data")
"""Beside the checkout."""


def needed(folder: Path, *corpora: str) -> None:
    """End with a sentence where one of them is missing."""
    for corpus in corpora:
        if not (folder / corpus).is_dir():
            print(f"{folder} has no folder {corpus}; --data names the folder of the corpora.", file=sys.stderr)
            raise SystemExit(2)

"""Writes the lock files of the image: the versions and hashes of every package in it.

    make lock

The versions are those of the environment that runs this, which the tests have run in; the CPU build of PyTorch is taken
in any case. A test asserts that the files satisfy pyproject.toml.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCKS = Path(__file__).parent / "locks"
PYTHON = "3.13"
IMAGES = {"serve": ("serve",), "serve-neural": ("serve", "neural")}
"""Lock files, and the extras that each is about."""

HEADER = "# Written by `make lock`: {what}, for Python {python} on Linux.\n"


def installed() -> str:
    """The versions of this environment, as constraints; those of nutgraf and PyTorch come from elsewhere."""
    names = {one.name.lower(): one.version for one in distributions()}
    return "".join(
        f"{name}=={version}\n" for name, version in sorted(names.items()) if name not in ("nutgraf", "torch")
    )


def locked(requirements: Sequence[str], what: str, given: str = "") -> str:
    """Return all packages that requirements take, with hashes, one version each.

    Args:
        requirements: Arguments of `uv pip compile`.
        what: Description of these packages.
        given: Requirements on its standard input.
    """
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder) / "installed.txt"
        constraints.write_text(installed(), encoding="utf-8")
        command = [
            sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-config", "--no-header", "--no-annotate",
            "--default-index", "https://pypi.org/simple", "--generate-hashes", "--python-version", PYTHON,
            "--python-platform", "linux", "--constraints", str(constraints), *requirements,
        ]  # fmt: skip
        ran = subprocess.run(command, input=given, text=True, stdout=subprocess.PIPE, check=True, cwd=ROOT)
    return HEADER.format(what=what, python=PYTHON) + ran.stdout


def main() -> None:
    """Write the files."""
    build = locked(["-"], "what builds the wheel in deploy/Dockerfile", "hatchling>=1.25\n")
    (LOCKS / "build.lock").write_text(build, encoding="utf-8")
    for name, extras in IMAGES.items():
        chosen = [argument for extra in extras for argument in ("--extra", extra)]
        ours = ["pyproject.toml", "--constraints", "constraints.txt", "--torch-backend", "cpu"]
        text = locked([*ours, *chosen], f"what deploy/Dockerfile installs with EXTRAS={','.join(extras)}")
        (LOCKS / f"{name}.lock").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

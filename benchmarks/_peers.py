"""Peers: where they are installed, and what is said of those that cannot be had here.

A peer is installed when a benchmark first asks for it, under `benchmarks/.peers`. One that cannot be installed or
loaded is named with the reason, and the benchmark measures what is left.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PLACE = HERE / ".peers"
MARK = "installed.txt"
"""Written last, with what was asked for: a folder without it, or with another list, is installed anew."""


def environment(folder: Path, packages: Sequence[str]) -> Path | None:
    """The Python of a virtual environment with `packages`; None, with a word to the reader, where pip fails."""
    python = folder / "bin" / "python"
    if not _installed(folder, packages):
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        if not _install(folder, packages, [str(python), "-m", "pip", "install"]):
            return None
    return python


class Library(NamedTuple):
    """A peer that runs in our own environment, on our own torch.

    Its packages are installed into a folder `name`, without what they depend on. `load` is a statement that fails where
    something is missing.
    """

    name: str
    packages: tuple[str, ...]
    load: str

    def available(self, place: Path = PLACE) -> bool:
        """Whether it can be loaded, having been installed under `place`; says why not."""
        folder = place / self.name
        if not _installed(folder, self.packages):
            command = [sys.executable, "-m", "pip", "install", "--no-deps", "--upgrade", "--target", str(folder)]
            if not _install(folder, self.packages, command):
                return False
        load = f"import sys; sys.path.append({str(folder)!r}); {self.load}"
        return _succeeds([sys.executable, "-c", load], f"{self.name} cannot be loaded")

    def find(self, place: Path = PLACE) -> None:
        """Let this process import it; our own packages come first."""
        sys.path.append(str(place / self.name))


TRANSFORMERS = Library("transformers", ("transformers>=5,<6",), "from transformers import BartForConditionalGeneration")
NETWORKX = Library("networkx", ("networkx",), "import networkx")


def that_run(sides: Iterable[str], needs: Mapping[str, Sequence[Library]], place: Path) -> list[str]:
    """The sides whose libraries are available here; `needs` lists them for each side that needs any."""
    sides = list(sides)
    wanted = dict.fromkeys(library for side in sides for library in needs.get(side, ()))
    missing = {library for library in wanted if not library.available(place)}
    return [side for side in sides if missing.isdisjoint(needs.get(side, ()))]


def quick_here(sides: Iterable[str]) -> list[str]:
    """The sides but those named after a precision in which torch is slower than in single precision on this machine."""
    import torch

    from nutgraf.decoding.precision import quick_precisions

    quick, kept = quick_precisions(torch.device("cpu")), []
    for side in sides:
        slow = [precision for precision in ("bf16", "int8") if side.endswith(precision) and precision not in quick]
        if slow:
            left_out(side, f"torch is no quicker in {slow[0]} than in fp32 on this processor (--only measures it)")
        else:
            kept.append(side)
    return kept


def left_out(what: str, why: str) -> None:
    """Say it where the figures are read."""
    print(f"without {what}: {why}", flush=True)


def _installed(folder: Path, packages: Sequence[str]) -> bool:
    mark = folder / MARK
    return mark.is_file() and mark.read_text() == "\n".join(packages)


def _install(folder: Path, packages: Sequence[str], command: Sequence[str]) -> bool:
    options = ("--quiet", "--disable-pip-version-check")
    done = _succeeds([*command, *options, *packages], f"{', '.join(packages)} cannot be installed")
    if done:
        (folder / MARK).write_text("\n".join(packages))
    return done


def _succeeds(command: Sequence[str], otherwise: str) -> bool:
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE)
    if done.returncode:
        stderr = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in stderr if line.startswith("ERROR")]
        left_out("a peer", f"{otherwise}; {(errors or stderr or ['no reason given'])[-1].removeprefix('ERROR: ')}")
    return not done.returncode

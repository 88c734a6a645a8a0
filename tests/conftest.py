"""What several tests need."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

# Shapes and types of the network are checked in every call that a test makes; users pay nothing for them.
if all(importlib.util.find_spec(each) for each in ("torch", "jaxtyping", "beartype")):
    from jaxtyping import install_import_hook

    install_import_hook("nutgraf.model", "beartype.beartype")

# Sums of many numbers depend in their last bits on how many threads share them: here, and in every process that a test
# starts, one.
os.environ["OMP_NUM_THREADS"] = "1"

PdfOf = Callable[[Sequence[Sequence[str]]], bytes]

TOGETHER = ("tests/hostile/",)
"""Folders whose tests share fixtures that are dear: `make test` gives each whole to one process."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the tests of a file in one process, and those of a folder of `TOGETHER`."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return next((folder for folder in TOGETHER if file.startswith(folder)), file)

    return Scheduling(config, log)


def pytest_pycollect_makemodule(module_path: Path) -> None:
    """Set hypothesis up before a module that uses it is imported; runs without such a module save its import."""
    if "from hypothesis import" in module_path.read_text(encoding="utf-8"):
        _set_up_hypothesis()


@cache
def _set_up_hypothesis() -> None:
    """No deadlines: machines are noisy. Where nobody watches, the same examples every time."""
    from hypothesis import settings

    settings.register_profile("nutgraf", deadline=None, derandomize="CI" in os.environ)
    settings.load_profile("nutgraf")


@pytest.fixture(scope="session")
def pdf_of() -> PdfOf:
    """Makes a PDF of pages, each as its lines, one under the other."""
    return _pdf


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small network that knows a few notices by heart (`tiny_network.NOTICES`)."""
    pytest.importorskip("torch")
    from tiny_network import tiny, train

    return train(tmp_path_factory.mktemp("network"), tiny())[0]


def _pdf(pages: Sequence[Sequence[str]]) -> bytes:
    numbers = range(4, 4 + 2 * len(pages), 2)
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, lines in zip(numbers, pages, strict=True):
        drawn = "".join(f"1 0 0 1 72 {780 - 14 * row} Tm ({_escaped(line)}) Tj\n" for row, line in enumerate(lines))
        content = f"BT /F1 11 Tf\n{drawn}ET".encode("cp1252")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content))
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return data + (
        b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, len(data))
    )


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")

"""What the tests of documents share: the repository, its documents, and a place where their commands can run."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Timer
from types import ModuleType

import pytest
from typer.testing import CliRunner, Result

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "nutgraf"
DOCUMENTS = sorted(
    [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "SECURITY.md",
        *(ROOT / "docs").rglob("*.md"),
    ]
)

_BLOCK = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text: str, kind: str) -> list[str]:
    """The fenced blocks of one kind in a Markdown text."""
    return [match["text"] for match in _BLOCK.finditer(text) if match["kind"] == kind]


def without_blocks(text: str) -> str:
    """A Markdown text without its fenced blocks."""
    return _BLOCK.sub("", text)


def show(path: Path) -> str:
    """A document's name in the list of tests."""
    return str(path.relative_to(ROOT))


def in_a_copy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder that has the examples, as the root of the repository has them."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.chdir(folder)


def run_line(line: str) -> Result:
    """Run a line "nutgraf …" as a shell would."""
    from nutgraf.cli.app import app

    program, *arguments = shlex.split(line, comments=True)
    assert program == "nutgraf"
    return CliRunner().invoke(app, arguments)


def run_server(line: str, *, seconds: float = 300) -> int:
    """Run a line "nutgraf …" of a command that serves until it is told to stop; return its status then."""
    program, *arguments = shlex.split(line, comments=True)
    assert program == "nutgraf"
    command = [sys.executable, "-m", "nutgraf", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        watch = Timer(seconds, server.kill)
        watch.start()
        try:
            assert server.stderr is not None
            assert any("ready on http" in said for said in server.stderr)
            server.terminate()
            server.stderr.read()
            return server.wait()
        finally:
            watch.cancel()


def docs_program(name: str) -> ModuleType:
    """A program in `docs/` that writes pages: `write_commands` or `write_reference`."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

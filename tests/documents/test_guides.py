"""Commands and programs in the guides run on the examples, and every page of the documentation is in its navigation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from manuals import ROOT, blocks, in_a_copy, run_line

GUIDES = [ROOT / "docs" / "index.md", ROOT / "docs" / "releasing.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
LINES = [
    pytest.param(line, id=f"{guide.stem}: {line}")
    for guide in GUIDES
    for block in blocks(guide.read_text(encoding="utf-8"), "sh")
    for line in block.splitlines()
]
PROGRAMS = [
    pytest.param(block, id=f"{guide.stem} {number}")
    for guide in GUIDES
    for number, block in enumerate(blocks(guide.read_text(encoding="utf-8"), "python"))
]


@pytest.mark.parametrize("line", LINES)
def test_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_copy(tmp_path, monkeypatch)
    result = run_line(line)
    assert result.exit_code == 0, result.output or result.exception


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_copy(tmp_path, monkeypatch)
    exec(compile(program, "guide", "exec"), {})


def test_there_is_something_to_run() -> None:
    assert len(LINES) > 10
    assert PROGRAMS


def test_every_page_is_in_the_navigation() -> None:
    named = set(re.findall(r": ([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    root = {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert named == pages | root

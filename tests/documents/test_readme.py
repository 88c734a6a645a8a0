"""What README says can be done can be done, and its map shows the house as it is."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from manuals import ROOT, SOURCE, blocks, in_a_copy, run_line

import nutgraf
from nutgraf import presets

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = [
    line.removeprefix("$ ")
    for kind in ("sh", "console")
    for block in blocks(README, kind)
    for line in block.splitlines()
]
LINES = [line for line in SHELL if line.startswith("nutgraf ")]
MAKE = [line.split()[1] for line in SHELL if line.startswith("make ")]


@pytest.mark.parametrize("line", LINES)
def test_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_copy(tmp_path, monkeypatch)
    result = run_line(line)
    assert result.exit_code == 0, result.output or result.exception


def test_there_are_commands() -> None:
    assert len(LINES) >= 2


def test_make_knows_what_is_asked_of_it() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert MAKE
    assert [target for target in MAKE if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    in_a_copy(tmp_path, monkeypatch)
    (block,) = blocks(README, "python")
    names: dict[str, object] = {}
    exec(compile(block, "README.md", "exec"), names)
    assert capsys.readouterr().out.strip() == str(names["summary"])
    assert 0 < len(str(names["summary"]).split()) <= 100


def test_the_map_shows_every_folder_and_none_that_is_not_there() -> None:
    (shown,) = blocks(README.partition("\n## Map\n")[2].partition("\n## ")[0], "")
    found, parent = [], ROOT
    for line in shown.splitlines():
        match = re.match(r"(?P<indent> *)(?P<name>[\w./]+)/(?:\s|$)", line)
        if match is None:
            continue
        folder = (parent if match["indent"] else ROOT) / match["name"]
        parent = parent if match["indent"] else folder
        assert folder.is_dir(), f"README's map shows {folder.relative_to(ROOT)}, which is not there"
        found.append(folder)
    rooms = {folder for folder in SOURCE.iterdir() if (folder / "__init__.py").exists()}
    assert rooms <= set(found)


def test_the_default_system_is_a_preset() -> None:
    default = inspect.signature(nutgraf.load).parameters["name"].default
    assert default == "adaptive"
    assert default in presets.names()
    assert f"`{default}`" in README

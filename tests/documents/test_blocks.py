"""What the documents tell a reader to type runs, from a folder that has the examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from manuals import ROOT, blocks, in_a_copy, run_line, show

DOCUMENTS = sorted((ROOT / "docs").rglob("*.md"))


def each_block(kind: str) -> list[object]:
    """The blocks of one kind in all documents, named by document and number."""
    return [
        pytest.param(block, id=f"{show(document)}-{number}")
        for document in DOCUMENTS
        for number, block in enumerate(blocks(document.read_text(encoding="utf-8"), kind), start=1)
        if document.name != "commands.md"  # its examples are those of the commands' help, which have a test
    ]


@pytest.mark.parametrize("block", each_block("sh"))
def test_commands_run(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_copy(tmp_path, monkeypatch)
    for line in block.splitlines():
        result = run_line(line)
        assert result.exit_code == 0, result.output or result.exception


@pytest.mark.parametrize("block", each_block("python"))
def test_python_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_copy(tmp_path, monkeypatch)
    exec(compile(block, "example", "exec"), {})


@pytest.mark.parametrize("block", each_block("toml"))
def test_presets_make_systems(block: str, tmp_path: Path) -> None:
    from nutgraf import load
    from nutgraf.systems import lacking
    from nutgraf.systems import read_preset as read

    (tmp_path / "shown.toml").write_text(block, encoding="utf-8")
    preset = read(tmp_path / "shown.toml")
    preset.check()
    assert lacking(preset) or str(
        load(tmp_path / "shown.toml")("The geese left. The pond froze. Nobody came.", words=6)
    )

"""The pages that are read off the code: they are what the generator gives now, and nothing is missing from them."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from manuals import ROOT, docs_program, in_a_copy, run_line, run_server
from typer.testing import CliRunner

from nutgraf import presets
from nutgraf.cli.app import app, commands
from tiny_bert import plain_bert
from tiny_pretrained import bart

generator, reference = docs_program("write_commands"), docs_program("write_reference")
PAGES = generator.PAGES | reference.PAGES
COMMANDS = set(commands())
BEFORE = {
    "compare": ("evaluate",),
    "info": ("train",),
    "candidates": ("train",),
    "precision": ("train",),
    "judge collect": ("judge sheet",),
    "judge serve": ("judge sheet",),
    "judge report": ("judge sheet", "judge collect"),
    "judge export": ("judge sheet", "judge collect"),
}
"""The commands whose examples make what another one's is about."""

SERVERS = {"serve", "judge serve"}
"""The commands that serve until they are told to stop."""

EXAMPLES = [(name, line) for name, lines in generator.examples().items() for line in lines]


@pytest.fixture(scope="module")
def made_by(tmp_path_factory: pytest.TempPathFactory) -> Callable[[tuple[str, ...]], Path]:
    """Gives the folder that the examples of some commands leave; they run once for all tests that begin there."""

    @cache
    def made(names: tuple[str, ...]) -> Path:
        folder = tmp_path_factory.mktemp("before")
        with pytest.MonkeyPatch.context() as patch:
            in_a_copy(folder, patch)
            for line in [line for name in names for other, line in EXAMPLES if other == name]:
                ran = run_line(line)
                assert ran.exit_code == 0, ran.output or ran.exception
        return folder

    return made


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def section(name: str) -> str:
    """What the page says of one command."""
    return page("commands.md").partition(f"\n## nutgraf {name}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_generator_gives_now(name: str) -> None:
    assert page(name) == PAGES[name](), "run `make docs`"


@pytest.mark.parametrize("name", reference.PAGES)
def test_a_page_of_reference_can_be_read_in_a_copy_of_the_repository(name: str) -> None:
    """Each name that the site shows a whole docstring of has a heading, a signature or a sentence, and a link."""
    text = page(name)
    assert not re.search(r"^:::", text, re.MULTILINE)
    parts = text.split("<!-- ::: ")[1:]
    assert parts
    for part in parts:
        described, _, _ = part.partition("<!-- end -->")
        assert re.search(r"^### \S+\n\n\S", described, re.MULTILINE)
        assert re.search(r"^In \[\S+\]\(../../src/nutgraf/\S+\.py\)\.$", described, re.MULTILINE)


def test_a_signature_is_as_it_is_called() -> None:
    """By hand: `self` is not given, and the fields of a record are."""
    text = page("reference/python.md")
    assert "* `phrases_in(sentence: SummarySentence) -> tuple[str, ...]`: Key phrases whose words stand in" in text
    assert "class Sentence\n    start: int\n    end: int\n" in text


@pytest.mark.parametrize("columns", ["20", "300"])
def test_the_terminal_does_not_matter(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")
    for name, write in PAGES.items():
        assert write() == page(name)
        assert "\x1b" not in page(name)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_that_help_shows_is_in_the_page(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).stdout
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", shown)) - {"--help"}
    assert flags
    assert all(f"`{flag}`" in section(name) or flag in section(name) for flag in flags)


def test_every_command_has_an_example() -> None:
    assert {name for name, _ in EXAMPLES} == COMMANDS


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_the_examples_of_help_run(
    name: str,
    line: str,
    made_by: Callable[[tuple[str, ...]], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert line in section(name)
    if name.startswith("judge "):
        pytest.importorskip("sqlalchemy")
        pytest.importorskip("statsmodels")
    if (name,) in BEFORE.values():
        made_by((name,))
        return
    shutil.copytree(made_by(BEFORE.get(name, ())), tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if name == "convert":
        pytest.importorskip("torch")
        plain_bert(tmp_path / "bert-base-uncased")
    if name == "export":
        pytest.importorskip("ctranslate2")
        bart(tmp_path / "bart-large-cnn")
    if name in SERVERS:
        pytest.importorskip("fastapi")
        assert run_server(line) == 0
        return
    result = run_line(line)
    assert result.exit_code == 0, result.output or result.exception


def test_every_preset_is_in_the_page() -> None:
    assert [name for name in presets.names() if f"| `{name}` |" not in page("presets.md")] == []


def test_every_field_of_every_section_is_in_the_page() -> None:
    for path, section in generator.sections():
        if not isinstance(section, presets.Family):
            section_text = page("options.md").partition(f"\n## [{path}]\n")[2].partition("\n## ")[0]
            assert [one.name for one in dataclasses.fields(section) if f"\n* `{one.name} = " not in section_text] == []


def test_every_member_of_every_family_is_in_the_page() -> None:
    for family in presets.families():
        if family.package == "nutgraf.systems":
            continue
        assert [name for name in family.names() if f"\n### {name}\n" not in page("options.md")] == []

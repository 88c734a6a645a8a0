"""Docstrings say in the indicative or the imperative what a thing is or does; their examples run."""

from __future__ import annotations

import ast
import doctest
import importlib
from pathlib import Path

import pytest
from manuals import SOURCE

BANNED = ("Whether ", "What ", "How ", "That of ", "Those ", "Of ")
"""Openings of fragments that lean on the name."""

UNFINISHED = frozenset[str](
    # Rooms with such openings still in them; a room that is rewritten leaves this list, and none comes back.
)

FILES = sorted(SOURCE.rglob("*.py"))
DOCUMENTED = [path for path in FILES if ">>> " in path.read_text(encoding="utf-8")]


def room(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else path.name


def fragments(path: Path) -> list[str]:
    """Docstrings with a banned opening, with their lines."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        said = (ast.get_docstring(node) or "") if isinstance(node, kinds) else ""
        if said.startswith(BANNED):
            found.append(f"{path.relative_to(SOURCE)}:{node.body[0].lineno}: {said.splitlines()[0]}")
    return found


@pytest.mark.parametrize("name", sorted({room(path) for path in FILES} - UNFINISHED))
def test_no_docstring_opens_as_a_fragment(name: str) -> None:
    assert [line for path in FILES if room(path) == name for line in fragments(path)] == []


def test_rooms_that_are_finished_leave_the_list() -> None:
    assert {one for one in UNFINISHED if not any(fragments(path) for path in FILES if room(path) == one)} == set()


@pytest.mark.parametrize("path", DOCUMENTED, ids=lambda path: path.stem)
def test_examples_in_docstrings_run(path: Path) -> None:
    dotted = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
    assert doctest.testmod(importlib.import_module(dotted)).failed == 0

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
        docstring = (ast.get_docstring(node) or "") if isinstance(node, kinds) else ""
        if docstring.startswith(BANNED):
            found.append(f"{path.relative_to(SOURCE)}:{node.body[0].lineno}: {docstring.splitlines()[0]}")
    return found


@pytest.mark.parametrize("name", sorted({room(path) for path in FILES}))
def test_no_docstring_opens_as_a_fragment(name: str) -> None:
    assert [line for path in FILES if room(path) == name for line in fragments(path)] == []


def options(path: Path) -> dict[str, ast.stmt | None]:
    """Return the fields of the records of options in a file, each with the statement that follows it."""
    records = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ClassDef)]
    return {
        f"{path.relative_to(SOURCE)}: {field.target.id}": following
        for record in records
        if record.name.endswith("Config")
        for field, following in zip(record.body, [*record.body[1:], None], strict=True)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    }


def test_every_option_has_its_sentence() -> None:
    """A field that only gives another default to an option of its base has the sentence there."""
    bare = {
        name
        for path in FILES
        for name, following in options(path).items()
        if not (isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant))
    }
    assert {name.rpartition(" ")[2] for name in bare} <= {"ffn_dim", "norm", "copy_attention", "p_copy_input"}


@pytest.mark.parametrize("path", DOCUMENTED, ids=lambda path: path.stem)
def test_examples_in_docstrings_run(path: Path) -> None:
    dotted = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
    assert doctest.testmod(importlib.import_module(dotted)).failed == 0

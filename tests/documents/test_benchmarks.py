"""Benchmarks take minutes, so the tests do not run them; but every name of ours that they use is there."""

from __future__ import annotations

import ast
import importlib
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = sorted((Path(__file__).parents[2] / "benchmarks").glob("*.py"))


def names_of_ours(tree: ast.AST) -> dict[str, object]:
    """What a script imports of nutgraf, by the name that it has there."""
    found: dict[str, object] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "nutgraf":
            for alias in node.names:
                found[alias.asname or alias.name] = imported(node.module or "", alias.name)
    return found


def imported(module: str, name: str) -> object:
    try:
        return getattr(importlib.import_module(module), name)
    except AttributeError:
        return importlib.import_module(f"{module}.{name}")


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
@pytest.mark.parametrize("script", BENCHMARKS, ids=lambda script: script.stem)
def test_names_of_ours_exist(script: Path) -> None:
    tree = ast.parse(script.read_text(encoding="utf-8"))
    ours = names_of_ours(tree)
    used = {
        (node.value.id, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    missing = [
        f"{name}.{attribute}"
        for name, attribute in sorted(used)
        if isinstance(module := ours.get(name), ModuleType) and not hasattr(module, attribute)
    ]
    assert missing == []

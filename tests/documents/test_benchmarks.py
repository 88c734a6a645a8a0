"""Benchmarks take minutes, so the tests do not run them; but every name of ours that they use is there."""

from __future__ import annotations

import ast
import importlib
import re
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = sorted((ROOT / "benchmarks").glob("*.py"))
SCRIPT = re.compile(r"benchmarks/(\w+)\.py")
PARTS = {"run", "long_text", "keyphrases_reference", *(one.stem for one in BENCHMARKS if one.stem.startswith("_"))}
"""Scripts that others run or import."""
ENDINGS = (".md", ".py", ".toml", ".yml")


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


def test_scripts_that_are_mentioned_exist() -> None:
    """In code, tests, presets and models; `test_links.py` looks at the documents."""
    known = {script.stem for script in BENCHMARKS}
    files = [
        file
        for folder in ("src", "tests", "models", "benchmarks")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in ENDINGS and ".peers" not in file.parts
    ]
    gone = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in files
        for name in SCRIPT.findall(file.read_text(encoding="utf-8"))
        if name not in known
    }
    assert gone == set()


def test_the_readme_names_every_script() -> None:
    readme = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert [one.stem for one in BENCHMARKS if one.stem not in PARTS and f"`{one.stem}`" not in readme] == []

"""The shape of the code: short functions everywhere; no guessing of attributes in the network and its training."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import nutgraf

ROOT = Path(nutgraf.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
NETWORK = [path for path in FILES if path.relative_to(ROOT).parts[0] in ("model", "training")]
LONGEST_BODY = 60


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def nodes(path: Path, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, kinds))


def place(path: Path, node: ast.AST) -> str:
    """Where a reader finds it."""
    return f"{path.relative_to(ROOT)}:{node.lineno}"


def test_autograd_functions_are_in_ops_alone() -> None:
    others = [path for path in FILES if path.parent != ROOT / "model" / "ops"]
    assert [path for path in others if "autograd.Function" in path.read_text(encoding="utf-8")] == []


def test_bodies_of_functions_are_short() -> None:
    assert [place(path, one) for path in FILES for one in functions(path) if length_of(one) >= LONGEST_BODY] == []


def functions(path: Path) -> Iterator[ast.AST]:
    return nodes(path, ast.FunctionDef, ast.AsyncFunctionDef)


def length_of(function: ast.AST) -> int:
    """Lines from the first statement after the docstring to the last."""
    first = function.body[ast.get_docstring(function) is not None :] or function.body
    return first[-1].end_lineno - first[0].lineno


def test_no_private_name_is_imported_from_another_package() -> None:
    """A module or a name that begins with an underscore is for its own package alone."""
    found = []
    for path in FILES:
        for node in nodes(path, ast.ImportFrom):
            for one in node.names:
                parts = [*node.module.split("."), one.name]
                private = [at for at, part in enumerate(parts) if part.startswith("_") and not part.startswith("__")]
                if parts[0] == "nutgraf" and private:
                    owner = ROOT.joinpath(*parts[1 : private[0]])
                    if (owner if owner.is_dir() else owner.parent) not in path.parents:
                        found.append(f"{place(path, node)}: {'.'.join(parts)}")
    assert found == []


def test_nothing_is_asked_whether_it_has_an_attribute() -> None:
    found = []
    for path in NETWORK:
        found += [place(path, call) for call in nodes(path, ast.Call) if asks(call)]
        found += [place(path, one) for one in nodes(path, ast.ExceptHandler) if awaits_none(one)]
    assert found == []


def asks(call: ast.Call) -> bool:
    """Whether it is hasattr, or getattr with something to fall back on."""
    if not isinstance(call.func, ast.Name):
        return False
    return call.func.id == "hasattr" or (call.func.id == "getattr" and len(call.args) != 2)


def awaits_none(handler: ast.ExceptHandler) -> bool:
    """Whether it goes on where there is no such attribute."""
    return handler.type is not None and "AttributeError" in ast.unparse(handler.type)


@pytest.mark.parametrize(("name", "most"), [("training/run.py", 100), ("training/loop.py", 200)])
def test_a_page_stays_a_page(name: str, most: int) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= most

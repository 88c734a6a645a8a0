"""The shape of the network's code."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import nutgraf

MODEL = Path(nutgraf.__file__).parent / "model"
FILES = sorted(MODEL.rglob("*.py"))
LONGEST_BODY = 60

every = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(MODEL)))


def nodes(path: Path, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    return (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kinds))


@every
def test_autograd_functions_are_in_ops_alone(path: Path) -> None:
    if path.parent.name != "ops":
        assert "autograd.Function" not in path.read_text(encoding="utf-8")


@every
def test_bodies_of_functions_are_short(path: Path) -> None:
    for function in nodes(path, ast.FunctionDef):
        first = function.body[ast.get_docstring(function) is not None :] or function.body
        assert first[-1].end_lineno - first[0].lineno < LONGEST_BODY, function.name


@every
def test_nothing_is_asked_whether_it_has_an_attribute(path: Path) -> None:
    for call in nodes(path, ast.Call):
        if isinstance(call.func, ast.Name):
            assert call.func.id != "hasattr"
            assert call.func.id != "getattr" or len(call.args) == 2
    for handler in nodes(path, ast.ExceptHandler):
        assert handler.type is None or "AttributeError" not in ast.unparse(handler.type)

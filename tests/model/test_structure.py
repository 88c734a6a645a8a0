"""The shape of the code: short functions everywhere; no guessing of attributes in the network and its training."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import nutgraf

ROOT = Path(nutgraf.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
NETWORK = [path for path in FILES if path.relative_to(ROOT).parts[0] in ("model", "training")]
LONGEST_BODY = 60


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


every = pytest.mark.parametrize("path", FILES, ids=name_of)
every_of_the_network = pytest.mark.parametrize("path", NETWORK, ids=name_of)


def nodes(path: Path, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    return (node for node in ast.walk(TREES[path]) if isinstance(node, kinds))


@every
def test_autograd_functions_are_in_ops_alone(path: Path) -> None:
    if path.parent != ROOT / "model" / "ops":
        assert "autograd.Function" not in path.read_text(encoding="utf-8")


@every
def test_bodies_of_functions_are_short(path: Path) -> None:
    for function in nodes(path, ast.FunctionDef, ast.AsyncFunctionDef):
        first = function.body[ast.get_docstring(function) is not None :] or function.body
        assert first[-1].end_lineno - first[0].lineno < LONGEST_BODY, function.name


@every
def test_no_private_name_is_imported_from_another_package(path: Path) -> None:
    """A module or a name that begins with an underscore is for its own package alone."""
    for node in nodes(path, ast.ImportFrom):
        for one in node.names:
            parts = [*node.module.split("."), one.name]
            private = [at for at, part in enumerate(parts) if part.startswith("_") and not part.startswith("__")]
            if parts[0] == "nutgraf" and private:
                owner = ROOT.joinpath(*parts[1 : private[0]])
                assert (owner if owner.is_dir() else owner.parent) in path.parents, ".".join(parts)


@every_of_the_network
def test_nothing_is_asked_whether_it_has_an_attribute(path: Path) -> None:
    for call in nodes(path, ast.Call):
        if isinstance(call.func, ast.Name):
            assert call.func.id != "hasattr"
            assert call.func.id != "getattr" or len(call.args) == 2
    for handler in nodes(path, ast.ExceptHandler):
        assert handler.type is None or "AttributeError" not in ast.unparse(handler.type)


@pytest.mark.parametrize(("name", "most"), [("training/run.py", 100), ("training/loop.py", 200)])
def test_a_page_stays_a_page(name: str, most: int) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= most

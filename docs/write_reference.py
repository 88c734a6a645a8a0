"""Writes the names, signatures and first sentences into the pages of reference.

    python docs/write_reference.py

What stands between `<!-- ::: NAME -->` and `<!-- end -->` is read off the code; the rest of a page is written by hand.
So the pages can be read in a copy of the repository. On the site, `site_hooks.py` shows whole docstrings instead.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from nutgraf.runtime.files import write_text

HERE = Path(__file__).parent
ROOT = HERE.parent
PART = re.compile(r"^<!-- ::: (?P<name>nutgraf[\w.]*) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)


def part(name: str) -> str:
    """Return what stands between the two marks of a name."""
    value = resolve(name)
    if inspect.ismodule(value):
        blocks = [f"### {name}", first_sentence(value), *own(value), f"In {source(value)}."]
    else:
        [node] = ast.parse(textwrap.dedent(inspect.getsource(value))).body
        blocks = [f"### {name.rpartition('.')[2]}", *described(node), f"In {source(value)}."]
    return "\n\n".join([f"<!-- ::: {name} -->", *filter(None, blocks), "<!-- end -->"])


def resolve(name: str) -> Any:
    """Return the module, the class or the function of this name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, own_name = name.rpartition(".")
        return getattr(importlib.import_module(module), own_name)


def own(module: ModuleType) -> Iterator[str]:
    """Yield the public classes and functions that a module defines, in its order."""
    tree = ast.parse(inspect.getsource(module))
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield f"#### {node.name}"
            yield from described(node)


def described(node: ast.stmt) -> Iterator[str]:
    """Yield the signature, the first sentence, and the members of a class."""
    assert isinstance(node, ast.ClassDef | ast.FunctionDef)
    yield f"```text\n{signature(node)}\n```"
    yield first_sentence(node)
    if isinstance(node, ast.ClassDef):
        members = "\n".join(
            f"* `{member(inner)}`: {sentence}"
            for inner in node.body
            if isinstance(inner, ast.FunctionDef)
            and (not inner.name.startswith("_") or inner.name == "__call__")
            and (sentence := first_sentence(inner))
        )
        if members:
            yield members


def signature(node: ast.ClassDef | ast.FunctionDef) -> str:
    """Return the line with which a function is called, or a class is made."""
    if isinstance(node, ast.FunctionDef):
        return called(node)
    inits = [inner for inner in node.body if isinstance(inner, ast.FunctionDef) and inner.name == "__init__"]
    if inits:
        return f"class {called(inits[0]).replace('__init__', node.name, 1).removesuffix(' -> None')}"
    fields = [inner for inner in node.body if isinstance(inner, ast.AnnAssign)] if is_record(node) else []
    shown = [ast.unparse(inner) for inner in fields if "ClassVar" not in ast.unparse(inner.annotation)]
    bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    return "\n".join([f"class {node.name}{bases}", *(f"    {line}" for line in shown)])


def is_record(node: ast.ClassDef) -> bool:
    """Whether a class is made of its fields."""
    marks = {ast.unparse(one) for one in node.bases}
    return any("dataclass" in ast.unparse(one) for one in [*node.decorator_list, *node.bases]) or bool(
        marks & {"NamedTuple", "TypedDict"}
    )


def called(node: ast.FunctionDef) -> str:
    """Return a function's name, its arguments without `self`, and what it returns."""
    arguments = node.args
    listed = [*arguments.posonlyargs, *arguments.args]
    if listed and listed[0].arg in ("self", "cls"):
        (arguments.posonlyargs or arguments.args).pop(0)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(arguments)}){returns}"


def member(node: ast.FunctionDef) -> str:
    """Return how a member of a class is written where it is used."""
    if any(ast.unparse(one).endswith("property") for one in node.decorator_list):
        return node.name
    return called(node)


def first_sentence(value: Any) -> str:
    """Return the first paragraph of a docstring in one line."""
    text = ast.get_docstring(value) if isinstance(value, ast.AST) else inspect.getdoc(value)
    return " ".join((text or "").split("\n\n")[0].split())


def source(value: Any) -> str:
    """Return a link to the file that defines something."""
    path = Path(inspect.getsourcefile(inspect.unwrap(value)) or "").resolve().relative_to(ROOT).as_posix()
    return f"[{path.removeprefix('src/nutgraf/')}](../../{path})"


def page(path: Path) -> str:
    """Return a page of reference as it is, with what the code says now."""
    return PART.sub(lambda match: part(match["name"]), path.read_text(encoding="utf-8"))


PAGES = {f"reference/{path.name}": partial(page, path) for path in sorted((HERE / "reference").glob("*.md"))}


def main() -> None:
    """Write the pages."""
    for name, write in PAGES.items():
        write_text(HERE / name, write())
        print(f"wrote docs/{name}", file=sys.stderr)


if __name__ == "__main__":
    main()

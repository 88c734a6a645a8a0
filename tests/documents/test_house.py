"""Who may import what, and what is loaded when."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from manuals import ROOT, SOURCE

import nutgraf
from nutgraf.presets import Family

FAMILIES = sorted(
    path.parent for path in SOURCE.rglob("__init__.py") if "Family(__name__" in path.read_text(encoding="utf-8")
)

HEAVY = ("numpy", "scipy", "nltk", "textblob", "lxml", "jinja2")


def package_of(folder: Path) -> str:
    return ".".join(folder.relative_to(SOURCE.parent).parts)


def family_in(folder: Path) -> Family[Any]:
    face = importlib.import_module(package_of(folder))
    (family,) = [one for one in vars(face).values() if isinstance(one, Family) and one.package == face.__name__]
    return family


def imports(path: Path, package: str) -> Iterator[str]:
    """The dotted names that a module imports, wherever it does so; `from a import b` gives a and a.b."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def test_there_are_families() -> None:
    found = {folder.name for folder in FAMILIES}
    assert found >= {"readers", "datasets", "keyphrases", "extractive", "metrics", "kernels", "systems"}


@pytest.mark.parametrize("folder", FAMILIES, ids=lambda folder: folder.name)
def test_siblings_in_a_family_never_know_each_other(folder: Path) -> None:
    package = package_of(folder)
    kinds = family_in(folder).names()
    members = {f"{package}.{kind}" for kind in kinds}
    for path in folder.glob("*.py"):
        if path.stem not in kinds:
            continue
        own = f"{package}.{path.stem}"
        known = {name for name in imports(path, package) if name in members}
        assert known <= {own}, f"{own} imports {', '.join(sorted(known - {own}))}"


@pytest.mark.parametrize("folder", FAMILIES, ids=lambda folder: folder.name)
def test_every_file_of_a_family_holds_one_member(folder: Path) -> None:
    family = family_in(folder)
    for kind in family.names():
        assert issubclass(family.find(kind), family.contract)


def loaded_after(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after running `code`."""
    script = f"{code}\nimport sys\nprint('\\nLOADED', *sorted({{name.partition('.')[0] for name in sys.modules}}))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(result.stdout.rpartition("LOADED ")[2].split())


def test_import_nutgraf_costs_nothing() -> None:
    assert loaded_after("import nutgraf").isdisjoint([*HEAVY, "typer", "rich"])


def test_help_loads_nothing_heavy() -> None:
    code = "import sys\nfrom nutgraf.cli.app import app\nsys.argv = ['nutgraf', '--help']\n"
    assert loaded_after(f"{code}app(standalone_mode=False)").isdisjoint(HEAVY)


def test_a_summary_loads_neither_nltk_nor_a_tagger() -> None:
    code = "import nutgraf\nprint(nutgraf.load('mls_plus')('The geese left. The pond froze. Nobody came.', words=6))"
    assert loaded_after(code).isdisjoint(["nltk", "textblob", "vaderSentiment", "pypdf", "docx", "lxml", "gensim"])


def test_every_public_name_is_there() -> None:
    for name in nutgraf.__all__:
        assert getattr(nutgraf, name) is not None


def test_no_module_is_imported_by_its_name() -> None:
    """But for commands, members of families, and what `import nutgraf` offers; `serve` looks for others' packages."""
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__", "resolve_name")
    }
    assert found <= {"__init__.py", "presets/family.py", "cli/app.py", "cli/serve.py"}


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports for types and those within functions are imports, too."""
    grimp = pytest.importorskip("grimp")
    graph = grimp.build_graph("nutgraf", cache_dir=None)
    rest = set(graph.modules)
    while free := {
        module
        for module in rest
        if not (graph.find_modules_directly_imported_by(module) & rest)
        or not (graph.find_modules_that_directly_import(module) & rest)
    }:
        rest -= free
    assert not rest, sorted(rest)


def test_import_contracts_hold() -> None:
    """In a process of its own: it switches off all loggers that there are."""
    pytest.importorskip("importlinter")
    command = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    ran = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


PRODUCT = "test_messages.py"
"""Messages that are part of the product stand there, word for word."""

NAMED = re.compile(
    r"""'[^']*'|"[^"]*"|`[^`]*`|[\w.]+ = \S+"""
    r"|\b\d[\d,.]*%? [a-z]+|\S*\w\.\w\S*|\S*[^A-Za-z\s:;,.]\S*"
    r"|\w*[A-Z]\w*[A-Z]\w*"
)
"""What a message names: something quoted, an option, a file, a key, a number and its unit."""


def patterns(node: ast.AST) -> Iterator[str]:
    """The literal texts of a `match=`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    elif isinstance(node, ast.Call):
        for argument in node.args:
            yield from patterns(argument)


def wording(pattern: str) -> int:
    """Letters of plain words in a regular expression, beside what it names."""
    text = re.sub(r"\.[*+]", " ", pattern)
    return sum(map(str.isalpha, NAMED.sub(" ", re.sub(r"\\(?=\W)", "", text))))


def test_tests_assert_what_an_error_names_and_not_its_wording() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{keyword.value.lineno} {pattern}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if path.name != PRODUCT
        for keyword in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(keyword, ast.keyword) and keyword.arg == "match"
        for pattern in patterns(keyword.value)
        if wording(pattern) >= 12
    ]
    assert found == []


def test_wording_is_told_from_what_is_named() -> None:
    assert wording(r"No preset 'leed'\. Did you mean 'lead'") == len("NopresetDidyoumean")
    assert wording(r"data\.csv.*line 3.*'text'") == len("line")
    assert wording("3 examples.*--limit.*ema_decay = 1.*UTF-8") == 0

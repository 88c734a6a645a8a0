"""What pages call by its name in code is there: values of options, attributes of classes, names beside their file."""

from __future__ import annotations

import ast
import dataclasses
import re
import tomllib
import typing
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from manuals import ROOT, SOURCE, docs_program, show, without_blocks

import nutgraf
from nutgraf import presets, systems
from nutgraf.errors import NutgrafError
from nutgraf.presets.family import Family, configure_field, field_type

pytest.importorskip("torch")

PAGES = [*sorted((ROOT / "docs" / "papers").glob("*.md")), *sorted((ROOT / "docs" / "guides").glob("*.md"))]
ARCHITECTURE = ROOT / "docs" / "architecture.md"

_SPAN = re.compile(r"`([^`]+)`")
_ASSIGNED = re.compile(r"(?P<name>[a-z_]\w*) ?= ?(?P<value>[^=].*)")
_ATTRIBUTE = re.compile(r"(?P<owner>[A-Z]\w*)\.(?P<name>[a-z_]\w*)(?:\(.*\))?")
_FILE = re.compile(r"[\w./]+\.py")
_BESIDE_A_FILE = re.compile(r"(?P<names>`\w+`(?:(?:, | and )`\w+`)*) in `(?P<path>[\w./]+\.py)`")
_OF_A_CLASS = re.compile(r"`(?P<name>[a-z]\w*)`,? of `(?P<owner>[A-Z]\w*)\(\)`")
_IDENTIFIER = re.compile(r"[a-z]\w*(?:\.[a-z]\w*)*")

FILES = re.compile(r"\.(?:py|toml|md|html|txt|safetensors|jsonl|json|csv|png)$")

each_page = pytest.mark.parametrize("page", PAGES, ids=show)
each_document = pytest.mark.parametrize("page", [*PAGES, ARCHITECTURE], ids=show)


def prose(page: Path) -> str:
    return " ".join(without_blocks(page.read_text(encoding="utf-8")).split())


def spans(page: Path) -> list[str]:
    return _SPAN.findall(prose(page))


@cache
def configs() -> tuple[type[Any], ...]:
    """The options of all sections of presets and of all members of families."""
    generator = docs_program("write_commands")
    sections = [section for _, section in generator.sections() if not isinstance(section, Family)]
    members = [family.config(name) for family in presets.families() for name in family.names()]
    systems = [generator.systems.config(name) for name in generator.systems.names()]
    return tuple(dict.fromkeys([*sections, *members, *systems]))


def options(config: type[Any]) -> set[str]:
    return {field.name for field in dataclasses.fields(config)}


def value_of(text: str) -> Any:
    """A value as TOML, Python or a command line writes it."""
    if re.fullmatch(r"\d+/\d+", text):
        return float(Fraction(text))
    plain = {"True": "true", "False": "false"}.get(text, text)
    try:
        return tomllib.loads(f"value = {plain}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def can_be_set(name: str, value: Any) -> bool:
    """Whether some part has the option, and the value fits it there."""
    for config in configs():
        if name in options(config):
            try:
                configure_field(config, name, {name: value})
            except NutgrafError:
                continue
            return True
    return name == "kind"


@cache
def attributes() -> dict[str, set[str]]:
    """The names in each class: fields, methods, what `self` is given, and the same of what it inherits from."""
    own: dict[str, set[str]] = {}
    above: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                own.setdefault(node.name, set()).update(_inside(node), options_beside(tree))
                bases = [ast.unparse(base).split("[")[0] for base in node.bases]
                above.setdefault(node.name, set()).update(base.split(".")[-1] for base in bases)
    return {name: set().union(*(own[one] for one in _line(name, above))) for name in own}


def options_beside(tree: ast.Module) -> set[str]:
    """The options of a file: the fields of its `Config`."""
    return {
        name for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Config" for name in _inside(node)
    }


def _inside(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield part.name
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id
        elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield part.attr
        elif isinstance(part, ast.arg):
            yield part.arg


def _line(name: str, above: dict[str, set[str]]) -> set[str]:
    found, left = set(), {name}
    while left:
        one = left.pop()
        if one in above and one not in found:
            found.add(one)
            left |= above[one]
    return found


def files_ending(end: str) -> list[Path]:
    return [path for path in SOURCE.rglob("*.py") if f"/{path.as_posix()}".endswith(f"/{end}")]


def names_on(page: Path) -> Iterator[str]:
    """What a page may call by its name alone: names in its files and their families, options of its presets, parts."""
    for path in {path for span in spans(page) if _FILE.fullmatch(span) for path in files_ending(span)}:
        yield from _names_in(path)
        yield from _names_in(path.parent / "__init__.py")
    text = re.sub(r"\]\([^)]*\)", "]", page.read_text(encoding="utf-8"))
    for preset in presets.names():
        yield preset
        if re.search(rf"\b{preset}\b", text):
            yield from _keys(systems.read_preset(preset).complete())
    for family in presets.families():
        yield from family.names()
    for config in configs():
        yield from (word for name in options(config) for word in _choices(field_type(config, name)))
    yield from nutgraf.__all__
    yield from attributes()["System"]
    yield from (path.stem for path in SOURCE.rglob("*") if not path.name.startswith("_"))


@cache
def _names_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(_inside(tree)) | texts


def _choices(hint: Any) -> Iterator[str]:
    """The words that an option may have."""
    for one in typing.get_args(hint):
        yield from [one] if isinstance(one, str) else _choices(one)


def _keys(table: dict[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        yield key
        if isinstance(value, dict):
            yield from _keys(value)


@each_document
def test_options_have_the_values_that_pages_give_them(page: Path) -> None:
    given = [match for match in map(_ASSIGNED.fullmatch, spans(page)) if match]
    assert [match[0] for match in given if not can_be_set(match["name"], value_of(match["value"]))] == []


@each_document
def test_attributes_that_are_named_with_their_class_are_there(page: Path) -> None:
    named = [match for match in map(_ATTRIBUTE.fullmatch, spans(page)) if match]
    assert [match[0] for match in named if match["name"] not in attributes().get(match["owner"], ())] == []


@each_document
def test_names_beside_a_file_are_in_it(page: Path) -> None:
    for match in _BESIDE_A_FILE.finditer(prose(page)):
        text = "\n".join(path.read_text(encoding="utf-8") for path in files_ending(match["path"]))
        missing = [name for name in _SPAN.findall(match["names"]) if not re.search(rf"\b{name}\b", text)]
        assert missing == [], match["path"]


@each_document
def test_options_of_a_class_are_its_own(page: Path) -> None:
    for match in _OF_A_CLASS.finditer(prose(page)):
        assert match["name"] in attributes().get(match["owner"], ()), match[0]


@each_page
def test_names_by_themselves_are_names_of_what_the_page_is_about(page: Path) -> None:
    known = set(names_on(page))
    named = [span for span in spans(page) if _IDENTIFIER.fullmatch(span) and not FILES.search(span)]
    assert [span for span in named if not known.issuperset(span.split("."))] == []


def test_names_that_are_gone_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "The `smoothing` of `Likelihood()`, `merge` in `model/decoder/recurrent.py`, `head.pull`, `Source.root`, "
        '`[model] width`, `by = "score"`, `unit = "sentences"`.',
        encoding="utf-8",
    )
    for test in (
        test_options_have_the_values_that_pages_give_them,
        test_attributes_that_are_named_with_their_class_are_there,
        test_names_beside_a_file_are_in_it,
        test_options_of_a_class_are_its_own,
        test_names_by_themselves_are_names_of_what_the_page_is_about,
    ):
        with pytest.raises(AssertionError):
            test(page)

"""Documents point at what is there: links, headings, files, functions."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from manuals import DOCUMENTS, ROOT, SOURCE, show, without_blocks

LINK = re.compile(r"\]\((?!\w+:)(?P<path>[^)#\s]*)(?:#(?P<anchor>[^)\s]*))?\)")
FILE = re.compile(r"`(?P<path>[\w./-]+\.(?:py|toml|md|html|txt|jsonl))`")
FUNCTION = re.compile(r"`(?P<name>[A-Za-z_][\w.]*)\(\)`")
DOTTED = re.compile(r"(?<![\w./-])nutgraf(?:\.[A-Za-z_]\w*)+(?!\.\w)")
IMPORT = re.compile(r"from (?P<module>nutgraf[\w.]*) import (?P<names>\([^)]*\)|[\w, ]+)")
IN_A_FILE = re.compile(
    r"(?P<names>`[A-Za-z_][\w.]*(?:\(\))?`(?:(?:,| and|, and) `[A-Za-z_][\w.]*(?:\(\))?`)*) in `(?P<path>[\w./-]+\.py)`"
)
PLACE = re.compile(r"(?<![\w./:-])(?:src|tests|docs|examples|benchmarks|deploy)/[\w./-]*\w")
SETTING = re.compile(r"--set (?P<line>magnifier[\w.]*=[^\s`]+)")

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=show)
PRESENT = [
    *(document for document in DOCUMENTS if document.name != "CHANGELOG.md"),
    *sorted((ROOT / "benchmarks").glob("*.md")), *sorted((ROOT / "examples").glob("*.md")),
]  # fmt: skip
"""Documents that describe what is, not what was."""

each_present = pytest.mark.parametrize("document", PRESENT, ids=show)
each_paper = pytest.mark.parametrize("document", sorted((ROOT / "docs" / "papers").glob("*.md")), ids=show)


def prose(document: Path) -> str:
    return without_blocks(document.read_text(encoding="utf-8"))


def anchors(document: Path) -> set[str]:
    """The names under which headings can be reached, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@cache
def rooms() -> tuple[Path, ...]:
    """The folders from which a path may be seen: the root, the package and all of its own folders."""
    return (ROOT, SOURCE, *(folder for folder in SOURCE.rglob("*") if folder.is_dir()))


@cache
def names_in_the_code() -> frozenset[str]:
    """Every function, method and class of the package."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")]
    return frozenset(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, kinds))


@each_document
def test_links_lead_somewhere(document: Path) -> None:
    for match in LINK.finditer(prose(document)):
        target = document.parent / match["path"] if match["path"] else document
        assert target.exists(), f"{match['path']} is not there"
        if match["anchor"]:
            assert match["anchor"] in anchors(target), f"{target.name} has no heading #{match['anchor']}"


@each_document
def test_files_that_are_named_are_there(document: Path) -> None:
    """A path is seen from the document's folder, the root, the package or one of its rooms."""
    ours = {match["path"] for match in FILE.finditer(prose(document))} - WRITTEN_BY_THE_READER
    assert [path for path in ours if not any((room / path).exists() for room in [document.parent, *rooms()])] == []


WRITTEN_BY_THE_READER = {
    "keyphrases/single_rank.py", "extractive/mead.py", "presets/mead.toml", "metrics/chrf.py",
    "readers/odt.py", "datasets/xsum.py",
    "magnifier/kernels/entities.py", "model/attention/sparse.py", "training/objectives/agreement.py",
    "training/schedules/cosine.py", "training/optimizers/lamb.py", "training/callbacks/mail.py",
    "decoding/processors/names.py", "judging/protocols/ranking.py", "study.json",
    "tokenizers/characters.py", "presets/mine.toml", "steering/nearest.py", "preparation/tasks/titles.py",
    "mine.toml", "tuned.toml", "page.html", "systems/oracle.py", "log.jsonl", "conversion/pegasus.py",
    "preset.toml", "adaptive.25-words.jsonl", "vocab.txt",
}  # fmt: skip
"""Examples of what somebody may add."""

OF_OTHERS = {"docs/d30001t/NYT19981016.0303", "benchmarks/.peers"}
"""A file of a corpus, and a folder that a benchmark writes."""


@each_present
def test_places_are_there_wherever_they_are_named(document: Path) -> None:
    """Also in commands and programs: a path that begins with a folder of the repository."""
    text = document.read_text(encoding="utf-8")
    named = {match[0] for match in PLACE.finditer(text)} - OF_OTHERS
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@each_present
def test_names_are_in_the_files_that_are_said_to_have_them(document: Path) -> None:
    """`weights()` in `model/attention/highlight.py` is defined there, and `LONGEST` is a name there."""
    text = re.sub(r"\s+", " ", prose(document))
    wrong = [
        f"{name} in {match['path']}"
        for match in IN_A_FILE.finditer(text)
        for name in re.findall(r"`([\w.()]+)`", match["names"])
        if not any(has(room / match["path"], name) for room in rooms() if (room / match["path"]).is_file())
    ]
    assert wrong == []


@each_present
def test_dotted_names_and_imports_lead_somewhere(document: Path) -> None:
    """Names such as nutgraf.text.document.Document, and what programs import."""
    text = document.read_text(encoding="utf-8")
    named = {match[0] for match in DOTTED.finditer(text)}
    for match in IMPORT.finditer(text):
        parts = re.sub(r"#.*", "", match["names"]).strip("()").split(",")
        named |= {f"{match['module']}.{part.split(' as ')[0].strip()}" for part in parts if part.strip()}
    assert [name for name in sorted(named) if not leads_somewhere(name)] == []


def leads_somewhere(name: str) -> bool:
    """True if a dotted name is a module, or a name in one that is defined, imported or written to be loaded later."""
    *parts, last = name.split(".")[1:]
    while True:
        place = SOURCE.joinpath(*parts)
        path = place.with_suffix(".py") if parts and place.with_suffix(".py").is_file() else place / "__init__.py"
        if path.is_file():
            return (
                (place / last).is_dir()
                or (place / f"{last}.py").is_file()
                or re.search(rf"\b{last}\b", path.read_text(encoding="utf-8")) is not None
            )
        if not parts:
            return False
        *parts, last = parts


@cache
def definitions(path: Path) -> tuple[frozenset[str], frozenset[str]]:
    """What a file defines: functions, methods as Class.method, and classes; and all words that stand in it."""
    text = path.read_text(encoding="utf-8")
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}" for one in node.body if isinstance(one, ast.FunctionDef)}
    return frozenset(found), frozenset(re.findall(r"\w+", text))


def has(path: Path, name: str) -> bool:
    """True if a file defines a function or class, named with brackets, or has a name, without."""
    defined, words = definitions(path)
    return name[:-2] in defined if name.endswith("()") else words.issuperset(name.split("."))


@each_document
def test_functions_that_are_named_are_there(document: Path) -> None:
    dotted = [match["name"].split(".") for match in FUNCTION.finditer(prose(document))]
    classes = {part for parts in dotted for part in parts[:-1] if part[0].isupper()}
    assert {parts[-1] for parts in dotted} | classes <= names_in_the_code()
    methods = {(parts[-2], parts[-1]) for parts in dotted if parts[-2:-1] and parts[-2][0].isupper()}
    assert [f"{of}.{name}" for of, name in sorted(methods) if name not in methods_of(of)] == []


@cache
def methods_of(name: str) -> frozenset[str]:
    """The functions that a class of this name has, or the classes that it extends."""
    found: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        for node in classes_in(path):
            if node.name == name:
                found |= {one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
                for base in node.bases:
                    found |= methods_of(ast.unparse(base).partition("[")[0].rpartition(".")[2])
    return frozenset(found)


@cache
def classes_in(path: Path) -> tuple[ast.ClassDef, ...]:
    """The classes that a file defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


@each_paper
def test_a_page_about_a_paper_names_functions_or_files(document: Path) -> None:
    assert FUNCTION.search(prose(document)) or FILE.search(prose(document))


@each_document
def test_settings_that_are_named_can_be_set(document: Path) -> None:
    from nutgraf.systems import load

    for match in SETTING.finditer(document.read_text(encoding="utf-8")):
        load("mls_plus", [match["line"]])

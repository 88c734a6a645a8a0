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
SETTING = re.compile(r"--set (?P<line>magnifier[\w.]*=[^\s`]+)")

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=show)
each_paper = pytest.mark.parametrize("document", sorted((ROOT / "docs" / "papers").glob("*.md")), ids=show)


def prose(document: Path) -> str:
    return without_blocks(document.read_text(encoding="utf-8"))


def anchors(document: Path) -> set[str]:
    """The names under which headings can be reached, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


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
    rooms = [document.parent, ROOT, SOURCE, *(folder for folder in SOURCE.rglob("*") if folder.is_dir())]
    ours = {match["path"] for match in FILE.finditer(prose(document))} - WRITTEN_BY_THE_READER
    assert [path for path in ours if not any((room / path).exists() for room in rooms)] == []


WRITTEN_BY_THE_READER = {
    "keyphrases/single_rank.py", "extractive/mead.py", "presets/mead.toml", "metrics/chrf.py",
    "readers/odt.py", "datasets/xsum.py",
    "magnifier/kernels/entities.py", "model/attention/sparse.py", "training/objectives/agreement.py",
    "training/schedules/cosine.py", "training/optimizers/lamb.py", "training/callbacks/mail.py",
    "decoding/processors/names.py", "judging/protocols/ranking.py", "study.json",
    "tokenizers/characters.py", "presets/mine.toml", "steering/nearest.py",
    "mine.toml", "tuned.toml", "page.html", "systems/oracle.py", "log.jsonl", "conversion/pegasus.py",
    "preset.toml", "adaptive.25-words.jsonl", "vocab.txt",
}  # fmt: skip
"""Examples of what somebody may add."""


@each_document
def test_functions_that_are_named_are_there(document: Path) -> None:
    dotted = [match["name"].split(".") for match in FUNCTION.finditer(prose(document))]
    classes = {part for parts in dotted for part in parts[:-1] if part[0].isupper()}
    assert {parts[-1] for parts in dotted} | classes <= names_in_the_code()


@each_paper
def test_a_page_about_a_paper_names_functions_or_files(document: Path) -> None:
    assert FUNCTION.search(prose(document)) or FILE.search(prose(document))


@each_document
def test_settings_that_are_named_can_be_set(document: Path) -> None:
    from nutgraf.systems import load

    for match in SETTING.finditer(document.read_text(encoding="utf-8")):
        load("mls_plus", [match["line"]])

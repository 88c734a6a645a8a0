"""Pages as programs and people lay them out: `layouts/make.py` made them, and what they say.

`python tests/readers/test_layouts.py` prints how many are read right, and what is wrong in the others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nutgraf.readers import readers
from nutgraf.text.document import Document

LAYOUTS = Path(__file__).parent / "layouts"
EXPECTED: dict[str, dict[str, Any]] = json.loads((LAYOUTS / "expected.json").read_text(encoding="utf-8"))


def read(name: str) -> Document:
    return readers.make("pdf").read((LAYOUTS / f"{name}.pdf").read_bytes(), f"{name}.pdf", "en")[0]


def faults(document: Document, expected: dict[str, Any]) -> list[str]:
    """What is wrong: order and wording of sentences, marks of the layout within text, names of sections."""
    found = document.printed
    body, beside = expected["body"], expected["beside"]
    rest = [sentence for sentence in found if sentence not in {*body, *beside}]
    outside = " ".join(expected["cells"]).split()
    said = [f"not expected: {one}" for one in rest if not set(one.split()) <= {*outside, "|"}]
    said += [f"missing: {one}" for one in {*body, *beside} - {*found}]
    if not said and [one for one in found if one in body] != body:
        said.append("order")
    said += [f"not left out: {one}" for one in expected["absent"] if one in document.text]
    names = [section.name for section in document.sections]
    said += [f"no section: {one}" for one in expected["headings"] if one not in names]
    return said


@pytest.mark.parametrize("name", EXPECTED)
def test_sentences_and_their_order(name: str) -> None:
    assert faults(read(name), EXPECTED[name]) == []


if __name__ == "__main__":
    results = {name: faults(read(name), expected) for name, expected in EXPECTED.items()}
    for name, said in results.items():
        print(f"{name}: {'right' if not said else f'{len(said)} faults'}")
        for one in said:
            print(f"    {one[:150]}")
    print(f"right in {sum(not said for said in results.values())} of {len(results)}")

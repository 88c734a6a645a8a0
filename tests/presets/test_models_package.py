"""The distribution of trained networks in models/: small, complete, and able to write."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("torch")

import nutgraf

MODELS = Path(__file__).parents[2] / "models"
LARGEST = 25_000_000

ABSTRACT = """Many readers of local newspapers cannot tell which articles were written by hand. We present a corpus of
1,204 articles in three languages, annotated for their origin by 17 readers, and train classifiers on it. A neural
network with attention to function words tells the two kinds apart better than readers do. The corpus is public.
"""


def announced() -> dict[str, str]:
    project = tomllib.loads((MODELS / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dict(project["entry-points"]["nutgraf.presets"])


def test_it_is_small_and_has_what_it_announces() -> None:
    assert sum(one.stat().st_size for one in (MODELS / "src").rglob("*") if one.is_file()) < LARGEST
    for place in announced().values():
        package, folder = place.split(":")
        assert {"card.json", "preset.toml", "tokenizer", "weights.safetensors"} <= {
            one.name for one in (MODELS / "src" / package / folder).iterdir()
        }


def test_a_title_is_one_short_line_and_has_no_number_of_its_own() -> None:
    system = nutgraf.load(str(MODELS / "src" / "nutgraf_models" / "title"))
    title = str(system(ABSTRACT))
    assert title == str(system(ABSTRACT)), "the same every time"
    assert 2 <= len(title.split()) <= 40
    assert title not in ABSTRACT.replace("\n", " ")
    assert set(re.findall(r"\d+", title)) <= set(re.findall(r"\d+", ABSTRACT))


def test_a_sentence_about_a_paper_is_one_and_has_no_number_of_its_own() -> None:
    system = nutgraf.load(str(MODELS / "src" / "nutgraf_models" / "tldr"))
    summary = system(ABSTRACT)
    assert str(summary) == str(system(ABSTRACT)), "the same every time"
    assert len(summary.sentences) == 1
    assert 8 <= len(str(summary).split()) <= 50
    assert set(re.findall(r"\d+", str(summary))) <= set(re.findall(r"\d+", ABSTRACT))

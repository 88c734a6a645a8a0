"""A network that learned from abstracts reads the abstract of a paper."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

import nutgraf
from tiny_network import NOTICES

TEXT, SUMMARY = NOTICES[0]

PAPER = f"Ferries and their masts.\n\nAbstract. {TEXT}\n\n1 Introduction\n\nFerries have been counted since 1904.\n"


def test_it_reads_the_abstract_and_says_so(trained: Path) -> None:
    summary = nutgraf.load(trained, {"truncation.kind": "abstract"})(PAPER)
    assert summary.text == nutgraf.load(trained)(TEXT).text == " ".join(SUMMARY)
    assert [cut.words for cut in summary.cut] == [5, 8]
    assert any("44 words" in notice for notice in summary.notices)


def test_of_a_long_abstract_it_reads_the_beginning(trained: Path) -> None:
    short = {"truncation.kind": "abstract", "truncation.source": 20}
    notices = nutgraf.load(trained, short)(PAPER).notices
    assert any("abstract" in notice for notice in notices)


def test_a_text_without_an_abstract_is_read_from_its_beginning(trained: Path) -> None:
    summary = nutgraf.load(trained, {"truncation.kind": "abstract"})(TEXT)
    assert summary.text == " ".join(SUMMARY)
    assert not summary.cut

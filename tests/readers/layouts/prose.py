"""Paragraphs of the made-up pages, each as its sentences."""

from __future__ import annotations

from pathlib import Path

_TEXT = (Path(__file__).parent / "prose.txt").read_text(encoding="utf-8")
PROSE = [paragraph.splitlines() for paragraph in _TEXT.strip().split("\n\n")]
"""Paragraphs about a few things that nobody did."""

NOTES = [
    "The estimates are printed in the appendix to the minutes of the meeting.",
    "A ton is taken here as one thousand kilograms.",
    "The archive was moved to the cellar of the library in 1987.",
    "The application consists of nine forms and a map.",
    "Two stations were destroyed by ice and later rebuilt.",
]

"""Presentations, made of the titles and points of their slides."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pptx

LAYOUT_OF_POINTS = 1


def deck_of(slides: Sequence[tuple[str, Sequence[str]]]) -> bytes:
    """A presentation; a tab before a point puts it one level lower."""
    deck = pptx.Presentation()
    for title, points in slides:
        add_slide(deck, title, points)
    return saved(deck)


def add_slide(deck: Any, title: str, points: Sequence[str], notes: str = "") -> Any:
    """Add a slide with a title and points."""
    slide = deck.slides.add_slide(deck.slide_layouts[LAYOUT_OF_POINTS])
    slide.shapes.title.text = title
    frame = slide.placeholders[1].text_frame
    for number, point in enumerate(points):
        paragraph = frame.add_paragraph() if number else frame.paragraphs[0]
        paragraph.text = point.lstrip("\t")
        paragraph.level = len(point) - len(paragraph.text)
    if notes:
        slide.notes_slide.notes_text_frame.text = notes
    return slide


def saved(deck: Any) -> bytes:
    """The presentation as a file."""
    target = io.BytesIO()
    deck.save(target)
    return target.getvalue()

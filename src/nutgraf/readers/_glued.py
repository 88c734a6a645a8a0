"""Pages of a PDF whose words run together.

Programs that set narrow columns often draw no blanks, but move on by less than a blank's width between words. pypdf
then finds one word to a line. pdfminer.six, an optional library, compares the gaps with the size of the letters and
reads most of such pages; it is slower, so it reads no others.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterable
from importlib.util import find_spec

from nutgraf.text.clean import clean

LONGEST_WORD = 24
"""Number of letters from which a run of letters is likely to be several words."""

GLUED = 0.05
"""Share of the letters of a page in such runs from which its words are taken to run together."""

MOST_PAGES = 200
"""Pages that are read again: a page takes some tenths of a second."""

LARGEST_PAGE = 20_000
"""Characters of a page that is read again; a page of small print has some 10,000."""

_RUN = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]+")


def share_glued(text: str) -> float:
    """Share of the Latin, Greek and Cyrillic letters of a text that stand in runs too long to be words."""
    runs = [len(run) for run in _RUN.findall(text)]
    return sum(length for length in runs if length > LONGEST_WORD) / max(1, sum(runs))


def mend_glued(data: bytes, texts: list[str], name: str) -> str | None:
    """Replace the texts of pages whose words run together by what pdfminer.six reads there, if that is better."""
    glued = [page for page, text in enumerate(texts) if share_glued(text) >= GLUED]
    installed = find_spec("pdfminer") is not None
    if glued and installed:
        again = [page for page in glued if len(texts[page]) <= LARGEST_PAGE][:MOST_PAGES]
        for page, text in zip(again, _texts_by_pdfminer(data, again), strict=False):
            if share_glued(text) < share_glued(texts[page]):
                texts[page] = text
        glued = [page for page in glued if share_glued(texts[page]) >= GLUED]
    if not glued:
        return None
    remedy = "" if installed else "; pip install 'nutgraf[pdf]' brings a second library for such pages"
    return f"{name}: the words of {len(glued)} of {len(texts)} pages run together{remedy}."


def _texts_by_pdfminer(data: bytes, pages: Iterable[int]) -> list[str]:
    """Texts of some pages, without blank lines between their blocks; fewer if the file is damaged."""
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LTTextContainer

    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    texts: list[str] = []
    try:
        for page in extract_pages(io.BytesIO(data), page_numbers=set(pages)):
            blocks = "".join(block.get_text() for block in page if isinstance(block, LTTextContainer))
            texts.append("\n".join(line for line in clean(blocks).split("\n") if line.strip()))
    except Exception:  # whatever the parser trips over, pypdf's text stands
        return texts
    return texts

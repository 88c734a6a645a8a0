"""The blocks of an HTML page as they stand on it, and the regions that hold them: links, titles, fields of forms."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from nutgraf.readers._markup import BLOCKS, CELLS, HEADINGS, Element
from nutgraf.text.blocks import Block
from nutgraf.text.tokenize import words

ROWS = frozenset(["caption", "table", "tbody", "tfoot", "thead", "tr"])
FLOW = frozenset(["blockquote", "dd", "dl", "dt", "figure", "li", "ol", "p", "pre", "ul"])
_CODE = ("code", "kbd", "pre", "samp", "tt")
_MOST_LINKS = 0.5
"""Blocks with a larger share of links are menus."""
_FEWEST_WORDS = 12
"""Words of a paragraph; the labels around an article have fewer."""
_UNFILLED = re.compile(r"(?<![\w\\^}$])(?:\{\{[^{}]*+\}\}|\{%[^%{}]*+%\})")
"""A place in a template that a script would have filled; formulas have double braces only behind their own signs."""


@dataclass(frozen=True)
class Measured:
    """A block as it stands on the page.

    Attributes:
        block: The block.
        links: Number of its characters inside links.
        linked: True if its first line is a link to another page.
        title: True for the title (`h1`).
        container: The element that holds it, if it is marked as a paragraph, a list, a quotation or a table there.
    """

    block: Block
    links: int
    linked: bool
    title: bool
    container: Element | None

    @property
    def is_menu(self) -> bool:
        """True for a block of links that is not the title."""
        return self.links > _MOST_LINKS * len(self.block.text) and not self.title

    @cached_property
    def is_long(self) -> bool:
        """True for a block that is longer than the labels around an article."""
        return not self.block.heading and len(words(self.block.text)) >= _FEWEST_WORDS

    @cached_property
    def mass(self) -> int:
        """Number of characters of a long block outside of menus; 0 for the others."""
        return len(self.block.text) if self.is_long and not self.is_menu else 0


@dataclass(slots=True)
class Region:
    """An element with blocks in it, in the order of the page.

    Attributes:
        element: The element.
        index: Its index.
        parent: Index of the region around it; -1 for the outermost.
        first: Index of its first block.
        last: Index after its last one.
        fields: Number of its own fields for text, outside of the regions in it.
    """

    element: Element
    index: int
    parent: int
    first: int
    last: int = 0
    fields: int = 0

    @property
    def kind(self) -> tuple[str, str]:
        """Tag and class, which elements of one template share."""
        return self.element.tag, self.element.get("class") or ""


def measure(root: Element, left_out: frozenset[Element]) -> tuple[list[Measured], list[Region]]:
    """Blocks and regions below an element, in order, without what is left out.

    The cells of a table row form one block, separated by tabs.
    """
    from lxml import etree

    collector = _Collector(root)
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if not isinstance(element.tag, str):
            continue
        if event == "start" and element in left_out:
            collector.count_field(element)
            walk.skip_subtree()
        elif event == "start":
            collector.enter(element)
            collector.add(element.text)
        else:
            if element not in left_out:
                collector.leave(element)
            if element is not root:
                collector.add(element.tail)
    collector.flush()
    collector.regions[0].last = len(collector.found)
    return collector.found, collector.regions


class _Containers(NamedTuple):
    """Containers of the text in an open element.

    A page may be laid out by a table, so that a paragraph in a cell is contained by its row.

    Attributes:
        of_block: Of text directly in the element; None unless it is marked as a paragraph, list, quotation or table.
        of_text: Of paragraphs, lists and quotations in the element.
        of_table: Of tables in the element.
    """

    of_block: Element | None
    of_text: Element | None
    of_table: Element | None


class _Collector:
    """Collects text until a block begins or ends."""

    def __init__(self, root: Element) -> None:
        self.found: list[Measured] = []
        self.regions = [Region(root, 0, -1, 0)]
        self._region = 0
        self._containers: list[_Containers] = []
        self._pieces: list[str] = []
        self._links = 0
        self._away = 0
        self._line_is_link: bool | None = None
        self._line_ended = False
        self._unfilled = False
        self._open: Counter[str] = Counter()

    def enter(self, element: Element) -> None:
        """Process a start tag."""
        tag = element.tag
        if tag in BLOCKS:
            self.flush()
            self._containers.append(self._container_in(element))
        elif tag == "br":
            self._pieces.append("\n")
            self._line_ended = self._line_is_link is not None
        if tag in BLOCKS or tag in CELLS:
            self.regions.append(Region(element, len(self.regions), self._region, len(self.found)))
            self._region = self.regions[-1].index
        self._open[tag] += 1
        self._away += _is_away(element)

    def _container_in(self, element: Element) -> _Containers:
        _, flow, rows = self._containers[-1] if self._containers else (None, None, None)
        flow = flow if element.tag in FLOW else element
        rows = rows if element.tag in ROWS else flow
        return _Containers(rows if element.tag in ROWS else flow if element.tag in FLOW else None, flow, rows)

    def leave(self, element: Element) -> None:
        """Process an end tag."""
        tag = element.tag
        if tag in BLOCKS:
            self.flush()
            self._containers.pop()
        if tag in BLOCKS or tag in CELLS:
            self.regions[self._region].last = len(self.found)
            self._region = max(0, self.regions[self._region].parent)
        if tag in CELLS:
            self._pieces.append("\t")
        self._open[tag] -= 1
        self._away -= _is_away(element)

    def count_field(self, element: Element) -> None:
        """Count a field for text; it is left out."""
        if element.tag == "textarea" or (element.tag == "input" and element.get("type", "text") in ("text", "email")):
            self.regions[self._region].fields += 1

    def add(self, text: str | None) -> None:
        """Add text to the current block."""
        if not text:
            return
        if not self._open["pre"]:
            text = re.sub(r"\s+", " ", text)
        if not self._line_ended and text.strip():
            self._line_is_link = self._line_is_link is not False and self._away > 0
        self._pieces.append(text)
        if self._open["a"]:
            self._links += len(text.strip())
        if "{" in text and not any(self._open[tag] for tag in _CODE):
            self._unfilled = self._unfilled or _UNFILLED.search(text) is not None

    def flush(self) -> None:
        """End the block; two line breaks (`<br><br>`) end one too. A template that was not filled is none.

        Link characters are shared among the blocks by length.
        """
        if not self._pieces:
            return
        text = "" if self._unfilled else "".join(self._pieces)
        if not self._open["pre"]:
            text = re.sub(r" ?([\t\n]) ?", r"\1", text)
        blocks = [block for block in (part.strip() for part in re.split(r"\n{2,}", text)) if block]
        share = self._links / max(1, sum(map(len, blocks)))
        level = next((level for level, tag in enumerate(sorted(HEADINGS), 1) if self._open[tag]), 0)
        container = self._containers[-1].of_block if self._containers else None
        linked = bool(self._line_is_link)
        for block in blocks:
            links = round(share * len(block))
            item = self._open["li"] > 0 and not level
            found = Block(block, level > 0, item, level=level)
            self.found.append(Measured(found, links, linked, self._open["h1"] > 0, container))
            linked = False
        self._pieces, self._links, self._unfilled = [], 0, False
        self._line_is_link, self._line_ended = None, False


def _is_away(element: Element) -> bool:
    """Return True for a link to another page."""
    return element.tag == "a" and not (element.get("href") or "#").startswith("#")

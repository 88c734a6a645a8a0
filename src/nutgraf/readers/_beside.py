"""Separation of an article from teasers, remarks of readers, forms and what frames it, by their structure alone.

A template writes the same structure over and over, so what stands beside an article is a list of elements that are
built alike (Liu et al. 2003, *Mining Data Records in Web Pages*): a teaser is a linked headline with a paragraph below
it, and a remark is a name with a paragraph below it. An article has such lists, too. So lists and tables among
paragraphs are its own, and others stand beside it only if more of it stands around or before them.

All that is asked of a region is its range of blocks, so that each question is answered by sums over the page.
"""

from __future__ import annotations

import bisect
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from nutgraf.readers._markup import CELLS
from nutgraf.readers._measure import FLOW, ROWS, Measured, Region
from nutgraf.text.tokenize import words

_ALIKE = 2
"""Elements that are built alike from which they are a list."""
_MOST_BLOCKS = 6
"""Maximum number of blocks of a teaser, and of a form."""
_FEWEST_WORDS = 3
"""Words of a headline; a link with fewer is a name."""
_LONGEST_NAME = 8
"""Maximum number of words above a remark: a name, and when it was written."""
_MOST_OF_REGION = 0.6
"""Share of the text of a region from which one of those in it holds the article, and from which it holds remarks."""
_LITTLE = 0.25
"""Share of a text below which a stretch before its title is none of it, and a region built alike no part of it."""
_FEWEST_PARAGRAPHS = 2
"""Number of long blocks of an article; a page with fewer may consist of teasers."""
_ENDS = tuple(".!?…؟۔।॥。！？")
"""Marks that end a sentence."""

_PARTS_OF_TEXT = FLOW | ROWS | CELLS
_ITEMS = {"dd", "dt", "li"}

Range = tuple[int, int]
"""Index of the first block, and behind the last one."""


def article_of(blocks: Sequence[Measured], regions: Sequence[Region]) -> list[Measured]:
    """Return the blocks of the article among those of a page.

    Args:
        blocks: The blocks of the page, or of the element that is marked as the article.
        regions: Its regions, the outermost one first.
    """
    page = _Page(blocks, regions)
    teasers = list(page.teasers())
    page.leave_out(teasers)
    page.leave_out([*page.remarks(teasers), *page.forms()])
    region = page.innermost()
    if page.num_long(region) < _FEWEST_PARAGRAPHS and page.mass(region) < page.left_out_mass:
        return [block for block in blocks if not block.is_menu]
    first, last = page.from_title(region)
    return [*page.title_above(first), *page.kept(first, last)]


class _Page:
    """The blocks and regions of a page, and which blocks were left out."""

    def __init__(self, blocks: Sequence[Measured], regions: Sequence[Region]) -> None:
        self._blocks, self._regions = blocks, regions
        self._is_kept = [not block.is_menu for block in blocks]
        self._children: dict[int, list[Region]] = defaultdict(list)
        for region in regions[1:]:
            if region.last > region.first:
                self._children[region.parent].append(region)
        self._titles = [0, *itertools.accumulate(block.title for block in blocks)]
        self._count()
        self._whole = self._sums
        self._text = self._in_text()

    def _in_text(self) -> set[int]:
        """Indices of paragraphs, lists, tables and the like among paragraphs, and of the regions in them."""
        found = set[int]()
        holds_text = [self._holds_text(self._children.get(index, [])) for index in range(len(self._regions))]
        for region in self._regions[1:]:
            within = holds_text[region.parent] or region.parent in found
            if within and region.element.tag in _PARTS_OF_TEXT:
                found.add(region.index)
        return found

    def _holds_text(self, children: Sequence[Region]) -> bool:
        """Return True for the regions in one that holds a paragraph, or several paragraphs and lists, by itself."""
        flow = [child for child in children if child.element.tag in FLOW - _ITEMS]
        return len(flow) > _ALIKE or any(child.element.tag == "p" and self.mass(_range(child)) for child in flow)

    def _count(self) -> None:
        masses = [block.mass * kept for block, kept in zip(self._blocks, self._is_kept, strict=True)]
        self._sums = [0, *itertools.accumulate(masses)]
        self._long = [0, *itertools.accumulate(mass > 0 for mass in masses)]

    @property
    def left_out_mass(self) -> int:
        """Characters of the long blocks that were left out."""
        return self._whole[-1] - self._sums[-1]

    def mass(self, region: Range) -> int:
        """Characters of the long blocks of a range, without those left out."""
        return self._sums[region[1]] - self._sums[region[0]]

    def num_long(self, region: Range) -> int:
        """Number of the long blocks of a range, without those left out."""
        return self._long[region[1]] - self._long[region[0]]

    def kept(self, first: int, last: int) -> list[Measured]:
        """Blocks of a range, without those left out."""
        return [self._blocks[index] for index in range(first, last) if self._is_kept[index]]

    def leave_out(self, ranges: Iterable[Range]) -> None:
        """Leave out ranges, which may lie in each other."""
        changes = [0] * (len(self._blocks) + 1)
        for first, last in ranges:
            changes[first] += 1
            changes[last] -= 1
        depths = itertools.accumulate(changes[:-1])
        self._is_kept = [kept and not depth for kept, depth in zip(self._is_kept, depths, strict=True)]
        self._count()

    def teasers(self) -> Iterator[Range]:
        """Ranges of teasers: lists of them, and one by itself that is headed by a link and follows a paragraph."""
        for index, children in self._lists():
            around, found = self._regions[index], [child for child in children if self._is_teaser(child)]
            if len(found) < _ALIKE and not any(self._blocks[child.first].block.heading for child in found):
                continue
            size = sum(self.mass(_range(child)) for child in found)
            rest = self.mass(_range(around)) - size
            if len(found) >= _ALIKE and not rest:
                yield self._all_of(around, found)
            elif rest > size and (len(found) >= _ALIKE or self.mass((around.first, found[0].first))):
                yield from map(_range, found)

    def _lists(self) -> Iterator[tuple[int, list[Region]]]:
        """Regions, by their indices, that may be lists beside the text, and the regions in each."""
        return (
            (index, [child for child in children if child.index not in self._text])
            for index, children in self._children.items()
            if index not in self._text
        )

    def _all_of(self, around: Region, found: Sequence[Region]) -> Range:
        """Range of the region around a list, but for the title of the page."""
        titled = self._titles[around.last] > self._titles[around.first]
        return (found[0].first, found[-1].last) if titled else _range(around)

    def _is_teaser(self, region: Region) -> bool:
        """Return True for a link, perhaps below a label, with one paragraph or less below it."""
        blocks = self._blocks[region.first : min(region.last, region.first + _MOST_BLOCKS + 1)]
        lead = next((index for index, block in enumerate(blocks[:2]) if block.linked and not block.title), None)
        if lead is None or len(blocks) > _MOST_BLOCKS or (lead and blocks[0].is_long):
            return False
        headline, _, text = blocks[lead].block.text.partition("\n")
        more = bool(text) or len(blocks) > lead + 1
        return (
            more
            and len(words(headline)) >= _FEWEST_WORDS
            and sum(block.is_long for block in blocks) < _FEWEST_PARAGRAPHS
        )

    def remarks(self, teasers: Iterable[Range]) -> Iterator[Range]:
        """Ranges of lists of remarks, in a region of their own or behind teasers, that follow a longer text."""
        ends = [0, *sorted(end for _, end in teasers)]
        for index, children in self._lists():
            around = self._regions[index]
            start = max(around.first, ends[bisect.bisect(ends, around.last) - 1])
            place = start, around.last
            if self.num_long((0, start)) < _FEWEST_PARAGRAPHS or not self.mass(place) <= self.mass((0, start)):
                continue
            alike = defaultdict[tuple[str, str], list[Region]](list)
            for child in children:
                if child.first >= start and self._is_remark(child):
                    alike[child.kind].append(child)
            found = max(alike.values(), key=len, default=[])
            size = sum(self.mass(_range(child)) for child in found)
            if len(found) >= _ALIKE and size >= _MOST_OF_REGION * self.mass(place):
                yield place

    def _is_remark(self, region: Region) -> bool:
        """Return True for a line like a name with a text below it."""
        first = self._blocks[region.first]
        name, _, text = first.block.text.partition("\n")
        more = text or (region.last > region.first + 1 and not self._blocks[region.first + 1].block.heading)
        return (
            bool(more)
            and region.element.tag not in ROWS
            and not first.block.heading
            and name[:1].isalpha()
            and not name.endswith((*_ENDS, ":", "："))
            and len(words(name)) <= _LONGEST_NAME
        )

    def forms(self) -> Iterator[Range]:
        """Ranges of forms, each with the paragraph that goes with it."""
        seen = set[int]()
        for index, region in enumerate(self._regions):
            if not region.fields:
                continue
            while index > 0 and index not in seen and self._regions[index].first == self._regions[index].last:
                seen.add(index)
                index = self._regions[index].parent
            first, last = _range(self._regions[index])
            untitled = self._titles[first] == self._titles[last]
            if (
                index
                and last - first <= _MOST_BLOCKS
                and self.num_long((first, last)) < _FEWEST_PARAGRAPHS
                and untitled
            ):
                yield first, last

    def innermost(self) -> Range:
        """Range of the innermost region with most of the text, of those that hold no paragraph by themselves."""
        region = self._regions[0]
        while largest := self._article_in(region):
            region = largest
        return _range(region)

    def _article_in(self, around: Region) -> Region | None:
        """Return the one region in another that holds the article, if there is one."""
        children, whole = self._children.get(around.index, []), self.mass(_range(around))
        masses = [self.mass(_range(child)) for child in children]
        largest = max(masses, default=0)
        if largest < _MOST_OF_REGION * whole or not largest or sum(masses) < whole:
            return None
        chosen = children[masses.index(largest)]
        if self.num_long(_range(chosen)) < _FEWEST_PARAGRAPHS:
            return None
        for child, mass in zip(children, masses, strict=True):
            alike = child.kind == chosen.kind or self.num_long(_range(child)) >= _FEWEST_PARAGRAPHS
            part = (alike and mass >= _LITTLE * largest) or (mass and child.element.tag in FLOW)
            if part and child is not chosen:
                return None
        return chosen

    def from_title(self, region: Range) -> Range:
        """Range without what stands before the title, if that is little."""
        first, last = region
        title = next((index for index in range(first, last) if self._is_title(index)), first)
        return (title if self.mass((first, title)) < _LITTLE * self.mass((title, last)) else first), last

    def _is_title(self, index: int) -> bool:
        return self._blocks[index].title and not self._blocks[index].linked

    def title_above(self, first: int) -> list[Measured]:
        """The title above the article, and the paragraphs between both."""
        title = next((index for index in range(first - 1, -1, -1) if self._is_title(index)), None)
        if title is None or (first < len(self._blocks) and self._is_title(first)):
            return []
        between = [block for block in self.kept(title + 1, first) if block.is_long or block.block.text.endswith(_ENDS)]
        return [self._blocks[title], *between]


def _range(region: Region) -> Range:
    return region.first, region.last

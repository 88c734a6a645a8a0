"""PPTX: the slides of a presentation, with their notes.

Only the XML of slides and notes is decompressed, one part after the other and within limits, so that neither pictures
nor a decompression bomb cost time or memory. Nothing that the package refers to is fetched.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from nutgraf.errors import InputError
from nutgraf.readers import _archive
from nutgraf.readers._blocks import compose
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document

MOST_ELEMENTS = 400_000
"""Maximum number of XML elements of a slide; one has some 50."""

DEEPEST = 30
"""Groups of shapes within each other that are read."""

_PRESENTATION = "ppt/presentation.xml"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
_TEXT, _BREAKS = f"{_A}t", frozenset((f"{_A}br", f"{_A}tab"))
_GROUPS = (
    f"{_P}grpSp",
    f"{_P}spTree",
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent",
    _CHOICE,
)
_TITLES = frozenset(("title", "ctrTitle"))
_NOT_TEXT = frozenset(("sldNum", "ftr", "dt", "hdr"))
_BODIES = frozenset(("body", "obj"))
_ENDED = (".", "!", "?", "…", "。", "！", "？")
_GOING_ON = ":;,."


class Pptx(_archive.ArchiveReader):
    """One Document with a page for each slide; titles name its Sections.

    Points that are no sentences are written as one, behind the title and the point that they stand below: "Sites –
    Harbour: 9,800 euros a month; no loading dock." Rows of tables and the notes of the speaker follow. Hidden slides,
    charts and diagrams are left out, with a notice; so are numbers, dates and footers, without one.
    """

    suffixes = (".pptx", ".pptm", ".ppsx", ".potx")
    part = _PRESENTATION

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        archive = _archive.opened(data, _PRESENTATION)
        if archive is None:
            raise InputError(f"{name} is not a presentation of PowerPoint (PPTX).")
        package, left_out = _Package(archive, name), Counter[str]()
        try:
            blocks = list(_blocks(package, left_out))
        except InputError:
            raise
        except Exception as error:  # whatever a parser trips over, the file is damaged
            raise InputError(f"{name} is a damaged presentation ({error}); open it and save it anew.") from error
        return [compose(blocks, name, language, _notices(left_out, name), turns=())]


class _Package:
    """Parts of a package, read within limits."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive, self._name = archive, name
        self._parts = {part.filename: part for part in archive.infolist()}
        self._size = self._elements = 0

    def root(self, part: str) -> Any:
        """Root of a part, as an element of lxml; None if there is no such part."""
        from lxml import etree

        if part not in self._parts:
            return None
        _archive.check_sizes([self._parts[part]], self._name)
        content = self._archive.read(self._parts[part])
        marks = content.count(b"<")
        self._size += len(content)
        self._elements += marks // 2
        if marks > 2 * MOST_ELEMENTS or self._elements > _archive.MOST_ELEMENTS or self._size > _archive.MOST_XML:
            raise InputError(f"{self._name} has too many XML elements for a presentation; split it.")
        parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
        return etree.fromstring(content, parser)

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """Kinds and parts to which a part refers within the package, by their ids."""
        folder, file = posixpath.split(part)
        root = self.root(f"{folder}/_rels/{file}.rels")
        return {
            one.get("Id", ""): (one.get("Type", "").rpartition("/")[2], _within(folder, one.get("Target", "")))
            for one in (() if root is None else root)
            if one.get("TargetMode") != "External"
        }


def _within(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")


def _notices(left_out: Counter[str], name: str) -> Iterator[str]:
    for what, count in left_out.items():
        yield f"{name}: {count:,} {what}{'s are' if count > 1 else ' is'} left out."


def _blocks(package: _Package, left_out: Counter[str]) -> Iterator[Block]:
    """Blocks of all slides, in the order in which they are shown; a page begins with each, also with an empty one."""
    related = package.related(_PRESENTATION)
    begun: tuple[int, ...] = ()
    ids = (number.get(f"{_R}id", "") for number in package.root(_PRESENTATION).iter(f"{_P}sldId"))
    for kind, part in dict.fromkeys(related.get(key, ("", key)) for key in ids):
        begun = (*begun, 0)
        slide = package.root(part) if kind == "slide" else None
        if slide is None:
            left_out["damaged slide"] += 1
        elif slide.get("show") in ("0", "false"):
            left_out["hidden slide"] += 1
        else:
            for block in _slide(slide, list(_notes(package, part)), left_out):
                if block.text:
                    yield Block(block.text, block.heading, pages=begun)
                    begun = ()


def _notes(package: _Package, part: str) -> Iterator[str]:
    for kind, notes in dict.fromkeys(package.related(part).values()):
        root = package.root(notes) if kind == "notesSlide" else None
        for shape in () if root is None else root.iter(f"{_P}sp"):
            if _placeholder(shape) == "body":
                yield from (text for _, text in _paragraphs(shape))


def _slide(slide: Any, notes: Sequence[str], left_out: Counter[str]) -> Iterator[Block]:
    """The title first, wherever it stands; then the texts in the order of their shapes, and the notes."""
    shapes = [
        (_placeholder(shape), shape)
        for tree in slide.iterfind(f"{_P}cSld/{_P}spTree")
        for shape in _shapes(tree, 0, left_out)
    ]
    title = " ".join(text for kind, shape in shapes if kind in _TITLES for _, text in _paragraphs(shape))
    texts = [
        block
        for kind, shape in shapes
        if kind not in _TITLES | _NOT_TEXT
        for block in _blocks_of(shape, kind, title, left_out)
    ]
    texts += map(Block, notes)
    if title:
        yield Block(title, heading=True)
        yield from texts or [Block(_ended(title))]  # it says what a picture shows
    else:
        yield from texts


def _shapes(tree: Any, depth: int, left_out: Counter[str]) -> Iterator[Any]:
    """Shapes with texts, and frames of tables, charts and diagrams; of alternatives the first one is taken."""
    for shape in tree:
        if shape.tag in (f"{_P}sp", f"{_P}graphicFrame"):
            yield shape
        elif shape.tag in _GROUPS and depth < DEEPEST:
            yield from _shapes(shape, depth + 1, left_out)
        elif shape.tag in _GROUPS:
            left_out["group in too many groups"] += 1


def _placeholder(shape: Any) -> str:
    """Kind of a placeholder; "" for other shapes."""
    found = shape.find(f"./*/{_P}nvPr/{_P}ph")
    return "" if found is None else str(found.get("type", "obj"))


def _paragraphs(shape: Any) -> list[tuple[int, str]]:
    """Levels and texts of the paragraphs that have one."""
    found = []
    for paragraph in shape.iterfind(f"{_P}txBody/{_A}p"):
        properties = paragraph.find(f"{_A}pPr")
        level = "0" if properties is None else properties.get("lvl", "0")
        if text := _line(paragraph):
            found.append((int(level) if level.isdecimal() and len(level) == 1 else 0, text))
    return found


def _line(element: Any) -> str:
    """Text of a paragraph or a cell, on one line."""
    nodes = element.iter(_TEXT, *_BREAKS, f"{_A}p")
    return " ".join("".join(_said(node) if node.tag == _TEXT else " " for node in nodes).split())


def _said(text: Any) -> str:
    """Text of an element, without the entities in it."""
    return "".join((text.text or "", *(entity.tail or "" for entity in text)))


def _blocks_of(shape: Any, kind: str, title: str, left_out: Counter[str]) -> Iterator[Block]:
    if shape.tag == f"{_P}sp":
        yield from _text(_paragraphs(shape), kind, title)
        return
    table = shape.find(f"{_A}graphic/{_A}graphicData/{_A}tbl")
    if table is None:
        data = shape.find(f"{_A}graphic/{_A}graphicData")
        left_out["chart" if data is not None and "chart" in data.get("uri", "") else "diagram or object"] += 1
    else:
        for row in table.iterfind(f"{_A}tr"):
            cells = (cell for cell in row.iterfind(f"{_A}tc") if not (cell.get("hMerge") or cell.get("vMerge")))
            yield Block("\t".join(map(_line, cells)))


def _text(paragraphs: Sequence[tuple[int, str]], kind: str, title: str) -> Iterator[Block]:
    """Sentences of a shape, each a block, and lists of points, each as one sentence."""
    if len(paragraphs) < 2 and kind not in _BODIES:
        yield from (Block(text) for _, text in paragraphs)
        return
    above: list[tuple[int, str]] = []
    points: list[str] = []
    for (level, text), (below, _) in zip(paragraphs, [*paragraphs[1:], (0, "")], strict=False):
        ended = text.endswith(_ENDED)
        introduces = not ended and (below > level or text.endswith(":"))
        kept = [one for one in above if one[0] < 2 * level - introduces]
        if points and (ended or introduces or kept != above):
            yield Block(_listed(title, above, points))
            points = []
        above = kept
        if introduces:  # what a colon introduces may stand at its own level: between that and the one above
            above = [*kept, (2 * level - (below <= level), text)]
        elif ended:
            yield Block(text)
        else:
            points.append(text)
    if points:
        yield Block(_listed(title, above, points))


def _listed(title: str, above: list[tuple[int, str]], points: list[str]) -> str:
    introduction = " – ".join(said.rstrip(_GOING_ON) for said in (title, *(said for _, said in above)) if said)
    listed = "; ".join(point.rstrip(_GOING_ON) for point in points)
    return _ended(f"{introduction}: {listed}" if introduction else listed)


def _ended(text: str) -> str:
    return text if text.endswith(_ENDED) else f"{text}."

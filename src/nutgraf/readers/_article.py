"""The article of an HTML page, without the menus, cookie banners, asides and footers around it.

Boilerplate is recognized first by semantic elements and roles, then by words in class names, then by the density of
links (Kohlschütter et al. 2010, *Boilerplate Detection using Shallow Text Features*: short blocks that consist of
links).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from nutgraf.errors import InputError
from nutgraf.prose.boilerplate import kind_of_sentence
from nutgraf.readers._blocks import compose
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document
from nutgraf.text.publication import moment_on
from nutgraf.text.tokenize import sentence_texts, words

Element = Any
"""An element of lxml, which is imported only when HTML is read."""

_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_BLOCKS = _HEADINGS | {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "li",
    "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
}  # fmt: skip
_NEVER_TEXT = {
    "aside", "audio", "button", "canvas", "datalist", "dialog", "embed", "figcaption", "footer", "head", "iframe",
    "input", "map", "math", "meter", "nav", "noscript", "object", "option", "progress", "script", "select",
    "style", "svg", "template", "textarea", "video",
}  # fmt: skip
_ROLES = {
    "alert", "alertdialog", "banner", "complementary", "contentinfo", "dialog", "menu", "menubar", "navigation",
    "search",
}  # fmt: skip
_BOILERPLATE = re.compile(
    r"(?:^|[-_\s])(?:cookies?|consent|gdpr|nav(?:bar|igation)?|menus?|side-?bar|footer|breadcrumbs?|shar(?:e|ing)|"
    r"social|related|recommend(?:ed|ations?)?|promo(?:ted|tion)?|adverts?|advertisement|ads?|sponsor(?:ed)?|"
    r"newsletter|subscri(?:be|ption)|comments?|pop-?up|modal|pagination|skip-?link|toolbar|paywall|masthead|"
    r"mw-editsection|navbox|infobox|reflist|toc)"
    r"(?:$|[-_\s])",
    re.IGNORECASE,
)
_ROWS = frozenset(["caption", "table", "tbody", "tfoot", "thead", "tr"])
_FLOW = frozenset(["blockquote", "dd", "dl", "dt", "figure", "li", "ol", "p", "pre", "ul"])
_KEEP = frozenset(["html", "body", "main", "article"])
_MOST_LINKS = 0.5
"""Blocks with a larger share of links are menus."""
_FEWEST_WORDS = 12
"""Words of a paragraph; the labels around an article have fewer."""
_MOST = 0.6
"""An article contains at least this share of the text that is marked as article."""
_REFERENCE = re.compile(r"\[\w{1,4}\]")
_TAG = re.compile(r"""<[a-zA-Z](?>[^=>]++|=\s*+(?>"[^"]*+"?+|'[^']*+'?+)?+)*+""")
_ATTRIBUTE = re.compile(r"""[^\s/=]++(?:\s*+=\s*+(?>"[^"]*+"?+|'[^']*+'?+|\S*+))?+""")
_MOST_ATTRIBUTES = 250
"""Maximum number of attributes of a tag; libxml2 compares each of them with all others."""
PAGE = re.compile(
    r"(?>[\s\ufeff]++|<\?[^>]*+>|<!--.*?-->)*+<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE | re.DOTALL
)
"""Beginning of an HTML page, behind a byte-order mark, white space, comments and declarations."""

_ANY_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*+)(?:[\s/][^<>]*+)?>")
_LEVEL = _HEADINGS | {"body", "br", "head", "html", "meta", "p", "script", "style", "title"}
"""Elements that do not nest in themselves, or hold no text."""


def document_of(text: str, name: str = "", language: str | None = None, notices: Iterable[str] = ()) -> Document:
    """Return the Document of the article on a page.

    Raises:
        InputError: If the text cannot be read as HTML.
    """
    page = _page(text, name or "the text")
    published, declared = moment_on(page), _declared_language(page)
    return compose(article_blocks(page), name, language, notices, published=published, declared=declared)


def parse_chapter(text: str, name: str) -> list[Block]:
    """Return the blocks of a chapter of a book, all of which are its text but lists of links.

    Raises:
        InputError: If the text cannot be read as HTML; `name` is the name of the book, for the message.
    """
    page = _page(text, name)
    sizes = _sizes(page, frozenset()).text
    left_out = frozenset(
        element
        for element, size in sizes.items()
        if element.tag != "aside" and element.getparent() is not None and _never_text(element, size)
    )
    return [one.block for one in _without_menus(_measure(page, left_out))]


def _page(text: str, name: str) -> Element:
    from lxml import etree

    try:
        page, whole = _parsed(_few_attributes(text))
        if not whole:
            page, whole = _parsed(_level(text))
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"{name} cannot be read as HTML: {error}.") from error
    if not whole:
        raise InputError(f"{name} cannot be read as HTML: its tags are nested too deeply.")
    return page


def _declared_language(page: Element) -> str:
    """Language that a page declares, such as "fi" or "pt-BR"; "" if it declares none."""
    declared = page.xpath(
        "(/html|/html/body)/@*[name()='lang' or name()='xml:lang']"
        "|//meta[translate(@http-equiv, 'CONTEALGU', 'contealgu')='content-language']/@content"
    )
    return str(declared[0]) if declared else ""


def _parsed(text: str) -> tuple[Element, bool]:
    """Return the tree of a page, and False if it lacks what libxml2 dropped because it is nested too deeply."""
    from lxml import html

    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    page = html.document_fromstring(text.encode(), parser=parser)
    return page, not any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)


def _level(text: str) -> str:
    """Return a page without nesting: blocks become paragraphs, and elements inside of paragraphs their text."""

    def levelled(tag: re.Match[str]) -> str:
        name = tag[1].lower()
        return tag[0] if name in _LEVEL else "<p>" if name in _BLOCKS or name in ("td", "th") else ""

    return _ANY_TAG.sub(levelled, text)


def article_blocks(page: Element) -> list[Block]:
    """Return the blocks of the article on a page, or all blocks if nothing looks like an article."""
    everything = [measured.block for measured in _measure(page, frozenset(page.iter("script", "style", "template")))]
    left_out = _boilerplate(page)
    article = _article(page, left_out)
    found = _without_menus(_measure(page if article is None else article, left_out))
    if article is None:
        found = _between_paragraphs(found)
    while found and found[-1].block.heading:
        found.pop()
    return [one.block for one in found] or everything


def _without_menus(found: list[_Measured]) -> list[_Measured]:
    return [one for one in found if one.links <= _MOST_LINKS * len(one.block.text) or one.title]


def _few_attributes(text: str) -> str:
    """Remove surplus attributes from tags that have very many."""
    pieces, end = [], 0
    for tag in _TAG.finditer(text):
        if tag.end() - tag.start() <= 2 * _MOST_ATTRIBUTES:
            continue
        attributes = _ATTRIBUTE.finditer(text, tag.start(), tag.end())
        surplus = next(itertools.islice(attributes, _MOST_ATTRIBUTES, None), None)
        if surplus:
            pieces.append(text[end : surplus.start()])
            end = tag.end()
    return "".join([*pieces, text[end:]])


@dataclass(frozen=True, slots=True)
class _Measured:
    """A block as it stands on the page, how many of its characters are links, and the marked element that holds it."""

    block: Block
    links: int
    title: bool
    container: Element | None

    @property
    def is_long(self) -> bool:
        """True for a block that is longer than the labels around an article."""
        return not self.block.heading and len(words(self.block.text)) >= _FEWEST_WORDS

    @property
    def is_paragraph(self) -> bool:
        """True for a long block that is not about the page, as notices are."""
        if not self.is_long:
            return False
        sentences = sentence_texts(self.block.text)
        return 2 * sum(kind_of_sentence(sentence) != "" for sentence in sentences) <= len(sentences)


def _boilerplate(page: Element) -> frozenset[Element]:
    """Elements that are left out with their content; text behind them stays."""
    sizes = _sizes(page, frozenset()).text
    return frozenset(
        element
        for element, size in sizes.items()
        if element.tag not in _KEEP
        and element.getparent() is not None
        and (_never_text(element, size) or (size < 0.5 * sizes[page] and _named_boilerplate(element)))
    )


def _never_text(element: Element, size: int) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return (
        element.tag in _NEVER_TEXT
        or element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or "display:none" in style
        or (element.get("role") or "").lower() in _ROLES
        or (element.tag == "pre" and element.find("code") is not None)
        or (element.tag == "sup" and size <= 50 and bool(_REFERENCE.fullmatch(element.text_content().strip())))
    )


def _named_boilerplate(element: Element) -> bool:
    return any(_BOILERPLATE.search(element.get(key) or "") for key in ("class", "id"))


def _article(page: Element, left_out: frozenset[Element]) -> Element | None:
    """Innermost element that is marked as the article and holds most of the marked text; None if several share it."""
    sizes = _sizes(page, left_out)
    largest = max(sizes.outermost, key=sizes.unlinked.__getitem__, default=None)
    if largest is None:
        return None
    if sizes.unlinked[largest] < _MOST * sum(sizes.unlinked[element] for element in sizes.outermost):
        return None
    return [element for element in sizes.marked if sizes.unlinked[element] >= _MOST * sizes.unlinked[largest]][-1]


def _is_marked(element: Element) -> bool:
    """Return True if an element is marked as the article."""
    return (
        element.tag in ("article", "main") or element.get("role") == "main" or element.get("itemprop") == "articleBody"
    )


class _Sizes:
    """Characters in each element, all and those outside links; what is marked as the article, and its outermost."""

    def __init__(self) -> None:
        self.text: dict[Element, int] = {}
        self.unlinked: dict[Element, int] = {}
        self.marked: list[Element] = []
        self.outermost: list[Element] = []


def _sizes(page: Element, left_out: frozenset[Element]) -> _Sizes:
    """Sizes of all elements except those left out and their content."""
    from lxml import etree

    sizes, open_marked = _Sizes(), 0
    above = [(0, 0)]
    walk = etree.iterwalk(page, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            if element in left_out:
                walk.skip_subtree()
            elif _is_marked(element):
                sizes.marked.append(element)
                sizes.outermost.extend([] if open_marked else [element])
                open_marked += 1
            above.append((len(element.text or ""), len(element.text or "")))
            continue
        text, unlinked = above.pop()
        if element in left_out:
            text = unlinked = 0
        else:
            open_marked -= _is_marked(element)
            unlinked = 0 if element.tag == "a" else unlinked
            sizes.text[element], sizes.unlinked[element] = text, unlinked
        behind = len(element.tail or "")
        above[-1] = above[-1][0] + text + behind, above[-1][1] + unlinked + behind
    return sizes


def _between_paragraphs(found: list[_Measured]) -> list[_Measured]:
    """Blocks from the first paragraph, with the headings directly above it, to the last; the rest frames the page.

    Short lines, lists and tables in the same container as a paragraph belong to the text as well.
    """
    first = next((index for index, one in enumerate(found) if one.is_paragraph), None)
    if first is None:
        return found
    last = next(index for index in range(len(found) - 1, -1, -1) if found[index].is_paragraph)
    containers = {one.container for one in found[first : last + 1] if one.container is not None and one.is_long}
    places = [first, last, *(index for index, one in enumerate(found) if one.container in containers)]
    first = min(places)
    while first > 0 and found[first - 1].block.heading:
        first -= 1
    return found[first : max(places) + 1]


def _measure(root: Element, left_out: frozenset[Element]) -> list[_Measured]:
    """Blocks below an element, in order, without what is left out; the cells of a row form one block, with tabs."""
    from lxml import etree

    collector = _Collector()
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if not isinstance(element.tag, str):
            continue
        if event == "start" and element in left_out:
            walk.skip_subtree()
        elif event == "start":
            collector.enter(element)
            collector.add(element.text)
        else:
            if element not in left_out:
                collector.leave(element.tag)
            if element is not root:
                collector.add(element.tail)
    collector.flush()
    return collector.found


class _Containers(NamedTuple):
    """Containers of text in an open element: of a block there, of what flows, and of tables, which lay out pages."""

    of_block: Element | None
    of_text: Element | None
    of_table: Element | None


class _Collector:
    """Collects text until a block begins or ends."""

    def __init__(self) -> None:
        self.found: list[_Measured] = []
        self._containers: list[_Containers] = []
        self._pieces: list[str] = []
        self._links = 0
        self._open: Counter[str] = Counter()

    def enter(self, element: Element) -> None:
        """Process a start tag."""
        tag = element.tag
        if tag in _BLOCKS:
            self.flush()
            self._containers.append(self._container_in(element))
        elif tag == "br":
            self._pieces.append("\n")
        self._open[tag] += 1

    def _container_in(self, element: Element) -> _Containers:
        _, flow, rows = self._containers[-1] if self._containers else (None, None, None)
        flow = flow if element.tag in _FLOW else element
        rows = rows if element.tag in _ROWS else flow
        return _Containers(rows if element.tag in _ROWS else flow if element.tag in _FLOW else None, flow, rows)

    def leave(self, tag: str) -> None:
        """Process an end tag."""
        if tag in _BLOCKS:
            self.flush()
            self._containers.pop()
        elif tag in ("td", "th"):
            self._pieces.append("\t")
        self._open[tag] -= 1

    def add(self, text: str | None) -> None:
        """Add text to the current block."""
        if not text:
            return
        if not self._open["pre"]:
            text = re.sub(r"\s+", " ", text)
        self._pieces.append(text)
        if self._open["a"]:
            self._links += len(text.strip())

    def flush(self) -> None:
        """End the block; two line breaks (`<br><br>`) end one, too. Characters of links are shared by length."""
        if not self._pieces:
            return
        text = "".join(self._pieces)
        if not self._open["pre"]:
            text = re.sub(r" ?([\t\n]) ?", r"\1", text)
        blocks = [block for block in (part.strip() for part in re.split(r"\n{2,}", text)) if block]
        share = self._links / max(1, sum(map(len, blocks)))
        heading = any(self._open[tag] for tag in _HEADINGS)
        container = self._containers[-1].of_block if self._containers else None
        for block in blocks:
            links = round(share * len(block))
            self.found.append(_Measured(Block(block, heading), links, self._open["h1"] > 0, container))
        self._pieces, self._links = [], 0

"""The article of an HTML page, without the menus, cookie banners, asides and footers around it.

Boilerplate is recognized first by semantic elements and roles, then by words in class names, then by the density of
links (Kohlschütter et al. 2010, *Boilerplate Detection using Shallow Text Features*: short blocks that consist of
links), then by the structure of lists (`_beside.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nutgraf.readers._beside import article_of
from nutgraf.readers._blocks import compose
from nutgraf.readers._markup import Element, declared_language, parse
from nutgraf.readers._measure import Measured, measure
from nutgraf.readers._unclosed import with_comments_closed
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document
from nutgraf.text.late import Late
from nutgraf.text.publication import moment_on
from nutgraf.text.tokenize import count_words

_NEVER_TEXT = {
    "aside", "audio", "button", "canvas", "datalist", "dialog", "embed", "figcaption", "footer", "head", "iframe",
    "input", "map", "math", "meter", "nav", "noscript", "object", "option", "progress", "rp", "rt", "rtc", "script",
    "select", "style", "svg", "template", "textarea", "video",
}  # fmt: skip
_NEVER_READ = {"dialog", "noscript", "rp", "rt", "rtc", "script", "style", "template"}
_DIALOGS = {"alertdialog", "dialog"}
_ROLES = {
    "alert", "alertdialog", "banner", "complementary", "contentinfo", "dialog", "menu", "menubar", "navigation",
    "search",
}  # fmt: skip
_BOILERPLATE = Late(
    r"(?:^|[-_\s])(?:cookies?|consent|gdpr|nav(?:bar|igation)?|menus?|side-?bar|footer|breadcrumbs?|shar(?:e|ing)|"
    r"social|related|recommend(?:ed|ations?)?|promo(?:ted|tion)?|adverts?|advertisement|ads?|sponsor(?:ed)?|"
    r"newsletter|subscri(?:be|ption)|comments?|pop-?up|modal|pagination|skip-?link|toolbar|paywall|masthead|"
    r"mw-editsection|navbox|infobox|reflist|toc)"
    r"(?:$|[-_\s])",
    re.IGNORECASE,
)
_KEEP = frozenset(["html", "body", "main", "article"])
_MOST = 0.6
"""An article contains at least this share of the text that is marked as article."""
_FEWEST_WORDS = 25
"""Words of a page; one with fewer may only ask to wait, or for JavaScript."""
_REFERENCE = Late(r"\[\w{1,4}\]")


def document_of(text: str, name: str = "", language: str | None = None, notices: Iterable[str] = ()) -> Document:
    """Return the Document of the article on a page.

    Raises:
        InputError: If the text cannot be read as HTML.
    """
    called = name or "the text"
    text, unclosed = with_comments_closed(text, called)
    page = parse(text, called)
    published, declared = moment_on(page), declared_language(page)
    return compose(article_blocks(page), name, language, [*notices, *unclosed], published=published, declared=declared)


def parse_chapter(text: str, name: str) -> list[Block]:
    """Return the blocks of a chapter of a book, all of which are its text but lists of links.

    Raises:
        InputError: If the text cannot be read as HTML; `name` is the name of the book, for the message.
    """
    return chapter_blocks(parse(text, name))


def chapter_blocks(page: Element) -> list[Block]:
    """Return the blocks of a page, all of which are its text but lists of links."""
    sizes = _sizes(page, frozenset()).text
    left_out = frozenset(
        element
        for element, size in sizes.items()
        if element.tag != "aside" and element.getparent() is not None and _never_text(element, size)
    )
    return [one.block for one in measure(page, left_out)[0] if not one.is_menu]


def article_blocks(page: Element) -> list[Block]:
    """Return the blocks of the article on a page, or all blocks if nothing looks like an article.

    A page that a script fills in a browser may have none.
    """
    left_out = _boilerplate(page)
    article = _article(page, left_out)
    found = article_of(*measure(page if article is None else article, left_out))
    if article is None:
        found = _between_paragraphs(found)
    while found and found[-1].block.heading:
        found.pop()
    found = found or measure(page, frozenset(filter(_is_never_read, page.iter())))[0]
    scripted = page.find(".//script") is not None
    return [] if scripted and _only_waits(found) else [one.block for one in found]


def _only_waits(found: Sequence[Measured]) -> bool:
    """Return True for a few words, each line of which ends in dots ("Loading…") or names JavaScript."""
    lines = [one.block.text for one in found]
    return sum(map(count_words, lines)) < _FEWEST_WORDS and all(
        line.endswith(("…", "...")) or "javascript" in line.lower() for line in lines
    )


def _boilerplate(page: Element) -> frozenset[Element]:
    """Elements that are left out with their content; text behind them stays."""
    sizes = _sizes(page, frozenset()).text
    return frozenset(
        element
        for element, size in sizes.items()
        if element.tag not in _KEEP
        and element.getparent() is not None
        and (_never_text(element, size) or (_named_boilerplate(element) and size < 0.5 * sizes[page]))
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


def _is_never_read(element: Element) -> bool:
    """Return True for an element that nobody opens a page for, even if it is all there is."""
    return element.tag in _NEVER_READ or (element.get("role") or "").lower() in _DIALOGS


def _named_boilerplate(element: Element) -> bool:
    return any(_BOILERPLATE.search(element.get(key) or "") for key in ("class", "id"))


def _article(page: Element, left_out: frozenset[Element]) -> Element | None:
    """Innermost element that is marked as the article and contains most of the marked text.

    None if there is none, or several articles share the page.
    """
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
    """Number of characters in each element.

    Attributes:
        text: All characters.
        unlinked: Characters outside links.
        marked: Elements that are marked as the article, in order.
        outermost: Marked elements that are not inside another one.
    """

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


def _between_paragraphs(found: list[Measured]) -> list[Measured]:
    """Blocks from the first paragraph, with the headings directly above it, to the last; the rest frames the page.

    Short lines, lists and tables in the same container as a paragraph belong to the text as well.
    """
    first = next((index for index, one in enumerate(found) if one.is_long), None)
    if first is None:
        return found
    last = next(index for index in range(len(found) - 1, -1, -1) if found[index].is_long)
    containers = {one.container for one in found[first : last + 1] if one.container is not None and one.is_long}
    places = [first, last, *(index for index, one in enumerate(found) if one.container in containers)]
    first = min(places)
    while first > 0 and found[first - 1].block.heading:
        first -= 1
    return found[first : max(places) + 1]

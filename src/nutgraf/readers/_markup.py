"""The tree of an HTML page, whatever its markup is like."""

from __future__ import annotations

import itertools
import re
from typing import Any

from nutgraf.errors import InputError

Element = Any
"""An element of lxml, which is imported only when HTML is read."""

HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
BLOCKS = HEADINGS | {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "li",
    "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
}  # fmt: skip
CELLS = frozenset(["td", "th"])
PAGE = re.compile(
    r"(?>[\s\ufeff]++|<\?[^>]*+>|<!--.*?-->)*+<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE | re.DOTALL
)
"""Beginning of an HTML page, behind a byte-order mark, white space, comments and declarations."""

_TAG = re.compile(r"""<[a-zA-Z](?>[^=>]++|=\s*+(?>"[^"]*+"?+|'[^']*+'?+)?+)*+""")
_ATTRIBUTE = re.compile(r"""[^\s/=]++(?:\s*+=\s*+(?>"[^"]*+"?+|'[^']*+'?+|\S*+))?+""")
_MOST_ATTRIBUTES = 250
"""Maximum number of attributes of a tag; libxml2 compares each of them with all others."""
_ANY_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*+)(?:[\s/][^<>]*+)?>")
_END_OF_PAGE = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
"""Ends that browsers ignore: what stands behind them belongs to the page, and libxml2 would drop it."""
_LEVEL = HEADINGS | {"body", "br", "head", "html", "meta", "p", "script", "style", "title"}
"""Elements that do not nest in themselves, or hold no text."""


def parse(text: str, name: str) -> Element:
    """Return the root of a page.

    Raises:
        InputError: If it cannot be read as HTML; `name` is its name, for the message.
    """
    from lxml import etree

    try:
        text = _END_OF_PAGE.sub("", text)
        page, whole = _parsed(_few_attributes(text))
        if not whole:
            page, whole = _parsed(_level(text))
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"{name} cannot be read as HTML: {error}.") from error
    if not whole:
        raise InputError(f"{name} cannot be read as HTML: its tags are nested too deeply.")
    return page


def declared_language(page: Element) -> str:
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
        return tag[0] if name in _LEVEL else "<p>" if name in BLOCKS or name in CELLS else ""

    return _ANY_TAG.sub(levelled, text)


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

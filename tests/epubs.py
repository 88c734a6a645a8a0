"""Books in EPUB, made of their chapters."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tale</title></head><body>{}</body></html>'


def book_of(
    chapters: Sequence[str], order: Sequence[int] | None = None, others: Mapping[str, str | bytes] | None = None
) -> bytes:
    """A book; `order` is the reading order of its chapters, `others` are further parts, or other contents of parts."""
    numbers = range(len(chapters)) if order is None else order
    items = "".join(
        f'<item id="c{number}" href="text/part%20{number}.xhtml" media-type="application/xhtml+xml"/>'
        for number in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in numbers)
    parts: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": (
            '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
            f'<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{items}</manifest>'
            f'<spine><itemref idref="nav"/>{spine}</spine></package>'
        ),
        "OEBPS/nav.xhtml": PAGE.format("<p>The table of contents is not read.</p>"),
        **{f"OEBPS/text/part {number}.xhtml": PAGE.format(chapter) for number, chapter in enumerate(chapters)},
        **(others or {}),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()

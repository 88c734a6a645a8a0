"""ScisummNet (Yasunaga et al. 2019): papers of the ACL Anthology with summaries by experts.

The experts also considered how later papers cite them. Split 25/10/65 as MLS splits its sets; it replaces the paper's
essays (`thinking_machines`).

Reads the release, `NAME/Documents_xml/NAME.xml` with `NAME/summary/NAME.gold.txt`, or JSON lines with `sections` and
`summary`. The title, which opens some of the summaries, is removed from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from nutgraf.datasets import Row
from nutgraf.datasets._low_resource import LowResource
from nutgraf.errors import InputError
from nutgraf.runtime.lines import Entry, whole_text
from nutgraf.text.tokenize import words


class Scisummnet(LowResource):
    """A paper by section, and one reference."""

    def reads(self, path: Path) -> bool:
        """Return True if a file holds papers, judging by its name."""
        if path.suffix == ".xml":
            return path.parent.name == "Documents_xml"
        return super().reads(path) and not path.name.startswith("citing_sentences")

    def entries(self, path: Path) -> Iterator[Row]:
        """Yield one row per paper; see `LowResource`."""
        if path.suffix == ".xml":
            yield Row(path, 1, _paper(path), "paper")
        else:
            yield from super().entries(path)


def _paper(path: Path) -> Entry:
    """A paper of the release: <S> elements are sentences, in ABSTRACT and in SECTIONs with titles."""
    try:
        paper = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise InputError(f"{path} is not valid XML: {error}.") from error
    title = " ".join(_sentences(paper, "./S"))
    parts = [("Abstract", part) for part in paper.iter("ABSTRACT")]
    parts += [(str(part.get("title", "")), part) for part in paper.iter("SECTION")]
    sections = [{"name": name, "text": " ".join(_sentences(part, ".//S"))} for name, part in parts]
    gold = whole_text(path.parent.parent / "summary" / f"{path.stem}.gold.txt").strip().split("\n")
    summary = [line.strip() for line in gold if line.strip()]
    if summary and words(summary[0]) == words(title):
        del summary[0]
    return {"id": path.stem, "sections": sections, "summary": " ".join(summary), "headline": title}


def _sentences(element: ElementTree.Element, place: str) -> list[str]:
    found = ("".join(sentence.itertext()).strip() for sentence in element.findall(place))
    return [text for text in found if text]

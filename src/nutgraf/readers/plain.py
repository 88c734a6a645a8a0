"""Plain text; quoted lines of e-mail lose their marks ">", which belong to the mail, and not to what is quoted.

Each mark becomes a blank, so that all other characters keep their places in the file. Where a quotation begins, goes
deeper or ends without a blank line, a mark or a line end is taken for the missing one. Marks stay in running text and
in code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from nutgraf.readers._decode import TextReader, decode
from nutgraf.readers._mrkdwn import has_marks, written_out
from nutgraf.readers._thread import pasted
from nutgraf.text.document import Document

FEWEST_LINES = 2
"""Number of lines in a row that are quoted wherever they stand; a single one stands between blank lines or follows a
colon."""

_MARKS = re.compile(r"[^\S\n]?>(?:[^\S\n]?>)*(?!=)")
_ENDED = re.compile(r"\w[.?!…]['\"”’)]*(?:\s|$)|[。！？]")
_PROMPT = re.compile(r">>>\s")


class Plain(TextReader):
    """One Document; only line ends of other systems, NULs and the marks of quoted mail and of Slack are changed."""

    suffixes = (".txt", ".text")
    signs = ((re.compile(""), 0.4),)
    confidence = 0.7

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        decoded = decode(data, name)
        text = written_out(decoded.text) if has_marks(decoded.text) else decoded.text
        mail = pasted(text, name, language, decoded.notices)
        if mail is not None:
            return [mail]
        return [Document.of(unquoted(text), name, language=language, notices=decoded.notices)]


def unquoted(text: str) -> str:
    r"""Return a text of the same length in which the marks of quoted lines are blank.

    Nothing is changed unless a sentence ends in a quoted line: prompts and the like are no quotations.
    """
    if ">" not in text:
        return text
    lines = text.split("\n")
    depths = _depths(lines)
    if not any(depth and _ENDED.search(line) for depth, line in zip(depths, lines, strict=True)):
        return text
    return "".join(_blanked(lines, depths))


def _depths(lines: Sequence[str]) -> list[int]:
    """Number of marks before each line; 0 for one that is not quoted."""
    depths = [found.group().count(">") if (found := _MARKS.match(line)) else 0 for line in lines]
    for quoted, run in groupby(range(len(lines)), key=lambda index: depths[index] > 0):
        places = list(run)
        if quoted and not _is_quotation(lines, places):
            for index in places:
                depths[index] = 0
    return depths


def _is_quotation(lines: Sequence[str], places: Sequence[int]) -> bool:
    """Return True if lines with marks are long enough or stand apart, and are not input of an interpreter."""
    first, last = places[0], places[-1]
    if all(_PROMPT.match(lines[index]) for index in places):
        return False
    before = lines[first - 1].rstrip() if first else ""
    after = lines[last + 1].strip() if last + 1 < len(lines) else ""
    return len(places) >= FEWEST_LINES or ((not before or before.endswith(":")) and not after)


def _blanked(lines: Sequence[str], depths: Sequence[int]) -> Iterator[str]:
    """Yield the lines with their ends; a form feed or a line end in place of a mark parts what is quoted otherwise."""
    for index, (line, depth) in enumerate(zip(lines, depths, strict=True)):
        before = depths[index - 1] if index else depth
        if index:
            yield "\f" if before and not depth and line.strip() else "\n"
        end = found.end() if depth and (found := _MARKS.match(line)) else 0
        marks = line[:end].replace(">", "\n" if depth != before else " ", 1).replace(">", " ")
        yield marks + line[end:]

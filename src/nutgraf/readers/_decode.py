"""Formats that are text: how they are recognized and decoded.

UTF-8 comes first, then the encoding that the file declares, then a guess that is reported to the user.
"""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from typing import ClassVar

from nutgraf.errors import InputError
from nutgraf.readers import Reader
from nutgraf.readers._blocks import LIMIT, too_long
from nutgraf.text.clean import clean, without_sequences

SAMPLE = 1 << 16
"""Number of bytes from which the format is recognized."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes([*range(9), *range(14, 27), *range(28, 32)])
_WESTERN_MARKS = frozenset("€‘’“”‚„–—…•°£§©®™«»¡¿·´ªº½¼¾²³±×†‰\xa0\xad")


class TextReader(Reader):
    """Reads a format that is text; it never recognizes a binary file."""

    signs: ClassVar[tuple[tuple[re.Pattern[str], float], ...]] = ()
    """Patterns of the beginning of a text in this format, each with the confidence that it gives."""

    confidence: ClassVar[float] = 0.85
    """Confidence that a text is in this format if its name has one of the suffixes."""

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize the format by the beginning of a text, or by the suffix; see `Reader`."""
        if is_binary(data):
            return 0.0
        head = sample(data)
        named = self.confidence if suffix in self.suffixes else 0.0
        return max([named, *(sure for pattern, sure in self.signs if pattern.match(head))])


@dataclass(frozen=True)
class Decoded:
    """Decoded text.

    Attributes:
        text: The text.
        notices: Remarks about its bytes.
        cut: True if the text goes on after `LIMIT`.
    """

    text: str
    notices: tuple[str, ...] = ()
    cut: bool = False


def decode(data: bytes, name: str, declared: str = "") -> Decoded:
    r"""Decode `data`, at most `LIMIT` characters, with \n as the only line end."""
    if is_binary(data):
        raise InputError(f"{name} is a binary file, not a text.")
    encoding = _marked(data) or "utf-8"
    try:
        return _finish(_characters(data, encoding), name)
    except UnicodeDecodeError:
        return _finish(*_repair(data, encoding, name, declared))


def sample(data: bytes) -> str:
    """Beginning of a text, from which its format is recognized; undecodable bytes are replaced."""
    encoding = _marked(data) or "utf-8"
    return codecs.getincrementaldecoder(encoding)("replace").decode(data[:SAMPLE]).lstrip()


def is_binary(data: bytes) -> bool:
    """Return True if bytes have more control characters than a damaged text would have."""
    if _marked(data):
        return False
    head = data[:SAMPLE]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
        return controls > 0.3 * len(head)
    except UnicodeDecodeError:
        return controls > 0.02 * len(head)


def _marked(data: bytes) -> str:
    """Encoding indicated by a byte-order mark, or by NULs in every second byte (UTF-16 without a mark), or ""."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    head = data[:SAMPLE]
    pairs = len(head) // 2
    for encoding, high, low in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
        if pairs and high.count(0) > 0.4 * pairs and low.count(0) < 0.1 * pairs:
            return encoding
    return ""


def _characters(data: bytes, encoding: str, errors: str = "strict") -> str:
    return io.TextIOWrapper(io.BytesIO(data), encoding, errors).read(LIMIT + 1)


def _repair(data: bytes, encoding: str, name: str, declared: str) -> tuple[str, str, str]:
    """Text, name and notice for bytes that are not valid in their encoding."""
    if encoding == "utf-8" and declared.lower() not in ("", "utf-8", "utf8"):
        try:
            text = _characters(data, declared, "replace")
            return text, name, _replaced(name, text.count("\ufffd"), declared)
        except (LookupError, UnicodeError):
            pass  # a page may declare what is no encoding
    text = _characters(data, encoding, "replace")
    bad = text.count("\ufffd")
    good = len(text) - len(text.encode("ascii", "ignore")) - bad
    if encoding != "utf-8" or good >= bad:
        return text, name, _replaced(name, bad, encoding)
    guessed = _guess(data)
    if not guessed:
        raise InputError(
            f"{name} is not UTF-8, and its encoding could not be recognized; convert it first "
            "(iconv -f ENCODING -t UTF-8)."
        )
    notice = f"{name} is not UTF-8; it was read as {guessed} by the look of its bytes."
    return _characters(data, guessed, "replace"), name, notice


def _guess(data: bytes) -> str:
    """Most likely encoding, "" if there is none; Windows-1252 if that gives a Western text."""
    from charset_normalizer import from_bytes

    odd = re.search(rb"[\x80-\xff]", data)
    first = odd.start() if odd else 0
    head = data[max(0, first - SAMPLE // 2) : first + SAMPLE // 2]
    if _reads_western(head):
        return "Windows-1252"
    best = from_bytes(head, cp_exclusion=["utf_16", "utf_16_le", "utf_16_be", "utf_32", "utf_7"]).best()
    return best.encoding if best else ""


def _reads_western(data: bytes) -> bool:
    """Return True if the bytes look like Windows-1252: few accents, and typographic punctuation between words."""
    text = data.decode("cp1252", "replace")
    odd = [index for index, letter in enumerate(text) if letter > "\x7f"]
    letters = sum(letter.isalpha() for letter in text)
    accented = sum(text[index].isalpha() for index in odd)
    return accented <= max(3, 0.05 * letters) and all(
        text[index].isalpha() or (text[index] in _WESTERN_MARKS and not _inside_word(text, index)) for index in odd
    )


def _inside_word(text: str, index: int) -> bool:
    around = text[max(0, index - 1) : index] + text[index + 1 : index + 2]
    return text[index] not in "’·\xad–—" and len(around) == 2 and around.isalpha()


def _replaced(name: str, count: int, encoding: str) -> str:
    if not count:
        return ""
    return f"{name}: {count} {'bytes' if count > 1 else 'byte'} that {encoding.upper()} does not have became U+FFFD."


def _finish(text: str, name: str, notice: str = "") -> Decoded:
    notices = [notice] if notice else []
    cut = len(text) > LIMIT
    if cut:
        text = text[:LIMIT]
        notices.append(too_long(name))
    if nuls := text.count("\0"):
        notices.append(f"{name}: {nuls} NUL character{'s' if nuls > 1 else ''} left out.")
    text, sequences = without_sequences(text)
    if sequences:
        notices.append(
            f"{name}: {sequences} terminal sequence{'s' if sequences > 1 else ''} left out (colours, titles)."
        )
    return Decoded(clean(text), tuple(notices), cut)

"""JSON lines and other text files, compressed or not, read lazily."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import json
import lzma
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePath
from typing import IO, Any, BinaryIO, NamedTuple, cast

from nutgraf.errors import InputError
from nutgraf.runtime.metadata import json_reason

Entry = dict[str, Any]
"""A JSON object."""

_OPENERS: dict[str, tuple[bytes, Callable[..., IO[Any]]]] = {
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\x00", lzma.open),
}
PACKINGS = tuple(_OPENERS)
"""Suffixes of compressed files."""

LONGEST_LINE = 1 << 26
"""Maximum number of characters in a line."""

MOST_WHOLE = 1 << 28
"""Maximum number of characters in a file that is read as a whole."""

_FIRST_LINES = 100_000

_BLOCK, _BLOCKS = 1 << 16, 64
"""Size in bytes, and number, of the blocks of a file in which lines are counted."""

_KINDS: Mapping[type, str] = {
    type(None): "null",
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "text",
    bytes: "bytes",
    list: "a list",
    dict: "an object",
}

UNPACKING_ERRORS = (OSError, EOFError, lzma.LZMAError, zlib.error)
"""Errors that a damaged compressed file raises."""


def suffix_of(name: str) -> str:
    """Return the suffix of a file's name in lower case, without that of its compression; "" if there is none."""
    suffixes = [one.lower() for one in PurePath(name).suffixes]
    while suffixes and suffixes[-1] in PACKINGS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def unpacked(file: io.BufferedReader) -> BinaryIO:
    """Return the file, or its decompressed content if its first bytes are those of a compressed file."""
    head = file.peek(6)
    for magic, opener in _OPENERS.values():
        if head.startswith(magic):
            return cast(BinaryIO, opener(file))
    return cast(BinaryIO, file)


class Line(NamedTuple):
    """A line of a text file.

    Attributes:
        number: Its number, from 1.
        text: Its text without the line end. Bytes that are no UTF-8 are lone surrogates (`surrogateescape`), and a line
            longer than `LONGEST_LINE` is cut.
        problem: The error of a line that cannot be read so.
    """

    number: int
    text: str
    problem: InputError | None


def text_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 text file, compressed or not, with their numbers from 1 and without line ends.

    Raises:
        InputError: If the file does not exist, is damaged, is not UTF-8, or has a line longer than `LONGEST_LINE`.
    """
    for line in numbered_lines(path):
        if line.problem is not None:
            raise line.problem
        yield line.number, line.text


def numbered_lines(path: str | Path) -> Iterator[Line]:
    """Yield the lines of a text file, compressed or not; one that cannot be read says so, and those after it follow.

    Raises:
        InputError: If the file does not exist or is damaged.
    """
    try:
        with Path(path).open("rb") as file, unpacked(file) as content:
            text = io.TextIOWrapper(content, "utf-8-sig", "surrogateescape")
            for number, line in enumerate(iter(lambda: text.readline(LONGEST_LINE + 1), ""), start=1):
                yield Line(number, line.rstrip("\n"), _problem(line, f"{path}, line {number}"))
                while len(line) > LONGEST_LINE and not line.endswith("\n"):
                    line = text.readline(LONGEST_LINE + 1)
    except FileNotFoundError:
        raise InputError(f"There is no file {str(path)!r}.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; name a file in it.") from None
    except UNPACKING_ERRORS as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    except MemoryError as error:
        raise InputError(f"{path} cannot be read: unpacking it needs more memory than there is.") from error


def _problem(line: str, where: str) -> InputError | None:
    """Return the error of a line that cannot be read."""
    if len(line) > LONGEST_LINE:
        return InputError(
            f"{where}: this line has more than {LONGEST_LINE:,} characters; name a file of shorter lines."
        )
    if not line.isascii():
        try:
            line.encode()
        except UnicodeEncodeError:
            return InputError(f"{where}: this line is not UTF-8 text. Convert the file, or name another one.")
    return None


def estimated_lines(path: str | Path) -> float:
    """Return about how many lines a file has, by blocks that are spread over it, or its beginning if it is compressed.

    Lines after a place where the file is damaged do not count.
    """
    found, read, size = 0, 1, 0
    with suppress(*UNPACKING_ERRORS), Path(path).open("rb") as file, unpacked(file) as content:
        size = Path(path).stat().st_size
        if content is file and size > _BLOCKS * _BLOCK:
            starts = ((2 * number + 1) * (size - _BLOCK) // (2 * _BLOCKS) for number in range(_BLOCKS))
            for start in starts:
                file.seek(start)
                found += file.read(_BLOCK).count(b"\n")
            return found * size / (_BLOCKS * _BLOCK)
        while file.tell() < _BLOCKS * _BLOCK and (block := content.read(_BLOCK)):
            found, read = found + block.count(b"\n"), file.tell()
    return found * size / read


def first_line(path: str | Path) -> str:
    """Return the first non-blank line, stripped; "" if there is none near the beginning."""
    lines = itertools.islice(text_lines(path), _FIRST_LINES)
    return next((line.strip() for _, line in lines if line.strip()), "")


def whole_text(path: str | Path) -> str:
    """Return the lines of a file as one text.

    Raises:
        InputError: If the text has more than `MOST_WHOLE` characters.
    """
    lines, size = [], 0
    for _, line in text_lines(path):
        lines.append(line)
        size += len(line) + 1
        if size > MOST_WHOLE:
            raise InputError(f"{path} has more than {MOST_WHOLE:,} characters; split it, or write it as JSON lines.")
    return "\n".join(lines)


def read_lines(path: str | Path) -> Iterator[tuple[int, Entry]]:
    """Yield the objects of a JSON lines file, compressed or not, with their line numbers; blank lines are skipped.

    Raises:
        InputError: If a line is not a JSON object; the message names the line.
    """
    return parse_lines(text_lines(path), str(path))


def parse_lines(lines: Iterable[tuple[int, str]], name: str) -> Iterator[tuple[int, Entry]]:
    """Yield the objects of numbered lines; `name` is the name of their file, for messages."""
    for number, line in lines:
        if line.strip():
            yield number, parse_object(line, f"{name}, line {number}")


def loads(text: str) -> Any:
    """Parse JSON text; see `json.loads`. Of two values under one key it would take the last without a word.

    Raises:
        ValueError: If the text is not JSON, or an object has a key twice.
        RecursionError: If it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_of_pairs)


def _of_pairs(pairs: list[tuple[str, Any]]) -> Entry:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"an object in it has the key {twice!r} twice")
    return entry


def parse_object(line: str, where: str) -> Entry:
    """Parse one JSON object.

    Raises:
        InputError: If the text is anything else; the message contains `where`.
    """
    try:
        entry = loads(line)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{where}: this is not valid JSON ({error.msg.removesuffix(' at')} at character {error.pos + 1})."
        ) from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{where}: this is JSON that cannot be read: {json_reason(error)}.") from error
    if not isinstance(entry, dict):
        raise InputError(f'{where}: one object a line is needed, as in {{"text": "…"}}, not {kind_of(entry)}.')
    return entry


def kind_of(value: object) -> str:
    """Name the type of a value of JSON or of a table, for messages."""
    return _KINDS.get(type(value), f"a value of the type {type(value).__name__}")

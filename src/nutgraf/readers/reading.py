"""Finds the reader of a file by its first bytes. Files are decompressed and read up to a limit.

`as_document` makes one Document of whatever a system is given: texts, files and Documents, one or several.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import replace
from fnmatch import fnmatch
from functools import cache
from glob import has_magic
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, cast

from nutgraf.errors import InputError, NutgrafError, check_type, items_of, type_name
from nutgraf.readers import Reader, is_address, read_text, readers
from nutgraf.readers._blocks import LIMIT, too_long
from nutgraf.readers._refused import OLE, refused_as
from nutgraf.runtime.files import LONGEST_NAME, names_file
from nutgraf.runtime.lines import UNPACKING_ERRORS, suffix_of, unpacked
from nutgraf.text.clean import visible
from nutgraf.text.document import Document, distinct, join
from nutgraf.text.language import check_code

Input = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[str] | IO[bytes] | Document
"""A text or an HTML page, the path or the content of a file, an open file, or a document."""

STANDARD_INPUT = "-"

MARKDOWN, PLAIN = "markdown", "plain"
"""Readers of Markdown, and of texts as they are written."""

MOST_FILES = 100_000
"""Maximum number of files in a folder or of a pattern."""

MOST_NAMED = 5
"""Maximum number of files that notices name."""

MOST_TEXT = 4 * LIMIT
"""Maximum size of a text in bytes; a character of UTF-8 has at most four."""

MOST_BYTES = 1 << 28
"""Maximum size in bytes of a file that must be read as a whole (PDF, DOCX, EPUB, PPTX, MSG)."""

_WHOLE = (b"%PDF-", b"PK\x03\x04", OLE)


def read(
    path: str | Path, language: str | None = None, kind: str | None = None, *, fetch: bool = False, marked: bool = False
) -> list[Document]:
    """Read the Documents of a file, of all files in a folder, or of all that match a pattern such as "notes/*.md".

    What of a folder or pattern cannot be read is left out, and a notice of the first Document names it.

    Args:
        path: The file, folder or pattern; "-" is standard input.
        language: ISO 639-1 code; None recognizes it.
        kind: Name of the reader; None finds it.
        fetch: Read an address that begins with http:// or https://, over the network.
        marked: Leave Markdown as it is written, with its marks, if no reader is named: a summary that is checked.

    Raises:
        InputError: If the file, or every file of the folder or pattern, cannot be read or holds no text.
        UnknownName: If there is no reader `kind`.
    """
    check_type(path, (str, os.PathLike), "What is read is named by a str or a Path")
    path = path if isinstance(path, str) else Path(os.fsdecode(path))
    check_type(fetch, bool, "fetch is True or False")
    check_type(marked, bool, "marked is True or False")
    if language is not None:
        check_code(language)
    if is_address(str(path)) and not fetch:
        raise InputError(
            f"{path} is a web address, and nothing is fetched unless you ask: use --fetch, or in Python "
            "nutgraf.read(address, fetch=True)."
        )
    files = files_of(path, kind)
    if files == [str(path)]:
        return _read_file(files[0], language, kind, marked)
    return _read_most(files, language, kind, marked)


def _read_most(files: list[str], language: str | None, kind: str | None, marked: bool) -> list[Document]:
    """Read those files that can be read; notices of the first Document name the others."""
    documents: list[Document] = []
    wrong: list[str] = []
    for file in files:
        try:
            documents.extend(_read_file(file, language, kind, marked))
        except InputError as error:
            wrong.append(str(error))
    if not documents:
        several = f"None of the {len(files):,} files can be read. The first of them: " if len(files) > 1 else ""
        raise InputError(several + wrong[0])
    left_out = [f"A file is left out: {error}" for error in wrong[:MOST_NAMED]]
    if len(wrong) > MOST_NAMED:
        left_out.append(f"{len(wrong) - MOST_NAMED:,} other files are left out, too.")
    documents[0] = replace(documents[0], notices=(*left_out, *documents[0].notices))
    return documents


def files_of(path: str | Path, kind: str | None = None) -> list[str]:
    """Return the files that a path stands for, in alphabetical order.

    A file is itself, and so is standard input. A folder stands for the files in it and below whose suffix is that of a
    reader, or of the reader `kind`; names that begin with a dot are left out, and links to folders are not followed. A
    pattern with *, ? or [ ], ** standing for any folders, stands for the files that match.

    Args:
        path: The file, folder or pattern.
        kind: Name of the reader whose files a folder stands for; None takes those of all readers that ship.

    Raises:
        InputError: If there are none, or too many.
        UnknownName: If there is no reader `kind`.
    """
    place = str(path)
    if not place:
        raise InputError("The name of a file is empty; name a file, or - for standard input.")
    if kind is not None:
        readers.make(kind)  # refused before any file is read
    if place == STANDARD_INPUT or is_address(place):
        return [place]
    try:
        if Path(place).is_dir():
            suffixes = suffixes_of(kind)
            known = ", ".join(suffixes)
            return _found(_below(place, suffixes), f"{place} is a folder without a file that can be read ({known}).")
        if has_magic(place) and not Path(place).exists():
            return _found(_matching(Path(place)), f"No file matches {place!r}.")
    except (OSError, ValueError):
        pass  # reading it will say what is wrong
    return [place]


def stands_for(path: str, file: str, kind: str | None = None) -> bool:
    """Return True if a folder or a pattern stands for a file, or would if the file were there; see `files_of`."""
    try:
        real, named = Path(os.path.realpath(file)), os.path.realpath(path)
        if Path(path).is_dir():
            inside = real.relative_to(named).parts if real.is_relative_to(named) else (".",)
            return not any(one.startswith(".") for one in inside) and suffix_of(real.name) in suffixes_of(kind)
        if is_address(path) or not has_magic(path) or Path(path).exists():
            return False
    except (OSError, ValueError):
        return False
    return real.match(named) or ("**" in named and fnmatch(str(real), named.replace("**/", "*")))


def suffixes_of(kind: str | None) -> list[str]:
    """Return the suffixes of the files that a folder stands for, by the name of their reader; None for all readers."""
    kinds = readers.names() if kind is None else [kind]
    return sorted({suffix for one in kinds for suffix in readers.make(one).suffixes})


def _found(files: Iterator[str], otherwise: str) -> list[str]:
    found = sorted(islice(files, MOST_FILES + 1))
    if not found:
        raise InputError(otherwise)
    if len(found) > MOST_FILES:
        raise InputError(f"That is more than {MOST_FILES:,} files; name fewer of them.")
    return found


def _below(folder: str, suffixes: Collection[str]) -> Iterator[str]:
    """Files in a folder and below it that have one of the suffixes."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        named = (Path(place, name) for name in files if name[0] != "." and suffix_of(name) in suffixes)
        yield from (str(file) for file in named if file.is_file())


def _matching(pattern: Path) -> Iterator[str]:
    """Files that match a pattern."""
    found = Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor)))
    return (str(file) for file in found if not file.name.startswith(".") and file.is_file())


@cache
def _all() -> tuple[Reader, ...]:
    """All readers, made once: a folder may have thousands of files."""
    return tuple(readers.make(kind) for kind in readers.names())


def _read_file(path: str, language: str | None, kind: str | None, marked: bool) -> list[Document]:
    name = "standard input" if str(path) == STANDARD_INPUT else str(path)
    data, cut = _bytes(path, name)
    return read_data(data, name, language, kind, cut, marked)


def read_data(
    data: bytes,
    name: str,
    language: str | None = None,
    kind: str | None = None,
    cut: bool = False,
    marked: bool = False,
) -> list[Document]:
    """Return the documents in the content of a file.

    Args:
        data: The content.
        name: Name of the file, for the documents and for messages.
        language: ISO 639-1 code, if it is known.
        kind: The reader to take; found by content if None.
        cut: The content is the beginning of a longer file.
        marked: Leave Markdown as it is written, if no reader is named.

    Raises:
        InputError: If it cannot be read or holds no text.
        UnknownName: If there is no such reader.
    """
    if not data.strip():
        raise InputError(f"{name} is empty; there is nothing to read.")
    documents = _read(data, name, language, kind, marked)
    if not any(document.sentences for document in documents):
        raise InputError(f"{name} holds no text; there is nothing to read.")
    if cut and not any(too_long(name) in document.notices for document in documents):
        documents[0] = replace(documents[0], notices=(*documents[0].notices, too_long(name)))
    return documents


def _read(data: bytes, name: str, language: str | None, kind: str | None, marked: bool) -> list[Document]:
    """Read with the right reader; whatever exception it raises is an error of this file, so that other files go on."""
    try:
        reader = readers.make(kind) if kind else find(data, name)
        if marked and not kind and isinstance(reader, readers.find(MARKDOWN)):
            reader = readers.make(PLAIN)
        return reader.read(data, name, language)
    except NutgrafError:
        raise
    except MemoryError as error:
        raise InputError(f"{name} cannot be read: it needs more memory than there is.") from error
    except RecursionError as error:
        raise InputError(f"{name} cannot be read: it is nested too deeply.") from error
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(
            f"{name} cannot be read, because its reader failed unexpectedly ({reason}); "
            "save the file in another format, and please report this."
        ) from error


def read_page(address: str, language: str | None = None) -> list[Document]:
    """Return the documents at an address that a stranger named: of the internet, and of no network behind it.

    Args:
        address: It begins with http:// or https://.
        language: ISO 639-1 code; None recognizes it.

    Raises:
        InputError: If it cannot be fetched, is at no public address, or holds no text.
    """
    from nutgraf.readers._fetch import fetch

    return read_data(fetch(address, public=True), visible(address), language)


def find(data: bytes, name: str) -> Reader:
    """Return the reader with the highest confidence."""
    suffix = suffix_of(name)
    sure, surest = max(((reader.recognizes(data, suffix), reader) for reader in _all()), key=itemgetter(0))
    if sure < 0.9 and (refused := refused_as(data, suffix)):
        raise InputError(f"{name} is {refused}.")
    if sure <= 0:
        raise InputError(f"{name} is a binary file of a kind that is not known here; give it as text, PDF or DOCX.")
    return surest


def _bytes(path: str | Path, name: str) -> tuple[bytes, bool]:
    """Return the decompressed content of a file, and True if it was truncated."""
    if str(path) == STANDARD_INPUT:
        return _take(cast(io.BufferedReader, sys.stdin.buffer), name)
    if is_address(str(path)):
        from nutgraf.readers._fetch import fetch  # HTTP takes longer to import than a short text to summarize

        return fetch(str(path)), False
    try:
        with Path(path).open("rb") as file:
            return _take(file, name)
    except FileNotFoundError:
        raise InputError(f"There is no file {name!r}. (To pass text itself, pipe it and name the file -.)") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder; name the files in it.") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def _take(file: io.BufferedReader, name: str) -> tuple[bytes, bool]:
    try:
        content = unpacked(file)
        data = content.read(MOST_TEXT)
        whole = data.startswith(_WHOLE)
        more = content.read(MOST_BYTES if whole else 1)
    except UNPACKING_ERRORS as error:
        raise InputError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    except MemoryError as error:
        raise InputError(f"{name} cannot be read: unpacking it needs more memory than there is.") from error
    if len(more) == MOST_BYTES:
        raise InputError(f"{name} is larger than {MOST_BYTES >> 20} MB; split it.")
    if whole or not more:
        return data + more if more else data, False
    end = data.rfind(b"\n", len(data) * 3 // 4)
    return (data[: end + 1] if end >= 0 else data), True


def as_document(documents: Input | Iterable[Input], language: str | None = None) -> Document:
    """Return one document with a part for each input; inputs of the same text are one.

    Raises:
        InputError: If a file cannot be read, or something is neither a text nor a file.
    """
    several = inputs_of(documents)
    items = [documents] if several is None else several
    return join(distinct([document for item in items for document in _documents(item, language)]))


def inputs_of(documents: object) -> Iterable[Any] | None:
    """Return the inputs where several are given in an order, as a list or what passes for one; None otherwise."""
    from nutgraf.text.summary import Summary  # which loads NumPy; to read a file needs none

    alone = isinstance(documents, Set | Summary) or _is_open(documents)
    return None if alone else items_of(documents)


def _is_open(item: object) -> bool:
    """Return True for an open file, or whatever passes for one."""
    return callable(getattr(item, "read", None))


def _documents(item: Any, language: str | None) -> list[Document]:
    if isinstance(item, Document):
        return [item]
    if isinstance(item, str):
        return [_text(item, language)]
    if isinstance(item, os.PathLike):
        return read(Path(os.fsdecode(item)), language)
    if isinstance(item, bytes | bytearray | memoryview):
        return read_data(bytes(item), "the input", language)
    if not _is_open(item):
        raise InputError(
            "A document is a text (str), a Path, bytes, an open file or a Document, or a list of these, not "
            f"{type_name(item)}."
        )
    name = str(getattr(item, "name", "the input"))
    content = _content(item, name)
    if isinstance(content, str):
        return [Document.of(content, name=name, language=language)]
    return read_data(content, name, language)


def _content(file: Any, name: str) -> str | bytes:
    """Read an open file, or whatever passes for one."""
    try:
        content = file.read()
    except Exception as error:
        raise InputError(f"{name} cannot be read: {type(error).__name__}: {str(error).removesuffix('.')}.") from error
    if not isinstance(content, str | bytes):
        raise InputError(f"{name} cannot be read: reading it gives {type_name(content)}, neither str nor bytes.")
    return content


def _text(text: str, language: str | None) -> Document:
    if names_file(text):
        raise InputError(f"{text!r} is the name of a file, and a str is a text: pass Path({text!r}) to read the file.")
    if len(text.split(None, 1)) == 1 and is_address(text.strip()):
        shown = text.strip()[:LONGEST_NAME]
        raise InputError(
            f"{shown!r} is a web address, and a str is a text: pass nutgraf.read({shown!r}, fetch=True) to read it."
        )
    return read_text(text, language=language)

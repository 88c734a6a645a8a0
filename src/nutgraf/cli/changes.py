"""`nutgraf changes`: what changed between two versions of a document."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Fetch, Language, Output, Reader
from nutgraf.cli._say import check_output, notice, put, put_json, reading, working
from nutgraf.errors import InputError

if TYPE_CHECKING:
    from nutgraf.text.document import Document


class Form(StrEnum):
    """Layouts of changes."""

    text = "text"
    markdown = "markdown"


def changes(
    old: Annotated[str, typer.Argument(help="The old version; - is standard input.", show_default=False)],
    new: Annotated[str, typer.Argument(help="The new version.", show_default=False)],
    language: Language = None,
    reader: Reader = None,
    fetch: Fetch = False,
    format_: Annotated[Form, typer.Option("--format", help="Layout.")] = Form.text,
    json_: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    output: Output = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Show what changed between two versions of a document, sentence by sentence.

    Example: nutgraf changes examples/statutes-old.md examples/statutes-new.md

    Sentences are added, dropped, moved, or changed in a number, a date or their wording; of changed ones, what was
    removed is marked as [-words-] and what was added as {+words+}. They stand in the order of the new version, below
    the section to which they belong. Line breaks and layout do not count, so a PDF can be compared with a DOCX file.
    """
    from nutgraf.collation.changes import changes as compare
    from nutgraf.text.language import check_code

    if json_ and format_ != Form.text:
        raise InputError(f"--json has the changes as data, in no format; leave out --format {format_} or --json.")
    language = None if language is None else check_code(language)
    check_output(output, [old, new])
    with reading([old, new], quiet):
        versions = [_version(file, language, reader, fetch) for file in (old, new)]
    with working("Comparing …", quiet):
        found = compare(*versions)
    notice(found.notices, quiet)
    if json_:
        put_json(found.to_json(), output)
        return
    from nutgraf.cli._changes import as_lines, as_markdown

    put(as_markdown(found) if format_ == Form.markdown else as_lines(found), output)


def _version(file: str, language: str | None, reader: str | None, fetch: bool) -> Document:
    """Read a version, all of whose documents are one."""
    from nutgraf.readers.reading import read
    from nutgraf.text.document import join

    return join(list(read(file, language, reader, fetch=fetch)))

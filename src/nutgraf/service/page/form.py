"""Form of the page: what stands in its fields, and the request that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from starlette.datastructures import FormData, UploadFile

from nutgraf.errors import InputError
from nutgraf.service.page.views import find_shows
from nutgraf.service.refusals import Refusal
from nutgraf.service.requests import DEFAULT_SYSTEM, File, FindRequest, Given, SummaryRequest, Text
from nutgraf.text.divisions import check_by
from nutgraf.text.highlights import parse
from nutgraf.text.request import Request
from nutgraf.text.summary import Budget

MOST_SHOWN = 1 << 20
"""Characters that a form is filled in with; a longer one is shown empty, since the page would be longer still."""

LONGEST_HEADLINE = 120
"""Characters of a first line that may be a headline."""

END_MARKS = (".", "!", "…", ":", ";", ",", "。", "！", "؟", "।")
"""Marks at the end of a line that is no headline."""


@dataclass(frozen=True)
class Form:
    """Fields of the form.

    Attributes:
        words: Maximum length in words, as it was typed; "" for the system's natural length.
        highlights: Phrases to see more of, as "phrase" or "phrase:weight".
        language: Code of the language; "" recognizes it.
        show: What is shown of the documents; a name of `views.SHOWS`.
        by: Parts that have sentences of their own, where parts are shown.
        depth: Deepest level of the parts, as it was typed; "" for all levels.
        edit: Leave out pieces of sentences.
        keep_all: Keep every sentence, also what is not prose.
        notice: A sentence about what does not stand in the form.
        refusals: Documents that cannot be read, by their numbers among the texts and, after these, the files.
    """

    texts: tuple[Text, ...] = ()
    files: tuple[File, ...] = ()
    system: str = DEFAULT_SYSTEM
    words: str = ""
    highlights: tuple[str, ...] = ()
    query: str = ""
    language: str = ""
    show: str = "summary"
    by: str = "section"
    depth: str = ""
    edit: bool = False
    keep_all: bool = False
    notice: str = ""
    refusals: tuple[Refusal, ...] = ()

    @classmethod
    async def of(cls, fields: FormData) -> Form:
        """Return the form of what a browser sent. Empty texts and files are left out."""
        lines = "\n".join(_strings(fields, "highlights")).splitlines()
        form = cls(
            texts=texts_of(fields),
            files=await files_of(fields),
            system=first(fields, "system") or DEFAULT_SYSTEM,
            words=first(fields, "words"),
            highlights=tuple(dict.fromkeys(line.strip() for line in lines if line.strip())),
            query=first(fields, "query"),
            language=first(fields, "language"),
            show=first(fields, "show") or "summary",
            by=first(fields, "by") or "section",
            depth=first(fields, "depth"),
            edit=bool(first(fields, "edit")),
            keep_all=bool(first(fields, "keep_all")),
        )
        toggled = first(fields, "toggle")
        return form.toggled(toggled) if toggled else form

    def request(self) -> SummaryRequest | FindRequest:
        """Return the request for what is to be shown.

        Raises:
            InputError: If there is no document, or a field cannot be read as what it is.
            BudgetError: If no summary can have this length.
        """
        if not self.texts and not self.files:
            raise InputError("There is nothing to summarize yet; paste a text or choose a file.")
        documents: tuple[Given, ...] = (*self.texts, *self.files)
        language = self.language or None
        if finds := find_shows(self.show).finds:
            return FindRequest(finds, documents, language=language, skip_unreadable=True)
        of_parts = self.show == "parts"
        return SummaryRequest(
            documents=documents,
            system=self.system,
            asked=Request(
                Budget(words=_number(self.words, "The length is a number of words, such as 120")),
                self.highlights,
                self.query,
                language,
                edit=self.edit,
                prose=not self.keep_all,
                by=check_by(self.by) if of_parts else None,
                depth=_number(self.depth, "The deepest level is a number, such as 2") if of_parts else None,
            ),
            skip_unreadable=True,
        )

    def toggled(self, phrase: str) -> Form:
        """Return the form with a phrase among its highlights if it was not, without it if it was."""
        others = tuple(one for one in self.highlights if _phrase(one) != phrase)
        return replace(self, highlights=others if len(others) < len(self.highlights) else (*others, f"{phrase}:1"))

    @property
    def titles(self) -> frozenset[str]:
        """Titles of the texts."""
        return frozenset(one.name for one in self.texts)

    @property
    def refused_files(self) -> list[tuple[File, str]]:
        """Files that cannot be read, and why."""
        whys = [(file, self.why(number)) for number, file in enumerate(self.files, len(self.texts))]
        return [(file, why) for file, why in whys if why]

    def why(self, document: int) -> str:
        """Return why a document cannot be read; "" if nothing is known against it."""
        return next((one.why for one in self.refusals if one.document == document), "")

    def read_as(self, texts: Sequence[Text], refusals: Sequence[Refusal]) -> Form:
        """Return the form with its documents as they were read, since a page cannot fill in files.

        Texts that were refused stay in the form as they are, after the others.
        """
        if not self.files:
            return replace(self, refusals=tuple(refusals))
        given = (*self.texts, *self.files)
        left = [given[one.document] for one in refusals]
        return replace(
            self,
            texts=(*texts, *(one for one in left if isinstance(one, Text))),
            files=tuple(one for one in left if isinstance(one, File)),
            refusals=tuple(replace(one, document=number) for number, one in enumerate(refusals, len(texts))),
        )

    def shown(self) -> Form:
        """Return the form as a page shows it: files by their names, and long texts not at all."""
        files = tuple(File(b"", one.name, one.content_type) for one in self.files)
        texts = [
            self.system,
            self.words,
            self.show,
            self.by,
            self.depth,
            self.query,
            self.language,
            *self.highlights,
            *(one.text for one in self.texts),
        ]
        if sum(map(len, texts)) <= MOST_SHOWN:
            return replace(self, files=files)
        names = tuple(Text("", one.name) for one in self.texts)
        return Form(
            texts=names,
            files=files,
            notice="The text is too long to stand in the form again; choose it as a file.",
            show=self.show,
            refusals=self.refusals,
        )


def _number(written: str, what: str) -> int | None:
    """Return a number as it was typed; None for "". Raises InputError if it is none."""
    if not written:
        return None
    try:
        return int(written)
    except ValueError:
        raise InputError(f"{what}, not {written[:40]!r}.") from None


def texts_of(fields: FormData) -> tuple[Text, ...]:
    """Return the texts that a browser sent, without those that are empty."""
    # Browsers end the lines of what was pasted with CR LF, which would shift every offset.
    pasted = [text.replace("\r\n", "\n") for text in _strings(fields, "text")]
    titled = zip(_strings(fields, "title"), pasted, strict=False)
    return tuple(Text(text, title or headline_of(text)) for title, text in titled if text.strip())


async def files_of(fields: FormData) -> tuple[File, ...]:
    """Return the files that a browser sent."""
    uploads = [one for one in fields.getlist("file") if isinstance(one, UploadFile) and one.filename]
    return tuple([File(await one.read(), one.filename or "", one.content_type or "") for one in uploads])


def headline_of(text: str) -> str:
    """Return the first line of a text that looks like its headline; "" if there is none.

    A headline is short, has no end mark, and stands above more.
    """
    line, _, rest = text.strip().partition("\n")
    line = line.strip().lstrip("#").strip()
    is_short = 0 < len(line) <= LONGEST_HEADLINE
    return line if is_short and rest.strip() and not line.endswith(END_MARKS) else ""


def _strings(fields: FormData, name: str) -> list[str]:
    return [one for one in fields.getlist(name) if isinstance(one, str)]


def first(fields: FormData, name: str) -> str:
    """Return the first text that was sent in a field, without white space around it; "" if there is none."""
    return next(iter(_strings(fields, name)), "").strip()


def _phrase(highlight: str) -> str:
    """The phrase of a highlight; one that cannot be read stands for itself."""
    try:
        return parse(highlight)[0]
    except InputError:
        return highlight

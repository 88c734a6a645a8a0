"""Form of the page: what stands in its fields, and the request that it makes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from starlette.datastructures import FormData, UploadFile

from nutgraf.errors import InputError
from nutgraf.service.requests import DEFAULT_SYSTEM, File, SummaryRequest, Text
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
        keep_all: Keep every sentence, also what is not prose.
        notice: A sentence about what does not stand in the form.
    """

    texts: tuple[Text, ...] = ()
    files: tuple[File, ...] = ()
    system: str = DEFAULT_SYSTEM
    words: str = ""
    highlights: tuple[str, ...] = ()
    query: str = ""
    language: str = ""
    keep_all: bool = False
    notice: str = ""

    @classmethod
    async def of(cls, fields: FormData) -> Form:
        """Return the form of what a browser sent. Empty texts and files are left out."""
        # Browsers end the lines of what was pasted with CR LF, which would shift every offset.
        pasted = [text.replace("\r\n", "\n") for text in _strings(fields, "text")]
        texts = zip(_strings(fields, "title"), pasted, strict=False)
        uploads = [one for one in fields.getlist("file") if isinstance(one, UploadFile) and one.filename]
        lines = "\n".join(_strings(fields, "highlights")).splitlines()
        form = cls(
            texts=tuple(Text(text, title or headline_of(text)) for title, text in texts if text.strip()),
            files=tuple([File(await one.read(), one.filename or "", one.content_type or "") for one in uploads]),
            system=_first(fields, "system") or DEFAULT_SYSTEM,
            words=_first(fields, "words"),
            highlights=tuple(dict.fromkeys(line.strip() for line in lines if line.strip())),
            query=_first(fields, "query"),
            language=_first(fields, "language"),
            keep_all=bool(_first(fields, "keep_all")),
        )
        toggled = _first(fields, "toggle")
        return form.toggled(toggled) if toggled else form

    def request(self) -> SummaryRequest:
        """Return the request for a summary.

        Raises:
            InputError: If there is no document, or a field cannot be read as what it is.
            BudgetError: If no summary can have this length.
        """
        if not self.texts and not self.files:
            raise InputError("There is nothing to summarize yet; paste a text or choose a file.")
        return SummaryRequest(
            documents=(*self.texts, *self.files),
            system=self.system,
            asked=Request(
                Budget(words=self._words()),
                self.highlights,
                self.query,
                self.language or None,
                prose=not self.keep_all,
            ),
            skip_unreadable=True,
        )

    def toggled(self, phrase: str) -> Form:
        """Return the form with a phrase among its highlights if it was not, without it if it was."""
        others = tuple(one for one in self.highlights if _phrase(one) != phrase)
        return replace(self, highlights=others if len(others) < len(self.highlights) else (*others, f"{phrase}:1"))

    def with_texts(self, texts: Iterable[Text]) -> Form:
        """Return the form with the texts of its documents in place of files, which a page cannot fill in."""
        return replace(self, texts=tuple(texts), files=()) if self.files else self

    def shown(self) -> Form:
        """Return the form as a page shows it: files by their names, and long texts not at all."""
        files = tuple(File(b"", one.name, one.content_type) for one in self.files)
        texts = [
            self.system,
            self.words,
            self.query,
            self.language,
            *self.highlights,
            *(one.text for one in self.texts),
        ]
        if sum(map(len, texts)) <= MOST_SHOWN:
            return replace(self, files=files)
        names = tuple(Text("", one.name) for one in self.texts)
        return Form(
            texts=names, files=files, notice="The text is too long to stand in the form again; choose it as a file."
        )

    def _words(self) -> int | None:
        if not self.words:
            return None
        try:
            return int(self.words)
        except ValueError:
            raise InputError(f"The length is a number of words, such as 120, not {self.words[:40]!r}.") from None


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


def _first(fields: FormData, name: str) -> str:
    return next(iter(_strings(fields, name)), "").strip()


def _phrase(highlight: str) -> str:
    """The phrase of a highlight; one that cannot be read stands for itself."""
    try:
        return parse(highlight)[0]
    except InputError:
        return highlight

"""Requests for a summary: its length, its parts, what to see more of, and the language of the input.

A request is made once, from the arguments of a call, the options of a command or the body of an HTTP request; what
cannot be asked for is refused there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Required, TypedDict

from nutgraf.errors import InputError, check_type, items_of, type_name
from nutgraf.text.highlights import parse
from nutgraf.text.summary import Budget

if TYPE_CHECKING:
    from nutgraf.text.divisions import By

Highlights = Iterable[str | tuple[str, float]] | Mapping[str, float] | None
"""Phrases, "phrase:weight", pairs of a phrase and its weight, or a mapping of phrases to weights; None for none."""

NO_QUESTION = "The question {!r} has no words; leave it out, or write one such as 'What did the council decide?'."


STRENGTH = 0.15
"""Strength with which sentences are shortened where none is given: of what then goes, readers found 95 % might go."""


class RequestOptions(TypedDict, total=False):
    """Keyword arguments with which a summary is asked for; `System.__call__` describes them."""

    words: int | None
    sentences: int | None
    share: str | float | None
    characters: int | None
    highlights: Highlights
    query: str | None
    language: str | None
    compare: bool
    whole_sentences: bool
    edit: bool | float
    prose: bool


class OutlineOptions(RequestOptions, total=False):
    """Keyword arguments with which an outline is asked for; `System.__call__` describes them."""

    by: Required[By]
    depth: int | None


@dataclass(frozen=True)
class Request:
    """Request for a summary, of one or of several documents.

    Attributes:
        budget: Length of the summary.
        highlights: Phrases to see more of, "phrase" or "phrase:weight".
        query: Question whose words are preferred; "" for none.
        language: ISO 639-1 code of the documents; None recognizes it.
        compare: Also make the summary without highlights.
        whole_sentences: Leave out no connective at the beginning of a sentence.
        edit: Strength, above 0 and at most 1, with which sentences are shortened; 0 leaves them whole.
        prose: Leave out what is not prose; False keeps every sentence, and none is judged.
        by: Parts of an outline, each with sentences of its own: "section", "speaker", "message", "document" or "page";
            None for one summary. Words, characters and a share are then divided among the parts; a number of sentences
            is for each, and without a length each has one.
        depth: Deepest level of an outline; None for all levels.

    Raises:
        InputError: If a highlight, the question, `by` or `depth` is not right, or there is nothing to compare.
    """

    budget: Budget = field(default_factory=Budget)
    highlights: tuple[str, ...] = ()
    query: str = ""
    language: str | None = None
    compare: bool = False
    whole_sentences: bool = False
    edit: float = 0.0
    prose: bool = True
    by: By | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        self._check_outline()
        for line in self.highlights:
            parse(line)
        check_type(self.compare, bool, "compare is True or False")
        check_type(self.whole_sentences, bool, "whole_sentences is True or False")
        check_type(self.edit, (bool, int, float), "edit is True, False or a strength from 0 to 1")
        object.__setattr__(self, "edit", STRENGTH if self.edit is True else float(self.edit))
        if not 0 <= self.edit <= 1:
            raise InputError(
                f"The strength of edit lies from 0, which leaves sentences whole, to 1, not {self.edit:g}."
            )
        check_type(self.prose, bool, "prose is True or False")
        if self.compare and not self.highlights:
            raise InputError("What highlights change can be compared only where there are some: name one.")
        check_type(self.query, str, "A question is a text (str)")
        if self.query and not any(character.isalnum() for character in self.query):
            raise InputError(NO_QUESTION.format(self.query))

    def _check_outline(self) -> None:
        """Raise InputError if an outline is not right, or cannot be what else is asked for."""
        if self.by is None:
            if self.depth is not None:
                raise InputError("depth is the deepest level of an outline; say what its parts are: by section, say.")
            return
        from nutgraf.text.divisions import check_by, check_depth  # finds headings, which no other summary needs

        check_by(self.by)
        check_depth(self.depth)
        if self.compare:
            raise InputError("What highlights change is compared in one summary; leave out by, or compare.")

    @classmethod
    def of(
        cls,
        *,
        words: int | None = None,
        sentences: int | None = None,
        share: str | float | None = None,
        characters: int | None = None,
        highlights: Highlights = (),
        query: str | None = "",
        language: str | None = None,
        compare: bool = False,
        whole_sentences: bool = False,
        edit: bool | float = False,
        prose: bool = True,
        by: By | None = None,
        depth: int | None = None,
    ) -> Request:
        """Return the request that the keyword arguments of a system's call make.

        Raises:
            BudgetError: If no summary can have this length.
            InputError: If a highlight, the question, `by` or `depth` is not right, or there is nothing to compare.
        """
        budget = Budget.of(words, sentences, share, characters)
        asked = "" if query is None else query
        return cls(budget, lines_of(highlights), asked, language, compare, whole_sentences, edit, prose, by, depth)


def lines_of(highlights: Highlights) -> tuple[str, ...]:
    """Return highlights as "phrase" or "phrase:weight".

    Raises:
        InputError: If one of them is neither a phrase nor a pair.
    """
    if highlights is None:
        return ()
    items = highlights.items() if isinstance(highlights, Mapping) else items_of(highlights)
    if isinstance(highlights, str):
        items = [highlights]
    if items is None:
        raise InputError(f"Highlights are a list of phrases, or a mapping to weights, not {type_name(highlights)}.")
    return tuple(map(_line, items))


def _line(highlight: object) -> str:
    if isinstance(highlight, tuple | list) and len(highlight) == 2:
        text, weight = highlight
        check_type(text, str, "A highlight is a text (str)")
        return f"{text}:{weight}"
    check_type(highlight, str, "A highlight is a text (str), or a pair of a text and its weight")
    return str(highlight)

"""Summaries of documents for the command line, in this process or in others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nutgraf.cli._say import wrapped
from nutgraf.errors import NutgrafError
from nutgraf.runtime.hardware import Compute
from nutgraf.text.formats import Format, formatted, headline
from nutgraf.text.language import doubts_of
from nutgraf.text.outline import Outline
from nutgraf.text.summary import Summary

if TYPE_CHECKING:
    from nutgraf.collation.records import Agreement
    from nutgraf.faithfulness.ablation import Ablation
    from nutgraf.systems import System
    from nutgraf.text.document import Document
    from nutgraf.text.request import Request


MANY = 100_000
"""Sentences from which a summary takes more than a few seconds."""


@dataclass(frozen=True)
class Shown:
    """A summary as it will be printed; its explanation is "" where nobody asked why."""

    name: str
    summary: str
    wraps: bool
    explanation: str
    json: dict[str, Any] | None
    notices: tuple[str, ...]

    def text(self, output: str | None) -> str:
        """For a file, or in lines for a terminal."""
        broken = wrapped(self.summary) if self.wraps and output in (None, "-") else self.summary
        return f"{broken}\n\n{self.explanation}" if self.explanation else broken


@dataclass(frozen=True, eq=False)
class Summarizing:
    """Summarizes documents as the options say; the system is loaded when it is first needed."""

    name: str
    overrides: tuple[str, ...]
    trust: bool
    compute: Compute
    request: Request
    format: Format
    reader: str | None
    fetch: bool
    explain: bool
    json: bool

    @property
    def language(self) -> str | None:
        """Language of the documents, if it is known."""
        return self.request.language

    @cached_property
    def system(self) -> System:
        """The system that writes the summaries."""
        from nutgraf.systems import load_with

        return load_with(self.name, self.overrides, self.trust, self.compute)

    @property
    def at_once(self) -> int:
        """Networks write several summaries at a time."""
        return self.system.at_once

    def warnings(self, document: Document) -> list[str]:
        """Return notices before a summary in a language that the text may not have, or that takes some seconds."""
        doubt = doubts_of(self.language, document.text)
        if len(document.sentences) < MANY or self.name == "lead":
            return doubt
        return [
            *doubt,
            f"{len(document.sentences):,} sentences can take a minute or more; --system lead, which takes the first of "
            "them, is done at once.",
        ]

    def work(self, documents: Sequence[Document]) -> list[Shown | NutgrafError]:
        """Return a summary of each document, or the error in its place."""
        made = self.system.many(documents, self.request)
        return [one if isinstance(one, NutgrafError) else self.shown(one) for one in made]

    def shown(
        self, made: Summary | Outline, ablation: Ablation | None = None, agreement: Agreement | None = None
    ) -> Shown:
        """A summary or an outline as it will be printed.

        With it come what its sentences rest on and its documents agree on, if asked for.
        """
        explanation, outline = "", None if isinstance(made, Summary) else made
        summary = made if isinstance(made, Summary) else made.summary
        summary = headline(summary) if self.format == "headline" else summary
        signals = self.system.signals(summary) if self.explain and outline is None else None
        if self.explain:
            from nutgraf.cli._explain import explained

            explanation = explained(summary, signals)
        elif self.request.compare:
            from nutgraf.cli._explain import compared

            explanation = "\n".join(compared(summary))
        as_json = None
        if self.json:
            as_json = summary.to_json(signals) if outline is None else outline.to_json()
        if ablation is not None:
            from nutgraf.cli._explain import rests

            explanation = "\n".join(filter(None, [explanation, rests(ablation, summary)]))
            as_json = None if as_json is None else {**as_json, "ablation": ablation.to_json()}
        text = formatted(summary if outline is None else outline, self.format)
        if agreement is not None:
            from nutgraf.cli._agreement import agreed, in_markdown, with_marks

            markdown = self.format == "markdown"
            text = with_marks(summary, agreement) if markdown else text
            told = in_markdown(agreement, summary) if markdown else agreed(agreement, summary)
            explanation = "\n\n".join(filter(None, [told, explanation]))
            as_json = None if as_json is None else {**as_json, "agreement": agreement.to_json(summary)}
        return Shown(
            name=summary.document.name,
            summary=text,
            wraps=self.format != "markdown",
            explanation=explanation,
            json=as_json,
            notices=summary.notices,
        )

"""SQuALITY (Wang et al. 2022): science fiction of some 5,000 words, with four summaries of the plot per story.

Questions about details are left out, because a summarizer does not see the question.

Reads the released JSON lines (one story per line: `document`, `questions` with their `responses`), or one question per
line: `documents`, `query`, `summaries`. MLS has no such set; it replaces the paper's stories (`msr_narrative`) and is
split like these: 25/10/65, by story, over all files of the folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from nutgraf.datasets import Drop, Record, Row, ignore
from nutgraf.datasets._low_resource import LowResource, References
from nutgraf.errors import InputError

PLOT = "plot"


@dataclass(frozen=True)
class Config:
    """SQuALITY."""

    questions: Literal["plot", "all"] = "plot"
    """Use only questions about the "plot", or "all"."""

    references: References = "all"
    """Several summaries: use the "first", use "all", or make "each" an example of its own, for training."""


class Squality(LowResource):
    """A question about a story is an example."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.references = config.references

    def entries(self, path: Path) -> Iterator[Row]:
        """Yield one row per question; see `LowResource`."""
        for row in super().entries(path):
            yield from (
                [row] if isinstance(row.content, InputError) or "questions" not in row.content else _questions(row)
            )

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row; see `Dataset`."""
        asked = str(row.entry.get("query") or PLOT)
        if self.config.questions == "plot" and PLOT not in asked.casefold():
            drop("a question on a detail")
            return None
        return super().record(row, drop)


def _questions(row: Row) -> list[Row]:
    """Return a row for each question of a released story, or one with the error of a row of another format."""
    entry = row.entry
    try:
        story = str(entry["metadata"]["passage_id"])
        return [row._replace(content=_question(story, entry["document"], one)) for one in entry["questions"]]
    except (KeyError, TypeError) as error:
        found = f"{row.where}: this is not a story in the format of the SQuALITY release: {error!r}."
        return [row._replace(content=InputError(found))]


def _question(story: str, text: str, question: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"{story}-{question['question_number']}",
        "documents": [text],
        "query": question["question_text"],
        "summaries": [response["response_text"] for response in question["responses"]],
    }

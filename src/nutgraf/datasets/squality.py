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
        self.config = config
        self.references = config.references

    def entries(self, path: Path) -> Iterator[Row]:
        """Yield one row per question; see `LowResource`."""
        for row in super().entries(path):
            if "questions" in row.entry:
                yield from _questions(row)
            else:
                yield row

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row; see `Dataset`."""
        asked = str(row.entry.get("query") or PLOT)
        if self.config.questions == "plot" and PLOT not in asked.casefold():
            drop("a question on a detail")
            return None
        return super().record(row, drop)


def _questions(row: Row) -> Iterator[Row]:
    """Questions of a released story.

    Raises:
        InputError: If the row has another format.
    """
    try:
        story = str(row.entry["metadata"]["passage_id"])
        for question in row.entry["questions"]:
            yield row._replace(content=_question(story, row.entry["document"], question))
    except (KeyError, TypeError) as error:
        raise InputError(
            f"{row.where}: this is not a story in the format of the SQuALITY release: {error!r}."
        ) from error


def _question(story: str, text: str, question: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"{story}-{question['question_number']}",
        "documents": [text],
        "query": question["question_text"],
        "summaries": [response["response_text"] for response in question["responses"]],
    }

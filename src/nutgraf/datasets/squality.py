"""SQuALITY (Wang et al. 2022): science fiction of some 5,000 words, and what people wrote when they were asked for the
plot, four summaries a story. Questions on details are left out, as a summarizer is not told what it is asked.

Read from the released JSON lines (one story a line: `document`, `questions` with their `responses`), or with one
question a line: `documents`, `query`, `summaries`. MLS has no such set; it stands here for the paper's stories
(`msr_narrative`) and is split as these are: 25/10/65, by story, over all files of the folder.
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
    """questions: only those that ask for the plot, or all. references: the first one of a question; all of them; or
    each as an example of its own, for training."""

    questions: Literal["plot", "all"] = "plot"
    references: References = "all"


class Squality(LowResource):
    """One question on a story is an example."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.references = config.references

    def entries(self, path: Path) -> Iterator[Row]:
        """See LowResource."""
        for row in super().entries(path):
            if "questions" in row.entry:
                yield from _questions(row)
            else:
                yield row

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """See Dataset."""
        asked = str(row.entry.get("query") or PLOT)
        if self.config.questions == "plot" and PLOT not in asked.casefold():
            drop("a question on a detail")
            return None
        return super().record(row, drop)


def _questions(row: Row) -> Iterator[Row]:
    """Each question of a story as it was released. Raises InputError."""
    try:
        story = str(row.entry["metadata"]["passage_id"])
        for question in row.entry["questions"]:
            yield row._replace(entry=_question(story, row.entry["document"], question))
    except (KeyError, TypeError) as error:
        raise InputError(f"{row.where}: this is no story of SQuALITY as it was released: {error!r}.") from error


def _question(story: str, text: str, question: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"{story}-{question['question_number']}",
        "documents": [text],
        "query": question["question_text"],
        "summaries": [response["response_text"] for response in question["responses"]],
    }

"""MSR-Narrative: 476 personal stories from Reddit with two or four summaries each (Ouyang, Chang and McKeown 2017), the
first set of MLS (Sarkhel et al. 2020), which splits it 25/10/65 and speaks of one summary a story.

Read from the release, `narrative/NAME.story` and `annotator_*/abstractive/NAME.abstractive` in one folder (as others'
scripts that unpack it show; we do not have it), or from JSON lines with `text` and `summaries`. Annotators come in the
order of their names, so that the first summary is that of the first of them who wrote one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nutgraf.datasets import Row
from nutgraf.datasets._low_resource import LowResource, References, whole_text


@dataclass(frozen=True)
class Config:
    """references: the first summary of a story; all of them; or each as an example of its own, for training."""

    references: References = "first"


class MsrNarrative(LowResource):
    """A story and what people wrote of it."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.references = config.references

    def reads(self, path: Path) -> bool:
        """Whether a file holds stories, as far as its name tells."""
        return path.suffix == ".story" or super().reads(path)

    def entries(self, path: Path) -> Iterator[Row]:
        """See LowResource."""
        if path.suffix != ".story":
            yield from super().entries(path)
            return
        written = sorted(path.parent.parent.glob(f"annotator_*/abstractive/{path.stem}.abstractive"))
        entry = {"id": path.stem, "text": whole_text(path), "summaries": [whole_text(one) for one in written]}
        yield Row(path, 1, entry, "story")

"""MSR-Narrative: 476 personal stories from Reddit with two or four summaries each.

Ouyang, Chang and McKeown 2017. It is the first set of MLS (Sarkhel et al. 2020), which splits it 25/10/65 and mentions
one summary per story.

Reads the release, `narrative/NAME.story` and `annotator_*/abstractive/NAME.abstractive` in one folder (according to
scripts of others that unpack it; we do not have it), or JSON lines with `text` and `summaries`. Annotators are sorted
by name, so that the first summary is that of the first annotator who wrote one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nutgraf.datasets import Row
from nutgraf.datasets._low_resource import LowResource, References
from nutgraf.runtime.lines import whole_text


@dataclass(frozen=True)
class Config:
    """MSR-Narrative."""

    references: References = "first"
    """Several summaries of a story: use the "first", use "all", or make "each" an example of its own, for training."""


class MsrNarrative(LowResource):
    """A story and its summaries."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.references = config.references

    def reads(self, path: Path) -> bool:
        """Return True if a file holds stories, judging by its name."""
        return path.suffix == ".story" or super().reads(path)

    def entries(self, path: Path) -> Iterator[Row]:
        """Yield one row per story; see `LowResource`."""
        if path.suffix != ".story":
            yield from super().entries(path)
            return
        written = sorted(path.parent.parent.glob(f"annotator_*/abstractive/{path.stem}.abstractive"))
        entry = {
            "id": path.stem,
            "text": whole_text(path).strip(),
            "summaries": [whole_text(one).strip() for one in written],
        }
        yield Row(path, 1, entry, "story")

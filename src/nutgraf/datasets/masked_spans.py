"""Masked spans of another corpus' texts: pre-training without summaries.

Song et al. 2019, *MASS: Masked Sequence to Sequence Pre-training for Language Generation*.

`[dataset.of]` is any other data set; its default, `texts`, reads plain text files. Spans are masked when the corpus is
prepared (`preparation/masking.py`), since tokens are masked rather than words.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nutgraf.datasets import Dataset, Masking, datasets
from nutgraf.datasets._derived import Delegated, check_origin
from nutgraf.presets.family import Choice


@dataclass(frozen=True)
class Config(Masking):
    """Masked spans of another data set."""

    of: Choice[Dataset] = field(default_factory=lambda: datasets.choose("texts"))
    """Section of the data set whose texts are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_origin(self.of)


class MaskedSpans(Delegated):
    """Reads what the other data set reads."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.masking = config

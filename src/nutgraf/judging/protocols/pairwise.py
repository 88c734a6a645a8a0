"""Pairwise preference on informativeness, fluency and non-redundancy.

The protocol of KPAT and of the Highlight-Transformer (Liu et al.): 50 documents, four judges, each of whom judges every
document; shares are over all 200 judgements, and agreement is Fleiss' kappa.
"""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.judging.protocols._preference import Preference, PreferenceConfig


@dataclass(frozen=True)
class Config(PreferenceConfig):
    """Preference on informativeness, fluency and non-redundancy."""

    aspects: tuple[str, ...] = ("informativeness", "fluency", "non-redundancy")
    """Aspects that judges are asked about."""


EXAMPLES = (Config(), Config(aspects=("overall",), pairs="all"), Config(judges_per_item=2))


class Pairwise(Preference):
    """Pairwise preference on informativeness, fluency and non-redundancy."""

    config: Config

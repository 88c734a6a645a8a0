"""Options of the extractors that rank words or topics by PageRank."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.keyphrases._candidates import ExtractorConfig
from nutgraf.presets.ranges import ProperShare, ShareBelowOne
from nutgraf.text.tagging import Tagger


@dataclass(frozen=True)
class GraphConfig(ExtractorConfig):
    """Options of the extractors that rank words or topics by PageRank."""

    damping: ShareBelowOne = 0.85
    """Damping factor of PageRank."""

    tolerance: ProperShare = 1e-6
    """PageRank stops when the ranks change by less than this in total."""

    tagger: Tagger = "auto"
    """Part-of-speech tagger: "crf" (English, the extra `tagger`), "textblob", or "content", which keeps all words but
    stop words; "auto" is "crf" where it is installed, and "textblob" elsewhere."""

"""Preparation: words become numbers; a Document becomes what a network reads, a corpus becomes shards."""

from nutgraf.preparation.overview import overview
from nutgraf.preparation.prepare import prepare
from nutgraf.preparation.shards import Shards
from nutgraf.preparation.source import Preparation, Source, Target, Truncation
from nutgraf.preparation.tensors import batch

__all__ = ["Preparation", "Shards", "Source", "Target", "Truncation", "batch", "overview", "prepare"]

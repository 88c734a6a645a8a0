"""Preparation: words become numbers; a Document becomes what a network reads, a corpus becomes shards."""

from nutgraf.preparation.overview import overview
from nutgraf.preparation.prepare import prepare
from nutgraf.preparation.shards import Shards
from nutgraf.preparation.source import EncodedSource, EncodedTarget, Preparation, Truncation
from nutgraf.preparation.tensors import batch

__all__ = ["EncodedSource", "EncodedTarget", "Preparation", "Shards", "Truncation", "batch", "overview", "prepare"]

"""Sentences of a network's source, for processors of the search that choose among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nutgraf.preparation import EncodedSource
from nutgraf.text.importance import importance

if TYPE_CHECKING:
    from nutgraf.decoding.processors import SourceSentences


def sentences_of(source: EncodedSource) -> SourceSentences:
    """Return the sentences of a source with their importance; a source without any is one sentence."""
    from nutgraf.decoding.processors import SourceSentences

    assert source.document is not None
    if not source.document.sentences:
        return SourceSentences((0,), (1.0,), len(source.ids))
    return SourceSentences(source.starts["sentences"].tolist(), importance(source.document).tolist(), len(source.ids))

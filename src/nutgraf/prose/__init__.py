"""Which sentences of a document are prose and may stand in a summary; `dependence` tells which lean on others.

What is found is kept with the document, so that asking again costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from nutgraf.prose.quality import JUNK, PROSE, Judgement, Judgements
from nutgraf.text.document import Document, kept


@kept
def judgements(document: Document) -> Sequence[Judgement]:
    """Quality of each sentence, and what speaks against it; see `nutgraf.prose.quality`.

    A sentence is judged when its judgement is first asked for: `judgements(document)[0]` judges one. Of a document
    whose sentences are all kept (`Document.keep_all`) none is judged.
    """
    return [PROSE] * len(document.sentences) if document.keep_all else Judgements(document)


@kept
def qualities(document: Document) -> list[float]:
    """Quality of each sentence, from 0 for junk to 1."""
    return [judgement.quality for judgement in judgements(document)]


@kept
def prose_of(document: Document) -> list[bool]:
    """For each sentence, True if it may stand in a summary."""
    return [quality > JUNK for quality in qualities(document)]


@kept
def has_prose(document: Document) -> bool:
    """True if there is a sentence that is prose, not only what has to do for one."""
    beginning = document.beginning
    if any(one.quality > JUNK and not one.reason for one in judgements(beginning)):
        return True
    return beginning is not document and any(one.quality > JUNK and not one.reason for one in judgements(document))

"""Which sentences of a document are prose and may stand in a summary, and which of these can be read alone.

What is found is kept with the document, so that asking again costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from nutgraf.prose.quality import JUNK, PROSE, Judgement, Judgements
from nutgraf.text.document import Document, kept
from nutgraf.text.stop_words import POINTING_BACK


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


@kept
def standalone(document: Document) -> list[bool]:
    """For each sentence, True if it can be understood without the one before it.

    The test looks at the surface only: the sentence is prose, contains the beginning, the end and the speaker of
    what it quotes, and does not begin with a word that refers back.
    """
    openers = POINTING_BACK if document.language == "en" else frozenset()
    return [
        prose and _quotes_whole(printed) and not (words and words[0] in openers)
        for prose, printed, words in zip(prose_of(document), document.printed, document.words, strict=True)
    ]


def _quotes_whole(text: str) -> bool:
    """Return True if quotations begin and end in the sentence, with text beside them that says who speaks."""
    balanced = text.count('"') % 2 == 0 and text.count("“") == text.count("”")
    return balanced and not (text[:1] in '"“' and text[-1:] in '"”')

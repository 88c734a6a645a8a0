"""The summary that a selection of sentences makes, for every system that selects them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from nutgraf.extractive.selection import Selection
from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.systems._left_out import tell_left_out
from nutgraf.systems._together import notices_together
from nutgraf.systems.explain import key_phrases, origin
from nutgraf.systems.steering import Steering, tell_unshown
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary, SummarySentence


def summary_of(
    selection: Selection,
    document: Document,
    budget: Budget,
    steering: Steering,
    extractor: KeyphraseExtractor | None,
    signature: str,
    notices: Iterable[str] = (),
    steerable: bool = True,
) -> Summary:
    """Return the summary of the selected sentences, as they stand.

    Args:
        selection: The selected sentences.
        document: The input.
        budget: Length of the summary.
        steering: Highlights and the question.
        extractor: Finds the phrases that the summary shows.
        signature: Signature of the system.
        notices: Further sentences for the user.
        steerable: Highlights could change the selection, so that one which the summary lacks is told.
    """
    picked, ranking, made = selection
    summary = Summary(
        sentences=tuple(
            SummarySentence(
                text=document.printed[index],
                operation="copied",
                origins=(origin(document, index),),
                rating=float(ranking.ratings[index]),
                reasons=made.reasons.get(index, ()),
                speaker=document.speakers[index] or None,
            )
            for index in picked
        ),
        document=document,
        budget=budget,
        limit=budget.words_of(document),
        find_phrases=partial(key_phrases, extractor, document, steering),
        notices=(
            *document.notices,
            *notices_together(document),
            *steering.notices,
            *notices,
            *made.notices,
        ),
        signature=signature,
        genre=made.genre,
        ratings=ranking.ratings,
    )
    return tell_left_out(tell_unshown(summary, steering) if steerable else summary)

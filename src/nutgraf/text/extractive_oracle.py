"""Extractive oracle: the sentences of a source that are together most like a summary.

Nallapati, Zhai and Zhou 2017, *SummaRuNNer: A Recurrent Neural Network Based Sequence Model for Extractive
Summarization of Documents*; the score is that of Liu and Lapata 2019 (BertExt), Sec. 3.3, as in the authors' code.
Sentences are selected one by one, each the one with which ROUGE-1 + ROUGE-2 (F1, each
n-gram counted once) rises most, until none raises it.
"""

from __future__ import annotations

from collections.abc import Sequence

from nutgraf.text.tokenize import ngrams


def oracle_sentences(sentences: Sequence[Sequence[str]], summary: Sequence[str], most: int) -> list[int]:
    """Return the sentences that are selected, in the order of the source.

    Args:
        sentences: Words of each sentence of the source.
        summary: Words of the summary, all its sentences in a row.
        most: Largest number of sentences.
    """
    wanted = [set(ngrams(summary, length)) for length in (1, 2)]
    offered = [[set(ngrams(words, length)) for length in (1, 2)] for words in sentences]
    useful = [index for index, grams in enumerate(offered) if grams[0] & wanted[0]]  # no other raises the score
    selected: list[int] = []
    held: list[set[tuple[str, ...]]] = [set(), set()]
    best = 0.0
    while len(selected) < most:
        scores = {
            index: sum(_f1(had | new, want) for had, new, want in zip(held, offered[index], wanted, strict=True))
            for index in useful
            if index not in selected
        }
        index = max(scores, key=lambda one: (scores[one], -one), default=-1)
        if index < 0 or scores[index] <= best:
            break
        best = scores[index]
        selected.append(index)
        held = [had | new for had, new in zip(held, offered[index], strict=True)]
    return sorted(selected)


def _f1(held: set[tuple[str, ...]], wanted: set[tuple[str, ...]]) -> float:
    return 2 * len(held & wanted) / max(1, len(held) + len(wanted))

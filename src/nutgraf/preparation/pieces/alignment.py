"""Words of a sentence that a summary's sentence kept, if that is the sentence without some of its words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

FUNCTION = 0.5
"""Worth of a function word; that of any other is 1."""

ADJACENT = 0.6
"""Worth of following the word before in both sentences, so that the words of a phrase are found together."""


def kept_words(
    sentence: Sequence[str], summary: Sequence[str], function: Collection[str]
) -> tuple[list[bool], list[bool]]:
    """Align two sentences: a longest common subsequence of words in which content words and runs count more.

    Args:
        sentence: Words of a sentence, in lower case.
        summary: Words of a sentence of its summary.
        function: Function words.

    Returns:
        True or False for each word of the sentence, and for each of the summary's.
    """
    wide = len(summary) + 1
    best = [[0.0] * wide for _ in range(len(sentence) + 1)]
    run = [[-1.0] * wide for _ in range(len(sentence) + 1)]
    for row, word in enumerate(sentence, 1):
        worth = FUNCTION if word in function else 1.0
        for column, other in enumerate(summary, 1):
            if word == other:
                alone, on = best[row - 1][column - 1] + worth, run[row - 1][column - 1] + worth + ADJACENT
                run[row][column] = on if run[row - 1][column - 1] >= 0 and on >= alone else alone
            best[row][column] = max(best[row - 1][column], best[row][column - 1], run[row][column])
    return _traced(best, run, sentence, summary, function)


def _traced(
    best: list[list[float]],
    run: list[list[float]],
    sentence: Sequence[str],
    summary: Sequence[str],
    function: Collection[str],
) -> tuple[list[bool], list[bool]]:
    kept, found = [False] * len(sentence), [False] * len(summary)
    row, column, on = len(sentence), len(summary), False
    while row and column:
        if on or (run[row][column] >= 0 and run[row][column] == best[row][column]):
            kept[row - 1] = found[column - 1] = True
            worth = FUNCTION if sentence[row - 1] in function else 1.0
            before = run[row - 1][column - 1]
            on = before >= 0 and run[row][column] == before + worth + ADJACENT
            row, column = row - 1, column - 1
        elif best[row - 1][column] >= best[row][column - 1]:
            row -= 1
        else:
            column -= 1
    return kept, found

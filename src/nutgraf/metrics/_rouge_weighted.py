"""ROUGE-W: common subsequences that prefer consecutive words. Lin 2004, Sec. 4, as the ROUGE script computes it.

A run of k words has the weight k^w. The script differs from the paper in two ways that change scores, and we follow it:
it raises the reference's length to the power twice, sentence by sentence and then their sum; and where a word of a run
is not counted because the hypothesis has it less often, the run continues behind it, even into the sentence's next run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nutgraf.metrics._rouge_text import TextPair, TokenizedText


def weighted_hits(pair: TextPair, weight: float) -> float:
    """Weight of all runs of words on the paths."""
    ours, theirs = Counter(pair.hypothesis.counts), Counter(pair.reference.counts)
    longest = max((len(sentence) for sentence in pair.reference.sentences), default=0)
    weights = [run**weight for run in range(longest + 2)]
    hits = 0.0
    for sentence in pair.reference.sentences:
        marked = [False] * len(sentence)
        for other in pair.hypothesis.sentences:
            _mark(marked, sentence, other, weights)
        run = 0
        for place, word in enumerate(sentence):
            if not (marked[place] and ours[word] and theirs[word]):
                continue
            ours[word] -= 1
            theirs[word] -= 1
            run += 1
            if place + 1 == len(sentence) or not marked[place + 1]:
                hits += weights[run]
                run = 0
    return hits


def weighted_length(reference: TokenizedText, weight: float) -> float:
    """Length of the reference before it is raised to the power again, as in the script."""
    return float(sum(len(sentence) ** weight for sentence in reference.sentences))


def _mark(marked: list[bool], ours: Sequence[str], theirs: Sequence[str], weights: Sequence[float]) -> None:
    """Fill the table of best weights, walk back as for ROUGE-L, and mark the words of `ours` on the path."""
    above, runs_above = [0.0] * (len(theirs) + 1), [0] * (len(theirs) + 1)
    steps = []
    for word in ours:
        row, runs, moves = [0.0], [0], [""]
        for column, other in enumerate(theirs, start=1):
            if word == other:
                run = runs_above[column - 1]
                row.append(above[column - 1] + weights[run + 1] - weights[run])
                runs.append(run + 1)
                moves.append("diagonal")
            else:
                up = above[column] >= row[column - 1]
                row.append(above[column] if up else row[column - 1])
                runs.append(0)
                moves.append("up" if up else "left")
        steps.append(moves)
        above, runs_above = row, runs
    place, column = len(ours), len(theirs)
    while place and column:
        move = steps[place - 1][column]
        place -= move != "left"
        column -= move != "up"
        if move == "diagonal":
            marked[place] = True

"""Lines that `nutgraf check` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from nutgraf.faithfulness.records import MEANING, NOVEL, RISK, CheckedSentence, CheckerVerdict, Faithfulness
from nutgraf.text.document import Document
from nutgraf.text.passage import Passage
from nutgraf.text.tokenize import flatten

SIGNS = {"flagged": "!", "not checked further": "-"}
"""Signs of the verdicts, at the beginning of a line."""

QUOTED = 200
"""Characters of a source sentence that are quoted."""

LONGER = 600
"""Characters of what a checker read that are quoted."""

BESIDE = 8
"""Characters between two sentences from which on something lies between them."""


def as_text(checked: Faithfulness, document: Document) -> str:
    """Return the verdict of each sentence of a summary with its flags and its evidence."""
    names = [part.name or f"source {number}" for number, part in enumerate(document.parts, 1)]
    told = [(one.start, ["", f"#    {flatten(one.text)}"]) for one in checked.unjudged]
    told += [(one.start, list(_lines(number, one, names))) for number, one in enumerate(checked, 1)]
    novel = [NOVEL] if checked.novel_bigrams is not None else []
    meaning = [] if all(one.flags for one in checked) else [MEANING]
    below = [*meaning, *novel, RISK, *checked.notices]
    lines = [line for _, its in sorted(told) for line in its]
    return "\n".join([_overview(checked), *lines, "", *below])


def _opinion(found: CheckerVerdict) -> str:
    """Return the verdict of a checker with the probabilities of its classes."""
    probabilities = ", ".join(f"{label} {probability:.0%}" for label, probability in found.probabilities.items())
    doubts = ", ".join(f"“{flatten(one.text)}” {one.probability:.0%}" for one in found.doubts)
    return f"checker {found.name}: {found.verdict} ({probabilities}){f'; not told: {doubts}' if doubts else ''}"


def _read(found: CheckerVerdict, names: Sequence[str]) -> Iterator[str]:
    """Yield what the verdict of a checker stands on, where it says so."""
    for source, passages in groupby(found.passages, key=lambda one: one.source):
        yield f"     beside {names[source]}: {_quoted(_running(list(passages)), LONGER)}"
    if found.cosine is not None:
        yield f"     cosine {found.cosine:.2f} with the nearest sentence of the sources"


def _running(passages: Sequence[Passage]) -> str:
    """Return passages as one text, with dots where something lies between."""
    gaps = [" " if after.start - before.end < BESIDE else " … " for before, after in pairwise(passages)]
    return "".join(f"{gap}{one.text}" for gap, one in zip(["", *gaps], passages, strict=True))


def _quoted(text: str, most: int) -> str:
    quoted = flatten(text)
    return quoted if len(quoted) <= most else quoted[: most - 1].rstrip() + "…"


def _overview(checked: Faithfulness) -> str:
    line = f"{len(checked)} sentence{'' if len(checked) == 1 else 's'}: {_counts(checked, SIGNS)}"
    if count := len(checked.unjudged):
        line += f"; {count} heading{'' if count == 1 else 's'} or label{'' if count == 1 else 's'} not judged"
    if checked.novel_bigrams is not None:
        line += f"; {checked.novel_bigrams:.0%} novel bigrams"
    line += f"; risk {checked.risk:.2f}"
    verdicts = [sentence.checker for sentence in checked if sentence.checker is not None]
    labels = dict.fromkeys(label for one in verdicts for label in (*one.probabilities, one.verdict))
    return f"{line}\nchecker {verdicts[0].name}: {_counts(verdicts, labels)}" if verdicts else line


def _counts(judged: Iterable[CheckedSentence | CheckerVerdict], verdicts: Iterable[str]) -> str:
    """Return how many there are with each verdict."""
    counts: Counter[str] = Counter(one.verdict for one in judged)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in verdicts)


def _lines(number: int, sentence: CheckedSentence, names: Sequence[str]) -> Iterator[str]:
    yield ""
    yield f"{SIGNS[sentence.verdict]} {number}  {flatten(sentence.text)}"
    for flag in sentence.flags:
        yield f"     {flag.kind}, {flatten(flag.text)}: {flatten(flag.reason)}"
    if sentence.checker is not None:
        yield f"     {_opinion(sentence.checker)}"
        yield from _read(sentence.checker, names)
    if not sentence.evidence:
        yield "     No sentence of the sources shares enough of its words."
    for place, one in enumerate(sentence.evidence):
        further = "a further " if place else ""
        shown = _quoted(one.text, QUOTED)
        share = f"{further}{one.share:.0%} of the weight of its content words, figures aside,"
        yield f"     shares {share} with {names[one.source]}: {shown}"
    if sentence.novel_bigrams is not None:
        yield f"     novel bigrams {sentence.novel_bigrams:.0%}, risk {sentence.risk:.2f}"

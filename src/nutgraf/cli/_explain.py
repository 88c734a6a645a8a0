"""Explanation of a summary in plain lines: each sentence, then the signals of the network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nutgraf.text.summary import RATING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from nutgraf.faithfulness.ablation import AblatedSentence, Ablation
    from nutgraf.text.document import Document
    from nutgraf.text.summary import Origin, SourceSignals, Summary, SummarySentence

NAMED = 5
"""Number of source words, or sentences, that are named."""

MOST_DIFFERENT = 0.5
"""Share of the words that differ from which on two summaries are shown one after the other."""

QUOTED = 60
"""Characters of an origin that are quoted."""


def explained(summary: Summary, signals: SourceSignals | None) -> str:
    """Yield the lines of the explanation."""
    read = [] if signals is None else _signals(signals, summary.document)
    return "\n".join([*_sentences(summary), *compared(summary), *read])


def compared(summary: Summary) -> Iterator[str]:
    """Yield the effect of highlights in lines, and what differs from the summary without them if that was made."""
    effect = summary.effect
    if effect is None:
        return
    for one in effect.mentions:
        without = "" if one.before is None else f", {one.before} without highlights"
        times = f"{one.times} time{'' if one.times == 1 else 's'}"
        yield f"highlight  {one.phrase}: {times} in the summary{without}"
    if effect.attention is not None:
        before = effect.attention_before
        without = "" if before is None else f", {before:.1%} without highlights"
        yield f"attention on highlights  {effect.attention:.1%}{without}"
    found = effect.difference(summary.said)
    if found is not None:
        yield f"differs in {found.distance:.0%} of the words  [-without highlights-] {{+with them+}}"
        if found.distance <= MOST_DIFFERENT:
            yield f"   {found}"
        else:
            old, new = ("".join(one.text + one.gap for one in side) for side in (found.before, found.after))
            yield f"   [-{old.strip()}-]"
            yield f"   {{+{new.strip()}+}}"


def rests(ablation: Ablation, summary: Summary) -> str:
    """Return lines with the source sentences that change the probability of each sentence of a summary most."""
    return "\n".join(line for number, one in enumerate(ablation.sentences, 1) for line in _rest(number, one, summary))


def _rest(number: int, sentence: AblatedSentence, summary: Summary) -> Iterator[str]:
    r2 = "not measured" if sentence.r2 is None else f"{sentence.r2:.2f}"
    yield f"{number}  rests on (ablation, R² {r2})"
    for one in sentence.weights[:NAMED]:
        yield f"   {one.weight:+.2f} {summary.place(one.origin)}: {_quote(summary.document, one.origin)}"
    if not sentence.weights:
        yield "   no sentence that makes a difference"


def _sentences(summary: Summary) -> Iterator[str]:
    if summary.genre:
        yield f"summarized as  {'several texts' if summary.genre == 'cluster' else summary.genre}"
    if summary.prompt:
        yield "prompt"
        yield from (f"   {line}" for line in summary.prompt.splitlines())
    if any(sentence.rating for sentence in summary):
        yield f"rating  {RATING}{_range(summary)}"
    for number, sentence in enumerate(summary.sentences, 1):
        yield f"{number}  {_made(sentence)}"
        for origin in sentence.origins:
            part = summary.document.parts[origin.source]
            place = f"{part.name or 'the text'}{summary.where(origin)}, {origin.start}–{origin.end}"
            yield f"   from {place}: {_quote(summary.document, origin)}"
        if sentence.speaker:
            yield f"   said by {sentence.speaker}"
        if sentence.shares:
            shares = ", ".join(f"{name} {share:.3g}" for name, share in sentence.shares.items())
            yield f"   rating {sentence.rating:.3g}: {shares}"
        elif sentence.rating:
            yield f"   rating {sentence.rating:.3g}"
        if sentence.shortened:
            yield f"   {sentence.shortened}"
        for reason in sentence.reasons:
            yield f"   {reason}"
        if phrases := summary.phrases_in(sentence):
            yield f"   contains {', '.join(phrases)}"
        for flag in sentence.flags:
            yield f"   {flag.kind}: {flag.reason}"


def _range(summary: Summary) -> str:
    """The least and the greatest rating of all sentences of the input, if they are known."""
    found = summary.ratings
    if found is None or not found.size:
        return ""
    return f": here from {found.min():.3g} to {found.max():.3g}, over all sentences of the input"


def _made(sentence: SummarySentence) -> str:
    """Return the operation of a sentence and, for a generated one, the number of copied words."""
    if not sentence.words:
        return sentence.operation
    copied = sum(word.operation == "copied" for word in sentence.words)
    return f"{sentence.operation}, {copied} of {len(sentence.words)} words and marks copied"


def _signals(signals: SourceSignals, document: Document) -> Iterator[str]:
    if signals.gate is not None:
        yield f"gate  {signals.gate.mean():.2f} of the source let through, in the mean"
        yield f"   most of {_words(signals, document, signals.gate)}"
        yield f"   least of {_words(signals, document, signals.gate, least=True)}"
    if signals.centrality is not None:
        yield f"central words  {_words(signals, document, signals.centrality)}"
    if signals.coverage is not None:
        for number, (share, row) in enumerate(zip(signals.covered, signals.coverage, strict=True), 1):
            yield f"looked at by the end of sentence {number}  {share:.1%} of the source"
            yield f"   most at {_words(signals, document, row)}"


def _words(signals: SourceSignals, document: Document, values: npt.NDArray[np.float64], least: bool = False) -> str:
    """Return the words with the greatest or smallest values, each spelling once."""
    order = values.argsort(kind="stable")
    named: dict[str, float] = {}
    for at in (order if least else order[::-1]).tolist():
        named.setdefault(_quote(document, signals.places[at]), float(values[at]))
        if len(named) == NAMED:
            break
    return ", ".join(f"{word} {value:.3g}" for word, value in named.items())


def _quote(document: Document, origin: Origin) -> str:
    from nutgraf.text.tokenize import flatten

    start = document.parts[origin.source].start + origin.start
    length = origin.end - origin.start
    return flatten(document.text[start : start + min(length, QUOTED)]) + ("…" if length > QUOTED else "")

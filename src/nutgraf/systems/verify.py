"""A checker: a model of transformers that says whether sources entail, contradict or do not tell a summary's sentences.

A classifier of pairs, trained on inference (NLI), reads source sentences as the premise and a sentence of the summary
as the hypothesis. A classifier of tokens marks what is hallucinated, with the prompt of LettuceDetect (Kovács and
Recski 2025, *LettuceDetect: A Hallucination Detection Framework for RAG Applications*); it does not say why, so what it
marks is "not told". The rules of `nutgraf.check` find the sentences that share words with one of the summary, and the
model reads these and those around them; where there is none, it reads the whole sources in windows.
`CheckerVerdict.combined` says how windows combine. A token is as well supported as in its best window, and a sentence
as its worst token. (LettuceDetect, which divides sources without looking for evidence, marks what any of its windows
marks.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError, requires
from nutgraf.faithfulness.records import MIN_PROBABILITY, CheckerVerdict, Doubt
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.model.pretrained_folder import read_config
from nutgraf.systems._labels import Meaning, meaning_of
from nutgraf.systems._premises import Passages, Premises, halves
from nutgraf.systems._reading_model import ReadingModel, Row, folder_at

PROMPT = "\nSummarize the following text:\n{passages}\noutput:\n"
"""Prompt of LettuceDetect for summaries, before the answer."""

LONGEST = 4096
"""Tokens that LettuceDetect reads at most."""

NEIGHBOURS = 1
"""Sentences before and after one of the evidence that a classifier of pairs reads; they say whom pronouns mean."""

LEAST_ROOM = 8
"""Tokens of the sources that must fit beside a sentence of a summary."""


class Checker:
    """A model that says whether sources entail, contradict or do not tell a sentence; see `read_checker`."""

    def __init__(self, model: ReadingModel, meaning: Meaning, by_token: bool) -> None:
        """Hold a classifier of tokens (`by_token`) or of pairs of texts, and the meaning of its labels."""
        self._model, self._meaning, self._by_token = model, meaning, by_token
        self._limit = min(model.limit, LONGEST) if by_token else model.limit

    @property
    def name(self) -> str:
        """Name of the model's folder."""
        return self._model.name

    @property
    def signature(self) -> str:
        """Name and fingerprint of the model."""
        return f"{self.name}@{self._model.fingerprint}"

    def __call__(self, claims: Sequence[Claim], sources: Sources) -> list[CheckerVerdict | None]:
        """Return a verdict on each sentence of a summary; None for one that the model cannot read at once."""
        premises = Premises(sources.document, self._model.count, None if self._by_token else NEIGHBOURS)
        rows = [list(self._rows(claim, premises)) for claim in claims]
        logits = iter(self._model.run([row for some in rows for row in some], lambda output: output.logits))
        return [
            self._verdict(claim, some, [next(logits) for _ in some]) if some else None
            for claim, some in zip(claims, rows, strict=True)
        ]

    def _rows(self, claim: Claim, premises: Premises) -> Iterator[Row]:
        room = self._limit - len(self._row((), claim)["input_ids"])
        if room >= LEAST_ROOM:
            for window in premises(claim.evidence, room):
                yield from self._fitting(window, claim)

    def _fitting(self, passages: Passages, claim: Claim) -> Iterator[Row]:
        """Yield a window; one that is too long in parts."""
        row = self._row(passages, claim)
        if len(row["input_ids"]) <= self._limit:
            yield row
        elif len("".join(passages)) > 1:
            for half in halves(passages):
                yield from self._fitting(half, claim)

    def _row(self, passages: Passages, claim: Claim) -> Row:
        if not self._by_token:
            return self._model.encode(" ".join(passages), claim.sentence)
        numbered = "\n".join(f"passage {number}: {one}" for number, one in enumerate(passages, 1))
        return self._model.encode(PROMPT.format(passages=numbered), claim.sentence)

    def _verdict(self, claim: Claim, rows: Sequence[Row], logits: Sequence[npt.NDArray[np.float32]]) -> CheckerVerdict:
        """Return the verdict on a sentence, of all its windows together."""
        windows = [self._meaning.probabilities(one) for one in logits]
        if not self._by_token:
            told = [{label: float(one) for label, one in window.items()} for window in windows]
            return CheckerVerdict.combined(self.name, told)
        places = [[at for at, text in enumerate(row.sequence_ids(0)) if text == 1] for row in rows]
        best = np.max([window["supported"][at] for window, at in zip(windows, places, strict=True)], axis=0)
        spans = [rows[0].token_to_chars(at) for at in places[0]]
        worst = float(best.min(initial=1.0))
        doubts = tuple(_doubts(claim, spans, best))
        return CheckerVerdict.combined(self.name, [{"supported": worst, "not told": 1 - worst}], doubts)


def read_checker(folder: str | Path) -> Checker:
    """Load a checker.

    Args:
        folder: Folder of a model of transformers that classifies pairs of texts or tokens, with safetensors. Its
            labels, in `id2label` of its configuration, say what they mean: entailment, contradiction, hallucinated.
            Of two unnamed labels of tokens, the second is that of hallucinated ones.

    Raises:
        InputError: If there is no such folder or no such model in it, or its labels say something else.
        MissingPackage: If transformers, or another package that this model needs, is not installed.
    """
    with requires("checker", "Checkers need"):
        import transformers  # noqa: F401

    place = folder_at(folder)
    named = (read_config(place).get("architectures") or [""])[0]
    heads = ("ForSequenceClassification", "ForTokenClassification")
    head = next((one for one in heads if named.endswith(one)), None)
    if head is None:
        raise InputError(
            f"{folder} holds {named or 'a model without a head'}, which classifies nothing; names of models that do "
            f"end in {' or '.join(heads)}."
        )
    model = ReadingModel.read(place, f"AutoModel{head}")
    by_token = head == "ForTokenClassification"
    if by_token and not model.tokenizer.is_fast:
        raise InputError(f"The tokenizer in {folder} does not say where tokens stand; it needs a tokenizer.json.")
    return Checker(model, meaning_of(model.network.config.id2label, by_token, place), by_token)


def _doubts(claim: Claim, spans: Sequence[tuple[int, int] | None], support: npt.NDArray[np.float64]) -> Iterator[Doubt]:
    """Yield the stretches of tokens that no window supports."""
    marked = [
        (span, float(one)) for span, one in zip(spans, support, strict=True) if span is not None and span[0] < span[1]
    ]
    for doubtful, run in groupby(marked, key=lambda one: one[1] < MIN_PROBABILITY):
        found = list(run)
        text = claim.sentence[found[0][0][0] : found[-1][0][1]]
        if doubtful and text.strip():
            start = claim.start + found[0][0][0] + len(text) - len(text.lstrip())
            stripped = text.strip()
            yield Doubt(start, start + len(stripped), stripped, 1 - min(one for _, one in found))

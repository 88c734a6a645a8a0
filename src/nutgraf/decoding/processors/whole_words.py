"""Words are not joined from pieces as nowhere in the source (ours).

A network that copies piece by piece finds what follows "," in the source behind many a comma: out of "2 million," and
"15,000 inhabitants" it would make "2 million,000 inhabitants". And it may copy on from the middle of another word than
the one that it began.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jaxtyping import Float, Int
from torch import Tensor

from nutgraf.decoding.processors import NEVER, Hypotheses, LogitsProcessor, SearchContext
from nutgraf.model.records import EncoderOutput
from nutgraf.presets.family import NoOptions


class WholeWords(LogitsProcessor):
    """Forbids the joints of words that the source does not have; needs `Limits.inner_marks` and `tails`."""

    def __init__(self, config: NoOptions, context: SearchContext) -> None:
        super().__init__(config, context)
        limits = context.limits
        self.acts, self.copies_whole = bool(limits.inner_marks), bool(limits.tails)
        self.marks, self.tails = context.table(limits.inner_marks), context.table(limits.tails)
        self.sources = context.source.tolist() if self.acts else []

    def begin(self, encoder_output: EncoderOutput) -> EncoderOutput:
        """Tell heads that copy which places of the source are within a word."""
        if not self.copies_whole:
            return encoder_output
        return replace(encoder_output, inside_word=self.tails[encoder_output.source_extended])

    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Forbid letters and digits behind a comma, point or colon within a word where the source has no such word."""
        if not self.acts or not hypotheses.length:
            return
        for row, beam in self.marks[hypotheses.ids[..., -1]].nonzero().tolist():
            word = self._last_word(hypotheses.ids[row, beam])
            joined = self.tails.clone()
            joined[following(self.sources[hypotheses.documents[row]], word)] = False
            log_probs[row, beam, joined] = NEVER

    def _last_word(self, ids: Int[Tensor, " length"]) -> list[int]:
        """Return the tokens from the last one that is neither mark nor tail, which begins a word."""
        first = (~(self.marks | self.tails))[ids].nonzero()
        return ids[int(first[-1]) if len(first) else 0 :].tolist()


def following(source: Sequence[int], word: Sequence[int]) -> list[int]:
    """Return the tokens that follow a sequence, wherever it stands in a source."""
    length = len(word)
    return [source[at + length] for at in range(len(source) - length) if list(source[at : at + length]) == list(word)]

"""Numbers and names are written only as they stand in the source (ours).

As soon as a word has a digit or, in a vocabulary with upper case, begins with a capital, it has to begin as a word of
the source does, and it may end only where that one can end: at its end, or before a mark that no digit follows
("15-year-old" allows "15", but "15,000" does not). A capital at the beginning of a sentence is free where the
vocabulary has the same word in lower case. Digits are 0 to 9, capitals A to Z.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from nutgraf.decoding.processors import NEVER, Hypotheses, LogitsProcessor, SearchContext
from nutgraf.model.records import EOS

MARKERS = "Ġ▁#"
"""Characters with which vocabularies mark the beginning or the inside of a word."""

_MARK = r"[!-/:-@\[-`{-~]"
DIGIT, CAPITAL, MARKS, MARKS_BEHIND = (re.compile(one) for one in ("[0-9]", "[A-Z]", f"{_MARK}+", f"{_MARK}+$"))

END = re.compile(f"(?={_MARK}(?![0-9]))|$")
"""Places where a word of the source may end: before a mark that no digit follows, and at its end."""


@dataclass(frozen=True)
class Config:
    """Numbers and names only from the source."""

    numbers: bool = True
    """No number that the source does not have."""

    names: bool = True
    """No name that the source does not have, where the vocabulary has upper case."""


class Grounding(LogitsProcessor):
    """Forbids numbers and names that a source does not have; needs `Limits.tokens`."""

    def __init__(self, config: Config, context: SearchContext) -> None:
        super().__init__(config, context)
        texts = [text.lstrip(MARKERS) for text in context.limits.tokens or ()]
        self._texts = texts + [""] * (context.extended_size - len(texts))  # copied words are the source's own
        cased = config.names and any(CAPITAL.match(text) and len(text) > 1 for text in texts)
        known = {text for text in texts if text.islower()}
        digits = [token for token, text in enumerate(texts) if config.numbers and DIGIT.search(text)]
        capitals = [token for token, text in enumerate(texts) if cased and CAPITAL.match(text)]
        self._acts = bool(digits or capitals)
        self._pattern = re.compile("|".join([DIGIT.pattern] * config.numbers + ["^" + CAPITAL.pattern] * cased) or "$^")
        self._begins = context.begins_word() | context.table([EOS])
        self._first, self._ends = set(self._begins.nonzero().flatten().tolist()), set(context.limits.sentence_ends)
        self._common = {token for token in capitals if texts[token].lower() in known}
        self._digits, self._checked = context.table(digits), context.table([*digits, *capitals])
        self._unless_common = context.table([token for token in [*digits, *capitals] if token not in self._common])
        self._letters = ~context.table([token for token, text in enumerate(texts) if text and not MARKS.sub("", text)])

    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Forbid, for each hypothesis, the tokens with which a number or a name would leave the source."""
        if not self._acts:
            return
        for row, document in enumerate(hypotheses.documents):
            for beam, ids in enumerate(hypotheses.ids[row].tolist()):
                log_probs[row, beam, self._forbidden(ids, self._sources[document])] = NEVER

    def _forbidden(self, ids: Sequence[int], source: _Source) -> Bool[Tensor, " extended"]:
        """Return the tokens that must not follow."""
        begin = next((at for at in range(len(ids) - 1, -1, -1) if ids[at] in self._first), 0)
        word = self._word(ids[begin:])
        free = begin < len(ids) and ids[begin] in self._common and self._ends_sentence(ids[:begin])
        checked = self._pattern.search(word) is not None and not free
        new, inside = self._beginnings(ids).clone(), (self._digits if word else self._checked).clone()
        new[source.following("", True)] = False
        if checked and source.may_end(word):
            inside |= self._letters
        elif checked:
            new[:] = inside[:] = True
        inside[source.following(word, False)] = False
        return torch.where(self._begins, new, inside)

    def _beginnings(self, ids: Sequence[int]) -> Bool[Tensor, " extended"]:
        """Return the tokens that begin a number or a name."""
        return self._unless_common if self._ends_sentence(ids) else self._checked

    def _ends_sentence(self, ids: Sequence[int]) -> bool:
        return not ids or ids[-1] in self._ends

    @cached_property
    def _sources(self) -> list[_Source]:
        found = []
        for ids in self.context.source.tolist():
            begins = [at for at, token in enumerate(ids) if token in self._first or at == 0]
            words = {self._word(ids[begin:end]) for begin, end in zip(begins, [*begins[1:], len(ids)], strict=True)}
            found.append(_Source(words - {""}, self._by_text))
        return found

    @cached_property
    def _by_text(self) -> dict[tuple[str, bool], list[int]]:
        """Return the tokens with a text, by that and by whether they begin a word."""
        found: dict[tuple[str, bool], list[int]] = defaultdict(list)
        for token, text in enumerate(self._texts):
            found[text, token in self._first].append(token)
        return found

    def _word(self, ids: Sequence[int]) -> str:
        """Return the text of a word, without the marks before it."""
        text = "".join(self._texts[token] for token in ids)
        before = MARKS.match(text)
        return text[before.end() :] if before else text


class _Source:
    """The words of a source: how they go on, and where they may end."""

    def __init__(self, words: set[str], by_text: dict[tuple[str, bool], list[int]]) -> None:
        self._words, self._by_text = sorted(words), by_text
        self._ends = {word[: place.start()] for word in words for place in END.finditer(word)}
        self.following = cache(self._following)

    def _following(self, begun: str, first: bool) -> list[int]:
        """Return the tokens with which what has begun goes on as a word of the source does."""
        rests = {word[len(begun) :] for word in self._words if word.startswith(begun)}
        texts = {rest[:length] for rest in rests for length in range(1, len(rest) + 1)}
        return sorted(token for text in texts for token in self._by_text.get((text, first), ()))

    def may_end(self, word: str) -> bool:
        """Return True if a word may end here, the marks behind it left out."""
        after = MARKS_BEHIND.search(word)
        return (word[: after.start()] if after else word) in self._ends

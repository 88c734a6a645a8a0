"""Which sentences lean on others: without these a reader cannot follow them.

Paice 1990 (*Constructing Literature Abstracts by Computer*) treats such references at length; Durrett, Berg-Kirkpatrick
and Klein 2016 (*Learning-Based Single-Document Summarization with Compression and Anaphoricity Constraints*) forbid
summaries that break them.
"""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.prose.dependence.names import namesakes
from nutgraf.text.cues import begins_with_pronoun, is_third_person, leans_on_previous
from nutgraf.text.document import Document, kept


@dataclass(frozen=True, slots=True)
class Leaning:
    """What a sentence leans on.

    Attributes:
        needs: Indices of earlier sentences that must stand before it, the nearest first.
        connective: Number of characters at the beginning of the printed sentence without which the rest stands alone;
            0 if there is no such beginning.
        reason: Why it leans, in words for the reader.
        unmet: True if it leans on something that the text does not have.
        bounds: Indices of earlier sentences that it bounds or reverses, so that they should not stand without it.
        others: Indices of other earlier sentences, any of which does in the place of the nearest that it needs, since
            they name the same person.
    """

    needs: tuple[int, ...] = ()
    connective: int = 0
    reason: str = ""
    unmet: bool = False
    bounds: tuple[int, ...] = ()
    others: tuple[int, ...] = ()

    @property
    def leans(self) -> bool:
        """True if the sentence, as it is printed, does not stand alone."""
        return bool(self.needs or self.connective or self.unmet)


@kept
def leanings(document: Document) -> list[Leaning | None]:
    """What each sentence leans on; None for a sentence that stands alone."""
    starts = {part.start for part in document.parts}
    found: list[Leaning | None] = []
    for index, text in enumerate(document.printed):
        leans = leans_on_previous(text, document.language) or begins_with_pronoun(text, document.language)
        if not leans:
            found.append(None)
            continue
        first = index == 0 or any(
            document.sentences[index - 1].start < start <= document.sentences[index].start for start in starts
        )
        word, _, rest = text.partition(", ")
        cut = len(word) + 2 if rest and len(word.split()) < 5 and leans_on_previous(text, document.language) else 0
        cut = 4 if text.startswith(("But ", "Yet ")) else cut
        reason = f"begins with “{text.split()[0].strip(',')}”"
        needs: tuple[int, ...] = () if first or cut else (index - 1,)
        person = needs and is_third_person(document.words[index][:1], document.language)
        others = namesakes(document, index, needs[0]) if person else ()
        found.append(Leaning(needs, cut, reason, unmet=first and not cut, others=others))
    return found


@kept
def units(document: Document) -> list[range]:
    """Indices of consecutive sentences that are taken all together or not at all: lists with their introductions."""
    return []

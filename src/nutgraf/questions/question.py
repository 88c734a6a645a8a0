"""A question as it is understood: what it asks for, and the words by which it is answered."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.questions.wordlists import Kind, word_lists
from nutgraf.text.clean import with_plain_apostrophes
from nutgraf.text.language import elision
from nutgraf.text.tokenize import compared_words

LIGHT = 0.3
"""Weight of a word that says little about what is asked, as a share of that of others."""

ASKING = 0.5
"""Weight of a word by which a question tells what it asks for: "price" of "what price"."""

LONGEST_ASKING = 3
"""Most words that tell the kind and nothing else: "how fast", "which city"."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question.

    Attributes:
        text: The question.
        kind: What it asks for; "thing" where its words do not tell.
        unit: Unit of the number that it asks for: "money", "duration", "frequency", "age", "measure" or "count".
        language: Language of the text that is asked, in which the question is read.
        words: Its words that are no function words, lowercased, each once, with their weight.
        focus: The first of them behind the words that tell the kind: "birds" of "how many birds"; "" for none.
        implied: Words that it means without saying them.
    """

    text: str
    kind: Kind
    unit: str
    language: str
    words: tuple[tuple[str, float], ...]
    focus: str = ""
    implied: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """Name of the pattern of what is asked for: the unit of a number, else the kind."""
        return self.unit or self.kind


def read_question(text: str, language: str, stop_words: frozenset[str]) -> Question:
    """Understand a question by its words."""
    lists = word_lists(language)
    plain = with_plain_apostrophes(" ".join(text.split())).rstrip(" ?!.").lower()
    ask = next((one for one in lists.asks if one.words.search(plain)), None) if lists else None
    light = lists.light if lists else frozenset[str]()
    words = dict.fromkeys(_content(compared_words(plain, language), language, stop_words))
    match = ask.words.search(plain) if ask else None
    behind = compared_words(plain[match.end() :], language) if match else []
    within = compared_words(match.group(), language) if match else []
    asking = frozenset(within if len(within) <= LONGEST_ASKING else ())
    return Question(
        text=text,
        kind=ask.kind if ask else "thing",
        unit=ask.unit if ask else "",
        language=language,
        words=tuple((word, LIGHT if word in light else ASKING if word in asking else 1.0) for word in words),
        focus=next((word for word in behind if word in words and word not in light), ""),
        implied=ask.implied if ask else (),
    )


def _content(words: list[str], language: str, stop_words: frozenset[str]) -> list[str]:
    split = [
        part for word in words for part in (word.split("-") if stop_words.intersection(word.split("-")) else [word])
    ]
    bare = [word[elision(language, word) :] for word in split if word]
    found = [word for word in bare if word not in stop_words and (len(word) > 1 or word.isdigit() or word > "\u02ff")]
    return found or bare

"""Adaptive extraction: a method for each genre of text, chosen by what the text itself shows.

What is important stands elsewhere in each genre: at the beginning of news, near the borders of the sections of papers
(Dong, Mircea and Cheung 2021), in what the documents of a cluster share (Gillick and Favre 2009), in the sentences of
an abstract that announce results (Edmundson 1969), and anywhere in a story, but seldom in what its people say.
The sentence that introduces the subject comes first (`nutgraf.prose.introduction`), but not in news, stories and talk.
In meetings and their minutes what was decided, promised and left open (`nutgraf.meetings`) precedes what is central.
`nutgraf.text.genre` recognizes the genre, and the method given for it here selects the sentences. The defaults were
chosen on training data of each genre; `benchmarks/quality.py` compares them with the best single methods on other data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from nutgraf.extractive import (
    PartialSummary,
    Ranking,
    Ratings,
    Selector,
    SentenceRanker,
    SentenceSelector,
    behind_highlights,
    sentence_rankers,
)
from nutgraf.extractive.greedy import select_by
from nutgraf.meetings.evidence import Kind
from nutgraf.meetings.find import meeting_of
from nutgraf.meetings.utterances import is_minutes
from nutgraf.presets import Choice
from nutgraf.presets.family import SHIPPED
from nutgraf.prose.introduction import announcement, introduction
from nutgraf.text.cues import tells_result
from nutgraf.text.document import Document
from nutgraf.text.genre import GENRES, Genre, is_scholarly, recognize_genre, reports

INTRODUCED: dict[Genre, Callable[[Document], int | None]] = {
    "article": introduction,
    "paper": introduction,
    "abstract": announcement,
}
"""Function that finds the introduction in each genre; what an abstract defines was known before."""

REPORTED = 0.1
"""Share of sentences that report something in news, which say at once what happened and need no introduction."""

LIFT = 1.0
"""Lift of such a sentence, that of a plain highlight."""

RESULT_LIFT = 0.15
"""Lift of the last sentence of an abstract that tells a result; a larger one takes the room of the introduction."""

SETTLED: dict[Kind, float] = {"decision": 1.0, "action": 0.2, "question": 0.1}
"""Lift of what a meeting decides, of what somebody promises there, and of what it leaves open."""

FEW = 100
"""Number of sentences of a meeting beyond which such a lift shrinks: the longer it is, the less each of them tells."""

SETTLES: dict[Kind, str] = {
    "decision": "seems to say what was decided",
    "action": "seems to say who will do what",
    "question": "seems to say what stays open",
}
"""Reasons of such sentences, for the reader."""

PROMISED, TELLING = 0.01, 0.03
"""Shares of sentences that promise something, and that promise or surely decide something, below which talk settles
nothing: debates, interviews."""

MEETING = 3
"""Number of people from which short talk may be a meeting; what two talk about is a chat."""

MOST_SETTLED = 6
"""Maximum number of decisions, of promises and of questions that are lifted: those that are surest."""

INTRODUCES = "introduces the subject"
"""Reason of such a sentence, for the reader."""


def _covering(**options: Any) -> Callable[[], Choice[SentenceRanker]]:
    return lambda: sentence_rankers.choice({"kind": "weighted_coverage", **options}, context=SHIPPED)


def _dialogue() -> Choice[SentenceRanker]:
    return sentence_rankers.choice({"kind": "dialogue"}, context=SHIPPED)


@dataclass(frozen=True)
class Config:
    """A method for each genre."""

    genre: Literal["auto", "article", "paper", "abstract", "story", "cluster", "transcript", "dialogue"] = "auto"
    """Genre of the text; "auto" recognizes it."""

    selector: Literal["auto", "none"] = "auto"
    """Whether a network that reads the text is asked in the genres where that is better: "auto", where one is
    installed, or "none"."""

    introduce: bool = True
    """Take the sentence that introduces the subject before all others, and lift the result of an abstract."""

    article: Choice[SentenceRanker] = field(default_factory=_covering(selector_weight=4.0))
    """Method for news and everything that has no other genre."""

    paper: Choice[SentenceRanker] = field(
        default_factory=_covering(
            unigram_share=0.0,
            weight_exponent=1.5,
            min_frequency=2,
            position="border",
            centrality=("lex_rank",),
            centrality_weight=0.5,
        )
    )
    """Method for texts with sections, and other long ones."""

    abstract: Choice[SentenceRanker] = field(
        default_factory=_covering(
            weight_exponent=2.0,
            position_decay=0.2,
            centrality=("lex_rank",),
            centrality_weight=0.5,
            cue_weight=0.75,
            selector_weight=1.0,
        )
    )
    """Method for abstracts of papers."""

    story: Choice[SentenceRanker] = field(
        default_factory=_covering(
            unigram_share=0.3,
            weight_exponent=1.5,
            min_frequency=2,
            position="none",
            centrality=("hipo_rank",),
            centrality_weight=0.5,
            narration_weight=10.0,
            centroid_weight=3.0,
            cost_exponent=0.3,
        )
    )
    """Method for stories."""

    cluster: Choice[SentenceRanker] = field(
        default_factory=_covering(
            unigram_share=0.0,
            min_frequency=2,
            position_decay=0.02,
            centrality=("text_rank",),
            cost_exponent=0.5,
        )
    )
    """Method for several documents on one subject."""

    transcript: Choice[SentenceRanker] = field(
        default_factory=_covering(
            unigram_share=0.3,
            weight_exponent=0.5,
            min_frequency=2,
            position_decay=0.1,
            centrality=("text_rank",),
            selector_weight=1.0,
        )
    )
    """Method for meetings and interviews."""

    dialogue: Choice[SentenceRanker] = field(default_factory=_dialogue)
    """Method for short dialogues: chats, calls, and talk at a counter."""


class Adaptive(SentenceSelector):
    """Selects sentences as the method for the text's genre does."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._methods: dict[Genre, SentenceRanker] = {
            genre: sentence_rankers.build(getattr(config, genre)) for genre in GENRES
        }
        self._unread = self._methods["article"]

    @property
    def asks(self) -> bool:
        """True if a selector changes what is selected in some genre."""
        return self.config.selector == "auto" and any(method.asks for method in self._methods.values())

    def advise(self, selector: Selector) -> None:
        """Hand in a selector, which of articles is asked about scholarly ones; see `SentenceRanker`."""
        if self.config.selector == "auto":
            self._unread = sentence_rankers.build(self.config.article)
            for method in self._methods.values():
                method.advise(selector)

    def fit(self, documents: Iterable[Document]) -> None:
        """Collect the statistics that the methods need."""
        documents = list(documents)
        for method in {*self._methods.values(), self._unread}:
            method.fit(documents)

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the method for the genre, with the introduction before all but what is highlighted."""
        genre = self._genre(document)
        introduced, settled = self._introduction(document, genre), self._settled(document, genre)
        lifted = self._lifted(document, genre, introduced, settled, boosts)
        return self._method(document, genre).rank(document, lifted)

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Select by the method for the genre, with the introduction before all but what is highlighted."""
        summary.genre = self._genre(document)
        method, introduced = self._method(document, summary.genre), self._introduction(document, summary.genre)
        if introduced is not None:
            summary.vouch_for(introduced)
        settled = self._settled(document, summary.genre)
        for index in settled:
            summary.vouch_for(index)
        lifted = self._lifted(document, summary.genre, introduced, settled, boosts)
        ranking = select_by(method, document, summary, lifted)
        if introduced in summary.selected:
            summary.reasons[introduced] = (INTRODUCES, *summary.reasons.get(introduced, ()))
        for index in settled.keys() & set(summary.selected):
            summary.reasons[index] = (SETTLES[settled[index]], *summary.reasons.get(index, ()))
        return ranking

    def _method(self, document: Document, genre: Genre) -> SentenceRanker:
        """Return the method for a document; of articles, a network adds something to those that scholars write."""
        unread = genre == "article" and self._unread is not self._methods[genre] and not is_scholarly(document)
        return self._unread if unread else self._methods[genre]

    def _genre(self, document: Document) -> Genre:
        return recognize_genre(document) if self.config.genre == "auto" else self.config.genre

    def _introduction(self, document: Document, genre: Genre) -> int | None:
        """The sentence that introduces the subject; news say at once what happened, and need none."""
        if not self.config.introduce or genre not in INTRODUCED or (genre == "article" and reports(document, REPORTED)):
            return None
        return INTRODUCED[genre](document)

    def _settled(self, document: Document, genre: Genre) -> dict[int, Kind]:
        """Sentences of a meeting or its minutes that decide, promise or leave open something, with what they do."""
        if not _may_settle(document, genre):
            return {}
        meeting = meeting_of(document)
        promised = sum(one.kind == "action" for one in meeting.found)
        decided = sum(one.kind == "decision" and one.odds > 0 for one in meeting.found)
        size = len(document.sentences)
        if document.turns and (promised < PROMISED * size or promised + decided < TELLING * size):
            return {}
        surest = sorted(meeting.found, key=lambda one: -one.odds)
        found: dict[int, Kind] = {}
        for kind in ("question", "action", "decision"):
            for one in [one for one in surest if one.kind == kind][:MOST_SETTLED]:
                found |= dict.fromkeys(meeting.spoken[one.number].sentences, kind)
        return found

    def _lifted(
        self,
        document: Document,
        genre: Genre,
        introduced: int | None,
        settled: Mapping[int, Kind],
        boosts: Ratings | None,
    ) -> Ratings | None:
        """Boosts by which a method takes the introduction first, behind what a person highlights."""
        lifts = np.ones(len(document.sentences))
        if genre == "abstract" and self.config.introduce:
            lifts[_result(document)] += RESULT_LIFT
        for index, kind in settled.items():
            lifts[index] += SETTLED[kind] * min(1.0, FEW / len(lifts))
        if introduced is not None:
            lifts[introduced] = 1 + LIFT
        if not (lifts > 1).any():
            return boosts
        return behind_highlights(lifts, boosts, LIFT)


def _may_settle(document: Document, genre: Genre) -> bool:
    """Return True for talk of at least three people, for long talk, and for minutes."""
    if genre == "dialogue":
        return len({turn.name for turn in document.turns}) >= MEETING
    return genre == "transcript" or (genre in ("article", "paper") and is_minutes(document))


def _result(document: Document) -> list[int]:
    """The last sentence that tells a result, if there is one."""
    told = (index for index, text in enumerate(document.printed) if tells_result(text, document.language))
    return list(told)[-1:]

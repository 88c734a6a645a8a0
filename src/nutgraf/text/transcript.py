"""Transcripts of meetings and interviews: who says what, and which utterances say nothing.

A text is a transcript if most of its paragraphs begin with a label, and labels recur: a name and a colon, or a name on
a line of its own; `nutgraf.text.chat` has those with time stamps. What a person says until the next label is a turn.
Labels, time stamps, numbers of questions and stage directions ("[laughter]") belong to no sentence.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from nutgraf.text import tokenize
from nutgraf.text.late import Late
from nutgraf.text.notes import head_start, tail
from nutgraf.text.stamps import are_growing, stamp_in, times_of
from nutgraf.text.stop_words import ENGLISH
from nutgraf.text.tokenize import Span, sentence_spans
from nutgraf.text.turns import Turn

FEWEST_TURNS = 4
"""Minimum number of turns of a transcript whose labels have no time stamps; 3 with them."""

LABELLED = 0.25
"""Minimum share of the paragraphs between the first and the last label that begin with one."""

DIALOGUE = 0.4
"""Minimum share of the text that stands between the first and the last label."""

RECURRING = 0.6
"""Minimum share of labels that occur more than once."""

SPEAKERS = 0.7
"""Minimum share of labels that are not keywords of a form, such as "Subject"."""

ENDED = 0.4
"""Minimum share of turns in which a sentence ends with a mark, unless labels have time stamps: in values of a form none
does, and in chats not all."""

SPOKEN_WORDS = 5
"""Median number of words from which turns are speech without such a mark; values of a form have fewer."""

CONTINUED = 0.25
"""Share of paragraphs without a label from which such a paragraph continues the turn before it; where they are fewer,
they are remarks of an editor, whom nobody should take for the speaker."""

LONGEST_LABEL = 140
"""Maximum number of characters of a label with its time stamp."""

MOST_HESITATION = 0.25
"""Maximum share of words of an utterance that are hesitations, repetitions, or a "yeah" amid it."""

LONGEST_ANSWER = 6
"""Maximum number of words of an answer that is joined with its question."""

YES_OR_NO = frozenset("yes no ja nein oui non si sí sì sim não nee да нет".split())
"""Answers that say something, short as they are."""

_PLAIN_LABEL = Late(r"\s+[^\W\d_][^\d\n:：]*[:：]\s*")
_STAMP = r"[\[(]?(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?"
_NAME = r"(?P<name>#?[^\W_][^\n:：?!;|\t]{0,78}?)"
_COLON = Late(
    rf"(?P<stamp>{_STAMP}\s*[-–—]?\s*)?(?:Q\.?\s?\d+\.?\s+)?\*{{0,2}}{_NAME}(?P<later>[,\s]*{_STAMP})?\*{{0,2}}\s?[:：]\*{{0,2}}"
    rf"(?:\s+|$|(?<=：))"
)
_LETTER = Late(r"(?P<name>[QA])\.\s+")
_STAMP_IN = Late(r"\d:\d\d")
_STAMP_ALONE = Late(rf"^[^\S\n]*{_STAMP}[^\S\n]*$", re.MULTILINE)
_ALONE = Late(rf"{_NAME}\s*$")
_NICK = Late(r"<[@+%~&! ]?(?P<name>[^\s<>/]{1,40}(?: [^\s<>]{1,20}){0,3})>[^\S\n]+(?=\S)")
_COLONS = Late(r"[:：]|^\s*[QA]\.\s|^\s*<[^<>\n]{1,60}>[^\S\n]", re.MULTILINE)
_LINE = Late(r"[^\n]*\S[^\n]*")
_BREAK = Late(r"\n[^\S\n]*\n\s*|[\f\v\u2028\u2029]+\s*")
AFTER_NAME = Late(r"\s*[,(\[/].*", re.DOTALL)
"""What stands after the name on a label: a title, an office, or a remark in brackets."""

_ENDED = Late(r"\w{2}[.!?…]+[\"'”’»)\]}]*\s+[^\W\d_]")
_END = Late(r"[.!?…\-–—][\s\"'”’»)\]}]*$")

_SMALL_WORDS = frozenset(
    "al and bin d' da das de del der des di do dos du e el et i la le of og the und van von y zu".split()
)
_ROLES = frozenset("guest host interviewer interviewee moderator participant person speaker spk".split())
_NO_SPEAKERS = frozenset(
    """
    abstract action actions address agenda aim answer-key apologies article attending attention author background
    bcc caption cause cc chapter claim conclusion conclusions con cons correction date day debug decision decisions
    definition description directions doi effect email error example examples excused exercise fact figure fig from
    fw fwd hint info ingredients introduction isbn item keywords lemma location mail method methods minutes month
    motion myth name next note notes objective owner page part phone place present price problem pro pros proof ps
    published rating re reason received remark resolution result results rule section sent serves solution source
    sources status step steps subject summary table task tel theorem time tip tips title to todo total trace
    transcript update url verdict version warn warning website week who why year yield
    """.split()
)

_NOISE = (
    r"(?:applause|background|beep|breath\w*|chuckl\w*|click\w*|cough\w*|cross-?talk|disfmarker|gap|giggl\w*|inaudible|"
    r"indiscernible|laugh\w*|mouth|music|noise\w*|nonvocalsound|overlap\w*|paus\w*|sigh\w*|silence|sniff\w*|"
    r"unclear|unintelligible|vocalsound)"
)
_ANY = r"[^\[\]()\n]{0,30}?"
_NOISES = Late(rf"\s*(?:\{{\w+\}}|\[{_ANY}\b{_NOISE}\b{_ANY}\]|\({_ANY}\b{_NOISE}\b{_ANY}\))", re.IGNORECASE)
_EMOJI = Late(r"(?:^|(?<=[\s.!?,)]))\s*:(?:[a-z+_-][\w+-]{0,40}|100):(?=[\s.!?,:]|$)(?:\s\d{1,3}(?=\s*$))?")
_IS_NOISE = Late(_NOISE, re.IGNORECASE)
_BRACKETS = Late(r"\[[^\[\]]{1,300}\]|\{[^{}\n]{1,40}\}|\([^()\n]{1,60}\)|[♪♫][^♪♫\n]*[♪♫]?")
_BEFORE_DIRECTION = tuple(".!?…-–—\"'”’])}♪♫")


@dataclass(frozen=True, slots=True)
class _Label:
    """A line that begins with a label, or what looks like one."""

    speaker: str
    start: int
    end: int
    stamped: bool


def labelled_turns(text: str) -> list[Turn]:
    """Turns of a transcript by names and colons, or names alone; the list is empty if a text is none."""
    lines = [match.span() for match in _LINE.finditer(text)]
    colons = [(start, end) for start, end in lines if _COLONS.search(text, start, min(end, start + LONGEST_LABEL))]
    labels = [label for start, end in colons if (label := _with_colon(text, start, end))]
    spoken = [label for label in labels if not is_keyword(label.speaker)]
    if len(spoken) < SPEAKERS * len(labels):
        return []
    if _is_transcript(text, spoken, lines, unended=True):
        return _timed(text, _turns(text, spoken))
    alone = _names_alone(text, lines)
    return _timed(text, _turns(text, alone)) if _is_transcript(text, alone, lines) else []


def speaker_on_label(label: str) -> str:
    """Return the name on a label, without title and office after a comma; "" if it names nobody."""
    name = AFTER_NAME.sub("", label).strip(" \t*\"'“”")
    words = name.split()
    if not 1 <= len(words) <= 6:
        return ""
    if words[0].casefold().rstrip("_0123456789") in _ROLES and len(words) <= 2:
        return name
    if words[0].isdigit() or any(word[0].islower() and word.casefold() not in _SMALL_WORDS for word in words):
        return ""
    return name if any(letter.isalpha() for letter in name) else ""


def turn_sentences(text: str, turns: Sequence[Turn], language: str) -> list[Span]:
    """Spans of the sentences of a transcript; none crosses from one turn to the next but a question and its answer.

    An answer of a few words says nothing without the question, so both are one span: "Is it agreed? Bob: Yes."
    """
    if not turns:
        return sentence_spans(text, language)
    spans: list[Span] = []
    at = 0
    for turn in turns:
        spans += _between_directions(text, at, turn.label, language)
        own = list(_between_directions(text, turn.start, turn.end, language))
        if len(own) == 1 and spans and spans[-1][1] == at and _answers(text, spans[-1], turn, language):
            spans[-1] = (spans[-1][0], own[0][1])
        else:
            spans += own
        at = turn.end
    return [*spans, *_between_directions(text, at, len(text), language)]


def _answers(text: str, before: Span, turn: Turn, language: str) -> bool:
    """Return True if a turn is a short answer to the question before it, and its label can be printed between them."""
    question, answer = text[before[0] : before[1]], text[turn.start : turn.end]
    if not question.endswith(("?", "？", "؟")) or not _PLAIN_LABEL.fullmatch(text, before[1], turn.start):
        return False
    asked, told = tokenize.words(question, language), tokenize.words(answer, language)
    if len(told) > LONGEST_ANSWER or is_broken(answer, told) or is_empty(question, asked):
        return False
    return told[0] in YES_OR_NO or not is_filler(told)


def without_noises(sentence: str) -> str:
    """Remove marks of noises, repairs and emoji within a sentence, such as [ vocalsound ], {disfmarker} and :tada:."""
    if "[" in sentence or "{" in sentence or "(" in sentence:
        sentence = _NOISES.sub("", sentence)
    return _EMOJI.sub("", sentence) if sentence.count(":") > 1 else sentence


BACKCHANNELS = frozenset(
    """
    absolutely actually agree agreed ah aha ahead alright amazing anyway aw awesome basically bye cheers course cool
    correct definitely eh er erm exactly excellent fair fantastic fine glad god good goodbye gosh great guess guys
    ha hang hear hello hey hi hm hmm hold honestly huh interesting kind know literally lovely mean mhm mind mm mmm
    nah nice noted nope oh oho ok okay ooh oops ouch pardon perfect please point problem right sec second see sense
    sorry sort stuff suppose sure thank thanks thing think totally true uh uhh uhm um umm understand understood
    waiting welcome wonder wonderful worries wow ya yay yeah yep yup ach ähm äh euh genau ja nee nein non oui ouais
    bueno claro sí vale
    """.split()
)
"""Words of utterances that show attention or fill a pause."""

_HESITATIONS = frozenset("ah eh er erm euh hm hmm mm mmm oh uh uhh uhm um umm ähm äh".split())
_INTERJECTIONS = frozenset("okay yeah yep yes".split())
_NEVER_LAST = frozenset(
    "a an the and or but if because my your our their i'm we're they're it's that's there's".split()
)
_BREAKS_OFF = Late(r"(?:[-–—]+|\.\.\.|…|,|,\s?(?:you know|i mean|like|uh|um|er|yeah))\s*[-–—.,]*$", re.IGNORECASE)
_STARTS_ANEW = Late(r"\s[-–—]{1,2}\s+(?=[^\W\d_a-z])")
_PART_OF_WORD = Late(r"[-–—/]")


def is_empty(sentence: str, words: Sequence[str], stop_words: Collection[str] = ENGLISH) -> bool:
    """Return True for an utterance that no summary should contain: one that breaks off, or has no content.

    Args:
        sentence: The utterance as it is printed.
        words: Its lowercased words, without punctuation.
        stop_words: Function words of its language.
    """
    return is_filler(words, stop_words) or is_broken(sentence, words)


def is_filler(words: Sequence[str], stop_words: Collection[str] = ENGLISH) -> bool:
    """Return True if an utterance has no content: a back-channel, a greeting, or function words only."""
    parts = [part for word in words for part in _PART_OF_WORD.split(word) if part]
    return all(part in BACKCHANNELS or part in stop_words for part in parts)


def is_broken(sentence: str, words: Sequence[str]) -> bool:
    """Return True if an utterance breaks off, or hesitates too often to be followed; see `MOST_HESITATION`."""
    if not words or _BREAKS_OFF.search(sentence) or words[-1] in _NEVER_LAST:
        return True
    hesitant = sum(word in _HESITATIONS for word in words) + sum(word in _INTERJECTIONS for word in words[1:])
    return hesitant + _repeated(words) > MOST_HESITATION * len(words)


def _repeated(words: Sequence[str]) -> int:
    """Number of words that only repeat the one or two before them ("we we did", "if we if the")."""
    spoken = [word for word in words if word not in _HESITATIONS]
    once = sum(before == after for before, after in pairwise(spoken))
    pairs = list(pairwise(spoken))
    return once + sum(first == second for first, second in zip(pairs, pairs[2:], strict=False))


def _with_colon(text: str, start: int, end: int) -> _Label | None:
    """A name and a colon, perhaps with a time stamp or the number of a question; also Q. and A., and <ana> of IRC."""
    start = _first_text(text, start)
    found = _COLON.match(text, start, end)
    if found is None:
        other = _LETTER.match(text, start, end) or _NICK.match(text, start, end)
        return other and _Label(other["name"], start, other.end(), False)
    speaker = speaker_on_label(found["name"])
    return _Label(speaker, start, found.end(), bool(found["stamp"] or found["later"])) if speaker else None


def _names_alone(text: str, lines: Sequence[Span]) -> list[_Label]:
    """Names that stand alone on a line above what is said; such a name occurs three times or more."""
    labels = []
    for start, end in lines:
        start = _first_text(text, start)
        above = text[end : end + 1] == "\n" and text[end + 1 : end + 2] not in ("", "\n")
        found = (
            _ALONE.match(text, start, end)
            if above and end - start <= 40 and not _END.search(text, start, end)
            else None
        )
        speaker = speaker_on_label(found["name"]) if found else ""
        if speaker and (start == 0 or _is_below_blank(text, start)):
            labels.append(_Label(speaker, start, end, False))
    counts = Counter(label.speaker for label in labels)
    return [label for label in labels if counts[label.speaker] >= 3]


def _is_below_blank(text: str, start: int) -> bool:
    """Return True if the line of a place, up to which it is blank, stands below a blank line."""
    while start and text[start - 1] in " \t":
        start -= 1
    return text.endswith("\n\n", 0, start)


def is_keyword(label: str) -> bool:
    """Return True for labels of notes, forms and mail headers, such as "Decision" and "Subject"."""
    words = label.casefold().split()
    return len(words) <= 2 and words[0] in _NO_SPEAKERS


def _is_transcript(text: str, labels: Sequence[_Label], lines: Sequence[Span], *, unended: bool = False) -> bool:
    """Return True if labels recur, most paragraphs have one, and what they introduce is speech.

    Speech without end marks is known by its length, where the labels are such that `unended` is True.
    """
    stamped = 2 * sum(label.stamped for label in labels) > len(labels)
    if len(labels) < FEWEST_TURNS - stamped:
        return False
    counts = Counter(label.speaker for label in labels)
    recurring = [label for label in labels if counts[label.speaker] > 1]
    speakers = len({label.speaker for label in recurring})
    recur = speakers + stamped >= 2 and len(recurring) >= RECURRING * len(labels)
    if not recur or _is_form([label.speaker for label in labels]):
        return False
    if _covered(text, labels, lines) < LABELLED or text[labels[0].start :].count(" ") < DIALOGUE * text.count(" "):
        return False
    ends = [label.start for label in labels[1:]] + [_block_end(text, labels[-1].end)]
    ended = sum(
        _ENDED.search(text, label.end, end) is not None or _END.search(text[label.end : end].rstrip()[-20:]) is not None
        for label, end in zip(labels, ends, strict=True)
    )
    if stamped or ended >= ENDED * len(labels):
        return True
    counted = [len(text[label.end : end].split()) for label, end in zip(labels, ends, strict=True)]
    return unended and len(recurring) == len(labels) and median(counted) >= SPOKEN_WORDS


def _is_form(speakers: Sequence[str]) -> bool:
    """Return True if three labels or more follow each other in the same order again and again, as keys do."""
    kinds = len(set(speakers))
    return kinds > 2 and all(before == after for before, after in zip(speakers, speakers[kinds:], strict=False))


def _covered(text: str, labels: Sequence[_Label], lines: Sequence[Span]) -> float:
    """Share of the paragraphs between the first label and the last that begin with one.

    Paragraphs are separated by blank lines, or by every line break if several labels stand between blank lines.
    """
    first, last = labels[0].start, labels[-1].start
    breaks = [found.end() for found in _BREAK.finditer(text, first, last)]
    blocks = sorted({bisect.bisect_right(breaks, label.start) for label in labels})
    if 2 * len(blocks) > len(labels):
        return len(blocks) / (len(breaks) + 1)
    return len(labels) / sum(first <= end and start <= last for start, end in lines)


def _turns(text: str, labels: Sequence[_Label]) -> list[Turn]:
    """Turns from one label to the next; see `CONTINUED` for paragraphs without a label."""
    ends = [label.start for label in labels[1:]] + [_block_end(text, _first_text(text, labels[-1].end))]
    loose = sum(_unlabelled(text, label.end, end) for label, end in zip(labels, ends, strict=True))
    continued = loose >= CONTINUED * (loose + len(labels))
    if not continued and _is_title(text, labels):
        return _turns(text, labels[1:])
    breaks = [*(found.start() for found in _BREAK.finditer(text)), len(text)]
    turns = []
    for label, end in zip(labels, ends, strict=True):
        start = min(_first_text(text, label.end), end)
        stop = end if continued else min(end, breaks[bisect.bisect_left(breaks, start)])
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        if stop > start:
            turns.append(Turn(label.speaker, start, stop, label.start))
    return turns


def _is_title(text: str, labels: Sequence[_Label]) -> bool:
    """Return True if the first label is part of a title: it does not recur, and other paragraphs follow it."""
    first, second, *_ = labels
    recurs = any(label.speaker == first.speaker for label in labels[1:])
    return not recurs and _unlabelled(text, first.end, second.start) > 0


def _timed(text: str, turns: Sequence[Turn]) -> list[Turn]:
    """Turns with the times that stand in some labels, or on lines of their own every few minutes."""
    alone = [found.span() for found in _STAMP_ALONE.finditer(text)]
    own = (stamp_in(text, turn.label, turn.start) for turn in turns if _STAMP_IN.search(text, turn.label, turn.start))
    stamps = sorted([*filter(None, own), *filter(None, (stamp_in(text, *span) for span in alone))])
    if not stamps or not are_growing(stamps):
        return list(turns)
    times = times_of(stamps)
    timed = []
    for turn in _without(text, turns, alone):
        before = bisect.bisect_right(stamps, turn.start, key=lambda stamp: stamp.start) - 1
        timed.append(turn._replace(times=((turn.start, times[before]),) if before >= 0 else ()))
    lines = [found.span() for found in _LINE.finditer(text)]
    timed[0] = timed[0]._replace(label=head_start(text, lines, timed[0].label))
    return [*timed, *tail(text, lines, timed[-1].end, timed[-1].end)]


def _without(text: str, turns: Iterable[Turn], lines: Sequence[Span]) -> Iterator[Turn]:
    """Turns without some lines, which belong to the label behind them."""
    at = 0
    for turn in turns:
        label, start = turn.label, turn.start
        while at < len(lines) and lines[at][1] <= turn.label:
            label = min(label, lines[at][0]) if not text[lines[at][1] : label].strip() else label
            at += 1
        while at < len(lines) and lines[at][0] < turn.end:
            if text[start : lines[at][0]].strip():
                yield turn._replace(start=start, end=start + len(text[start : lines[at][0]].rstrip()), label=label)
                label = lines[at][0]
            start = _first_text(text, lines[at][1])
            at += 1
        if start < turn.end:
            yield turn._replace(start=start, label=label)


def _first_text(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _block_end(text: str, start: int) -> int:
    found = _BREAK.search(text, start)
    return found.start() if found else len(text)


def _unlabelled(text: str, start: int, end: int) -> int:
    """Number of paragraphs that follow the first one of a turn, without those that are stage directions."""
    paragraphs = [one for one in _BREAK.split(text[_first_text(text, start) : end]) if one.strip()]
    return sum(not _BRACKETS.fullmatch(one.strip()) for one in paragraphs[1:])


def _between_directions(text: str, start: int, end: int, language: str) -> Iterator[Span]:
    """Spans of the sentences between stage directions; what breaks off in a dash is one of its own."""
    for first, last in _speech(text, start, end):
        begin = first
        for cut in [*(found.end() for found in _STARTS_ANEW.finditer(text, first, last)), last]:
            yield from ((begin + one, begin + other) for one, other in sentence_spans(text[begin:cut], language))
            begin = cut


def _speech(text: str, start: int, end: int) -> Iterator[Span]:
    for found in _BRACKETS.finditer(text, start, end):
        if found.start() >= start and _is_direction(text, found, start, end):
            yield start, found.start()
            start = found.end()
    yield start, end


def _is_direction(text: str, found: re.Match[str], start: int, end: int) -> bool:
    """Return True for brackets between sentences; round ones hold capitals or the name of a noise."""
    before, after = (
        text[max(start, found.start() - 20) : found.start()].rstrip(),
        text[found.end() : min(end, found.end() + 20)].lstrip(),
    )
    between = not before or before.endswith(_BEFORE_DIRECTION)
    between = between and (not after or after[0].isupper() or not after[0].isalpha())
    inside = found[0][1:-1]
    return between and (found[0][0] != "(" or inside.isupper() or _IS_NOISE.search(inside) is not None)

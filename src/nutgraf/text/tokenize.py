"""Paragraphs, sentences and words, as character spans.

English sentences come from nupunkt (a Punkt model, Kiss and Strunk 2006), those of other languages from
`sentence_ends`. No character is changed: every span can be shown in the user's text.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from nutgraf.text.abbreviations import INTRODUCING, SYMBOLS, TITLES_OF
from nutgraf.text.clean import without_sequences
from nutgraf.text.dictionary import is_common
from nutgraf.text.glued_ends import glued_ends
from nutgraf.text.late import Late
from nutgraf.text.paragraphs import Span as Span
from nutgraf.text.paragraphs import paragraph_spans
from nutgraf.text.segmentation import CJK, LIBRARIES, THAI, overlapping_pairs, segment
from nutgraf.text.sentence_ends import sentence_ends

LONGEST_SENTENCE = 250
"""Maximum number of words of a sentence; longer ones, in text without full stops, are broken into pieces."""

MOST_TOKENS = 1000
"""Maximum number of words and marks of a sentence. Where no spaces are, a few words may hold thousands of them."""

UNSPACED_LANGUAGES = frozenset(LIBRARIES)
"""Languages that are written without spaces between words."""

LONGEST_WORD = 1000
"""Runs of this many characters without a space are data, not prose: no sentence ends inside them, and nupunkt, whose
time grows with the square of their length, does not see them."""

LONGEST_TITLE = 10
"""Maximum number of characters of an English title that is abbreviated, with the mark before it."""

LONGEST_IN_BRACKETS = 250
"""Characters within which brackets are closed inside which no sentence ends."""

LEAST_AT_END, MOST_AT_END = 4, 20
"""Number of letters of a word of the dictionary that ends a sentence before a capital, even if nupunkt does not say so.

A shorter word, and capitals such as "OS", may be an abbreviation: they end it only before a word of the dictionary."""

RUNS = 1 << 14
"""Runs with marks whose words are remembered: the same word is before many commas."""

PIECE = 50
"""Maximum number of words in a piece of a broken sentence."""

_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0dff\u0e31-\u0e4e\u200c\u200d"
_WIDE_MARKS = "\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_UNSPACED = "\u0e00-\u0e30\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_LETTER = rf"[\w{_MARKS}]"
_TOKEN = re.compile(rf"(?:[^\W\d_]\.){{2,}}|\d+(?:[.,]\d+)+|{_LETTER}+(?:['’‐‑-]{_LETTER}+)*|[^\w\s]")
_SPACED = rf"(?:(?![{CJK}{THAI}]){_LETTER})+"
_WIDE_END = Late(rf"[{_WIDE_MARKS}]['\"”’)]*\Z")
_NARROW_END = Late(r"[.!?…—]['\"”’)]*\Z")
_FAR = re.compile("[^\0-\u0dff\u0f00-\u2fff]")  # quicker to compile than the ranges that it leaves

_BULLET = re.compile(r"(?:[•‣▪◦●○■□⁃∙]\s*|[-–*·]\s+)+(?=\S)")

_CLAUSE_NUMBER = re.compile(r"\s*(?:§\s?)?(?:\d{1,3}(?:\.\d{1,3})*[.)]|\([\da-z]{1,3}\))\s*")
_EMPTY_CELLS = re.compile(
    r"[|│┃║](?:[^\S\n]+[|│┃║])+|(?<!\S)[─━═\u250c-\u257f][\u2500-\u257f]*(?:\s+[\u2500-\u257f]+)*(?!\S)"
)
_RUN = re.compile(r"\S+")
_BRACKET = re.compile(r"[()\[\]]")
_LONG_RUN = re.compile(rf"(?<!\S)\S{{{LONGEST_WORD},}}")
_END_OF_RUN = 100
_STOP_BEFORE_CAPITAL = re.compile(r"\.\s+(?=[“\"]?(?P<following>[A-Z][a-z]+))")
_WORD_AT_END = re.compile(
    rf"(?:(?<!\S)(?P<word>[a-z]{{2,{MOST_AT_END}}}|[A-Z]{{2,5}}|(?<=\d\s)[A-Za-z]{{1,4}})|(?<=\d)\s?(?P<hour>[ap]\.\s?m))\Z"
)
_AFTER_HOURS = frozenset(
    "eastern central pacific mountain january february march april may june july august september october november "
    "december monday tuesday wednesday thursday friday saturday sunday today tomorrow local news mass service".split()
)
"""What may follow an hour in the same sentence with a capital: "at 9 p.m. Eastern"."""
_JOINT = Late(r"\n|[；：﹔]|[;:—–](?=\s)|[，﹐、､]|,(?=\s)|\s")
_JOINT_RANKS = {"\n": 0, **dict.fromkeys(";:—–；：﹔", 1), **dict.fromkeys(",，﹐", 2), **dict.fromkeys("、､", 3)}
LAST_RANK = 4
"""Rank of a blank among the joints of a long sentence; the first ones are those of `_JOINT_RANKS`."""


# Sets of characters from far-apart ranges take milliseconds to compile, and few texts need them.
@cache
def _one_of(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{characters}]")


@cache
def _mixed_token() -> re.Pattern[str]:
    spaced = rf"(?:(?![{CJK}{THAI}]){_LETTER})+"
    return re.compile(
        rf"(?P<run>[{CJK}]+|[{THAI}]+)|(?:(?![{CJK}{THAI}])[^\W\d_]\.){{2,}}|\d+(?:[.,]\d+)+|{spaced}(?:['’‐‑-]{spaced})*"
        r"|[^\w\s]"
    )


@cache
def _unspaced_token() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}]){_LETTER})+|[^\w\s]")


@cache
def _line_end_without_space() -> re.Pattern[str]:
    return re.compile(rf"(?<=[{CJK}{_WIDE_MARKS}])[^\S\n]*\n[^\S\n]*(?=[{CJK}{_WIDE_MARKS}])")


def _has(characters: str, text: str, start: int = 0, end: int | None = None) -> bool:
    """Return True if a text has one of some characters of scripts without spaces."""
    end = _end(text, end)
    return _FAR.search(text, start, end) is not None and _one_of(characters).search(text, start, end) is not None


def token_spans(text: str, start: int = 0, end: int | None = None, language: str | None = None) -> list[Span]:
    """Spans of words, numbers, abbreviations and punctuation.

    Args:
        text: The text.
        start: Where to begin.
        end: Where to end; by default at the end of the text.
        language: ISO 639-1 code of the text; scripts without spaces are segmented into words. Without it each of their
            characters is a token, whatever is installed.
    """
    if language is not None and _has(CJK + THAI, text, start, end):
        return list(_segmented(text, start, _end(text, end), language))
    pattern = _unspaced_token() if language is None and _has(_UNSPACED, text, start, end) else _TOKEN
    return [match.span() for match in pattern.finditer(text, start, _end(text, end))]


def tokens(text: str, language: str | None = None) -> list[str]:
    """Tokens, punctuation included, in their original case; see `token_spans` for the language."""
    if language is not None and _has(CJK + THAI, text):
        return [text[start:end] for start, end in _segmented(text, 0, len(text), language)]
    pattern = _unspaced_token() if language is None and _has(_UNSPACED, text) else _TOKEN
    return pattern.findall(text)


def is_word(token: str) -> bool:
    """Return True if a token begins with a letter or a digit."""
    return token[:1].isalnum() or _has(_UNSPACED, token[:1])


def words(text: str, language: str | None = None) -> list[str]:
    """Lowercased words and numbers, without punctuation; see `token_spans` for the language."""
    lowered = text.lower()
    if not lowered.isascii() and _FAR.search(lowered):
        return [token for token in tokens(lowered, language) if is_word(token)]
    found: list[str] = []
    for run in lowered.split():
        # No token holds white space, so that a run of letters and digits is one.
        if run.isalnum():
            found.append(run)
        else:
            found += _words_of(run)
    return found


@lru_cache(maxsize=RUNS)
def _words_of(run: str) -> tuple[str, ...]:
    """Words of a lowercased run without white space."""
    return tuple([token for token in _TOKEN.findall(run) if is_word(token)])


def ngrams(sequence: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """All n-grams, in order."""
    return list(zip(*(sequence[start:] for start in range(n)), strict=False))


def compared_words(text: str, language: str) -> list[str]:
    """Lowercased words of a passage that is compared with others, without marks.

    Words of scripts without spaces are overlapping pairs of characters, which do not depend on where words were found
    to end; see `nutgraf.text.segmentation.overlapping_pairs`.
    """
    lowered = text.lower()
    if not _has(CJK + THAI, lowered):
        return words(lowered, language)
    found: list[str] = []
    for token in _mixed_token().finditer(lowered):
        if token["run"] is not None:
            found += overlapping_pairs(token["run"], language)
        elif is_word(token.group()):
            found.append(token.group())
    return found


def count_words(text: str, language: str = "en") -> int:
    """Number of words: between white space, as `wc -w` counts them.

    In a language that is written without spaces, it is the number of words that `nutgraf.text.segmentation` finds,
    without marks.
    """
    return len(words(text, language)) if language in UNSPACED_LANGUAGES else len(text.split())


def gap(sentence: str) -> str:
    """White space after a printed sentence: none after one of a script without spaces, else a blank.

    A line without an end mark would run into the next one, and Thai has no end marks: both are followed by a blank.
    """
    if sentence.isascii():
        return " "
    if _WIDE_END.search(sentence):
        return ""
    if not (_NARROW_END.search(sentence) and _has(CJK, sentence)):
        return " "
    return "" if 3 * len(_one_of(CJK).findall(sentence)) >= len(sentence) else " "


def joined(sentences: Iterable[str]) -> str:
    """Return printed sentences as one paragraph."""
    return "".join(sentence + gap(sentence) for sentence in sentences).rstrip(" ")


def flatten(text: str) -> str:
    """Replace runs of white space by one space, and remove control characters and sequences for terminals.

    A line end between Chinese or Japanese characters is no space.
    """
    if "\n" in text and _FAR.search(text):
        text = _line_end_without_space().sub("", text)
    plain = " ".join(text.split())
    return plain if plain.isprintable() else " ".join(_CONTROL.sub("", without_sequences(plain)[0]).split())


# U+2060 joins words for Python and parts them for wc, by which budgets are counted. The directional controls without
# their partner would turn around what a terminal shows after them.
_CONTROL = Late(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]")


def without_bullet(sentence: str) -> str:
    """Remove the bullet of an item of a list from its beginning; an em dash stays, since speech begins with it, too."""
    found = _BULLET.match(sentence)
    return sentence[found.end() :] if found else sentence


def prints(text: str, span: Span, language: str = "en") -> bool:
    """Return True if a span contains something that can be printed, and in a script without spaces a word."""
    start, end = span
    if language in UNSPACED_LANGUAGES:
        return bool(words(flatten(text[start:end]), language))
    shown, _ = without_sequences(text[start:end])
    return any(letter.isprintable() and not letter.isspace() for letter in shown)


def sentence_spans(text: str, language: str = "en") -> list[Span]:
    """Spans of the sentences without surrounding white space; none is empty or crosses a paragraph."""
    spans: list[Span] = []
    glued = glued_ends(text, language)
    for begin, end in paragraph_spans(text):
        inside = glued[bisect.bisect_right(glued, begin) : bisect.bisect_left(glued, end)]
        for first, last in pairwise((begin, *inside, end)):
            for start, stop in _beside_cells(text, first, last):
                spans += _sentences_in(text, start, stop, language)
    return spans


def _sentences_in(text: str, start: int, stop: int, language: str) -> Iterator[Span]:
    """Spans of the sentences of a part of a paragraph, without white space around them."""
    for first, last in _split_sentences(text[start:stop], language):
        trimmed = _trim(text, start + first, start + last)
        if trimmed[0] < trimmed[1]:
            yield trimmed


def _beside_cells(text: str, start: int, stop: int) -> Iterator[Span]:
    """Empty cells and lines of a table in a paragraph, such as "| | |", and the parts between them."""
    if any(text.find(line, start, stop) >= 0 for line in "|─━│┃═║"):
        for found in _EMPTY_CELLS.finditer(text, start, stop):
            yield start, found.start()
            yield found.span()
            start = found.end()
    yield start, stop


def sentence_texts(text: str, language: str = "en") -> tuple[str, ...]:
    """Texts of the sentences, without surrounding white space."""
    return tuple(text[start:end] for start, end in sentence_spans(text, language))


def break_long(
    text: str, spans: list[Span], longest: int = LONGEST_SENTENCE, language: str = "en"
) -> tuple[list[Span], int]:
    """Break sentences of more than `longest` words, or MOST_TOKENS words and marks, into pieces.

    A piece has at most PIECE or `longest` words and ends at a line break, semicolon, comma or, failing these, a space;
    in a script without spaces, or with so many marks, failing these too, after any word or mark.

    Args:
        text: The text.
        spans: Its sentences.
        longest: Maximum number of words of a sentence.
        language: ISO 639-1 code, by which words are counted; see `count_words`.

    Returns:
        The new spans, and the number of sentences that were broken.
    """
    broken, result = 0, []
    for start, end in spans:
        ends = word_ends(text, start, end, language) if end - start > longest else []
        if len(ends) <= longest and end - start > MOST_TOKENS:
            tokens = token_spans(text, start, end, language)
            ends = [stop for _, stop in tokens] if len(tokens) > MOST_TOKENS else ends
        if len(ends) <= longest:
            result.append((start, end))
        else:
            broken += 1
            result.extend(_break(text, start, end, ends, min(longest, PIECE)))
    return result, broken


def word_ends(text: str, start: int, end: int, language: str) -> list[int]:
    """Offsets at which the words end that `count_words` counts."""
    if language not in UNSPACED_LANGUAGES:
        return [found.end() for found in _RUN.finditer(text, start, end)]
    return [stop for begin, stop in token_spans(text, start, end, language) if is_word(text[begin:stop])]


def _segmented(text: str, start: int, end: int, language: str) -> Iterator[Span]:
    """Spans of the tokens of a text with scripts without spaces."""
    for found in _mixed_token().finditer(text, start, end):
        if found["run"] is None:
            yield found.span()
            continue
        at = found.start()
        for word in segment(found["run"], language):
            yield at, at + len(word)
            at += len(word)


def _end(text: str, end: int | None) -> int:
    return len(text) if end is None else end


def _split_sentences(text: str, language: str) -> list[Span]:
    if language == "en":
        from nupunkt import sent_spans

        spans = _rejoined(text, sent_spans(_LONG_RUN.sub(_masked, text)), _ends_with_title)
        spans = _rejoined(text, [part for span in spans for part in _ended_by_words(text, *span)], _ends_in_brackets)
    else:
        spans = _rejoined(text, pairwise((0, *sentence_ends(text, language), len(text))), _ends_in_brackets)
    return list(_rejoined(text, spans, _is_number))


def _rejoined(text: str, spans: Iterable[Span], goes_on: Callable[[str, int, int], bool]) -> Iterator[Span]:
    """Sentences, joined with the next one where they go on."""
    begin = None
    for start, stop in spans:
        begin = start if begin is None else begin
        if not goes_on(text, begin, stop):
            yield begin, stop
            begin = None
    if begin is not None:
        yield begin, len(text)


def _ends_in_brackets(text: str, start: int, stop: int) -> bool:
    """Return True if brackets that were opened within a sentence are closed later: "the bank (founded 1821) left"."""
    opened = max(text.rfind("(", start, stop), text.rfind("[", start, stop))
    if opened <= start or max(text.rfind(")", opened, stop), text.rfind("]", opened, stop)) >= 0:
        return False
    first = _BRACKET.search(text, start, stop)
    if not text[max(start, opened - LONGEST_IN_BRACKETS) : opened].strip() or first is None or first.group() in ")]":
        return False
    closed = _BRACKET.search(text, stop, opened + LONGEST_IN_BRACKETS)
    return closed is not None and closed.group() in ")]"


def _is_number(text: str, start: int, stop: int) -> bool:
    """Return True for the number of a clause or an item, which belongs to what follows it: "1.7. The club pays"."""
    return _CLAUSE_NUMBER.fullmatch(text, start, stop) is not None


def _ended_by_words(text: str, start: int, stop: int) -> Iterator[Span]:
    """Parts that end with words of the dictionary, units or hours; nupunkt takes "free. Anna" for an abbreviation."""
    for found in _STOP_BEFORE_CAPITAL.finditer(text, start, stop):
        last = _WORD_AT_END.search(text, max(start, found.start() - MOST_AT_END), found.start())
        if last and _ends_sentence(last, found["following"].lower()):
            yield start, found.end()
            start = found.end()
    yield start, stop


def _ends_sentence(last: re.Match[str], following: str) -> bool:
    """Return True if a word of `_WORD_AT_END` with a full stop ends a sentence before a lowercased word."""
    if last["hour"]:
        return is_common(following) and following not in _AFTER_HOURS
    word = last["word"]
    if word in SYMBOLS:
        return True
    if word.islower() and len(word) >= LEAST_AT_END:
        return is_common(word)
    known = word.isupper() or is_common(word)
    return known and word.lower() not in TITLES_OF["en"] and word not in INTRODUCING and is_common(following)


def _ends_with_title(text: str, start: int, stop: int) -> bool:
    """Return True if a sentence ends with a title that nupunkt does not know ("Cllr."), or introduces what follows."""
    said = text[max(start, stop - LONGEST_TITLE) : stop].rstrip()
    last = (said.rsplit(None, 1) or [""])[-1].lstrip("\"'“‘([")
    known = last[:-1].lower() in TITLES_OF["en"] if last[:1].isupper() else last[:-1] in INTRODUCING
    return last.endswith(".") and known


def _masked(run: re.Match[str]) -> str:
    """Replace all of a run but its end by letters, so that a sentence may still end where the run does."""
    return "x" * (len(run.group()) - _END_OF_RUN) + run.group()[-_END_OF_RUN:]


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _break(text: str, start: int, end: int, ends: Sequence[int], most: int) -> Iterator[Span]:
    """Pieces of a sentence whose words end at `ends`."""
    while True:
        before = bisect.bisect_right(ends, start)
        if before + most >= len(ends):
            yield _trim(text, start, end)
            return
        joint = _best_joint(text, start, ends[before + most - 1])
        piece = _trim(text, start, joint)
        if piece[0] < piece[1]:
            yield piece
        start, _ = _trim(text, joint, end)


def _best_joint(text: str, start: int, window: int) -> int:
    """Best place to break in the second half of the window, the last among equals."""
    middle = (start + window) // 2
    joints = [
        (_JOINT_RANKS.get(match.group(), LAST_RANK), -match.end())
        for match in _JOINT.finditer(text, middle, window + 1)
    ]
    return -min(joints)[1] if joints else window

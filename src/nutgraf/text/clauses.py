"""Clauses that stand alone, of languages that are written without spaces: Chinese, Japanese and Thai.

Their sentences are long, and their commas, or the spaces of Thai, separate clauses, most of which have no subject of
their own: many a sentence says several things of one. In languages with spaces a comma ends a phrase as often as a
clause, and a sentence is seldom too long for a summary; they have no clauses here.

A clause does not stand alone if it begins with a word that links it to the one before ("but", "so that"), or with one
that only prepares the next one ("although", "in view of"); in Japanese, if it does not end in a form that may end a
sentence. It must have some length, since commas also separate the items of lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nutgraf.text.late import Late

Span = tuple[int, int]

SHORTEST = {"zh": 8, "ja": 10, "th": 20}
"""Minimum number of letters and digits of a clause."""

_OPENS, _CLOSES = "（(「『“《[【", "）)」』”》]】"
_MARKS = " \t\n，,；;、。．.！!？?：:"

_CHINESE_LINKS = Late(
    "(?:并且?|而且?|但是?|且|也|又|还|却|则|就|便|才|以及|以便|以免|以此|以(?=[^上下前后来内外])|从而|因而|因此|因为|由此|于是|"
    "所以|故|使(?!用)|令|让|致使?|导致|其中?|它们?|他们?|她们?|该|此|这|那|及|和|与|或|即|如(?!何)|如此|然而|不过|可是|同时|另外|此外|"
    "否则|反之|再|最后|最终|接着|随后|然后|进而|甚至|尤其|特别是|包括|分别|之后|后者|前者|后(?=[^续期])|均|都|皆|各|是|为(?!了)|"
    "有(?=[利助])|时|后$)"
)
"""Words that link a Chinese clause to the one before it."""

_CHINESE_PREPARES = Late(
    "(?:由于|鉴于|虽然?|尽管|如果|若|假如|只要|只有|除了?|当|随着|不仅|不但|一方面|无论|不管|"
    "(?:针对|通过|以|为|基于|根据|依据|按照?|对于?|关于|至于|在|从|经过?|作为|与)(?!.*(?:了|进行|是)))"
)
"""Words by which a Chinese clause prepares the next one: conjunctions, and prepositions without a verb that acts."""

_JAPANESE_CUT = Late(r"、|(?<=[うくぐすつぬぶむるただいん])(?P<particle>けれども|けれど|けど|ので|から|が)、")
_JAPANESE_FINITE = Late(r"[うくぐすつぬぶむるただいん]$")
_JAPANESE_LINKS = Late(
    "(?:しかし|だが|ただし|でも|また|そして|さらに|そのため|したがって|従って|だから|なお|一方|つまり|すなわち|例えば|たとえば|"
    "これ|それ|あれ|この|その|あの|こうし|そうし|同[^じ時]|かつ|及び|および|ないし|または|もしくは|と(?=[言い]))"
)
_THAI_LINKS = Late(
    "(?:แต่|และ|หรือ|เพราะ|เนื่องจาก|ซึ่ง|ที่|โดย|เพื่อ|ดังนั้น|จึง|ก็|แล้ว|ทำให้|ส่วน|ทั้งนี้|นอกจาก|ถ้า|หาก|เมื่อ|แม้|ขณะ|รวมทั้ง|เช่น|ว่า|นี้|นั้น)"
)
_COMMAS = Late(r"(?P<end>[。．！？]|\.(?=[\u3400-\u9fff]))|[，；;]|,(?!\d)")
_SPACES = Late(r"\s+")


def clause_spans(text: str, span: Span, language: str) -> list[Span]:
    """Return the clauses of a sentence that stand alone; the sentence itself may be the only one.

    Args:
        text: The text.
        span: Start and end of the sentence.
        language: ISO 639-1 code; one with spaces between words has no clauses.
    """
    parts = _PARTS.get(language)
    if parts is None:
        return []
    found = (_trimmed(text, start, end) for start, end in parts(text, *span))
    return [
        (start, end)
        for start, end in found
        if sum(map(str.isalnum, text[start:end])) >= SHORTEST[language] and _balanced(text[start:end])
    ]


def _chinese(text: str, start: int, end: int) -> Iterator[Span]:
    cuts = [
        (found.end() if found["end"] else found.start(), found.end()) for found in _COMMAS.finditer(text, start, end)
    ]
    for first, last in _between(text, cuts, start, end):
        said = text[first:last].strip(_MARKS)
        if not (first > start and _CHINESE_LINKS.match(said)) and (last == end or not _CHINESE_PREPARES.match(said)):
            yield first, last


def _japanese(text: str, start: int, end: int) -> Iterator[Span]:
    cuts = [(found.start(), found.end()) for found in _JAPANESE_CUT.finditer(text, start, end)]
    for first, last in _between(text, cuts, start, end):
        said = text[first:last].strip(_MARKS)
        if not (first > start and _JAPANESE_LINKS.match(said)) and (last == end or _JAPANESE_FINITE.search(said)):
            yield first, last


def _thai(text: str, start: int, end: int) -> Iterator[Span]:
    cuts = [(found.start(), found.end()) for found in _SPACES.finditer(text, start, end)]
    return ((first, last) for first, last in _between(text, cuts, start, end) if not _THAI_LINKS.match(text, first))


def _between(text: str, cuts: list[Span], start: int, end: int) -> Iterator[Span]:
    """Yield what lies between cuts that stand outside of brackets and quotations."""
    begin = start
    for first, last in cuts:
        if _balanced(text[begin:first]):
            yield begin, first
            begin = last
    yield begin, end


def _balanced(passage: str) -> bool:
    """Return True if all brackets that open in a passage close in it, too."""
    depth = [sum(map(passage.count, marks)) for marks in (_OPENS, _CLOSES)]
    return depth[0] == depth[1] and passage.count('"') % 2 == 0


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start] in _MARKS:
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


_PARTS: dict[str, Callable[[str, int, int], Iterator[Span]]] = {"zh": _chinese, "ja": _japanese, "th": _thai}

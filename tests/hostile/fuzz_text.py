"""Texts of the fuzzing campaign: ordinary sentences, pieces that are known to be awkward, and damage to both."""

from __future__ import annotations

from random import Random

SENTENCES = (
    "The ferry left the harbour at noon.", "It carried a piano, two goats and 1,175 letters.",
    "“Nobody was hurt,” said Dr. A. B. Smith of the U.S. Coast Guard.", "Was it the storm?", "No!",
    "A storm broke its mast near the rock (see Fig. 3).", "Die Fähre fuhr um zwölf Uhr ab.", "渡し船は正午に出た。",
    "Он уехал в 12 часов.", "غادرت العبّارة عند الظهر.", "The keeper of the bridge closed it at 10:30 p.m. on Jan. 5.",
    "he said \"yes\" and 'no'", "Chapter 1", "• an item", "See https://example.org/a?b=c&d=%20e.", "x = y + z",
)  # fmt: skip
AWKWARD = (
    "", " ", "\n", "\n\n", "\r", "\r\n", "\t", "\0", "\1", "\x0b", "\x0c", "\x1b[31m", "\x7f", "\x85", "\xa0", "\xad",
    "\u200b", "\u200d", "\u2028", "\u2029", "\u202e", "\u2060", "\ufeff", "\ufffd", "\ufffe", "\U0001f600",
    "\U0010ffff", "e\u0301", "\u0301", "ﬃ", "ß", "İ", "ǆ", "۔", "。", "…", ". . .", "...", "?!", "!?" * 40, '."', "”",
    "“", '"' * 50, "'" * 50, "(" * 60, ")" * 60, "[" * 60, "<", ">", "&", "&#1;", "&amp;", "&#x110000;", "]]>", "<!--",
    "-->", "<![CDATA[", "<?", "%", "\\", "`" * 30, "*" * 30, "_" * 30, "|", "#", "---", "===", "- ", "1. ", "> " * 30,
    "{{7*7}}", "${x}", "nutgraf: forged", "NaN", "1e999", "0" * 50, "a" * 2000, "a." * 200, "1," * 200, "x-" * 200,
    "中" * 300, "Mr. " * 30, "I. " * 30, "</p>", "<p>", "</script>", "\ud800", "nul\0l", "word " * 300, "No. " * 50,
)  # fmt: skip
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "latin-1", "shift_jis")


def text(random: Random, most: int = 30) -> str:
    """Sentences with awkward pieces between and inside them."""
    pieces: list[str] = []
    awkward = random.choice((0.0, 0.1, 0.3, 0.9))
    for _ in range(random.randint(0, most)):
        if random.random() < awkward:
            pieces.append(random.choice(AWKWARD) * random.choice((1, 1, 1, 2, 20)))
        else:
            pieces.append(random.choice(SENTENCES) + random.choice((" ", " ", "\n", "\n\n", "")))
    return mutated(random, "".join(pieces)) if random.random() < 0.2 else "".join(pieces)


def mutated(random: Random, given: str) -> str:
    """Some stretches doubled, moved, cut out or replaced."""
    for _ in range(random.randint(1, 4)):
        start = random.randint(0, len(given))
        end = min(len(given), start + random.choice((1, 5, 50)))
        stretch = random.choice(("", given[start:end] * random.choice((2, 30)), random.choice(AWKWARD)))
        at = random.choice((start, random.randint(0, start)))
        given = given[:at] + stretch + given[end if at == start else at :]
    return given[:100_000]


def flip(random: Random, data: bytes) -> bytes:
    """Some bytes changed, a stretch doubled or cut out, or the end cut off."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 20))):
        if not changed:
            break
        at = random.randrange(len(changed))
        match random.randrange(5):
            case 0:
                changed[at] = random.randrange(256)
            case 1:
                changed[at] ^= 1 << random.randrange(8)
            case 2:
                del changed[at : at + random.choice((1, 10, 1000))]
            case 3:
                changed[at:at] = changed[at : at + random.choice((1, 10, 200))]
            case 4:
                changed[at:at] = random.choice((b"\0", b"\xff", b"\r\n", b"<", b"\xed\xa0\x80", b"0" * 20))
    return bytes(changed[: random.randrange(len(changed) + 1)] if random.random() < 0.1 else changed)


def encoded(random: Random, given: str) -> bytes:
    return given.encode(random.choice(ENCODINGS), random.choice(("replace", "ignore", "xmlcharrefreplace")))

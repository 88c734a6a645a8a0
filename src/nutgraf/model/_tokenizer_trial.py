"""Tries out the parts of a tokenizer that change and split texts; run as a program by `pretrained_files.py`.

The program is asked the parts as tokenizer.json has them. They stand before a model without words, of which each
character that they made is a piece: vocabularies, which are large, make no text longer.
"""

from __future__ import annotations

import json
from typing import Any

from nutgraf.limits import serve

SECONDS, MEMORY = 1.0, 1 << 30
"""Time of a processor, and bytes, for all texts; Windows limits neither."""

PARTS = ("normalizer", "pre_tokenizer", "post_processor", "decoder")

PIECES, AROUND = 8, 256
"""Pieces at most for each character of a text, and around it."""

LINE = (
    "e A0! On Monday, 3 May 2021, the ferry's 112 passengers (two of them: A. & B.) paid €4.50; “Why?” – she'd "
    "asked_for <b>50 %</b> of it\u2026 Größe, naïve, e\u0301, Đà Nẵng, Где? 北京市。東京 서울 العربية हिन्दी ไทย ½ ﷺ 🙂 "
    "https://x.org/?q=1_2#a\t{}[]|\\~^$*+=@\r\n\n"
)
"""Text with whatever patterns look for: words, numbers, marks, white space, scripts."""

TEXTS = (
    *(LINE[:size] for size in (0, 1, 2, 4, 16, 64, len(LINE))),
    *(LINE * times for times in (8, 64)),
    *(one * 2_000 for one in " \na A! 0é"),
)
"""What is tried, short texts first: what doubles a text many times shows on a single character."""


def outcome(parts: dict[str, Any]) -> dict[str, str]:
    """Return what is wrong with the parts of a tokenizer as "wrong", with its verb; {} if nothing is."""
    from tokenizers import Tokenizer

    bare = {"type": "BPE", "vocab": {"?": 0}, "merges": [], "unk_token": "?"}
    content = {"version": "1.0", "added_tokens": [], "model": bare, **parts}
    try:
        tokenizer = Tokenizer.from_str(json.dumps(content))
    except Exception as error:
        return {"wrong": f"cannot be read ({str(error)[:200]})"}
    try:
        return next(({"wrong": wrong} for text in TEXTS if (wrong := _wrong(tokenizer, text))), {})
    except BaseException as error:  # a panic of the library is no Exception
        return {"wrong": f"breaks off ({str(error).strip()[:200] or type(error).__name__})"}


def _wrong(tokenizer: Any, text: str) -> str | None:
    """Return what is too much of what is made of a text."""
    most = PIECES * len(text) + AROUND
    made = {"pieces": len(tokenizer.encode(text))}
    if tokenizer.decoder is not None:
        made["characters, where it decodes,"] = len(tokenizer.decoder.decode(list(text)))
    return next(
        (
            f"makes {size:,} {what} of {len(text):,} characters, where {most:,} would do"
            for what, size in made.items()
            if size > most
        ),
        None,
    )


if __name__ == "__main__":
    import tokenizers  # noqa: F401  # its time is not the tokenizer's

    serve(outcome, SECONDS, MEMORY)

"""Marks of Slack's messages: people, channels, links, emoji and emphasis, written out as Slack shows them.

https://docs.slack.dev/messaging/formatting-message-text
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

SOMEONE = "someone"
"""Stands for a person whose name is not known."""

_SIGN = re.compile(r"<(?:@[UWB][A-Z0-9]{2,}|#C[A-Z0-9]{2,}|!(?:here|channel|everyone))\b[^<>\n]{0,80}>")
_MARK = re.compile(
    r"<(?P<kind>[@#!]|(?=https?:|mailto:|tel:))(?P<what>[^<>|\n]{1,2000})(?:\|(?P<label>[^<>\n]{0,500}))?>"
)
_EMOJI = re.compile(r"[^\S\n]?(?<![\w:]):(?:[a-z+_-][\w+-]{0,60}|100):(?::skin-tone-\d:)?(?![\w:])")
_EMPHASIS = re.compile(r"(?<![\w*_~`])([*_~`])(?=\S)([^\n*_~`]{1,500}?)(?<=\S)\1(?![\w*_~`])")


def has_marks(text: str) -> bool:
    """Return True if a text names a person, a channel or everybody in the way of Slack."""
    return "<" in text and _SIGN.search(text) is not None


def written_out(text: str, names: Mapping[str, str] | None = None) -> str:
    """Return a text with its marks as Slack shows them, without emoji.

    Args:
        text: The text.
        names: Names of people by their ids; others are "@someone".
    """
    known = names or {}

    def shown(mark: re.Match[str]) -> str:
        kind, what, label = mark["kind"], mark["what"], mark["label"] or ""
        if kind == "@":
            return f"@{known.get(what) or label.lstrip('@') or SOMEONE}"
        if kind == "#":
            return f"#{label or 'channel'}"
        if kind == "!":
            return label or f"@{what.partition('^')[0]}"
        return label or what.removeprefix("mailto:").removeprefix("tel:")

    return html.unescape(_EMPHASIS.sub(r"\2", _EMOJI.sub("", _MARK.sub(shown, text))))

"""Exports of chats as JSON: lists of messages that say who wrote them, when, and their text.

`EXPORTS` is a table of the keys that Slack, Discord (by DiscordChatExporter), Google Chat, Telegram, Messenger and
Element write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from nutgraf.errors import InputError
from nutgraf.readers._mrkdwn import written_out
from nutgraf.runtime.lines import loads
from nutgraf.runtime.metadata import json_reason
from nutgraf.text.blocks import GAP
from nutgraf.text.stamps import stamp_in, times_of
from nutgraf.text.times import Time
from nutgraf.text.turns import Utterance

MILLISECONDS = 10**11
"""Number from which on a count since 1970 is one of milliseconds."""

_ISO = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?")
_DISCORD = re.compile(
    r"<(?:a?:\w{1,40}:\d+|t:\d+(?::\w)?)>|<(?P<kind>@[!&]?|#)(?P<id>\d+)>"
    r"|(?<!\w)(?:\*\*|__|\|\||~~)(?=\S)|(?<=\S)(?:\*\*|__|\|\||~~)(?!\w)"
)
_ELEMENT_ID = re.compile(r"@([^:\s]+):\S+")

Message = Mapping[str, Any]


@dataclass(frozen=True)
class Export:
    """An export of a program.

    Attributes:
        program: Its name.
        signs: Patterns that all stand at the beginning of a file.
        who: Keys of the name of the person who writes, the best first; a dot leads into an object.
        when: Key of the time.
        what: Key of the text.
        kind: Key of the kind of message.
        kinds: Kinds that people write; None stands for a message without a kind.
        written: Makes the text readable, with the names of people by their ids.
    """

    program: str
    signs: tuple[str, ...]
    who: tuple[str, ...]
    when: str
    what: str
    kind: str = ""
    kinds: tuple[str | None, ...] = ()
    written: Callable[[str, Message, Mapping[str, str]], str] = lambda text, _message, _names: text


def _slack(text: str, _message: Message, names: Mapping[str, str]) -> str:
    return written_out(text, names)


def _discord(text: str, message: Message, _names: Mapping[str, str]) -> str:
    """A text in which people have names; custom emoji and emphasis are left out."""
    people = [one for one in list_of(message.get("mentions")) if isinstance(one, Mapping)]
    names = {str(one.get("id")): str(one.get("nickname") or one.get("name") or "") for one in people}

    def shown(mark: re.Match[str]) -> str:
        if not mark["kind"]:
            return ""
        return f"@{names.get(mark['id']) or 'someone'}" if mark["kind"].startswith("@") else "#channel"

    return _DISCORD.sub(shown, text)


def _messenger(text: str, _message: Message, _names: Mapping[str, str]) -> str:
    """A text whose bytes of UTF-8 were written as characters each."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


SLACK = Export(
    "Slack",
    (r'"ts"\s*:\s*"\d{9,}\.\d+"', '"text"'),
    ("user_profile.real_name", "user_profile.display_name", "user_profile.name", "username", "bot_profile.name"),
    "ts",
    "text",
    "subtype",
    (None, "bot_message", "file_share", "me_message", "thread_broadcast"),
    _slack,
)

EXPORTS = (
    SLACK,
    Export(
        "Discord",
        (r'"guild"\s*:', r'"messages"\s*:\s*\[', '"author"', '"timestamp"'),
        ("author.nickname", "author.name"),
        "timestamp",
        "content",
        "type",
        ("Default", "Reply", "0", "19"),
        _discord,
    ),
    Export(
        "Google Chat",
        (r'"messages"\s*:\s*\[', r'"creator"\s*:', '"created_date"'),
        ("creator.name", "creator.email"),
        "created_date",
        "text",
    ),
    Export(
        "Telegram",
        (r'"messages"\s*:\s*\[', r'"(?:date_unixtime|from_id|actor_id)"\s*:'),
        ("from", "from_id"),
        "date",
        "text",
        "type",
        ("message",),
    ),
    Export(
        "Messenger",
        (r'"messages"\s*:\s*\[', '"sender_name"', '"timestamp_ms"'),
        ("sender_name",),
        "timestamp_ms",
        "content",
        written=_messenger,
    ),
    Export(
        "Element",
        (r'"messages"\s*:\s*\[', r'"origin_server_ts"\s*:'),
        ("sender",),
        "origin_server_ts",
        "content.body",
        "type",
        ("m.room.message",),
    ),
)


def export_of(text: str) -> Export | None:
    """Return the export that a text begins as, if it is one."""
    head = text[: 1 << 16].lstrip()
    if not head.startswith(("{", "[")):
        return None
    return next((one for one in EXPORTS if all(re.search(sign, head) for sign in one.signs)), None)


def value_of(text: str, export: Export, name: str) -> object:
    """Return the value that an export holds.

    Raises:
        InputError: If it is no JSON; `name` is its name, for the message.
    """
    try:
        return loads(text)
    except (ValueError, RecursionError) as error:
        reason = json_reason(error)
        raise InputError(f"{name} is a chat of {export.program} in JSON that cannot be read: {reason}.") from error


def utterances(whole: object, export: Export) -> Iterator[Utterance]:
    """Yield what people write, in the order of their times, if all of these are known."""
    messages = _messages(whole)
    names = _names(whole, messages, export)
    timed = [(_time(_at(one, export.when)), one) for one in messages]
    if all(time for time, _ in timed):
        timed.sort(key=lambda one: str(one[0]))
    for time, message in timed:
        kind = _at(message, export.kind) if export.kind else None
        if export.kinds and (kind if kind is None else str(kind)) not in export.kinds:
            continue
        words = export.written(_text(_at(message, export.what)), message, names)
        paragraphs = GAP.join(filter(None, map(str.strip, words.split("\n"))))
        yield Utterance(_who(message, export, names), paragraphs, () if time is None else ((0, time),))


def _messages(whole: object) -> list[Message]:
    found = whole.get("messages") if isinstance(whole, Mapping) else whole
    return [one for one in list_of(found) if isinstance(one, Mapping)]


def _names(whole: object, messages: Sequence[Message], export: Export) -> dict[str, str]:
    """Names of people by their ids, as far as messages or a list of users tell them."""
    users = (
        [one for one in list_of(whole.get("users")) if isinstance(one, Mapping)] if isinstance(whole, Mapping) else []
    )
    keys = ("profile.real_name", "real_name", "profile.display_name", "name")
    known = {str(one.get("id")): name for one in users if (name := _first(one, keys))}
    for one in messages:
        if isinstance(one.get("user"), str) and (name := _first(one, export.who)):
            known.setdefault(one["user"], name)
    return known


def _who(message: Message, export: Export, names: Mapping[str, str]) -> str:
    name = _first(message, export.who) or names.get(str(message.get("user")), "") or _first(message, ("user",))
    found = _ELEMENT_ID.fullmatch(name)
    return found[1] if found else export.written(name, message, names) if export.written is _messenger else name


def _first(message: Message, keys: Sequence[str]) -> str:
    """Return the first text under some keys; "" if there is none."""
    return next((found.strip() for key in keys if isinstance(found := _at(message, key), str) and found.strip()), "")


def _at(message: Any, key: str) -> Any:
    """Return the value at a key, whose dots lead into objects; None if there is none."""
    for one in key.split("."):
        message = message.get(one) if isinstance(message, Mapping) else None
    return message


def _text(value: object) -> str:
    """Return a text, or the texts of its parts."""
    if isinstance(value, str):
        return value
    return "".join(one if isinstance(one, str) else _text(_at(one, "text")) for one in list_of(value))


def list_of(value: object) -> list[Any]:
    """Return a list, and an empty one for any other value."""
    return value if isinstance(value, list) else []


def _time(written: object) -> Time | None:
    """Return a time by ISO 8601, of a count of seconds or milliseconds since 1970, or of a time in words."""
    if isinstance(written, str) and (found := _ISO.fullmatch(written)):
        return found[1] + (found[2] or "")
    try:
        seconds = float(written)  # type: ignore[arg-type]
        seconds /= 1000 if seconds > MILLISECONDS else 1
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}Z"
    except (TypeError, ValueError, OverflowError, OSError):
        pass
    stamp = stamp_in(written, 0, min(len(written), 100)) if isinstance(written, str) else None
    if stamp is None or not stamp.date:
        return None
    zone = "Z" if isinstance(written, str) and written.endswith("UTC") else ""
    return f"{times_of([stamp])[0]}{zone}"

"""Mail, chats, captions and minutes of the fuzzing campaign, of many programs and damaged."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

from fuzz_text import encoded, flip, mutated, text

from msgs import msg_of

PEOPLE = (
    "Ana Berg",
    "Tom Reyes",
    "Priya Nair",
    "U02",
    "",
    "a" * 300,
    "O'Brien: Jr.",
    "<b>x</b>",
    "王芳",
    "@someone",
    "1",
)
SAID = (
    "Then we take Ferris Street.", "I will send the contract by Friday.", "Who calls the carrier?", "Agreed.", "Yes.",
    "So it is decided: we close the bridge on 3 May.", "Tom, can you order the scanners by 12 June 2024?", "No.",
    "### Decisions", "- [ ] Ana: write to the council", "Action: Tom to call the plumber by tomorrow", "Hmm, maybe?",
    "Entscheidung: Wir nehmen das Haus.", "Resolved, that the budget of 14,000 euros be approved.", "<Media omitted>",
)  # fmt: skip
CHATS: tuple[Callable[[str, str, int], str], ...] = (
    lambda who, said, at: f"12/03/2024, {_clock(at)} - {who}: {said}",
    lambda who, said, at: f"[12.03.24, {_clock(at)}:07] {who}: {said}",
    lambda who, said, at: f"[{_clock(at)}] <{who}> {said}",
    lambda who, said, at: f"{_clock(at)} <{who}> {said}",
    lambda who, said, at: f"{who}\n  {_clock(at)} AM\n{said}",
    lambda who, said, at: f"{who} — Today at {_clock(at)}\n{said}\n",
    lambda who, said, at: f"{who}  {at % 99}:{at % 60:02}\n{said}\n",
    lambda who, said, at: f"{who}: {said}\n",
    lambda who, said, at: f"0:0:{at}.0 --> 0:0:{at + 7}.0\n{who}\n{said}\n",
    lambda who, said, at: f"{_clock(at)}:00\t{who}\t{said}",
    lambda who, said, at: f"**{who}** ({_clock(at)}): {said}",
    lambda who, said, at: said,
)
"""A message in the ways of WhatsApp, IRC, Slack, Discord, Otter, Meet, Teams and Zoom, and in minutes."""


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 30:02}:{minutes % 61:02}"


def _said(random: Random) -> str:
    return random.choice(SAID) if random.random() < 0.6 else text(random, 3)


def _moments(random: Random, count: int) -> list[int]:
    """Times that go on, jump, stand or go backwards."""
    step = random.choice((0, 1, 1, 1, 5, -1, 10**6))
    return [max(0, 500 + step * number + random.choice((0, 0, 0, -400))) for number in range(count)]


def chat(random: Random) -> bytes:
    """A chat as it is pasted or exported as text."""
    people = random.choices(PEOPLE, k=random.randint(1, 4))
    ways = random.choices(CHATS, k=random.choice((1, 1, 1, 2)))
    lines = [
        random.choice(ways)(random.choice(people), _said(random), at) for at in _moments(random, random.randint(0, 40))
    ]
    given = random.choice(("\n", "\n", "\n\n")).join(lines)
    return encoded(random, mutated(random, given) if random.random() < 0.3 else given)


def captions(random: Random) -> bytes:
    """WebVTT or SubRip."""
    comma = random.choice((".", ","))
    blocks = [random.choice(("WEBVTT", "WEBVTT - x\nKind: captions", "", "1"))]
    for at in _moments(random, random.randint(0, 30)):
        who = random.choice(("", "", f"<v {random.choice(PEOPLE)}>", f"{random.choice(PEOPLE)}: ", "- ", "[applause]"))
        end = at + random.choice((2, 2, 0, -3, 10**9))
        times = f"{_clock(at)}:01{comma}000 --> {_clock(max(end, 0))}:02{comma}5{random.choice(('00', '', '000000'))}"
        times = random.choice((times,) * 9 + ("-->", "0 --> x", times + " align:start position:0%"))
        head = random.choice(("", f"{at}\n", "NOTE x\n", "STYLE\n"))
        blocks.append(f"{head}{times}\n{who}{_said(random)}")
    given = random.choice(("\n\n", "\n\n", "\n")).join(blocks)
    return encoded(random, mutated(random, given) if random.random() < 0.3 else given)


def export(random: Random) -> bytes:
    """A chat in JSON, with values of wrong kinds, or its ZIP archive."""
    program = random.choice(list(_MESSAGES))
    people = random.choices(PEOPLE, k=3)
    moments = _moments(random, random.randint(1, 25))
    messages = [_MESSAGES[program](random.choice(people), _said(random), 1710234600 + 60 * at) for at in moments]
    for message in messages:
        if random.random() < 0.1:
            message[random.choice([*message, "x"])] = random.choice((None, 1, 1e300, [], {}, "x", [[["a"]]], True))
    whole: Any = messages if program == "slack" else {"guild": {}, "users": [{"id": "U02"}, 1], "messages": messages}
    written = json.dumps(whole, ensure_ascii=random.random() < 0.5, indent=random.choice((None, 1)))
    data = (mutated(random, written) if random.random() < 0.2 else written).encode("utf-8", "replace")
    return _archive(random, data) if random.random() < 0.3 else data


_MESSAGES: dict[str, Callable[[str, str, int], dict[str, Any]]] = {
    "slack": lambda who, said, at: {
        "type": "message", "user": "U02", "text": said, "ts": f"{at}.000200", "user_profile": {"real_name": who}
    },
    "discord": lambda who, said, at: {
        "type": "Default", "timestamp": _iso(at), "content": said, "author": {"name": who, "nickname": who}
    },
    "google": lambda who, said, at: {"creator": {"name": who}, "created_date": _iso(at), "text": said},
    "telegram": lambda who, said, at: {
        "type": "message", "from": who, "from_id": "user1", "date": _iso(at),
        "text": [said, {"type": "b", "text": said}]
    },
    "messenger": lambda who, said, at: {"sender_name": who, "timestamp_ms": 1000 * at, "content": said},
    "element": lambda who, said, at: {
        "type": "m.room.message", "sender": f"@{who}:x.org", "origin_server_ts": 1000 * at, "content": {"body": said}
    },
}  # fmt: skip


def _iso(seconds: int) -> str:
    return datetime.fromtimestamp(min(seconds, 10**10), UTC).isoformat()


def _archive(random: Random, data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", random.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))) as archive:
        for name in random.sample(
            ("general/2024-03-12.json", "users.json", "channels.json", "_chat.txt", "../x.json", "a/b/c.json", "a/"), 4
        ):
            archive.writestr(zipfile.ZipInfo(name), chat(random) if name.endswith("txt") else data)
    return flip(random, packed.getvalue()) if random.random() < 0.2 else packed.getvalue()


def eml(random: Random) -> bytes:
    """A mail."""
    pieces = ["From: Ana <a@example.org>", "Date: Tue, 12 Mar 2024 09:15:00 +0100", f"Subject: {text(random, 1)}"]
    if random.random() < 0.5:
        kind = random.choice(
            ("multipart/mixed", "multipart/alternative", "multipart/digest", "message/rfc822", "text/html")
        )
        pieces.append(
            f'Content-Type: {kind}; boundary="b"; charset={random.choice(("utf-8", "klingon", "utf-16", "utf-7"))}'
        )
    if random.random() < 0.3:
        pieces.append(
            f"Content-Transfer-Encoding: {random.choice(('base64', 'quoted-printable', 'x-uuencode', '8bit'))}"
        )
    pieces.append("")
    for _ in range(random.randint(0, 20)):
        above = random.choice(
            ("", "> ", ">> ", "> > ", "--b\n", "--b\nContent-Type: text/html\n\n", "--b--\n", "-- \n", "Best regards\n",
             "On 11/03/2024 18:02, Tom <t@example.org> wrote:\n", "From: Tom\nSent: 3 May 2024 10:00\nSubject: a\n\n",
             "\nFrom x\nFrom: Tom\nSubject: b\n\n")
        )  # fmt: skip
        pieces.append(above + text(random, 4))
    given = "\n".join(pieces)
    return encoded(random, mutated(random, given) if random.random() < 0.5 else given)


def mbox(random: Random) -> bytes:
    """A mailbox."""
    return b"\n".join(b"From x\n" + eml(random) + b"\n" for _ in range(random.randint(1, 4)))


def msg(random: Random) -> bytes:
    """A mail of Outlook."""
    attached = [
        (random.choice(("a.txt", "../a", "a" * 300, "b.pdf")), random.choice(("text/plain", "x")), text(random, 3))
        for _ in range(random.choice((0, 0, 1, 3)))
    ]
    moment = datetime(random.choice((1700, 2024, 9999)), 3, 12, 9, 15, tzinfo=UTC) if random.random() < 0.7 else None
    body = "" if random.random() < 0.3 else _clean(text(random, 8))
    html = "" if random.random() < 0.5 else _clean(f"<p>{text(random, 8)}")
    files = [(name, kind, content.encode("utf-8", "replace")) for name, kind, content in attached]
    data = msg_of(_clean(text(random, 1)), random.choice(PEOPLE), body, html, moment, files)
    return flip(random, data) if random.random() < 0.4 else data


def _clean(given: str) -> str:
    return given.encode("utf-8", "replace").decode()


FORMATS: tuple[tuple[str, str, Callable[[Random], bytes]], ...] = (
    ("chat", ".txt", chat), ("export", ".json", export), ("captions", ".vtt", captions), ("captions", ".srt", captions),
    ("eml", ".eml", eml), ("mbox", ".mbox", mbox), ("msg", ".msg", msg),
)  # fmt: skip

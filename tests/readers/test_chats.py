"""Chats and transcripts as programs export them and as people paste them: who says what, and when."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from nutgraf.errors import InputError
from nutgraf.readers import read_text
from nutgraf.readers.reading import read, read_data
from nutgraf.systems import load
from nutgraf.text.chat import find_turns
from nutgraf.text.document import Document

CASES = Path(__file__).parent / "cases" / "chats"

ANNA, TOM, PRIYA = "Anna Berg", "Tom Reyes", "Priya Nair"

MEETING = [
    (ANNA, "Morning everyone, can you all hear me?"),
    (TOM, "Yes, loud and clear."),
    (
        ANNA,
        "Great. So the main thing today is the warehouse move, because the lease in Halden ends on 30 June.",
    ),
    (
        TOM,
        "Yeah. I talked to the landlord on Monday and he will not extend the lease beyond June under any "
        "circumstances.",
    ),
    (PRIYA, "Okay, so we need a decision between the Ferris Street building and the harbour site today."),
    (TOM, "The harbour site is 14,000 euros a month and it floods, the insurer wants another 3,000 on top of that."),
    (PRIYA, "Ferris Street costs 11,500 euros a month, but it has only two loading docks instead of four."),
    (ANNA, "Two docks are enough if we move the evening deliveries to the morning."),
    (TOM, "I can live with that, as long as the carrier agrees to the new times."),
    (ANNA, "Then we take Ferris Street. Everybody agreed?"),
    (PRIYA, "Agreed."),
    (TOM, "Agreed."),
    (ANNA, "Priya, will you send the signed contract to the landlord of Ferris Street by Friday?"),
    (PRIYA, "Yes, I will send the contract by Friday, and I will copy the finance team."),
    (TOM, "I will call the carrier tomorrow and ask for deliveries between seven and ten in the morning."),
    (ANNA, "The second thing is the scanners. Half of the handheld scanners crash since the update last week."),
    (PRIYA, "The vendor says that the fix comes in version 4.2, which is due on 12 May."),
    (TOM, "Until then the night shift is counting by hand, which costs us about six hours every night."),
    (ANNA, "Can we roll back to the old version?"),
    (PRIYA, "No, the old version cannot read the new labels, so a rollback is not possible."),
    (ANNA, "Okay, then we keep counting by hand until 12 May, and I will ask for two temporary workers."),
    (TOM, "Thanks, that would help the night shift a lot."),
    (ANNA, "Anything else? No? Then thank you all, see you next week."),
    (PRIYA, "Bye."),
    (TOM, "Bye bye."),
]
"""The conversation that most files of the folder hold."""

SECONDS = [3, 10, 16, 29, 43, 55, 69, 81, 91, 102, 109, 113, 117, 128, 139, 151, 163, 175, 187, 195, 206, 219, 227, 236]
SECONDS = [*map(float, SECONDS), 240.0]
MINUTES = [15] * 6 + [16] * 7 + [17] * 5 + [18] * 6 + [19]

SHORT = [
    (ANNA, "The lease in Halden ends on 30 June and will not be extended."),
    (TOM, "The harbour site is 14,000 euros a month and it floods."),
    (ANNA, "Then we take the building in Ferris Street for five years."),
    (TOM, "I will call the carrier tomorrow and ask for the new times."),
]


def said(document: Document) -> list[tuple[str, str]]:
    return [(turn.name, document.show(turn)) for turn in document.turns]


def times(document: Document) -> list[float | str | None]:
    return [document.time_of(turn.start) for turn in document.turns]


def spoken(document: Document) -> list[tuple[str | None, str]]:
    return list(zip(document.speakers, document.printed, strict=True))


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("teams_new.txt", SECONDS),
        ("teams_old.txt", SECONDS),
        ("otter.txt", SECONDS),
        ("whatsapp.txt", [f"2024-03-12T09:{minute}:00" for minute in MINUTES]),
        ("slack_paste.txt", [f"09:{minute}:00" for minute in MINUTES]),
        ("slack_export.json", [f"2024-03-12T09:10:{second:02}Z" for second in range(25)]),
        ("gmeet.txt", [None] * 25),
    ],
)
def test_one_conversation_in_many_formats(file, expected):
    (document,) = read(CASES / file)
    assert said(document) == MEETING
    assert times(document) == expected
    assert all(speaker for speaker in document.speakers)


def test_subrip_knows_times_and_where_others_begin_to_speak():
    (document,) = read(CASES / "srt.srt")
    assert said(document) == [("", words) for _, words in MEETING]
    assert times(document) == SECONDS


def test_automatic_captions_without_times_are_one_text():
    (document,) = read(CASES / "autocap.txt")
    assert document.turns == document.times == ()
    assert " ".join(document.printed).split() == (CASES / "autocap.txt").read_text().split()


@pytest.mark.parametrize(
    ("file", "date"), [("wa.txt", "2024-03-12T"), ("sl.txt", "")], ids=["WhatsApp", "Slack, pasted"]
)
def test_four_messages_are_a_chat(file, date):
    (document,) = read(CASES / file)
    assert spoken(document) == SHORT
    assert times(document) == [f"{date}09:{minute}:00" for minute in (15, 16, 17, 18)]


def test_webvtt_with_identifiers_of_cues():
    (document,) = read(CASES / "tv.vtt")
    assert [speaker for speaker, _ in spoken(document)] == [ANNA, TOM, ANNA]
    assert times(document) == [5.0, 9.0, 15.0]
    assert not any("5d0e1f22" in one or "<" in one for one in document.printed)


def test_marks_of_slack_are_written_out():
    (document,) = read(CASES / "slack.txt")
    assert document.printed == [
        "Hey @someone can you look at the deploy?",
        "It fails since the merge of #12.",
        "The staging database was migrated twice by the job, so that the users table has two columns of the same name.",
        "@here we decided to roll back #12 and to run the migration by hand tomorrow at 10:00.",
        "@someone please write the post-mortem by Thursday.",
        "cc @someone",
    ]
    assert read_text((CASES / "slack.txt").read_text()).printed == document.printed


def text_of(label: str, names: dict[str, str] | None = None, before: str = "", after: str = "") -> str:
    """Return the four messages of a chat, each after its label: {n} is the name, {m} the minute, {t} the words."""
    known = names or {}
    lines = (label.format(n=known.get(n, n), m=minute, t=t) for minute, (n, t) in enumerate(SHORT, 15))
    return before + "\n".join(lines) + after


NICKS = {ANNA: "anna", TOM: "tom_r"}


@pytest.mark.parametrize(
    ("label", "first"),
    [
        # WhatsApp in many countries
        ("12.03.24, 09:{m} - {n}: {t}", "2024-03-12T09:15:00"),
        ("3/12/24, 9:{m}\u202fPM - {n}: {t}", "2024-03-12T21:15:00"),
        ("[3/12/24, 9:{m}:32 AM] {n}: {t}", "2024-03-12T09:15:32"),
        ("[13/03/2024, 09:{m}:32] {n}: {t}", "2024-03-13T09:15:32"),
        ("\u200e[12.03.24, 09:{m}:32] ~\u202f{n}: {t}", "2024-03-12T09:15:32"),
        ("12/3/24, 9:{m} p. m. - {n}: {t}", "2024-03-12T21:15:00"),
        ("12.3.2024 klo 9.{m} - {n}: {t}", "2024-03-12T09:15:00"),
        ("12/03/2024 à 09:{m} - {n} : {t}", "2024-03-12T09:15:00"),
        ("2024-03-12 09:{m} - {n}: {t}", "2024-03-12T09:15:00"),
        # Slack
        ("{n}  9:{m} AM\n{t}", "09:15:00"),
        ("{n}:house:  9:{m} PM\n{t}", "21:15:00"),
        ("{n}\n  09:{m} Uhr\n{t}", "09:15:00"),
        # Discord, pasted and by DiscordChatExporter
        ("{n} — Today at 9:{m} AM\n{t}", "09:15:00"),
        ("{n}\n — \nYesterday at 9:{m} AM\n{t}", "09:15:00"),
        ("{n} — 03/12/2024 9:{m} AM\n{t}\n", "2024-03-12T09:15:00"),
        ("[12-Mar-24 09:{m} AM] {n}\n{t}\n", "2024-03-12T09:15:00"),
        # Teams
        ("[9:{m} AM] {n}\n{t}\n", "09:15:00"),
        ("[3/12 9:{m} AM] {n}\n    {t}\n", "09:15:00"),
        ("[Dienstag 09:{m}] {n}\n{t}\n", "09:15:00"),
        ("{n}\n9:{m} AM\n{t}\n", "09:15:00"),
        # Google Chat
        ("{n}, 9:{m} AM\n{t}", "09:15:00"),
        ("{n}\nTue 9:{m} AM\n{t}", "09:15:00"),
        ("{n}, Mar 12, 9:{m} AM\n{t}", "09:15:00"),
        # Zoom
        ("09:{m}:03\t From {n} to Everyone:\n\t{t}", "09:15:03"),
        ("09:{m}:03 From  {n}  to  Everyone : {t}", "09:15:03"),
        ("09:{m}:03\t From {n} : {t}", "09:15:03"),
        ("09:{m}:03 Von {n} an Alle : {t}", "09:15:03"),
        ("[{n}] 09:{m}:03\n{t}\n", "09:15:03"),
        # Transcripts
        ("{n} (00:{m}):\n{t}\n", 15.0),
        ("{n}: (00:{m})\n{t}\n", 15.0),
        ("[00:00:{m}] {n}: {t}\n", 15.0),
        ("0:{m}\n{n}\n{t}\n", 15.0),
        ("0:0:{m}.0 --> 0:0:20.0\n{n}\n{t}\n", 15.0),
        ("00:00:{m}.000,00:00:20.900\n{n}: {t}\n", 15.0),
        # Telegram, Signal, KakaoTalk
        ("{n}, [12.03.2024 09:{m}]\n{t}\n", "2024-03-12T09:15:00"),
        ("{n}, [12 Mar 2024 at 09:{m}:03]:\n{t}\n", "2024-03-12T09:15:03"),
        ("{n} 2024-03-12 09:{m}\n{t}\n", "2024-03-12T09:15:00"),
        ("[{n}] [오후 9:{m}] {t}", "21:15:00"),
    ],
)
def test_labels_of_many_programs(label, first):
    document = Document.of(text_of(label), language="en")
    assert spoken(document) == SHORT
    assert document.time_of(document.sentences[0].start) == first


@pytest.mark.parametrize(
    "label",
    [
        "09:{m} < {n}> {t}",
        "[09:{m}] <@{n}> {t}",
        "2024-03-12T09:{m}:03 <{n}> {t}",
        "2024-03-12 09:{m}:03\t{n}\t{t}",
        "09:{m}:03      {n} | {t}",
        "<{n}> {t}",
    ],
)
def test_irc(label):
    document = Document.of(text_of(label, NICKS), language="en")
    assert spoken(document) == [(NICKS[name], words) for name, words in SHORT]


@pytest.mark.parametrize(
    ("label", "before", "after"),
    [
        (
            "12/03/2024, 09:{m} - {n}: {t}",
            "12/03/2024, 09:14 - Messages and calls are end-to-end encrypted. Tap to learn more.\n",
            "\n12/03/2024, 09:30 - Tom Reyes: <Media omitted>\n12/03/2024, 09:31 - Tom Reyes: This message was deleted."
            "\n12/03/2024, 09:32 - Tom Reyes left\n",
        ),
        (
            "[12.03.24, 09:{m}:02] {n}: {t}",
            "[12.03.24, 09:14:00] Umzug: \u200eNachrichten sind Ende-zu-Ende-verschlüsselt.\n",
            "\n\u200e[12.03.24, 09:30:00] Tom Reyes: \u200eBild weggelassen\n",
        ),
        (
            "{n}  9:{m} AM\n{t}",
            "#move\nTuesday, March 12th\n",
            " (edited)\n:joy:\n4\n2 replies\nLast reply 3 days ago\nView thread\n",
        ),
        (
            "[12-Mar-24 09:{m} AM] {n}\n{t}\n",
            "=====================\nGuild: Move\nChannel: general\n=====================\n\n",
            "\n{Reactions}\n👍 (2)\n\n=====================\nExported 4 message(s)\n=====================\n",
        ),
        (
            "{n}   0:{m}\n{t}\n",
            "Move\nMarch 12, 2024, 8:00AM\n24m 10s\n\nAnna Berg started transcription\n\n",
            "\nAnna Berg stopped transcription\n",
        ),
        ("{n}  0:{m}\n{t}\n", "Move\nTue, Mar 12, 2024 8:15PM • 8:21\n\n", "\nTranscribed by https://otter.ai\n"),
        (
            "09:{m}:03\t From {n} to Everyone:\n\t{t}",
            "",
            '\n09:30:00\t From Priya Nair to Everyone:\n\tReacted to "The harbour site is..." with 👍\n',
        ),
    ],
    ids=["WhatsApp", "WhatsApp of iOS", "Slack", "DiscordChatExporter", "Teams", "Otter", "Zoom"],
)
def test_what_a_program_writes_is_no_sentence(label, before, after):
    assert spoken(Document.of(text_of(label, before=before, after=after), language="en")) == SHORT


def test_notes_of_irc_and_days_between_messages():
    text = (
        "--- Log opened Tue Mar 12 09:14:00 2024\n09:14 -!- anna [~a@host] has joined #move\n"
        "09:15 <@anna> The lease ends.\n09:16 < tom> It floods there.\n09:17  * tom waves at everyone here\n"
        "09:31 -!- tom [~t@h] has quit [Ping timeout]\n--- Day changed Wed Mar 13 2024\n"
        "09:32 <@anna> We meet at noon.\n"
    )
    document = Document.of(text, language="en")
    assert said(document) == [
        ("anna", "The lease ends."),
        ("tom", "It floods there."),
        ("tom", "waves at everyone here"),
        ("anna", "We meet at noon."),
    ]
    assert times(document)[0] == "2024-03-12T09:15:00"
    assert times(document)[-1] == "2024-03-13T09:32:00"


def test_messages_of_several_lines():
    text = text_of("[12/03/2024, 09:{m}:00] {n}: {t}", after="\nThe second line.\n\nThe third one.")
    turns = said(Document.of(text, language="en"))
    assert turns[3:] == [SHORT[3], (TOM, "The second line."), (TOM, "The third one.")]


def test_a_time_alone_continues_the_person_above():
    text = text_of("{n}\n  9:{m} AM\n{t}", after="\n9:30\nThe keys are here.\nTom Reyes\n  9:31 AM\nGood.")
    document = Document.of(text, language="en")
    assert said(document)[3:] == [SHORT[3], (TOM, "The keys are here."), (TOM, "Good.")]
    assert times(document)[4] == "09:30:00"


def test_times_of_google_meet_stand_every_few_minutes():
    text = (
        "Move (2024-03-12) - Transcript\n\nAttendees\n\nAna, Bo\n\nTranscript\n\n00:00:00\n\nAna: The lease ends.\n\n"
        "Bo: It floods.\n\n00:05:00\n\nAna: Then we move.\n\nBo: I call them.\n\nMeeting ended after 00:07:12\n"
    )
    document = Document.of(text, language="en")
    assert said(document) == [
        ("Ana", "The lease ends."),
        ("Bo", "It floods."),
        ("Ana", "Then we move."),
        ("Bo", "I call them."),
    ]
    assert times(document) == [0.0, 0.0, 300.0, 300.0]
    assert all(document.speakers)


@pytest.mark.parametrize(
    "text",
    [
        # The levels of a log.
        "".join(f"2024-03-12 09:15:0{n} - {level}: It went on.\n" for n, level in enumerate(["INFO", "ERROR"] * 3)),
        # A timetable.
        "Doors open\n9:00 AM\nBring a ticket.\nOpening talk\n9:30 AM\nBy the mayor.\nLunch\n12:30 PM\nIn the hall.\n",
        "10:00 Opening: The mayor speaks.\n11:00 Break: Coffee in the hall.\n12:00 Lunch: Bring a ticket.\n",
        # Times that do not grow.
        "".join(f"The boat\n{hour}:00\nIt left.\n" for hour in (9, 14, 8, 13, 7, 12, 6, 11)),
        # A chat amid a long report.
        "The trial went on for weeks and few came to hear it. " * 30
        + "\n09:15 <ana> Were you there?\n09:16 <bo> I was.\n09:17 <ana> Alone?\n",
    ],
)
def test_other_texts_with_times_are_no_chats(text):
    assert find_turns(text) == []


SLACK = [
    {
        "type": "message",
        "user": "U01",
        "text": "<@U02ABC> see <https://x.org/1|the plan> &amp; *act* now :tada:\nIt is <#C012|move>.",
        "ts": "1710234600.000200",
        "user_profile": {"real_name": "Ana"},
    },
    {
        "type": "message",
        "subtype": "channel_join",
        "user": "U02ABC",
        "text": "<@U02ABC> has joined",
        "ts": "1710234601.0",
    },
    {"type": "message", "user": "U02ABC", "text": "I do, <@U01> and <@U9XY>.", "ts": "1710234602.0"},
    {"subtype": "bot_message", "username": "Deploy Bot", "text": "Build 12 failed.", "ts": "1710234700.1"},
]

EXPORTS = {
    "Slack": (
        {"users": [{"id": "U02ABC", "profile": {"real_name": "Bo"}}], "messages": SLACK},
        [
            ("Ana", "@Bo see the plan & act now", "2024-03-12T09:10:00Z"),
            ("Ana", "It is #move.", "2024-03-12T09:10:00Z"),
            ("Bo", "I do, @Ana and @someone.", "2024-03-12T09:10:02Z"),
            ("Deploy Bot", "Build 12 failed.", "2024-03-12T09:11:40Z"),
        ],
    ),
    "Discord": (
        {
            "guild": {"id": "1"},
            "channel": {"id": "2"},
            "messages": [
                {
                    "type": "Default",
                    "timestamp": "2024-03-12T09:15:00.123+00:00",
                    "content": "<@17>, **welcome** <:pepe:123> to a_b__c.",
                    "author": {"name": "ana", "nickname": "Ana"},
                    "mentions": [{"id": "17", "name": "Bo"}],
                },
                {"type": "GuildMemberJoin", "timestamp": "2024-03-12T09:16:00", "content": "Joined.", "author": {}},
                {"type": "Reply", "timestamp": "2024-03-12T09:17:00", "content": "Thanks.", "author": {"name": "bo"}},
            ],
        },
        [("Ana", "@Bo, welcome to a_b__c.", "2024-03-12T09:15:00+00:00"), ("bo", "Thanks.", "2024-03-12T09:17:00")],
    ),
    "Google Chat": (
        {
            "messages": [
                {
                    "creator": {"name": "Ana"},
                    "created_date": "Tuesday, March 12, 2024 at 9:15:00 PM UTC",
                    "text": "The lease ends.",
                }
            ]
        },
        [("Ana", "The lease ends.", "2024-03-12T21:15:00Z")],
    ),
    "Telegram": (
        {
            "messages": [
                {"type": "service", "date": "2024-03-12T09:14:00", "actor_id": "user1", "action": "create_group"},
                {
                    "type": "message",
                    "date": "2024-03-12T09:15:00",
                    "from": "Ana",
                    "text": ["See ", {"type": "link", "text": "x.org"}, " now."],
                },
            ]
        },
        [("Ana", "See x.org now.", "2024-03-12T09:15:00")],
    ),
    "Messenger, the newest first": (
        {
            "messages": [
                {"sender_name": "R\u00c3\u00a9my", "timestamp_ms": 1710234960000, "content": "\u00c3\u0080 midi."},
                {"sender_name": "Ana", "timestamp_ms": 1710234900000, "content": "When?"},
            ]
        },
        [("Ana", "When?", "2024-03-12T09:15:00Z"), ("Rémy", "À midi.", "2024-03-12T09:16:00Z")],
    ),
    "Element": (
        {
            "messages": [
                {
                    "type": "m.room.message",
                    "sender": "@ana:example.org",
                    "content": {"body": "The lease ends."},
                    "origin_server_ts": 1710234900000,
                }
            ]
        },
        [("ana", "The lease ends.", "2024-03-12T09:15:00Z")],
    ),
}


@pytest.mark.parametrize("program", EXPORTS)
def test_chats_in_json(program):
    entry, expected = EXPORTS[program]
    (document,) = read_data(json.dumps(entry).encode(), "chat.json", "en")
    found = [document.time_of(sentence.start) for sentence in document.sentences]
    assert [(*one, time) for one, time in zip(spoken(document), found, strict=True)] == expected


def test_a_summary_of_a_chat_of_several_days_names_them():
    text = text_of("1{m}.03.24, 09:15 - {n}: {t}").replace("115", "11").replace("116", "12").replace("117", "13")
    document = Document.of(text.replace("118", "14"), language="en")
    summary = load("lead")(document, sentences=2)
    assert summary.text == "\n".join(
        f"2024-03-{day} 09:15 {name}: {words}" for day, (name, words) in zip((11, 12), SHORT, strict=False)
    )


def archive(**parts: str) -> bytes:
    """A ZIP archive; two underscores in a name stand for a slash, and the last one for a dot."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts.items():
            target.writestr(".".join(name.replace("__", "/").rsplit("_", 1)), content)
    return packed.getvalue()


def slack_day(*messages: tuple[str, str, str]) -> str:
    return json.dumps([{"type": "message", "user": user, "ts": ts, "text": text} for user, ts, text in messages])


USERS = json.dumps([{"id": "U1", "profile": {"real_name": ANNA}}, {"id": "U2", "name": "tom"}])


def test_an_archive_of_slack_has_a_document_for_each_channel_in_the_order_of_days() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        target.writestr("users.json", USERS)
        target.writestr("channels.json", "[]")
        target.writestr("moves/2024-03-13.json", slack_day(("U2", "1710321000.0", "I will ask <@U1>.")))
        target.writestr("moves/2024-03-12.json", slack_day(("U1", "1710234600.0", "Then we take Ferris Street.")))
        target.writestr("other/2024-03-12.json", slack_day(("U1", "1710234600.0", "The ferry left at noon.")))
    moves, other = read_data(packed.getvalue(), "export.zip")
    assert (moves.name, other.name) == ("export.zip:moves", "export.zip:other")
    assert said(moves) == [
        (ANNA, "Then we take Ferris Street."),
        ("tom", f"I will ask @{ANNA}."),
    ]


def test_an_archive_of_whatsapp_is_its_chat() -> None:
    (document,) = read_data(archive(_chat_txt=(CASES / "whatsapp.txt").read_text()), "chat.zip")
    assert document.text == read(CASES / "whatsapp.txt")[0].text
    assert document.turns == read(CASES / "whatsapp.txt")[0].turns


@pytest.mark.parametrize(
    "data",
    [
        archive(_chat_txt="a" * 30_000_000),
        archive(**{"c__2024-03-12_json": "[" * 100_000}),
        archive(**{"c__2024-03-12_json": "{"}),
        archive(notes_md="The ferry left."),
        archive(_chat_txt="The ferry left at noon. " * 9)[:-30],
    ],
    ids=["bomb", "deep", "damaged JSON", "another archive", "cut"],
)
def test_other_archives_are_refused_in_words(data: bytes) -> None:
    with pytest.raises(InputError) as refused:
        read_data(data, "chat.zip")
    assert "unexpectedly" not in str(refused.value)

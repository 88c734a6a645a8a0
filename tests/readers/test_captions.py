"""WebVTT and SubRip: cues become turns."""

from __future__ import annotations

import codecs

import pytest

from nutgraf.errors import InputError
from nutgraf.readers.reading import read_data
from nutgraf.report import render
from nutgraf.systems import load
from nutgraf.text.document import Document
from nutgraf.text.formats import formatted
from nutgraf.text.summary import Summary

VTT = """\
WEBVTT - Worms
Kind: captions

STYLE
::cue { color: lime }

NOTE
Checked by hand.

intro
00:01.000 --> 00:04.000 align:start position:0%
<v Ana>The worms under the panel
are <i>asleep</i>, and we

00:04.000 --> 00:05.000
<v Ana>counted <c.loud>eleven</c> of them.

00:05.000 --> 00:06.000
[laughter]

7
00:06.000 --> 00:08.000
<v Bo>R&amp;D has a gutter.
<v.first Ana>It helps.
"""

SRT = """\
1
00:00:01,000 --> 00:00:03,000
For two hundred years
the salt was cut by hand.

2
00:00:03,000 --> 00:00:04,000
<font color="#fff">(wind)</font>

3
00:00:04,500 --> 00:00:05,000
VITUS KRAML, former miner

4
00:00:05,000 --> 00:00:06,000
{\\an8}You taste it.

5
00:00:06,000 --> 00:00:08,000
- Who let the water in?
- The brewery let it in,

6
00:00:08,000 --> 00:00:09,000
a century ago.
"""


def read(text: str | bytes, name: str = "talk.vtt") -> Document:
    return read_data(text.encode() if isinstance(text, str) else text, name, "en")[0]


def spoken(document: Document) -> list[tuple[str | None, str]]:
    return list(zip(document.speakers, document.printed, strict=True))


def cues(*shown: str, seconds: float = 1.0) -> str:
    """SubRip with a cue a second, or with pauses between them."""
    times = [f"00:00:{n * seconds:06.3f} --> 00:00:{n * seconds + 1:06.3f}" for n in range(len(shown))]
    return "\n".join(f"{n}\n{time}\n{text}\n" for n, (time, text) in enumerate(zip(times, shown, strict=True)))


def test_voices_of_webvtt():
    document = read(VTT)
    assert document.text == (
        "Ana: The worms under the panel are asleep, and we counted eleven of them.\n\n"
        "Bo: R&D has a gutter.\n\nAna: It helps."
    )
    assert spoken(document) == [
        ("Ana", "The worms under the panel are asleep, and we counted eleven of them."),
        ("Bo", "R&D has a gutter."),
        ("Ana", "It helps."),
    ]


def test_subrip_with_a_title_and_dashes():
    assert spoken(read(SRT, "salt.srt")) == [
        ("", "For two hundred years the salt was cut by hand."),
        ("", "VITUS KRAML, former miner"),
        ("", "You taste it."),
        ("", "Who let the water in?"),
        ("", "The brewery let it in, a century ago."),
    ]


def test_a_name_and_a_colon_at_the_start_of_a_cue():
    text = cues("ADA: The tide", "turned at noon.", ">> Bo Li: Was it", "early?", "Note: it was.", "Bo Li: I see rain.")
    assert spoken(read(text, "a.srt")) == [
        ("ADA", "The tide turned at noon."),
        ("Bo Li", "Was it early?"),
        ("Bo Li", "Note: it was."),
        ("Bo Li", "I see rain."),
    ]


@pytest.mark.parametrize("text", [VTT, SRT])
def test_line_ends_and_byte_order_marks_change_nothing(text):
    odd = codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode()
    assert read(odd, "talk").text == read(text, "talk").text
    assert read(text.encode("utf-16"), "talk").text == read(text, "talk").text


def test_rolling_captions_are_said_once():
    text = cues(
        "the ferry", "the ferry\nleft at noon", "left at noon", "left at noon\nin fog", "in fog that lay\nall day"
    )
    assert read(text, "a.srt").text == "the ferry left at noon in fog that lay all day"


def test_a_repeated_line_stays_where_captions_do_not_roll():
    assert (
        read(cues("It rained.", "It rained.", "The sun came.", "We left."), "a.srt").printed[:2] == ["It rained."] * 2
    )


def test_captions_without_end_marks_are_parted_by_pauses_and_length():
    assert read(cues("so the ferry", "left at noon", seconds=3), "a.srt").printed == ["so the ferry", "left at noon"]
    tens = [" ".join([letter] * 10) for letter in "abcd"]
    assert read(cues(*tens, "end"), "a.srt").printed == [" ".join(tens[:3]), f"{tens[3]} end"]


def test_broken_cues():
    text = (
        "1\n00:00:01,000 --> \nThe ferry left.\n2\n00:00:02,000 --> 00:00:03,000\n\n3\n00:00:0x --> 00:09\n\nIn 1911\n"
        "12\n\nit sank.\n\n4\n\n5\n00:00:09,000 --> 00:00:10,000"
    )
    assert read(text, "a.srt").text == "The ferry left. In 1911 12 it sank."


@pytest.mark.parametrize("name", ["a.srt", "a.vtt"])
def test_a_file_without_cues_is_refused_in_one_sentence(name):
    with pytest.raises(InputError, match=f"{name}"):
        read("WEBVTT\n\nThis is no caption.\n" if name == "a.vtt" else "This is no caption.\n", name)


def test_each_sentence_has_the_time_of_the_cue_in_which_it_begins():
    document = read(
        cues("The ferry left. It", "sank at noon.", ">> Bo: Who saw it?", ">> Ann: I did.", seconds=14), "a.srt"
    )
    assert document.printed == ["The ferry left.", "It sank at noon.", "Bo: Who saw it?", "Ann: I did."]
    assert [document.time_of(one.start) for one in document.sentences] == [0.0, 0.0, 28.0, 42.0]


def test_times_of_captions_stand_in_summaries():
    document = read(
        cues("ADA: The tide turned at noon.", "ADA: The boats came in.", "BO: We sold all.", seconds=29), "a.srt"
    )
    summary = load("lead")(document, sentences=3)
    assert [sentence.time for sentence in summary] == [0.0, 29.0, 58.0]
    assert summary.text.splitlines()[1] == "0:29 ADA: The boats came in."
    assert [one["origins"][0]["time"] for one in summary.to_json()["sentences"]] == [0.0, 29.0, 58.0]
    assert Summary.loads(summary.dumps(), document).sentences == summary.sentences
    assert formatted(summary, "markdown").count("0:58") == 2
    page = render(summary)
    assert all(f"<time>{time}</time></a>" in page for time in ("0:00", "0:29", "0:58"))


def test_time_and_speaker_count_as_words():
    document = read(cues("ADA: The tide turned at noon.", "BO: We sold all.", seconds=29), "a.srt")
    assert document.lengths == [7, 5]
    assert load("lead")(document, words=12).words == 12

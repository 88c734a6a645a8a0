"""The page over HTTP: a form and a result, events, files to take away."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from client import Client, events
from lxml import html
from running import Running

from nutgraf.service.app import create_app
from nutgraf.service.page.form import Form
from nutgraf.service.page.menu import menu_of
from nutgraf.service.page.router import page_router
from nutgraf.service.systems import ServedSystem

FERRY = (
    "The ferry leaves at noon. The keeper counts the passengers.\n\nNobody pays for the crossing. The captain sings."
)

NASTY = '"><script>alert(1)</script>'


@pytest.fixture(scope="module")
def visitor(running: Running) -> Client:
    return Client(create_app(running.engine, pages=[page_router(running.engine)]), running)


def ask(*texts: str, **fields: str) -> dict[str, object]:
    """A form as a browser sends it."""
    return {"data": {"title": [f"Title {n}" for n, _ in enumerate(texts, 1)], "text": list(texts), **fields}}


def test_the_empty_page_has_a_form_and_runs_only_files_of_its_own(visitor: Client) -> None:
    answer = visitor.get("/")
    page = html.document_fromstring(answer.text)
    assert (answer.status_code, page.find(".//form[@id='ask']").get("method")) == (200, "post")
    assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]
    assert not page.xpath("//script[text()] | //style | //@style | //@*[starts-with(name(), 'on')]")
    for address in page.xpath("//script/@src | //link/@href"):
        found = visitor.get(f"/{address}")
        assert found.status_code == 200
        assert not re.search(r"https?://(?!www\.w3\.org/)", found.text)


def test_scripts_import_nothing_that_is_not_there(visitor: Client) -> None:
    waiting, seen = ["sitting.js"], set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        answer = visitor.get(f"/page/{name}")
        assert (answer.status_code, answer.headers["Content-Type"].partition(";")[0]) == (200, "text/javascript")
        waiting += set(re.findall(r'from "\./([\w.]+)"', answer.text)) - seen
    assert len(seen) == 6


def test_every_sentence_can_be_kept(visitor: Client) -> None:
    text = f"{FERRY}\n\nPhoto: Ann Lee."
    left, kept = (visitor.post("/", **ask(text, words="60", **more)) for more in ({}, {"keep_all": "on"}))
    boxes = [html.document_fromstring(one.text).xpath("//input[@name='keep_all']/@checked") for one in (left, kept)]
    assert boxes == [[], ["checked"]] or boxes == [[], [""]]
    assert [bool(re.search(r"class=.left-out", one.text)) for one in (left, kept)] == [True, False]


def test_a_form_becomes_a_page_with_the_summary_and_the_settings(visitor: Client) -> None:
    answer = visitor.post("/", **ask(FERRY, words="12", highlights="captain:2\nharbour"))
    page = html.document_fromstring(answer.text)
    assert answer.status_code == 200
    assert "The captain sings." in page.get_element_by_id("summary").text_content()
    assert page.get_element_by_id("words").get("value") == "12"
    assert page.get_element_by_id("highlights").text.split() == ["captain:2", "harbour"]
    assert "The highlight 'harbour' does not occur" in page.find_class("notices")[0].text_content()


PICTURE = ("picture.png", b"\x89PNG\r\n\x1a\n\0\0")


def refusals(text: str) -> list[str]:
    """What stands beside documents that cannot be read, by the name or the text that it stands beside."""
    return [
        f"{one.getparent().xpath('string(bdi | .//textarea)').strip()}: {one.text_content()}"
        for one in html.document_fromstring(text).find_class("refusal")
    ]


def test_a_file_that_cannot_be_read_is_told_where_it_was_given_and_the_others_are_summarized(visitor: Client) -> None:
    files = [("file", ("ferry.txt", FERRY.encode())), ("file", PICTURE)]
    answer = visitor.post("/", files=files, data={"words": "12"})
    page = html.document_fromstring(answer.text)
    assert answer.status_code == 200
    assert [one.partition(" is ")[0] for one in refusals(answer.text)] == ["picture.png: picture.png"]
    assert page.find_class("documents")[0].get("open") is not None
    assert not page.find_class("notices")
    # What is taken away still says it.
    report = visitor.post("/page/file", files=files, data={"words": "12", "format": "html"}).text
    assert "A document was left out: picture.png" in report


def test_where_no_document_can_be_read_each_says_why(visitor: Client) -> None:
    given = {"title": ["", "", "Note"], "text": ["https://example.org/news", " ", "http://example.org/more"]}
    answer = visitor.post("/", data=given, files=[("file", PICTURE)])
    told = refusals(answer.text)
    assert answer.status_code == 422
    assert [one.split()[0] for one in told] == ["https://example.org/news:", "http://example.org/more:", "picture.png:"]
    assert told[0].endswith(told[1].partition(": ")[2])
    name, content = events(visitor.post("/page/summary", data=given, files=[("file", PICTURE)]))[-1]
    assert (name, [number for number, _ in content["refused"]]) == ("failure", [0, 1, 2])


def test_a_text_that_is_an_address_stays_in_the_form_beside_files(visitor: Client) -> None:
    files = [("file", ("ferry.txt", FERRY.encode())), ("file", PICTURE), ("file", ("note.txt", b"Nobody pays."))]
    answer = visitor.post("/", data={"title": "", "text": "https://example.org/news"}, files=files)
    page = html.document_fromstring(answer.text)
    texts = [one.text.strip() for one in page.xpath("//textarea[@name='text']")]
    assert texts[:3] == [FERRY, "Nobody pays.", "https://example.org/news"]
    assert [one.split()[0] for one in refusals(answer.text)] == ["https://example.org/news:", "picture.png:"]


def test_the_title_of_the_page_is_that_of_the_first_document(visitor: Client) -> None:
    def title(**given: object) -> str:
        answer = visitor.post("/", **given)
        page = html.document_fromstring(answer.text)
        assert page.findtext(".//title").removesuffix(" – nutgraf") in (
            page.find_class("title")[0].text_content(),
            "Summary",
        )
        return str(page.findtext(".//title"))

    headed = ("file", ("a.html", f"<h1>Ferries are free</h1><p>{FERRY}</p>".encode()))
    plain = ("file", ("b.txt", b"Nobody pays. The keeper sings."))
    assert html.document_fromstring(visitor.get("/").text).findtext(".//title") == "nutgraf"
    assert title(files=[headed]) == "Ferries are free – nutgraf"
    assert title(files=[plain]) == "b.txt – nutgraf"
    assert title(files=[plain, headed]) == "b.txt and 1 more – nutgraf"
    assert title(**ask(FERRY)) == "Title 1 – nutgraf"
    assert title(data={"title": "Mine", "text": f"# Theirs\n\n{FERRY}"}) == "Mine – nutgraf"
    assert title(data={"title": "", "text": FERRY}) == "Summary – nutgraf"
    assert title(data={"title": "a\u202eb", "text": FERRY}) == "a\\u202eb – nutgraf"


def test_the_menu_has_two_systems_and_the_others_behind_more(visitor: Client) -> None:
    page = html.document_fromstring(visitor.post("/", **ask(FERRY, words="12", system="random")).text)
    menu = page.get_element_by_id("system")
    assert menu.xpath("option/text()") == ["Automatic", "First sentences"]
    assert menu.xpath("optgroup[not(@data-more)]") == []
    names = menu.xpath("option/@value | optgroup[@data-more]/option/@value")
    assert names[:2] == ["adaptive", "lead"]
    assert names[-3:] == ["graph_sample", "random", "systematic"]
    assert len(set(names)) == len(names) == len(visitor.running.engine.systems)
    assert menu.xpath(".//option[@selected]/@value") == ["random"]


def test_models_of_the_service_stand_before_more() -> None:
    systems = [
        ServedSystem("lex_rank", "LexRank", "", "lex_rank"),
        ServedSystem("news", "KPAT", "", "kpat", "models/kpat"),
        ServedSystem("adaptive", "Adaptive extraction", "", "adaptive"),
    ]
    menu = menu_of(systems)
    assert [one.title for one in menu.first] == ["Automatic"]
    assert [(group.folds, [one.title for one in group.systems]) for group in menu.groups] == [
        (False, ["news (KPAT)"]),
        (True, ["LexRank"]),
    ]


def test_a_language_may_be_named(visitor: Client) -> None:
    for code in ("", "de"):
        page = html.document_fromstring(visitor.post("/", **ask(FERRY, words="12", language=code)).text)
        assert page.get_element_by_id("summary").get("lang") == (code or "en")
        assert page.xpath("//select[@name='language']/option[@selected]/@value") == [code][: bool(code)]
    assert visitor.post("/", **ask(FERRY, language="qq")).status_code == 422


def test_a_text_is_called_after_its_headline(visitor: Client) -> None:
    for first, title in (("Ferries are free", "Ferries are free"), ("Ferries are free.", "Text")):
        page = html.document_fromstring(visitor.post("/", data={"title": "", "text": f"{first}\n\n{FERRY}"}).text)
        assert page.find_class("title")[0].text_content() == title


def test_offsets_count_the_characters_that_were_pasted(visitor: Client) -> None:
    """Browsers end lines with CR LF when they send a form."""
    answer = visitor.post(
        "/page/file", **ask(FERRY.replace("\n", "\r\n"), words="3", highlights="captain:5", format="json")
    )
    (sentence,) = answer.json()["sentences"]
    origin = sentence["origins"][0]
    assert FERRY[origin["start"] : origin["end"]] == sentence["text"] == "The captain sings."


def test_a_form_that_is_not_whole_is_answered_with_the_page(visitor: Client) -> None:
    part = f'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n{FERRY}\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    for path in ("/", "/page/file"):
        answer = visitor.post(path, content=part.encode(), headers=headers)
        assert answer.status_code == 400
        assert "closing boundary" in html.document_fromstring(answer.text).text_content()


def test_a_file_stands_in_the_form_as_text(visitor: Client) -> None:
    answer = visitor.post("/", files={"file": ("ferry.html", f"<h1>News</h1><p>{FERRY}</p>".encode(), "text/html")})
    page = html.document_fromstring(answer.text)
    first = page.xpath("//textarea[@name='text']")[0]
    assert "The ferry leaves at noon." in first.text
    assert page.xpath("//input[@name='title']/@value")[0] == "ferry.html"


def test_a_mistake_is_a_sentence_on_the_page_which_keeps_what_was_given(visitor: Client) -> None:
    answer = visitor.post("/", **ask(FERRY, words="many"))
    page = html.document_fromstring(answer.text)
    assert answer.status_code == 422
    assert page.find_class("failure")[0].text == "The length is a number of words, such as 120, not 'many'."
    assert page.xpath("//textarea[@name='text']")[0].text.strip() == FERRY
    assert "nothing to summarize yet" in visitor.post("/", **ask(" ")).text


def test_what_a_person_gives_is_escaped_wherever_it_stands(visitor: Client) -> None:
    given = {"title": NASTY, "text": f"{NASTY} It begins. {FERRY}", "highlights": NASTY, "query": f"why {NASTY}"}
    for answer in (visitor.post("/", data=given), visitor.post("/", data={**given, "words": NASTY})):
        assert "<script>alert" not in answer.text
        assert NASTY in html.document_fromstring(answer.text).xpath("//textarea[@name='text']")[0].text


def test_the_stream_tells_progress_and_then_brings_the_parts(visitor: Client) -> None:
    told = events(visitor.post("/page/summary", **ask(FERRY, words="20")))
    assert [name for name, _ in told][-1] == "summary"
    assert {name for name, _ in told[:-1]} == {"progress"}
    assert {one["said"]: one["share"] for name, one in told if name == "progress"}["Summarizing"] is None
    made = told[-1][1]
    assert set(made["slots"]) == {"summary", "more", "sources"}
    assert made["said"].startswith(f"Summary of {made['length']} words in ")
    [(name, content)] = events(visitor.post("/page/summary", **ask(FERRY, system="nobody")))
    assert name == "failure"
    assert "No system 'nobody'" in content["said"]


def test_two_texts_come_back_with_the_words_marked_that_differ(visitor: Client) -> None:
    before, after = "The bridge opens in May.\nRain fell.", f"The bridge opens in June.\nRain fell. {NASTY}"
    sides = visitor.post("/page/difference", data={"before": before, "after": after}).json()
    read = {name: html.fromstring(f"<p>{text}</p>") for name, text in sides.items()}
    assert [one.text_content() for one in read["before"].iter("del")] == ["[only here: May]"]
    assert read["after"].findtext("ins/span") == "[only here: "
    assert "<script>" not in sides["after"]
    chinese = visitor.post("/page/difference", data={"before": "桥梁五月开放。", "after": "桥梁六月开放。"}).json()
    assert html.fromstring(f"<p>{chinese['before']}</p>").find("del") is not None
    assert "开放" not in "".join(html.fromstring(f"<p>{chinese['before']}</p>").find("del").itertext())


def test_a_key_phrase_is_pressed_without_javascript(visitor: Client) -> None:
    page = html.document_fromstring(visitor.post("/", **ask(FERRY, words="12")).text)
    button = page.xpath("//button[@name='toggle']")[0]
    assert (button.get("form"), button.get("aria-pressed")) == ("ask", "false")
    again = visitor.post("/", **ask(FERRY, words="12", toggle=button.get("value")))
    pressed = html.document_fromstring(again.text).xpath("//button[@name='toggle'][@aria-pressed='true']/@value")
    assert pressed == [button.get("value")]


@pytest.mark.parametrize(
    ("name", "begins"), [("markdown", b"# Summary of Title 1"), ("html", b"<!DOCTYPE html>"), ("json", b"{")]
)
def test_a_summary_is_taken_away_as_a_file(visitor: Client, name: str, begins: bytes) -> None:
    answer = visitor.post("/page/file", **ask(FERRY, words="12", format=name))
    assert answer.content.startswith(begins)
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="summary-of-title-1.')
    if name == "json":
        assert json.loads(answer.content)["words"] <= 12


def test_a_markdown_file_names_paragraphs_and_has_the_notices(visitor: Client) -> None:
    text = visitor.post("/page/file", **ask(FERRY, words="5", highlights="harbour", format="markdown")).text
    assert text.startswith("# Summary of Title 1\n")
    assert re.search(r"^\[\^1\]: Title 1, (first|second) paragraph$", text, re.MULTILINE)
    assert "\n> The highlight 'harbour' does not occur" in text


def test_a_docx_file_has_the_sentences_and_their_places(visitor: Client) -> None:
    given = ask(f"{FERRY}\x0b", words="5", format="docx")
    answer = visitor.post("/page/file", **given)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        written = html.fromstring(file.read("word/document.xml")).text_content()
    assert written.startswith("Summary of Title 1")
    assert "[1] Title 1, " in written


def test_hebrew_runs_from_right_to_left_in_a_docx_file(visitor: Client) -> None:
    text = "הגשר נסגר לתנועה ביום שלישי. איש לא נפגע. מפעיל הגשר סיפר שהמנוע נעצר. התיקון יימשך חמישה שבועות."
    answer = visitor.post("/page/file", **ask(text, words="20", format="docx"))
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        written = file.read("word/document.xml").decode()
    assert "<w:bidi/>" in written
    assert "<w:rtl/>" in written


def test_an_unknown_format_is_said(visitor: Client) -> None:
    answer = visitor.post("/page/file", **ask(FERRY, format="exe"))
    assert (answer.status_code, "No format 'exe'" in html.document_fromstring(answer.text).text_content()) == (
        422,
        True,
    )


def test_a_press_on_a_phrase_takes_its_highlight_away_whatever_its_weight() -> None:
    form = Form(highlights=("captain:4", "note: this:1"))
    assert form.toggled("captain").highlights == ("note: this:1",)
    assert form.toggled("note: this").highlights == ("captain:4",)
    assert form.toggled("ferry").highlights == ("captain:4", "note: this:1", "ferry:1")


TALK = (
    "WEBVTT\n\n00:12.000 --> 00:14.000\n<v Ann>Blue or green?\n\n00:15.000 --> 00:16.000\n<v Bob>Green.\n\n"
    "00:17.000 --> 00:19.000\n<v Ann>Then we take green.\n\n00:20.000 --> 00:22.000\n<v Bob>I'll order it on Monday.\n"
)
LAW = "§ 1 Boats\n\nBoats need a permit of the master.\n\n§ 2 Nets\n\nNets are dried on the quay, never on the road."
FIRES = ("The fire injured 14 people.", "The fire injured 17 people. It began at noon.")


def file(content: str, name: str = "talk.vtt") -> dict[str, object]:
    return {"files": [("file", (name, content.encode()))]}


def test_minutes_are_lists_whose_items_lead_to_their_places(visitor: Client) -> None:
    page = html.document_fromstring(visitor.post("/", data={"show": "minutes"}, **file(TALK)).text)
    assert page.xpath("//input[@name='show'][@checked]/@value") == ["minutes"]
    headings = page.xpath("//*[@id='summary']//h2/text()")
    assert headings == ["Decisions", "Actions", "Open questions"]
    [decision, action] = page.xpath("//*[@id='summary']//li/p")
    assert decision.text_content().startswith("0:17 Ann: Then we take green.")
    assert "due: on Monday" in action.text_content()
    for item in (decision, action):
        anchors = item.xpath(".//a/@href")
        assert len(anchors) == 2
        assert {page.get_element_by_id(one[1:]).tag for one in anchors} == {"mark"}
    assert "none found" in page.get_element_by_id("summary").text_content()


def test_parts_are_a_tree_of_the_kind_that_was_chosen(visitor: Client) -> None:
    page = html.document_fromstring(visitor.post("/", **ask(LAW, show="parts", words="")).text)
    assert page.xpath("//*[@id='summary']//h2/text()") == ["§ 1 Boats", "§ 2 Nets"]
    talk = visitor.post("/", data={"show": "parts", "by": "speaker", "depth": "1"}, **file(TALK)).text
    page = html.document_fromstring(talk)
    assert page.xpath("//*[@id='summary']//h2/text()") == ["Ann", "Bob"]
    assert page.xpath("//select[@name='by']/option[@selected]/@value") == ["speaker"]
    assert page.get_element_by_id("depth").get("value") == "1"


def test_agreement_lists_what_differs_and_a_summary_is_marked(visitor: Client) -> None:
    page = html.document_fromstring(visitor.post("/", **ask(*FIRES, show="agreement")).text)
    [first, second] = page.xpath("(//*[@id='summary']//section)[1]//li/p")
    assert [one.find("span").text_content() for one in (first, second)] == ["14: ", "17: "]
    assert "Title 2" in second.text_content()
    [alone] = page.xpath("(//*[@id='summary']//section)[3]//li/p[2]")
    assert "It began at noon." in alone.text_content()
    whys = html.document_fromstring(visitor.post("/", **ask(*FIRES, sentences="2")).text).find_class("whys")[0]
    assert "may differ: Title 1: 14, Title 2: 17" in whys.text_content()


def test_what_cannot_be_shown_is_said(visitor: Client) -> None:
    for fields, said in (
        ({"show": "agreement"}, "only one text was given"),
        ({"show": "poem"}, "No view"),
        ({"show": "parts", "by": "verse"}, "No parts"),
        ({"show": "parts", "depth": "two"}, "The deepest level is a number"),
    ):
        answer = visitor.post("/", **ask(FERRY, **fields))
        assert answer.status_code == 422
        assert said in html.document_fromstring(answer.text).find_class("failure")[0].text


def test_every_view_comes_by_the_stream_and_can_be_taken_away(visitor: Client) -> None:
    given = {"minutes": TALK.split("\n\n", 1)[1], "parts": LAW, "agreement": FIRES[0]}
    begins = {"minutes": "# Minutes of ", "parts": "# ", "agreement": "# Agreement of "}
    schemas = {"minutes": "nutgraf.minutes/1", "parts": "nutgraf.outline/1", "agreement": "nutgraf.agreement/1"}
    for show, text in given.items():
        fields = ask(text, FIRES[1], show=show)
        told = events(visitor.post("/page/summary", **fields))[-1]
        assert told[0] == "summary"
        assert told[1]["documents"] == 2
        for kind in ("markdown", "docx", "html", "json"):
            fields["data"]["format"] = kind  # type: ignore[index]
            answer = visitor.post("/page/file", **fields)
            assert answer.status_code == 200
            assert f'filename="{show}-of-title-1.' in answer.headers["Content-Disposition"]
            if kind == "markdown":
                assert answer.text.startswith(begins[show])
            if kind == "json":
                assert answer.json()["schema"] == schemas[show]


def test_what_stands_in_lists_is_escaped(visitor: Client) -> None:
    talk = f"{NASTY}: Blue or green?\n\nBob {NASTY}: Then we take green {NASTY}.\n\nAnn: I'll order {NASTY} on Monday."
    for show in ("minutes", "parts", "agreement"):
        answer = visitor.post("/", data={"title": [NASTY, "B"], "text": [talk, f"{NASTY} 14 boats."], "show": show})
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text

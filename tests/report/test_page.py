"""The page is read in a browser: so it is read here as one reads it."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from report_samples import phrase, sentence, summary, two_sources, written

from nutgraf import load
from nutgraf.report import render, sources
from nutgraf.report.page import SCRIPTS
from nutgraf.text.document import Document, Phrase, join
from nutgraf.text.summary import RATING, Attention, Budget, Cut, Origin, Summary, SummarySentence

NASTY = (
    """</style></script><script>alert(1)</script>"'><img src=x onerror=alert(2)>{{ 7*7 }}&amp;<a href='javascript:'>"""
)


def read(made: Summary, attention: Attention | None = None) -> html.HtmlElement:
    return html.document_fromstring(render(made, attention))


def words_of(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def test_each_sentence_leads_to_its_origin_and_back() -> None:
    document = two_sources()
    page = read(summary(document, [sentence(document, 5), sentence(document, 0)]))
    for number, origin in ((1, "She serves coffee."), (2, "A barge struck the old bridge.")):
        there = page.get_element_by_id(f"s-{number}").find_class("number")[0].get("href")
        marked = page.get_element_by_id(there.removeprefix("#"))
        assert words_of(marked).removesuffix(str(number)) == origin
        assert marked.find_class("ref")[0].get("href") == f"#s-{number}"


def test_no_link_leaves_the_page_and_every_link_arrives() -> None:
    document = two_sources()
    cut = Cut(1, 0, 33, 8, "head")
    made = summary(document, [sentence(document, 0), SummarySentence("From nowhere.", "generated", ())], cut=(cut,))
    page = read(made)
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in page.xpath("//@href")} <= set(ids)
    assert not page.xpath("//@src | //@action | //link | //iframe | //object")
    assert "http://" not in render(made)
    assert "https://" not in render(made)


def test_the_page_allows_only_its_own_style_and_script() -> None:
    document = two_sources()
    page = read(summary(document, [sentence(document, 0)]))
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        digests = [hashlib.sha256(element.text.encode()).digest() for element in page.iter(tag)]
        named = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
        assert f"{tag}-src {named};" in policy


def test_markup_in_documents_stays_text() -> None:
    document = join([Document.of(f"It begins. {NASTY} It ends.", NASTY, language="en"), two_sources()])
    nasty = SummarySentence(NASTY, "expanded", (Origin(0, 0, 5),), 1.0, {NASTY: 1.0}, NASTY)
    made = summary(
        document,
        [nasty],
        phrases=(Phrase(NASTY, 1.0),),
        cut=(Cut(0, 7, 30, 3, NASTY),),
        notices=(NASTY,),
        signature=NASTY,
    )
    plain, page = read(summary(two_sources(), [])), read(made)
    assert not page.xpath("//img | //@*[starts-with(name(), 'on')]")
    for tag in ("style", "script"):
        assert [one.text for one in page.iter(tag)] == [one.text for one in plain.iter(tag)]
    for place in ("h1", "h2", "code", "div//li", "table//th"):
        assert any(words_of(one) in (NASTY, words_of(page.find(".//h1"))) for one in page.findall(f".//{place}")), place
    assert words_of(page.get_element_by_id("s-1")) == f"{NASTY}1"


def test_the_length_asked_and_used_is_said() -> None:
    document = two_sources()
    line = sentence(document, 1)
    assert "3 of 50 words" in words_of(read(summary(document, [line])))
    assert "3 of 7 words (1/5 of the input)" in words_of(
        read(summary(document, [line], budget=Budget(share=Fraction(1, 5)), limit=7))
    )
    assert "3 words 1 of 2 sentences" in words_of(
        read(summary(document, [line], budget=Budget(sentences=2), limit=None))
    )
    assert "3 words 1 sentence, natural length" in words_of(
        read(summary(document, [line], budget=Budget(), limit=None))
    )


def test_why_says_operation_draft_page_and_phrases() -> None:
    document = Document.of("One page here.\n\nAnother page there.", "book.pdf", pages=(0, 16), language="en")
    line = sentence(document, 1, operation="expanded", expands="Another page.")
    made = summary(document, [line], phrases=(phrase(document, "page"),))
    why = words_of(read(made).get_element_by_id("why-1"))
    assert why == (
        "1 expanded grown from a sentence of the draft from second paragraph of book.pdf, page 2 "
        "why contains the key phrase page draft Another page."
    )


def test_shares_are_bars_on_one_scale_with_zero_between() -> None:
    document = two_sources()
    shares = [{"topics": 0.3, "redundancy": -0.1}, {"topics": 0.15, "redundancy": float("nan")}]
    page = read(summary(document, [sentence(document, n, rating=2.0 - n, shares=one) for n, one in enumerate(shares)]))
    bars = {
        (number, words_of(row.find("th"))): (
            words_of(row.find("td[2]")),
            row.xpath(".//rect/@x")[-1],
            row.xpath(".//rect/@width")[-1],
        )
        for number in (1, 2)
        for row in page.get_element_by_id(f"why-{number}").iter("tr")
    }
    assert bars == {
        (1, "rating"): ("2.00", "0.0", "100.0"),
        (1, "topics"): ("0.300", "25.0", "75.0"),
        (1, "redundancy"): ("−0.100", "0.0", "25.0"),
        (2, "rating"): ("1.00", "0.0", "50.0"),
        (2, "topics"): ("0.150", "25.0", "37.5"),
        (2, "redundancy"): ("nan", "25.0", "0.0"),
    }


def test_without_ratings_there_are_no_bars() -> None:
    document = two_sources()
    assert not read(summary(document, [sentence(document, 0)])).xpath("//table")


def test_phrases_are_marked_in_the_summary_in_every_form_that_the_sources_have() -> None:
    document = Document.of("Bridges turn. The bridge turned.", language="en")
    forms = Phrase("bridge", 1.0, ((0, 7), (18, 24)))
    page = read(summary(document, [sentence(document, 0), sentence(document, 1)], phrases=(forms,)))
    assert [words_of(one) for one in page.get_element_by_id("summary").find_class("phrase")] == ["Bridges", "bridge"]


def test_notices_cuts_and_the_signature_are_said_once() -> None:
    document = Document.of("Nobody was hurt.", "a.txt", language="en", notices=["a.txt is odd."])
    cut = Cut(0, 7, 16, 2, "head: 1 word")
    made = summary(document, [sentence(document, 0)], notices=("a.txt is odd.", "Mind the gap."), cut=(cut,))
    page = read(made)
    assert [words_of(one) for one in page.find_class("notices")[0]] == ["a.txt is odd.", "Mind the gap."]
    assert "2 words of a.txt: head: 1 word" in words_of(page.find(".//section[@class='input']"))
    assert words_of(page.find(".//code")) == "mls_plus|seed:0|v0.1.0"


def test_several_sources_are_named_and_one_needs_no_list() -> None:
    several, one = two_sources(), Document.of("Nobody was hurt.", language="en")
    assert words_of(read(summary(several, [sentence(several, 5)])).find(".//nav")) == "bridge.txt 0 ferry.txt 1"
    assert words_of(read(summary(several, [sentence(several, 5)])).find_class("notices")[0]) == (
        "No sentence comes from bridge.txt."
    )
    page = read(summary(one, [sentence(one, 0)]))
    assert page.find(".//nav") is None
    assert words_of(page.find(".//h1")) == "Text"


def test_of_a_very_long_input_the_folded_text_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document.of(
        "\n\n".join([f"Word{n}. " + "Seven words stand in this very sentence. " * 30 for n in range(9)])
    )
    made = summary(document, [sentence(document, 0)])
    assert "Word8" in render(made)
    monkeypatch.setattr(sources, "MOST_KEPT", 1000)
    page = render(made)
    assert "Word1" in page
    assert "Word8" not in page
    assert "this page leaves them out" in page


def test_right_to_left_text_finds_its_own_direction() -> None:
    document = Document.of("انتهى النص هنا.", language="ar")
    page = read(summary(document, [sentence(document, 0)]))
    assert page.get_element_by_id("summary").get("dir") == "auto"
    assert page.get_element_by_id("summary").get("lang") == "ar"
    assert all(one.get("dir") == "auto" for one in page.find_class("text")[0].iter("p"))


def test_every_copied_word_leads_to_its_place() -> None:
    document = two_sources()
    made = summary(document, [written(document, "bridge burned"), written(document, "keeper serves bridge")])
    page = read(made)
    marked = {element.text_content(): element.get("data-w") for element in page.find_class("taken")}
    assert marked == {"bridge": "1 5", "keeper": "3", "serves": "4"}
    shown = [(one.text_content(), one.get("data-w")) for one in page.get_element_by_id("summary").find_class("copied")]
    assert shown == [("bridge", "1"), ("keeper", "3"), ("serves", "4"), ("bridge", "5")]
    assert [one.text_content() for one in page.get_element_by_id("summary").find_class("generated")] == ["burned"]
    links = page.xpath("//a[contains(@class, 'word')]")
    assert [link.text_content() for link in links] == ["bridge", "keeper", "serves", "bridge"]
    for link in links:
        there = page.get_element_by_id(link.get("href").removeprefix("#"))
        assert link.get("data-w") in there.get("data-w").split()
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))


def test_every_word_says_how_it_came_about() -> None:
    document = two_sources()
    page = read(summary(document, [written(document, "bridge burned")]))
    bridge, burned = page.find_class("word")
    assert bridge.get("title") == "copied, probability 0.50, p_copy 0.75"
    assert burned.get("title") == "generated, probability 0.50, p_copy 0.25"
    assert [bar.get("width") for bar in page.xpath("//svg[@class='p_copy']/rect[not(@class)]")] == ["75", "25"]


def test_a_word_that_a_phrase_breaks_is_one_word() -> None:
    document = two_sources()
    made = summary(document, [written(document, "bridge")], phrases=(phrase(document, "old br"),))
    page = read(made)
    pieces = page.find_class("taken")
    assert [piece.text_content() for piece in pieces] == ["br", "idge"]
    assert [piece.get("id") for piece in pieces] == ["from-1", None]


def test_where_words_were_copied_from_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LONG_SOURCE", 3)
    monkeypatch.setattr(sources, "LONG_STRETCH", 3)
    monkeypatch.setattr(sources, "MOST_KEPT", 3)
    document = Document.of("\n\n".join(["One is first.", "Two is next.", "Three is third.", "Four is last."]))
    page = read(summary(document, [written(document, "One")]))
    assert page.find_class("taken")
    assert "leaves them out" in words_of(page.get_element_by_id("sources"))


def an_attention(words: tuple[str, ...]) -> Attention:
    """Three layers of two heads; weights are the row's number, from 0, in hundredths of the layer's and head's."""
    n = len(words)
    weights = np.zeros((3, 2, n, n), dtype=np.float32)
    for layer in range(3):
        for head in range(2):
            weights[layer, head] = ((layer + 1) * (head + 1) * np.arange(n) / 100)[:, None]
    return Attention(words, weights, positions=9, phrases=((1, 3),))


def test_attention_is_drawn_for_one_head_and_waits_for_the_others() -> None:
    document = two_sources()
    words = ("A", "barge", "struck", "the", NASTY)
    page = read(summary(document, [sentence(document, 0)]), an_attention(words))
    (panel,) = page.find_class("attention")
    assert [len(select.findall("option")) for select in panel.findall(".//select")] == [3, 2]
    assert len(panel.get("data-maps")) == 3 * 2 * 5 * 5
    shades = [float(cell.get("fill-opacity")) for cell in panel.xpath(".//g/rect")]
    roots = [(row / 4) ** 0.5 for row in range(5) for _ in range(5)]
    assert shades == pytest.approx(roots, abs=0.51 / 63)
    assert (panel.get("data-maps")[5], panel.get("data-maps")[-1]) == ("g", "_")  # 0.5 · 63 is 32, 1 · 63 is 63
    assert panel.get("data-tops") == "0.04 0.08 0.08 0.16 0.12 0.24"
    assert "darkest: 0.040" in words_of(panel)
    (block,) = panel.find_class("block")
    assert block.get("width") == "28"
    assert "on the other 4" in words_of(panel)
    assert not page.xpath("//img | //*[@onerror]")


def test_nasty_words_stay_words() -> None:
    document = Document.of(NASTY)
    page = read(summary(document, [written(document, NASTY)]))
    assert not page.xpath("//img | //*[@onerror]")
    assert len(page.xpath("//script")) == len(SCRIPTS)
    assert page.find_class("word")


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200), st.text(max_size=20))
def test_any_text_becomes_a_page_that_can_be_written(text: str, name: str) -> None:
    document = Document.of(text, name)
    lines = [sentence(document, index, shares={name: 1.0}) for index in range(len(document.sentences))]
    page = render(summary(document, lines, phrases=(Phrase(name, 1.0),)))
    assert page.encode().startswith(b"<!DOCTYPE html>")
    assert not re.search(r"[\x00\x0b\x7f-\x9f]", page)


def test_ratings_are_explained_where_there_are_any() -> None:
    document = two_sources()
    rated = replace(sentence(document, 0), rating=0.5)
    (figures,) = read(summary(document, [rated])).find_class("figures")
    assert RATING in words_of(figures)
    assert not read(summary(document, [replace(rated, rating=0.0)])).find_class("figures")


def test_a_highlight_is_called_what_was_asked_for() -> None:
    document = two_sources()
    phrases = (phrase(document, "bridge keeper"), phrase(document, "keeper let go"))
    made = summary(document, [sentence(document, 2)], phrases=phrases, highlights=("bridge keeper",))
    why = words_of(read(made).get_element_by_id("why-1"))
    assert "why contains bridge keeper, which you asked for contains the key phrase keeper let go" in why


def test_the_list_of_sources_leads_to_the_first_place_that_was_used() -> None:
    document = two_sources()
    page = read(summary(document, [sentence(document, 6), sentence(document, 5)]))
    bridge, ferry = page.xpath("//nav/a/@href")
    assert bridge == "#source-0"
    assert words_of(page.get_element_by_id(ferry.removeprefix("#"))) == "She serves coffee.2"


def test_the_copied_text_is_the_summary_with_or_without_references() -> None:
    document = two_sources()
    page = read(summary(document, [sentence(document, 1), sentence(document, 5)]))
    assert page.get_element_by_id("copy-plain").text_content() == "Nobody was hurt. She serves coffee."
    assert page.get_element_by_id("copy-referenced").text_content() == (
        "Nobody was hurt. [1] She serves coffee. [2]\n\n[1] bridge.txt, first paragraph\n[2] ferry.txt, first paragraph"
    )


def test_what_highlights_did_stands_beside_the_summary_without_them():
    text = (
        "The storm closed the harbour for two days. The storm sank three boats. A new <mill> opened on Friday. "
        "The harbour master counted the boats after the storm."
    )
    made = load("sum_basic")(text, sentences=1, highlights=["opened:9"], compare=True)
    page = html.document_fromstring(render(made))
    [effect] = page.xpath("//section[@class='effect']")
    items = [" ".join(item.text_content().split()) for item in effect.xpath(".//li")]
    assert items[0] == "opened: 1 place in the summary, nowhere without highlights"
    assert items[1].endswith("% of the words differ")
    left, right = effect.xpath(".//article")
    assert (left.get("aria-label"), right.get("aria-label")) == ("Without highlights", "With highlights")
    assert right.xpath(".//ins")
    assert not right.xpath(".//del")
    assert left.xpath(".//del")
    assert right.xpath("string(.//ins)").startswith("[only here: ")
    unseen = "".join(right.xpath(".//p//text()[not(ancestor::span)]"))
    assert unseen.strip() == made.text
    assert not html.document_fromstring(render(load("sum_basic")(text))).xpath("//section[@class='effect']")

"""What stands beside an article is left out by its structure, in any language; lists of the article stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from nutgraf.errors import InputError
from nutgraf.readers import readers
from nutgraf.readers.reading import read, read_data
from nutgraf.systems import load

PAGES = sorted((Path(__file__).parent / "pages").glob("*.html"))
CASES = Path(__file__).parent / "cases"

ONE = "The old bridge over the river was closed on Monday, after a crack was found in one of its arches."
TWO = "It will open again in the spring, the town says, once somebody has found the money for new stones."
THREE = "Until then a ferry crosses every ten minutes, and it takes bicycles but neither horses nor carts."
TEASER = "The mayor has announced that she will not stand again when the council is elected in the autumn."
ARTICLE = f"<p>{ONE}</p><p>{TWO}</p><p>{THREE}</p>"
TEXT = [ONE, TWO, THREE]


def blocks(body: str) -> list[str]:
    document = readers.make("html").read(f"<html><body>{body}</body></html>".encode(), "page.html", "en")[0]
    return document.text.split("\n\n")


def letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_of_any_language_is_read_as_its_article(page: Path) -> None:
    (document,) = read(page)
    expected = page.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert document.language == page.stem
    assert [paragraph for paragraph in expected if letters(paragraph) not in letters(document.text)] == []
    junk = [text for text in document.printed if letters(text) not in letters("".join(expected))]
    assert len(letters("".join(junk))) <= 0.2 * len(letters("".join(document.printed))), junk


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "ko"], ids=lambda page: page.stem)
def test_summaries_of_these_pages_are_of_the_article(page: Path) -> None:
    expected = letters(page.with_suffix(".txt").read_text(encoding="utf-8"))
    for words in (40, 80):
        summary = load("adaptive")(read(page)[0], words=words)
        assert [one.text for one in summary.sentences if letters(one.text) not in expected] == []


def test_stories_below_an_article_are_left_out() -> None:
    text = read(CASES / "teaser.html")[0].text
    assert text.startswith("An unmanned cargo ship")
    assert text.endswith("on Saturday.")


def test_a_page_of_templates_that_were_not_filled_holds_nothing_to_read() -> None:
    with pytest.raises(InputError, match=r"js\.html"):
        read(CASES / "js.html")


def test_readings_beside_characters_are_left_out() -> None:
    text = read(CASES / "ruby.html")[0].text
    assert text == "橋\n\n島の橋が船とぶつかって壊れました。町の人は五週間、船で島に行かなければなりません。"


def test_a_template_in_a_page_is_left_out_and_one_in_code_stays() -> None:
    assert blocks(f"{ARTICLE}<p>{{{{page.author.name}}}}</p>") == TEXT
    assert blocks(f"{ARTICLE}<p>Write <code>{{{{name}}}}</code>.</p>{ARTICLE}")[3] == "Write {{name}}."
    assert blocks(f"{ARTICLE}<p>Let $x_{{{{i}}}}$ and ${{{{y}}}}$ be real.</p>{ARTICLE}")[3].endswith("be real.")


@pytest.mark.parametrize(
    "body",
    [
        '<div id="root"></div><noscript>You need JavaScript to run this app.</noscript>',
        '<div id="root">Loading…</div>',
        "<main><p>Chargement en cours...</p></main>",
        "<p>请启用 JavaScript。</p>",
        '<div id="root"></div><div role="dialog"><p>We and our partners store cookies.</p></div>',
    ],
)
def test_a_page_that_only_waits_for_its_script_holds_nothing_to_read(body: str) -> None:
    with pytest.raises(InputError, match=r"page\.html"):
        read_data(f"<html><body>{body}<script src=app.js></script></body></html>".encode(), "page.html")


def test_a_short_page_with_a_script_is_read() -> None:
    assert blocks("<p>The ferry left at noon.</p><script>count()</script>") == ["The ferry left at noon."]


ITEM = f"<div><h3><a href=/1>The mayor will not stand</a></h3><p>{TEASER}</p></div>"
CARD = f"<a href=/2><h3>The mayor will not stand</h3><p>{TEASER}</p></a>"
LINE = f"<div><a href=/3><b>The mayor will not stand</b></a><br>{TEASER}</div>"
REMARK = f"<div><b>Anna of the mill</b><i>2 hours ago</i><p>{TEASER}</p></div>"


@pytest.mark.parametrize(
    "beside",
    [
        f"<div><h2>More</h2>{ITEM * 3}</div>",
        f"<div>{CARD * 3}</div>",
        f"<div>{LINE * 3}</div>",
        f"<ul><li>{ITEM}</li><li>{ITEM}</li></ul>",
        f"<div><h2>Remarks (2)</h2>{REMARK * 2}<p>Log in to say what you think.</p></div>",
        f"<div>{ITEM * 2}</div><div>{REMARK * 2}</div>",
        f"<div><p>{TEASER}</p><form><input type=email></form></div>",
        f"<form><p>{TEASER}</p><textarea></textarea></form>",
    ],
)
def test_what_stands_below_an_article_is_left_out(beside: str) -> None:
    assert blocks(f"<h1>The bridge</h1><div>{ARTICLE}</div>{beside}") == ["The bridge", *TEXT]


def test_a_box_with_one_story_among_the_paragraphs_is_left_out() -> None:
    assert blocks(f"<p>{ONE}</p>{ITEM}<p>{TWO}</p><p>{THREE}</p>") == TEXT


def test_what_stands_before_the_title_is_left_out() -> None:
    assert blocks(f"<div><p>{TEASER[:70]}</p></div><div><h1>The bridge</h1>{ARTICLE * 2}</div>") == [
        "The bridge", *TEXT, *TEXT,
    ]  # fmt: skip


def test_a_lead_between_the_title_and_the_article_stays() -> None:
    page = f"<div><h1>The bridge</h1><span>Ada Kim</span><p>{TEASER}</p></div><div>{ARTICLE * 2}</div>"
    assert blocks(page) == ["The bridge", TEASER, *TEXT, *TEXT]


def test_a_page_of_teasers_is_its_teasers() -> None:
    assert blocks(ITEM * 3).count(TEASER) == 3


@pytest.mark.parametrize(
    "own",
    [
        f"<ul><li>Ann<ul><li>{TEASER}</li></ul></li><li>Bob<ul><li>{TEASER}</li></ul></li></ul>",
        f"<ul><li><p><a href=/1>The mayor will not stand</a></p><p>{TEASER}</p></li></ul>" * 2,
        f"<table><tr><td>Ann</td><td>{TEASER}</td></tr><tr><td>Bob</td><td>{TEASER}</td></tr></table>",
        f"<div><h2>Ann</h2><p>{TEASER}</p></div><div><h2>Bob</h2><p>{TEASER}</p></div>",
        f"<div><p>Who was it?</p><p>{TEASER}</p></div><div><p>And why?</p><p>{TEASER}</p></div>",
        f"<div><b>Ann:</b><p>{TEASER}</p></div><div><b>Bob:</b><p>{TEASER}</p></div>",
    ],
)
def test_lists_tables_sections_and_talk_of_an_article_stay(own: str) -> None:
    assert sum(TEASER in block for block in blocks(ARTICLE + own + ARTICLE)) == 2


def test_a_text_of_remarks_alone_stays() -> None:
    assert blocks(f"<div><p>{ONE}</p>{REMARK * 5}</div>").count(TEASER) == 5

"""HTML: the article and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.readers import read_text, readers
from nutgraf.readers._markup import PAGE
from nutgraf.readers.reading import read_data
from nutgraf.text.document import Document

ONE = "The old bridge over the river was closed on Monday, after a crack was found in one of its arches."
TWO = "It will open again in the spring, the town says, once somebody has found the money for new stones."
ARTICLE = f"<h1>The bridge</h1><p>{ONE}</p><h2>Plans</h2><p>{TWO}</p>"
PLAIN = f"The bridge\n\n{ONE}\n\nPlans\n\n{TWO}"


def read(page: str | bytes) -> Document:
    return readers.make("html").read(page.encode() if isinstance(page, str) else page, "page.html", "en")[0]


@pytest.mark.parametrize(
    "page",
    [
        f"<html><body><nav><a href=/>Home</a></nav><article>{ARTICLE}</article><footer>© The town</footer>",
        f"<html><body><main>{ARTICLE}</main><aside><p>{TWO} {ONE}</p></aside>",
        f"<html><body><div role=main>{ARTICLE}</div><div role=contentinfo>About us, and what we do all day.</div>",
        f'<html><body><div class="cookie-banner"><p>{TWO}</p></div><div>{ARTICLE}</div>',
        f'<html><body><div id="sidebar"><p>Weather: rain.</p></div><div>{ARTICLE}</div>',
        f"<html><body>{ARTICLE}<ul><li><a href=a>The tower</a></li><li><a href=b>The gate</a></li></ul>",
        f"<html><body><div>Log in</div><div>Search</div>{ARTICLE}<div>© The town, all rights reserved</div>",
        f"<html><head><title>News</title><style>p {{color: red}}</style></head><body>{ARTICLE}<script>p()</script>",
        f"<html><body>{ARTICLE}<h2>More stories</h2><p><a href=c>{ONE}</a></p>",
        f"<html><body>{ARTICLE}<p hidden>{ONE}</p><p style='display: none'>{ONE}</p><!-- {ONE} -->",
        f"<html><body><article><p><a href=t>A teaser.</a></p></article><article>{ARTICLE}</article>",
        ARTICLE,
        f"<?xml version='1.0' encoding='utf-8'?><html xmlns='http://www.w3.org/1999/xhtml'><body>{ARTICLE}</body></html>",
    ],
)
def test_the_article_stays_and_the_rest_goes(page: str) -> None:
    assert read(page).text == PLAIN


@pytest.mark.parametrize(
    ("head", "published"),
    [
        ('<meta property="article:published_time" content="2024-05-03T12:30:00+02:00">', "2024-05-03T10:30:00+00:00"),
        ('<meta name="DC.date" content="2024-05-03">', "2024-05-03T00:00:00+00:00"),
        ('<meta name="date" content="last spring"><time pubdate datetime="2024-05-03">', "2024-05-03T00:00:00+00:00"),
        ('<time datetime="2024-05-03">', ""),
        ("", ""),
    ],
)
def test_a_page_says_when_it_was_published(head: str, published: str) -> None:
    assert read(f"<html><head>{head}</head><body>{ARTICLE}").published == (published,)


ENDINGS = [
    ". (AP)", ".[1]", ", said Ada Kim", '. <a href="/more">More on bridges</a>', " in 2024", " as follows:", ". 🎉", "",
    ".*", " – and more", "; the end", ". ☎ 555", ". ©", ". # # #", ". →", ", etc", ".<sup>2</sup>", " %",
]  # fmt: skip


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("element", ["p", "div"])
def test_the_first_and_the_last_paragraph_stay_whatever_they_end_with(ending: str, element: str) -> None:
    paragraph = f"<{element}>{ONE[:-1]}{ending}</{element}>"
    frame = "<div>Log in</div>"
    blocks = read(f"<body>{frame}{paragraph}<p>{TWO}</p>{paragraph}{frame}").text.split("\n\n")
    assert [block[:40] for block in blocks] == [ONE[:40], TWO[:40], ONE[:40]]


def test_paragraphs_of_many_sentences_stay_whatever_they_end_with() -> None:
    many = " ".join([ONE] * 15) + " (AP)"
    assert read(f"<div><p>{many}</p></div><div><p>{TWO}</p></div>").text == f"{many}\n\n{TWO}"


def test_short_lines_lists_and_tables_beside_a_paragraph_stay() -> None:
    page = (
        f"<body><div>Log in</div><p>Dear reader</p><p>{ONE}</p><ul><li>Bring a hat</li><li>Bring bread</li></ul>"
        "<table><tr><td>May</td><td>12</td></tr></table><blockquote><p>Well</p></blockquote><div>Search</div>"
    )
    assert read(page).text == f"Dear reader\n\n{ONE}\n\nBring a hat\n\nBring bread\n\nMay\t12\n\nWell"


def test_cells_of_a_page_that_a_table_lays_out_frame_its_text() -> None:
    row = "<tr><td><ul><li>Home</li><li>Map</li></ul></td></tr>"
    assert (
        read(f"<table>{row}<tr><td><p>{ONE} (AP)</p><p>Well</p></td></tr>{row}</table>").text == f"{ONE} (AP)\n\nWell"
    )


def test_paragraphs_without_spaces_are_as_long_as_others() -> None:
    first = "旧桥在星期一关闭，因为一个桥拱出现了裂缝"
    assert read(f"<div>{first}</div><div>{ONE}</div>").text == f"{first}\n\n{ONE}"


@pytest.mark.parametrize(
    "page",
    [
        '<html lang="fi"><body>{}</body></html>',
        '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="fi-FI"><body>{}</body></html>',
        '<html><body lang="FI">{}</body></html>',
        '<html><head><meta http-equiv="Content-Language" content="fi"></head><body>{}</body></html>',
    ],
)
def test_the_language_that_a_page_declares_is_used(page: str) -> None:
    page = page.format("<article><p>Silta suljettiin tiistaina.</p></article>")
    document = readers.make("html").read(page.encode(), "page.html")[0]
    assert (document.language, document.notices) == ("fi", ())
    assert read_text(page, html=True).language == "fi"


@pytest.mark.parametrize("html", [True, None])
def test_a_text_that_is_a_page_is_read_as_its_article(html: bool | None) -> None:
    page = "<body><nav>Home</nav><main><h1>Tides</h1><p>The gauge failed. Nobody read it.</p></main></body>"
    document = read_text(page, "tides", html=html)
    assert document.text == "Tides\n\nThe gauge failed. Nobody read it."
    assert document.printed == ["The gauge failed.", "Nobody read it."]
    assert [section.name for section in document.sections] == ["Tides"]
    assert read_text("Two < three.").text == "Two < three."
    assert read_text(page, html=False).text == page


def test_several_articles_are_all_kept() -> None:
    assert read(f"<body><article><p>{ONE}</p></article><article><p>{TWO}</p></article>").text == f"{ONE}\n\n{TWO}"
    page = f"<main><article><p>{ONE}</p></article><article><p>{TWO}</p></article></main><p>{TWO}</p>"
    assert read(page).text == f"{ONE}\n\n{TWO}"


def test_headings_are_sections_and_no_sentences() -> None:
    document = read(ARTICLE)
    assert [(section.name, document.show(section)) for section in document.sections] == [
        ("The bridge", ONE),
        ("Plans", TWO),
    ]
    assert document.printed == [ONE, TWO]


def test_a_page_of_headings_only_is_read_all_the_same() -> None:
    assert read("<h1>The bridge is closed</h1>").printed == ["The bridge is closed"]


def test_blocks_are_parted_and_inline_elements_are_not() -> None:
    page = "<p>An <em>old</em> bri<b>dge</b>.</p><ul><li>One arch<li>Two arches</ul><div>Three<p>arches</div>"
    assert read(page).text == "An old bridge.\n\nOne arch\n\nTwo arches\n\nThree\n\narches"


def test_line_breaks_end_lines_and_two_of_them_paragraphs() -> None:
    assert read("<p>Roses<br>are red.<br><br>Violets\n\n are blue.</p>").text == "Roses\nare red.\n\nViolets are blue."


def test_rows_of_a_table_are_blocks_of_cells() -> None:
    assert read("<table><tr><th>Year<th>Cost<tr><td>1902<td>12</table>").text == "Year\tCost\n\n1902\t12"


def test_preformatted_text_keeps_its_lines() -> None:
    assert read("<pre>one\n  two</pre>").text == "one\n  two"


def test_listings_of_code_go() -> None:
    assert read(f"<p>{ONE}</p><pre><code>build(bridge)</code></pre><p>{TWO}</p>").text == f"{ONE}\n\n{TWO}"


def test_marks_of_references_go() -> None:
    assert read(f"<p>{ONE}<sup>[12]</sup> H<sup>2</sup></p>").text == f"{ONE} H2"


def test_entities_are_characters() -> None:
    assert read("<p>Fish &amp; chips &#8212; &eacute;&nbsp;!</p>").text == "Fish & chips — é !"


def test_links_within_a_paragraph_stay() -> None:
    assert read(f"<p>{ONE} See <a href=x>the photograph</a>.</p>").text == f"{ONE} See the photograph."


def test_a_menu_that_is_the_page_is_no_boilerplate() -> None:
    page = f'<html><body><div class="menu"><p>{ONE}</p><p>{TWO}</p></div></body></html>'
    assert read(page).text == f"{ONE}\n\n{TWO}"


def test_the_encoding_that_the_page_declares_is_used() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Zażółć gęślą jaźń</p>'.encode("iso-8859-2")
    assert read(page).text == "Zażółć gęślą jaźń"


def test_a_wrongly_declared_utf_8_page_is_read_as_utf_8() -> None:
    assert read('<html><meta charset="iso-8859-1"><p>Café</p>'.encode()).text == "Café"


@pytest.mark.parametrize("declared", ["base64", "idna", "undefined", "klingon", "utf-8"])
def test_what_is_declared_but_no_encoding_is_passed_over(declared: str) -> None:
    page = f'<html><meta charset="{declared}"><p>Café, crème.</p>'.encode("cp1252")
    assert read(page).text == "Café, crème."


def test_deep_nesting_is_no_trouble() -> None:
    assert read("<div>" * 1500 + "Deep." + "</div>" * 1500).text == "Deep."


@pytest.mark.parametrize("tag", ["div><font", "table><tr><td"])
def test_what_libxml2_would_drop_below_2048_levels_is_read(tag: str) -> None:
    page = f"<html><script>no()</script><h1>Title</h1>{f'<p><{tag}>Word. ' * 1100}<p>Last.</p>"
    text = read(page).text
    assert text.startswith("Title\n\nWord.")
    assert text.endswith("Last.")
    assert text.count("Word.") == 1100
    assert "no()" not in text


BEFORE = ["", "\ufeff", " \n", "<!-- > < -->", "\ufeff<!-- a -->\n<!-- b --><!DOCTYPE html>", "<?xml version='1.0'?>"]


@pytest.mark.parametrize("before", [*BEFORE, f"<?xml version='1.0'?>\n<!--{'x' * 9000}-->\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_page_is_recognized_behind_what_may_precede_it(before: str, encoding: str) -> None:
    page = f"{before}<html><nav>Menu</nav><p>{ONE}</p><p>{TWO}</p></html>"
    assert PAGE.match(page)
    assert read_data(page.encode(encoding), "page")[0].text == f"{ONE}\n\n{TWO}"


@pytest.mark.parametrize("text", ["A <html> tag.", "<htmlx>", "<!-- <html> ", "<b>bold</b>", "<?xml <html>"])
def test_a_text_with_tags_in_it_is_no_page(text: str) -> None:
    assert not PAGE.match(text)


@given(st.text(st.sampled_from("<>/!-=\"' abpdivh1article&;#\n\0é"), max_size=120))
def test_any_markup_is_read(page: str) -> None:
    document = read("<p>Bread.</p>" + page)
    assert document.sentences
    assert all(0 <= one.start < one.end <= len(document.text) for one in document.sentences)


def test_a_page_of_scripts_holds_no_text() -> None:
    page = (
        "<html><head><style>p { The ferry left at noon. }</style></head><body><script>The ferry left.</script></body>"
    )
    assert read_text(page, html=True).sentences == ()


def test_text_behind_the_end_of_a_page_belongs_to_it() -> None:
    assert read(f"<html><body><p>{ONE}</p></body></html>\n<p>{TWO}</p></html>").text == f"{ONE}\n\n{TWO}"


@pytest.mark.parametrize("mark", ["<!--", "<title>", "<textarea>"])
def test_what_is_not_closed_is_read_with_a_notice(mark: str) -> None:
    document = read(f"<html><body><!-- closed --><p>{ONE}</p>{mark}<p>{TWO}</p>{mark}</body></html>")
    assert document.text == f"{ONE}\n\n{TWO}"
    assert len(document.notices) == 1


def test_a_notice_tells_of_a_script_that_is_not_closed() -> None:
    document = read(f"<html><body><script>p()</script><p>{ONE}</p><script>p()<p>{TWO}</p></body></html>")
    assert document.text == ONE
    assert len(document.notices) == 1

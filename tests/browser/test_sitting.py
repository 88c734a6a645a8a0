"""A sitting at the page, from a pasted text to a file that is taken away: by mouse, by keyboard, without JavaScript."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ISLAND = Path("examples/island.txt").read_text(encoding="utf-8")

NOTE = "The ferry leaves at noon. The keeper counts the passengers.\n\nNobody pays for the crossing."

CHINESE = "桥梁管理员每天开关桥梁。船只从河上经过。\n\n市政府决定修理这座桥。工程将在春天开始。居民们对此表示欢迎。"

ARABIC = "يفتح حارس الجسر الجسر كل يوم. تمر السفن في النهر.\n\nقررت البلدية إصلاح الجسر. سيبدأ العمل في الربيع."


def paste(page: Any, text: str, title: str = "") -> None:
    """Fill in the first text and wait for its summary."""
    page.fill("input[name=title]", title)
    page.fill("textarea[name=text]", text)
    page.evaluate("document.getElementById('ask').requestSubmit()")
    page.wait_for_selector(".summary .sentence")


def click(page: Any, selector: str, number: int = 0) -> None:
    """Click the first line of what may be broken into several."""
    where = page.evaluate(
        """([selector, number]) => {
          const element = document.querySelectorAll(selector)[number];
          element.scrollIntoView({ block: "center" });
          const line = element.getClientRects()[0];
          return [line.x + 9, line.y + line.height / 2];
        }""",
        [selector, number],
    )
    page.mouse.click(*where)


def mark(page: Any, words: str) -> None:
    """Select words in the source, as a mouse that is drawn over them does."""
    page.evaluate(
        """(words) => {
          const walker = document.createTreeWalker(document.querySelector(".text"), NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const at = walker.currentNode.data.indexOf(words);
            if (at < 0) continue;
            getSelection().setBaseAndExtent(walker.currentNode, at, walker.currentNode, at + words.length);
            return;
          }
        }""",
        words,
    )


def said_after(page: Any, action: Any) -> str:
    """Do something, and return what the status says of the summary that it makes."""
    page.evaluate("document.querySelector('.status').textContent = ''")
    action()
    page.wait_for_selector(".status:not(:empty)", state="attached")
    return str(page.inner_text(".status"))


def in_view(page: Any, selector: str) -> bool:
    return bool(
        page.evaluate(
            """(selector) => {
              const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
              return top >= 0 && bottom <= innerHeight;
            }""",
            selector,
        )
    )


def test_a_sitting_by_mouse(visit: Any) -> None:
    page = visit()
    paste(page, ISLAND, "The island")
    assert page.inner_text(".title") == "The island"
    assert page.title() == "The island – nutgraf"

    # The length changes the summary in place.
    said = said_after(page, lambda: page.fill("#words", "60"))
    assert int(said.removeprefix("Summary of ").split()[0]) <= 60

    # A sentence leads to its source, and the source back.
    click(page, ".summary .sentence", 1)
    assert page.locator(".why.chosen").count() == 1
    assert in_view(page, ".origin.chosen")
    assert "paragraph of The island" in page.inner_text(".why.chosen")
    page.keyboard.press("Escape")
    assert page.locator(".chosen").count() == 0
    click(page, ".origin")
    assert page.locator(".sentence.chosen").count() == 1

    # Words that are marked in the source become a highlight.
    page.keyboard.press("Escape")
    mark(page, "Ruth Ansell")
    page.wait_for_selector(".marker:visible")
    said_after(page, lambda: page.click(".marker"))
    assert page.input_value("#highlights") == "Ruth Ansell:1"
    assert "Ruth Ansell" in page.inner_text(".summary")
    assert "contains Ruth Ansell, which you asked for" in page.text_content(".whys")
    assert set(page.locator(".text .asked").all_inner_texts()) == {"Ruth Ansell"}

    # A second press makes it stronger, and so do words that are marked again.
    said_after(page, lambda: page.click("#chips .chip"))
    assert page.input_value("#highlights") == "Ruth Ansell:2"
    mark(page, "Ruth Ansell")
    page.wait_for_selector(".marker:has-text('Strengthen')")
    said_after(page, lambda: page.click(".marker"))
    assert page.input_value("#highlights") == "Ruth Ansell:4"

    # A key phrase is highlighted by a press.
    phrase = page.locator('button[name="toggle"][aria-pressed="false"]').first
    name = phrase.get_attribute("value")
    said_after(page, phrase.click)
    assert f"{name}:1" in page.input_value("#highlights").split("\n")

    # Another system, and what differs.
    said_after(page, lambda: page.select_option("#system", "lead"))
    page.click('[data-do="compare"]')
    assert "System: Automatic → First sentences" in page.inner_text(".differences")
    page.click('[data-do="close"]')

    # The history leads back.
    page.click(".history li >> nth=0")
    assert page.input_value("#system") == "adaptive"
    assert page.input_value("#highlights") == ""

    # Search.
    page.fill(".search input", "bridge keeper")
    page.wait_for_selector(".search output:not(:empty)")
    assert page.inner_text(".search output").startswith("1 of")

    # Files to take away.
    files = {}
    for name in ("markdown", "docx", "html", "json"):
        with page.expect_download() as download:
            page.click(f'button[name="format"][value="{name}"]')
        files[name] = Path(download.value.path()).read_bytes()
    assert files["markdown"].startswith(b"# Summary of The island")
    assert files["html"].startswith(b"<!DOCTYPE html>")
    assert json.loads(files["json"])["sources"][0]["name"] == "The island"
    assert files["docx"][:2] == b"PK"


def test_a_sitting_by_keyboard(visit: Any) -> None:
    page = visit()
    press = page.keyboard.press

    def move_to(selector: str) -> None:
        for _ in range(200):
            press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"the Tab key never reaches {selector}")

    move_to("textarea[name=text]")
    page.keyboard.insert_text(ISLAND)
    press("Tab")
    page.wait_for_selector(".summary .sentence")
    move_to("#words")
    said_after(page, lambda: page.keyboard.type("80"))
    move_to("#new-highlight")
    page.keyboard.type("ferry")
    said_after(page, lambda: press("Enter"))
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.className") == "chip"
    said_after(page, lambda: press("+"))
    assert page.input_value("#highlights") == "ferry:2"
    move_to(".summary .number")
    assert page.locator(".why.chosen").count() == 1
    assert in_view(page, ".origin.chosen")
    press("Escape")
    assert page.locator(".why.chosen").count() == 0
    move_to('button[name="format"][value="markdown"]')
    with page.expect_download() as download:
        press("Enter")
    assert Path(download.value.path()).read_text(encoding="utf-8").startswith("# Summary of")


def test_several_documents_keep_their_titles_and_open_where_they_were_used(visit: Any, tmp_path: Path) -> None:
    page = visit()
    paste(page, ISLAND, "The island")
    file = tmp_path / "ferry note.txt"
    file.write_text(NOTE, encoding="utf-8")
    page.set_input_files("input[name=file]", str(file))
    page.wait_for_selector(".finder nav")
    assert page.locator(".finder nav a bdi").all_inner_texts() == ["The island", "ferry note.txt"]
    link = page.locator(".finder nav a").first.get_attribute("href")
    assert page.locator(f"{link}.origin").count() == 1
    assert page.locator(".history li").nth(1).inner_text().endswith(" · The island, ferry note.txt")


def test_a_summary_that_takes_long_can_be_stopped(visit: Any) -> None:
    page = visit()
    page.route("**/page/summary", lambda route: None)
    page.fill("textarea[name=text]", ISLAND)
    page.evaluate("document.getElementById('ask').requestSubmit()")
    page.click('[data-do="stop"]')
    assert page.inner_text(".failure") == "Stopped."
    assert page.locator(".progress").is_hidden()
    page.unroute_all()
    page.click(".primary")
    page.wait_for_selector(".summary .sentence")
    assert page.inner_text(".failure") == ""


def upload(name: str, content: bytes) -> dict[str, Any]:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


BROKEN = upload("broken.pdf", b"%PDF-1.7 this is not one")


def test_a_file_that_cannot_be_read_says_so_itself(visit: Any) -> None:
    page = visit()
    page.set_input_files("input[name=file]", [BROKEN])
    page.wait_for_selector("#files .refusal")
    assert page.inner_text("#files .refusal").startswith("broken.pdf is a damaged PDF")
    assert page.get_attribute("#files .refusal", "role") == "alert"
    described = page.get_attribute("#files button", "aria-describedby")
    assert page.locator(f"#{described}").inner_text() == page.inner_text("#files .refusal")
    assert page.inner_text(".failure") == ""
    assert page.locator(".summary").count() == 0


def test_the_others_are_summarized_and_a_refusal_is_told_once(visit: Any) -> None:
    page = visit()
    page.set_input_files("input[name=file]", [BROKEN, upload("note.txt", NOTE.encode())])
    page.wait_for_selector(".summary .sentence")
    assert page.locator("#files .refusal").count() == page.locator("#files li >> nth=0 >> .refusal").count() == 1
    assert page.locator(".documents").get_attribute("open") is not None
    assert page.locator(".notices").count() == 0
    # Another length says nothing again, and leaves the reader where he is.
    page.evaluate("document.querySelector('#files .refusal').dataset.first = 'yes'")
    said_after(page, lambda: page.fill("#words", "5"))
    assert page.get_attribute("#files .refusal", "data-first") == "yes"
    assert page.evaluate("document.activeElement.id") == "words"
    page.click("#files button >> nth=0")
    page.wait_for_selector(".refusal", state="detached")
    assert page.locator(".summary .sentence").count() > 0


def test_an_address_is_told_at_its_field_and_the_summary_before_is_called_so(visit: Any) -> None:
    page = visit()
    paste(page, NOTE)
    page.click(".documents > summary")
    page.fill("textarea[name=text]", "https://example.org/news")
    page.click(".primary")
    page.wait_for_selector(".document .refusal")
    assert page.inner_text(".document .refusal").startswith("Pages are not fetched here.")
    assert page.get_attribute("textarea[name=text]", "aria-invalid") == "true"
    assert "the summary is that of those before" in page.inner_text(".failure")
    page.fill("textarea[name=text]", NOTE)
    page.click(".primary")
    page.wait_for_selector(".refusal", state="detached")
    assert page.get_attribute("textarea[name=text]", "aria-invalid") is None
    assert page.inner_text(".failure") == ""


def test_a_file_that_is_too_large_is_not_sent(visit: Any) -> None:
    page = visit()
    page.evaluate("document.getElementById('ask').dataset.mostBytes = 2000")
    page.set_input_files("input[name=file]", [upload("large.txt", b"The ferry leaves. " * 200)])
    page.wait_for_selector("#files .refusal")
    assert page.locator(".summary").count() == 0
    page.fill("textarea[name=text]", NOTE)
    page.click(".primary")
    page.wait_for_selector(".summary .sentence")
    assert page.locator("#files .refusal").count() == 1
    assert page.locator(".source").count() == 1


def test_more_systems_are_there_when_somebody_asks_for_them(visit: Any) -> None:
    page = visit()
    texts = "[...document.getElementById('system').options].map(({ text }) => text)"
    assert page.evaluate(texts) == ["Automatic", "First sentences", "More…"]
    paste(page, NOTE)
    page.focus("#system")
    page.select_option("#system", "")
    assert page.input_value("#system") == "adaptive"
    assert page.locator("#system option").count() > 20
    assert "More…" not in page.evaluate(texts)
    assert page.evaluate("document.activeElement.id") == "system"
    said_after(page, lambda: page.select_option("#system", "text_rank"))
    page.click(".history li button >> nth=0")
    assert page.input_value("#system") == "adaptive"


def test_without_javascript_the_menu_has_all_systems(visit: Any) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator("#system optgroup option").count() > 20
    page.fill("textarea[name=text]", NOTE)
    page.select_option("#system", "text_rank")
    page.click(".primary")
    assert page.input_value("#system") == "text_rank"
    assert page.locator(".summary .sentence").count() > 0


def test_names_and_titles_of_any_length_and_direction_do_not_break_the_page(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    name = "<b>\u202elong" * 1000
    given = [upload(f"{name}.txt", NOTE.encode()), upload(f"{name}.pdf", b"%PDF-1.7 not one")]
    page.set_input_files("input[name=file]", given)
    page.wait_for_selector(".summary .sentence")
    page.wait_for_selector("#files .refusal")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("#files li").first.bounding_box()["height"] < 60
    assert page.locator("#files b, .title b").count() == 0
    assert "\u202e" not in page.title()
    assert len(page.title()) < 250


def test_without_javascript_there_is_a_form_and_a_result(visit: Any, tmp_path: Path) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator("#new-highlight").is_hidden()
    file = tmp_path / "island.txt"
    file.write_text(ISLAND, encoding="utf-8")
    page.set_input_files("input[name=file]", str(file))
    page.fill("#words", "60")
    page.fill("#highlights", "ferry")
    page.click(".primary")
    assert page.inner_text(".title") == "island.txt"
    assert page.input_value("#words") == "60"
    there = page.locator(".summary .number").first.get_attribute("href")
    assert page.locator(f"{there}.origin").count() == 1
    assert page.locator(".why:visible").count() == page.locator(".summary .sentence").count()
    # The text of the file stands in the form now, so that the next setting needs no file.
    page.fill("#words", "90")
    page.click(".primary")
    assert page.inner_text(".title") == "island.txt"
    assert page.locator(".facts").inner_text().count("of 90 words") == 1


@pytest.mark.parametrize(
    ("text", "language", "direction"), [(CHINESE, "zh", "ltr"), (ARABIC, "ar", "rtl")], ids=("Chinese", "Arabic")
)
def test_other_scripts_read_in_their_direction(visit: Any, text: str, language: str, direction: str) -> None:
    page = visit()
    paste(page, text)
    assert page.get_attribute(".summary", "lang") == language
    found = page.evaluate(
        """['.summary', '.text p', 'textarea[name=text]'].map((selector) =>
          getComputedStyle(document.querySelector(selector)).direction)"""
    )
    assert found == [direction] * 3


def test_a_text_that_is_typed_is_summarized_at_the_first_pause(visit: Any) -> None:
    page = visit()
    page.click("textarea[name=text]")
    page.keyboard.type("The ferry leaves at noon. Nobody pays for the crossing.")
    page.wait_for_selector(".summary .sentence")
    assert page.evaluate("document.activeElement.name") == "text"


def test_the_slider_is_fine_where_summaries_are_short_and_changes_them_while_it_moves(visit: Any) -> None:
    page = visit()
    paste(page, ISLAND)
    page.focus("#slider")
    page.keyboard.press("Home")
    assert page.input_value("#words") == "20"
    page.keyboard.press("ArrowRight")
    assert 20 < int(page.input_value("#words")) < 25
    page.keyboard.press("End")
    page.wait_for_selector(f".facts:has-text('of {page.input_value('#words')} words')")


def test_a_length_that_is_none_is_told_and_nothing_left_shows_nothing(visit: Any) -> None:
    page = visit()
    page.set_input_files(
        "input[type=file]", files=[{"name": "a.txt", "mimeType": "text/plain", "buffer": NOTE.encode()}]
    )
    page.wait_for_selector(".summary .sentence")
    page.fill("#words", "-5")
    assert "number of words" in page.inner_text(".failure")
    page.click(".documents > summary")
    page.click("#files button")
    page.wait_for_selector(".summary", state="detached")
    assert page.inner_text(".failure") == ""


def test_words_that_differ_are_marked_side_by_side(visit: Any) -> None:
    page = visit()
    paste(page, ISLAND)
    page.select_option("#system", "")
    said_after(page, lambda: page.select_option("#system", "random"))
    page.click('[data-do="compare"]')
    page.wait_for_selector("#comparison ins")
    left, right = page.locator("#comparison .compared").all()
    assert left.locator("ins").count() == right.locator("del").count() == 0
    assert left.locator("del").first.text_content().startswith("[only here: ")
    # The marks take nothing from the texts.
    page.evaluate("document.querySelectorAll('#comparison .unseen').forEach((one) => one.remove())")
    assert left.text_content().split()[:4] == "The only road to".split()


def test_the_button_is_there_while_documents_are_open_and_folds_them(visit: Any) -> None:
    page = visit()
    page.click("textarea[name=text]")
    page.keyboard.type("The ferry leaves at noon. Nobody pays for the crossing.")
    page.wait_for_selector(".summary .sentence")
    assert page.locator(".documents").get_attribute("open") is not None
    page.click(".primary")
    page.wait_for_selector(".documents:not([open])", state="attached")
    assert page.locator(".primary").is_hidden()


def test_on_a_telephone_a_panel_leads_to_the_source_and_what_is_left_out_is_listed(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    paste(page, ISLAND)
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    click(page, ".summary .sentence", 1)
    page.click(".why.chosen dd a")
    page.wait_for_function("document.querySelector('.origin.chosen').getBoundingClientRect().top < innerHeight")
    assert in_view(page, ".origin.chosen")
    assert page.locator(".why.chosen").count() == 1
    page.keyboard.press("Escape")
    page.click(".facts a")
    assert "Island cut off as swing bridge" in page.inner_text("#omitted q")


TALK = "Ann: Blue or green?\n\nBob: Green.\n\nAnn: Then we take green.\n\nBob: I'll order ten cans on Monday."


def test_views_are_chosen_by_keyboard_and_come_back_with_the_sitting(visit: Any) -> None:
    page = visit()
    paste(page, TALK, "Paint")
    assert not page.locator("[name=show][value=agreement]").is_visible()
    page.locator("[name=show]:checked").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".kicker:text-is('Summary of')")
    assert page.locator("#by").is_visible()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".kicker:text-is('Minutes of')")
    assert page.evaluate("document.activeElement.value") == "minutes"
    assert not page.locator("#words").is_visible()
    assert page.locator("#summary h2").all_inner_texts() == ["Decisions", "Actions", "Open questions"]
    page.locator(".summary .number").first.focus()
    assert page.locator(".origin.chosen").inner_text().startswith("Then we take green.")
    assert "a decision" in page.inner_text(".why.chosen")
    page.locator(".history li button").first.click()
    page.wait_for_selector(".kicker:text-is('Summary of')")
    assert page.evaluate("document.querySelector('[name=show]:checked').value") == "summary"


def test_agreement_is_there_for_two_documents(visit: Any) -> None:
    page = visit()
    page.fill("textarea[name=text]", "The fire injured 14 people.")
    page.click('[data-do="add-text"]')
    page.locator("textarea[name=text]").nth(1).fill("The fire injured 17 people. It began at noon.")
    page.evaluate("document.getElementById('ask').requestSubmit()")
    page.wait_for_selector(".finder nav")
    page.locator("[name=show][value=agreement]").check()
    page.wait_for_selector(".kicker:text-is('Agreement of')")
    assert page.locator("#summary section").first.locator(".speaker").all_inner_texts() == ["14: ", "17: "]
    page.click(".documents:not([open]) > summary")
    page.locator('[data-do="remove-text"]').nth(1).click()
    page.wait_for_selector(".kicker:text-is('Summary of')")
    assert not page.locator("[name=show][value=agreement]").is_visible()

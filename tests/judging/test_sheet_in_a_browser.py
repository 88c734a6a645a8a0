"""A judge's page in a real browser: the keyboard alone, a narrow window, and an answer that survives a crash."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nutgraf.judging.answers import read_answers
from nutgraf.judging.protocols import protocols
from nutgraf.judging.records import Item
from nutgraf.judging.sheets import write_sheets
from nutgraf.judging.study import Study, make_study

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
STORY = "The ferry Agnes left at noon with a piano. A storm broke its mast near the rock. Nobody was hurt. " * 6


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Opens Chromium with a profile of its own; without playwright or a Chromium the tests say so."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is missing")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(PROGRAMS)} is on the PATH")
    with driver.sync_playwright() as playwright:

        def launch(profile: Path, **options: Any) -> Any:
            context = playwright.chromium.launch_persistent_context(
                str(profile), executable_path=program, args=["--no-sandbox", "--disable-gpu"], **options
            )
            context.set_default_timeout(60_000)
            return context

        yield launch


@pytest.fixture
def study(tmp_path: Path) -> Study:
    items = [
        Item(f"story-{number}", {"ours": (f"The ferry left. ({number})",), "theirs": ("Nobody was hurt.",)}, STORY)
        for number in range(3)
    ]
    made = make_study(protocols.choose("pairwise"), items, 1, 0)
    write_sheets(made, items, tmp_path, "html")
    return made


def opened(context: Any, tmp_path: Path) -> Any:
    page = context.new_page()
    page.goto((tmp_path / "sheets" / "judge-01.html").as_uri())
    return page


def shown(page: Any) -> str:
    return str(page.locator("#progress").inner_text())


def test_a_study_is_judged_with_the_keyboard_alone(study: Study, tmp_path: Path, chromium: Any) -> None:
    """Tab goes to the questions, arrows choose, Enter goes on; the file that is saved has every answer."""
    context = chromium(tmp_path / "profile", accept_downloads=True)
    page = opened(context, tmp_path)
    before = shown(page)
    for _ in study.tasks:
        page.locator("#document").focus()
        for _ in range(3):
            page.keyboard.press("Tab")
            page.keyboard.press("Space")
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    assert shown(page) != before
    assert page.locator("#end").is_visible()
    with page.expect_download() as download:
        page.locator("#save").focus()
        page.keyboard.press("Enter")
    download.value.save_as(tmp_path / "answers.json")
    context.close()
    found = read_answers(tmp_path / "answers.json", study)
    assert [one.task.key for one in found] == [task.key for task in study.tasks]
    assert {value for one in found for value in one.answers.values()} == {"tie"}, "the second of three choices"


def test_numbers_choose_and_what_is_open_is_said(study: Study, tmp_path: Path, chromium: Any) -> None:
    context = chromium(tmp_path / "profile")
    page = opened(context, tmp_path)
    assert page.inner_text("#problem") == "3 questions are open."
    page.keyboard.press("3")
    assert page.inner_text("#problem") == "2 questions are open."
    page.keyboard.press("1")
    page.keyboard.press("9")
    page.keyboard.press("2")
    assert page.inner_text("#problem") == ""
    chosen = page.eval_on_selector_all("#questions input", "all => all.map((one) => one.checked)")
    assert [at % 3 for at, checked in enumerate(chosen) if checked] == [2, 0, 1]
    before = shown(page)
    page.keyboard.press("Enter")
    assert shown(page) != before
    context.close()


def test_an_answer_survives_a_page_that_is_killed(study: Study, tmp_path: Path, chromium: Any) -> None:
    """The renderer is crashed right after an answer was chosen, before anybody could press Next."""
    context = chromium(tmp_path / "profile")
    page = opened(context, tmp_path)
    page.locator("#questions input").first.check()
    with pytest.raises(Exception, match="crash"):
        page.goto("chrome://crash")
    again = opened(context, tmp_path)
    assert again.locator("#questions input").first.is_checked()
    context.close()
    context = chromium(tmp_path / "profile")
    later = opened(context, tmp_path)
    assert later.locator("#questions input").first.is_checked(), "also after the browser was closed"
    context.close()


def test_nothing_is_wider_than_a_telephone(study: Study, tmp_path: Path, chromium: Any) -> None:
    context = chromium(tmp_path / "profile", viewport={"width": 390, "height": 844})
    page = opened(context, tmp_path)
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert json.dumps(widths) == "[390, 390]"
    small = page.evaluate("""[...document.querySelectorAll("button, label")].map(
      (element) => Math.round(element.getBoundingClientRect().height)).filter((height) => height < 24)""")
    assert small == [], "targets of at least 24 CSS pixels (WCAG 2.2, 2.5.8)"
    context.close()

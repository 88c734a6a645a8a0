"""A summary that somebody wrote is checked in a browser: by mouse, by keyboard, without JavaScript, on a telephone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ISLAND = Path("examples/island.txt").read_text(encoding="utf-8")
WRITTEN = Path("examples/island-summary.txt").read_text(encoding="utf-8")

SHAPES = {
    "light": {},
    "narrow and dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
    "without scripts": {"java_script_enabled": False},
}


def check(page: Any) -> None:
    page.click("nav a >> text=Check a summary")
    page.fill("#written", WRITTEN)
    page.fill("textarea[name=text]", ISLAND)
    page.click(".primary")
    page.wait_for_selector(".summary .sentence")


@pytest.mark.parametrize("shape", SHAPES)
def test_a_summary_is_checked(visit: Any, shape: str) -> None:
    page = visit(**SHAPES[shape])
    check(page)
    assert page.locator(".flagged").all_inner_texts() == ["250", "Hamburg"]
    there = page.locator(".summary .number").first.get_attribute("href")
    assert page.locator(f"{there}.origin").count() == 1
    if SHAPES[shape].get("java_script_enabled", True):
        page.locator(".summary .number").nth(2).focus()
        assert "250" in page.inner_text(".why.chosen .flag q")
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    # What was given is still there.
    page.click(".given > summary >> nth=0")
    assert page.input_value("#written").strip() == WRITTEN.strip()


@pytest.mark.parametrize("shape", ["light", "narrow and dark"])
def test_axe_finds_nothing_serious(visit: Any, shape: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    page = visit(**SHAPES[shape])

    def faults() -> list[str]:
        found = axe.Axe().run(page).response["violations"]
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in ("serious", "critical")
        ]

    page.click("nav a >> text=Check a summary")
    assert faults() == []
    page.fill("#written", "The bridge opened.")
    page.fill("textarea[name=text]", "https://example.org/news")
    page.click(".primary")
    page.wait_for_selector(".refusal")
    assert faults() == []
    check(page)
    page.locator(".summary .number").nth(2).focus()
    assert faults() == []


def test_a_check_by_keyboard(visit: Any) -> None:
    page = visit()
    press = page.keyboard.press

    def move_to(selector: str) -> None:
        for _ in range(200):
            press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"the Tab key never reaches {selector}")

    move_to("nav a:not([aria-current])")
    press("Enter")
    page.wait_for_selector("#written")
    move_to(".primary")
    press("Enter")
    assert "nothing to check yet" in page.inner_text(".failure")
    assert page.evaluate("document.activeElement.id") == "written"
    page.keyboard.insert_text(WRITTEN)
    move_to("textarea[name=text]")
    page.keyboard.insert_text(ISLAND)
    move_to(".primary")
    press("Enter")
    page.wait_for_selector(".summary .sentence")
    move_to(".summary .number")
    assert page.locator(".why.chosen").count() == 1
    press("Escape")
    assert page.locator(".why.chosen").count() == 0


def test_sources_are_dropped_and_a_file_that_cannot_be_read_says_so(visit: Any) -> None:
    page = visit()
    page.click("nav a >> text=Check a summary")
    page.fill("#written", WRITTEN)
    page.evaluate(
        """(text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "island.txt"));
          dataTransfer.items.add(new File(["%PDF-1.7 not one"], "broken.pdf"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        ISLAND,
    )
    assert page.locator("#files bdi").all_inner_texts() == ["island.txt", "broken.pdf"]
    page.click(".primary")
    page.wait_for_selector(".summary .sentence")
    assert page.inner_text("#refused .refusal").startswith("broken.pdf is a damaged PDF")
    assert page.locator(".source h2").all_inner_texts() == ["island.txt"]

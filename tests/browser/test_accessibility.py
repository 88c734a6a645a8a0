"""Axe finds nothing serious on the page, in any of its states and shapes, nor on the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nutgraf.report import render
from nutgraf.systems import load

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")

ISLAND = Path("examples/island.txt").read_text(encoding="utf-8")
BRIDGE = Path("examples/bridge.md").read_text(encoding="utf-8")

TALK = "Ann: Blue or green?\n\nBob: Green.\n\nAnn: Then we take green.\n\nBob: I'll order it on Monday. "

SHAPES = {
    "light": {},
    "narrow and dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


def faults(page: Any) -> list[str]:
    """What axe calls serious or critical."""
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_sitting_has_no_serious_fault(visit: Any, shape: str) -> None:
    page = visit(**SHAPES[shape])
    assert faults(page) == []
    page.fill("textarea[name=text]", ISLAND)
    page.click('[data-do="add-text"]')
    page.locator("textarea[name=text]").nth(1).fill(BRIDGE)
    page.fill("#new-highlight", "bridge keeper")
    page.press("#new-highlight", "Enter")
    page.wait_for_selector(".finder nav")
    page.locator(".summary .number").nth(1).focus()
    assert faults(page) == []
    page.fill("#words", "60")
    page.wait_for_selector(".facts:has-text('of 60 words')")
    page.fill(".search input", "bridge")
    page.click('[data-do="compare"]')
    page.wait_for_selector("dialog[open]")
    assert faults(page) == []


@pytest.mark.parametrize("shape", SHAPES)
def test_no_view_has_a_serious_fault(visit: Any, shape: str) -> None:
    page = visit(**SHAPES[shape])
    page.fill("textarea[name=text]", TALK)
    page.click('[data-do="add-text"]')
    page.locator("textarea[name=text]").nth(1).fill(BRIDGE)
    page.wait_for_selector(".finder nav")
    for show, kicker in (("minutes", "Minutes of"), ("agreement", "Agreement of"), ("parts", "Summary of")):
        page.locator(f"[name=show][value={show}]").check()
        page.wait_for_selector(f".kicker:text-is('{kicker}')")
        page.locator(".summary .number").first.focus()
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_nothing_is_wider_than_a_narrow_page(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    page.fill("textarea[name=text]", f"{'long' * 40} words. {ISLAND}")
    page.evaluate("document.getElementById('ask').requestSubmit()")
    page.wait_for_selector(".summary .sentence")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("shape", SHAPES)
def test_the_report_has_no_serious_fault(browser: Any, tmp_path: Path, shape: str) -> None:
    file = tmp_path / "report.html"
    summary = load("mls_plus")([ISLAND, BRIDGE], words=100, highlights=["bridge keeper"])
    file.write_text(render(summary), encoding="utf-8")
    page = browser.new_page(**SHAPES[shape])
    page.goto(file.as_uri())
    page.locator(".summary .number").first.focus()
    assert page.locator(".why.chosen").count() == 1
    assert faults(page) == []
    page.close()


def test_the_panel_of_the_report_hides_no_sentence(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(render(load()([ISLAND, BRIDGE], words=300)), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1200, "height": 700})
    page.goto(file.as_uri())
    last = page.locator(".summary .number").last
    last.focus()
    bottom = page.evaluate("[...document.querySelectorAll('.sentence')].at(-1).getBoundingClientRect().bottom")
    assert bottom <= page.locator(".whys").bounding_box()["y"]
    page.close()

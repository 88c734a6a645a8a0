"""Markup in texts, titles and names of files stays text: nothing of it runs, even without the page's policy."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hostile"))

from injections import OUTSIDE, payloads

AT_ONCE = 60
"""Documents of one summary."""

WATCH = "window.executed = []; window.ran = (number) => executed.push(number);"

PASTE = """(texts) => {
  for (const [, text] of texts) {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }
  document.querySelectorAll("#texts [name=title]").forEach((field, number) => (field.value = texts[number][0]));
}"""

SET = """(values) => {
  for (const [name, value] of Object.entries(values)) document.getElementById(name).value = value;
}"""

USE = """() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const element of document.querySelectorAll("[data-slot] *, #files *")) {
    for (const type of ["pointerover", "mouseover", "focusin"]) {
      element.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }
  document.querySelectorAll(".sentence, .origin").forEach((element) => element.click());
}"""

TAGS = frozenset(
    "a article aside b bdi br button code dd details div dl dt em fieldset footer form h2 h3 header input label legend "
    "li mark nav ol output p pre q rect s section span strong summary svg time table tbody td textarea th tr ul".split()
)
"""Elements that the parts of the page are made of."""

STRANGE = """(tags) => {
  const shown = [...document.querySelectorAll("[data-slot] *, #texts *, #files *, .history *")];
  const odd = ({ attributes }) => [...attributes].some(({ name }) => /^(on|style|src)/.test(name));
  return shown.filter((one) => !tags.includes(one.localName) || odd(one)).map((one) => one.outerHTML);
}"""

LINKS = """() => [...document.querySelectorAll("[href], [src], [action], [formaction]")].flatMap((element) =>
  ["href", "src", "action", "formaction"].map((name) => element.getAttribute(name))).filter(Boolean)"""

FEW = "The ferry leaves at noon. The keeper counts the passengers."


class Watched:
    """A page that notes what ran and what was asked for elsewhere."""

    def __init__(self, visit: Any) -> None:
        self.asked: list[str] = []
        self.page = visit(bypass_csp=True)
        self.page.context.route(re.compile(re.escape(OUTSIDE)), self._note)
        self.page.add_init_script(WATCH)
        self.page.reload()

    def _note(self, route: Any) -> None:
        self.asked.append(route.request.url)
        route.abort()

    @property
    def executed(self) -> list[int]:
        return list(self.page.evaluate("executed"))


def paste(page: Any, texts: list[tuple[str, str]]) -> None:
    page.evaluate(PASTE, [list(one) for one in texts])


def upload(page: Any, texts: list[tuple[str, str]]) -> None:
    files = [
        {"name": f"{title[:150]}.txt", "mimeType": "text/plain", "buffer": text.encode("utf-8", "replace")}
        for title, text in texts
    ]
    page.set_input_files("input[name=file]", files)


def summarize(page: Any, texts: list[tuple[str, str]], give: Any) -> None:
    """Give documents and wait for their summary, in which each of them should have a sentence."""
    page.evaluate(SET, {"words": str(30 * len(texts)), "system": "lead"})
    give(page, texts)
    page.evaluate("document.getElementById('ask').requestSubmit()")
    page.wait_for_selector(".summary .sentence")


@pytest.fixture(scope="module")
def documents() -> list[tuple[str, str]]:
    numbered = [payload.numbered(number).replace("\r", " ") for number, payload in enumerate(payloads())]
    return [(one.replace("\n", " "), f"Here it begins with {one} in its middle. {FEW}") for one in numbered]


@pytest.mark.parametrize("give", [paste, upload])
def test_no_payload_of_a_sample_runs(visit: Any, documents: list[tuple[str, str]], give: Any) -> None:
    watch(visit, documents[::8], give)


@pytest.mark.campaign
@pytest.mark.parametrize("give", [paste, upload])
def test_no_payload_runs(visit: Any, documents: list[tuple[str, str]], give: Any) -> None:
    assert len(documents) >= 350
    watch(visit, documents, give)


def watch(visit: Any, documents: list[tuple[str, str]], give: Any) -> None:
    """Summarize documents with payloads in the page, use all its parts, and see that nothing runs or is asked for."""
    watched = Watched(visit)
    for start in range(0, len(documents), AT_ONCE):
        if start:
            watched.page.reload()
        summarize(watched.page, documents[start : start + AT_ONCE], give)
        assert watched.page.locator(".source").count() > AT_ONCE / 3 or start + AT_ONCE > len(documents)
        watched.page.evaluate(USE)
        watched.page.wait_for_timeout(100)
        assert watched.page.evaluate(STRANGE, sorted(TAGS)) == []
        assert all(
            re.fullmatch(r"#[a-z]+-\d+|#[a-z]+|\./|check|page/[a-z]+(\.\w+)?", link)
            for link in watched.page.evaluate(LINKS)
        )
        assert (watched.executed, watched.asked) == ([], [])


@pytest.mark.parametrize("show", ["parts", "minutes", "agreement"])
def test_no_payload_of_a_sample_runs_in_a_view(visit: Any, documents: list[tuple[str, str]], show: str) -> None:
    watched = Watched(visit)
    talks = [
        (title, f"Ann: {text}\n\nBob: Then we take {title}. I'll order {title}.") for title, text in documents[::16]
    ]
    summarize(watched.page, talks, paste)
    watched.page.locator(f"[name=show][value={show}]").check()
    watched.page.wait_for_selector(".outline .sentence")
    watched.page.evaluate(USE)
    watched.page.wait_for_timeout(100)
    assert watched.page.evaluate(STRANGE, sorted(TAGS)) == []
    assert (watched.executed, watched.asked) == ([], [])


def test_the_same_payloads_run_where_nothing_is_escaped(visit: Any) -> None:
    watched = Watched(visit)
    alive = [payload for payload in payloads() if payload.text.startswith(("<img", "<svg"))]
    for number, payload in enumerate(alive):
        watched.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", payload.numbered(number))
    watched.page.wait_for_timeout(500)
    assert len(set(watched.executed)) > 10

"""How long the page of `nutgraf serve` takes from a click on a sentence to its source, on a long document.

Clicks on every sentence of the summary and back, in a Chromium of the system, and takes the time until the browser has
drawn the next frame, with the source in view. Needs playwright and a Chromium.

    python benchmarks/page.py [--words 100000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from long_text import Writer

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

SENTENCE = ".summary .sentence"

CLICK = """async ([selector, there, number]) => {
  const begun = performance.now();
  document.querySelectorAll(selector)[number].click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const time = performance.now() - begun;
  const { top, bottom } = document.querySelector(`${there}.chosen`).getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) throw new Error("its other end is not in view");
  return time;
}"""


def _busy(tools: Any) -> float:
    """Milliseconds of processor time that the page's own thread has had, which other programs do not lengthen."""
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def _click(page: Any, tools: Any, ends: list[str], number: int) -> tuple[float, float]:
    """Milliseconds of the clock and of the processor that a click takes."""
    before = _busy(tools)
    time = page.evaluate(CLICK, [*ends, number])
    return time, _busy(tools) - before


def main() -> int:
    """Measure, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        print("Skipped: this needs playwright and a Chromium.")
        return 0
    command = [sys.executable, "-m", "nutgraf", "serve", "--port", "0", "--workers", "1", "--seconds", "3600"]
    with (
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service,
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
    ):
        try:
            assert service.stderr is not None
            lines = (re.search(r"ready on (http://\S+?);", line) for line in service.stderr)
            address = next(found[1] for found in lines if found)
            file = Path(folder, "long.txt")
            file.write_text("\n\n".join(Writer().paragraphs(given.words)), encoding="utf-8")
            page = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"]).new_page()
            tools = page.context.new_cdp_session(page)
            tools.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto(address)
            page.fill("#words", "300")
            page.select_option("#system", "systematic")
            page.set_input_files("input[name=file]", str(file))
            page.wait_for_selector(".summary .sentence", timeout=600_000)
            for name, *ends in (
                ("sentence to source", SENTENCE, ".origin"),
                ("source to sentence", ".origin", SENTENCE),
            ):
                elements = range(page.locator(ends[0]).count())
                taken = [_click(page, tools, ends, number) for _ in range(given.rounds) for number in elements]
                for kind, times in zip(("clock", "processor"), zip(*taken, strict=True), strict=True):
                    median, longest = statistics.median(times), max(times)
                    print(f"{name}, {kind}: median {median:.0f} ms, longest {longest:.0f} ms of {len(times)}")
        finally:
            service.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())

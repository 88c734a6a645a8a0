"""The project's files that a summary of five sentences goes through, once everything is loaded.

    python benchmarks/path_length.py [--system adaptive] [--list]

A file counts if one of its functions is entered while a second summary, of another text than the first, is made: by
`nutgraf.load()(text, words=20)`, by the command `nutgraf summarize FILE --words 20`, and by a worker process of the
service. What a module does when it is imported does not count, nor do functions that Python writes itself, such as the
constructor of a dataclass. Beside the files stand the functions that were entered, and the calls. At revision a9ec4270
the three ways took 46, 77 and 57 files.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import nutgraf

PACKAGE = Path(nutgraf.__file__).parent

TEXTS = (
    "The council of Westport closed the old swing bridge on Monday. Engineers had found cracks in two of its beams. "
    "Buses now take the road through Hale, which adds ten minutes to the journey. Shop owners fear that they will lose "
    "customers before Christmas. The mayor said that the repair would cost 2.4 million pounds and last until March.",
    "A ferry with ninety passengers ran aground near the island of Skerra last night. The captain reported fog and a "
    "failure of the radar. Fishing boats brought all passengers ashore before midnight. Two people were treated for "
    "cold in the hospital of Lerby. The company will examine the radars of its other four ferries this week.",
)

Calls = Counter[tuple[str, str, int]]
"""Calls of each function: its file, its name and its line."""


def main() -> None:
    """Print how many files, functions and calls each way takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", default="adaptive", help="the system that summarizes")
    parser.add_argument("--list", action="store_true", help="also print the files, each with its calls")
    args = parser.parse_args()
    for way, summarize in (("python", by_call), ("command", by_command), ("service", by_worker)):
        calls = traced(summarize(args.system))
        files = Counter[str]()
        for (file, _, _), count in calls.items():
            files[file] += count
        print(f"{way:8} {len(files):3} files {len(calls):4} functions {calls.total():6,} calls")
        if args.list:
            print("".join(f"    {count:6,} {file}\n" for file, count in sorted(files.items())), end="")


def traced(summarize: Callable[[str], object]) -> Calls:
    """Return the functions of the package that the second of two summaries enters."""
    summarize(TEXTS[0])
    found = Calls()

    def enter(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and (path := Path(code.co_filename)).is_relative_to(PACKAGE):
            found[path.relative_to(PACKAGE).as_posix(), code.co_qualname, code.co_firstlineno] += 1

    sys.setprofile(enter)
    try:
        summarize(TEXTS[1])
    finally:
        sys.setprofile(None)
    return found


def by_call(system: str) -> Callable[[str], object]:
    """Return the call of a loaded system."""
    loaded = nutgraf.load(system)
    return lambda text: loaded(text, words=20)


def by_command(system: str) -> Callable[[str], object]:
    """Return the command, in this process."""
    from nutgraf.cli.app import run

    def summarize(text: str) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            file = Path(folder, "text.txt")
            file.write_text(text, encoding="utf-8")
            assert run(["summarize", str(file), "--words", "20", "--system", system, "--quiet"]) == 0

    return summarize


def by_worker(system: str) -> Callable[[str], object]:
    """Return what a worker process of the service does with a request that was checked and packed."""
    from nutgraf.runtime.hardware import Compute
    from nutgraf.service.desk import Asking, Desk, summarize
    from nutgraf.service.limits import Limits
    from nutgraf.service.presenting import as_json
    from nutgraf.service.requests import Packed
    from nutgraf.service.schemas import SummaryBody

    desk = Desk({system: None}, Compute(), Limits())
    bodies = {text: SummaryBody(documents=[text], words=20, system=system) for text in TEXTS}
    packed = {text: Packed.of(body.request(), Limits()) for text, body in bodies.items()}
    return lambda text: summarize(desk, [Asking(0, packed[text], as_json)])


if __name__ == "__main__":
    main()

"""Commands on mutated inputs, each in a sandbox, and what must be true of all of them.

A command ends with status 0 or 2, without a traceback, within 30 seconds and 2 GB. Each line on standard error is one
sentence of nutgraf's. A summary never exceeds its budget, its origins lie inside the source and show what was copied,
and JSON can be parsed. What is violated is grouped by its cause: the deepest function of nutgraf in the traceback, and
the type of the error. `--only INDEX` writes the input of that number into a folder and runs it once.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzz_inputs import Input, make
from sandbox import GIB, PRELOADED, Ran, Sandbox

from nutgraf.errors import NutgrafError
from nutgraf.readers.reading import read
from nutgraf.text.clean import visible
from nutgraf.text.document import Document
from nutgraf.text.tokenize import count_words, flatten
from nutgraf.text.transcript import without_noises

WARM = (
    *PRELOADED,
    "nutgraf.collation.*",
    "nutgraf.meetings.*",
    "nutgraf.questions.*",
    "oxmsg",
    "pyarrow.parquet",
    "textblob.en",
    "fuzz_warm",
)
SECONDS = 30.0
MEMORY = 2 * GIB
SLOW = 10.0
_FRAME = re.compile(r'File "[^"]*/nutgraf/([^"]+)", line \d+, in (\S+)')
_UNFORESEEN = re.compile(r"failed unexpectedly|mistake of nutgraf's")


@dataclass
class Report:
    """Result of a campaign."""

    seed: int
    commands: int = 0
    inputs: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    checked: Counter[str] = field(default_factory=Counter)
    violations: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    slowest: tuple[float, int] = (0.0, -1)
    largest: tuple[int, int] = (0, -1)
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "seed": self.seed,
            "commands": self.commands,
            "inputs": self.inputs,
            "seconds": round(self.seconds),
            "statuses": {str(status): count for status, count in sorted(self.statuses.items())},
            "kinds": dict(self.kinds.most_common()),
            "checked": dict(self.checked),
            "slowest": {"seconds": round(self.slowest[0], 2), "index": self.slowest[1]},
            "largest": {"bytes": self.largest[0], "index": self.largest[1]},
            "violations": {
                cause: {"count": len(found), "first": found[:20]} for cause, found in self.violations.items()
            },
        }


def violations(given: Input, ran: Ran, folder: Path, checked: Counter[str]) -> Iterator[str]:
    """Violations, in a few words each."""
    if ran.timed_out or ran.seconds > SECONDS:
        yield f"takes more than {SECONDS:.0f} s"
        return
    if ran.peak > MEMORY:
        yield "takes more than 2 GB"
    if ran.crashed or ran.status not in (0, 2):
        yield f"ends with status {ran.status}"
        return
    if found := _UNFORESEEN.search(ran.stderr):
        yield f"unforeseen: {found.group()}"
    if ran.status == 2 and not ran.stderr.strip():
        yield "refuses without a reason"
    if any(not line.startswith("nutgraf: ") for line in ran.stderr.splitlines()):
        yield "standard error holds what is no sentence of nutgraf's"
    if visible(ran.stderr, lines=True) != ran.stderr:
        yield "standard error holds control characters"
    if ran.status == 0 or (given.each and ran.stdout):
        yield from _wrong_output(given, ran, folder, checked)


def _wrong_output(given: Input, ran: Ran, folder: Path, checked: Counter[str]) -> Iterator[str]:
    if "--report" in given.argv:
        checked["reports"] += 1
        if not (folder / "page.html").read_text(encoding="utf-8").rstrip().endswith("</html>"):
            yield "the report is no page"
    if "--json" not in given.argv:
        if given.words is not None and not {"--each", "--explain", "--by", "--agreement"} & set(given.argv):
            checked["budgets"] += 1
            if _exceeds(ran.stdout, given.words, given, folder):
                yield "the budget is exceeded"
        return
    try:
        result = json.loads(ran.stdout)
    except ValueError:
        yield "the JSON cannot be parsed"
        return
    checked["JSON"] += 1
    if given.argv[0] in ("summarize", "changes"):
        texts = _source_texts(given, folder)
        for one in result if given.each else [result]:
            yield from _wrong_summary(given, one, texts, checked)


def _wrong_summary(given: Input, result: dict[str, Any], texts: dict[str, str], checked: Counter[str]) -> Iterator[str]:
    """What is wrong with a summary, an outline, minutes or changes."""
    if given.words is not None:
        checked["budgets"] += 1
        if result["words"] > given.words or (
            "--by" not in given.argv and count_words(result["text"], result["language"]) > given.words
        ):
            yield "the budget is exceeded"
    names = [one["name"] for one in result["sources"]] if "sources" in result else [result["old"], result["new"]]
    sizes = [one["characters"] for one in result.get("sources", [])]
    for shown, origin in _origins(result):
        checked["origins"] += 1
        source = origin["source"]
        if not 0 <= origin["start"] < origin["end"] or (sizes and origin["end"] > sizes[source]):
            yield "an origin lies outside its source"
        elif shown is not None and names[source] in texts:
            checked["quotations"] += 1
            said = texts[names[source]][origin["start"] : origin["end"]]
            if _as_shown(said) != _as_shown(shown):
                yield "an origin does not show what was copied"


def _origins(value: Any) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Every origin in a result, with the text that it must show, if it must show one."""
    if isinstance(value, list):
        for one in value:
            yield from _origins(one)
    if not isinstance(value, dict):
        return
    if {"source", "start", "end"} <= set(value):
        yield value.get("text"), value
    whole = value.get("operation") == "copied" and len(value["origins"]) == 1 and not value.get("connective")
    copied = value["text"] if whole else None
    for key, one in value.items():
        yield from ((copied, origin) for origin in one) if key == "origins" else _origins(one)


def _as_shown(text: str) -> str:
    """A text without blanks, and without the marks of noises, which are not shown."""
    return "".join(without_noises(_DIVIDED.sub("", flatten(text))).split())


_DIVIDED = re.compile(r"(?<=\w)- (?=\w)")
"""The hyphen of a word that the end of a line divided, which a summary need not have."""


def _exceeds(text: str, words: int, given: Input, folder: Path) -> bool:
    """Return True if a text has more words than allowed, in English and in the language of each document."""
    if count_words(text, "en") <= words:
        return False
    documents = [one for name in given.files for one in _read(given, folder / name)]
    return all(count_words(text, one.language) > words for one in documents)


def _source_texts(given: Input, folder: Path) -> dict[str, str]:
    """The texts of the input's documents by their names; the folder's name does not belong to these."""
    documents = [one for name in given.files for one in _read(given, folder / name)]
    return {document.name.removeprefix(f"{folder}/"): document.text for document in documents}


def _read(given: Input, file: Path) -> list[Document]:
    """The documents of a file, none where it cannot be read."""
    language = given.argv[given.argv.index("--language") + 1] if "--language" in given.argv else None
    try:
        return read(file, language)
    except NutgrafError:
        return []


def cause(sandbox: Sandbox, given: Input, folder: Path, what: str) -> str:
    """The rule that was violated, the type of the error and the deepest function of nutgraf that it passed."""
    if what.startswith("takes"):
        return f"{what} ({given.kind}, {given.argv[0]})"
    ran = sandbox.run(given.argv, folder, seconds=SECONDS, memory=2 * MEMORY, env={"NUTGRAF_DEBUG": "1"})
    inner = ran.stderr.split("The above exception was the direct cause")[0]
    frames = _FRAME.findall(inner)
    errors = re.findall(r"^([\w.]+(?:Error|Exception|Interrupt|Exit)\b)", inner, re.MULTILINE)
    if not errors:
        return f"{what} ({given.kind}, {given.argv[0]})"
    return f"{what}: {errors[-1]} in {' '.join(frames[-1]) if frames else 'no function of nutgraf'}"


def one(sandbox: Sandbox, given: Input, folder: Path) -> tuple[Ran, list[str], Counter[str]]:
    """Run one input in an empty folder."""
    for name, data in given.files.items():
        (folder / name).write_bytes(data)
    ran = sandbox.run(given.argv, folder, seconds=SECONDS + 5, memory=2 * MEMORY)
    checked: Counter[str] = Counter()
    return (
        ran,
        [cause(sandbox, given, folder, what) for what in dict.fromkeys(violations(given, ran, folder, checked))],
        checked,
    )


def campaign(seed: int, first: int, last: int, minutes: float, processes: int) -> Report:
    """Run the inputs from `first` up to `last`, as many as fit into the time."""
    report, lock, numbers = Report(seed), threading.Lock(), iter(range(first, last))
    begun = time.monotonic()

    cores = sorted(os.sched_getaffinity(0))

    def work(number: int) -> None:
        with Sandbox(WARM, {"FUZZ_CORE": str(cores[number % len(cores)])}) as sandbox:
            while time.monotonic() - begun < 60 * minutes:
                with lock:
                    index = next(numbers, None)
                if index is None:
                    return
                given = make(seed, index)
                folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=_memory_folder()))
                try:
                    ran, found, checked = one(sandbox, given, folder)
                finally:
                    shutil.rmtree(folder, ignore_errors=True)
                with lock:
                    _add(report, index, given, ran, found, checked)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(processes)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        for thread in threads:
            thread.join(timeout=15)
        print(f"{report.inputs:,} inputs, {len(report.violations)} kinds of violations", file=sys.stderr, flush=True)
    report.seconds = time.monotonic() - begun
    return report


def _add(report: Report, index: int, given: Input, ran: Ran, found: list[str], checked: Counter[str]) -> None:
    report.commands += 1
    report.inputs += len(given.files)
    report.statuses[ran.status] += 1
    report.kinds[given.kind] += 1
    report.checked += checked
    report.slowest = max(report.slowest, (ran.seconds, index))
    report.largest = max(report.largest, (ran.peak, index))
    for what in found:
        if what not in report.violations:
            print(f"violation at {index}: {what}", file=sys.stderr, flush=True)
        report.violations[what].append(index)


def _memory_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _show(seed: int, index: int, folder: Path) -> int:
    given = make(seed, index)
    folder.mkdir(parents=True, exist_ok=True)
    with Sandbox(WARM) as sandbox:
        ran, found, _ = one(sandbox, given, folder)
    print(f"{folder}: nutgraf {' '.join(given.argv)}")
    print(f"status {ran.status}, {ran.seconds:.2f} s, {ran.peak >> 20} MB\n{ran.stderr[-3000:]}")
    print("\n".join(found) or "no violation")
    return int(bool(found))


def main() -> int:
    """Run the campaign, or one of its inputs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--minutes", type=float, default=5.0)
    options.add_argument("--first", type=int, default=0, help="index of the first input")
    options.add_argument("--count", type=int, default=10**9, help="commands at most")
    options.add_argument("--only", type=int, help="run this one input and keep its files")
    options.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="where --only keeps them")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--report", type=Path, help="write the report here")
    given = options.parse_args()
    if given.only is not None:
        return _show(given.seed, given.only, given.folder / str(given.only))
    report = campaign(given.seed, given.first, given.first + given.count, given.minutes, given.jobs or 1)
    report_json = json.dumps(report.to_json(), indent=2)
    print(report_json)
    if given.report:
        given.report.parent.mkdir(parents=True, exist_ok=True)
        given.report.write_text(report_json + "\n")
    return int(bool(report.violations) or not report.inputs)


if __name__ == "__main__":
    raise SystemExit(main())

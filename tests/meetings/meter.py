"""Measure what `nutgraf.minutes` and the default summary find in the labelled meetings.

    python tests/meetings/meter.py [--strangers] [--data FOLDER] [--show]

A decision, an action or a question is found if one of its sentences is. An action of the program is false if none of
its sentences is that of a labelled action. FOLDER has QMSum's `train.jsonl.xz`; there a range of turns is found if an
item comes from one of them.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import nutgraf
from nutgraf.meetings.find import find_minutes
from nutgraf.meetings.records import Item, Minutes
from nutgraf.readers.reading import as_document
from nutgraf.text.document import Document
from nutgraf.text.turns import Utterance, written_turns

HERE = Path(__file__).parent

ENOUGH = 0.5
"""Share of the shorter of two spans that both have, from which they are the same sentence."""

Span = tuple[int, int]


def labelled(folder: Path = HERE) -> Iterator[tuple[dict[str, Any], Document]]:
    """Yield the labels of each meeting of a folder, and its document."""
    for labels in json.loads((folder / "labels.json").read_text("utf-8")):
        yield labels, as_document(folder / labels["file"])


def places(text: str, quotes: Iterable[str]) -> list[Span]:
    """Spans of quotes in a text, white space aside."""
    found = []
    for quote in quotes:
        pattern = r"\s+".join(map(re.escape, quote.split()))
        found += [match.span() for match in re.finditer(pattern, text)] or list(_cells(text, quote))
    return found


def _cells(text: str, quote: str) -> Iterator[Span]:
    """A quote that a reader has written otherwise, such as one with marks of Markdown: by its words."""
    pattern = r"\W+".join(map(re.escape, re.findall(r"\w+", quote)))
    yield from (match.span() for match in re.finditer(pattern, text))


def meets(one: Span, other: Span) -> bool:
    """Return True if two spans have most of the shorter one in common."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    return common >= ENOUGH * min(one[1] - one[0], other[1] - other[0])


def spans_of(items: Iterable[Item]) -> list[list[Span]]:
    """Places of each item."""
    return [[(origin.start, origin.end) for origin in item.origins] for item in items]


def hits(wanted: Sequence[Span], found: Sequence[Sequence[Span]]) -> list[int]:
    """Numbers of the items found that are among the places wanted."""
    return [number for number, spans in enumerate(found) if any(meets(one, other) for one in wanted for other in spans)]


def same_person(labelled: str, found: str) -> bool:
    """Return True if two names have a word in common."""
    return not {*re.findall(r"\w{2,}", labelled.casefold())}.isdisjoint(re.findall(r"\w{2,}", found.casefold()))


def measure(labels: dict[str, Any], document: Document, minutes: Minutes, show: bool = False) -> Counter[str]:
    """Counts of what is found, false or missed in one meeting."""
    counts: Counter[str] = Counter()
    text = document.text
    summary = nutgraf.load()(document)
    summarized = [[(origin.start, origin.end) for origin in one.origins] for one in summary.sentences]
    found = spans_of(minutes.decisions)
    known: set[int] = set()
    for decision in labels["decisions"]:
        wanted = places(text, decision["quotes"])
        main = "main" if decision["main"] else "other"
        counts[f"{main} decisions"] += 1
        counts[f"{main} decisions in minutes"] += bool(hits(wanted, found))
        counts[f"{main} decisions in summary"] += bool(hits(wanted, summarized))
        known.update(hits(wanted, found))
        if show and not hits(wanted, found):
            print(f"  missed decision ({main}): {decision['quotes']}")
        if show and main == "main" and not hits(wanted, summarized):
            print(f"  not in summary: {decision['quotes']}")
    _false(counts, "decisions", minutes.decisions, known, show)
    found, known = spans_of(minutes.actions), set()
    for action in labels["actions"]:
        at = hits(places(text, action["quotes"]), found)
        right = any(same_person(action["who"], minutes.actions[number].who) for number in at)
        counts["actions"] += 1
        counts["actions found"] += bool(at)
        counts["actions with the right person"] += right
        known.update(at)
        if show and not right:
            who = [minutes.actions[number].who for number in at]
            print(f"  {'wrong person ' + str(who) if at else 'missed action'}: {action['who']}: {action['quotes']}")
    _false(counts, "actions", minutes.actions, known, show)
    found, known = spans_of(minutes.questions), set()
    for question in labels["open_questions"]:
        at = hits(places(text, question["quotes"]), found)
        counts["questions"] += 1
        counts["questions found"] += bool(at)
        known.update(at)
        if show and not at:
            print(f"  missed question: {question['quotes']}")
    _false(counts, "questions", minutes.questions, known, show)
    return counts


def _false(counts: Counter[str], name: str, items: Sequence[Item], known: set[int], show: bool) -> None:
    counts[f"{name} given"] += len(items)
    counts[f"{name} given, false"] += len(items) - len(known)
    for number, item in enumerate(items):
        if show and number not in known:
            print(f"  false {name}: {item.text}")


def report(counts: Counter[str]) -> None:
    """Print the figures of the bar."""

    def share(part: str, whole: str) -> str:
        return f"{counts[part]}/{counts[whole]} = {counts[part] / max(1, counts[whole]):.0%}"

    for kind in ("main", "other"):
        for where in ("summary", "minutes"):
            print(f"{kind} decisions in {where}: {share(f'{kind} decisions in {where}', f'{kind} decisions')}")
    print(f"decisions given that are false: {share('decisions given, false', 'decisions given')}")
    print(f"actions found: {share('actions found', 'actions')}")
    print(f"actions with the right person: {share('actions with the right person', 'actions')}")
    print(f"actions given that are false: {share('actions given, false', 'actions given')}")
    print(f"open questions found: {share('questions found', 'questions')}")
    print(f"open questions given that are false: {share('questions given, false', 'questions given')}")


def measure_qmsum(data: Path, show: bool = False) -> None:
    """Print the figures of the ten meetings of QMSum."""
    labels = {one["id"]: one for one in json.loads((HERE / "qmsum.json").read_text("utf-8"))}
    counts: Counter[str] = Counter()
    with lzma.open(data / "train.jsonl.xz", "rt") as lines:
        meetings = [one for one in map(json.loads, lines) if one["id"] in labels]
    for meeting in meetings:
        label = labels[meeting["id"]]
        document, numbers = _spoken(meeting["turns"])
        minutes = find_minutes(document)
        for kind, items in (
            ("decisions", minutes.decisions),
            ("actions", minutes.actions),
            ("open_questions", minutes.questions),
        ):
            found = [_turns_of(item, document, numbers) for item in items]
            known: set[int] = set()
            for one in label[kind]:
                at = [
                    number
                    for number, turns in enumerate(found)
                    if any(first <= turn <= last for first, last in one["turns"] for turn in turns)
                ]
                known.update(at)
                names = [kind, "main decisions"] if one.get("main") else [kind]
                for name in names:
                    counts[name] += 1
                    counts[f"{name} found"] += bool(at)
                if kind == "actions":
                    counts["actions with the right person"] += any(
                        same_person(one["who"], items[number].who) for number in at
                    )
                if show and not at:
                    print(f"  {meeting['id']} missed {kind} {one['turns']} {one['what']}")
            counts[f"{kind} given"] += len(items)
            counts[f"{kind} given, false"] += len(items) - len(known)
        print(meeting["id"], repr(minutes)[:60])
    for name in ("main decisions", "decisions", "actions", "open_questions"):
        print(
            f"QMSum, {name} found: {counts[f'{name} found']}/{counts[name]} = "
            f"{counts[f'{name} found'] / max(1, counts[name]):.0%}"
        )
    print(f"QMSum, actions with the right person: {counts['actions with the right person']}/{counts['actions']}")
    for kind in ("decisions", "actions", "open_questions"):
        print(
            f"QMSum, {kind} given: {counts[f'{kind} given']}, "
            f"{counts[f'{kind} given, false']} of them in no labelled range"
        )


def _spoken(turns: Sequence[dict[str, str]]) -> tuple[Document, list[int]]:
    """A document of turns, and the number of each turn that is not empty."""
    text, spoken = written_turns(Utterance(turn["speaker"], turn["text"]) for turn in turns)
    return Document.of(text, turns=spoken, language="en"), [
        number for number, turn in enumerate(turns) if turn["text"].strip()
    ]


def _turns_of(item: Item, document: Document, numbers: Sequence[int]) -> set[int]:
    return {
        numbers[at]
        for at, turn in enumerate(document.turns)
        for origin in item.origins
        if turn.start < origin.end and origin.start < turn.end
    }


def main() -> None:
    """Run as a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with QMSum")
    parser.add_argument("--show", action="store_true", help="print what is missed and what is false")
    parser.add_argument("--strangers", action="store_true", help="measure the meetings of strangers")
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    for labels, document in labelled(HERE / "strangers" if arguments.strangers else HERE):
        minutes = find_minutes(document)
        if arguments.show:
            print(labels["file"])
        counts = measure(labels, document, minutes, arguments.show)
        total += counts
        main_found = ", ".join(str(counts[f"main decisions in {where}"]) for where in ("summary", "minutes"))
        main_found += f" of {counts['main decisions']}"
        who = f"{counts['actions with the right person']}/{counts['actions']}, {counts['actions given, false']} false"
        print(f"{labels['file']:28} main decisions in summary, in minutes: {main_found}; actions {who}")
    report(total)
    if arguments.data:
        measure_qmsum(arguments.data, arguments.show)


if __name__ == "__main__":
    main()

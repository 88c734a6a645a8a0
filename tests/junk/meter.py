"""How much junk gets into summaries, and how much prose is kept out, by the labels of the documents beside this file.

    python tests/junk/meter.py [seen|more|check|held_out|pages] [--system NAME] [--words 60 120 200] [--show]

A sentence of a summary is found among the labelled units by its letters and digits, and is junk if a quarter of them or
more belong to junk. Units marked as borderline count as neither. Prose is wrongly excluded if the reader or
`nutgraf.prose` keeps it from all summaries.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from nutgraf.errors import BudgetError
from nutgraf.prose import prose_of
from nutgraf.readers.reading import read
from nutgraf.systems import load
from nutgraf.text.document import Document

HERE = Path(__file__).parent

SPLITS = ("seen", "more")
"""Splits that may be learned from."""

JUNK = 0.25
"""Share of a sentence's characters in junk from which it counts as junk."""

FEWEST_WORDS = 4
"""Words of a unit of prose that is looked for among the sentences that may stand in a summary."""

_CITED = re.compile(r"\[\s*(?:\d+|[a-z]|citation needed)\s*\]")


@dataclass(frozen=True)
class Unit:
    """A labelled piece of text: its letters and digits alone, and its label: prose, junk or borderline."""

    text: str
    letters: str
    label: str
    kind: str


@dataclass
class Labelled:
    """A document and its units."""

    path: Path
    units: list[Unit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.letters = "".join(unit.letters for unit in self.units)
        self.labels = [index for index, unit in enumerate(self.units) for _ in unit.letters]

    def junk_in(self, sentence: str) -> tuple[float, str]:
        """Share of junk in a sentence of a summary, and the kind that most of it has; 0 where it is borderline."""
        wanted = letters(sentence)
        at, end = self._find(wanted)
        touched = Counter(self.labels[at:end])
        if any(self.units[index].label == "borderline" for index in touched):
            return 0.0, ""
        junk = Counter({index: count for index, count in touched.items() if self.units[index].label == "junk"})
        kind = self.units[junk.most_common(1)[0][0]].kind if junk else ""
        return sum(junk.values()) / max(1, end - at), kind

    def _find(self, wanted: str) -> tuple[int, int]:
        """Where it is, preferably in prose."""
        best, at = (-1.0, 0), self.letters.find(wanted)
        while at >= 0 and wanted:
            within = self.labels[at : at + len(wanted)]
            prose = sum(self.units[index].label != "junk" for index in within)
            best = max(best, (prose, at))
            at = self.letters.find(wanted, at + 1)
        if best[0] >= 0:
            return best[1], best[1] + len(wanted)
        start, size = longest_common(wanted, self.letters)
        return start, start + size


def letters(text: str) -> str:
    """Letters and digits, lowercased."""
    return "".join(character for character in _CITED.sub("", text).casefold() if character.isalnum())


def longest_common(wanted: str, text: str) -> tuple[int, int]:
    """Where the longest piece of one text lies in another, and how long it is."""
    match = SequenceMatcher(None, wanted, text, autojunk=False).find_longest_match()
    return match.b, match.size


def labelled(split: str) -> Iterator[Labelled]:
    """The documents of a split: `seen`, `more`, `check`, `held_out` or `pages`."""
    for path in sorted((HERE / split).glob("*.labels.jsonl")):
        units = []
        for line in path.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            label = "borderline" if one.get("borderline") else one["label"]
            units.append(Unit(one["text"], letters(one["text"]), label, one["kind"]))
        stem = path.name.removesuffix(".labels.jsonl")
        document = next(each for each in path.parent.glob(f"{stem}.*") if each != path)
        yield Labelled(document, units)


@dataclass
class Tally:
    """What was counted.

    Attributes:
        sentences: Sentences of summaries.
        junk: Those that are junk, as (document, kind, sentence).
        prose: Units of prose.
        excluded: Those that no summary may contain, as (document, kind, unit).
        used: Shares of the budgets used, of documents with at least that much prose.
    """

    sentences: int = 0
    junk: list[tuple[str, str, str]] = field(default_factory=list)
    prose: int = 0
    excluded: list[tuple[str, str, str]] = field(default_factory=list)
    used: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"junk {len(self.junk)} of {self.sentences} sentences ({len(self.junk) / max(1, self.sentences):.1%}), "
            f"prose excluded {len(self.excluded)} of {self.prose} ({len(self.excluded) / max(1, self.prose):.1%}), "
            f"budget used {sum(self.used) / max(1, len(self.used)):.1%}, "
            f"below 85 % in {sum(share < 0.85 for share in self.used)} of {len(self.used)}"
        )


def measure(split: str, system: str = "adaptive", budgets: Sequence[int] = (60, 120, 200)) -> Tally:
    """Summarize the documents of a split and count."""
    summarize = load(system)
    tally = Tally()
    for one in labelled(split):
        (document,) = read(one.path)
        _count_excluded(one, document, tally)
        there = sum(len(unit.text.split()) for unit in one.units if unit.label == "prose")
        for words in budgets:
            try:
                summary = summarize(document, words=words)
            except BudgetError:
                continue
            if there >= words:
                tally.used.append(sum(len(each.text.split()) for each in summary.sentences) / words)
            for sentence in summary.sentences:
                share, kind = one.junk_in(sentence.text)
                tally.sentences += 1
                if share >= JUNK:
                    tally.junk.append((one.path.name, kind, sentence.text))
    return tally


def _count_excluded(one: Labelled, document: Document, tally: Tally) -> None:
    kept = "\n".join(letters(text) for text, prose in zip(document.printed, prose_of(document), strict=True) if prose)
    for unit in one.units:
        if unit.label != "prose" or len(unit.text.split()) < FEWEST_WORDS:
            continue
        tally.prose += 1
        if unit.letters not in kept and longest_common(unit.letters, kept)[1] < 0.6 * len(unit.letters):
            tally.excluded.append((one.path.name, unit.kind, unit.text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("split", nargs="?", default="seen", choices=(*SPLITS, "check", "held_out", "pages"))
    parser.add_argument("--system", default="adaptive", help="preset")
    parser.add_argument("--words", type=int, nargs="+", default=[60, 120, 200], help="budgets")
    parser.add_argument("--show", action="store_true", help="print junk and excluded prose; never for the other splits")
    options = parser.parse_args()
    tally = measure(options.split, options.system, options.words)
    print(tally)
    if options.show and options.split in SPLITS:
        for name, kind, text in [*tally.junk, ("—", "—", "excluded prose:"), *tally.excluded]:
            print(f"{name[:28]:28} {kind:12} {text}")
    print("junk by kind:", dict(Counter(kind for _, kind, _ in tally.junk)))
    print("prose excluded by kind:", dict(Counter(kind for _, kind, _ in tally.excluded)))


if __name__ == "__main__":
    main()

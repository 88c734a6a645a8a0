"""Whether summaries keep their budgets: random documents, systems and lengths in several languages.

    python benchmarks/budgets.py [--data ../shared/data] [--draws 500] [--seed 0] [--corpora csl fredsum]

Each draw takes a document of a corpus, a system and a length at random and measures what is printed: characters with
`len`, words with `wc -w` in a UTF-8 locale. A share is one of the words that `wc -w` counts in the whole input. Where
no sentence fits, the error has to name the smallest length, and a summary of that length has to be within it. Prints,
for each corpus, the draws, those within their budget, those beyond it, those that nothing fitted, and the mean share of
a budget used. The exit status is 1 if any budget was exceeded.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from nutgraf.errors import BudgetError
from nutgraf.systems import System, load
from nutgraf.text.document import Document

SYSTEMS = ("mls_plus", "lead", "lex_rank", "text_rank", "submodular", "kl_sum", "centroid")
WORDS = (20, 40, 60, 100, 150, 250)
SHARES = ("1/50", "1/20", "1/8", "10%")
CHARACTERS = (60, 100, 280, 600)
CORPORA: dict[str, tuple[str, str, dict[str, tuple[Any, ...]]]] = {
    "csl": ("validation", "zh", {"characters": (60, 100)}),
    "klexikon": ("validation", "de", {"words": WORDS, "share": SHARES, "characters": CHARACTERS}),
    "fredsum": ("train", "fr", {"words": WORDS, "share": SHARES, "characters": CHARACTERS}),
    "qmsum": ("train", "en", {"words": WORDS, "share": SHARES, "characters": CHARACTERS}),
}
"""For each corpus its file, its language, and the lengths that are drawn."""


@dataclass
class Count:
    """Outcomes of the draws of a corpus."""

    within: int = 0
    beyond: int = 0
    unfit: int = 0
    used: float = 0.0

    def __str__(self) -> str:
        made = self.within + self.beyond
        return f"{made + self.unfit:>7}{self.within:>8}{self.beyond:>9}{self.unfit:>13}{self.used / max(1, made):>9.0%}"


def main() -> int:
    """Print the outcomes of each corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--draws", type=int, default=500, help="draws for each corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpora", nargs="+", default=list(CORPORA), choices=list(CORPORA))
    parser.add_argument("--systems", nargs="+", default=SYSTEMS)
    options = parser.parse_args()
    print(f"{'corpus':<12}{'draws':>7}{'within':>8}{'beyond':>9}{'nothing fits':>13}{'used':>9}")
    beyond = 0
    for corpus in options.corpora:
        count = Count()
        for text, language, system, length in draws(corpus, options):
            tally(count, load_once(system), Document.of(text, language=language), length, (corpus, system))
        print(f"{corpus:<12}{count}", flush=True)
        beyond += count.beyond
    return int(beyond > 0)


def draws(corpus: str, options: argparse.Namespace) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Random texts with their language, a system and a length."""
    part, language, lengths = CORPORA[corpus]
    texts = read(options.data / corpus / f"{part}.jsonl.xz")
    drawn = random.Random(f"{options.seed} {corpus}")
    for _ in range(options.draws):
        unit = drawn.choice(sorted(lengths))
        yield drawn.choice(texts), language, drawn.choice(options.systems), {unit: drawn.choice(lengths[unit])}


def read(path: Path) -> list[str]:
    """The texts of a corpus; those of a meeting with a line for each turn."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return [
        "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in one["turns"])
        if path.parent.name == "qmsum"
        else "\n\n".join(one["documents"])
        for one in found
    ]


@cache
def load_once(name: str) -> System:
    """A system, loaded once."""
    return load(name)


def tally(count: Count, system: System, document: Document, length: dict[str, Any], where: tuple[str, str]) -> None:
    """Summarize and count."""
    try:
        summary = system(document, **length)
    except BudgetError as error:
        count.unfit += 1
        if not error.smallest:
            return
        unit = "characters" if "characters" in length else "words"
        length = {unit: error.smallest}
        summary = system(document, **length)
        if measure(str(summary), length) > limit_of(document, length):
            count.unfit, count.beyond = count.unfit - 1, count.beyond + 1
        return
    found, limit = measure(str(summary), length), limit_of(document, length)
    count.used += found / limit
    if found <= limit:
        count.within += 1
    else:
        count.beyond += 1
        print(f"{where}: {found} of {limit} ({length})", file=sys.stderr)


def measure(text: str, length: dict[str, Any]) -> int:
    """Length of a printed summary in the unit of its budget."""
    return len(text) if "characters" in length else words(text)


def limit_of(document: Document, length: dict[str, Any]) -> int:
    """Maximum length, in characters or words."""
    [(unit, value)] = length.items()
    if unit != "share":
        return int(value)
    share = Fraction(value[:-1]) / 100 if value.endswith("%") else Fraction(value)
    return int(share * words(document.text))


def words(text: str) -> int:
    """Number of words, as `wc -w` counts them."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["wc", "-w"], input=text, text=True, capture_output=True, check=True, env=environment)
    return int(done.stdout)


if __name__ == "__main__":
    sys.exit(main())

"""A selector that has read, inside `adaptive`: what it adds on every kind of text, at equal budgets, and what it costs.

    python benchmarks/selector.py [SET …] [--network FOLDER] [--data ../shared/data] [--half report] [--limit 200]
                                  [--weights 0.5 1] [--speed]

Each row is the paired difference of ROUGE-1 and ROUGE-2 F1 × 100 between `adaptive` with and without its selector, and
its 95 % interval. The sets, texts and budgets are those of `quality.py`; beside them stand "plain", papers as one text
without sections, and "lines", abstracts at the length of one sentence. Sets without a test part are split by a hash of
the id: one half to choose weights, the other to report. With --weights every genre has this weight, to choose by;
without it each has its own. --speed counts documents a second of the news, in one thread.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import _data
import numpy as np
from quality import SETS, records_of, rouge_of

import nutgraf
from nutgraf.datasets import Record
from nutgraf.errors import BudgetError
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.systems import System
from nutgraf.systems._selector import NETWORK, NetworkSelector, installed_selector
from nutgraf.text.document import Document
from nutgraf.text.genre import GENRES, recognize_genre


class Kind(NamedTuple):
    """Texts of a set of `quality.py` at other budgets, or without their sections."""

    set: str
    budgets: tuple[int, ...] | None = None
    plain: bool = False


KINDS = {name: Kind(name) for name in SETS} | {
    "plain": Kind("papers", (150, 250), plain=True),
    "lines": Kind("abstracts", (30,)),
}

CHOOSE, REPORT, ALL = "choose", "report", "all"

OFF = {"extractive.selector": "none"}


def main() -> None:
    """Print a row for each set, weight and budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(KINDS)}; all, if none is named")
    parser.add_argument("--network", type=Path, help="folder of a network; by default the installed one")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--split", default="validation", help="train, validation or test")
    parser.add_argument("--half", choices=[CHOOSE, REPORT, ALL], default=ALL, help="half of each set, by a hash")
    parser.add_argument("--limit", type=int, default=200, help="examples of each set before it is halved")
    parser.add_argument("--weights", type=float, nargs="+", default=[None], help="weights of every genre")
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    chosen = options.sets or list(KINDS)
    if unknown := [name for name in chosen if name not in KINDS]:
        parser.error(f"no set {', '.join(unknown)}; there are {', '.join(KINDS)}")
    _data.needed(options.data, *(SETS[KINDS[name].set].folder for name in chosen))
    selector = NetworkSelector(options.network) if options.network else installed_selector()
    if selector is None:
        parser.error(f"no network {NETWORK!r} is installed; --network names the folder of one")
    print(f"nutgraf {nutgraf.__version__} · {selector.signature} · {Bootstrap().signature}")
    without = nutgraf.load("adaptive", OFF)
    asking = {weight: _asking(selector, weight) for weight in options.weights}
    for name in chosen:
        records = list(_records(name, options))
        if records:
            measure(name, records, without, asking)
    if options.speed:
        speed(list(_records("news", options)), without, *asking.values())


def _asking(selector: NetworkSelector, weight: float | None) -> System:
    """`adaptive`, which asks a selector."""
    weights = {} if weight is None else {f"extractive.{genre}.selector_weight": weight for genre in _covering()}
    system = nutgraf.load("adaptive", weights)
    system.ask(selector)  # type: ignore[attr-defined]
    return system


def _covering() -> list[str]:
    """Genres whose method has that option."""
    config = nutgraf.load("adaptive", OFF).preset.config.extractive.config
    return [genre for genre in GENRES if hasattr(getattr(config, genre).config, "selector_weight")]


def _records(name: str, options: argparse.Namespace) -> Iterator[Record]:
    kind = KINDS[name]
    file = options.data / SETS[kind.set].folder / f"{SETS[kind.set].split or options.split}.jsonl.xz"
    if not file.is_file():
        print(f"{name}: there is no {file}")
        return
    texts = _plain(file, options.limit) if kind.plain else {}
    for record in records_of(kind.set, str(file), options.limit):
        if options.half == ALL or _half(record.id) == options.half:
            yield replace(record, document=texts[record.id]) if texts else record


def _plain(file: Path, limit: int) -> dict[str, Document]:
    """The texts of sections, one behind the other."""
    with lzma.open(file, "rt") as lines:
        rows = list(map(json.loads, islice(lines, 2 * limit)))
    return {row["id"]: Document.of("\n".join(one["text"] for one in row["sections"]), row["id"]) for row in rows}


def _half(name: str) -> str:
    return (CHOOSE, REPORT)[int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2]


def measure(name: str, records: Sequence[Record], without: System, asking: dict[float | None, System]) -> None:
    """Print the rows of a set."""
    kind = KINDS[name]
    genres = Counter(recognize_genre(record.document) for record in records)
    print(f"\n{name}: {len(records)} texts ({', '.join(f'{count} {genre}' for genre, count in genres.most_common())})")
    for budget in kind.budgets or SETS[kind.set].budgets:
        base = _scores(kind.set, records, without, budget)
        print(f"{budget:>5} {SETS[kind.set].unit}  without {_means(base)}", flush=True)
        for weight, system in asking.items():
            scores = _scores(kind.set, records, system, budget)
            told = "own" if weight is None else f"{weight:g}"
            differences = "  ".join(
                f"{100 * test.interval.mean:+.2f} [{100 * test.interval.low:+.2f}, {100 * test.interval.high:+.2f}]"
                for test in Bootstrap().tests(scores, base)
            )
            print(f"{'':12} weight {told:>4} {_means(scores)}  {differences}", flush=True)


def _means(scores: np.ndarray) -> str:
    return " ".join(f"{one:5.2f}" for one in 100 * scores.mean(axis=0))


def _scores(name: str, records: Sequence[Record], system: System, budget: int) -> np.ndarray:
    """ROUGE-1 and ROUGE-2 of each text."""
    rows = []
    for record in records:
        try:
            made = [sentence.text for sentence in system(record.document, **{SETS[name].unit: budget})]
        except BudgetError:
            made = []
        found = rouge_of(name).score(made, [one for one in record.references if one])
        rows.append([found[variant].f for variant in ("1", "2")])
    return np.array(rows)


def speed(records: Sequence[Record], *compared: System) -> None:
    """Print documents a second, from text to summary."""
    texts = [record.document.text for record in records]
    words = sum(record.document.num_words for record in records) / len(records)
    for label, system in zip(("without", "with"), compared, strict=False):
        system(Document.of(texts[0]), words=60)
        began = time.perf_counter()
        for text in texts:
            system(Document.of(text), words=60)
        print(f"{len(texts) / (time.perf_counter() - began):6.1f} documents a second {label}, of {words:.0f} words")


if __name__ == "__main__":
    main()

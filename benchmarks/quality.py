"""Summaries without a network, on every kind of text: the default, the other methods, and sumy's, at equal budgets.

    python benchmarks/quality.py [SET …] [--data ../shared/data] [--split validation] [--limit 200] [--out runs/quality]

ROUGE-1 and ROUGE-2 F1 × 100 of whole sentences within each budget, with the paired difference of the default and each
system and its 95 % interval. English is scored as the papers do; other languages are read as words of any script, and
Chinese as characters. The budgets are the usual lengths of the references. Systems see the documents as `nutgraf
summarize` does. sumy 0.13.0 is given our sentences and words, since its own tokenizers need downloads, and its best
sentences are taken in the order of their ratings while they fit; it has no Chinese without one. Systems that find no
sentence that fits score 0. What was scored is kept in --out, and is not made again while neither the version nor the
options of a system change; delete the folder to begin anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import _data
import _peers
import numpy as np

import nutgraf
from nutgraf.datasets import Record
from nutgraf.errors import BudgetError
from nutgraf.evaluation.plan import Plan
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.metrics.rouge import Config, Rouge

DEFAULT = "adaptive"
OURS = (
    "mls_plus", "lead", "random", "salience", "lex_rank", "text_rank", "hipo_rank", "pacsum", "concepts", "centroid",
    "submodular", "sum_basic", "kl_sum", "lsa", "luhn",
)  # fmt: skip
SUMY = ("lex_rank", "text_rank", "lsa", "luhn", "sum_basic", "kl")
PACKAGES = ("sumy==0.13.0", "numpy")
SLOWEST = 400
"""Sentences beyond which sumy takes minutes for a document; it gets the first ones."""


ENGLISH = Config(stem=True, variants=("1", "2"))
WORDS = Config(stem=False, variants=("1", "2"), tokenization="words")
CHARACTERS = Config(stem=False, variants=("1", "2"), tokenization="characters")


class Set(NamedTuple):
    """Texts of one kind, the lengths of their summaries, the language as sumy calls it, and the only split if so."""

    folder: str
    budgets: tuple[int, ...]
    unit: str = "words"
    query: str | None = None
    language: str | None = "english"
    rouge: Config = ENGLISH
    split: str | None = None


SETS = {
    "news": Set("cnn_dailymail", (60, 100)),
    "clusters": Set("multi_news", (150, 250)),
    "papers": Set("pubmed", (150, 220)),
    "abstracts": Set("scitldr", (25, 50)),
    "stories": Set("squality", (240, 430), query="plot"),
    "meetings": Set("qmsum", (100, 200)),
    "debates": Set("fredsum", (150, 280), language="french", rouge=WORDS, split="train"),
    "encyclopedia": Set("klexikon", (150, 350), language="german", rouge=WORDS),
    "titles": Set("csl", (60,), "characters", language=None, rouge=CHARACTERS, split="validation"),
}


def main() -> None:
    """Score what is not scored yet, and print a table a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all, if none is named")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--split", default="validation", help="train, validation or test")
    parser.add_argument("--limit", type=int, default=200, help="examples of each set")
    parser.add_argument("--systems", nargs="+", default=[DEFAULT, *OURS], help="presets; the first is compared")
    parser.add_argument("--without-sumy", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("runs/quality"), help="folder for the scores")
    parser.add_argument("--peers", type=Path, default=_peers.PLACE / "summarize")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        by_sumy(options.worker)
        return
    unknown = [name for name in options.sets if name not in SETS]
    if unknown:
        parser.error(f"no set {', '.join(unknown)}; there are {', '.join(SETS)}")
    chosen = options.sets or list(SETS)
    _data.needed(options.data, *(SETS[name].folder for name in chosen))
    options.out.mkdir(parents=True, exist_ok=True)
    peer = None if options.without_sumy else _peers.environment(options.peers, PACKAGES)
    print(f"nutgraf {nutgraf.__version__} · {Bootstrap().signature}")
    for name in chosen:
        measure(name, options, peer)


def measure(name: str, options: argparse.Namespace, peer: Path | None) -> None:
    """Print the table of a set."""
    file = options.data / SETS[name].folder / f"{SETS[name].split or options.split}.jsonl.xz"
    if not file.is_file():
        _peers.left_out(name, f"there is no {file}")
        return
    jobs = [(name, str(file), system, options.limit, str(options.out)) for system in options.systems]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(options.systems, pool.map(scores_of, jobs), strict=True))
    if peer and SETS[name].language:
        found |= scores_of_sumy(name, str(file), options.limit, options.out, peer)
    show(name, file, options, found)


def show(name: str, file: Path, options: argparse.Namespace, found: Mapping[str, np.ndarray]) -> None:
    first = options.systems[0]
    budgets = SETS[name].budgets
    count = len(found[first]) // len(budgets)
    print(f"\n{name}: {count} of {file.parent.name}/{file.name}; R-1 · R-2, difference of {first} in R-1 · in R-2")
    print(rouge_of(name).signature)
    print(f"{'':20}" + "".join(f"{budget:>7} {SETS[name].unit:<42}" for budget in budgets))
    for label, scores in found.items():
        cells = []
        for own, base in zip(np.split(scores, len(budgets)), np.split(found[first], len(budgets)), strict=True):
            means = 100 * own.mean(axis=0)
            cell = f"{means[0]:6.2f} {means[1]:5.2f}"
            if label != first:
                for test in Bootstrap().tests(base, own):
                    low, mean, high = (100 * x for x in (test.interval.low, test.interval.mean, test.interval.high))
                    cell += f"  {mean:+5.2f} [{low:+.2f}, {high:+.2f}]"
            cells.append(f"{cell:<50}")
        print(f"{label:20}" + "".join(cells), flush=True)


def records_of(name: str, file: str, limit: int) -> Iterator[Record]:
    """The examples that have references."""
    plan = Plan([DEFAULT], file, [], query=SETS[name].query)
    return islice((record for record in plan.examples().records if any(record.references)), limit)


def scores_of(job: tuple[str, str, str, int, str]) -> np.ndarray:
    """ROUGE of a system: [budgets · examples, variants]."""
    name, file, system, limit, out = job
    summarize = nutgraf.load(system)
    kept = Path(out) / f"{name}.{_digest(file, limit, summarize.signature, SETS[name])}.json"
    if kept.is_file():
        return np.array(json.loads(kept.read_text()))
    rows = []
    records = list(records_of(name, file, limit))
    for budget in SETS[name].budgets:
        for record in records:
            try:
                summary = summarize(record.document, **{SETS[name].unit: budget})
                rows.append(rate(name, [sentence.text for sentence in summary], record))
            except BudgetError:
                rows.append(rate(name, [], record))
    kept.write_text(json.dumps(rows))
    return np.array(rows)


@cache
def rouge_of(name: str) -> Rouge:
    return Rouge(SETS[name].rouge)


def rate(name: str, sentences: Sequence[str], record: Record) -> list[float]:
    found = rouge_of(name).score(sentences, [one for one in record.references if one])
    return [found[variant].f for variant in ("1", "2")]


def scores_of_sumy(name: str, file: str, limit: int, out: Path, peer: Path) -> dict[str, np.ndarray]:
    """ROUGE of sumy's methods, by their names."""
    found: dict[str, np.ndarray] = {}
    for method in SUMY:
        kept = out / f"{name}.sumy-{method}.{_digest(file, limit, PACKAGES, SETS[name])}.json"
        if not kept.is_file():
            kept.write_text(json.dumps(_ranked_by_sumy(name, method, list(_records(name, file, limit)), peer)))
        found[f"sumy {method}"] = np.array(json.loads(kept.read_text()))
    return found


@cache
def _records(name: str, file: str, limit: int) -> tuple[Record, ...]:
    return tuple(records_of(name, file, limit))


def _ranked_by_sumy(name: str, method: str, records: Sequence[Record], peer: Path) -> list[list[float]]:
    given = [{"sentences": one.document.printed[:SLOWEST], "words": one.document.words[:SLOWEST]} for one in records]
    command = [str(peer), __file__, "--worker", f"{method}:{SETS[name].language}"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, map(str, sys.path)))}
    done = subprocess.run(command, input=json.dumps(given), check=True, capture_output=True, text=True, env=environment)
    orders = json.loads(done.stdout)
    return [
        rate(name, [record.document.printed[index] for index in _fitting(order, record, budget)], record)
        for budget in SETS[name].budgets
        for order, record in zip(orders, records, strict=True)
    ]


def _fitting(order: Sequence[int], record: Record, budget: int) -> list[int]:
    left, taken = budget, []
    for index in order:
        if record.document.lengths[index] <= left:
            left -= record.document.lengths[index]
            taken.append(index)
    return sorted(taken)


def by_sumy(worker: str) -> None:
    """Read documents from stdin, and write the order of their sentences, best first."""
    from importlib import import_module

    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
    from sumy.nlp.stemmers import Stemmer
    from sumy.summarizers._summarizer import AbstractSummarizer
    from sumy.utils import get_stop_words

    method, language = worker.split(":")
    ranked: list[int] = []

    def best(self: Any, sentences: Any, count: Any, rating: Any, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Sumy's own choice, of all sentences, by rating."""
        rate = rating.__getitem__ if isinstance(rating, dict) else rating
        values = [rate(sentence, *args, **kwargs) for sentence in sentences]
        ranked[:] = sorted(range(len(values)), key=lambda index: -values[index])
        return ()

    AbstractSummarizer._get_best_sentences = best
    stem = Stemmer(language)
    maker = {"kl": "KL"}.get(method, method.title().replace("_", "")) + "Summarizer"
    summarizer = getattr(import_module(f"sumy.summarizers.{method}"), maker)(stem)
    summarizer.stop_words = get_stop_words(language)
    orders = []
    for one in json.load(sys.stdin):
        words = {number: tuple(sentence) for number, sentence in enumerate(one["words"])}

        class Tokenizer:
            def __init__(self, words: dict[int, tuple[str, ...]]) -> None:
                self.words = words

            def to_words(self, text: str) -> tuple[str, ...]:
                return self.words[int(text)]

        tokenizer = Tokenizer(words)
        sentences = [Sentence(str(number), tokenizer) for number in words]
        ranked.clear()
        summarizer(ObjectDocumentModel([Paragraph(sentences)]), len(sentences))
        orders.append(list(ranked))
    print(json.dumps(orders))


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()

"""Summaries that answer a question: the default with and without it, on meetings and stories.

    python benchmarks/queries.py [--data ../shared/data] [--split validation] [--limit 35] [--system adaptive]
        [--before FOLDER]

ROUGE-1 and ROUGE-2 F1 × 100 against the answers that people wrote: QMSum's specific questions in 65 words, SQuALITY's
questions of detail in 240, with the paired difference that the question makes and its 95 % interval. For QMSum also the
share of the chosen sentences that lie in the turns which people found to answer the question, and the share of
questions of which any does. `--before` names a checkout of another version: its summaries with the question take the
place of those without one, so that both versions are compared on the same questions in one run.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import _data
import numpy as np

import nutgraf
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.metrics.rouge import Config, Rouge
from nutgraf.text.document import Document
from nutgraf.text.json_document import document_from_json
from nutgraf.text.summary import Summary

ROUGE = Rouge(Config(stem=True, variants=("1", "2")))
GENERAL = ("plot", "summarize the whole meeting")
"""Words of questions that ask for everything."""


class Question(NamedTuple):
    """A question, its answers, and the characters of the text that answer it."""

    text: str
    answers: list[str]
    spans: list[tuple[int, int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--split", default="validation", help="train or validation")
    parser.add_argument("--limit", type=int, default=35, help="texts of each set")
    parser.add_argument("--system", default="adaptive", help="preset")
    parser.add_argument("--before", type=Path, help="checkout of another version, to compare with")
    parser.add_argument("--only", choices=("qmsum", "squality"), help="one set")
    parser.add_argument("--scores", action="store_true", help="print the scores with the question, and nothing else")
    options = parser.parse_args()
    _data.needed(options.data, "qmsum", "squality")
    if not options.scores:
        print(f"nutgraf {nutgraf.__version__} · {ROUGE.signature} · {Bootstrap().signature}")
    for corpus, words in (("qmsum", 65), ("squality", 240)):
        if options.only in (None, corpus):
            measure(corpus, words, options)


def before(corpus: str, options: argparse.Namespace) -> tuple[list[list[float]], list[float]]:
    """Scores and hits of another version, which runs this script by itself."""
    command = [sys.executable, __file__, "--data", options.data, "--split", options.split, "--limit", options.limit]
    command += ["--system", options.system, "--only", corpus, "--scores"]
    environment = {**os.environ, "PYTHONPATH": str(options.before.resolve() / "src")}
    run = subprocess.run(list(map(str, command)), env=environment, check=True, capture_output=True, text=True)
    scores, hits = json.loads(run.stdout.splitlines()[-1])
    return scores, hits


def measure(corpus: str, words: int, options: argparse.Namespace) -> None:
    """Print the scores of a corpus."""
    summarize = nutgraf.load(options.system)
    scores: dict[bool, list[list[float]]] = {False: [], True: []}
    hits: dict[bool, list[float]] = {False: [], True: []}
    with lzma.open(options.data / corpus / f"{options.split}.jsonl.xz", "rt") as file:
        rows = [json.loads(line) for line in file]
    texts = list(meetings(rows) if corpus == "qmsum" else stories(rows))[: options.limit]
    alone = options.scores or options.before is not None
    for document, questions in texts:
        plain = [] if alone else [(False, summarize(document, words=words))]
        for question in questions:
            for asked, said in (*plain, (True, summarize(document, words=words, query=question.text))):
                found = ROUGE.score([one.text for one in said], [[one] for one in question.answers])
                scores[asked].append([found[variant].f for variant in ("1", "2")])
                if question.spans:
                    hits[asked].append(hit(said, question))
    if options.scores:
        print(json.dumps([scores[True], hits[True]]))
        return
    if options.before is not None:
        scores[False], hits[False] = before(corpus, options)
    print(f"\n{corpus}, {options.split}: {len(scores[True])} questions about {len(texts)} texts, {words} words")
    for asked, label in ((False, "before" if options.before else "without the question"), (True, "with it")):
        means = 100 * np.mean(scores[asked], axis=0)
        print(f"{label:22} R-1 {means[0]:.2f}  R-2 {means[1]:.2f}" + told(hits[asked]))
    for variant, test in zip(
        ("R-1", "R-2"), Bootstrap().tests(*map(np.array, (scores[True], scores[False]))), strict=True
    ):
        low, mean, high = (100 * x for x in (test.interval.low, test.interval.mean, test.interval.high))
        print(f"difference in {variant}      {mean:+.2f} [{low:+.2f}, {high:+.2f}]", flush=True)


def meetings(rows: list[dict[str, Any]]) -> Iterator[tuple[Document, list[Question]]]:
    """Meetings with their specific questions; spans of turns become characters."""
    for row in rows:
        document = document_from_json({"turns": row["turns"]}, row["id"], row["id"])
        if len(document.turns) != len(row["turns"]):
            continue
        turns = document.turns
        yield (
            document,
            [
                Question(
                    one["query"],
                    [one["summary"]],
                    [(turns[first].start, turns[last].end) for first, last in one["spans"]],
                )
                for one in row["queries"]
                if not asks_for_all(one["query"]) and all(last < len(turns) for _, last in one["spans"])
            ],
        )


def stories(rows: list[dict[str, Any]]) -> Iterator[tuple[Document, list[Question]]]:
    """Stories with their questions of detail."""
    asked: dict[str, list[Question]] = {}
    for row in rows:
        if not asks_for_all(row["query"]):
            answers = row.get("summaries") or [row["summary"]]
            asked.setdefault(row["documents"][0], []).append(Question(row["query"], answers, []))
    for text, questions in asked.items():
        yield Document.of(text), questions


def asks_for_all(question: str) -> bool:
    return any(word in question.lower() for word in GENERAL)


def hit(summary: Summary, question: Question) -> float:
    """Share of the sentences that stand in what answers the question."""
    starts = [origin.start for sentence in summary for origin in sentence.origins]
    return float(np.mean([any(first <= at < last for first, last in question.spans) for at in starts]))


def told(hits: list[float]) -> str:
    if not hits:
        return ""
    any_hit = 100 * np.mean(np.array(hits) > 0)
    return f"  {100 * np.mean(hits):.1f} % of the sentences, {any_hit:.1f} % of the questions hit"


if __name__ == "__main__":
    main()

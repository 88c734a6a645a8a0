"""A network that writes news summaries, beside the beginning of each article.

    python benchmarks/news.py runs/news [--data ../shared/data] [--limit 1500] [--set OPTION=VALUE] [--out FOLDER]

The articles are the first ones of CNN/Daily Mail's test part, which neither training nor validation reads. Beside the
network: the first three sentences, the first words of the article as many as the network writes on average, and
sentences that the default method picks for that many words. Differences are paired by article, with 95 % bootstrap
intervals. Summaries are kept in --out as they are written, and a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import _data
import numpy as np
from _scored import COLUMNS, RATED, Text, document_of, means, scored, spread

import nutgraf
from nutgraf.evaluation.significance import Bootstrap

CORPUS = "cnn_dailymail"
TOGETHER = 50
"""Articles that are summarized before their summaries are kept."""

Sentences = list[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="folder of the network")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--limit", type=int, default=1500, help="number of articles")
    parser.add_argument("--set", action="append", default=[], dest="options", help="option of the search")
    parser.add_argument("--out", type=Path, default=Path("runs/news-test"), help="folder of the summaries")
    chosen = parser.parse_args()
    _data.needed(chosen.data, CORPUS)
    texts = [*islice(articles(chosen.data / CORPUS / "test.jsonl.xz"), chosen.limit)]
    network = nutgraf.load(chosen.model, chosen.options, threads=1)
    written = [*summaries(network, texts, chosen.out)]
    words = round(float(np.mean([sum(len(one.split()) for one in said) for said in written])))
    print(f"nutgraf {nutgraf.__version__} · {network.signature} · {len(texts)} articles")
    print(" · ".join([*dict.fromkeys(metric.signature for metric in RATED), Bootstrap().test_signature]))
    lead, default = nutgraf.load("lead"), nutgraf.load("adaptive")
    show(
        {
            "network": rated(texts, written),
            "lead-3": rated(texts, [sentences_of(lead(text.source, sentences=3)) for text in texts]),
            f"lead, {words} words": rated(texts, [beginning(text, words) for text in texts]),
            f"adaptive, {words} words": rated(
                texts, [sentences_of(default(text.source, words=words)) for text in texts]
            ),
        }
    )


def articles(file: Path) -> Iterator[Text]:
    """Yield the articles of a part with their references."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield Text(document_of(row), tuple(row["summary_sents"]))


def summaries(network: Any, texts: Sequence[Text], out: Path) -> Iterator[Sentences]:
    """Yield the sentences that a network writes for each article; what was written before is read."""
    out.mkdir(parents=True, exist_ok=True)
    kept = out / "summaries.jsonl"
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    yield from map(json.loads, lines[: len(texts)])
    with kept.open("a", encoding="utf-8") as file:
        for start in range(len(lines), len(texts), TOGETHER):
            for made in network.many([text.source for text in texts[start : start + TOGETHER]]):
                said = sentences_of(made)
                print(json.dumps(said, ensure_ascii=False), file=file, flush=True)
                yield said
            print(f"{min(start + TOGETHER, len(texts))} of {len(texts)}", file=sys.stderr, flush=True)


def sentences_of(made: Any) -> Sentences:
    """Return the sentences of a summary, none of a failure."""
    return [sentence.text for sentence in getattr(made, "sentences", ())]


def beginning(text: Text, words: int) -> Sentences:
    """Return the first words of an article, by sentences."""
    source, left = text.source, words
    said = []
    for sentence in source.sentences:
        said.append(" ".join(source.text[sentence.start : sentence.end].split()[:left]))
        left -= len(said[-1].split())
        if not left:
            break
    return said


def rated(texts: Sequence[Text], written: Sequence[Sentences]) -> np.ndarray:
    """Return the scores of summaries: [articles, columns]."""
    return np.array([scored(text, said) for text, said in zip(texts, written, strict=True)], dtype=float)


def show(scores: dict[str, np.ndarray]) -> None:
    """Print the means, and by how much the first system differs from each of the others in ROUGE."""
    (name, network), *others = scores.items()
    print(f"| | {' | '.join(COLUMNS)} | {' | '.join(f'network − it, {column}' for column in COLUMNS[:3])} |")
    print(f"|{'---|' * (4 + len(COLUMNS))}\n| {name} | {means(network)} | | | |")
    for name, other in others:
        found = Bootstrap().tests(network[:, :3], other[:, :3])
        print(f"| {name} | {means(other)} | {' | '.join(spread(one.interval) for one in found)} |")


if __name__ == "__main__":
    main()

"""How well the extractors find the key phrases that people chose: F1 at 5, 10 and 15.

    python benchmarks/keyphrase_f1.py --data ../shared/data [--tagger textblob|crf] [--limit N] [--news [SPLIT]]

Sets: Inspec (validation), Nguyen and Kan 2007, SemEval-2010 task 5 (all 243 papers), read from DATA/keyphrases (JSON
lines with `text` and `keyphrases`). Texts are taken as they are: the papers are full and unclean.

With --news: 200 articles of CNN/DM (its validation set unless another is named) instead, which have no key phrases. In
their place stand the noun phrases, as `textblob` finds them, of the highlights that the editors wrote.

Matching: every phrase, found or gold, is lower-cased, split into tokens and Porter-stemmed; phrases that then agree
are one, and a hit is an exact match. Gold phrases that stand nowhere in the text stay in the recall. Of each document
P = hits / phrases found (at most k), R = hits / gold phrases, F1 their harmonic mean; the table has means over
documents.

The first rows have the extractors' own defaults, 1 to 3 words. The rows marked with their options show what one of them
changes, or come nearer to how the published figures were made: stems, longer phrases, variants that stay apart. yake
goes into an environment of its own under --peers; where it cannot be had, our figures stand alone. tf-idf counts
documents in Inspec's training set for Inspec, in the evaluated set itself (texts only) for the others; the row
`tfidf, not fitted` is what it finds in a document of which no collection is known.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import time
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import _data
import _peers
import Stemmer

from nutgraf.keyphrases import OURS, extractors
from nutgraf.keyphrases._candidates import (
    NAMES,
    NOUN_PHRASE,
    ExtractorConfig,
    filter_by_length,
    match_spans,
    tag_string,
)
from nutgraf.text.document import Document
from nutgraf.text.tagging import tag
from nutgraf.text.tokenize import tokens

CUTS = (5, 10, 15)
SETS = {"inspec_validation": "inspec_training", "nguyen2007": "nguyen2007", "semeval2010": "semeval2010"}
"""Each set, and where its document frequencies come from."""

ALONE: dict[str, Any] = {}
"""The options of tf-idf in a document of which no collection is known."""

NEARER: list[tuple[str, dict[str, Any]]] = [
    ("multipartite_rank", {"ngram_range": (1, 5)}),
    ("position_rank", OURS["position_rank"]),
    ("position_rank", {"normalization": "stem"}),
    ("position_rank", {"merge_variants": False}),
    ("text_rank", {"top_share": 1 / 3}),
    ("text_rank", {"normalization": "stem", "ngram_range": (1, 5)}),
    ("tfidf", ALONE),
    ("tfidf", {"candidates": "noun_phrases"}),
    ("tfidf", {"normalization": "stem"}),
    ("tfidf", {"merge_variants": False}),
    ("topic_rank", {"ngram_range": (1, 5)}),
    ("yake", {"merge_variants": False}),
]

OF_CONTENT = [("tfidf", settings) for settings in ({}, {"normalization": "stem"}, {"merge_variants": False})]
"""What wants no parts of speech although it could have them."""

ARTICLES = 200
"""Number of articles of news."""

PACKAGES = ("yake==0.7.3",)
WORKER = """
import json, sys, time, yake
texts = json.load(sys.stdin)
start = time.perf_counter()
found = [[phrase for phrase, _ in yake.KeywordExtractor(top=30).extract_keywords(text)] for text in texts]
json.dump({"found": found, "seconds": time.perf_counter() - start}, sys.stdout)
"""
"""yake with its defaults, in its own environment."""

PUBLISHED = """
Published figures, F1 x 100 (other tokenizers, taggers and selections of the texts, so neighbours rather than equals):

  pke's own benchmark (results.md of github.com/boudinfl/pke), @5 / @10
    Inspec             TfIdf 28.4 / 35.0   TextRank 26.9 / 34.0   TopicRank 24.6 / 28.4   PositionRank 27.9 / 32.9
                       MultipartiteRank 25.0 / 29.3
    SemEval-2010-pre   TfIdf 12.4 / 14.9   TextRank  8.9 / 13.0   TopicRank 11.2 / 13.8   PositionRank 12.7 / 16.6
                       MultipartiteRank 13.0 / 14.9
    ("pre": papers cut to title, abstract, introduction, related work and conclusion)
  Gallina, Boudin and Daille 2020, Large-Scale Evaluation of Keyphrase Extraction Models, @10
    Inspec             TfIdf 36.5          TextRank 35.8          PositionRank 34.2
    SemEval-2010       TfIdf 17.7          TextRank  3.5          PositionRank  6.8
  Both take noun phrases for the candidates of TfIdf; ours are all n-grams without stop words by default, as in the two
  papers that we follow. For Nguyen and Kan 2007, and for RAKE, we have no figures that we could check.
"""

_porter = lru_cache(maxsize=None)(Stemmer.Stemmer("porter").stemWord)


class Paper(NamedTuple):
    document: Document
    gold: frozenset[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER)
    parser.add_argument("--tagger", choices=("textblob", "crf"), default="textblob")
    parser.add_argument("--limit", type=int, default=None, help="documents of each set")
    parser.add_argument("--news", nargs="?", const="validation", help="news instead; the split of cnn_dailymail")
    parser.add_argument("--peers", type=Path, default=_peers.PLACE / "yake")
    options = parser.parse_args()
    yake = _peers.environment(options.peers, PACKAGES)
    _data.needed(options.data, "cnn_dailymail" if options.news else "keyphrases")
    print(f"tagger {options.tagger}; F1 x 100 at {CUTS}")
    print(f"{'set':<20}{'extractor':<52}" + "".join(f"{f'@{cut}':>8}" for cut in CUTS) + f"{'seconds':>10}")
    for name, counted in ({options.news: options.news} if options.news else SETS).items():
        papers = news(options.data, name, options.limit) if options.news else read(options.data, name, options.limit)
        begin = time.perf_counter()
        tokens_of = {
            tagger: [tag.__wrapped__(paper.document, tagger) for paper in papers]
            for tagger in ("content", options.tagger)
        }
        print(f"{name}: {len(papers)} documents, tagged in {time.perf_counter() - begin:.0f} s")
        others = papers if counted == name else read(options.data, counted, None)
        for kind, settings in [*((kind, {}) for kind in extractors.names()), *NEARER]:
            tagged_by = hasattr(extractors.find(kind).Config, "tagger")
            tagger = options.tagger if tagged_by and (kind, settings) not in OF_CONTENT else "content"
            extractor = extractors.make(kind, top=2 * max(CUTS), **settings)
            if settings is not ALONE:
                extractor.fit(paper.document for paper in others)
            label = " ".join([kind, *(f"{key}={value}" for key, value in settings.items())])
            label += ", not fitted" * (settings is ALONE)
            begin = time.perf_counter()
            found = [[normal(phrase.text) for phrase in extractor.rank(tagged)] for tagged in tokens_of[tagger]]
            seconds = time.perf_counter() - begin
            show(name, label, found, papers, seconds)
        if yake:
            show(name, f"{PACKAGES[0]}, reading included", *found_by_yake(yake, papers))
    print(PUBLISHED)


def show(name: str, label: str, found: list[list[str]], papers: list[Paper], seconds: float) -> None:
    """Print a row."""
    scores = [mean(f1(one, paper.gold, cut) for one, paper in zip(found, papers, strict=True)) for cut in CUTS]
    figures = "".join(f"{100 * score:>8.2f}" for score in scores)
    print(f"{name:<20}{label:<52}{figures}{seconds:>10.1f}", flush=True)


def found_by_yake(python: Path, papers: list[Paper]) -> tuple[list[list[str]], list[Paper], float]:
    """What the peer finds in each paper, the papers, and its seconds."""
    texts = json.dumps([paper.document.text for paper in papers])
    done = subprocess.run([str(python), "-c", WORKER], input=texts, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return [[normal(phrase) for phrase in found] for found in answer["found"]], papers, answer["seconds"]


def read(data: Path, name: str, limit: int | None) -> list[Paper]:
    with lzma.open(data / "keyphrases" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines][:limit]
    return [
        Paper(Document.of(record["text"], language="en"), frozenset(map(normal, record["keyphrases"])))
        for record in records
    ]


def news(data: Path, split: str, limit: int | None) -> list[Paper]:
    """Articles, and the noun phrases of their highlights."""
    papers = []
    with lzma.open(data / "cnn_dailymail" / f"{split}.jsonl.xz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in islice(lines, limit or ARTICLES)]
    for record in records:
        highlights = tag.__wrapped__(Document.of(record["summary"], language="en"))
        spans = filter_by_length(match_spans(NOUN_PHRASE, tag_string(highlights, NAMES)), ExtractorConfig())
        gold = frozenset(normal(" ".join(highlights.words[start:end])) for start, end in spans)
        papers.append(Paper(Document.of(record["documents"][0], language="en"), gold))
    return papers


def normal(phrase: str) -> str:
    """Lower-cased, stemmed, with a space between tokens."""
    return " ".join(_porter(token) for token in tokens(phrase.lower()))


def f1(found: Iterable[str], gold: frozenset[str], cut: int) -> float:
    """Of the first `cut` different phrases."""
    first = list(dict.fromkeys(found))[:cut]
    hits = len(gold.intersection(first))
    return 2 * hits / (len(first) + len(gold)) if hits else 0.0


def mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


if __name__ == "__main__":
    main()

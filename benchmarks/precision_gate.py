"""What lower precision does to summaries: ROUGE of a trained network in bf16 and int8, beside itself in fp32.

    python benchmarks/precision_gate.py TRAINED DATA [--split validation] [--count 300] [--beams 1]

TRAINED is a trained folder, DATA what `nutgraf prepare` made. Every example is summarized in each precision; a
precision passes where no column's interval of the paired difference to fp32 (95 %, bootstrap) lies below 0.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import torch

from nutgraf.checkpoint import load
from nutgraf.decoding.precision import Precision
from nutgraf.decoding.search import Config, search
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.metrics.rouge import rouge
from nutgraf.preparation.shards import Shards
from nutgraf.presets.family import configure
from nutgraf.text.tokenize import sentence_spans

VARIANTS = ("1", "2", "L")


def main() -> None:
    """Print the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", default="validation")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--beams", type=int, help="instead of the preset's")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    trained, shards = load(options.trained), Shards.open(options.data, options.split)
    config: Config = configure(Config, trained.preset.section("decoding"), "decoding")
    config = config if options.beams is None else replace(config, beams=options.beams, n_best=1)
    indices = np.linspace(0, len(shards) - 1, min(options.count, len(shards)), dtype=int).tolist()
    indices.sort(key=lambda index: int(shards.lengths[0][index]))
    exact = None
    print(f"{len(indices)} examples, beam {config.beams}, ROUGE-{'/'.join(VARIANTS)} F1 × 100")
    for precision in get_args(Precision):
        start = time.process_time()
        texts = summaries(trained, shards, indices, replace(config, precision=precision), options.at_once)
        seconds = time.process_time() - start
        table = np.array([scores(text, shards.references(index)) for text, index in zip(texts, indices, strict=True)])
        means = " ".join(f"{mean:6.2f}" for mean in table.mean(0))
        if exact is None:
            exact, said = table, texts
            print(f"{precision}  {means}   {seconds:7.1f} s of processor time")
            continue
        found = Bootstrap().intervals(table - exact)
        passes = all(one.high >= 0 for one in found)
        differences = ", ".join(f"{one.mean:+.2f} [{one.low:+.2f}, {one.high:+.2f}]" for one in found)
        same = np.mean([one == other for one, other in zip(texts, said, strict=True)])
        print(
            f"{precision}  {means}   {seconds:7.1f} s   differences {differences}   {same:.0%} of texts the same   "
            f"{'passes' if passes else 'DOES NOT PASS'}"
        )


def summaries(trained: Any, shards: Shards, indices: Sequence[int], config: Config, at_once: int) -> list[str]:
    """The best hypothesis of each example, as text."""
    texts, lexicon = [], trained.lexicon
    known = len(lexicon)
    for start in range(0, len(indices), at_once):
        some = indices[start : start + at_once]
        for index, found in zip(some, search(trained.network, shards.batch(some), config), strict=True):
            unknown = shards.source(index).unknown
            pieces = [lexicon.texts[one] if one < known else unknown[one - known] for one in found[0].ids]
            texts.append(lexicon.decode(pieces))
    return texts


def scores(text: str, references: Sequence[Sequence[str]]) -> list[float]:
    """F1 × 100 of each variant."""
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    found = rouge(sentences or [""], [list(one) for one in references], variants=VARIANTS)
    return [100 * found[variant].f for variant in VARIANTS]


if __name__ == "__main__":
    main()

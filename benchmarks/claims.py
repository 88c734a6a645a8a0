"""The papers' mechanisms on news, each beside the same network without it.

    python benchmarks/claims.py TRUNK --out runs/claims [--data ../shared/data] [--only NAME …] [--seeds 0 1]
    python benchmarks/claims.py TRUNK --out runs/claims --tables

TRUNK is a trained network of the preset `news_small`. Each variant begins with its weights and with the moments of its
optimizer, and learns on for --steps steps from the same batches in the same order; a new module begins where it changes
little. `plain` learns on as it is, and is what all others are compared with.

    kpat, highlight    weighted and additive, with the phrases of PositionRank
    sagcopy            copying guided by outdegree or indegree
    selective          a gate between encoder and decoder
    coverage           attention that sees what it has attended to, with its loss in the second half of the steps

The first --limit articles of the test part are summarized with five beams; the likeliest one counts, so that nothing
beside the network chooses. Differences are paired by article, with 95 % bootstrap intervals, for each seed and for the
mean of both. What is in --out is not made again, and a training that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
from itertools import islice
from pathlib import Path

import _data
import numpy as np
from _commands import nutgraf, settings
from _scored import COLUMNS, RATED, Text, means, scored, spread
from news import CORPUS, articles, summaries

from nutgraf.evaluation.significance import Bootstrap
from nutgraf.training.reports import LOG, read_log

PRESET = "news_small"
PHRASES = (
    "keyphrases.kind=position_rank", "keyphrases.top=10", "keyphrases.ngram_range=[2,3]", "keyphrases.tagger=textblob",
    "keyphrases.merge_variants=false",
)  # fmt: skip
HIGHLIGHT = (
    *PHRASES, "model.encoder.attention.kind=highlight", "model.encoder.attention.highlighted_heads=0.25",
    "model.encoder.attention.highlighted_layers=0.5",
)  # fmt: skip
ADDITIVE = ("model.encoder.attention.structure=additive",)
BRIGHT = (
    "model.encoder.attention.scale=brightness", "model.encoder.attention.brightness=5.0",
    "model.encoder.attention.brightness_decay=0.9", "model.encoder.attention.overlap=sum",
)  # fmt: skip
GUIDED = (
    "model.head.kind=guided", "model.head.guide_keys=times_length", "training.objectives.guidance.weight=1",
    "model.head.p_copy_input=state", "model.head.continuation=4",
)  # fmt: skip
VARIANTS = {
    "plain": (),
    "kpat_weighted": HIGHLIGHT,
    "kpat_additive": HIGHLIGHT + ADDITIVE,
    "highlight_weighted": HIGHLIGHT + BRIGHT,
    "highlight_additive": HIGHLIGHT + BRIGHT + ADDITIVE,
    "sagcopy_outdegree": (*GUIDED, "model.head.centrality=outdegree"),
    "sagcopy_indegree": (*GUIDED, "model.head.centrality=indegree"),
    "selective": ("model.bridge.kind=selective", "model.bridge.bias=2.0"),
    "coverage": ("model.coverage.mode=exact", "training.objectives.coverage.weight=1.0"),
}
"""What differs from the trunk."""

TESTED = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "repetition", "flagged")
SEARCH = ("decoding.beam_size=5", "decoding.diversity=none", "decoding.mbr=none")
VALIDATIONS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trunk", type=Path, help="folder of a trained news_small")
    parser.add_argument("--out", type=Path, required=True, help="folder of the networks and summaries")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--only", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--steps", type=int, default=600, help="steps of each training")
    parser.add_argument("--limit", type=int, default=1500, help="number of articles")
    parser.add_argument("--tables", action="store_true", help="print what there is, and train and write nothing")
    options = parser.parse_args()
    _data.needed(options.data, CORPUS)
    if not options.tables:
        tests = [*islice(articles(options.data / CORPUS / "test.jsonl.xz"), options.limit)]
        for name, seed in ((name, seed) for name in options.only for seed in options.seeds):
            write(learn(name, seed, options), tests)
    show(options.out, options.seeds)


def prepared(options: argparse.Namespace) -> Path:
    """Return the training examples with their phrases, in the tokens of the trunk."""
    folder: Path = options.out / "data"
    if not (folder / "manifest.json").is_file():
        corpus, known = options.data / CORPUS, ("--tokenizer", options.trunk)
        nutgraf("prepare", PRESET, corpus, folder, *known, *settings(PHRASES))
    return folder


def learn(name: str, seed: int, options: argparse.Namespace) -> Path:
    """Train a variant, unless that is done, and return its folder."""
    folder: Path = options.out / f"{name}-{seed}"
    if (folder / "done").exists():
        return folder
    second = options.steps // 2 if name == "coverage" else 0
    learning = (
        f"seed={seed}", f"training.max_steps={options.steps}", f"training.second_phase_steps={second}",
        "training.init_optimizer=true", "training.schedule_by_time=false", "training.patience=0",
        f"training.validate_every={options.steps // VALIDATIONS}", "training.schedule.learning_rate=3e-4",
        "training.schedule.warmup_steps=30", f"training.schedule.end_step={options.steps}",
        "training.schedule.end_factor=0.05", "training.ema_decay=0.99",
    )  # fmt: skip
    begun = "--resume" if (folder / "checkpoints" / "last").is_dir() else "--no-compare-precisions"
    command = ("train", PRESET, "--data", prepared(options), "--out", folder, "--init-from", options.trunk, begun)
    nutgraf(*command, "--threads", 1, *settings((*VARIANTS[name], *learning)))
    (folder / "done").touch()
    return folder


def write(folder: Path, tests: list[Text]) -> None:
    """Write the summaries of a variant and score them, unless that is done."""
    from nutgraf import load

    if not (folder / "scores.json").exists():
        written = summaries(load(folder, SEARCH, threads=1), tests, folder)
        found = [scored(text, said) for text, said in zip(tests, written, strict=True)]
        (folder / "scores.json").write_text(json.dumps(found), encoding="utf-8")


def show(out: Path, seeds: list[int]) -> None:
    """Print the losses in training, the scores, and the differences from the plain network."""
    print(" · ".join([*dict.fromkeys(metric.signature for metric in RATED), Bootstrap().test_signature]))
    print(f"\n| | validation loss | {' | '.join(COLUMNS)} |\n|{'---|' * (2 + len(COLUMNS))}")
    for name, seed in ((name, seed) for name in VARIANTS for seed in seeds):
        if (table := scores_of(out / f"{name}-{seed}")) is not None:
            print(f"| {name}, seed {seed} | {losses(out / f'{name}-{seed}')} | {means(table)} |")
    places = [COLUMNS.index(name) for name in TESTED]
    print(f"\n| minus plain | {' | '.join(TESTED)} |\n|{'---|' * (1 + len(TESTED))}")
    for name in (*VARIANTS,)[1:]:
        pairs = [(scores_of(out / f"{name}-{seed}"), scores_of(out / f"plain-{seed}")) for seed in seeds]
        there = [(seed, one[:, places], other[:, places]) for seed, (one, other) in zip(seeds, pairs, strict=True)
                 if one is not None and other is not None]  # fmt: skip
        for seed, one, other in there:
            print(f"| {name}, seed {seed} | {differences(one, other)} |")
        if len(there) > 1:
            one, other = (np.nanmean([row[side] for row in there], axis=0) for side in (1, 2))
            print(f"| {name}, mean | {differences(one, other)} |")


def differences(one: np.ndarray, other: np.ndarray) -> str:
    """Return the cells of paired differences."""
    return " | ".join(spread(test.interval) for test in Bootstrap().tests(one, other))


def losses(folder: Path) -> str:
    """Return the validation losses of a training, in order."""
    return ", ".join(f"{one['loss']:.3f}" for one in read_log(folder / LOG) if one["kind"] == "validation")


def scores_of(folder: Path) -> np.ndarray | None:
    """Return the scores of a variant's summaries [articles, columns]; None if they are not there."""
    path = folder / "scores.json"
    return np.array(json.loads(path.read_text(encoding="utf-8")), dtype=float) if path.exists() else None


if __name__ == "__main__":
    main()

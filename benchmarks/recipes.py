"""What each recipe of training and of search brings: pre-training, averaged weights, risk over hypotheses, grounding.

    python benchmarks/recipes.py [--data ../shared/data] [--out runs/recipes] [--only NAME …] [--tables]

One small copying network (width 128, 2 + 2 layers, 4,000 pieces) reads the beginnings of CNN/Daily Mail's articles, up
to 80 words in whole sentences. It learns from references after each kind of pre-training on the same texts, all with
the same number of steps; "nothing" begins with random weights, and "longer" has the steps of a pre-training as further
steps of learning from references. Each is trained with two seeds, pre-training included, with one thread.

The first 500 validation articles are summarized. Differences are paired by article, with 95 % bootstrap intervals. The
parts about search are also measured on the network that writes titles (`models/`), with the first 500 validation
abstracts of acl_titles. Everything goes on where it was stopped; --only takes beginnings of names of trainings and of
summaries, --tables prints what there is.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import _data
import numpy as np
from _commands import nutgraf, settings
from _scored import COLUMNS, RATED, Text, document_of, means, scored, spread

from nutgraf.evaluation.significance import Bootstrap
from nutgraf.text.document import Document

NEWS, TITLES = "cnn_dailymail", "acl_titles"
TITLE_NETWORK = Path(__file__).resolve().parent.parent / "models" / "src" / "nutgraf_models" / "title"
TRAINING, VALIDATION = 5000, 500
LONGEST = 80
SEEDS = (0, 1)
STEPS = 600
PRESET = "copy_transformer_small"

SIZE = (
    "keyphrases=none", "tokenizer.vocab_size=4000", "truncation.source=110", "truncation.target=45",
    "model.d_model=128", "model.encoder.num_layers=2", "model.encoder.ffn_dim=512", "model.decoder.num_layers=2",
    "model.decoder.ffn_dim=512",
)  # fmt: skip
LEARNING = (
    "training.batch_size=8", "training.validate_every=0", "training.rouge_examples=0", "training.patience=0",
    "training.schedule.warmup_steps=100", "training.schedule.learning_rate=2e-3", "training.checkpoint_minutes=2",
)  # fmt: skip
OF = f"dataset.of.kind={NEWS}"
KINDS = {
    "oracle_sentences": (OF,),
    "gap_sentences": (OF, "dataset.gap_share=0.3"),
    "permuted_sentences": (OF, "dataset.sentences=3", "truncation.target=70"),
    "nonsense": (OF, "dataset.sentences=8", "dataset.tasks=2"),
    "masked_spans": (OF,),
}
"""Kinds of pre-training with their options; examples fit into what the network reads and writes."""

ORDER = ("nothing", "oracle_sentences", "longer", "gap_sentences", "permuted_sentences", "nonsense", "masked_spans")
AVERAGE = "training.ema_decay=0.99"
BEAMS = "decoding.beam_size=6"
SAMPLED = ("decoding.sampling.top_p=0.9",)
GROUPS = ("decoding.diversity.num_beam_groups=3",)
RISK = ('decoding.mbr.weights="auto"',)
GREEDY = ("decoding.beam_size=1",)
SEARCHES = {
    "first-of-beam": (BEAMS,),
    "risk-of-beam": (BEAMS, *RISK),
    "first-of-diverse": (BEAMS, *GROUPS),
    "risk-of-diverse": (BEAMS, *GROUPS, *RISK),
    "first-of-samples": (BEAMS, *SAMPLED),
    "risk-of-samples": (BEAMS, *SAMPLED, *RISK),
}
NUMBERS = "decoding.processors.grounding.names=false"
NAMES = "decoding.processors.grounding.names=true"
NONE = "decoding.processors.grounding=none"


class Side(NamedTuple):
    """Summaries to be written: a network's folder below --out (none: the network of titles), and options of search."""

    name: str
    network: str
    options: tuple[str, ...]
    averaged: bool = True


def sides() -> Iterator[Side]:
    """Yield all that is written, in order."""
    for network in (f"{kind}-{seed}" for seed in SEEDS for kind in ORDER):
        yield Side(network, network, GREEDY, averaged=False)
        if network.startswith(("nothing", "longer")):
            yield Side(f"{network}-averaged", network, GREEDY)
    for name, network in (("title", ""), ("news", "oracle_sentences-0")):
        for search, options in SEARCHES.items():
            yield Side(f"{name}-{search}", network, options)
    yield Side("title-grounded-none", "", (NONE,))
    yield Side("title-grounded-numbers", "", (NUMBERS,))
    yield Side("title-grounded-names", "", (NAMES,))
    for seed in SEEDS:
        yield Side(f"grounded-{seed}", f"oracle_sentences-{seed}", (*GREEDY, NUMBERS))


COMPARED = (
    ("pre-training", [(f"{kind}-{seed}", f"nothing-{seed}") for kind in (*KINDS, "longer") for seed in SEEDS]),
    ("pre-training, at equal steps", [(f"{kind}-{seed}", f"longer-{seed}") for kind in KINDS for seed in SEEDS]),
    ("average", [(f"{one}-{seed}-averaged", f"{one}-{seed}") for one in ("nothing", "longer") for seed in SEEDS]),
    *(
        (f"search, {name}", [(f"{name}-{one}", f"{name}-first-of-beam") for one in (*SEARCHES,)[1:]])
        for name in ("news", "title")
    ),
    ("grounding", [(f"grounded-{seed}", f"oracle_sentences-{seed}") for seed in SEEDS]),
    ("grounding, title", [(f"title-grounded-{one}", "title-grounded-none") for one in ("numbers", "names")]),
)  # fmt: skip
"""Tables: pairs of summaries, of which the second is the one without the recipe."""


def main() -> None:
    """Train, write, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER)
    parser.add_argument("--out", type=Path, default=Path("runs/recipes"))
    parser.add_argument("--only", nargs="+", default=[""], metavar="NAME")
    parser.add_argument("--tables", action="store_true", help="print what there is, and train and write nothing")
    options = parser.parse_args()
    _data.needed(options.data, NEWS, TITLES)
    out = options.out.resolve()
    (out / "written").mkdir(parents=True, exist_ok=True)
    if not options.tables:
        make_corpus(options.data / NEWS, out / "corpus")
        for side in sides():
            if side.name.startswith(tuple(options.only)):
                if side.network:
                    train(*side.network.rsplit("-", 1), out)
                write(side, out, options.data)
    show(out, options.data)


def make_corpus(data: Path, corpus: Path) -> None:
    """Write the beginnings of articles, as many whole sentences as have at most LONGEST words."""
    if (corpus / "done").exists():
        return
    corpus.mkdir(parents=True, exist_ok=True)
    for split, count in (("train", TRAINING), ("validation", VALIDATION)):
        with (corpus / f"{split}.jsonl").open("w", encoding="utf-8") as file:
            for row in islice(rows(data / f"{split}.jsonl.xz"), count):
                row["documents"] = [beginning(row["documents"][0])]
                print(json.dumps(row), file=file)
    (corpus / "done").touch()


def beginning(text: str) -> str:
    """Return the first sentences of an article."""
    from nutgraf.datasets.cnn_dailymail import token_sentences

    end, length = 0, 0
    for first, last in token_sentences(text[: 20 * LONGEST]):
        length += len(text[first:last].split())
        if end and length > LONGEST:
            break
        end = last
    return text[:end]


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a corpus."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def train(kind: str, seed: str, out: Path) -> None:
    """Train a network with its pre-training, unless that is done."""
    references = prepared("references", out)
    begin: list[object] = []
    if kind in KINDS:
        before = out / f"{kind}-before-{seed}"
        learn(before, prepared(kind, out), (f"dataset.kind={kind}", *KINDS[kind], *steps(STEPS)), seed, [])
        begin = ["--init-from", before]
    last = 2 * STEPS if kind == "longer" else STEPS
    learn(out / f"{kind}-{seed}", references, (*steps(last), *([] if begin else [AVERAGE])), seed, begin)


def steps(count: int) -> tuple[str, ...]:
    """Return the options of a training's length."""
    return f"training.max_steps={count}", f"training.schedule.end_step={count}"


def prepared(kind: str, out: Path) -> Path:
    """Return the examples of a kind, all with the tokenizer of the references."""
    folder = out / f"{kind}-data"
    if not (folder / "manifest.json").exists():
        changes = (f"dataset.kind={kind}", *KINDS[kind]) if kind in KINDS else ()
        known = ["--tokenizer", prepared("references", out)] if kind in KINDS else []
        nutgraf("prepare", PRESET, out / "corpus", folder, "--workers", 1, *known, *settings((*SIZE, *changes)))
    return folder


def learn(folder: Path, data: Path, changes: Sequence[str], seed: str, begin: Sequence[object]) -> None:
    """Train one network, unless it is done."""
    if (folder / "done").exists():
        return
    command = ("train", PRESET, "--data", data, "--out", folder, "--resume", "--threads", 1)
    began = time.monotonic()
    nutgraf(*command, "--no-compare-precisions", *begin, *settings((*SIZE, *LEARNING, f"seed={seed}", *changes)))
    (folder / "done").write_text(f"{time.monotonic() - began:.0f} s by the clock")


def texts_of(side: Side, out: Path, data: Path) -> list[Text]:
    """Return the validation examples of a side."""
    if side.network:
        file = (out / "corpus" / "validation.jsonl").open(encoding="utf-8")
        with file:
            found = [json.loads(line) for line in file]
        return [Text(document_of(row), tuple(row["summary_sents"])) for row in found]
    found = [*islice(rows(data / TITLES / "validation.jsonl.xz"), VALIDATION)]
    return [Text(Document.of(row["documents"][0], language="en"), (row["summary"],)) for row in found]


def write(side: Side, out: Path, data: Path) -> None:
    """Write the summaries of a side and score them, unless that is done."""
    from nutgraf import load

    path = out / "written" / f"{side.name}.json"
    if path.exists():
        return
    texts, began = texts_of(side, out, data), time.process_time()
    folder = out / side.network if side.network else TITLE_NETWORK
    system = load(folder, side.options, threads=1, deterministic=True)
    unaveraged = folder / "checkpoints" / "last" / "unaveraged.safetensors"
    if not side.averaged and unaveraged.exists():
        from safetensors.torch import load_file

        system._trained.network.load_state_dict(load_file(unaveraged), strict=False)
    made = system.many([text.source for text in texts])
    said = [[sentence.text for sentence in getattr(one, "sentences", ())] for one in made]
    seconds = time.process_time() - began
    scores = [scored(text, one) for text, one in zip(texts, said, strict=True)]
    path.write_text(json.dumps({"seconds": seconds, "scores": scores, "texts": said}), encoding="utf-8")
    print(f"{side.name}: {seconds:.0f} s", file=sys.stderr, flush=True)


def scores_of(name: str, out: Path) -> np.ndarray | None:
    """Return the scores of summaries [examples, columns]; None if they are not there."""
    path = out / "written" / f"{name}.json"
    if not path.exists():
        return None
    return np.array(json.loads(path.read_text(encoding="utf-8"))["scores"], dtype=float)


def show(out: Path, data: Path) -> None:
    """Print the tables."""
    print(" · ".join([*dict.fromkeys(metric.signature for metric in RATED), Bootstrap().test_signature]))
    tested = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "flagged")
    places = [COLUMNS.index(name) for name in tested]
    for title, pairs in COMPARED:
        print(f"\n{title}\n\n| | {' | '.join(COLUMNS)} | {' | '.join(f'Δ {name}' for name in tested)} |")
        print(f"|{'---|' * (1 + len(COLUMNS) + len(tested))}")
        for name in dict.fromkeys(base for _, base in pairs):
            if (base := scores_of(name, out)) is not None:
                print(f"| {name} | {means(base)} |{' |' * len(tested)}")
        for name, other in pairs:
            ours, theirs = scores_of(name, out), scores_of(other, out)
            if ours is not None and theirs is not None:
                found = Bootstrap().tests(ours[:, places], theirs[:, places])
                print(f"| {name} | {means(ours)} | {' | '.join(spread(one.interval) for one in found)} |")


if __name__ == "__main__":
    main()

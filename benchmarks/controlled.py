"""What the papers' mechanisms do where a summary depends on what they know: documents made for them.

    python benchmarks/controlled.py [--out runs/controlled] [--only RUN …] [--tables]

Four tasks of synthetic documents (`_tasks.py`), each with a plain CopyTransformer and networks that have one
mechanism more, small enough for minutes of one processor core. Two seeds each, the same examples in the same order.

    marks         the facts about two of six things; which ones, only phrases say. KPAT and Highlight-Transformer
    centre        the fact about the thing that most sentences refer to. SAGCopy
    noise         the two facts among eight rumours. Selective gate
    enumeration   the names of ten things, once each. Coverage

Networks of the first task learn with the phrases of the summary (`nutgraf prepare --oracle`), and a pair with those of
an extractor. In the test all get the summary's phrases, those of each extractor, none, and those of two facts that are
not wanted. A run that is there is not made again, and a training that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _tasks import TASKS, Example, examples

from nutgraf.evaluation.significance import Bootstrap
from nutgraf.keyphrases import extractors
from nutgraf.metrics.rouge import Config as RougeConfig
from nutgraf.metrics.rouge import Rouge
from nutgraf.presets.read import Preset
from nutgraf.systems import read_preset as read
from nutgraf.systems import sections_of
from nutgraf.text.document import Document, Phrase
from nutgraf.training.reports import LOG, read_log

SPLITS = {"train": 12_000, "validation": 400, "test": 600}
SEEDS = (0, 1)
AT_ONCE = 100
COST, WRITTEN = "cost.json", "written.json"
STEPS = 400

EXTRACTORS = ("tfidf", "position_rank", "topic_rank")
FOUND: dict[str, Any] = {"top": 2, "ngram_range": (2, 2)}
TWO = ("keyphrases.top=2", "keyphrases.ngram_range=[2,2]")

SMALL = (
    "dataset.kind=jsonl", "tokenizer.kind=words", "truncation.source=160", "truncation.target=64",
    "model.d_model=64", "model.num_heads=4", "model.dropout=0.0", "model.max_positions=256",
    "model.encoder.num_layers=2", "model.encoder.ffn_dim=256",
    "model.decoder.num_layers=2", "model.decoder.ffn_dim=256",
    "decoding.beam_size=1", "decoding.min_length=0", "decoding.max_length=64", "decoding.length_penalty=0.0",
    "decoding.processors.repetition.no_repeat_ngram_size=0",
    f"training.max_steps={STEPS}", "training.batch_size=16", "training.validate_every=100",
    "training.validation_examples=200",
    "training.rouge_examples=0", "training.patience=0", "training.checkpoint_minutes=5",
    "training.steps_per_epoch=80", "training.threads=1", "training.precision=fp32", "training.log_every=100",
    "training.schedule.learning_rate=2e-3", "training.schedule.warmup_steps=80",
    f"training.schedule.end_step={STEPS}", "training.schedule.end_factor=0.05",
)  # fmt: skip

HIGHLIGHT = ("model.encoder.attention.kind=highlight",)
ADDITIVE = ("model.encoder.attention.structure=additive",)
BRIGHT = ("model.encoder.attention.scale=brightness", "model.encoder.attention.overlap=sum")
ALL_HEADS = ("model.decoder.copy_attention=mean", "model.head.p_copy_input=context_state_input")
GUIDED = (
    "model.decoder.copy_attention=mean", "model.head.kind=guided", "model.head.continuation=4",
    "model.head.guide_keys=times_length", "training.objectives.guidance.weight=1",
)  # fmt: skip
COVERAGE = (
    "model.coverage.mode=exact", "training.objectives.coverage.weight=1.0",
    f"training.second_phase_steps={STEPS // 2}",
)  # fmt: skip


class Variant(NamedTuple):
    """A network: its task, the phrases that it learns with, and what differs from the small preset."""

    task: str
    name: str
    changes: tuple[str, ...] = ()
    phrases: str = "oracle"

    @property
    def key(self) -> str:
        """Return a name for files and the command line."""
        return f"{self.task}-{self.name}"


VARIANTS = (
    Variant("marks", "plain"),
    Variant("marks", "kpat_weighted", HIGHLIGHT),
    Variant("marks", "kpat_additive", HIGHLIGHT + ADDITIVE),
    Variant("marks", "highlight_weighted", HIGHLIGHT + BRIGHT),
    Variant("marks", "highlight_additive", HIGHLIGHT + BRIGHT + ADDITIVE),
    Variant("marks", "kpat_weighted_tfidf", HIGHLIGHT, "tfidf"),
    Variant("marks", "kpat_additive_tfidf", HIGHLIGHT + ADDITIVE, "tfidf"),
    # The phrases of the others are looked at by none of them, and are those that are found quickest.
    Variant("centre", "plain", ALL_HEADS, "tfidf"),
    Variant("centre", "sagcopy_outdegree", (*GUIDED, "model.head.centrality=outdegree"), "tfidf"),
    Variant("centre", "sagcopy_indegree", (*GUIDED, "model.head.centrality=indegree"), "tfidf"),
    Variant("noise", "plain", (), "tfidf"),
    Variant("noise", "selective", ("model.bridge.kind=selective", "model.bridge.bias=2.0"), "tfidf"),
    Variant("enumeration", "plain", ALL_HEADS, "tfidf"),
    Variant("enumeration", "coverage", ALL_HEADS + COVERAGE, "tfidf"),
)

Phrasing = Callable[[Document, Example], list[Phrase] | None]


def main() -> None:
    """Train, write, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/controlled"))
    parser.add_argument("--only", nargs="+", default=[""], metavar="RUN", help="beginnings of names: marks-kpat")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--tables", action="store_true", help="print what there is, and train nothing")
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    if options.tables:
        show(out)
        return
    import torch

    torch.set_num_threads(1)
    for seed in options.seeds:
        for variant in VARIANTS:
            if chosen(variant, options.only):
                run(variant, seed, out)
    print("--tables prints what was found")


def chosen(variant: Variant, names: Sequence[str]) -> bool:
    """Return True if a variant is named, by its whole name or by the beginning of several."""
    keys = {one.key for one in VARIANTS}
    return any(variant.key == name or (name not in keys and variant.key.startswith(name)) for name in names)


def run(variant: Variant, seed: int, out: Path) -> None:
    """Train a network and let it write, unless it did."""
    from nutgraf.preparation.prepare import prepare
    from nutgraf.training.run import train

    corpus = written_corpus(variant.task, out)
    preset = preset_of(variant, seed)
    data, folder = out / f"{variant.task}-{variant.phrases}", out / f"{variant.key}-{seed}"
    prepare(preset, corpus, data, workers=1, oracle=variant.phrases == "oracle")
    if not (folder / COST).is_file():
        print(variant.key, seed, flush=True)
        begin = time.process_time()
        if not train(preset, data, folder, resume=folder.is_dir()).finished:
            raise SystemExit("The training was stopped; the same command goes on.")
        (folder / COST).write_text(json.dumps({"seconds": time.process_time() - begin}), encoding="utf-8")
    write(variant, folder)


def preset_of(variant: Variant, seed: int) -> Preset:
    """Return a variant's preset."""
    kind = "position_rank" if variant.phrases == "oracle" else variant.phrases
    changes = [*SMALL, f"keyphrases.kind={kind}", *TWO, *variant.changes, f"seed={seed}"]
    return read("copy_transformer_small", changes)


def tests_of(task: str) -> list[Example]:
    """Return the test documents of a task."""
    return examples(task, SPLITS["test"], list(SPLITS).index("test"))


def written_corpus(task: str, out: Path) -> Path:
    """Write the documents of a task, unless they are there."""
    folder = out / task
    folder.mkdir(exist_ok=True)
    for seed, (split, count) in enumerate(SPLITS.items()):
        if not (file := folder / f"{split}.jsonl").is_file():
            lines = (
                json.dumps({"text": " ".join(one.sentences), "summary_sents": one.wanted})
                for one in examples(task, count, seed)
            )
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def write(variant: Variant, folder: Path) -> None:
    """Let a network write about the test documents, with phrases of each kind where it heeds any."""
    from nutgraf.checkpoint import load
    from nutgraf.preparation import Preparation

    tests = tests_of(variant.task)
    file = folder / WRITTEN
    written = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    trained = load(folder, sections_of)
    preparation = Preparation.of(trained.preset, trained.tokenizer, folder / "tokenizer")
    kinds = phrasings(preparation, variant) if trained.network.encoder.heeds_phrases else {"none": lambda *_: []}
    for name, phrasing in kinds.items():
        if name not in written:
            written[name] = list(summaries(trained, preparation, tests, phrasing))
            file.write_text(json.dumps(written), encoding="utf-8")


def phrasings(preparation: Any, variant: Variant) -> dict[str, Phrasing]:
    """Return the ways to choose phrases."""

    def found_by(kind: str) -> Phrasing:
        extractor = extractors.make(kind, **FOUND)
        return lambda document, example: extractor(document)

    return {
        "oracle": lambda document, example: preparation.oracle(document, example.wanted),
        **{kind: found_by(kind) for kind in EXTRACTORS},
        "none": lambda document, example: [],
        "wrong": lambda document, example: preparation.oracle(document, example.others[:2]),
    }


def summaries(trained: Any, preparation: Any, tests: Sequence[Example], phrasing: Phrasing) -> Iterator[str]:
    """Yield what a network writes, greedily."""
    from nutgraf.decoding.search import search
    from nutgraf.preparation import batch

    config = trained.preset.options("decoding")
    for start in range(0, len(tests), AT_ONCE):
        some = tests[start : start + AT_ONCE]
        documents = [Document.of(" ".join(one.sentences)) for one in some]
        sources = [
            preparation.source(document, phrasing(document, one)) for document, one in zip(documents, some, strict=True)
        ]
        for (best, *_), source in zip(search(trained.network, batch(sources), config), sources, strict=True):
            tokens = [*trained.tokenizer.tokens, *source.unknown]
            yield " ".join(tokens[number] for number in best.ids)


MEASURES = ("wanted", "wrong", "garbled", "repeated", "ROUGE-1")
"""Percent: of the wanted sentences, those that are written; of those that are written, those that could be taken for
wanted ones, those that are neither, and those that were written before."""


def measured(example: Example, written: str, rouge: Rouge) -> list[float]:
    """Return the measures of a summary."""
    wanted, others = ({normal(one) for one in some} for some in (example.wanted, example.others))
    sentences = [one for part in written.split(".") if (one := normal(part))]
    count = Counter("wanted" if one in wanted else "wrong" if one in others else "garbled" for one in sentences)
    total = max(1, len(sentences))
    score = rouge.score([written], [[" ".join(example.wanted)]])["1"].f
    return [
        100 * len(wanted.intersection(sentences)) / len(wanted),
        100 * count["wrong"] / total,
        100 * count["garbled"] / total,
        100 * (len(sentences) - len(set(sentences))) / total,
        100 * score,
    ]


def normal(sentence: str) -> str:
    """Return a sentence in lower case, without its full stop."""
    return " ".join(sentence.lower().replace(".", " ").split())


def show(out: Path) -> None:
    """Print what there is."""
    show_extractors()
    for task in TASKS:
        variants = [variant for variant in VARIANTS if variant.task == task]
        found = {variant: measures_of(variant, out) for variant in variants}
        if any(found.values()):
            print(f"\n{task}\n")
            show_measures(found)
            show_losses(variants, out)


def show_extractors() -> None:
    """Print how many of the marked names extractors find, and how many the two most frequent names are."""
    tests = tests_of("marks")
    documents = [Document.of(" ".join(one.sentences)) for one in tests]
    print("| phrases | right |\n|---|---|")
    for kind in EXTRACTORS:
        extractor = extractors.make(kind, **FOUND)
        shares = [
            share({phrase.text.lower() for phrase in extractor(document)}, one)
            for document, one in zip(documents, tests, strict=True)
        ]
        print(f"| {kind} | {100 * np.mean(shares):.1f} |")
    print(f"| most frequent names | {100 * np.mean([counted(one) for one in tests]):.1f} |")


def share(phrases: set[str], example: Example) -> float:
    """Return the share of the marked names that are among phrases."""
    return len(phrases.intersection(example.marked)) / len(example.marked)


def counted(example: Example) -> float:
    """Return the share of the marked names that is expected of the two most frequent ones, ties broken by chance."""
    text = " ".join(example.sentences)
    times = {name: text.count(name) for name in [*example.marked, *example.unmarked]}
    first, second = sorted(times.values(), reverse=True)[:2]
    ways = {first: 2, second: 2} if first == second else {first: 1, second: 1}
    counts = Counter(times.values())
    return sum(min(1.0, ways.get(times[name], 0) / counts[times[name]]) for name in example.marked) / 2


def measures_of(variant: Variant, out: Path) -> dict[str, np.ndarray]:
    """Return the measures of each test document by the phrases that were given: [seeds × documents × measures]."""
    tables: dict[str, list[np.ndarray]] = {}
    tests, rouge = tests_of(variant.task), Rouge(RougeConfig(variants=("1",)))
    for seed in SEEDS:
        file = out / f"{variant.key}-{seed}" / WRITTEN
        for name, texts in (json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}).items():
            rows = [measured(example, text, rouge) for example, text in zip(tests, texts, strict=True)]
            tables.setdefault(name, []).append(np.array(rows))
    return {name: np.stack(some) for name, some in tables.items()}


def show_measures(found: dict[Variant, dict[str, np.ndarray]]) -> None:
    """Print the mean measures of each network and kind of phrases, and what wanted sentences it has more than plain."""
    print(f"| network | phrases | {' | '.join(MEASURES)} | wanted, by seed | wanted minus plain |")
    print("|---" * (len(MEASURES) + 4) + "|")
    plain = next((some["none"] for variant, some in found.items() if variant.name == "plain" and some), None)
    for variant, some in found.items():
        for phrases, table in some.items():
            wanted, *others = Bootstrap().intervals(table.mean(0))
            cells = [f"{wanted.mean:.1f} [{wanted.low:.1f}, {wanted.high:.1f}]"]
            cells += [f"{one.mean:.1f}" for one in others]
            cells.append(" ".join(f"{one:.1f}" for one in table[:, :, 0].mean(1)))
            cells.append("–" if variant.name == "plain" or plain is None else difference(table, plain))
            print(f"| {variant.name} | {phrases} | {' | '.join(cells)} |")


def difference(table: np.ndarray, plain: np.ndarray) -> str:
    """Return the mean difference in wanted sentences, over the first seeds that both have."""
    seeds = min(len(table), len(plain))
    (found,) = Bootstrap().tests(table[:seeds, :, :1].mean(0), plain[:seeds, :, :1].mean(0))
    one = found.interval
    return f"{one.mean:+.1f} [{one.low:+.1f}, {one.high:+.1f}]".replace("-", "−")


def show_losses(variants: Sequence[Variant], out: Path) -> None:
    """Print the validation losses along the trainings, their processor time, and what the mechanism learned."""
    folders = [
        (variant, seed, folder)
        for variant in variants
        for seed in SEEDS
        if ((folder := out / f"{variant.key}-{seed}") / COST).is_file()
    ]
    for number, (variant, seed, folder) in enumerate(folders):
        seen = {one["step"]: one["loss"] for one in read_log(folder / LOG) if one["kind"] == "validation"}
        if not number:
            print(f"\n| loss after steps | {' | '.join(map(str, seen))} | seconds | learned |")
            print("|---" * (len(seen) + 3) + "|")
        seconds = json.loads((folder / COST).read_text(encoding="utf-8"))["seconds"]
        losses = " | ".join(f"{one:.3f}" for one in seen.values())
        print(f"| {variant.name}, seed {seed} | {losses} | {seconds:.0f} | {learned(folder)} |")


LEARNED = ("attention.scale.weight", "attention.scale.bias", "coverage.weight", "centrality_weight")
"""Ends of the names of the mechanisms' own parameters."""


def learned(folder: Path) -> str:
    """Return the values of a mechanism's own parameters, or the length of a long one."""
    from safetensors.numpy import load_file

    found = {name: one for name, one in load_file(folder / "weights.safetensors").items() if name.endswith(LEARNED)}
    return ", ".join(
        f"{'.'.join(name.split('.')[-2:])} "
        + (" ".join(f"{x:.2f}" for x in one) if one.size < 9 else f"‖{np.linalg.norm(one):.2f}‖")
        for name, one in found.items()
    )


if __name__ == "__main__":
    main()

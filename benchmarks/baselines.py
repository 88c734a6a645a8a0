"""The papers' other systems, each trained small beside its own ablation, and compared article by article.

    python benchmarks/baselines.py [COMPARISON …] [--data ../shared/data] [--out runs/baselines] [--tables]

All of it takes some two hours of one processor core; what was found stands in docs/results.md.

A network and the one that it is compared with have the same steps, batches and pieces, and both summarize the same test
articles. What is in --out already is taken as it is, and a training that was stopped goes on; delete a folder to begin
it anew. Markdown is printed: scores with 95 % bootstrap intervals, paired differences, validation losses along the
training, and what a step costs in seconds of the processor. `--tables` prints what there is and trains nothing.

Networks that learn from rewards stop several times on their way, and their reward is measured: ROUGE-L F1 of greedy
summaries, as the objective `self_critical` computes it. On test articles it is measured for the network that they begin
with, for the ablation, for the stop that was best on validation articles, and at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import _data
import numpy as np
from _commands import settings

from nutgraf.evaluation.significance import Bootstrap
from nutgraf.systems import sections_of
from nutgraf.training.reports import LOG, read_log

METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
VALIDATED = 200
COST, SHOWN, REWARDS, AREA = "cost.json", "shown.json", "rewards.json", "area.json"
LONGEST = 40
"""Pieces of a summary that is rewarded."""

AT_ONCE = 20
EXAMPLES = 300
"""Test articles, or clusters of each set."""

JUDGED = 2254
"""Test articles whose summaries' reward is measured."""

STEPS = 1000
STOPS = (0, 250, 500, STEPS)
"""Steps after which reward is measured."""


class Corpus(NamedTuple):
    """What a preset's network reads, prepared; with the tokenizer of another corpus, or one of its own."""

    preset: str
    folder: str
    changes: tuple[str, ...]
    tokenizer: str = "news"


class Network(NamedTuple):
    """A training: a preset with changes, from another network's weights or from nothing."""

    preset: str
    corpus: str
    changes: tuple[str, ...] = ()
    begins: str = ""


class Side(NamedTuple):
    """A network with changes of how it summarizes, which then have a name, or a preset that needs no training."""

    system: str
    changes: tuple[str, ...] = ()
    shown: str = ""


class Comparison(NamedTuple):
    """A system beside its ablation, on a file of the data folder and with further options of `nutgraf evaluate`."""

    ablation: Side
    system: Side
    test: tuple[str, str] = ("cnn_dailymail/test.jsonl.xz", "cnn_dailymail")
    options: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[Side, Side]:
        """Return both, the ablation first."""
        return self.ablation, self.system


PIECES = ("tokenizer.vocab_size=6000", "truncation.source=120")
TEXTS = (*PIECES, "keyphrases=none", "truncation.target=40")
LONG_TEXTS = ("tokenizer.vocab_size=6000", "keyphrases=none", "truncation.source=240", "truncation.target=60")
NEWS = ("dataset.kind=cnn_dailymail", "truncation.kind=head")
PAPERS = ("dataset.kind=pubmed", "truncation.kind=sections")
NO_SEGMENTS = ("model.interval_segments=false",)

CORPORA = {
    "news": Corpus("pointer_generator_small", "cnn_dailymail", TEXTS, tokenizer=""),
    "labels": Corpus("bottom_up_selector_small", "cnn_dailymail", (*PIECES, "truncation.target=40")),
    "sentences": Corpus("hi_map_small", "cnn_dailymail", (*NEWS, *TEXTS)),
    "papers": Corpus("pointer_generator_small", "pubmed", (*PAPERS, *LONG_TEXTS)),
    "sections": Corpus("daa_small", "pubmed", LONG_TEXTS),
    "marks": Corpus("bert_ext_small", "cnn_dailymail", PIECES),
    "no_segments": Corpus("bert_ext_small", "cnn_dailymail", (*PIECES, *NO_SEGMENTS)),
    "marked": Corpus("bert_abs_small", "cnn_dailymail", (*PIECES, "truncation.target=40")),
    "spans": Corpus("seq_copy_net_small", "cnn_dailymail", TEXTS),
    "words": Corpus("words_lvt2k_temp_att_small", "cnn_dailymail", (*TEXTS, "tokenizer.vocab_size=20000"), ""),
}  # fmt: skip

UNLAYERED = (
    "model.d_model=128", "model.encoder.hidden_size=128", "model.decoder.hidden_size=128",
    "model.decoder.attention_dim=128",
)  # fmt: skip
LSTM = (*UNLAYERED, "model.encoder.num_layers=1")
GRU = ("model.d_model=128", "model.encoder.hidden_size=128", "model.decoder.attention_dim=128")
LAYERS = ("model.d_model=128", "model.encoder.num_layers=2", "model.encoder.ffn_dim=512")
BOTH_LAYERS = (*LAYERS, "model.decoder.num_layers=2", "model.decoder.ffn_dim=512")
INTRA = ("model.d_model=128",)
TUNED = ("ABS+'s features",)
GOES_ON = ("training.schedule.kind=constant", "training.schedule.learning_rate=1e-4", "training.validate_every=0")
REWARDED = (
    *INTRA, *GOES_ON, "training.metric_for_best_model=loss", f"training.objectives.self_critical.max_length={LONGEST}",
)  # fmt: skip
SLOWLY = ("training.schedule.learning_rate=3e-5", "training.optimizer.betas=[0.9, 0.999]")
SEASS = (*GRU, "model.decoder.hidden_size=256")
ABS = ("model.d_model=128", "model.decoder.hidden_size=128")
MHAS = ("model.d_model=128",)
COVERAGE = ("training.second_phase_steps=300",)
NO_COVERAGE = ("model.coverage=none", "training.objectives.coverage=none", "training.second_phase_steps=0")

NETWORKS = {
    "pointer_generator": Network("pointer_generator_small", "news", LSTM),
    "selector": Network("bottom_up_selector_small", "labels"),
    "bottom_up": Network("bottom_up_small", "news", LSTM),
    "intra": Network("intra_attention_small", "news", INTRA),
    "intra_ml": Network("intra_attention_small", "news", (*INTRA, *GOES_ON), "intra"),
    "intra_rl": Network("intra_attention_rl_small", "news", REWARDED, "intra"),
    "intra_rl_slow": Network("intra_attention_rl_small", "news", (*REWARDED, *SLOWLY), "intra"),
    "intra_ml_rl": Network("intra_attention_ml_rl_small", "news", REWARDED, "intra"),
    "daa": Network("daa_small", "sections", UNLAYERED),
    "no_sections": Network("pointer_generator_small", "papers", LSTM),
    "daa_probabilities": Network("daa_small", "sections", (*UNLAYERED, "model.decoder.combine=probabilities")),
    "hi_map": Network("hi_map_small", "sentences", (*LSTM, "model.decoder.sentence_hidden_size=64")),
    "hi_map_off": Network(
        "hi_map_small",
        "sentences",
        (*LSTM, "model.decoder.sentence_hidden_size=64", "model.decoder.released_code=true"),
    ),
    "bert_ext": Network("bert_ext_small", "marks", LAYERS),
    "bert_ext_no_segments": Network("bert_ext_small", "no_segments", LAYERS),
    "bert_abs": Network("bert_abs_small", "marked", BOTH_LAYERS),
    "bert_ext_abs": Network("bert_abs_small", "marked", BOTH_LAYERS, "bert_ext"),
    "temporal": Network("words_lvt2k_temp_att_small", "words", (*GRU, "model.decoder.hidden_size=128")),
    "not_temporal": Network(
        "words_lvt2k_temp_att_small",
        "words",
        (*GRU, "model.decoder.hidden_size=128", "model.decoder.temporal_attention=false"),
    ),
    "seass": Network("seass_small", "news", SEASS),
    "no_gate": Network("seass_small", "news", (*SEASS, "model.bridge=none")),
    "seass_copy": Network("seass_small", "news", (*SEASS, "model.head.kind=pointer")),
    "abs": Network("abs_small", "news", ABS),
    "seq_copy_net": Network("seq_copy_net_small", "spans", (*SEASS, "model.head.pointer_dim=128")),
    "zhang_liu": Network("transformer_selective_coverage_small", "news", (*BOTH_LAYERS, *COVERAGE)),
    "zhang_liu_no_gate": Network(
        "transformer_selective_coverage_small", "news", (*BOTH_LAYERS, *COVERAGE, "model.bridge=none")
    ),
    "zhang_liu_no_coverage": Network(
        "transformer_selective_coverage_small", "news", (*BOTH_LAYERS, *NO_COVERAGE)
    ),
    "mhas": Network("mhas_small", "news", MHAS),
    "mhas_no_copying": Network("mhas_small", "news", (*MHAS, "model.head.kind=generator")),
}  # fmt: skip

SELECTOR = ('decoding.processors.selector.folder="{trained}/selector"',)
SOURCES = (
    'truncation.kind="parts"', 'dataset.kind="multi_news"', "truncation.source=400", "decoding.min_length=60",
    "decoding.max_length=100",
)  # fmt: skip
MMR = (*SOURCES, "decoding.processors.mmr.num_sentences=5")
TRUNK, TRUNK_MMR = Side("pointer_generator", SOURCES, "clusters"), Side("pointer_generator", MMR, "mmr")
HI_MAP, HI_MAP_OFF = Side("hi_map", SOURCES, "clusters"), Side("hi_map_off", SOURCES, "clusters")
NO_SECTIONS = Side("no_sections", ("decoding.min_length=60",), "as_long")
MULTI_NEWS = ("multi_news/validation.jsonl.xz", "multi_news")
NEUS = ("neus/validation.jsonl.xz", "multi_news")
PUBMED = ("pubmed/test.jsonl.xz", "pubmed")
THREE = ("--sentences", "3")

COMPARISONS = {
    "Bottom-Up": Comparison(Side("bottom_up"), Side("bottom_up", SELECTOR, "selector")),
    "intra-attention": Comparison(Side("pointer_generator"), Side("intra")),
    "RL": Comparison(Side("intra_ml"), Side("intra_rl")),
    "RL, slowly": Comparison(Side("intra_ml"), Side("intra_rl_slow")),
    "ML+RL": Comparison(Side("intra_ml"), Side("intra_ml_rl")),
    "DAA": Comparison(NO_SECTIONS, Side("daa"), PUBMED),
    "DAA, probabilities": Comparison(NO_SECTIONS, Side("daa_probabilities"), PUBMED),
    "PG-MMR, Multi-News": Comparison(TRUNK, TRUNK_MMR, MULTI_NEWS),
    "PG-MMR, NeuS": Comparison(TRUNK, TRUNK_MMR, NEUS),
    "Hi-MAP, Multi-News": Comparison(HI_MAP_OFF, HI_MAP, MULTI_NEWS),
    "Hi-MAP, NeuS": Comparison(HI_MAP_OFF, HI_MAP, NEUS),
    "BertExt": Comparison(Side("lead"), Side("bert_ext"), options=THREE),
    "BertExt, segments": Comparison(Side("bert_ext_no_segments"), Side("bert_ext"), options=THREE),
    "BertExt, blocking": Comparison(
        Side("bert_ext", ("selection.block_trigrams=false",), "no_blocking"), Side("bert_ext"), options=THREE
    ),
    "BertExtAbs": Comparison(Side("bert_abs"), Side("bert_ext_abs")),
    "temporal attention": Comparison(Side("not_temporal"), Side("temporal")),
    "SEASS": Comparison(Side("no_gate"), Side("seass")),
    "ABS+": Comparison(Side("abs"), Side("abs", TUNED, "tuned")),
    "SeqCopyNet": Comparison(Side("seass"), Side("seq_copy_net")),
    "SeqCopyNet, spans": Comparison(Side("seass_copy"), Side("seq_copy_net")),
    "Zhang and Liu, gate": Comparison(Side("zhang_liu_no_gate"), Side("zhang_liu")),
    "Zhang and Liu, coverage": Comparison(Side("zhang_liu_no_coverage"), Side("zhang_liu")),
    "MHAS": Comparison(Side("mhas_no_copying"), Side("mhas")),
}  # fmt: skip

LEARNING = (
    f"training.max_steps={STEPS}", "training.batch_size=8", f"training.validate_every={VALIDATED}",
    "training.validation_examples=200", "training.patience=0", "training.schedule.learning_rate=2e-3",
    "training.schedule.warmup_steps=100", f"training.schedule.end_step={STEPS}",
)  # fmt: skip
WRITING = ("training.rouge_examples=0", "decoding.beam_size=4", "decoding.max_length=60", "decoding.coverage_penalty=0")
SELECTING = ("selector", "bert_ext", "bert_ext_no_segments")


class Place(NamedTuple):
    """Where the corpora are, and where all that is made goes."""

    data: Path
    out: Path

    def corpus(self, name: str) -> Path:
        """Return the folder of a prepared corpus."""
        return self.out / "data" / name

    def trained(self, name: str) -> Path:
        """Return the model folder of a network."""
        return self.out / "trained" / name

    def evaluated(self, name: str) -> Path:
        """Return the folder of a comparison's summaries and scores."""
        return self.out / "evaluated" / name.replace(",", "").replace(" ", "_")


def main() -> None:
    """Train, evaluate, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("comparison", nargs="*", help=f"all by default: {'; '.join(COMPARISONS)}")
    parser.add_argument("--data", type=Path, default=_data.FOLDER)
    parser.add_argument("--out", type=Path, default=Path("runs/baselines"))
    parser.add_argument("--tables", action="store_true", help="print what there is, and train nothing")
    options = parser.parse_args()
    if unknown := [one for one in options.comparison if one not in COMPARISONS]:
        parser.error(f"there is no comparison {unknown[0]!r}; there are {'; '.join(COMPARISONS)}")
    place, wanted = Place(options.data.resolve(), options.out.resolve()), options.comparison or list(COMPARISONS)
    if not options.tables:
        _data.needed(place.data, "cnn_dailymail", "multi_news", "neus", "pubmed")
        for name in wanted:
            compare(name, place)
    show(wanted, place)


def compare(name: str, place: Place) -> None:
    """Train what a comparison needs, and evaluate both sides."""
    comparison, folder = COMPARISONS[name], place.evaluated(name)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / SHOWN).exists():
        systems = [made(side, place) for side in comparison.sides]
        file, kind = comparison.test
        nutgraf(
            "evaluate", *systems, "--data", place.data / file, "--kind", kind, "--limit", EXAMPLES, "--workers", 1,
            "--metrics", "rouge", *comparison.options, "--out", folder, "--json", "-o", folder / SHOWN,
        )  # fmt: skip
    if SELECTOR in (side.changes for side in comparison.sides) and not (folder / AREA).exists():
        (folder / AREA).write_text(json.dumps(area(place)), encoding="utf-8")
    network = NETWORKS.get(comparison.system.system)
    if network and _learns_from_rewards(network) and not (folder / REWARDS).exists():
        names = (network.begins, comparison.ablation.system, best(comparison.system.system), comparison.system.system)
        corpus = place.corpus(network.corpus)
        found = {one: rewards(place.trained(one), corpus, "test", JUDGED) for one in names}
        (folder / REWARDS).write_text(json.dumps(found), encoding="utf-8")


def made(side: Side, place: Place) -> Path | str:
    """Return what `nutgraf evaluate` takes: a model folder, a file in it that changes how it writes, or a preset."""
    if side.system not in NETWORKS:
        return side.system
    train(side.system, place)
    folder = place.trained(side.system)
    if not side.changes:
        return folder
    if SELECTOR[0] in side.changes:
        train("selector", place)
    changes = tuned(folder, place) if side.changes == TUNED else side.changes
    file = folder / f"{side.system}_{side.shown}.toml"
    lines = ['extends = "preset.toml"', *(one.format(trained=place.out / "trained") for one in changes)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def train(name: str, place: Place) -> None:
    """Train a network to its end, unless it has been; keep what that took, if it was done in one go."""
    network, folder = NETWORKS[name], place.trained(name)
    if (folder / COST).exists():
        return
    prepare(network.corpus, place)
    begins = []
    if network.begins:
        train(network.begins, place)
        begins = ["--init-from", place.trained(network.begins)]
    learning = [one for one in LEARNING if not (GOES_ON[0] in network.changes and one.startswith("training.schedule"))]
    how = (*CORPORA[network.corpus].changes, *learning, *(() if name in SELECTING else WRITING), *network.changes)
    command = ["train", network.preset, "--data", place.corpus(network.corpus), "--out", folder, "--resume"]
    command += ["--threads", 1, "--no-compare-precisions", *begins, *settings(how)]
    whole, seconds, course = not folder.exists(), 0.0, []
    for stop in STOPS if _learns_from_rewards(network) else (STEPS,):
        if stop:
            seconds += nutgraf(*command, "--set", f"training.max_steps={stop}")
        if _learns_from_rewards(network):
            at = folder if stop else place.trained(network.begins)
            course.append((stop, float(np.mean(rewards(at, place.corpus(network.corpus), "validation", EXAMPLES)))))
            if course[-1] == max(course, key=lambda pair: pair[1]):
                shutil.copytree(at, place.trained(best(name)), dirs_exist_ok=True)
    (folder / COST).write_text(json.dumps({"seconds": seconds if whole else None, "rewards": course}), encoding="utf-8")


def prepare(name: str, place: Place) -> None:
    """Prepare a corpus, unless it has been."""
    corpus, folder = CORPORA[name], place.corpus(name)
    if (folder / "manifest.json").exists():
        return
    shared = []
    if corpus.tokenizer:
        prepare(corpus.tokenizer, place)
        shared = ["--tokenizer", place.corpus(corpus.tokenizer)]
    nutgraf(
        "prepare", corpus.preset, place.data / corpus.folder, folder, "--limit", 8 * STEPS, "--workers", 1, *shared,
        *settings(corpus.changes),
    )  # fmt: skip


def tuned(folder: Path, place: Place) -> list[str]:
    """Return the weights of ABS+'s features, tuned on validation examples and kept beside the network."""
    from nutgraf.evaluation.mert import tune

    kept = folder / "tuned.json"
    if not kept.exists():
        kept.write_text(json.dumps(tune(folder, place.corpus("news")).weights), encoding="utf-8")
    weights = json.loads(kept.read_text(encoding="utf-8"))
    return [f"decoding.processors.extractive_tuning.{name}={value}" for name, value in weights.items()]


def best(name: str) -> str:
    """Return the name of the copy of a network as it was when its reward on validation articles was highest."""
    return f"{name}, best"


def rewards(folder: Path, corpus: Path, split: str, count: int) -> list[float]:
    """Return the reward of a network's greedy summary of each example: ROUGE-L F1 with the target."""
    import torch

    from nutgraf.checkpoint import load
    from nutgraf.model.records import EOS, PAD
    from nutgraf.preparation.scoring import RougeReward
    from nutgraf.preparation.shards import Shards
    from nutgraf.training.objectives.self_critical import roll_out

    torch.set_num_threads(1)
    trained, examples = load(folder, sections_of), Shards.open(corpus, split)
    judge, found = RougeReward(trained.tokenizer), []
    count = min(count, len(examples))
    for start in range(0, count, AT_ONCE):
        batch = examples.batch(range(start, min(start + AT_ONCE, count)))
        assert batch.target_extended is not None
        greedy, _ = roll_out(trained.network, batch, LONGEST)
        for written, wanted in zip(greedy.tolist(), batch.target_extended[:, 1:].tolist(), strict=True):
            found.append(judge(*([one for one in ids if one not in (EOS, PAD)] for ids in (written, wanted))))
    return found


def area(place: Place) -> float:
    """Return the area under the selector's ROC curve, over all words of the test articles that it reads."""
    import torch
    from scipy.stats import rankdata

    from nutgraf.checkpoint import load
    from nutgraf.model.records import SELECTED
    from nutgraf.preparation.shards import Shards

    torch.set_num_threads(1)
    network, examples = load(place.trained("selector")).network, Shards.open(place.corpus("labels"), "test")
    rated, wanted = [], []
    for start in range(0, EXAMPLES, AT_ONCE):
        batch = examples.batch(range(start, start + AT_ONCE))
        asked = ~batch.labels_mask
        with torch.inference_mode():
            rated.append(network.probabilities(batch)[asked].numpy())
        wanted.append((batch.labels == SELECTED)[asked].numpy())
    right = np.concatenate(wanted)
    ranks, count = rankdata(np.concatenate(rated))[right], int(right.sum())
    return float((ranks.sum() - count * (count + 1) / 2) / (count * (len(right) - count)))


def nutgraf(*arguments: object) -> float:
    """Run a command of nutgraf; return the seconds of the processor that it took."""
    command = [sys.executable, "-m", "nutgraf", *map(str, arguments)]
    before = os.times()
    subprocess.run(command, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _learns_from_rewards(network: Network) -> bool:
    return "_rl" in network.preset


def show(wanted: Sequence[str], place: Place) -> None:
    """Print the tables of the comparisons that there are."""
    found = [name for name in wanted if (place.evaluated(name) / SHOWN).exists()]
    print("| comparison | system | words | R-1 | R-2 | R-L |\n|---|---|---|---|---|---|")
    for name in found:
        for side, row in zip(COMPARISONS[name].sides, rows(name, place), strict=True):
            scores = " | ".join(_interval(row["scores"][one]) for one in METRICS)
            print(f"| {name} | {_shown(side)} | {row['words']:.0f} | {scores} |")
    print("\n| minus its ablation | R-1 | R-2 | R-L |\n|---|---|---|---|")
    for name in found:
        *_, last = rows(name, place)
        columns = [_difference(last["scores"][one]["difference"]) for one in METRICS]
        print(f"| {name} | {' | '.join(columns)} |")
    for name in found:
        if (measured := place.evaluated(name) / AREA).exists():
            print(f"\nArea under the selector's ROC curve: {float(measured.read_text(encoding='utf-8')):.3f}")
    _show_trainings([name for name in NETWORKS if (place.trained(name) / COST).exists()], place)


def _show_trainings(networks: Sequence[str], place: Place) -> None:
    """Print the losses of validations, rewards, and what a step took."""
    steps = range(VALIDATED, STEPS + 1, VALIDATED)
    print(
        f"\n| network | {' | '.join(f'{step:,}' for step in steps)} | seconds a step |\n|---{'|---' * len(steps)}|---|"
    )
    costs = {name: json.loads((place.trained(name) / COST).read_text(encoding="utf-8")) for name in networks}
    for name in networks:
        losses = {
            one["step"]: f"{one['loss']:.3f}"
            for one in read_log(place.trained(name) / LOG)
            if one["kind"] == "validation"
        }
        columns = " | ".join(losses.get(step, "–") for step in steps)
        seconds = costs[name]["seconds"]
        print(f"| {name} | {columns} | {'–' if seconds is None else f'{seconds / STEPS:.2f}'} |")
    print(f"\n| reward on validation | {' | '.join(map(str, STOPS))} |\n|---{'|---' * len(STOPS)}|")
    for name in networks:
        if course := costs[name]["rewards"]:
            print(f"| {name} | {' | '.join(f'{100 * mean:.2f}' for _, mean in course)} |")
    for name in COMPARISONS:
        if (place.evaluated(name) / REWARDS).exists():
            _show_rewards(place.evaluated(name))


def rows(name: str, place: Place) -> list[dict[str, Any]]:
    """Return the rows of a comparison's table, the ablation first."""
    found: list[dict[str, Any]] = json.loads((place.evaluated(name) / SHOWN).read_text(encoding="utf-8"))["rows"]
    return found


def _shown(side: Side) -> str:
    return f"{side.system}, {side.shown}" if side.shown else side.system


def _show_rewards(folder: Path) -> None:
    """Print mean rewards on test articles, and their differences from the first network's and from the ablation's."""
    found = json.loads((folder / REWARDS).read_text(encoding="utf-8"))
    start, ablation, *_ = found
    print(f"\n| reward, {len(found[start]):,} test articles | mean | minus {start} | minus {ablation} |")
    print("|---|---|---|---|")
    for name, values in found.items():
        columns = [_difference(_paired(values, found[other])) if name != other else "" for other in (start, ablation)]
        print(f"| {name} | {100 * np.mean(values):.2f} | {' | '.join(columns)} |")


def _paired(system: Sequence[float], ablation: Sequence[float]) -> dict[str, float]:
    """Return the mean difference with its interval."""
    found = Bootstrap().tests([[one] for one in system], [[one] for one in ablation])[0].interval
    return {"mean": found.mean, "low": found.low, "high": found.high}


def _interval(cell: Mapping[str, float]) -> str:
    return f"{100 * cell['mean']:.2f} [{100 * cell['low']:.2f}, {100 * cell['high']:.2f}]"


def _difference(cell: Mapping[str, float]) -> str:
    shown = f"{100 * cell['mean']:+.2f} [{100 * cell['low']:+.2f}, {100 * cell['high']:+.2f}]"
    return shown.replace("-", "−")


if __name__ == "__main__":
    main()

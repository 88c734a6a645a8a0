"""How much highlights change what a network writes, and their price in ROUGE.

    python benchmarks/steering_effect.py [--data ../shared/data] [--out runs/steering_effect] [--documents 400]
        [--beams 1] [--only SIDE …] [--tables] [--picture docs/pictures/steering_effect.svg]

Two networks are trained on one processor core: one of BART's shape (`_bart.py`), and one of ours with highlighting
attention. In its training the references' own phrases are highlighted (`nutgraf prepare --oracle`), so that it can
learn to write what is highlighted.

In each test article, phrases of equal salience are paired: neighbours in the order of one extractor, as often in the
text, and near each other. A coin says which of both is marked. What is counted is how often marked and unmarked
phrases stand in the summary, and ROUGE-1 beside the same network without marks, article by article. Without marks the
ratio of both is 1 but for chance. All of it goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import _bart
import _data
import numpy as np
from _commands import nutgraf, settings

from nutgraf.evaluation.significance import Bootstrap
from nutgraf.keyphrases import extractors
from nutgraf.metrics.rouge import Config as RougeConfig
from nutgraf.metrics.rouge import Rouge
from nutgraf.text.document import Document

CORPUS = "cnn_dailymail"
SEED = 0
PAIRS = 2
"""Pairs of phrases of a document, at most; one phrase of each is marked."""

APART, NEAR = 2, 0.25
"""Places between the two of a pair in the extractor's order, and the part of the text between them, at most."""

AT_ONCE = 100
BAR = (2.0, 0.5)
"""Least ratio of marked to unmarked, and most points of ROUGE-1 that may be lost."""

OURS = (
    "model.encoder.attention.kind=highlight", "model.encoder.attention.scale=brightness",
    "model.encoder.attention.brightness_decay=1.0", "model.encoder.attention.highlighted_heads=0.5",
    "model.d_model=128", "model.encoder.num_layers=2", "model.encoder.ffn_dim=512", "model.decoder.num_layers=2",
    "model.decoder.ffn_dim=512",
    "tokenizer.vocab_size=8000", "truncation.source=200", "truncation.target=50",
)  # fmt: skip
LEARNING = (
    "training.max_steps=2500", "training.batch_size=16", "training.validate_every=500",
    "training.validation_examples=200", "training.rouge_examples=0", "training.patience=0",
    "training.schedule.warmup_steps=200", "training.schedule.end_step=2500",
)  # fmt: skip


class Side(NamedTuple):
    """A way of steering, and how strongly; "none" for no marks."""

    network: str
    form: str
    place: str
    strength: float

    @property
    def name(self) -> str:
        """Return a name for files and the command line."""
        return f"{self.network}-{self.form}-{self.place}-{self.strength:g}"


class Case(NamedTuple):
    """A test article as far as networks read it, and pairs of phrases, the marked one first."""

    text: str
    reference: str
    pairs: tuple[tuple[str, str], ...]

    @property
    def marked(self) -> list[str]:
        """Return the phrases that are marked."""
        return [one for one, _ in self.pairs]


ODDS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
AMOUNTS = {
    "cross": {"column": ODDS, "share": (0.05, 0.1, 0.2, 0.3, 0.5)},
    "both": {"column": ODDS[:4], "share": (0.1, 0.3)},
    "encoder": {"column": (1.0, 2.0, 4.0), "share": (0.1, 0.3), "block": (1.0, 2.0, 4.0, 6.0, 8.0)},
    "logits": {"contrast": (1.25, 1.5, 2.0, 3.0, 4.0)},
}
"""Strengths of each form, by the attention that it steers."""

BARTS = ("copying", "references")
"""The network of BART's shape before and after it learned from references."""


def sides_of(network: str) -> Iterator[Side]:
    """Yield the sides of a pretrained network."""
    yield Side(network, "none", "-", 0)
    for place, forms in AMOUNTS.items():
        yield from (Side(network, form, place, one) for form, amounts in forms.items() for one in amounts)


SIDES = (
    *(side for network in BARTS for side in sides_of(network)),
    Side("ours", "none", "-", 0),
    *(Side("ours", "own", "encoder", one) for one in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)),
)


def main() -> None:
    """Train, write, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER)
    parser.add_argument("--out", type=Path, default=Path("runs/steering_effect"))
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--beams", type=int, default=1)
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="SIDE", help="beginnings of names: copying-column-cross"
    )
    parser.add_argument("--tables", action="store_true", help="print what there is, and train and write nothing")
    parser.add_argument("--picture", type=Path, help="draw the curves into this file")
    options = parser.parse_args()
    data, out = (options.data / CORPUS).resolve(), options.out.resolve()
    _data.needed(options.data, CORPUS)
    written = out / f"written-{options.documents}-{options.beams}"
    written.mkdir(parents=True, exist_ok=True)
    wanted = [side for side in SIDES if side.name.startswith(tuple(options.only))]
    cases = made_once(out / f"cases-{options.documents}.json", lambda: choose(data, out, options.documents))
    if not options.tables:
        for train in dict.fromkeys(TRAIN[side.network] for side in wanted):
            train(data, out)
        for side in wanted:
            write(side, out / side.network, cases, written, options.beams)
    rows = [row for side in SIDES if (row := measured(side, cases, written)) is not None]
    (out / f"table-{options.documents}-{options.beams}.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    show(rows, cases)
    if options.picture:
        draw(rows, options.picture)


def train_bart(data: Path, out: Path) -> None:
    """Train the network of BART's shape."""
    import torch

    torch.set_num_threads(1)
    _bart.train(data, out, SEED, lambda line: print(line, file=sys.stderr, flush=True))


def train_ours(data: Path, out: Path) -> None:
    """Train our network."""
    corpus, folder = out / "ours_data", out / "ours"
    if not (corpus / "manifest.json").exists():
        nutgraf("prepare", PRESET, data, corpus, "--oracle", "--limit", 12000, "--workers", 1, *settings(OURS))
    if not (folder / "done").exists():
        command = ("train", PRESET, "--data", corpus, "--out", folder, "--resume", "--threads", 1)
        nutgraf(*command, "--no-compare-precisions", *settings((*OURS, *LEARNING)))
        (folder / "done").touch()


PRESET = "copy_transformer_small"
TRAIN: dict[str, Callable[[Path, Path], None]] = {**dict.fromkeys(BARTS, train_bart), "ours": train_ours}


def made_once(path: Path, make: Callable[[], list[Case]]) -> list[Case]:
    """Return cases as they were made before, or make them."""
    if not path.exists():
        path.write_text(json.dumps(make()), encoding="utf-8")
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [Case(text, reference, tuple((one, other) for one, other in pairs)) for text, reference, pairs in rows]


def choose(data: Path, out: Path, count: int) -> list[Case]:
    """Return the first test articles that have a pair of phrases, and by the seed which of both is marked."""
    tokenizer = _bart.make_tokenizer(data, out)
    extractor = extractors.make("position_rank", top=20, ngram_range=(2, 3), tagger="textblob", merge_variants=False)
    found: list[Case] = []
    for name, text, reference in _bart.read(data / "test.jsonl.xz"):
        kept = _bart.beginning(text, tokenizer)
        phrases = [one.text for one in extractor(Document.of(kept, language="en"))]
        pairs = list(paired(phrases, kept))[:PAIRS]
        if pairs:
            coin = random.Random(f"{SEED} {name}")
            found.append(Case(kept, reference, tuple((b, a) if coin.random() < 0.5 else (a, b) for a, b in pairs)))
        if len(found) == count:
            break
    return found


def paired(phrases: Sequence[str], text: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of phrases of equal salience, best first; no word is in two of them."""
    free, used = list(enumerate(phrases)), set[str]()
    while free:
        rank, one = free.pop(0)
        for place, (other_rank, other) in enumerate(free):
            if other_rank - rank > APART:
                break
            if alike(one, other, text) and not (used | {*one.split()}) & {*other.split()} and not used & {*one.split()}:
                used |= {*one.split(), *other.split()}
                del free[place]
                yield one, other
                break


def alike(one: str, other: str, text: str) -> bool:
    """Return True if two phrases stand in a text equally often, and begin to near each other."""
    first, second = places(one, text), places(other, text)
    near = bool(first and second) and abs(first[0][0] - second[0][0]) <= NEAR * len(text)
    return near and len(first) == len(second)


def places(phrase: str, text: str) -> list[tuple[int, int]]:
    """Return the characters of all places of a phrase in a text."""
    pattern = r"\W+".join(map(re.escape, re.findall(r"\w+", phrase.lower())))
    return [match.span() for match in re.finditer(rf"\b{pattern}\b", text.lower())]


def write(side: Side, folder: Path, cases: Sequence[Case], out: Path, beams: int) -> None:
    """Write the summaries of a side, unless they have been."""
    path = out / f"{side.name}.json"
    if path.exists():
        return
    began = time.process_time()
    texts = (write_bart if side.network in BARTS else write_ours)(side, folder, cases, beams)
    seconds = time.process_time() - began
    path.write_text(json.dumps({"seconds": seconds, "texts": texts}), encoding="utf-8")
    print(f"{side.name}: {seconds:.0f} s", file=sys.stderr, flush=True)


def write_bart(side: Side, folder: Path, cases: Sequence[Case], beams: int) -> list[str]:
    """Return what the network of BART's shape writes."""
    import torch
    from transformers import BartForConditionalGeneration, PreTrainedTokenizerFast

    from nutgraf.steering import forms
    from nutgraf.steering.contrast import Contrast
    from nutgraf.steering.steered import Steering

    torch.set_num_threads(1)
    tokenizer: Any = PreTrainedTokenizerFast.from_pretrained(folder)
    model: Any = BartForConditionalGeneration.from_pretrained(folder).eval()
    steering = None
    if side.form in ("column", "block", "share"):
        amount = "share" if side.form == "share" else "strength"
        where = None if side.place == "both" else (side.place,)
        steering = Steering(model, forms.make(side.form, **{amount: side.strength}, places=where))
    found: list[str] = []
    for start in range(0, len(cases), AT_ONCE):
        some = cases[start : start + AT_ONCE]
        read = tokenizer([case.text for case in some], return_tensors="pt", padding=True)
        given = {name: read[name] for name in ("input_ids", "attention_mask")}
        spans = [spans_of(read, row, case) for row, case in enumerate(some)]
        more = {"logits_processor": [Contrast(model, spans, given, side.strength)]} if side.form == "contrast" else {}
        with torch.inference_mode(), steering.marking(spans) if steering else nullcontext():
            ids = model.generate(**given, **more, num_beams=beams, do_sample=False)
        found += [text.strip() for text in tokenizer.batch_decode(ids, skip_special_tokens=True)]
    return found


def spans_of(read: Any, row: int, case: Case) -> list[Any]:
    """Return the pieces of the marked phrases, wherever they stand."""
    from nutgraf.steering import Span

    found = []
    for phrase in case.marked:
        for start, end in places(phrase, case.text):
            inside = [
                place
                for place, one in enumerate(read.word_ids(row))
                if one is not None
                and read.token_to_chars(row, place).start < end
                and start < read.token_to_chars(row, place).end
            ]
            found.append(Span(inside[0], inside[-1] + 1))
    return found


def write_ours(side: Side, folder: Path, cases: Sequence[Case], beams: int) -> list[str]:
    """Return what our network writes, as `nutgraf summarize --highlight` would."""
    from nutgraf import load
    from nutgraf.systems.steering import steer
    from nutgraf.text.summary import Budget

    system = load(folder)
    documents = [Document.of(case.text, language="en") for case in cases]
    weights = [dict.fromkeys(case.marked, side.strength) if side.form == "own" else {} for case in cases]
    asked = [(one, steer(one, weight)) for one, weight in zip(documents, weights, strict=True)]
    return [getattr(one, "text", "") for one in system.summarize_all(asked, Budget())]


def measured(side: Side, cases: Sequence[Case], out: Path) -> dict[str, Any] | None:
    """Return the row of a side; None if its summaries, or those without marks, are not there."""
    base = next(one for one in SIDES if one.network == side.network and one.form == "none")
    paths = [out / f"{one.name}.json" for one in (side, base)]
    if not all(path.exists() for path in paths):
        return None
    texts, plain = (json.loads(path.read_text(encoding="utf-8"))["texts"] for path in paths)
    marked, unmarked = (shown(cases, texts, which) for which in (0, 1))
    before, phrases = shown(cases, plain, 0), sum(len(case.pairs) for case in cases)
    rouge, without = rouge_of(cases, texts), rouge_of(cases, plain)
    lost = Bootstrap().tests(rouge[:, None], without[:, None])[0].interval
    return {
        **side._asdict(),
        "documents": len(cases),
        "phrases": phrases,
        "marked": marked.sum() / phrases,
        "unmarked": unmarked.sum() / phrases,
        "ratio": ratio(marked, unmarked),
        "gain": ratio(marked, before),
        "rouge_1": rouge.mean(),
        "change": [lost.mean, lost.low, lost.high],
        "words": float(np.mean([len(text.split()) for text in texts])),
        "copied": float(np.mean([share_copied(text, case.text) for text, case in zip(texts, cases, strict=True)])),
    }


def shown(cases: Sequence[Case], texts: Sequence[str], which: int) -> np.ndarray:
    """Return how many marked (0) or unmarked (1) phrases stand in each summary."""
    return np.array(
        [sum(bool(places(pair[which], text)) for pair in case.pairs) for case, text in zip(cases, texts, strict=True)]
    )


def ratio(over: np.ndarray, under: np.ndarray) -> list[float]:
    """Return the ratio of two sums with its 95 % interval, articles drawn anew."""
    chance = np.random.default_rng(SEED)
    drawn = chance.multinomial(len(over), [1 / len(over)] * len(over), 10_000)
    ratios = (drawn @ over) / np.maximum(drawn @ under, 1)
    return [over.sum() / max(under.sum(), 1), *np.quantile(ratios, [0.025, 0.975]).tolist()]


def rouge_of(cases: Sequence[Case], texts: Sequence[str]) -> np.ndarray:
    """Return ROUGE-1 F of each summary."""
    rouge = Rouge(RougeConfig(variants=("1",)))
    pairs = zip(cases, texts, strict=True)
    return np.array([100 * rouge.score([text], [[case.reference]])["1"].f for case, text in pairs])


def share_copied(text: str, source: str) -> float:
    """Return the share of a summary's pairs of words that stand in its source."""
    ours, theirs = text.lower().split(), source.lower().split()
    known, pairs = {*pairwise(theirs)}, [*pairwise(ours)]
    return sum(pair in known for pair in pairs) / max(len(pairs), 1)


def show(rows: Sequence[dict[str, Any]], cases: Sequence[Case]) -> None:
    """Print the table, and below it what the articles' first words have."""
    print(
        "| network | form | where | strength | marked | unmarked | ratio | × without marks | R-1 | R-1, change |"
        " words | copied |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
    )
    for row in rows:
        plain = row["form"] == "none"
        change = "" if plain else _spread(row["change"], "+.2f")
        print(
            f"| {row['network']} | {row['form']} | {row['place']} | {'' if plain else format(row['strength'], 'g')} | "
            f"{100 * row['marked']:.1f} | {100 * row['unmarked']:.1f} | {_spread(row['ratio'], '.2f')} | "
            f"{'' if plain else _spread(row['gain'], '.2f')} | {row['rouge_1']:.2f} | {change} | {row['words']:.0f} | "
            f"{100 * row['copied']:.0f} |{' **bar met**' if met(row) else ''}"
        )
    leads = [" ".join(case.text.split()[:45]) for case in cases]
    print(f"\nThe first 45 words: R-1 {rouge_of(cases, leads).mean():.2f}")


def met(row: dict[str, Any]) -> bool:
    """Return True if marked phrases appear often enough more, and little enough of ROUGE-1 is lost."""
    return bool(row["form"] != "none" and row["ratio"][0] >= BAR[0] and row["change"][0] >= -BAR[1])


def _spread(value: Sequence[float], form: str) -> str:
    mean, low, high = (format(one, form).replace("-", "−") for one in value)
    return f"{mean} [{low}, {high}]"


def draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw the ratio over the change of ROUGE-1, a line for each form and place, a point for each strength."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "nutgraf", "svg.fonttype": "none"})
    from matplotlib import pyplot

    networks = [*dict.fromkeys(row["network"] for row in rows)]
    figure, [axes] = pyplot.subplots(
        1, len(networks), figsize=(1 + 4.4 * len(networks), 4.6), sharey=True, squeeze=False
    )
    for axis, network in zip(axes, networks, strict=True):
        lines = dict.fromkeys((row["form"], row["place"]) for row in rows if row["network"] == network)
        for form, place in lines:
            if form == "none":
                continue
            some = [row for row in rows if (row["network"], row["form"], row["place"]) == (network, form, place)]
            points = [(row["change"][0], row["ratio"][0]) for row in some]
            axis.plot(*zip(*points, strict=True), marker="o", markersize=3, label=f"{form}, {place}")
            for row, (x, y) in zip(some, points, strict=True):
                at = {"xytext": (2, 2), "textcoords": "offset points", "annotation_clip": True}
                axis.annotate(f"{row['strength']:g}", (x, y), fontsize=6, **at)
        axis.axhline(BAR[0], color="grey", linewidth=0.8, linestyle="--")
        axis.axvline(-BAR[1], color="grey", linewidth=0.8, linestyle="--")
        axis.set(title=network, xlabel="change of ROUGE-1", xlim=(-8, 1))
        axis.legend(fontsize=7)
    axes[0].set(ylabel="marked ÷ unmarked phrases in summaries", yscale="log", ylim=(0.2, 6))
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    main()

"""What coverage costs a training step: the step with it beside the step without it, in the same run.

    python benchmarks/coverage.py [--rounds 15] [--threads 1] [--precision bf16]

The network of the preset `lstm_transformer`: width 256, 4 + 4 layers, 8 heads, 50,000 words; a batch of --examples (8)
× (512 + 128) words without padding. A step is forward, loss, backward and update. "exact", "one_pass" and "loss_only"
are the ways of `model.coverage`, each with its loss; "phase 1" is a network with coverage that waits for its second
phase. Steps are taken in turn, each beside one without coverage; ratios are medians over the pairs, of the time on the
clock and of the processor's.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from _sides import timed

SOURCE, TARGET, WORDS = 512, 128, 50_000
SIDES = {
    "without": None,
    "exact": {"mode": "exact"},
    "exact, each head": {"mode": "exact", "per_head": True},
    "one_pass": {"mode": "one_pass"},
    "loss_only": {"mode": "loss_only"},
    "phase 1": {"mode": "exact"},
}
Step = Callable[[], None]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--examples", type=int, default=8, help="in a batch")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--precision", choices=("fp32", "bf16"), default="fp32")
    parser.add_argument("--only", nargs="+", choices=SIDES, default=list(SIDES))
    options = parser.parse_args()
    import torch

    torch.set_num_threads(options.threads)
    names = dict.fromkeys(["without", *options.only])
    sides = {name: step(name, options.precision, options.examples) for name in names}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    for number in range(options.rounds + 1):
        for name, make in sides.items():
            plain, own = timed(sides["without"]), timed(make)
            if number:
                found[name].append((own["wall"], own["processor"]))
                pairs[name].append((own["wall"] / plain["wall"], own["processor"] / plain["processor"]))
    print(f"{'':<18}{'step':>10}{'ratio':>8}{'processor':>12}{'ratio':>8}")
    for name in sides:
        (wall, processor), (ratio, of_processor) = (
            [statistics.median(part) for part in zip(*those[name], strict=True)] for those in (found, pairs)
        )
        print(f"{name:<18}{wall:>8.3f} s{ratio:>8.2f}{processor:>10.3f} s{of_processor:>8.2f}")


def step(name: str, precision: str, examples: int) -> Step:
    """A training step of the network."""
    import torch

    from nutgraf.model.records import Batch, Phrases
    from nutgraf.model.seq2seq import Config, Seq2Seq
    from nutgraf.presets import configure
    from nutgraf.systems import read_preset as read
    from nutgraf.training.events import enter_phase
    from nutgraf.training.objectives import objectives

    torch.manual_seed(1)
    section = read("lstm_transformer").section("model")
    if SIDES[name] is not None:
        section["coverage"] = SIDES[name]
    network = Seq2Seq(configure(Config, section, "model"), WORDS).train()
    wanted: list[Any] = [objectives.make("likelihood")]
    if SIDES[name] is not None:
        wanted.append(objectives.make("coverage"))
    if name == "phase 1":
        enter_phase([*network.modules(), *wanted], 1)
    source, target = torch.randint(4, WORDS, (examples, SOURCE)), torch.randint(4, WORDS, (examples, TARGET + 1))
    batch = Batch(source, source, torch.zeros_like(source, dtype=torch.bool), Phrases.none(), 0, target, target)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-4, fused=True)

    def take() -> None:
        half = torch.autocast("cpu", torch.bfloat16) if precision == "bf16" else nullcontext()
        with half:
            trace = network(batch)
        loss = torch.stack([objective(network, batch, trace) for objective in wanted]).sum()
        (loss / batch.labels.numel()).backward()
        optimizer.step()
        optimizer.zero_grad()

    return take


if __name__ == "__main__":
    main()

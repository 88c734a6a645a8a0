"""What centrality costs beside one plain fused attention of the same shape, and how exact it is.

    python benchmarks/centrality.py [--lengths 512 1024 2048] [--pairs 31] [--threads 1] [--batch 1]

Sources without padding, 8 heads of width 64, single precision, queries and keys as one projection leaves them. "plain"
is torch's F.scaled_dot_product_attention, which makes no weights at all. Sides take turns, and what is shown is the
median of the ratios of neighbours: by the time of all threads, and in brackets by the clock. "dense" is the usual way:
all heads' weights at once, their mean, and torch's own gradients. "anew" is what longer sources get: nothing n × n is
kept. "backward" is the gradient alone, beside the gradient of plain attention.

The error is the largest distance from the dense formula in double precision: of any score, relative to it, and of any
gradient, relative to the largest. Memory is what forward and backward need at their peak, in a process of its own
(Linux only).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from _memory import elsewhere, peak_of
from torch import Tensor
from torch.nn import functional as F

from nutgraf.model.ops import centrality
from nutgraf.model.ops.attention import softmax_weights
from nutgraf.model.ops.centrality import indegree, outdegree
from nutgraf.model.records import SelfAttentionGraph

HEADS, WIDTH = 8, 64
MEMORY_LENGTHS = [1024, 2048, 4096]

Scores = Callable[[Tensor, Tensor], Tensor]


def dense(steps: int) -> Scores:
    """The formulas with all weights of all heads; 0 steps: the outdegree."""

    def scores(query: Tensor, key: Tensor) -> Tensor:
        weights = softmax_weights(query, key).mean(1)
        got, found = weights.sum(1), torch.full_like(weights[:, 0], 1 / weights.shape[1])
        if not steps:
            return got / weights.shape[1]
        for _ in range(steps):
            found = (weights @ (found * centrality.reciprocal(got))[..., None]).squeeze(-1)
        return found

    return scores


def anew(steps: int) -> Scores:
    """Ours, as for sources that are too long for keeping anything."""

    def scores(query: Tensor, key: Tensor) -> Tensor:
        kept, centrality.KEPT = centrality.KEPT, 0
        try:
            return indegree(SelfAttentionGraph(query, key, None), steps)
        finally:
            centrality.KEPT = kept

    return scores


SIDES: dict[str, tuple[Scores, int]] = {
    "outdegree": (lambda query, key: outdegree(SelfAttentionGraph(query, key, None)), 0),
    "indegree-1": (lambda query, key: indegree(SelfAttentionGraph(query, key, None), 1), 1),
    "indegree-2": (lambda query, key: indegree(SelfAttentionGraph(query, key, None), 2), 2),
    "indegree-3": (lambda query, key: indegree(SelfAttentionGraph(query, key, None), 3), 3),
    "indegree-1, anew": (anew(1), 1),
    "indegree-3, anew": (anew(3), 3),
    "outdegree, dense": (dense(0), 0),
    "indegree-1, dense": (dense(1), 1),
}
"""Each with its number of steps."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=int, nargs="+", default=[512, 1024, 2048])
    parser.add_argument("--pairs", type=int, default=31)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--memory-lengths", type=int, nargs="+", default=MEMORY_LENGTHS)
    parser.add_argument("--memory", nargs=2, metavar=("SIDE", "LENGTH"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.memory:
        print(peak(options.memory[0], int(options.memory[1])))
        return
    for length in options.lengths:
        compare(length, options.batch, options.pairs)
    print("\nmemory of forward and backward, MiB")
    print(f"{'words':<20}", *(f"{length:>8}" for length in options.memory_lengths))
    threads = ("--threads", str(options.threads))
    for name in ("plain", *SIDES):
        found = [elsewhere("--memory", name, str(length), *threads) / 1024 for length in options.memory_lengths]
        print(f"{name:<20}", *(f"{one:8.1f}" for one in found), flush=True)


def projections(length: int, batch: int) -> list[Tensor]:
    """Queries, keys and values; scores of about the size that trained networks have."""
    torch.manual_seed(1)
    whole = 1.5 * torch.randn(batch, length, 3, HEADS, WIDTH)
    return [one.transpose(1, 2).detach().requires_grad_() for one in whole.unbind(2)]


def timed(work: Callable[[], Tensor | None]) -> tuple[float, float]:
    """Seconds of all threads, and by the clock."""
    begin = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - begin[0], time.perf_counter() - begin[1]


def both_ways(scores: Callable[[], Tensor]) -> list[tuple[float, float]]:
    """The times of forward and of backward."""
    made: list[Tensor] = []
    forward = timed(lambda: made.append(scores()))
    gradient = torch.randn_like(made[0])
    return [forward, timed(lambda: made[0].backward(gradient))]


def compare(length: int, batch: int, pairs: int) -> None:
    """Each side after a plain attention, by turns."""
    query, key, value = projections(length, batch)
    ratios: dict[str, list[list[tuple[float, float]]]] = {name: [] for name in SIDES}
    base = []
    for number in range(pairs + 2):
        for name, (scores, _) in SIDES.items():
            plain = both_ways(lambda: F.scaled_dot_product_attention(query, key, value))
            side = both_ways(lambda scores=scores: scores(query, key))
            if number >= 2:
                base.append(plain)
                ratios[name].append([(one[0] / of[0], one[1] / of[1]) for one, of in zip(side, plain, strict=True)])
    forward, backward = (statistics.median(one[way][0] for one in base) * 1e3 for way in (0, 1))
    print(f"\n{length} words, batch of {batch}: plain {forward:.1f} ms forward, {backward:.1f} ms backward")
    print(f"{'':<20}{'forward':>16}{'backward':>18}{'error':>10}{'of gradient':>13}")
    for name, found in ratios.items():
        times = (
            f"{statistics.median(one[way][0] for one in found):.2f} × "
            f"({statistics.median(one[way][1] for one in found):.2f})"
            for way in (0, 1)
        )
        of_score, of_gradient = errors(*SIDES[name], query, key)
        print(f"{name:<20}", *(f"{one:>16}" for one in times), f"{of_score:10.1e} {of_gradient:10.1e}", flush=True)


def errors(scores: Scores, steps: int, query: Tensor, key: Tensor) -> tuple[float, float]:
    """Against the dense formula in double precision."""
    exact = [one.detach().double().requires_grad_() for one in (query, key)]
    wanted, found = dense(steps)(*exact), scores(query, key)
    gradient = torch.randn_like(found)
    by_exact = torch.autograd.grad(wanted, exact, gradient.double())
    by_found = torch.autograd.grad(found, (query, key), gradient)
    far = [float((one - of).abs().max() / of.abs().max()) for one, of in zip(by_found, by_exact, strict=True)]
    return float(((found - wanted) / wanted).detach().abs().max()), max(far)


def peak(side: str, length: int) -> int:
    """KiB that one forward and backward pass takes."""
    query, key, value = projections(length, 1)
    if side == "plain":
        return peak_of(lambda: both_ways(lambda: F.scaled_dot_product_attention(query, key, value)))
    return peak_of(lambda: both_ways(lambda: SIDES[side][0](query, key)))


if __name__ == "__main__":
    main()

"""What highlighting costs: attention with learned block_linear beside the same attention plain, forward and backward.

    python benchmarks/highlight.py [--lengths 1024 2048] [--pairs 31] [--threads 2] [--sides "2 heads" …]

One source, 8 heads of width 64; 20 phrases of two or three words, each at 1 to 10 places drawn at random. "attention"
is everything from queries, keys and values to what the heads bring, the search for overlaps included, and back;
"encoder" is four layers of width 512, the first two of which highlight, and back. Sides take turns, and what is shown
is the median of the ratios of neighbours: by the clock, and by the time of all threads, which is what to compare on a
machine that others use too (with --threads 1). The peer has the same numbers by the usual way, a bias of all words by
all words for the heads that highlight, which torch's fused kernel refuses once it is learned; other heads are plain.

Memory is what forward and backward need at their peak, in a process of its own, above plain attention (Linux only).
A bias for all heads is left out there: it would need many gigabytes.
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

from nutgraf.model.attention import AttentionContext, attentions
from nutgraf.model.encoder import encoders
from nutgraf.model.layers import Size
from nutgraf.model.ops.attention import attend
from nutgraf.model.ops.sparse_attention import blocks_of, dense
from nutgraf.model.records import Batch, Phrases

HEADS, WIDTH = 8, 64
SIZE = Size(vocab_size=7, d_model=HEADS * WIDTH, num_heads=HEADS, dropout=0.0)
SOME, ALL = 0.25, 1.0
PRECISIONS = ["float32", "bfloat16"]
MEMORY_LENGTHS = [1024, 2048, 4096, 8192]

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=int, nargs="+", default=[1024, 2048])
    parser.add_argument("--pairs", type=int, default=31)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--precisions", choices=PRECISIONS, nargs="+", default=PRECISIONS)
    parser.add_argument("--sides", choices=list(SIDES)[1:], nargs="+", default=list(SIDES)[1:])
    parser.add_argument("--memory-lengths", type=int, nargs="+", default=MEMORY_LENGTHS)
    parser.add_argument("--memory", nargs=2, metavar=("SIDE", "LENGTH"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.memory:
        print(peak(options.memory[0], int(options.memory[1])))
        return
    print(f"attention, {options.threads} threads: times plain, by the clock (by all threads)", flush=True)
    for length in options.lengths:
        for precision in options.precisions:
            compare_attention(length, getattr(torch, precision), options.sides, options.pairs)
    print("\nencoder, 2 of 4 layers, 2 of 8 heads")
    for length in options.lengths:
        for precision in options.precisions:
            compare_encoder(length, getattr(torch, precision), options.pairs)
    print("\nmemory above plain attention, MiB, single precision")
    print("words       ", *(f"{length:>8}" for length in options.memory_lengths))
    threads = ("--threads", str(options.threads))
    peaks = {
        side: [elsewhere("--memory", side, str(length), *threads) for length in options.memory_lengths]
        for side in ("plain", *options.sides)
        if side != "8 by bias"
    }
    for side in list(peaks)[1:]:
        more = (one - plain for one, plain in zip(peaks[side], peaks["plain"], strict=True))
        print(f"{side:<12}", *(f"{one / 1024:8.1f}" for one in more))


def phrases_in(length: int) -> Phrases:
    """Twenty phrases with the scores of equals (1/√20, doubled and halved at most), at 1 to 10 places each."""
    chance = torch.Generator().manual_seed(1)
    drawn = lambda low, high: int(torch.randint(low, high + 1, (1,), generator=chance))  # noqa: E731
    places = []
    for phrase in range(20):
        words = drawn(2, 3)
        for _ in range(drawn(1, 10)):
            start = drawn(0, length - words)
            places.append((0, start, start + words, 0.112 + 0.0177 * phrase))
    return Phrases(*(torch.tensor(column) for column in zip(*places, strict=True)))


def plain(length: int) -> Attend:
    """Attention without phrases."""
    return lambda query, key, value: attend(query, key, value)


def highlight(length: int, heads: float, structure: str = "weighted") -> Attend:
    """Our way."""
    part = attentions.make(
        "highlight", AttentionContext(SIZE, 0, 1), highlighted_heads=heads, highlighted_layers=1.0, structure=structure
    )
    phrases = phrases_in(length)
    return lambda query, key, value: part.context(query, key, value, None, phrases)


def biased(length: int, heads: float) -> Attend:
    """The peer: a learned bias of all words by all words."""
    part = attentions.make("highlight", AttentionContext(SIZE, 0, 1), highlighted_heads=heads, highlighted_layers=1.0)
    phrases, lit = phrases_in(length), len(part.chosen)

    def attended(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        score = dense(blocks_of(phrases, length, "max", None), 1, length)
        bias = (part.scale(score[:, None]) * (score > 0)[:, None]).to(query.dtype)
        some = F.scaled_dot_product_attention(query[:, :lit], key[:, :lit], value[:, :lit], bias)
        if lit == HEADS:
            return some
        return torch.cat([some, attend(query[:, lit:], key[:, lit:], value[:, lit:])], 1)

    return attended


SIDES: dict[str, Callable[[int], Attend]] = {
    "plain": plain,
    "2 heads": lambda length: highlight(length, SOME),
    "8 heads": lambda length: highlight(length, ALL),
    "2 additive": lambda length: highlight(length, SOME, "additive"),
    "2 by bias": lambda length: biased(length, SOME),
    "8 by bias": lambda length: biased(length, ALL),
}


def projections(length: int, precision: torch.dtype) -> list[Tensor]:
    """Queries, keys and values as one projection leaves them."""
    whole = torch.randn(1, length, 3, HEADS, WIDTH).to(precision)
    return [one.transpose(1, 2).detach().requires_grad_() for one in whole.unbind(2)]


def once(attended: Attend, given: list[Tensor]) -> tuple[float, float]:
    """Forward and backward: seconds by the clock and of all threads."""
    begin = time.perf_counter(), time.process_time()
    out = attended(*given)
    out.backward(torch.ones_like(out))
    return time.perf_counter() - begin[0], time.process_time() - begin[1]


def compare_attention(length: int, precision: torch.dtype, names: list[str], pairs: int) -> None:
    """Each side after a plain one, by turns."""
    sides = {name: make(length) for name, make in SIDES.items()}
    given = projections(length, precision)
    ratios: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    ours = []
    for number in range(pairs + 2):
        for name, found in ratios.items():
            base, other = once(sides["plain"], given), once(sides[name], given)
            if number >= 2:
                ours.append(base)
                found.append((other[0] / base[0], other[1] / base[1]))
    print(
        f"{length} words, {str(precision)[6:]}: plain {median(ours, 0) * 1e3:.1f} ms ({median(ours, 1) * 1e3:.1f})",
        flush=True,
    )
    for name, found in ratios.items():
        print(f"    {name:<12}{median(found, 0):6.2f} × ({median(found, 1):.2f})")


def compare_encoder(length: int, precision: torch.dtype, pairs: int) -> None:
    """The same weights, without and with phrases."""
    section = {"kind": "transformer", "num_layers": 4, "attention": {"kind": "highlight"}}
    encoder = encoders.build(encoders.choice(section), SIZE).to(precision)
    states, found = torch.randn(1, length, SIZE.d_model).to(precision), []
    words = torch.full((1, length), 4)
    batches = [Batch(words, words, words == 0, phrases) for phrases in (Phrases.none(), phrases_in(length))]
    for number in range(pairs + 2):
        base, other = (once(lambda *_, batch=one: encoder(states, batch).encoder_hidden_states, []) for one in batches)
        if number >= 2:
            found.append((other[0] / base[0], other[1] / base[1]))
    print(f"{length} words, {str(precision)[6:]}: {median(found, 0):.3f} × ({median(found, 1):.3f})")


def median(pairs: list[tuple[float, float]], which: int) -> float:
    """Of one of both times."""
    return statistics.median(pair[which] for pair in pairs)


def peak(side: str, length: int) -> int:
    """KiB that one forward and backward pass takes."""
    attended, given = SIDES[side](length), projections(length, torch.float32)
    return peak_of(lambda: once(attended, given))


if __name__ == "__main__":
    main()

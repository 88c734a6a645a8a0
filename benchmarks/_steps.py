"""Training steps side by side: what each answers, how they take turns, and the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from _memory import kibibytes
from _sides import answer, timed

MALLOC = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40), "MALLOC_TOP_PAD_": str(1 << 26)}
"""What `nutgraf.training.memory` sets."""

Step = Callable[[], float]
"""Does one step and tells the loss."""


def work(network: Any, step: Step) -> None:
    """Within a side: answers what the main process asks."""
    parameters = sum(one.numel() for one in network.parameters())

    def stepped() -> dict[str, float]:
        losses: list[float] = []
        times = timed(lambda: losses.append(step()))
        return {**times, "loss": losses[0], "parameters": parameters, "peak": kibibytes("VmHWM") / 1e3}

    answer({"step": stepped})


def table(found: Mapping[str, Mapping[str, float]], measure: str, tokens: int) -> None:
    """A row a side; ratios to the one that is the measure. tokens: of a step."""
    ours = found.get(measure, next(iter(found.values())))
    print(f"{'':<16}{'step':>9}{'ratio':>7}{'tokens/s':>10}{'processor':>11}{'ratio':>7}{'peak':>10}{'parameters':>13}")
    for side, row in found.items():
        print(
            f"{side:<16}{row['wall']:>7.3f} s{row['wall'] / ours['wall']:>7.2f}{tokens / row['wall']:>10,.0f}"
            f"{row['processor']:>9.3f} s{row['processor'] / ours['processor']:>7.2f}{row['peak']:>7,.0f} MB"
            f"{row['parameters'] / 1e6:>11.1f} M   loss {row['loss']:.2f}"
        )


def texts(words: int, examples: int, source: int, target: int) -> tuple[Any, Any]:
    """Sources [examples, source], and targets [examples, target + 1] of which every second word is in the source; ids
    from 4 on."""
    import torch

    generator = torch.Generator().manual_seed(1)
    sources = torch.randint(4, words, (examples, source), generator=generator)
    targets = torch.randint(4, words, (examples, target + 1), generator=generator)
    targets[:, ::2] = sources[:, : targets[:, ::2].shape[1]]
    return sources, targets

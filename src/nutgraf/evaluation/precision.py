"""Comparison of summaries in lower precision with those in single precision, by ROUGE of the same examples.

Lower precision is only taken by itself where this was measured: the verdict stands on the card of the trained model,
together with the weights that it holds for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.checkpoint import Trained, load
from nutgraf.decoding.precision import Precision, quick_precisions
from nutgraf.decoding.search import Config, search
from nutgraf.errors import InputError, check_type
from nutgraf.evaluation.significance import Bootstrap, Interval
from nutgraf.metrics.rouge import rouge
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.model_folder import read_card, read_preset, write_card
from nutgraf.preparation.shards import Shards
from nutgraf.runtime.files import lock_folder
from nutgraf.systems import sections_of
from nutgraf.text.tokenize import sentence_texts
from nutgraf.training.outcome import FEWEST_TO_COMPARE

VARIANTS = ("1", "2", "L")

EXAMPLES = 200
"""Examples that are summarized in each precision."""

LOSS = 1.0
"""Points of ROUGE that lower precision might cost, at the lower end of the interval."""

AT_ONCE = 16
"""Sources of a batch."""

Progress = Callable[[int], None]
"""Told how many summaries more have been written."""


@dataclass(frozen=True)
class Verdict:
    """Effect of a lower precision on summaries.

    Attributes:
        differences: Paired difference to single precision of ROUGE-1, -2 and -L F1 × 100, with its 95 % interval.
        identical: Share of summaries that are the same.
    """

    examples: int
    differences: dict[str, Interval]
    identical: float

    @property
    def passes(self) -> bool:
        """True if there were enough examples, and no interval lies below zero or reaches further down than `LOSS`."""
        return self.examples >= FEWEST_TO_COMPARE and all(
            one.high >= 0 and one.low >= -LOSS for one in self.differences.values()
        )

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as the card holds it."""
        return {
            "passes": self.passes,
            "identical": round(self.identical, 4),
            "differences": {
                name: {key: round(value, 3) for key, value in asdict(one).items()}
                for name, one in self.differences.items()
            },
        }

    def __str__(self) -> str:
        differences = ", ".join(
            f"{name} {one.mean:+.2f} [{one.low:+.2f}, {one.high:+.2f}]" for name, one in self.differences.items()
        )
        verdict = "passes" if self.passes else "does not pass"
        if self.examples < FEWEST_TO_COMPARE:
            verdict = f"{self.examples} examples are too few to tell, {FEWEST_TO_COMPARE} would do"
        return f"{differences}; {self.identical:.0%} of the summaries are identical: {verdict}"


def gate(
    folder: str | Path,
    data: str | Path,
    *,
    split: str = "validation",
    examples: int = EXAMPLES,
    progress: Progress | None = None,
) -> dict[Precision, Verdict]:
    """Measure every lower precision in which this machine is quicker, and write the verdicts on the card.

    Args:
        folder: A trained model.
        data: Its prepared data.
        split: The part of the data to summarize.
        examples: Number of its examples, evenly chosen.
        progress: Told how far it is.

    Raises:
        InputError: If the data has no references, or the network writes nothing.
    """
    check_type(progress, (Callable, type(None)), "progress is a function or None")
    if not read_preset(Path(folder), sections_of).reads("decoding"):
        raise InputError(
            f"{folder} holds a network that selects and writes nothing; precisions are compared by summaries that a "
            "network writes."
        )
    trained, shards = load(folder, sections_of), Shards.open(Path(data), split)
    count = min(examples, len(shards))
    if not shards.references(0):
        raise InputError(f"{data} has no references; to compare precisions, summaries are scored against them.")
    chosen = np.linspace(0, len(shards) - 1, count, dtype=int).tolist()
    chosen.sort(key=lambda index: int(shards.lengths[0][index]))
    config: Config = trained.preset.options("decoding")
    exact = _summaries(trained, shards, chosen, replace(config, precision="fp32"), progress)
    expected = _scores(exact, shards, chosen)
    verdicts = {}
    for precision in quick_precisions(next(trained.network.parameters()).device):
        texts = _summaries(trained, shards, chosen, replace(config, precision=precision), progress)
        intervals = Bootstrap().intervals(_scores(texts, shards, chosen) - expected)
        differences = {f"ROUGE-{name}": one for name, one in zip(VARIANTS, intervals, strict=True)}
        same = float(np.mean([one == other for one, other in zip(texts, exact, strict=True)]))
        verdicts[precision] = Verdict(count, differences, same)
    with lock_folder(folder):
        card = read_card(folder)
        card["precision_gate"] = {
            "weights": trained.card.get("weights"),
            "examples": count,
            "split": split,
            "beams": config.beam_size,
            "precisions": {name: verdict.to_json() for name, verdict in verdicts.items()},
        }
        write_card(folder, card)
    return verdicts


def _summaries(
    trained: Trained[Seq2Seq], shards: Shards, chosen: Sequence[int], config: Config, progress: Progress | None
) -> list[str]:
    """The best hypothesis of each example, as text."""
    texts: list[str] = []
    for start in range(0, len(chosen), AT_ONCE):
        indices = chosen[start : start + AT_ONCE]
        for index, found in zip(indices, search(trained.network, shards.batch(indices), config), strict=True):
            texts.append(trained.tokenizer.text_of(found[0].ids, shards.source(index).unknown))
        if progress is not None:
            progress(len(indices))
    return texts


def _scores(texts: Sequence[str], shards: Shards, chosen: Sequence[int]) -> npt.NDArray[np.float64]:
    """F1 × 100 by example and variant."""
    rows = []
    for text, index in zip(texts, chosen, strict=True):
        found = rouge(sentence_texts(text) or [""], [list(one) for one in shards.references(index)], variants=VARIANTS)
        rows.append([100 * found[variant].f for variant in VARIANTS])
    return np.array(rows)

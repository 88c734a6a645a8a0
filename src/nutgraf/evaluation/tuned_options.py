"""Options of a trained model that are found on validation examples and kept in its folder.

A network whose search prefers words of the source gets the weights of these features (ABS+; `mert.py`). A tagger gets
the number of sentences that it selects when nobody asks for a length: every number up to `MAX_SENTENCES` is tried, and
the one with the highest mean ROUGE-1 F1 is taken, among equals the smallest (ours; Liu and Lapata 2019 take three, for
CNN/Daily Mail).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from nutgraf.datasets import Record
from nutgraf.errors import BudgetError, InputError, check_type
from nutgraf.metrics import Example, metrics
from nutgraf.model_folder import change_preset, read_card, record_of, write_card
from nutgraf.runtime.files import lock_folder
from nutgraf.systems import System, sections_of
from nutgraf.systems.neural import Neural
from nutgraf.systems.steering import Steering
from nutgraf.systems.tagger import TaggerSystem
from nutgraf.text.summary import Budget

MAX_SENTENCES = 12
"""Largest number of sentences that is tried."""


@dataclass(frozen=True)
class TunedOptions:
    """Options that were found, and what they did."""

    options: Mapping[str, Any]
    """Options by their names in a preset."""

    before: float
    """Mean score × 100 with the options of before."""

    after: float
    """Mean score × 100 with these."""

    examples: int
    """Number of examples."""

    score: str
    """What the score is."""

    def __str__(self) -> str:
        told = ", ".join(f"{name} = {value}" for name, value in self.options.items())
        return (
            f"{told}, tuned on {self.examples:,} examples: {self.score} is {self.after:.2f}, and was {self.before:.2f}."
        )


def has_tuned_options(system: System) -> bool:
    """Return True if `tune_options` finds options of a system."""
    if isinstance(system, Neural):
        from nutgraf.evaluation.mert import PROCESSOR

        return PROCESSOR in system.preset.options("decoding").processors
    return isinstance(system, TaggerSystem)


def tune_options(
    system: System, records: Iterable[Record], *, progress: Callable[[], None] = lambda: None
) -> TunedOptions:
    """Find options of a trained model, and keep them in the preset and on the card in its folder.

    Args:
        system: A tagger, or a network whose search has the features of ABS+.
        records: Validation examples; those without a sentence or a reference are passed over.
        progress: Called as the turn of each example, or of each search through all of them, comes.

    Raises:
        InputError: If the system has no such options, or there is no example.
    """
    check_type(progress, (Callable, type(None)), "progress is a function or None")
    if not has_tuned_options(system):
        raise InputError(f"The system {system.preset.name!r} has no options that are tuned on examples.")
    usable = [one for one in records if one.document.sentences and any(one.references)]
    if not usable:
        raise InputError("There is no example with a reference summary to tune on.")
    if isinstance(system, TaggerSystem):
        found = _number_of_sentences(system, usable, progress)
    else:
        found = _weights_of_features(system, usable, progress)
    _keep(Path(system.preset.origin).parent, found)
    return found


def tuning_of(folder: Path) -> TunedOptions | None:
    """Return the options that were found for the weights in a model folder; None where none were."""
    card = record_of(read_card(folder))
    kept = card.tuning
    if kept is None or kept.weights != card.weights:
        return None
    return TunedOptions(kept.options, kept.before, kept.after, kept.examples, kept.score)


def _weights_of_features(system: System, records: Sequence[Record], progress: Callable[[], None]) -> TunedOptions:
    """Return the weights of ABS+'s features with the highest mean ROUGE."""
    from nutgraf.evaluation.mert import PROCESSOR, tune_records

    tuned = tune_records(system.preset, records, progress=progress)
    options = {f"decoding.processors.{PROCESSOR}.{name}": weight for name, weight in tuned.weights.items()}
    score = "the mean of ROUGE-1, ROUGE-2 and ROUGE-L F1"
    return TunedOptions(options, 100 * tuned.before, 100 * tuned.after, tuned.examples, score)


def _number_of_sentences(system: TaggerSystem, records: Iterable[Record], progress: Callable[[], None]) -> TunedOptions:
    """Return the number of sentences with the highest mean ROUGE-1 F1."""
    rouge = metrics.make("rouge", variants=["1"], stem=True)
    before = system.preset.options("selection").num_sentences
    numbers = sorted({*range(1, MAX_SENTENCES + 1), before})
    scores: dict[int, list[float]] = {number: [] for number in numbers}
    for record in records:
        progress()
        made = system.at_budgets(record.document, [Budget(sentences=number) for number in numbers], Steering())
        for number, summary in zip(numbers, made, strict=True):
            said = [] if isinstance(summary, BudgetError) else list(summary.said)
            scores[number].append(rouge(Example(said, record.references))["ROUGE-1"] or 0.0)
    means = {number: 100 * fmean(found) for number, found in scores.items()}
    best = min(numbers, key=lambda number: (-round(means[number], 9), number))
    score = f"mean ROUGE-1 F1 ({rouge.signature})"
    return TunedOptions({"selection.num_sentences": best}, means[before], means[best], len(scores[best]), score)


def _keep(folder: Path, found: TunedOptions) -> None:
    with lock_folder(folder):
        change_preset(folder, sections_of, found.options)
        card = read_card(folder)
        write_card(folder, {**card, "tuning": {"weights": card.get("weights"), **vars(found)}})

"""The length at which a network that is told one writes best, when nobody asks for a length.

The mean length of the training summaries is multiplied by several factors; the one with the best mean ROUGE-1 F1 on
validation examples is kept on the model's card, together with the weights that it holds for. Among equals the factor
nearest to 1 wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from nutgraf.datasets import Record
from nutgraf.errors import InputError, check_type
from nutgraf.metrics import Example, metrics
from nutgraf.model_folder import read_card, write_card
from nutgraf.runtime.files import lock_folder
from nutgraf.systems import System
from nutgraf.systems.neural import Neural
from nutgraf.text.summary import Summary

FACTORS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4)
"""Factors that are tried."""


@dataclass(frozen=True)
class Calibrated:
    """The outcome of a calibration."""

    factor: float
    """The best factor."""

    length: int
    """The length in tokens that it makes of the mean one."""

    scores: dict[float, float]
    """Mean ROUGE-1 F1 × 100 by factor."""

    examples: int
    """Number of examples."""

    signature: str
    """Signature of the scores."""


def calibrate(
    network: Neural,
    system_of: Callable[[int], System],
    records: Iterable[Record],
    *,
    progress: Callable[[], None] = lambda: None,
) -> Calibrated:
    """Find the best factor of a network's natural length, and keep it on the card in the model folder.

    Args:
        network: A network that is told a length.
        system_of: Returns the same network, told a length in tokens whatever is asked for.
        records: Examples; those without a sentence or a reference are passed over.
        progress: Called as each factor's turn comes.

    Raises:
        InputError: If the network is not told a length, or there is no example.
    """
    check_type(progress, (Callable, type(None)), "progress is a function or None")
    if not network.is_told_length:
        raise InputError(
            f"The network of {network.preset.name!r} is not told a length; one with model.decoder.length_encoding = "
            '"difference" is.'
        )
    usable = [one for one in records if one.document.sentences and any(one.references)]
    if not usable:
        raise InputError("There is no example with a reference summary to calibrate the length on.")
    rouge = metrics.make("rouge", variants=["1"], stem=True)
    lengths, scores = {factor: network.length_of_training(factor) for factor in FACTORS}, {}
    for factor, length in lengths.items():
        progress()
        made = system_of(length).many([one.document for one in usable], progress=lambda _: None)
        scores[factor] = 100 * fmean(
            rouge(Example(_sentences(summary), record.references))["ROUGE-1"] or 0.0
            for summary, record in zip(made, usable, strict=True)
        )
    best = min(FACTORS, key=lambda factor: (-round(scores[factor], 9), abs(factor - 1), factor))
    found = Calibrated(best, lengths[best], scores, len(usable), rouge.signature)
    _keep(Path(network.preset.origin).parent, network, found)
    return found


def _sentences(summary: Summary | Exception) -> Sequence[str]:
    """Return what was written; nothing where no summary could be made."""
    return list(summary.said) if isinstance(summary, Summary) else []


def _keep(folder: Path, network: Neural, found: Calibrated) -> None:
    with lock_folder(folder):
        calibration = {
            "weights": network.card.get("weights"),
            "factor": found.factor,
            "examples": found.examples,
            "signature": found.signature,
            "scores": {str(factor): round(score, 2) for factor, score in found.scores.items()},
        }
        write_card(folder, {**read_card(folder), "length_calibration": calibration})

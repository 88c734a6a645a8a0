"""Form, strength, layers and heads by which highlights steer a pretrained model, found on validation data.

In each document some key phrases are marked, drawn by the preset's seed. They are those of the source, since phrases of
the reference would tell the model the words that it is scored by. Best is the setting that brings most of them into
the summaries, among those that lose no more ROUGE-1 F1 than is allowed beside summaries without highlights. The search
goes step by step: each form with its strengths, then halves of the layers, then quarters of the heads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from nutgraf.datasets import Record
from nutgraf.errors import InputError
from nutgraf.evaluation.tuning import as_toml
from nutgraf.metrics import Example, metrics
from nutgraf.presets import Preset, assignments
from nutgraf.systems.pretrained import Pretrained
from nutgraf.text.summary import Summary

GRID: Mapping[str, tuple[float, ...]] = {
    "column": (0.75, 1.5, 3.0),
    "block": (0.75, 1.5, 3.0),
    "share": (0.1, 0.2, 0.4),
    "contrast": (0.5, 1.0, 2.0),
}
"""Strengths that are tried, by form."""

MARKED = 2
"""Key phrases that are marked in each document."""

Setting = Mapping[str, Any]
"""Options of the section [highlights]."""


@dataclass(frozen=True)
class Trial:
    """A setting and what it does.

    Attributes:
        setting: Options of the section [highlights].
        coverage: Share of the marked phrases that the summaries say.
        rouge: Mean ROUGE-1 F1, from 0 to 1.
    """

    setting: Setting
    coverage: float
    rouge: float


@dataclass(frozen=True)
class Found:
    """The outcome of a search.

    Attributes:
        plain: Summaries without highlights.
    """

    best: Trial
    plain: Trial
    trials: int
    examples: int
    signature: str


def tune_highlights(
    system: Pretrained,
    preset_with: Callable[[Setting], Preset],
    records: Iterable[Record],
    *,
    loss: float = 0.01,
    progress: Callable[[], None] = lambda: None,
) -> Found:
    """Search how highlights best steer a model.

    Args:
        system: The model.
        preset_with: Returns the model's preset with a setting.
        records: Examples; those without a reference or with fewer than two key phrases are passed over.
        loss: Greatest loss of ROUGE-1 F1, from 0 to 1.
        progress: Called as each setting's turn comes.

    Raises:
        InputError: If there is no such example, or no setting that loses so little.
    """
    search = _Search(system, preset_with, records, progress)
    allowed = search.plain.rouge - loss
    settings = ({"form": form, "strength": strength} for form, strengths in GRID.items() for strength in strengths)
    tried = list(search.tried(settings))
    best = _best(tried, allowed)
    if best is not None:
        for number, (name, parts) in enumerate((("highlighted_layers", 2), ("highlighted_heads", 4))):
            size = search.size(best.setting)
            narrower = [{**best.setting, name: part} for part in _parts(size[number], parts)] if size else []
            more = list(search.tried(narrower))
            tried += more
            best = _best([best, *more], allowed) or best
    if best is None:
        raise InputError(
            f"Each of {len(tried)} settings loses more than {100 * loss:g} points of ROUGE-1: allow more with --loss."
        )
    return Found(best, search.plain, len(tried), len(search.examples), search.signature)


class _Search:
    """Examples with their marks, and the scores of settings."""

    def __init__(
        self,
        system: Pretrained,
        preset_with: Callable[[Setting], Preset],
        records: Iterable[Record],
        progress: Callable[[], None],
    ) -> None:
        self._system, self._preset_with, self._progress = system, preset_with, progress
        self._rouge = metrics.make("rouge", variants=["1"], stem=True)
        self.signature = self._rouge.signature
        usable = [one for one in records if one.document.sentences and any(one.references)]
        made = [(record, system(record.document)) for record in usable]
        seed = system.preset.seed
        found = [(record, _marks(summary, seed, record.id), summary) for record, summary in made]
        self.examples = [(record, marks) for record, marks, _ in found if marks]
        if not self.examples:
            raise InputError("There is no example with a reference summary and two key phrases to tune on.")
        plain = [summary for _, marks, summary in found if marks]
        said = [
            summary.mentions(phrase)
            for _, marks, summary in found
            for phrase in summary.phrases
            if phrase.text in marks
        ]
        self.plain = Trial({}, fmean(said), self._score(plain))

    def tried(self, settings: Iterable[Setting]) -> Iterator[Trial]:
        """Yield the outcome of each setting that the model takes."""
        for setting in settings:
            self._progress()
            system = self._system.sharing(self._preset_with(setting))
            try:
                made = [system(record.document, highlights=marks) for record, marks in self.examples]
            except InputError:
                if system.steers:
                    raise
                continue
            coverages = [one.effect.coverage for one in made if one.effect is not None]
            yield Trial(setting, fmean(one for one in coverages if one is not None), self._score(made))

    def size(self, setting: Setting) -> tuple[int, int] | None:
        """Return the number of layers and heads that a setting steers; None if it acts in none."""
        return self._system.sharing(self._preset_with(setting)).layers_and_heads

    def _score(self, summaries: Sequence[Summary]) -> float:
        pairs = zip(self.examples, summaries, strict=True)
        return fmean(
            self._rouge(Example(list(one.said), record.references))["ROUGE-1"] or 0.0 for (record, _), one in pairs
        )


def _marks(summary: Summary, seed: int, name: str) -> dict[str, float]:
    """Draw key phrases of the source that stand there as they are; {} if there are too few."""
    text = summary.document.text.lower()
    phrases = [phrase.text for phrase in summary.phrases if phrase.text.lower() in text]
    return dict.fromkeys(Random(f"{seed} {name}").sample(phrases, MARKED), 1.0) if len(phrases) >= MARKED else {}


def _parts(count: int, parts: int) -> Iterator[list[int]]:
    """Yield numbers from 0 in some parts of about the same size; none if there would be only one."""
    parts = min(count, parts)
    borders = [count * part // parts for part in range(parts + 1)]
    for first, last in pairwise(borders):
        if last - first < count:
            yield list(range(first, last))


def _best(trials: Iterable[Trial], allowed: float) -> Trial | None:
    """Return the trial with the highest coverage that loses no more than is allowed; the first of equals."""
    kept = [trial for trial in trials if trial.rouge >= allowed]
    return max(kept, key=lambda trial: (round(trial.coverage, 9), round(trial.rouge, 9)), default=None)


def highlighting_preset(found: Found, preset: Preset, data: str, overrides: Iterable[str] = ()) -> str:
    """Return a preset with the best setting, as TOML; its head tells the scores and where they come from.

    Args:
        found: Outcome of the search.
        preset: Preset that was tuned.
        data: Signature of the examples.
        overrides: Changes of `preset` when it was read, which the new preset keeps.
    """
    folder = preset.options("pretrained").folder
    settings = {
        "extends": str(Path(preset.origin).resolve()) if preset.origin else "pretrained",
        "about": f"{preset.name}, steering tuned on {data}.",
        "pretrained.folder": str(Path(folder).resolve()) if Path(folder).is_dir() else folder,
        **dict(assignments(overrides)),
        **{f"highlights.{name}": value for name, value in found.best.setting.items()},
    }
    best, plain = found.best, found.plain
    remarks = [
        f"Steering tuned on {found.examples} examples of {data}, among {found.trials} settings.",
        f"Of the marked phrases {best.coverage:.1%} are said, without highlights {plain.coverage:.1%}; "
        f"ROUGE-1 F1 {100 * best.rouge:.2f}, without highlights {100 * plain.rouge:.2f}. {found.signature}",
    ]
    return as_toml(settings, remarks)

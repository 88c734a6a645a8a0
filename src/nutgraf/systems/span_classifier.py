"""Networks that classify spans: a checker of sentences, and an editor of sentences. They summarize nothing."""

from __future__ import annotations

from nutgraf.errors import PresetError
from nutgraf.presets import Preset
from nutgraf.systems._spans import SpanConfig as Config
from nutgraf.systems._trained import TrainedSystem
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary

__all__ = ["Config", "SpanClassifierSystem"]

PURPOSES = {
    "pairs": "says whether a text supports a sentence, and summarizes nothing.",
    "deletions": "says which pieces of a sentence may go, and summarizes nothing.",
}


class SpanClassifierSystem(TrainedSystem):
    """A preset with `system = "span_classifier"`."""

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """Return how to train it, or what a trained one is for."""
        purpose = PURPOSES.get(preset.options("task").kind, "classifies spans, and summarizes nothing.")
        return super().lacking(preset) or f"{preset.name!r} {purpose}"

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Raise PresetError: nothing is summarized."""
        raise PresetError(str(self.lacking(self.preset)))

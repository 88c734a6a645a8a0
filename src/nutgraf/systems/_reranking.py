"""A trained re-ranker, which scores summaries against their document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from nutgraf.errors import InputError, PresetError
from nutgraf.metrics import Sentences
from nutgraf.preparation import Preparation, batch
from nutgraf.preparation.shards import TOKENIZER
from nutgraf.presets import Preset
from nutgraf.text.document import Document

if TYPE_CHECKING:
    from nutgraf.checkpoint import Trained
    from nutgraf.model.reranker import Reranker

HOW = "--set decoding.rerank.model=FOLDER, where `nutgraf train reranker_small` makes FOLDER"


class ReRanker:
    """The network of a model folder, with what brings texts into its form."""

    def __init__(self, preset: Preset, device: str) -> None:
        """Load the re-ranker that the preset of another network names.

        Raises:
            PresetError: If the preset names no folder.
            InputError: If the folder holds no re-ranker.
        """
        from nutgraf.checkpoint import digest_of, load, weights
        from nutgraf.model.reranker import Reranker

        named = preset.config.decoding.rerank.model
        if not named:
            raise PresetError(f"[decoding.rerank] names no re-ranker: {HOW}.")
        beside = Path(preset.origin).parent / named
        self._trained: Trained[Reranker] = load(
            beside if beside.is_dir() else named, preset.sections, device, preset.trust
        )
        network, folder = self._trained.network, self._trained.folder
        if not isinstance(network, Reranker):
            raise InputError(f"{folder} holds no re-ranker, but a {self._trained.card['preset']!r}: {HOW}.")
        self.digest = digest_of(weights(network))[:8]
        self._preparation = Preparation.of(self._trained.preset, self._trained.tokenizer, folder / TOKENIZER)
        self._device, self._lock = device, Lock()

    def scores(self, document: Document, summaries: Sequence[Sentences]) -> list[float]:
        """Return the score of each summary of a document; 0 for each if the network can read nothing of it."""
        import torch

        source = self._preparation.source(document)
        if not len(source.ids):
            return [0.0] * len(summaries)
        target = self._preparation.summaries(summaries, source)
        with self._lock, torch.inference_mode():
            found = self._trained.network.scores(batch([source], [target]).to(self._device))
        return [float(one) for one in found[0]]

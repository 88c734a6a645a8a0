"""A checker without torch: a small network that reads passages of the sources beside a sentence of a summary.

    [CLS] passage [SEP] sentence [SEP]   →   entailed, not told, contradicted

The network is the installed one, or a folder like it (`nutgraf.inference`). What it reads are the sentences of the
sources that share most words with the sentence, and those nearest to it in the vectors of the installed encoder: each
with its neighbors, and all together. `passages` says which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nutgraf.entailment import NETWORK
from nutgraf.errors import InputError
from nutgraf.faithfulness.records import CheckerDecision, CheckerLabel, CheckerVerdict
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.inference import ENCODER, Network, Reading, TextEncoder, find_network, open_encoder, open_network
from nutgraf.inference.card import CARD
from nutgraf.inference.network import Floats
from nutgraf.text.passage import Passage

CLASSES: dict[str, CheckerLabel] = {"entailment": "supported", "neutral": "not told", "contradiction": "contradicted"}
"""What the classes of the network mean."""

DECISIVE: dict[CheckerDecision, tuple[CheckerLabel, ...]] = {
    "supported": ("supported",),
    "not told": ("supported",),
    "contradicted": ("contradicted",),
    "undecided": ("supported", "contradicted"),
}
"""Classes whose surest passages are shown below each verdict."""

RISK = "risk."
"""Beginning of the names of settings that are weights of the risk."""

LEAST = 0.5
"""Probability from which on there is a verdict, if the card does not say."""

MARKS = 3
"""[CLS] and two [SEP]."""

SHORTEST_ROW = 64
"""Word pieces that a network reads at once, at least."""

NEAREST = 2
"""Sentences of the sources that are read because of their vectors, beside those that share words."""

NEIGHBORS = 1
"""Sentences before and after one of these; they say whom pronouns mean."""

MOST_PIECES = 160
"""Word pieces of a passage."""

MOST_SENTENCES = 2000
"""Sentences of the sources that are turned into vectors; in longer ones only those that share words are read."""


@dataclass(frozen=True)
class _Window:
    """Places of sentences of the sources, and their word pieces."""

    places: tuple[int, ...]
    ids: tuple[int, ...]


class EntailmentChecker:
    """A network that says whether sources entail, contradict or do not tell a sentence; see `open_checker`."""

    def __init__(self, network: Network, encoder: TextEncoder | None = None) -> None:
        """Hold a network of pairs, and what turns sentences into vectors, if there is such a one."""
        card = network.card
        if (card.task, set(card.classes), card.spans) != ("pairs", set(CLASSES), 2) or card.longest < SHORTEST_ROW:
            raise InputError(
                f"The network {card.title!r} is no checker: {card.purpose}; pairs, 2, 0, {', '.join(CLASSES)} and "
                f"{SHORTEST_ROW} are needed."
            )
        self._network, self._encoder = network, encoder
        self._labels = [CLASSES[name] for name in network.card.classes]

    @property
    def name(self) -> str:
        """Name of the network."""
        return "minilm"

    @property
    def signature(self) -> str:
        """Name of the network, and the beginning of the digest of its layers."""
        return f"{self.name}@{self._network.card.files['encoder.onnx'][:8]}"

    @property
    def risk_weights(self) -> dict[str, float]:
        """Weights of `nutgraf.faithfulness.risk`, from the card; empty where it has none."""
        settings = self._network.card.settings
        return {name.removeprefix(RISK): weight for name, weight in settings.items() if name.startswith(RISK)}

    def __call__(self, claims: Sequence[Claim], sources: Sources) -> list[CheckerVerdict | None]:
        """Return a verdict on each sentence of a summary; None for one that the network cannot read at once."""
        reader = _Reader(self._network, self._encoder, sources)
        near, cosines = reader.nearest(claims)
        return [self._verdict(*one, reader) for one in zip(claims, near, cosines, strict=True)]

    def _verdict(
        self, claim: Claim, near: Sequence[int], cosine: float | None, reader: _Reader
    ) -> CheckerVerdict | None:
        windows = list(reader.windows(claim, near))
        sentence = self._network.words.encode(claim.sentence).ids
        if len(sentence) > reader.room // 2:
            return None
        told = [dict(zip(self._labels, map(float, one), strict=True)) for one in self._shares(windows, sentence)]
        highest = CheckerVerdict.highest_of(told)
        chances = _together(highest["supported"], highest["contradicted"])
        verdict = self._decided(chances)
        surest = [max(range(len(told)), key=lambda at: told[at][one]) for one in DECISIVE[verdict]]
        read = sorted({place for number in surest for place in windows[number].places})
        return CheckerVerdict(self.name, verdict, chances, (), highest, tuple(reader.passages(read)), cosine)

    def _decided(self, chances: Mapping[CheckerLabel, float]) -> CheckerDecision:
        """Return the most probable class, if it is as probable as the card asks."""
        label = max(chances, key=chances.__getitem__)
        least = self._network.card.settings.get(label.replace(" ", "_"), LEAST)
        return label if chances[label] >= least else "undecided"

    def _shares(self, windows: Sequence[_Window], sentence: Sequence[int]) -> Floats:
        """Return the probabilities of the classes beside each window."""
        rows = [self._network.words.row(one.ids, sentence) for one in windows]
        items = [
            [[(number, 0, 1)], [(number, len(row) - 1 - len(sentence), len(row) - 1)]]
            for number, row in enumerate(rows)
        ]
        logits = self._network.logits(Reading(rows, items))
        shares: Floats = np.exp(logits - logits.max(1, keepdims=True))
        return shares / shares.sum(1, keepdims=True)


def _together(supported: float, contradicted: float) -> dict[CheckerLabel, float]:
    """Return the probabilities of the classes beside all passages; what is lacking to 1 is that passages disagree.

    A sentence is supported if one passage supports it and none contradicts it, as if the passage that supports it most
    and the one that contradicts it most were independent; contradicted if it is the other way round.

    Args:
        supported: The highest probability with which a passage supports it.
        contradicted: The highest probability with which a passage contradicts it.
    """
    return {
        "supported": supported * (1 - contradicted),
        "not told": (1 - supported) * (1 - contradicted),
        "contradicted": contradicted * (1 - supported),
    }


class _Reader:
    """Finds what is read of the sources beside a sentence."""

    def __init__(self, network: Network, encoder: TextEncoder | None, sources: Sources) -> None:
        self._words, self._encoder, self._sources = network.words, encoder, sources
        self.room = network.card.longest - MARKS
        self._pieces: dict[int, tuple[int, ...]] = {}

    def nearest(self, claims: Sequence[Claim]) -> tuple[list[Sequence[int]], list[float | None]]:
        """Return the sentences of the sources that are nearest to each sentence, and the largest cosine."""
        printed = self._sources.document.printed
        if self._encoder is None or not 0 < len(printed) <= MOST_SENTENCES:
            return [()] * len(claims), [None] * len(claims)
        cosines = self._encoder.vectors([one.sentence for one in claims]) @ self._encoder.vectors(printed).T
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :NEAREST]
        return [tuple(map(int, row)) for row in order], [float(row.max()) for row in cosines]

    def windows(self, claim: Claim, near: Sequence[int]) -> Iterator[_Window]:
        """Yield the passages to read: around each sentence that was found, and all of them; each once.

        Where none was found, the sources begin.
        """
        seeds = list(dict.fromkeys([*claim.evidence, *near])) or [0]
        groups = [*((one,) for one in seeds), *([tuple(seeds)] if len(seeds) > 1 else [])]
        for places in dict.fromkeys(self._grown(group) for group in groups):
            room = min(MOST_PIECES, self.room - len(self._words.encode(claim.sentence).ids))
            ids = [piece for place in places for piece in self._ids(place)][:room]
            yield _Window(places, tuple(ids))

    def _grown(self, seeds: Sequence[int]) -> tuple[int, ...]:
        """Return sentences, the first ones of a list first, then those beside them, as long as there is room."""
        found: list[int] = []
        left = MOST_PIECES
        beside = [seed + step for step in (-NEIGHBORS, NEIGHBORS) for seed in seeds]
        for place in [*seeds, *(one for one in beside if self._is_beside(one, seeds))]:
            if place not in found and (not found or len(self._ids(place)) <= left):
                found.append(place)
                left -= len(self._ids(place))
        return tuple(sorted(found))

    def _is_beside(self, place: int, seeds: Sequence[int]) -> bool:
        """Return True if there is a sentence at a place, in the document of a seed next to it."""
        document = self._sources.document
        sentences = document.sentences
        near = [seed for seed in seeds if abs(seed - place) <= NEIGHBORS]
        return 0 <= place < len(sentences) and any(
            document.part_of(sentences[place].start) == document.part_of(sentences[seed].start) for seed in near
        )

    def _ids(self, place: int) -> tuple[int, ...]:
        if place not in self._pieces:
            self._pieces[place] = self._words.encode(self._sources.document.printed[place]).ids
        return self._pieces[place]

    def passages(self, places: Sequence[int]) -> Iterator[Passage]:
        """Yield the sentences at some places as what a verdict stands on."""
        document = self._sources.document
        for place in places:
            sentence = document.sentences[place]
            part = document.part_of(sentence.start)
            base = document.parts[part].start
            yield Passage(part, sentence.start - base, sentence.end - base, document.show(sentence))


def open_checker(folder: str | Path = NETWORK, threads: int = 1) -> EntailmentChecker:
    """Open the checker that needs no torch.

    Args:
        folder: A folder of such a network, or the name of an installed one. Sentences are turned into vectors by the
            network "encoder" beside it, or by the installed one; where there is none, only words find what is read.
        threads: Passages that are read at once; verdicts are the same with any number.

    Raises:
        InputError: If the folder is damaged, or its network is for something else.
        MissingPackage: If onnxruntime or tokenizers is not installed.
        UnknownName: If no network is installed.
    """
    network = open_network(folder, threads)
    beside = Path(folder).parent / ENCODER
    if (beside / CARD).is_file():
        return EntailmentChecker(network, open_encoder(beside, threads))
    return EntailmentChecker(network, open_encoder(threads=threads) if find_network(ENCODER) else None)

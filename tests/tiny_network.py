"""A network small enough to be trained within a test run: a few notices of ours, learned by heart."""

from __future__ import annotations

from pathlib import Path

from nutgraf.presets import Preset, read
from nutgraf.text.document import Document

NOTICES = [
    (
        "The ferry Agnes left Tremouth at noon on Monday. It carried forty passengers and a piano. "
        "A storm broke its mast near Gull Rock. Nobody was hurt, said the harbour master.",
        ["The ferry Agnes broke its mast near Gull Rock.", "Nobody was hurt."],
    ),
    (
        "The swing bridge of Ossington is closed until May. Rust was found in two bearings. "
        "Walkers can cross by a small boat, which leaves every hour. The town pays for it.",
        ["Rust shut the swing bridge until May.", "Walkers can cross by boat."],
    ),
    (
        "Blackbirds in Lindow sing earlier than those in the forest. Dr. Harrow counted them for six years. "
        "Street lamps are the reason, she says. Her study cost £300.",
        ["Blackbirds in Lindow sing earlier.", "Street lamps are the reason, says Dr. Harrow."],
    ),
]
"""Texts and their summaries."""

TINY = {
    "dataset.kind": "jsonl",
    "vocabulary.size": 75,
    "truncation.kind": "head",
    "truncation.source": 60,
    "truncation.target": 30,
    "keyphrases.top": 5,
    "model.width": 32,
    "model.heads": 4,
    "model.dropout": 0.0,
    "model.positions": 64,
    "model.encoder.layers": 2,
    "model.encoder.feed_forward": 64,
    "model.decoder.layers": 2,
    "model.decoder.feed_forward": 64,
    "decoding.beams": 2,
    "decoding.shortest": 0,
    "decoding.longest": 30,
    "decoding.length_penalty": 0.0,
    "decoding.coverage_penalty": 0.0,
    "decoding.stepwise": False,
}
"""What makes a preset tiny."""


def tiny(name: str = "kpat", **overrides: object) -> Preset:
    """A preset of a network, made tiny."""
    return read(name, {**TINY, **overrides})


def train(folder: Path, preset: Preset, steps: int = 90) -> Path:
    """A trained folder: the notices by heart. Words that come once are unknown to the network, and are copied."""
    import torch

    from nutgraf.checkpoint import WEIGHTS, begin, build, weights, write_tensors
    from nutgraf.preparation import Preparation, batch
    from nutgraf.vocabulary import lexicons

    lexicon = lexicons.from_section(preset.section("vocabulary"))
    lexicon.learn([text for text, _ in NOTICES] + [" ".join(summary) for _, summary in NOTICES])
    (folder / "learned").mkdir(parents=True)
    lexicon.save(folder / "learned")
    preparation = Preparation.of(preset, lexicon)
    sources = [preparation.source(Document.of(text, language="en")) for text, _ in NOTICES]
    targets = [preparation.target(summary, source) for (_, summary), source in zip(NOTICES, sources, strict=True)]
    examples = batch(sources, targets)
    network = build(preset, len(lexicon))
    optimizer = torch.optim.Adam(network.parameters(), lr=4e-3)
    for _ in range(steps):
        optimizer.zero_grad()
        log_probs = network(examples).target_log_probs
        loss = -log_probs.masked_fill(examples.wanted_mask, 0).sum() / (~examples.wanted_mask).sum()
        loss.backward()
        optimizer.step()
    trained = folder / "trained"
    begin(trained, preset, folder / "learned", {"preset": preset.name, "loss": loss.item()})
    write_tensors(trained / WEIGHTS, weights(network))
    return trained

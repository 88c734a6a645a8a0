"""A network small enough to be trained within a test run: a few notices of ours, learned by heart."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from nutgraf.presets import Preset, read
from nutgraf.text.document import Document

if TYPE_CHECKING:
    from nutgraf.model.records import Batch
    from nutgraf.model.seq2seq import Seq2Seq

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
    "truncation.kind": "head",
    "truncation.source": 100,
    "truncation.target": 60,
    "truncation.legacy": False,
    "model.d_model": 32,
    "model.num_heads": 4,
    "model.dropout": 0.0,
    "model.max_positions": 128,
    "decoding.beam_size": 2,
    "decoding.min_length": 0,
    "decoding.max_length": 60,
    "decoding.length_penalty": 0.0,
    "decoding.coverage_penalty": 0.0,
    "decoding.stepwise_penalty": False,
}
"""Changes that make a preset tiny."""

TINY_PARTS = {"num_layers": 2, "ffn_dim": 64, "hidden_size": 32, "attention_dim": 32, "channels": 32, "output_dim": 32}
"""And its encoder and decoder, where they have such options."""


def tiny(name: str = "kpat", **overrides: object) -> Preset:
    """A preset of a network, made tiny. A few words of the notices stay unknown to it."""
    preset = read(name, overrides)
    pieces = preset.section("tokenizer")["kind"] != "words"
    vocabulary = {"tokenizer.vocab_size": 300} if pieces else {"tokenizer.vocab_size": 75, "tokenizer.min_frequency": 1}
    target = {"model.target.dropout": 0.0} if preset.section("model.target") else {}
    return read(name, {**TINY, **_tiny_parts(preset), **target, **vocabulary, **overrides})


def _tiny_parts(preset: Preset) -> dict[str, int]:
    from nutgraf.model.decoder import decoders
    from nutgraf.model.encoder import encoders

    return {
        f"model.{part}.{option.name}": TINY_PARTS[option.name]
        for part, family in (("encoder", encoders), ("decoder", decoders))
        for option in dataclasses.fields(family.config(preset.section(f"model.{part}")["kind"]))
        if option.name in TINY_PARTS and isinstance(option.default, int)
    }


def build(folder: Path, preset: Preset) -> tuple[Seq2Seq, Batch, Path]:
    """A network without training, what it is to learn, and the folder of its tokenizer."""
    from nutgraf import checkpoint
    from nutgraf.preparation import Preparation, batch
    from nutgraf.preparation.source import LEARNED
    from nutgraf.tokenizers import tokenizers

    tokenizer = tokenizers.build(preset.options("tokenizer"))
    tokenizer.train([text for text, _ in NOTICES] + [" ".join(summary) for _, summary in NOTICES])
    learned = folder / "learned"
    learned.mkdir(parents=True)
    tokenizer.save(learned)
    documents = [Document.of(text, language="en") for text, _ in NOTICES]
    extractor = Preparation.of(preset, tokenizer).extractor
    if extractor is not None and extractor.needs_fit:
        extractor.fit(documents)
        extractor.save(learned / LEARNED)
    preparation = Preparation.of(preset, tokenizer, learned)
    sources = [preparation.source(document) for document in documents]
    targets = [preparation.target(summary, source) for (_, summary), source in zip(NOTICES, sources, strict=True)]
    segments = preset.options("model").segments
    return checkpoint.build(preset, len(tokenizer)), batch(sources, targets, segments=segments), learned


def train(folder: Path, preset: Preset, steps: int = 90) -> tuple[Path, list[float]]:
    """A trained model, and the loss before each step and at the end."""
    import torch

    from nutgraf.checkpoint import WEIGHTS, create_folder, weights, write_tensors

    network, examples, learned = build(folder, preset)
    optimizer = torch.optim.Adam(network.parameters(), lr=4e-3)
    losses = []
    for step in range(steps + 1):
        optimizer.zero_grad()
        log_probs = network(examples).target_log_probs
        loss = -log_probs.masked_fill(examples.labels_mask, 0).sum() / (~examples.labels_mask).sum()
        losses.append(loss.item())
        if step < steps:
            loss.backward()
            optimizer.step()
    trained = folder / "trained"
    create_folder(trained, preset, learned, {"preset": preset.name, "loss": losses[-1]})
    write_tensors(trained / WEIGHTS, weights(network))
    return trained, losses

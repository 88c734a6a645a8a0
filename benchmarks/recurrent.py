"""What a training step of the recurrent pointer-generator costs beside OpenNMT-py 3.5.1's copying RNN, in the same run.

    python benchmarks/recurrent.py [--rounds 9] [--threads 2] [--precision fp32|bf16] [--ragged]

A bidirectional LSTM of 256 each way, embeddings of 128, 50,000 words, additive attention of width 512 which is also
copied with, no coverage, no dropout; a batch of --examples (16) × (400 + 100) words. A step is forward, loss, backward,
clipping to 2 and an update by Adagrad. Everybody has the same allocator settings, those that nutgraf's trainer makes;
each side runs in a process of its own; steps are taken in turn, and medians are shown.

- nutgraf: the preset `pointer_generator`, whose decoder has 256 (See et al. 2017).
- nutgraf 512: with a decoder of 512, which is the least that OpenNMT-py can have with this encoder. So it is this one
  that is of equal size.
- OpenNMT-py: its encoder with the bridge, its decoder with input feeding and "mlp" attention, copy generator, loss and
  Adagrad, as its trainer calls them; "copy loss alone" leaves out the statistics that its loss makes of every batch.

--ragged: the sources are 400, 390, 380 … words long. OpenNMT-py packs them, which torch trains slowly on a processor.
OpenNMT-py is installed under --peers; where it cannot be had, it is left out, and the output says so.

"processor" is the time of all threads: on a machine that others use too, compare these, with --threads 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import _opennmt
import _peers
from _sides import Side, take_turns
from _steps import MALLOC, Step, table, texts, work

WORDS, WIDTH, HIDDEN, SOURCE, TARGET = 50_000, 128, 256, 400, 100
RATE, ACCUMULATOR, CLIP = 0.15, 0.1, 2.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, default=_peers.PLACE)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--warm", type=int, default=2, help="rounds before the counting begins")
    parser.add_argument("--examples", type=int, default=16, help="in a batch")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--precision", choices=("fp32", "bf16"), default="fp32")
    parser.add_argument("--ragged", action="store_true")
    parser.add_argument("--only", nargs="+", choices=SIDES, default=list(SIDES))
    parser.add_argument("--worker", choices=SIDES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        at_work(options)
        return
    arguments = ["--peers", str(options.peers), "--precision", options.precision, "--examples", str(options.examples)]
    arguments += ["--ragged"] if options.ragged else []
    names = _peers.that_run(options.only, NEEDS, options.peers)
    sides = [Side(name, options.threads, arguments, MALLOC) for name in names]
    found = take_turns(sides, "step", options.warm, options.rounds, peers=NEEDS)
    table(found, "nutgraf 512", options.examples * (SOURCE + TARGET))


def at_work(options: argparse.Namespace) -> None:
    """Be one side."""
    import torch

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    for library in NEEDS.get(options.worker, ()):
        library.find(options.peers)
    work(*SIDES[options.worker](options))


def lengths_of(options: argparse.Namespace) -> Any:
    """Of the sources."""
    import torch

    return SOURCE - 10 * torch.arange(options.examples) if options.ragged else torch.full((options.examples,), SOURCE)


def trained(network: Any, optimizer: Any, precision: str, loss: Callable[[], Any]) -> tuple[Any, Step]:
    """A step of a network: forward and loss, backward, clipping, update."""
    import torch

    network.train()

    def step() -> float:
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16"):
            found = loss()
        found.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
        optimizer.step()
        optimizer.zero_grad()
        return float(found.detach())

    return network, step


def nutgraf(options: argparse.Namespace, hidden: int = HIDDEN) -> tuple[Any, Step]:
    """Ours."""
    import torch

    from nutgraf.model.records import Batch, Phrases
    from nutgraf.model.seq2seq import Config, Seq2Seq
    from nutgraf.presets.family import configure
    from nutgraf.systems import read_preset as read
    from nutgraf.training.optimizers import optimizers

    preset = read("pointer_generator", {"model.decoder.hidden_size": hidden})
    config = configure(Config, preset.section("model"), "model")
    assert (config.d_model, config.dropout, config.encoder.config.hidden_size) == (WIDTH, 0, HIDDEN)
    network = Seq2Seq(config, WORDS)
    source, target = texts(WORDS, options.examples, SOURCE, TARGET)
    lengths = lengths_of(options)
    mask = torch.arange(SOURCE) >= lengths[:, None]
    source = source.masked_fill(mask, 0)
    batch = Batch(source, source, mask, Phrases.none(), 0, target, target)
    adagrad = optimizers.make("adagrad", initial_accumulator_value=ACCUMULATOR).create(list(network.parameters()))
    for group in adagrad.param_groups:
        group["lr"] = RATE
    return trained(
        network, adagrad, options.precision, lambda: -network(batch).target_log_probs.sum() / batch.labels.numel()
    )


def opennmt(options: argparse.Namespace, statistics: bool = True) -> tuple[Any, Step]:
    """OpenNMT-py's parts, put together as its `build_model` and its trainer do."""
    _opennmt.leave_out()
    import torch
    from onmt.decoders import InputFeedRNNDecoder
    from onmt.encoders import RNNEncoder
    from onmt.models.model import NMTModel
    from onmt.modules import CopyGenerator, Embeddings
    from onmt.utils.optimizers import build_torch_optimizer

    source_words, target_words = (Embeddings(WIDTH, WORDS, _opennmt.PAD) for _ in range(2))
    target_words.word_lut.weight = source_words.word_lut.weight
    network = NMTModel(
        RNNEncoder("LSTM", True, 1, 2 * HIDDEN, 0.0, source_words, use_bridge=True),
        InputFeedRNNDecoder(
            "LSTM", True, 1, 2 * HIDDEN, attn_type="mlp", copy_attn=True, reuse_copy_attn=True, embeddings=target_words
        ),
    )
    network.generator = CopyGenerator(2 * HIDDEN, WORDS, _opennmt.PAD)
    for one in network.parameters():
        torch.nn.init.uniform_(one, -0.1, 0.1)
    source, target = texts(WORDS, options.examples, SOURCE, TARGET)
    lengths = lengths_of(options)
    loss = _opennmt.copy_loss(network, WORDS, source, lengths, target, statistics)
    optimizer = build_torch_optimizer(network, _opennmt.adagrad(RATE, ACCUMULATOR))
    return trained(network, optimizer, options.precision, loss)


SIDES: Mapping[str, Callable[[argparse.Namespace], tuple[Any, Step]]] = {
    "nutgraf": nutgraf,
    "nutgraf 512": lambda options: nutgraf(options, 2 * HIDDEN),
    "OpenNMT-py": opennmt,
    "copy loss alone": lambda options: opennmt(options, statistics=False),
}
NEEDS = {"OpenNMT-py": [_opennmt.OPENNMT], "copy loss alone": [_opennmt.OPENNMT]}
"""The libraries of peers."""

if __name__ == "__main__":
    main()

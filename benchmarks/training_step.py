"""What a training step costs, in time and memory, beside OpenNMT-py 3.5.1 and Hugging Face's BART in the same run.

    python benchmarks/training_step.py [--rounds 15] [--threads 2]

4 + 4 layers of width 512, 8 heads, feed-forward 2,048, 50,000 words, a batch of --examples (4) × (500 + 264) words
without padding; dropout 0.2 everywhere but in attention, where it is 0. A step is forward, loss, backward and update.
Everybody computes in the precision that nutgraf's trainer takes on this processor: bfloat16 under torch's autocast if
it multiplies in it, else single precision (--precision chooses). Everybody has the same allocator settings, those that
nutgraf's trainer makes (`--malloc ours`: for nutgraf alone, as things come; `--malloc no`: for nobody). Each side runs
in a process of its own; steps are taken in turn, and medians are shown.

- nutgraf: CopyTransformer (copy head on), updated as its trainer does, and KPAT, with 20 phrases highlighted a source.
- OpenNMT-py: its encoder, decoder, copy generator, loss and Adam, as its trainer calls them. "copy loss alone" leaves
  out the statistics that its loss makes of every batch. It is installed without its dependencies; imports that a step
  does not need are empty.
- BART: Hugging Face's, with fused attention and AdamW fused, as its trainer has it; its output projection is not tied
  to the embeddings, so that all have as many parameters. It copies nothing.

Peers are installed under --peers; one that cannot be had is named and left out.

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

WORDS, WIDTH, HEADS, LAYERS, INNER, DROPOUT = 50_000, 512, 8, 4, 2048, 0.2
SOURCE, TARGET = 500, 264
RATE = 1e-4


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, default=_peers.PLACE)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--warm", type=int, default=3, help="rounds before the counting begins")
    parser.add_argument("--examples", type=int, default=4, help="in a batch")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--precision", choices=("auto", "bf16", "fp32"), default="auto")
    parser.add_argument("--malloc", choices=("same", "ours", "no"), default="same")
    parser.add_argument("--only", nargs="+", choices=SIDES, default=list(SIDES))
    parser.add_argument("--worker", choices=SIDES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        at_work(options)
        return
    options.precision = precision_of(options)
    print(f"{options.examples} × ({SOURCE} + {TARGET}) words, {options.precision}")
    sides = [made(name, options) for name in _peers.that_run(options.only, NEEDS, options.peers)]
    found = take_turns(sides, "step", options.warm, options.rounds, peers=NEEDS)
    table(found, "nutgraf", options.examples * (SOURCE + TARGET))


def precision_of(options: argparse.Namespace) -> str:
    """The precision that is asked for, or that nutgraf's trainer takes here."""
    import torch

    from nutgraf.compute import training_precision

    return training_precision(options.precision, torch.device("cpu"))


def made(name: str, options: argparse.Namespace) -> Side:
    """A side with the allocator settings that it is to have."""
    keeps = options.malloc == "same" or (options.malloc == "ours" and name.startswith("nutgraf"))
    arguments = ["--peers", str(options.peers), "--examples", str(options.examples)]
    arguments += ["--precision", options.precision]
    return Side(name, options.threads, arguments, MALLOC if keeps else {})


def at_work(options: argparse.Namespace) -> None:
    """Be one side."""
    import torch

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    for library in NEEDS.get(options.worker, ()):
        library.find(options.peers)
    work(*SIDES[options.worker](options))


def trained(network: Any, optimizer: Any, precision: str, loss: Callable[[], Any]) -> tuple[Any, Step]:
    """A step of a network: forward and loss, backward, update."""
    import torch

    network.train()

    def step() -> float:
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16"):
            found = loss()
        found.backward()
        optimizer.step()
        optimizer.zero_grad()
        return float(found.detach())

    return network, step


def nutgraf(options: argparse.Namespace, preset: str = "copy_transformer") -> tuple[Any, Step]:
    """Ours."""
    import torch

    from nutgraf.model.records import Batch, Phrases
    from nutgraf.model.seq2seq import Config, Seq2Seq
    from nutgraf.presets.family import configure
    from nutgraf.systems import read_preset as read

    config = configure(Config, read(preset).section("model"), "model")
    assert (config.d_model, config.num_heads, config.dropout) == (WIDTH, HEADS, DROPOUT)
    assert config.encoder.config.num_layers == config.decoder.config.num_layers == LAYERS
    network = Seq2Seq(config, WORDS)
    source, target = texts(WORDS, options.examples, SOURCE, TARGET)
    starts = torch.arange(20).repeat(options.examples) * 24
    of = torch.arange(options.examples).repeat_interleave(20)
    phrases = Phrases(of, starts, starts + 2, torch.full(of.shape, 20**-0.5))
    batch = Batch(source, source, torch.zeros_like(source, dtype=torch.bool), phrases, 0, target, target)
    adam = torch.optim.Adam(network.parameters(), lr=RATE, betas=(0.9, 0.998), eps=1e-9, fused=True)
    return trained(
        network, adam, options.precision, lambda: -network(batch).target_log_probs.sum() / batch.labels.numel()
    )


def kpat(options: argparse.Namespace) -> tuple[Any, Step]:
    """Ours, with highlighted phrases."""
    return nutgraf(options, "kpat")


def opennmt(options: argparse.Namespace, statistics: bool = True) -> tuple[Any, Step]:
    """OpenNMT-py's parts, put together as its `build_model` and its trainer do."""
    _opennmt.leave_out()
    import torch
    from onmt.decoders import TransformerDecoder
    from onmt.encoders import TransformerEncoder
    from onmt.models.model import NMTModel
    from onmt.modules import CopyGenerator, Embeddings
    from onmt.utils.optimizers import build_torch_optimizer

    source_words, target_words = (
        Embeddings(WIDTH, WORDS, _opennmt.PAD, position_encoding=True, dropout=DROPOUT) for _ in range(2)
    )
    target_words.word_lut.weight = source_words.word_lut.weight
    size = {"d_model": WIDTH, "heads": HEADS, "d_ff": INNER, "dropout": DROPOUT, "attention_dropout": 0.0}
    encoder = TransformerEncoder(
        num_layers=LAYERS, embeddings=source_words, max_relative_positions=0, relative_positions_buckets=0,
        add_qkvbias=True, **size,
    )  # fmt: skip
    decoder = TransformerDecoder(
        num_layers=LAYERS, embeddings=target_words, copy_attn=True, self_attn_type="scaled-dot-flash",
        max_relative_positions=0, relative_positions_buckets=0, aan_useffn=False, full_context_alignment=False,
        alignment_layer=None, alignment_heads=0, add_qkvbias=True, **size,
    )  # fmt: skip
    network = NMTModel(encoder, decoder)
    network.generator = CopyGenerator(WIDTH, WORDS, _opennmt.PAD)
    for module in network.modules():
        if isinstance(module, (torch.nn.Linear, torch.nn.Embedding)):
            torch.nn.init.xavier_uniform_(module.weight)
        if isinstance(module, torch.nn.Linear):
            torch.nn.init.zeros_(module.bias)
    source, target = texts(WORDS, options.examples, SOURCE, TARGET)
    lengths = torch.full((options.examples,), SOURCE)
    loss = _opennmt.copy_loss(network, WORDS, source, lengths, target, statistics)
    return trained(network, build_torch_optimizer(network, _opennmt.adam(RATE)), options.precision, loss)


def copy_loss_alone(options: argparse.Namespace) -> tuple[Any, Step]:
    """OpenNMT-py without its statistics."""
    return opennmt(options, statistics=False)


def bart(options: argparse.Namespace) -> tuple[Any, Step]:
    """Hugging Face's BART."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    config = BartConfig(
        vocab_size=WORDS, d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=LAYERS, encoder_attention_heads=HEADS,
        decoder_attention_heads=HEADS, encoder_ffn_dim=INNER, decoder_ffn_dim=INNER, activation_function="relu",
        dropout=DROPOUT, attention_dropout=0.0, activation_dropout=DROPOUT, scale_embedding=True,
        max_position_embeddings=1024, use_cache=False, attn_implementation="sdpa",
    )  # fmt: skip
    network = BartForConditionalGeneration(config)
    network.lm_head = torch.nn.Linear(WIDTH, WORDS, bias=False)
    source, target = texts(WORDS, options.examples, SOURCE, TARGET)
    mask = torch.ones_like(source)
    given, wanted = target[:, :-1].contiguous(), target[:, 1:].contiguous()
    adam = torch.optim.AdamW(network.parameters(), lr=RATE, fused=True)
    return trained(
        network,
        adam,
        options.precision,
        lambda: network(input_ids=source, attention_mask=mask, decoder_input_ids=given, labels=wanted).loss,
    )


SIDES: Mapping[str, Callable[[argparse.Namespace], tuple[Any, Step]]] = {
    "nutgraf": nutgraf,
    "nutgraf kpat": kpat,
    "OpenNMT-py": opennmt,
    "copy loss alone": copy_loss_alone,
    "BART": bart,
}
NEEDS = {
    "OpenNMT-py": [_opennmt.OPENNMT],
    "copy loss alone": [_opennmt.OPENNMT],
    "BART": [_peers.TRANSFORMERS],
}
"""The libraries of peers."""

if __name__ == "__main__":
    main()

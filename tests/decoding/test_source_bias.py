"""A processor may give each hypothesis its own view of the source."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from small_networks import random_sources  # noqa: E402

from nutgraf.decoding.processors import processors  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.model.ops.attention import reweighted  # noqa: E402
from nutgraf.model.records import EncoderOutput  # noqa: E402
from nutgraf.model.seq2seq import Config as Network  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402

WORDS = 29

STACK = {"kind": "transformer", "num_layers": 1, "ffn_dim": 17}
NETWORKS = {
    "transformer": {"encoder": STACK, "decoder": STACK},
    "mean of heads": {"encoder": STACK, "decoder": {**STACK, "copy_attention": "mean"}},
    "coverage": {"encoder": STACK, "decoder": STACK, "coverage": {"mode": "exact"}},
    "lstm_transformer": {"encoder": STACK, "decoder": {**STACK, "kind": "lstm_transformer"}},
    "recurrent": {
        "encoder": {"kind": "recurrent", "hidden_size": 5},
        "decoder": {"kind": "recurrent", "hidden_size": 11, "attention_dim": 7},
    },
    "nnlm": {
        "encoder": {"kind": "local_average", "radius": 1},
        "decoder": {"kind": "nnlm", "context_size": 2, "hidden_size": 5},
    },
    "intra_attention": {
        "encoder": {"kind": "recurrent", "hidden_size": 5},
        "decoder": {"kind": "intra_attention"},
    },
    "temporal": {
        "encoder": {"kind": "gru", "hidden_size": 5},
        "decoder": {
            "kind": "gru",
            "hidden_size": 10,
            "attention_dim": 7,
            "maxout_pool_size": 1,
            "temporal_attention": True,
        },
    },
    "convolutional": {
        "encoder": {"kind": "convolutional", "num_layers": 1, "channels": 7},
        "decoder": {"kind": "convolutional", "num_layers": 1, "channels": 7, "output_dim": 5},
    },
}

BLIND = '''
import math

import torch

from nutgraf.decoding.processors import LogitsProcessor
from nutgraf.presets.family import NoOptions


class Blind(LogitsProcessor):
    """Hides from each hypothesis the places that hold its last token, and for good the last place."""

    def __init__(self, config: NoOptions, context):
        self.source = context.source

    def __call__(self, log_probs, hypotheses):
        pass

    def source_bias(self, hypotheses):
        source = self.source[torch.tensor(hypotheses.documents)][:, None].expand(-1, hypotheses.ids.shape[1], -1)
        hidden = torch.zeros_like(source, dtype=torch.bool)
        hidden[..., -1] = True
        if hypotheses.length:
            hidden = hidden | (source == hypotheses.ids[..., -1:])
        return torch.zeros(hidden.shape, dtype=torch.double).masked_fill(hidden, -math.inf)
'''


def network(kind: str) -> Seq2Seq:
    torch.manual_seed(4)
    options = {"d_model": 14, "num_heads": 2, "max_positions": 32, "head": {"kind": "pointer"}, **NETWORKS[kind]}
    made = Seq2Seq(configure(Network, options, "model"), WORDS)
    with torch.no_grad():
        for weight in made.parameters():
            weight.add_(torch.randn_like(weight) * 0.1).mul_(2.0)
    return made.double().eval()


def first_step(made: Seq2Seq, seen: EncoderOutput) -> torch.Tensor:
    with torch.inference_mode():
        trace = made.step(torch.zeros(3, 2, 0, dtype=torch.long), seen, made.start(seen, 2), True)
    assert trace.cross_attention is not None
    return trace.cross_attention


@pytest.mark.parametrize("kind", NETWORKS)
def test_attention_is_that_of_logits_with_the_bias(kind: str) -> None:
    """For one head softmax(e + b) is softmax(e) · exp(b), made to sum to one; here for each of two hypotheses."""
    made, sources = network(kind), random_sources(WORDS, (7, 5, 3), 1)
    with torch.inference_mode():
        seen = made.encode(sources)
    plain, bias = first_step(made, seen), torch.randn(3, 2, 7, dtype=torch.double)
    assert torch.allclose(first_step(made, replace(seen, source_bias=torch.zeros_like(bias))), plain)
    found = first_step(made, replace(seen, source_bias=bias))
    assert torch.allclose(found.sum(-1), torch.ones(3, 2, dtype=torch.double))
    assert not torch.allclose(found[:, 0], found[:, 1])
    if kind not in ("mean of heads", "lstm_transformer"):
        assert torch.allclose(found, reweighted(plain, bias))
    hidden = first_step(made, replace(seen, source_bias=bias.masked_fill(torch.arange(7) == 2, -torch.inf)))
    assert (hidden[..., 2] == 0).all()


@pytest.mark.parametrize("kind", NETWORKS)
def test_a_processor_from_outside_hides_places(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_lab").mkdir()
    (tmp_path / "a_lab" / "blind.py").write_text(BLIND)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "a_lab.blind", raising=False)
    made, sources = network(kind), random_sources(WORDS, (7, 7), 1)
    config = Config(beam_size=3, num_return_sequences=3, max_length=9, processors={})
    blind = Config(
        beam_size=3, num_return_sequences=3, max_length=9, processors={"a_lab.blind": processors.choose("a_lab.blind")}
    )
    assert search(made, sources, blind) != search(made, sources, config)
    for row, each in enumerate(search(made, sources, blind)):
        for one in each:
            assert 6 not in one.source_positions
            places = [(before, at) for before, at in zip(one.ids, one.source_positions[1:], strict=False) if at >= 0]
            assert all(int(sources.source_extended[row, at]) != before for before, at in places)

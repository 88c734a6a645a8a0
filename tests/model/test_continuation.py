"""Copying goes on where it was."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("torch")

import torch

from nutgraf.model.head._continuation import Continuation, following
from nutgraf.model.records import BOS, Batch, Phrases
from nutgraf.model.seq2seq import Config, Seq2Seq
from nutgraf.presets import configure

SOURCE = torch.tensor([[5, 6, 7, 5, 8]])


def test_a_place_follows_if_the_last_words_stand_right_before_it():
    one, two = following(SOURCE, torch.tensor([[[5, 7], [6, 5], [9, 5]]]))
    assert one[0].int().tolist() == [[0, 1, 0, 0, 1], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]
    assert two[0].int().tolist() == [[0, 0, 0, 0, 1], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]


def test_each_word_in_common_multiplies_the_odds():
    continuation = Continuation(2)
    continuation.bonus.data = torch.tensor([math.log(2), math.log(3)])
    uniform = torch.full((1, 1, 5), 0.2)
    raised = continuation(uniform, SOURCE, torch.tensor([[[5, 7]]]))
    assert raised[0, 0].tolist() == pytest.approx([1 / 11, 2 / 11, 1 / 11, 1 / 11, 6 / 11])


def test_search_and_training_compare_the_same_words():
    continuation = Continuation(3)
    text = torch.tensor([[BOS, 5, 6, 7]])
    in_training = continuation.recent(text)
    for length in range(4):
        in_search = continuation.last(text[:, None, 1 : length + 1])
        for a, b in zip(
            following(SOURCE, in_training[:, length : length + 1]), following(SOURCE, in_search), strict=True
        ):
            assert torch.equal(a, b)


def test_all_at_once_and_step_by_step_agree():
    torch.manual_seed(0)
    slot = {"kind": "transformer", "num_layers": 2, "ffn_dim": 14}
    head = {"kind": "pointer", "continuation": 2}
    network = Seq2Seq(
        configure(Config, {"d_model": 12, "num_heads": 3, "encoder": slot, "decoder": slot, "head": head}, "model"), 11
    ).eval()
    extended, wanted = torch.tensor([[5, 6, 11, 5, 8]]), torch.tensor([[BOS, 5, 6, 11, 5, 3]])
    batch = Batch(
        extended.masked_fill(extended == 11, 1), extended, extended == 0, Phrases.none(), 1,
        wanted.masked_fill(wanted == 11, 1), wanted,
    )  # fmt: skip
    at_once = network(batch).target_log_probs
    memory = network.encode(batch)
    state = network.start(memory, 1)
    for length in range(5):
        trace = network.step(wanted[:, None, 1 : length + 1], memory, state)
        assert trace.log_probs.exp().sum().item() == pytest.approx(1)
        assert trace.log_probs[0, 0, wanted[0, length + 1]].item() == pytest.approx(at_once[0, length].item(), abs=1e-5)

"""Search over a recurrent decoder beside the plain search, which remembers nothing."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from plain_search import plain_search  # noqa: E402
from small_networks import random_sources  # noqa: E402

from nutgraf.decoding.precision import Precision  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.model.seq2seq import Config as Network  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402

WORDS = 13


def network(seed: int, covers: bool) -> Seq2Seq:
    torch.manual_seed(seed)
    made = Seq2Seq(
        configure(
            Network,
            {
                "d_model": 14,
                "num_heads": 1,
                "max_positions": 32,
                "embedding": {"position_embedding": "none"},
                "encoder": {"kind": "recurrent", "hidden_size": 5},
                "decoder": {"kind": "recurrent", "hidden_size": 11, "attention_dim": 7},
                "head": {"kind": "pointer", "p_copy_input": "context_state_input"},
                "coverage": {"mode": "exact"} if covers else None,
            },
            "model",
        ),
        WORDS,
    )
    with torch.no_grad():
        for weight in made.parameters():
            weight.add_(torch.randn_like(weight) * 0.1).mul_(2.5)
    return made.eval()


@pytest.mark.parametrize("covers", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_search_is_the_plain_search(seed: int, covers: bool) -> None:
    made, sources = network(seed, covers).double(), random_sources(WORDS, (7, 5, 3), seed)
    config = Config(
        beam_size=3,
        num_return_sequences=3,
        max_length=9,
        processors={},
        length_penalty=1.0,
        length_penalty_form="power",
    )
    quick, plain = search(made, sources, config), plain_search(made, sources, config)
    for some, others in zip(quick, plain, strict=True):
        assert [one.ids for one in some] == [one.ids for one in others]
        assert [one.log_prob for one in some] == pytest.approx([one.log_prob for one in others])


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_lower_precision_says_much_the_same(precision: Precision) -> None:
    made, sources = network(1, True), random_sources(WORDS, (7, 5, 3), 1)
    full, low = (
        search(made, sources, Config(beam_size=1, max_length=5, precision=one, processors={}))
        for one in ("fp32", precision)
    )
    for some, others in zip(full, low, strict=True):
        assert some[0].ids == others[0].ids
        assert some[0].log_prob == pytest.approx(others[0].log_prob, abs=0.5)

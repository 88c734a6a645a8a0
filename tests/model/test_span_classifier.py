"""A span classifier: means of spans, likelihoods and gradients, by hand, and BERT's states of two texts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.records import BOS, EOS  # noqa: E402
from nutgraf.model.span_classifier import (  # noqa: E402
    Config,
    SpanBatch,
    SpanClassifier,
    means,
    second_texts,
    there,
)
from nutgraf.preparation.span_shards import rows_of_example, span_batch  # noqa: E402
from nutgraf.preparation.tasks import SpanExample  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.training.objectives import objectives  # noqa: E402

WORDS = 23
LAYER = {"kind": "transformer", "num_layers": 2, "ffn_dim": 11}
OVER = {"kind": "transformer", "num_layers": 1, "ffn_dim": 5}


def network(**options: Any) -> SpanClassifier:
    torch.manual_seed(5)
    given = {"d_model": 8, "num_heads": 2, "dropout": 0.0, "max_positions": 29, "item_size": 6, "encoder": LAYER}
    made = SpanClassifier(configure(Config, {**given, **options}, "model"), WORDS)
    with torch.no_grad():
        for one in made.parameters():
            one.add_(torch.randn_like(one) * 0.3)
    return made.eval()


def example(labels: list[int], rows: int = 1, **more: Any) -> SpanExample:
    """A document whose items are two tokens each, `rows` of rows with two items."""
    texts = [[BOS, 7 + row, 8, 9, 10, EOS] for row in range(rows)]
    spans = [[[(number // 2, 1 + 2 * (number % 2), 3 + 2 * (number % 2))]] for number in range(len(labels))]
    return SpanExample(texts, spans, labels, **more)


def batch(*examples: SpanExample) -> SpanBatch:
    return span_batch([rows_of_example(one) for one in examples], 1)


def test_a_span_has_the_mean_of_its_states_wherever_they_stand() -> None:
    """Two items of two spans each: (1+3)/2 and 10; stretches (1, 5, 9) and no token at all."""
    states = torch.tensor([[[1.0], [3.0], [5.0]], [[9.0], [10.0], [0.0]]])
    stretches = torch.tensor([[0, 0, 0, 2], [1, 1, 1, 2], [2, 0, 0, 1], [2, 0, 2, 3], [2, 1, 0, 1]])
    assert means(states, stretches, 2, 2).tolist() == [[2.0, 10.0], [5.0, 0.0]]


def test_the_second_text_begins_behind_the_first_end() -> None:
    row = torch.tensor([[BOS, 7, 8, EOS, 9, EOS, 0]])
    assert second_texts(row).tolist() == [[False, False, False, False, True, True, False]]


def test_of_one_class_the_likelihood_is_binary_cross_entropy_with_weights() -> None:
    """A bias of ln 3 and no weights: σ = 3/4."""
    made = network()
    with torch.no_grad():
        made.score_proj.weight.zero_()
        made.score_proj.bias.fill_(math.log(3))
    given = batch(example([1, 0], weights=[2.0, 0.5]), example([1, -1], weights=[1.0, 1.0]))
    trace = made(given)
    assert trace.target_log_probs.tolist() == [
        pytest.approx([math.log(0.75), math.log(0.25)]),
        pytest.approx([math.log(0.75), 0.0]),
    ]
    loss = objectives.make("likelihood")(made, given, trace)
    assert loss.item() == pytest.approx(-(2 * math.log(0.75) + 0.5 * math.log(0.25) + math.log(0.75)))
    smooth = objectives.make("likelihood", label_smoothing=0.5)(made, batch(example([1])), made(batch(example([1]))))
    assert smooth.item() == pytest.approx(-0.75 * math.log(0.75) - 0.25 * math.log(0.25))


def test_a_label_that_is_not_certain_is_shared_between_both_classes() -> None:
    made = network()
    with torch.no_grad():
        made.score_proj.weight.zero_()
        made.score_proj.bias.fill_(math.log(3))
    trace = made(batch(example([1, 0], shares=[0.5, 0.25])))
    yes, no = math.log(0.75), math.log(0.25)
    assert trace.target_log_probs.tolist() == [pytest.approx([(yes + no) / 2, 0.25 * yes + 0.75 * no])]


def test_of_three_classes_the_likelihood_is_a_softmax() -> None:
    made = network(classes=3)
    with torch.no_grad():
        made.score_proj.weight.zero_()
        made.score_proj.bias.copy_(torch.tensor([0.0, math.log(2), math.log(5)]))
    assert made(batch(example([2, 0]))).target_log_probs.tolist() == [pytest.approx([math.log(5 / 8), math.log(1 / 8)])]


def test_a_ranking_is_compared_with_labels_and_gains() -> None:
    """Scores 0 and ln 3: softmax ¼, ¾. Half of the target is the label's (0, 1), half the gains' (½, ½)."""
    made = network()
    given = batch(example([0, 1], gains=[0.2, 0.2]))
    trace = made(given)
    scores = torch.tensor([[0.0, math.log(3)]])
    loss = objectives.make("listwise")(made, given, type(trace)(candidate_scores=scores))
    assert loss.item() == pytest.approx(2 * -(0.25 * math.log(0.25) + 0.75 * math.log(0.75)))
    with pytest.raises(PresetError, match="listwise"):
        objectives.make("listwise")(made, batch(example([1])), trace)


def test_padding_and_neighbours_change_nothing_and_documents_are_kept_apart() -> None:
    made = network(layers=OVER, features=2)
    small = example([1, 0], features=[[0.1, 1.0], [2.0, 0.3]])
    large = example([1, 0, 0, 1, 1], rows=3, features=[[0.1 * one, 1.0] for one in range(5)])
    both, alone = made.log_probs(batch(small, large)), [made.log_probs(batch(one)) for one in (small, large)]
    torch.testing.assert_close(both, torch.cat(alone))
    assert there(batch(small, large)).sum(1).tolist() == [2, 5]


def test_rows_that_are_read_one_after_the_other_give_the_same_vectors() -> None:
    made, given = network(), batch(example([1] * 6, rows=3), example([0, 0]))
    for at_once in (1, 2, 3, 9):
        torch.testing.assert_close(made.vectors(given, at_once), made.vectors(given))


def test_frozen_layers_keep_their_weights_and_drop_nothing() -> None:
    made = network(frozen_layers=1, dropout=0.5).train()
    (-made(batch(example([1, 0]))).target_log_probs.sum()).backward()
    learning = {name for name, one in made.named_parameters() if one.grad is not None}
    assert learning
    assert not any(name.startswith(("source_embedding", "second_segment", "encoder.layers.0")) for name in learning)
    assert any(name.startswith("encoder.layers.1") for name in learning)
    assert made.learns_vectors
    whole = network(frozen_layers=2, dropout=0.5).train()
    first, second = (whole.vectors(batch(example([1, 0]))) for _ in range(2))
    assert torch.equal(first, second)
    assert not whole.learns_vectors


def test_every_weight_learns_but_those_of_words() -> None:
    made = network(layers=OVER, features=2)
    given = span_batch(
        [
            rows_of_example(
                SpanExample([[BOS, 7, EOS, 8, 9, EOS]], [[[(0, 3, 5)]]] * 2, [1, 0], features=[[1.0, 2.0], [0.5, 0.1]])
            )
        ],
        1,
    )
    (-made(given).target_log_probs.sum()).backward()
    still = {name for name, one in made.named_parameters() if one.grad is None}
    assert still == {"source_embedding.word_embeddings.weight"}


def test_states_of_two_texts_are_those_of_a_bert(tmp_path: Path) -> None:
    """A converted BERT of one layer, and its formula."""
    pytest.importorskip("safetensors")
    from safetensors.torch import load_file

    from nutgraf.checkpoint import read_tensors
    from nutgraf.conversion import convert
    from nutgraf.systems import sections_of
    from tiny_bert import PIECES, plain_bert, plain_states

    plain_bert(tmp_path / "bert")
    convert(tmp_path / "bert", tmp_path / "begun", sections_of)
    given = read_tensors(tmp_path / "begun" / "weights.safetensors")
    encoder = {"kind": "transformer", "num_layers": 1, "ffn_dim": 6, "norm": "post", "activation": "gelu"}
    embedding = {"position_embedding": "learned", "scale": False, "norm": True}
    sizes = {"d_model": 4, "max_positions": 64, "item_size": 4, "layer_norm_eps": 1e-12}
    count = len(given["source_embedding.word_embeddings.weight"])
    options = {"num_heads": 2, "dropout": 0.0, "encoder": encoder, "embedding": embedding, **sizes}
    made = SpanClassifier(configure(Config, options, "model"), count).eval()
    missing = made.load_state_dict({name: one for name, one in given.items() if name in made.state_dict()}, False)
    assert all(name.startswith(made.ABOVE) for name in missing.missing_keys)
    texts = ["[CLS]", "the", "ferry", "[SEP]", "agnes", "left", "[SEP]"]
    theirs = plain_states(
        load_file(tmp_path / "bert" / "model.safetensors"), [PIECES.index(one) for one in texts], [0, 0, 0, 0, 1, 1, 1]
    )
    ours = {"[CLS]": BOS, "[SEP]": EOS}
    names = _tokens(tmp_path / "begun" / "tokenizer")
    ids = torch.tensor([[ours[one] if one in ours else names.index(one) for one in texts]])
    row = span_batch([rows_of_example(SpanExample([ids[0].tolist()], [[[(0, 0, 1)]]], [0]))], 1)
    states = made.states(made.source_embedding.word_embeddings(ids), second_texts(ids), row)
    np.testing.assert_allclose(states[0].detach().numpy(), theirs.detach().numpy(), atol=1e-5)


def _tokens(folder: Path) -> list[str]:
    from nutgraf.tokenizers import tokenizers

    made = tokenizers.make("wordpiece")
    made.load(folder)
    return list(made.tokens)

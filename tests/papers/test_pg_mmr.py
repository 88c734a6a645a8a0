"""Lebanoff, Song and Liu 2018 (PG-MMR): maximal marginal relevance in the search, by hand and by plain formulas."""

from __future__ import annotations

import bisect
import itertools
import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

import nutgraf  # noqa: E402
from nutgraf.checkpoint import create_folder, write_tensors  # noqa: E402
from nutgraf.checkpoint import weights as weights_of  # noqa: E402
from nutgraf.decoding.processors import Hypotheses, Limits, SearchContext, SourceSentences, processors  # noqa: E402
from nutgraf.decoding.processors.mmr import extend_lcs  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, Phrases  # noqa: E402
from nutgraf.model.seq2seq import Config as Network  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from tiny_network import NOTICES, build, tiny  # noqa: E402

STOP, A, B, C, D, E, F = 4, 5, 6, 7, 8, 9, 10
SOURCE = [A, B, C, STOP, B, D, STOP, E, F, STOP]
SENTENCES = SourceSentences(starts=(0, 4, 7), importance=(1.0, 0.5, 0.2), length=10)
SENTENCE_OF = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]


def make(sentences=SENTENCES, source=SOURCE, **options):
    limits = Limits(sentence_ends=[STOP], sentences=[sentences])
    context = SearchContext(torch.tensor([source]), 11, 11, 0, 99, limits)
    return processors.make("mmr", context, **options)


def weights(processor, *summaries):
    """What the attention to the first word of each sentence is multiplied by, for hypotheses of one document."""
    bias = processor.source_bias(Hypotheses(torch.tensor([summaries], dtype=torch.long), [0], torch.zeros(1)))
    return bias.exp()[0, :, [0, 4, 7]].tolist()


def test_mmr_is_importance_less_redundancy():
    """λ = 0.6: 0.6, 0.3 and 0.12 at first. After "a b" R = 2/3, 1/2, 0, so 0.6 − 0.4 · 2/3 = 1/3, 0.1 and 0.12. After
    "a b b d" R = 2/3, 1, 0, so 1/3, 0 and 0.12."""
    mmr = make(weights="mmr", num_sentences=3)
    for summary, expected in [
        ([], [0.6, 0.3, 0.12]),
        ([A, B, STOP], [1 / 3, 0.1, 0.12]),
        ([A, B, STOP, B, D, STOP], [1 / 3, 0.0, 0.12]),
    ]:
        assert weights(mmr, summary)[0] == pytest.approx(expected)


def test_the_best_k_are_seen_and_all_others_muted():
    mmr = make(num_sentences=2)
    assert weights(mmr, []) == [[1, 1, 0]]
    assert weights(mmr, [A, B, STOP]) == [[1, 0, 1]]
    assert weights(make(num_sentences=1), [A, B, STOP]) == [[1, 0, 0]]


def test_it_is_computed_anew_only_when_a_sentence_ends():
    mmr = make(num_sentences=2)
    assert weights(mmr, [A, B]) == [[1, 1, 0]]
    assert weights(mmr, [A, B, STOP, E, F]) == weights(mmr, [A, B, STOP])


def test_each_hypothesis_has_a_view_of_its_own():
    mmr = make(num_sentences=2)
    assert weights(mmr, [A, B, STOP], [E, F, STOP], [A, B, C]) == [[1, 0, 1], [1, 1, 0], [1, 1, 0]]
    assert weights(mmr, [E, F, STOP, A], [A, B, STOP, A], [A, B, C, STOP]) == [[1, 1, 0], [1, 0, 1], [1, 0, 1]]


def test_where_no_sentence_is_relevant_all_are_seen():
    """λ = 0 gives −R, which is never above 0."""
    assert weights(make(importance_weight=0.0), [A, B, STOP]) == [[1, 1, 1]]


def test_unknown_sentences_mute_nothing():
    context = SearchContext(torch.tensor([SOURCE]), 11, 11, 0, 99, Limits(sentence_ends=[STOP]))
    made = processors.make("mmr", context)
    assert made.source_bias(Hypotheses(torch.tensor([[[A, STOP]]]), [0], torch.zeros(1, 1))) is None


def slow_lcs(ours, theirs):
    """The longest common subsequence, by trying all subsequences."""
    for length in range(len(ours), 0, -1):
        for places in itertools.combinations(range(len(ours)), length):
            rest = iter(theirs)
            if all(ours[place] in rest for place in places):
                return length
    return 0


def test_lcs_grows_token_by_token_as_its_definition_says():
    generator = torch.Generator().manual_seed(3)
    rows = torch.randint(0, 4, (5, 7), generator=generator)
    text = torch.randint(0, 4, (11,), generator=generator).tolist()
    common = torch.zeros_like(rows)
    for written, token in enumerate(text, 1):
        common = extend_lcs(common, rows == token)
        expected = [[slow_lcs(row[:length], text[:written]) for length in range(1, 8)] for row in rows.tolist()]
        assert common.tolist() == expected


def pointer_generator() -> Seq2Seq:
    torch.manual_seed(4)
    options = {
        "d_model": 5, "num_heads": 1, "dropout": 0.0, "max_positions": 32, "coverage": {"mode": "exact"},
        "embedding": {"position_embedding": "none", "scale": False},
        "encoder": {"kind": "recurrent", "hidden_size": 3},
        "decoder": {"kind": "recurrent", "hidden_size": 7, "attention_dim": 11},
        "head": {"kind": "pointer", "p_copy_input": "context_state_input"},
    }  # fmt: skip
    network = Seq2Seq(configure(Network, options, "model"), 8)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn_like(weight) * 0.7)
    return network.double().eval()


def plain_weights(summary: list[int], source: list[int]) -> Tensor:
    """Steps 3 to 6 of PG-MMR, K = 1: the weight of each word."""
    ended = max((place + 1 for place, one in enumerate(summary) if one == STOP), default=0)
    written = [one for one in summary[:ended] if one != STOP]
    mmr = []
    for sentence, importance in enumerate((1.0, 0.8, 0.0)):
        words = [one for one, of in zip(source, SENTENCE_OF, strict=True) if of == sentence and one != STOP]
        mmr.append(max(0.0, 0.6 * importance - 0.4 * slow_lcs(words, written) / len(words)))
    best = mmr.index(max(mmr))
    return torch.tensor([float(of == best) for of in SENTENCE_OF], dtype=torch.double)


def plain_log_probs(network: Seq2Seq, batch: Batch, summary: list[int]) -> Tensor:
    """The pointer-generator as its paper writes it, with reweighted attention, from the first word on."""
    seen, decoder, head = network.encode(batch), network.decoder, network.head
    states, source = seen.encoder_hidden_states[0], batch.source_extended[0]
    final_cell, final_hidden = (one[0] for one in seen.final_state)
    cell, hidden = torch.relu(decoder.cell_init(final_cell)), torch.relu(decoder.hidden_init(final_hidden))
    context, covered, attention = torch.zeros(6).double(), torch.zeros(len(source)).double(), decoder.cross_attention
    for place, word in enumerate([BOS, *summary]):
        embedded = network.target_embedding.word_embeddings.weight[UNK if word >= 8 else word]
        merged = decoder.in_proj(torch.cat([embedded, context]))
        hidden, cell = (one[0] for one in decoder.lstm(merged[None], (hidden[None], cell[None])))
        query = attention.query_proj(torch.cat([cell, hidden]))
        compared = torch.tanh(attention.key_proj(states) + query + covered[:, None] * attention.coverage_weight)
        weighted = torch.softmax(compared @ attention.score_weight, -1) * plain_weights(
            summary[:place], source.tolist()
        )
        looked = weighted / weighted.sum()
        context, covered = looked @ states, covered + looked
    p_copy = torch.sigmoid(head.p_copy_proj(torch.cat([context, cell, hidden, merged])))
    scores = head.vocab_proj(decoder.out_proj(torch.cat([hidden, context])))
    generated = torch.softmax(scores.index_fill(0, torch.tensor([PAD]), -math.inf), -1)
    probabilities = torch.cat([(1 - p_copy) * generated, torch.zeros(1).double()])
    return probabilities.index_add(0, source, p_copy * looked).log()


@torch.no_grad()
def test_a_wide_beam_finds_what_full_enumeration_finds():
    """All summaries of up to two words over eight words and an unknown one, by cached steps and by plain formulas."""
    network, words = pointer_generator(), [5, 6, 7, STOP, 6, 8, STOP, 7, 7, STOP]
    extended = torch.tensor([words])
    batch = Batch(extended.masked_fill(extended == 8, UNK), extended, extended == 0, Phrases.none(), 1)
    told = SourceSentences((0, 4, 7), (1.0, 0.8, 0.0), 10)
    config = Config(
        beam_size=100,
        num_return_sequences=100,
        max_length=2,
        early_stopping=False,
        processors={"mmr": processors.choose("mmr", num_sentences=1)},
    )
    [found] = search(network, batch, config, Limits(sentence_ends=[STOP], sentences=[told]))
    expected = {}
    for length in range(3):
        for ids in itertools.product([UNK, STOP, 5, 6, 7, 8], repeat=length):
            steps = [plain_log_probs(network, batch, list(ids[:place])) for place in range(length + 1)]
            expected[ids] = sum(float(step[one]) for step, one in zip(steps, [*ids, EOS], strict=True))
    reachable = {ids: log_prob for ids, log_prob in expected.items() if log_prob > -math.inf}
    assert {one.ids: one.log_prob for one in found} == pytest.approx(reachable)
    plain = {one.ids: one.log_prob for one in search(network, batch, config)[0]}
    assert plain != pytest.approx(reachable)


def test_a_system_shows_its_network_the_sentences_of_a_document(tmp_path: Path):
    """With one sentence at a time and no full stop, a summary is copied from one sentence; without MMR, from more."""
    preset = tiny("pg_mmr", **{"decoding.processors.mmr.num_sentences": 1})
    network, _, learned = build(tmp_path, preset)
    with torch.no_grad():
        network.head.p_copy_proj.bias.fill_(30.0)
    create_folder(tmp_path / "trained", preset, learned, {"preset": preset.name})
    write_tensors(tmp_path / "trained" / "weights.safetensors", weights_of(network))
    repetition = {"decoding.processors.repetition.no_repeat_ngram_size": 1}
    changes = {"decoding.min_length": 6, "decoding.max_length": 6, **repetition}
    confined, free = (
        nutgraf.load(tmp_path / "trained", {**changes, **more})(NOTICES[0][0].replace(".", "!"))
        for more in ({}, {"decoding.processors.mmr": "none"})
    )
    assert len(copied_from(confined)) == 1
    assert len(copied_from(free)) > 1


def copied_from(summary: nutgraf.Summary) -> set[int]:
    """The sentences of the document that words of the summary were copied from."""
    starts = [sentence.start for sentence in summary.document.sentences]
    words = [word for sentence in summary.sentences for word in sentence.words if word.origin is not None]
    return {bisect.bisect_right(starts, word.origin.start) for word in words}

"""Paulus, Xiong and Socher 2018, A Deep Reinforced Model for Abstractive Summarization: intra-attention and the
self-critical policy gradient, by hand and as plain formulas."""

import math
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.coverage import Config as Coverage  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.layers import EmbeddingProjection, Size  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, UNK, EncoderOutput, Trace  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.preparation.scoring import RougeReward  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.tokenizers import tokenizers  # noqa: E402
from nutgraf.training.objectives import objectives  # noqa: E402
from nutgraf.training.objectives.self_critical import roll_out  # noqa: E402
from toy_examples import WORDS, Toy, network  # noqa: E402

BATCH, STEPS, SOURCE, SHORT, INPUT, WIDTH = 2, 5, 7, 3, 3, 4

INTRA = {
    "num_heads": 1,
    "d_model": 6,
    "embedding": {"position_embedding": "none", "scale": False},
    "encoder": {"kind": "recurrent", "hidden_size": 4},
    "decoder": {"kind": "intra_attention"},
    "tie_word_embeddings": "projected",
}


def sigmoid(number):
    return 1 / (1 + math.exp(-number))


def test_looking_back_by_hand():
    """W_d = 1; the states are 1, 2 and 3. c₁ = 0; c₂ = 1; the third step weighs 1 and 2 by e³ and e⁶."""
    decoder = decoders.make("intra_attention", DecoderContext(Size(23, 1, 1, 0.0), 1))
    torch.nn.init.ones_(decoder.self_proj.weight)
    found = decoder._look_back(torch.tensor([[[1.0], [2.0], [3.0]]]))
    assert found.flatten().tolist() == pytest.approx([0, 1, 1 + sigmoid(3)])


def plain(decoder, source, embedded):
    """The equations, one step of one example at a time: states that words are read from, and attention."""
    first = source.final_state_or_mean
    outputs, weights = [], []
    for row in range(BATCH):
        h = source.encoder_hidden_states[row][~source.key_padding_mask[row]]
        state = tuple(one[row][None, None] for one in reversed(first))
        earlier, total = [], None
        for x in embedded[row]:
            out, state = decoder.lstm(x[None, None], state)
            d = out[0, 0]
            e = torch.stack([d @ decoder.cross_proj.weight @ one for one in h])
            raised = e.exp() if total is None else e.exp() / total
            total = e.exp() if total is None else total + e.exp()
            alpha = raised / raised.sum()
            own = torch.zeros_like(d)
            if earlier:
                scores = torch.stack([d @ decoder.self_proj.weight.T @ one for one in earlier]).exp()
                own = sum(w * one for w, one in zip(scores / scores.sum(), earlier, strict=True))
            earlier.append(d)
            outputs.append(torch.cat([d, alpha @ h, own]))
            weights.append(torch.cat([alpha, alpha.new_zeros(SOURCE - len(alpha))]))
    return torch.stack(outputs).view(BATCH, STEPS, -1), torch.stack(weights).view(BATCH, STEPS, -1)


def test_the_decoder_is_the_plain_formula_and_so_are_its_gradients():
    torch.manual_seed(2)
    decoder = decoders.make("intra_attention", DecoderContext(Size(23, INPUT, 1, 0.0), WIDTH)).double()
    states = torch.randn(BATCH, SOURCE, WIDTH, dtype=torch.double, requires_grad=True)
    final = tuple(torch.randn(BATCH, WIDTH, dtype=torch.double, requires_grad=True) for _ in range(2))
    mask = torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT]])
    source = EncoderOutput(states, mask, torch.full((BATCH, SOURCE), 4), final_state=final)
    embedded = torch.randn(BATCH, STEPS, INPUT, dtype=torch.double)
    decoded = decoder(embedded, source, True)
    outputs, weights = plain(decoder, source, embedded)
    assert torch.allclose(decoded.hidden_states, outputs)
    assert torch.allclose(decoded.cross_attention, weights)
    given = [states, *final, *decoder.parameters()]
    found, expected = (
        torch.autograd.grad(one.pow(3).sum() + other.pow(2).sum(), given)
        for one, other in ((decoded.hidden_states, decoded.cross_attention), (outputs, weights))
    )
    for one, other in zip(found, expected, strict=True):
        assert torch.allclose(one, other, atol=1e-10)


def test_the_projection_by_hand():
    """E has the rows 1 and 2, P is 0.5, b is 0 and 1: x = 3 gets 3 tanh 0.5 and 3 tanh 1 + 1."""
    table = torch.nn.Embedding.from_pretrained(torch.tensor([[1.0], [2.0]]), freeze=False)
    projection = EmbeddingProjection(table, 1)
    with torch.no_grad():
        projection.proj.weight.fill_(0.5)
        projection.bias.copy_(torch.tensor([0.0, 1.0]))
    found = projection(torch.tensor([3.0]))
    assert found.tolist() == pytest.approx([3 * math.tanh(0.5), 3 * math.tanh(1) + 1])
    found[1].backward()
    assert table.weight.grad[1].item() == pytest.approx(3 * (1 - math.tanh(1) ** 2) * 0.5)
    assert not table.weight.grad[0].any()


def test_words_are_read_from_their_embeddings():
    """Loss, search and stored weights go through one matrix, which is the target's embeddings'."""
    made = network(**INTRA)
    projection = made.head.vocab_proj
    assert projection.word_embeddings is made.target_embedding.word_embeddings
    assert projection.proj.weight.shape == (6, 3 * 8)
    batch = Toy(3).batch([0, 1, 2])
    made(batch).target_log_probs.sum().backward()
    assert made.target_embedding.word_embeddings.weight.grad[4:].abs().sum(-1).all()
    made.eval()
    found = search(made, batch, Config(beam_size=2, max_length=5, processors={}))
    for row, (one,) in enumerate(found):
        ids = torch.tensor([[BOS, *one.ids, EOS]])
        with torch.no_grad():
            alone = replace(Toy(3).batch([row]), target=ids, target_extended=ids)
            assert float(made(alone).target_log_probs.sum()) == pytest.approx(one.log_prob, abs=1e-4)


def test_temporal_attention_takes_the_place_of_coverage():
    with pytest.raises(PresetError, match="coverage"):
        decoders.make("intra_attention", DecoderContext(Size(23, 5, 1, 0.0), 6, Coverage()))


def overlap(summary, reference):
    """A reward: the share of a summary's words that the reference has."""
    return sum(one in reference for one in summary) / max(1, len(summary))


def words(row):
    return [one for one in row.tolist() if one not in (EOS, PAD)]


def test_the_gradient_is_the_advantage_times_that_of_the_samples_log_probability():
    """(r(ŷ) − r(yˢ)) ∇ log p(yˢ), with p(yˢ) as a product of plain softmaxes."""
    made, batch = network(**{**INTRA, "head": {"kind": "generator"}}).double(), Toy(4).batch([0, 1, 2, 3])
    objective = objectives.make("self_critical", max_length=4)
    objective.judge_by(overlap)
    torch.manual_seed(6)
    loss = objective(made, batch, made(batch))
    torch.manual_seed(6)
    greedy, sample = roll_out(made, batch, 4)
    assert not torch.equal(greedy, sample)
    given = torch.cat([torch.full((4, 1), BOS), sample[:, :-1]], 1)
    decoded = made.decoder(made.target_embedding(given), made.encode(batch), False)
    scores = made.head.vocab_proj(decoded.hidden_states).exp()[..., 1:]
    log_probs = (scores.gather(-1, (sample - 1).clamp_min(0)[..., None]).squeeze(-1) / scores.sum(-1)).log()
    total = log_probs.masked_fill(sample == PAD, 0).sum(1)
    expected = torch.zeros((), dtype=torch.double)
    references = [words(row) for row in batch.target_extended[:, 1:]]
    advantages = []
    for best, drawn, reference, log_prob in zip(greedy, sample, references, total, strict=True):
        advantages.append(overlap(words(best), reference) - overlap(words(drawn), reference))
        expected = expected + advantages[-1] * log_prob
    assert any(advantages)
    assert loss.item() == pytest.approx(expected.item())
    weights = list(made.parameters())
    for one, other in zip(*(torch.autograd.grad(x, weights) for x in (loss, expected)), strict=True):
        assert torch.allclose(one, other, atol=1e-10)


def test_the_greedy_summary_is_that_of_greedy_search():
    made, batch = network(**INTRA).train(), Toy(4).batch([0, 1, 2, 3])
    greedy, sample = roll_out(made, batch, 5)
    assert made.training
    found = search(made.eval(), batch, Config(beam_size=1, max_length=5, processors={}))
    assert [tuple(words(row)) for row in greedy] == [one.ids for (one,) in found]
    for row in sample.tolist():
        after = row[row.index(EOS) + 1 :] if EOS in row else []
        assert set(after) <= {PAD}


def test_the_reward_of_what_is_drawn_rises():
    """Ten texts, four words at most; the reward is the share of words that the source's first three words have."""
    made, examples = network(**INTRA), Toy(10)
    batch = examples.batch(range(10))
    objective = objectives.make("self_critical", max_length=4)
    objective.judge_by(overlap)

    def mean_reward():
        torch.manual_seed(1)
        references = [words(row) for row in batch.target_extended[:, 1:]]
        drawn = [zip(roll_out(made, batch, 4)[1], references, strict=True) for _ in range(3)]
        return sum(overlap(words(row), reference) for one in drawn for row, reference in one) / 30

    before = mean_reward()
    optimizer = torch.optim.Adam(made.parameters(), lr=0.05)
    torch.manual_seed(2)
    for _ in range(25):
        optimizer.zero_grad()
        (objective(made, batch, Trace()) / 10).backward()
        optimizer.step()
    assert mean_reward() > before + 0.2


def test_without_a_reward_there_is_no_loss():
    made, batch = network(), Toy(1).batch([0])
    with pytest.raises(ValueError, match="no reward"):
        objectives.make("self_critical")(made, batch, made(batch))


def test_rouge_l_of_ids_by_hand():
    """Of "the cat sat", written "the dog sat on": a common subsequence of 2, P = 2/4, R = 2/3, F = 4/7. Unknown words
    of the source are words; those of nobody are equal to nothing."""
    tokenizer = tokenizers.make("words")
    tokenizer.train(["the cat sat on the dog"])
    ids = {token: number for number, token in enumerate(tokenizer.tokens)}
    reward, beyond = RougeReward(tokenizer), len(tokenizer)

    def of(text):
        return [ids[word] for word in text.split()]

    assert reward(of("the dog sat on"), of("the cat sat")) == pytest.approx(4 / 7, abs=1e-5)
    assert reward([beyond, beyond + 1], [beyond + 1]) == pytest.approx(2 / 3, abs=1e-5)
    assert reward([UNK], [UNK]) == 0
    assert reward([], of("the cat")) == 0


def test_the_presets_are_the_papers():
    config = read("intra_attention").config
    made = Seq2Seq(config.model, WORDS)
    assert made.encoder.hidden_size == made.decoder.lstm.hidden_size == 400
    assert made.source_embedding.word_embeddings.weight.shape == (WORDS, 100)
    assert made.head.vocab_proj.proj.weight.shape == (100, 3 * 400)
    assert config.training.scheduled_sampling == 0.25
    mixed = read("intra_attention_ml_rl").config.training.objectives
    assert mixed["self_critical"].config.weight == 0.9984
    assert mixed["self_critical"].config.weight + mixed["likelihood"].config.weight == pytest.approx(1)
    assert set(read("intra_attention_rl").config.training.objectives) == {"self_critical"}
    assert read("intra_attention_rl").config.training.schedule.config.learning_rate == 1e-4

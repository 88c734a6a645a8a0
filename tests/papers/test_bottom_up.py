"""Gehrmann, Deng and Rush 2018, Bottom-Up Abstractive Summarization: copying is confined to likely words. By hand; the
labels are in `tests/preparation/test_labels.py`, the selector's network in `tests/model/test_tagger.py`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import nutgraf  # noqa: E402
from nutgraf import checkpoint  # noqa: E402
from nutgraf.decoding.processors import Limits, SearchContext, processors  # noqa: E402
from nutgraf.decoding.search import Config as Search  # noqa: E402
from nutgraf.decoding.search import search  # noqa: E402
from nutgraf.errors import InputError, PresetError  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.head import HeadContext, heads  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import PAD, DecoderOutput, EncoderOutput  # noqa: E402
from nutgraf.presets import Preset  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.systems import sections_of  # noqa: E402
from tiny_network import NOTICES, build, tiny  # noqa: E402

VOCAB_SIZE = 7


def test_the_copying_attention_is_masked_and_sums_to_one_again():
    """a = (0.5, 0.3, 0.2), q = (0.9, 0.1, 0.2), ε = 0.15: ã = (5/7, 0, 2/7). Half is copied, and all words are
    generated alike, but PAD; 5 and 6 stand in the source, 5 twice."""
    size = Size(VOCAB_SIZE, 3, 1, 0.0)
    decoder = decoders.make("recurrent", DecoderContext(size, 3, None), hidden_size=3, attention_dim=3)
    head = heads.make("pointer", HeadContext(size, decoder, 3))
    with torch.no_grad():
        for one in head.parameters():
            one.zero_()
    decoded = DecoderOutput(
        torch.ones(1, 1, 3), torch.ones(1, 1, 3), torch.ones(1, 1, 3), torch.tensor([[[0.5, 0.3, 0.2]]])
    )
    source = torch.tensor([[5, 6, 5]])
    encoded = EncoderOutput(torch.ones(1, 3, 3), source < 0, source)
    q = torch.tensor([[0.9, 0.1, 0.2]])
    trace = head.distribution(decoded, replace(encoded, copyable=q > 0.15), torch.zeros(1, 1, 0, dtype=torch.long))
    assert trace.cross_attention[0, 0].tolist() == pytest.approx([5 / 7, 0, 2 / 7])
    expected = torch.full((VOCAB_SIZE,), 0.5 / 6)
    expected[PAD] = 0.0
    expected[5] += 0.5
    assert torch.allclose(trace.log_probs.exp()[0, 0], expected, atol=1e-6)
    only = head.distribution(decoded, replace(encoded, copyable=source == 6), torch.zeros(1, 1, 0, dtype=torch.long))
    assert only.log_probs.exp()[0, 0, 6].item() == pytest.approx(0.5 / 6 + 0.5)


def selector_of(folder: Path, tokenizer: Path, like: Preset, **changes: object) -> Path:
    """A model folder of a selector that was not trained, but has opinions, with the tokenizer of another network."""
    tokens = {f"tokenizer.{key}": value for key, value in like.section("tokenizer").items()}
    small = {"model.d_model": 5, "model.encoder.hidden_size": 7, "model.encoder.num_layers": 1}
    preset = read("bottom_up_selector", {**tokens, **small, **changes})
    made = checkpoint.tokenizers.build(preset.options("tokenizer"))
    made.load(tokenizer)
    network = checkpoint.build(preset, len(made))
    torch.manual_seed(2)
    with torch.no_grad():
        for one in network.parameters():
            one.copy_(torch.randn_like(one))
    checkpoint.create_folder(folder, preset, tokenizer, {"preset": "bottom_up_selector"})
    checkpoint.write_tensors(folder / "weights.safetensors", checkpoint.weights(network))
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory):
    """A small Bottom-Up that always copies, its sources, its folder and its selector."""
    folder = tmp_path_factory.mktemp("bottom_up")
    preset = tiny("bottom_up")
    network, batch, tokenizer = build(folder, preset)
    with torch.no_grad():
        network.head.p_copy_proj.bias.fill_(30.0)
    checkpoint.create_folder(folder / "writer", preset, tokenizer, {"preset": preset.name})
    checkpoint.write_tensors(folder / "writer" / "weights.safetensors", checkpoint.weights(network))
    selector = selector_of(folder / "selector", tokenizer, preset)
    return network.eval(), batch, folder / "writer", selector


@pytest.fixture(scope="module")
def q(made):
    """The selector's probabilities of the words of the sources."""
    return checkpoint.load(made[3], sections_of).network.probabilities(made[1])


def settings(selector: Path, threshold: float) -> Search:
    chosen = processors.choose("selector", folder=str(selector), threshold=threshold)
    return Search(beam_size=3, max_length=9, processors={"selector": chosen})


def test_only_likely_words_are_copied(made, q):
    network, batch, _, selector = made
    threshold = q[~batch.key_padding_mask].median().item()
    likely = q > threshold
    assert likely.any(1).all()
    assert (~likely & ~batch.key_padding_mask).any(1).all()
    free = search(network, batch, Search(beam_size=3, max_length=9, processors={}))
    bound = search(network, batch, settings(selector, threshold))
    for row, each in enumerate(bound):
        allowed = {*batch.source_extended[row, likely[row]].tolist()}
        assert {*each[0].ids} <= allowed
        assert all(likely[row, at] for at in each[0].source_positions)
    assert [each[0].ids for each in bound] != [each[0].ids for each in free]


def test_where_no_word_is_likely_all_may_be_copied(made, q):
    network, batch, _, selector = made
    free = search(network, batch, Search(beam_size=3, max_length=9, processors={}))
    bound = search(network, batch, settings(selector, q.max().item()))
    assert [each[0].ids for each in bound] == [each[0].ids for each in free]


def test_a_system_takes_its_selector_by_name(made):
    _, _, writer, selector = made
    options = {"decoding.processors.selector.folder": str(selector), "decoding.processors.selector.threshold": 0.3}
    plain, bound = nutgraf.load(writer)(NOTICES[0][0]), nutgraf.load(writer, options)(NOTICES[0][0])
    assert bound.sentences
    assert bound.signature != plain.signature


def context(tokens: list[str] | None = None, size: int = VOCAB_SIZE, copies: bool = True) -> SearchContext:
    return SearchContext(torch.tensor([[5, 6]]), size, size, 0, 9, Limits(tokens=tokens), copies)


def test_a_selector_has_to_be_named():
    with pytest.raises(PresetError, match=r"--set.*decoding\.processors\.selector\.folder"):
        processors.make("selector", context())


def test_what_does_not_copy_cannot_be_confined(tmp_path: Path):
    with pytest.raises(PresetError, match="network"):
        processors.make("selector", context(copies=False), folder=str(tmp_path))


def test_another_tokenizer_is_refused(made):
    selector = str(made[3])
    tokens = list(checkpoint.load(selector, sections_of).tokenizer.tokens)
    processors.make("selector", context(tokens, len(tokens)), folder=selector)
    with pytest.raises(InputError, match="tokenizer"):
        processors.make("selector", context(size=len(tokens) + 1), folder=selector)
    with pytest.raises(InputError, match=r"--tokenizer.*FOLDER"):
        processors.make("selector", context(tokens[::-1], len(tokens)), folder=selector)


def test_another_network_is_no_selector(made, tmp_path: Path):
    with pytest.raises(InputError, match="'bottom_up'"):
        processors.make("selector", context(), folder=str(made[2]))
    with pytest.raises(InputError, match="trained"):
        processors.make("selector", context(), folder=str(tmp_path))


@pytest.mark.parametrize("size", ["", "_small"])
def test_of_one_corpus_both_networks_learn_the_same_tokenizer(size: str):
    writer, selector = (read(f"{name}{size}") for name in ("bottom_up", "bottom_up_selector"))
    assert writer.options("tokenizer") == selector.options("tokenizer")
    assert writer.options("truncation") == selector.options("truncation")

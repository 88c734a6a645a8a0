"""Source ablation of summaries by networks: of transformers, of ours, from Python, the command, JSON and the page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("transformers")

import nutgraf
import tiny_pretrained
from nutgraf.cli.app import app
from nutgraf.errors import InputError
from nutgraf.report import render
from tiny_network import NOTICES, tiny, train
from tiny_pretrained import ISLAND, SAID

FERRY = NOTICES[0][0]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    place = tmp_path_factory.mktemp("ablated")
    kinds = {"bart": tiny_pretrained.bart, "chat": tiny_pretrained.llama}
    return {name: make(place / name) for name, make in kinds.items()}


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    return nutgraf.load(train(tmp_path_factory.mktemp("ours"), tiny("sagcopy_indegree_1"), steps=10)[0])


@pytest.mark.parametrize("name", ["bart", "chat"])
def test_each_sentence_has_weights_and_the_same_again(folders, name):
    system = nutgraf.load(f"hf:{folders[name]}")
    summary = system(ISLAND)
    found = system.ablate(summary, 8)
    assert " ".join(one.text for one in found.sentences) == SAID
    assert found.passes == 9
    assert all(one.log_prob < 0 for one in found.sentences)
    assert system.ablate(summary, 8) == found
    for one in (weight for sentence in found.sentences for weight in sentence.weights):
        assert ISLAND[one.origin.start : one.origin.end] == one.text


def test_probabilities_are_those_that_search_finds(folders):
    """The model writes `SAID` by greedy search; given it, each token's probability is the network's greatest one."""
    import torch

    from nutgraf.systems._ablated_windows import GivenSummary
    from nutgraf.systems._prompt import Prompt

    model = nutgraf.load(f"hf:{folders['chat']}")._model
    given = GivenSummary(model, SAID.split("keeper"))
    prompt = model.conversation(Prompt("Say it.", 0)).said
    ids = model.tokenizer(prompt, add_special_tokens=False)["input_ids"]
    together = torch.tensor([[*ids, *given._ids]])
    with torch.inference_mode():
        log_probs = model.network(together).logits.log_softmax(-1)[0, len(ids) - 1 : -1]
    expected = log_probs.gather(1, torch.tensor(given._ids)[:, None]).sum()
    assert given.log_probs([prompt]).sum() == pytest.approx(float(expected), rel=1e-4)
    padded = given.log_probs([prompt, prompt + " And once more, with more words in front."])
    assert padded[0] == pytest.approx(given.log_probs([prompt])[0], rel=1e-3)


def test_a_source_in_windows_leaves_out_sentences_of_one(tmp_path):
    system = nutgraf.load(f"hf:{tiny_pretrained.bart(tmp_path / 'short', context=64)}")
    summary = system(ISLAND)
    found = system.ablate(summary, 4)
    assert found.stretches > 1
    assert found.passes > found.stretches + 2


def test_what_is_left_of_a_window_has_neither_the_sentence_nor_the_space_behind_it():
    from nutgraf.systems._ablated_windows import _left
    from nutgraf.systems._windows import windows
    from nutgraf.text.document import Document

    document = Document.of("One is here. Two is there.\n\nThree stands alone.")
    [window] = windows(document, [(0, len(document.text))], 1000, 0, len)
    assert _left(window, []) == "One is here. Two is there.\n\nThree stands alone."
    assert _left(window, [0]) == "Two is there.\n\nThree stands alone."
    assert _left(window, [1]) == "One is here.\n\nThree stands alone."
    assert _left(window, [2]) == "One is here. Two is there."
    assert _left(window, [0, 1, 2]) == ""


def test_a_network_of_ours_is_given_what_it_wrote(ours):
    summary = ours(FERRY)
    found = ours.ablate(summary)
    assert [one.text for one in found.sentences] == [one.text for one in summary.sentences]
    assert found.ablations == 15  # four sentences have no more subsets
    assert any(one.weights for one in found.sentences)
    assert ours.ablate(summary) == found


def test_a_word_that_only_a_removed_sentence_has_keeps_its_id(ours):
    from nutgraf.systems._ablated_source import GivenSummary

    source = ours._preparation.source(ours("Zyx came by boat. The ferry Agnes left at noon.").document)
    without = GivenSummary(ours._preparation, source, ["The ferry left."])._without([False, True])
    assert without.unknown == source.unknown
    assert without.extended.tolist() == source.extended.tolist()[-len(without.extended) :]


def test_the_command_prints_weights_json_and_a_page(ours, tmp_path):
    text, page = tmp_path / "ferry.txt", tmp_path / "page.html"
    text.write_text(FERRY)
    said = ["summarize", str(text), "--system", str(Path(ours.preset.origin).parent), "--ablate"]
    plain = CliRunner().invoke(app, said)
    assert "16 forward" in plain.stderr
    assert re.search(r"^1  rests on \(ablation, R² ", plain.stdout, re.MULTILINE)
    made = CliRunner().invoke(app, [*said, "--json", "--report", str(page)])
    found = json.loads(made.stdout)["ablation"]
    assert found["ablations"] == 15
    assert found["sentences"][0]["number"] == 1
    weight = next(one for sentence in found["sentences"] for one in sentence["weights"])
    html = page.read_text()
    assert "Ablation" in html
    assert f'id="at-{weight["start"]}"' in html
    assert f'href="#at-{weight["start"]}"' in html


def test_ablation_needs_a_network_and_one_summary(tmp_path):
    text = tmp_path / "island.txt"
    text.write_text(ISLAND)
    found = CliRunner().invoke(app, ["summarize", str(text), "--system", "lead", "--ablate"])
    assert "asks a network that writes; 'lead' has none" in str(found.exception)
    found = CliRunner().invoke(app, ["summarize", str(text), "--ablate", "--each"])
    assert str(found.exception) == "--ablate looks into one summary; leave out --each."


def test_a_page_is_made_of_records_only(ours):
    with pytest.raises(InputError, match="Ablation"):
        render(ours(FERRY), ablation=Path())


def test_a_summary_of_no_sentence_rests_on_nothing(ours):
    summary = replace(ours(FERRY), sentences=())
    found = ours.ablate(summary)
    assert (found.sentences, found.passes) == ((), 0)

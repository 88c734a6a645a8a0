"""A regression of sentences' importance: its loss by hand, and what it is worth in a search."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from typer.testing import CliRunner  # noqa: E402

import nutgraf  # noqa: E402
from nutgraf.checkpoint import create_folder, write_tensors  # noqa: E402
from nutgraf.checkpoint import weights as weights_of  # noqa: E402
from nutgraf.cli.app import app  # noqa: E402
from nutgraf.decoding.importance import Regressor, as_json, read_regressor, scaled, sentence_features  # noqa: E402
from nutgraf.decoding.processors import Hypotheses, Limits, SearchContext, SourceSentences, processors  # noqa: E402
from nutgraf.errors import InputError  # noqa: E402
from nutgraf.evaluation.importance import regression  # noqa: E402
from nutgraf.model.records import EncoderOutput  # noqa: E402
from tiny_network import NOTICES, build, tiny  # noqa: E402

STOP = 4
STATES = torch.tensor([[1.0, 0.0], [3.0, 2.0], [0.0, 4.0], [9.0, 9.0]])
SENTENCES = SourceSentences(starts=(0, 2), importance=(0.25, 1.0), length=3)


def test_features_by_hand():
    """Words 1 and 2 make the first sentence, word 3 the second; the last place is padding. h = (2, 1), (0, 4), and
    d = (4/3, 2)."""
    expected = [
        [math.log(3), 0, 0, 0.25, 2, 1, 8 / 3, 2],
        [math.log(2), 1, 0.5, 1.0, 0, 4, 0, 8],
    ]
    assert sentence_features(STATES, SENTENCES).tolist() == [pytest.approx(row) for row in expected]


@pytest.mark.parametrize(("penalty", "weight"), [(2.0, 0.25), (0.5, 0.4), (0.1, 1 / 2.1)])
def test_the_loss_has_its_minimum_where_it_should(penalty, weight):
    """One feature, −1 and 1, with targets −1 and 1, and ε = ½: λ/2 w² + (½ − w)² is least at w = 1/(λ + 2)."""
    found = regression(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), penalty, insensitive=0.5)
    assert found.weights[0] == pytest.approx(weight, abs=1e-6)
    assert found.bias == pytest.approx(0, abs=1e-6)


def test_features_are_standardized_and_one_that_never_changes_does_no_harm():
    """The feature is 10 ± 4, the other always 3: at 14 the rating is the w of the case above, at 10 the bias, 0."""
    found = regression(np.array([[6.0, 3.0], [14.0, 3.0]]), np.array([-1.0, 1.0]), 2.0, insensitive=0.5)
    assert found.mean == (10, 3)
    assert found.deviation == (4, 1)
    assert found.rate(torch.tensor([[14.0, 3.0], [10.0, 5.0]])).tolist() == pytest.approx([0.25, 0.0], abs=1e-6)


def by_place(hidden=2):
    """Rates by the place in the source alone: later sentences higher."""
    size = 4 + 2 * hidden
    return Regressor((0.0,) * size, (1.0,) * size, (0.0, 3.0, *[0.0] * (size - 2)), 7.0)


def test_a_search_takes_the_importance_of_the_regression(tmp_path):
    """The sentences' places 0, 1, 2 are rated 7, 10, 13, so their importance is 0, ½, 1, and with λ = 0.6 and nothing
    written MMR is 0, 0.3, 0.6."""
    file = tmp_path / "importance.json"
    file.write_text(as_json(by_place()))
    sentences = SourceSentences(starts=(0, 2, 3), importance=(1.0, 0.5, 0.0), length=4)
    source = torch.tensor([[5, STOP, STOP, 6]])
    context = SearchContext(source, 9, 9, 0, 9, Limits(sentence_ends=[STOP], sentences=[sentences]))
    mmr = processors.make("mmr", context, weights="mmr", regressor=str(file))
    mmr.begin(EncoderOutput(torch.randn(1, 4, 2), source == 0, source))
    bias = mmr.source_bias(Hypotheses(torch.zeros(1, 1, 0, dtype=torch.long), [0], torch.zeros(1, 1)))
    assert bias.exp()[0, 0].tolist() == pytest.approx([0, 0, 0.3, 0.6])
    with pytest.raises(InputError, match=r"2 wide.*3 wide"):
        mmr.begin(EncoderOutput(torch.randn(1, 4, 3), source == 0, source))


def test_where_none_is_more_important_all_are():
    assert scaled(torch.tensor([2.0, 2.0])).tolist() == [1, 1]


def test_a_file_is_read_as_it_was_written(tmp_path):
    file = tmp_path / "importance.json"
    file.write_text(as_json(by_place()))
    assert read_regressor(str(file)) == by_place()
    assert read_regressor(str(file)).hidden_size == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [({"weights": [1.0]}, "feature"), ({"deviation": [0.0] * 8}, "deviation"),
     ({"format": "other"}, "format is 'other'"), ({"mean": ["a"]}, r"mean\[0\] is 'a'")],
)  # fmt: skip
def test_another_file_is_refused(tmp_path, change, message):
    file = tmp_path / "importance.json"
    file.write_text(json.dumps({**json.loads(as_json(by_place())), **change}))
    with pytest.raises(InputError, match=message):
        read_regressor(str(file))
    with pytest.raises(InputError, match=r"none\.json"):
        read_regressor(str(tmp_path / "none.json"))


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pg_mmr")
    preset = tiny("pg_mmr", **{"decoding.processors.mmr.num_sentences": 1})
    network, _, learned = build(folder, preset)
    create_folder(folder / "trained", preset, learned, {"preset": preset.name})
    write_tensors(folder / "trained" / "weights.safetensors", weights_of(network))
    return folder / "trained"


@pytest.fixture
def data(tmp_path):
    file = tmp_path / "notices.jsonl"
    lines = [json.dumps({"text": text, "summary": summary}) for text, summary in NOTICES * 4]
    file.write_text("\n".join([*lines, json.dumps({"text": "Nothing is said of it.", "summary": "Nothing."})]))
    return file


def run(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_a_regression_is_fitted_from_the_command_line_and_used(trained, data, tmp_path):
    """Of three texts, each four times, the regression knows by heart which sentence is nearest to the summary."""
    output = tmp_path / "importance.json"
    result = run("tune", trained, "--data", data, "-o", output)
    assert (result.exit_code, result.stdout) == (0, ""), result.output
    assert "12 sources" in result.stderr
    fitted = read_regressor(str(output))
    system = nutgraf.load(trained, {"decoding.processors.mmr.regressor": str(output)})
    document = nutgraf.Document.of(NOTICES[0][0])
    states, sentences, texts = system.encoded_sentences(document)
    rated = scaled(fitted.rate(sentence_features(states, sentences)))
    assert len(texts) == len(rated) == 4
    assert float(rated[2]) > 0.8, "the ferry's mast, which its summary is about"
    assert system(document).sentences
    assert system.signature != nutgraf.load(trained).signature


def test_what_does_not_fit_a_network_is_refused(trained, data, tmp_path):
    output = tmp_path / "importance.json"
    for options, message in (
        (["-o", tmp_path / "importance.toml"], "A regression is a .json file"),
        (["-o", output, "--step", "0.5"], "are for two-stage systems"),
        (["-o", output, "--limit", "2"], "2 of the examples have references"),
    ):
        assert message in str(run("tune", trained, "--data", data, *options).exception)
        assert not output.exists()

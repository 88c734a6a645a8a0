"""The moving average of the weights: worked by hand, measured, kept for use, and resumed to the last bit."""

import pytest

pytest.importorskip("torch")

import torch

from nutgraf.checkpoint import WEIGHTS, digest_of, load_weights, read_tensors, weights
from nutgraf.errors import InputError, PresetError
from nutgraf.presets import configure
from nutgraf.training.config import Config
from nutgraf.training.ema import WeightAverage
from nutgraf.training.events import Validation
from nutgraf.training.setup import assemble
from nutgraf.training.store import OPTIMIZER, UNAVERAGED
from toy_examples import Toy, network

QUICK = {
    "max_steps": 11,
    "batch_size": 5,
    "batch_type": "examples",
    "gradient_accumulation_steps": 1,
    "validate_every": 3,
    "patience": 0,
    "checkpoint_minutes": 0.0,
    "device": "cpu",
    "precision": "fp32",
    "threads": 1,
    "schedule": {"kind": "constant", "learning_rate": 0.01},
}


def trainer(folder, model=None, **changes):
    reports = []
    model = network(dropout=0.2) if model is None else model
    config = configure(Config, {**QUICK, **changes}, "training")
    return assemble(config, model, Toy(20), Toy(7, seed=1), folder, 5, listeners=[reports.append]), reports


def last(folder):
    """The digests of the tensors of the last checkpoint, by file."""
    paths = (folder / "checkpoints" / "last").glob("*.safetensors")
    return {path.name: digest_of(read_tensors(path)) for path in paths}


def test_three_updates_by_hand():
    """The decays are 2/11, 3/12 and then, as 4/13 is more, 0.3."""
    model = torch.nn.Linear(2, 1)
    model.bias.requires_grad_(False)
    average = WeightAverage(0.3, model)
    begun = model.weight.detach().clone()
    for step, moved in enumerate((11.0, 4.0, 10.0), start=1):
        with torch.no_grad():
            model.weight.copy_(begun + moved)
            model.bias.fill_(step)
        average.update()
    # 9/11 · 11 = 9; 1/4 · 9 + 3/4 · 4 = 5.25; 0.3 · 5.25 + 0.7 · 10 = 8.575
    found = average.all_weights()
    torch.testing.assert_close(found["weight"], begun + 8.575)
    assert found["bias"].tolist() == [3.0], "what does not learn is as the network has it"


def test_weights_are_exchanged_and_come_back_to_the_last_bit():
    model = network()
    average = WeightAverage(0.9, model)
    begun = digest_of(weights(model))
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(1.1)
    moved = digest_of(weights(model))
    with average.in_use():
        assert digest_of(weights(model)) == begun
    assert (digest_of(weights(model)), digest_of(average.all_weights())) == (moved, begun)


def test_an_average_changes_nothing_of_the_training_itself(tmp_path):
    """Nothing is random in it and no gradient passes through it; a validation gives back the weights it took."""
    plain, averaged = trainer(tmp_path / "plain")[0], trainer(tmp_path / "averaged", ema_decay=0.9)[0]
    plain.run()
    averaged.run()
    one, other = last(tmp_path / "plain"), last(tmp_path / "averaged")
    assert (set(one), set(other)) == ({WEIGHTS, OPTIMIZER}, {WEIGHTS, UNAVERAGED, OPTIMIZER})
    assert one[WEIGHTS] == other[UNAVERAGED] != other[WEIGHTS]
    assert one[OPTIMIZER] == other[OPTIMIZER]


def test_the_average_is_measured_and_its_best_is_the_folder_s(tmp_path):
    made, reports = trainer(tmp_path, ema_decay=0.9)
    made.run()
    best = made.state.best_step
    [loss] = [one.loss for one in reports if isinstance(one, Validation) and one.step == best]
    chosen = read_tensors(tmp_path / WEIGHTS)
    assert digest_of(chosen) == digest_of(read_tensors(tmp_path / "checkpoints" / "best" / WEIGHTS))
    plain, _ = trainer(tmp_path / "other", network(seed=99))
    load_weights(plain.network, chosen, WEIGHTS)
    assert plain.validator.loss(best) == loss


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_resumed_equals_uninterrupted(tmp_path, precision):
    asked = {"ema_decay": 0.7, "precision": precision}
    trainer(tmp_path / "whole", **asked)[0].run()
    trainer(tmp_path / "parts", **asked, max_steps=7)[0].run()
    again, _ = trainer(tmp_path / "parts", network(dropout=0.2, seed=99), **asked)
    again.resume()
    assert again.state.ema_steps == 7
    again.run()
    assert set(last(tmp_path / "whole")) == {WEIGHTS, UNAVERAGED, OPTIMIZER}
    assert last(tmp_path / "whole") == last(tmp_path / "parts")
    assert {one.dtype for one in again.update.average.all_weights().values() if one.is_floating_point()} == {
        torch.float32
    }


def test_a_running_training_takes_an_average_up_and_leaves_it_again(tmp_path):
    trainer(tmp_path / "plain")[0].run()
    trainer(tmp_path / "both", max_steps=4)[0].run()
    for end, decay, steps in ((9, 0.9, 5), (11, 0.0, 0)):
        again, _ = trainer(tmp_path / "both", network(dropout=0.2, seed=99), max_steps=end, ema_decay=decay)
        again.resume()
        again.run()
        assert again.state.ema_steps == steps
    assert last(tmp_path / "plain") == last(tmp_path / "both"), "the average has left no trace in the training"


def test_without_validation_the_last_average_is_taken(tmp_path):
    made, _ = trainer(tmp_path, ema_decay=0.9, validate_every=0)
    made.run()
    assert digest_of(read_tensors(tmp_path / WEIGHTS)) == digest_of(made.update.average.all_weights())


def test_weights_to_go_on_from_are_not_mixed_with_those_of_another_checkpoint(tmp_path):
    for name, seed in (("one", 7), ("two", 8)):
        trainer(tmp_path / name, network(seed=seed), ema_decay=0.9)[0].run()
    places = [tmp_path / name / "checkpoints" / "last" / UNAVERAGED for name in ("one", "two")]
    places[0].rename(places[1])
    with pytest.raises(InputError, match=r"unaveraged\.safetensors"):
        trainer(tmp_path / "two", ema_decay=0.9)[0].resume()


def test_what_cannot_be_averaged_is_said():
    with pytest.raises(PresetError, match="ema_decay"):
        configure(Config, {"ema_decay": 1.0}, "training")
    with pytest.raises(PresetError, match=r"average_checkpoints.*ema_decay"):
        configure(Config, {"ema_decay": 0.9, "average_checkpoints": 3}, "training")

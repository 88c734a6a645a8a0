"""The loop: it learns, it goes on exactly where it was, it stops when it should, and says what is wrong."""

import itertools
import json
import os
import signal
import types

import pytest

pytest.importorskip("torch")

import torch

from nutgraf.checkpoint import WEIGHTS, digest_of, read_tensors, weights
from nutgraf.errors import InputError, NutgrafError, OutputError, PresetError, TrainingError
from nutgraf.presets import configure
from nutgraf.runtime.files import AppendOnlyFile
from nutgraf.training.callbacks import Callback
from nutgraf.training.callbacks.checkpoints import Checkpoints
from nutgraf.training.config import Config
from nutgraf.training.events import Notice, Progress, TrainingState, Validation
from nutgraf.training.limits import describe_epoch, prospect, scheduled_step
from nutgraf.training.machine import Machine
from nutgraf.training.reports import line_of, read_log
from nutgraf.training.setup import CORE, assemble
from toy_examples import Toy, network

QUICK = {
    "max_steps": 17,
    "batch_size": 3,
    "batch_type": "examples",
    "gradient_accumulation_steps": 2,
    "validate_every": 5,
    "patience": 0,
    "checkpoint_every": 4,
    "checkpoint_minutes": 0.0,
    "log_every": 1,
    "device": "cpu",
    "precision": "fp32",
    "threads": 1,  # another number adds in another order, so the last bits of sums would differ
    "schedule": {"kind": "constant", "learning_rate": 0.01},
}


class Scores(Callback):
    def __init__(self, scores):
        self.scores = scores


def trainer(folder, model=None, training=None, validation=None, names=CORE, **changes):
    reports = []
    config = configure(Config, {**QUICK, **changes}, "training")
    made = assemble(
        config,
        network(dropout=0.2) if model is None else model,
        Toy(20) if training is None else training,
        Toy(7, seed=1) if validation is None else validation,
        folder,
        seed=5,
        listeners=[reports.append],
        names=names,
    )
    return made, reports


def listen(made, listener):
    """Have a function told of every report."""
    made.callbacks.listeners.append(listener)


def chosen(made):
    """The folder's weights, as the card says them."""
    [checkpoints] = [one for one in made.callbacks.members if isinstance(one, Checkpoints)]
    return checkpoints.context.chosen.to_json()["weights"]


def losses(reports):
    return [(one.step, one.loss) for one in reports if isinstance(one, (Progress, Validation))]


def test_it_learns_ten_pairs_by_heart(tmp_path):
    made, reports = trainer(
        tmp_path,
        network(),
        Toy(10),
        Toy(10),
        max_steps=200,
        validate_every=200,
        batch_size=5,
        gradient_accumulation_steps=1,
        log_every=200,
        checkpoint_every=200,
    )
    made.run()
    assert losses(reports)[-1][1] < 0.05
    assert made.state.epochs == 100


def test_a_batch_beyond_the_epoch_is_refused(tmp_path):
    first, _ = trainer(tmp_path, max_steps=3)
    first.run()
    path = tmp_path / "checkpoints" / "last" / "state.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "state": {**content["state"], "batch": 7}}))
    with pytest.raises(InputError, match="batch"):
        trainer(tmp_path)[0].resume()


@pytest.mark.parametrize("end", [3, 4, 9, 16])
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_resumed_equals_uninterrupted(tmp_path, end, precision):
    """With dropout, across the borders of epochs (20 examples are 7 batches, 4 steps) and of validations."""
    whole, expected = trainer(tmp_path / "whole", precision=precision)
    whole.run()
    first, begun = trainer(tmp_path / "parts", max_steps=end, precision=precision)
    first.run()
    torch.rand(3)
    second, resumed = trainer(tmp_path / "parts", network(dropout=0.2, seed=99), precision=precision)
    second.resume()
    assert second.state.step == end
    second.run()
    last = [one for one in losses(begun) if one[0] <= end]
    assert dict(last + losses(resumed)) | {end: 0} == dict(losses(expected)) | {end: 0}
    assert digest_of(weights(second.network)) == digest_of(weights(whole.network))


def test_a_rate_that_fell_on_a_plateau_falls_on_after_a_resume(tmp_path):
    """It is too small to change a weight: the validations after 10 and 15 bring no gain. Stopped after step 12."""
    schedule = {"kind": "reduce_on_plateau", "learning_rate": 1e-20, "factor": 0.5, "bad_validations": 1}
    first, begun = trainer(tmp_path, schedule=schedule)
    listen(first, lambda report: first.stop() if report.step == 12 else None)
    first.run()
    second, resumed = trainer(tmp_path, schedule=schedule)
    second.resume()
    second.run()
    rates = {one.step: one.learning_rate for one in begun + resumed if isinstance(one, Progress)}
    assert rates == {step: pytest.approx(1e-20 / 2 ** ((step > 10) + (step > 15))) for step in range(1, 18)}


def test_one_seed_one_training(tmp_path):
    digests = []
    for name, seed in (("one", 7), ("two", 7), ("three", 8)):
        made, _ = trainer(tmp_path / name, network(0.2, seed))
        made.run()
        digests.append(digest_of(weights(made.network)))
    assert digests[0] == digests[1] != digests[2]


def test_batches_of_a_step_count_by_their_words(tmp_path):
    """Two batches of three, accumulated, are one of six: the loss is divided by all wanted words."""
    training = Toy(6)
    training.targets[0] = training.targets[0][:2] + training.targets[0][-1:]
    found = []
    for batch, accumulate in ((3, 2), (6, 1)):
        made, reports = trainer(
            tmp_path / str(batch),
            network(),
            training,
            batch_size=batch,
            gradient_accumulation_steps=accumulate,
            max_steps=5,
            validate_every=0,
        )
        made.run()
        found.append([loss for _, loss in losses(reports)])
    assert found[0] == pytest.approx(found[1], rel=1e-4)


def test_clipping_bounds_the_gradient(tmp_path):
    made, _ = trainer(tmp_path, max_grad_norm=0.001, max_steps=1)
    norms = []
    step = made.update.optimizer.step

    def watched():
        norms.append(torch.stack([one.grad.norm() for one in made.network.parameters()]).norm().item())
        step()

    made.update.optimizer.step = watched
    made.run()
    assert norms == [pytest.approx(0.001, rel=1e-3)]


def test_it_validates_at_the_end_and_chooses_the_best(tmp_path):
    made, reports = trainer(tmp_path)
    made.run()
    checks = [one for one in reports if isinstance(one, Validation)]
    assert [one.step for one in checks] == [5, 10, 15, 17]
    best = min(checks, key=lambda one: one.loss)
    assert made.state.best_loss == best.loss
    assert chosen(made) == {"from": "best", "step": best.step}
    read_tensors(tmp_path / WEIGHTS, digest_of(read_tensors(tmp_path / "checkpoints" / "best" / WEIGHTS)))


def test_patience_ends_it(tmp_path):
    made, reports = trainer(
        tmp_path,
        validation=Toy(7, seed=1),
        schedule={"kind": "constant", "learning_rate": 3.0},
        validate_every=1,
        patience=3,
        max_steps=99,
    )
    made.run()
    bests = [one.best for one in reports if isinstance(one, Validation)]
    assert bests[-4:] == [True, False, False, False]
    assert made.reason == "3 validations in a row brought no gain"


def test_epochs_and_hours_end_it(tmp_path):
    made, _ = trainer(tmp_path / "epochs", max_epochs=1.5, validate_every=0)
    made.run()
    assert (made.state.step, made.reason) == (6, "1.5 epochs are done")
    made, _ = trainer(tmp_path / "hours", max_hours=1e-9)
    made.run()
    assert made.state.step == 1


def test_schedules_go_by_the_time_where_it_is_further_than_the_steps():
    two_hours = configure(Config, {"max_steps": 1000, "max_hours": 2.0, "schedule_by_time": True}, "training")
    slow, quick, late = (TrainingState(step=step, seconds=time) for step, time in ((99, 3600), (799, 3600), (99, 9000)))
    assert [scheduled_step(two_hours, state) for state in (slow, quick, late)] == [500, 800, 1000]
    by_steps = configure(Config, {"max_steps": 1000, "max_hours": 2.0}, "training")
    assert scheduled_step(by_steps, slow) == 100
    assert scheduled_step(configure(Config, {"max_steps": 1000, "schedule_by_time": True}, "training"), slow) == 100


def test_a_training_that_is_cut_by_time_has_the_last_rate_of_its_schedule(tmp_path):
    falling = {"kind": "linear", "learning_rate": 0.01, "warmup_steps": 1, "end_step": 100, "end_factor": 0.1}
    made, reports = trainer(
        tmp_path, max_steps=100, max_hours=1e-4, schedule=falling, schedule_by_time=True, validate_every=0
    )
    made.state.seconds = 0.36  # the whole time has passed
    made.run()
    [rate] = [one.learning_rate for one in reports if isinstance(one, Progress)]
    assert (made.state.step, rate) == (1, pytest.approx(0.001))


def test_without_validation_the_last_weights_are_taken(tmp_path):
    made, _ = trainer(tmp_path, validation=Toy(0), validate_every=0)
    made.run()
    assert chosen(made) == {"from": "last", "step": 17}
    assert digest_of(read_tensors(tmp_path / WEIGHTS)) == digest_of(weights(made.network))


def test_the_mean_of_the_last_weights_is_taken_if_it_is_better(tmp_path):
    """A rate so high that weights jump around the best: their mean is nearer to it."""
    made, reports = trainer(
        tmp_path,
        network(),
        max_steps=60,
        validate_every=6,
        average_checkpoints=4,
        schedule={"kind": "constant", "learning_rate": 0.04},
        log_every=500,
    )
    made.run()
    (notice,) = [one.text for one in reports if isinstance(one, Notice) and "mean" in one.text]
    assert chosen(made)["from"] == ("mean" if "folder's" in notice else "best")
    assert len(list((tmp_path / "checkpoints" / "recent").iterdir())) == 4


def test_a_better_mean_is_the_folder_s_and_a_resume_takes_the_best_again(tmp_path, monkeypatch):
    from nutgraf.training.callbacks import averaging as module

    made, reports = trainer(tmp_path, network(), average_checkpoints=2)
    best = {}

    def perfect(paths):
        best.update(digest=digest_of(read_tensors(tmp_path / WEIGHTS)))
        made.validator.loss = lambda step: 0.001
        return weights(network(seed=9))

    monkeypatch.setattr(module, "average", perfect)
    made.run()
    assert chosen(made) == {"from": "mean", "step": 17, "of": [15, 17]}
    assert digest_of(read_tensors(tmp_path / WEIGHTS)) == digest_of(weights(network(seed=9)))
    assert [one.loss for one in reports if isinstance(one, Validation) and one.best][-1] == 0.001
    again, _ = trainer(tmp_path, average_checkpoints=2)
    again.resume()
    assert chosen(again) == {"from": "best", "step": again.state.best_step}
    assert digest_of(read_tensors(tmp_path / WEIGHTS)) == best["digest"]


def test_a_kill_before_the_last_was_called_the_best_is_made_up_for(tmp_path, monkeypatch):
    made, _ = trainer(tmp_path)

    def killed():
        raise KeyboardInterrupt

    monkeypatch.setattr(made.store, "last_is_best", killed)
    with pytest.raises(KeyboardInterrupt):
        made.run()
    again, _ = trainer(tmp_path)
    again.resume()
    assert chosen(again) == {"from": "best", "step": 5}
    assert digest_of(read_tensors(tmp_path / WEIGHTS)) == digest_of(weights(again.network))


@pytest.mark.parametrize("killed_in", ["save", "last_is_best"])
def test_state_log_and_scores_agree_after_a_kill(tmp_path, monkeypatch, killed_in):
    """On either side of the commit: before it, the validation has not happened; after it, the log has it."""
    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    whole, _ = trainer(tmp_path / "whole", names=("log", *CORE))
    whole.run()
    made, _ = trainer(tmp_path / "parts", names=("log", *CORE))
    keep = getattr(made.store, killed_in)

    def killed(*given):
        if made.state.step == 10:
            raise KeyboardInterrupt
        keep(*given)

    monkeypatch.setattr(made.store, killed_in, killed)
    assert whole.store.state().best_step >= 10, "the validation of step 10 is the best so far"
    with pytest.raises(KeyboardInterrupt):
        made.run()
    again, _ = trainer(tmp_path / "parts", names=("log", *CORE))
    again.resume()
    step = {"save": 8, "last_is_best": 10}[killed_in]
    best = {"save": 5, "last_is_best": 10}[killed_in]
    assert (again.state.step, chosen(again)["step"]) == (step, best)
    AppendOnlyFile(tmp_path / "parts" / "log.jsonl", again.state.log_bytes).close()
    assert [line["step"] for line in read_log(tmp_path / "parts" / "log.jsonl")][-1] == step
    again.run()
    kept, expected = (
        [(line["step"], line["loss"]) for line in read_log(tmp_path / name / "log.jsonl") if "loss" in line]
        for name in ("parts", "whole")
    )
    assert kept == expected
    assert (chosen(again), again.state.scores) == (chosen(whole), whole.state.scores)


def test_a_report_s_loss_is_the_same_whether_a_resume_came_between_or_not(tmp_path):
    """A report every 6 steps, a checkpoint every 4: the steps before the checkpoint count too."""
    whole, expected = trainer(tmp_path / "whole", log_every=6, validate_every=0)
    whole.run()
    made, _ = trainer(tmp_path / "parts", log_every=6, validate_every=0, max_steps=8)
    made.run()
    again, reports = trainer(tmp_path / "parts", log_every=6, validate_every=0)
    again.resume()
    again.run()
    assert losses(reports) == [one for one in losses(expected) if one[0] > 8]


def test_a_training_goes_on_in_its_own_precision(tmp_path):
    made, _ = trainer(tmp_path, precision="bf16", max_steps=4)
    made.run()
    again, _ = trainer(tmp_path, precision="fp32")
    with pytest.raises(InputError, match=r"bf16.*--set.*training\.precision"):
        again.resume()


@pytest.mark.parametrize(("recurrent", "kernels"), [(True, False), (True, True), (False, False)])
def test_an_lstm_in_bfloat16_is_refused_where_the_processor_has_none(tmp_path, monkeypatch, recurrent, kernels):
    monkeypatch.setattr("nutgraf.training.machine.has_bf16_kernels", lambda: kernels)
    machine = Machine(configure(Config, {"precision": "bf16", "device": "cpu"}, "training"))
    part = torch.nn.Sequential(torch.nn.LSTM(3, 3) if recurrent else torch.nn.Linear(3, 3))
    if recurrent and not kernels:
        with pytest.raises(TrainingError, match=r'no LSTM in bfloat16.*"fp32" would do'):
            machine.check(part)
    else:
        machine.check(part)


def test_a_validation_loss_that_is_no_number_stops_it(tmp_path):
    made, _ = trainer(tmp_path)
    made.run()
    with torch.no_grad():
        made.network.head.vocab_proj.bias.fill_(float("nan"))
    with pytest.raises(TrainingError, match="step 17"):
        made.validator.loss(made.state.step)


def test_a_part_of_the_validation_set_is_evenly_chosen(tmp_path):
    made, _ = trainer(tmp_path, validation=Toy(10), validation_examples=4)
    assert sorted(index for batch in made.validator.batches for index in batch.tolist()) == [0, 2, 5, 7]


def test_other_scores_are_reported(tmp_path):
    made, reports = trainer(tmp_path)
    made.callbacks.members.append(Scores(lambda network: {"parity": float(network.training)}))
    made.run()
    assert {one.scores["parity"] for one in reports if isinstance(one, Validation)} == {0.0}
    assert made.network.training


def test_the_best_weights_can_be_those_of_the_highest_score(tmp_path):
    """The scores of four validations: the second is the highest, and the fourth equals it."""
    made, reports = trainer(tmp_path, metric_for_best_model="reward", patience=0)
    rewards = iter([0.2, 0.7, 0.3, 0.7])
    made.callbacks.members.append(Scores(lambda network: {"reward": next(rewards)}))
    made.run()
    checks = [one for one in reports if isinstance(one, Validation)]
    assert [one.best for one in checks] == [True, True, False, False]
    assert chosen(made) == {"from": "best", "step": checks[1].step}
    assert (made.state.best_loss, made.state.scores["reward"]) == (checks[1].loss, 0.7)


def test_a_score_that_validation_does_not_report_cannot_choose(tmp_path):
    made, _ = trainer(tmp_path, metric_for_best_model="ROUGE-9")
    with pytest.raises(PresetError, match="'ROUGE-9'"):
        made.run()
    for changes, why in (({"validate_every": 0}, "needs validate_every"), ({"average_checkpoints": 2}, "losses")):
        with pytest.raises(PresetError, match=why):
            configure(Config, {"metric_for_best_model": "ROUGE-L", **changes}, "training")


def test_what_changes_from_epoch_to_epoch_is_told_which_it_is(tmp_path):
    ages = []
    model = network()
    model.encoder.advance = ages.append
    trainer(tmp_path / "passes", model, max_epochs=3, validate_every=0)[0].run()
    assert ages == [0, 1, 2]
    ages.clear()
    trainer(tmp_path / "steps", model, steps_per_epoch=7, validate_every=0)[0].run()
    assert ages == [0, 1, 2]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_stops(tmp_path, number):
    made, _ = trainer(tmp_path)
    listen(made, (lambda report: os.kill(os.getpid(), number) if report.step == 7 else None))
    made.run()
    assert (made.state.step, made.stopped, made.reason) == (7, 1, "stopped")
    again, _ = trainer(tmp_path)
    again.resume()
    assert again.state.step == 7
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_loss_that_is_no_number_stops_it_and_keeps_the_batches(tmp_path):
    made, _ = trainer(tmp_path, max_steps=9)
    forward, calls = made.update.loss, []

    def failing(batch):
        calls.append(batch)
        return forward(batch) * (float("nan") if len(calls) == 11 else 1)

    made.update.loss = failing
    with pytest.raises(TrainingError, match=r"step 6.*--resume"):
        made.run()
    (kept,) = tmp_path.glob("failed-step-6-process-0.safetensors")
    assert torch.equal(read_tensors(kept)["1/source"], calls[10].source)
    again, _ = trainer(tmp_path)
    again.resume()
    assert again.state.step == 5


def test_weights_that_are_no_numbers_are_never_kept(tmp_path):
    made, _ = trainer(tmp_path)
    made.run()
    with torch.no_grad():
        made.network.head.vocab_proj.bias[3] = float("inf")
    with pytest.raises(TrainingError):
        made.store.save(made.network, made.update.optimizer, made.state)
    again, _ = trainer(tmp_path)
    again.resume()


def test_it_says_what_it_takes(tmp_path, monkeypatch):
    seconds = itertools.count()
    monkeypatch.setattr("nutgraf.training.clock.time", types.SimpleNamespace(monotonic=lambda: next(seconds)))
    made, reports = trainer(tmp_path, network(), log_every=5)
    made.run()
    first, second = (one.text for one in reports if isinstance(one, Notice))
    count = sum(one.numel() for one in made.network.parameters())
    assert first.startswith(f"{count:,} parameters")
    # Seven batches by twos are four steps, the last of one batch: 17 steps are four epochs and two of seven batches.
    assert (
        "Examples: 20 to learn from, 7 to validate with. An epoch is 7 batches, taken in 4 steps of up to 2. "
        "It ends after 17 steps (4.29 epochs). On " in first
    )
    assert first.endswith("), fp32, 1 thread.")
    assert [round(one.epoch, 2) for one in reports if isinstance(one, Progress)] == [1.29, 2.57, 3.86]
    assert "an epoch about" in second
    lefts = [one.seconds_left for one in reports if isinstance(one, Progress)]
    assert lefts[0] > lefts[-1] > 0


@pytest.mark.parametrize(
    ("batches", "per_step", "description"),
    [
        (38, 1, "An epoch is 38 batches, one a step."),
        (1, 1, "An epoch is 1 batch, one a step."),
        (2, 4, "An epoch is 2 batches, taken in 1 step of up to 4."),
        (9000, 4, "An epoch is 9,000 batches, taken in 2,250 steps of up to 4."),
    ],
)
def test_batches_and_steps_are_told_apart(batches, per_step, description):
    assert describe_epoch(batches, per_step) == description


def test_limits_are_told_in_steps_and_epochs():
    config = configure(Config, {**QUICK, "max_epochs": 3, "patience": 2}, "training")
    assert prospect(config, 38, 1) == (
        "It ends after 17 steps (0.447 epochs) or 3 epochs (114 steps) or 2 validations without gain."
    )


def test_the_log_is_cut_to_where_a_training_goes_on(tmp_path):
    path = tmp_path / "log.jsonl"
    log = AppendOnlyFile(path)
    for step in (1, 2):
        log.append(line_of(Notice(step, f"step {step}")))
    length = log.length
    log.append(line_of(Notice(3, "step 3")))
    with path.open("a") as file:
        file.write('{"kind": "not')
    AppendOnlyFile(path, length).append(line_of(Notice(3, "anew")))
    assert [line["text"] for line in read_log(path)] == ["step 1", "step 2", "anew"]
    assert [json.loads(line)["kind"] for line in path.read_text().splitlines()] == ["notice"] * 3


@pytest.mark.parametrize(
    ("changes", "wrong", "message"),
    [
        ({"device": "cuda"}, TrainingError, "There is no GPU"),
        ({"validation": Toy(0)}, InputError, r"training\.validate_every.*0"),
        ({"training": Toy(0)}, InputError, "training set"),
        ({"average_checkpoints": 3, "validate_every": 0}, NutgrafError, "average_checkpoints needs validate_every"),
        ({"optimizer": {"kind": "adam", "betas": (0.9,)}}, NutgrafError, "betas"),
        ({"optimizer": {"kind": "sgd", "momentum": 0.0}}, NutgrafError, "nesterov"),
        ({"optimizer": {"kind": "adagrad", "initial_accumulator_value": -0.1}}, NutgrafError, "accumulator"),
        ({"second_phase_steps": 17}, NutgrafError, "second_phase_steps = 17.*max_steps = 17"),
        ({"gradient_accumulation_steps": 0}, NutgrafError, "gradient_accumulation_steps"),
        ({"max_hours": -1.0}, NutgrafError, "max_hours"),
        ({"objectives": {"likelihood": {}, "guidance": {}}}, PresetError, "centrality"),
        (
            {"objectives": {"likelyhood": {}}},
            NutgrafError,
            "'likelyhood'.*'likelihood'",
        ),
        ({"schedule": {"kind": "noan"}}, NutgrafError, "No schedule 'noan'"),
    ],
)
def test_what_cannot_be_trained_is_said(tmp_path, monkeypatch, changes, wrong, message):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(wrong, match=message):
        trainer(tmp_path, **changes)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_and_the_last_checkpoint_stays(tmp_path, monkeypatch):
    from safetensors import SafetensorError

    from nutgraf import checkpoint

    save = checkpoint.save_file

    def failing(tensors, path, metadata):
        if "optimizer" in str(path) and made.state.step == 8:
            raise SafetensorError("I/O error: No space left on device (os error 28)")
        save(tensors, path, metadata)

    monkeypatch.setattr(checkpoint, "save_file", failing)
    made, _ = trainer(tmp_path)
    with pytest.raises(OutputError, match="space left"):
        made.run()
    again, _ = trainer(tmp_path)
    again.resume()
    assert again.state.step == 5
    assert [path.name for path in tmp_path.rglob("*") if path.name.startswith(".")] == []

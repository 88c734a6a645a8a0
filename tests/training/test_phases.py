"""Two phases of a training: when the second begins, who is told, what is kept; and optimizers that go on exactly."""

from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")

from test_loop import chosen, listen, losses, trainer

from nutgraf.checkpoint import WEIGHTS, digest_of, read_tensors, weights
from nutgraf.presets.family import NoOptions
from nutgraf.runtime.files import AppendOnlyFile
from nutgraf.training.callbacks.curve import draw
from nutgraf.training.callbacks.repetition import Repetition
from nutgraf.training.events import Notice, Progress, TrainingState, Validation
from nutgraf.training.reports import line_of, read_log
from toy_examples import Toy, network


class Waiting:
    """A module that acts in the second phase only: it halves the loss, which changes the weights from there on."""

    def __init__(self, made):
        self.phases, self.made, self.loss = [], made, made.update.loss
        made.network.decoder.enter = self.phases.append
        made.update.loss = self

    def __call__(self, batch):
        return self.loss(batch) * (0.5 if self.phases[-1] == 2 else 1.0)


def two_phases(folder, *given, **changes):
    made, reports = trainer(folder, *given, **{"second_phase_steps": 7, **changes})
    return made, reports, Waiting(made)


def test_the_last_steps_are_the_second_phase(tmp_path):
    made, reports, waiting = two_phases(tmp_path)
    made.run()
    assert waiting.phases == [1, 2]
    assert (made.state.step, made.state.second_phase_from, made.reason) == (
        17,
        10,
        "7 steps of the second phase are done",
    )
    phases = {one.step: one.phase for one in reports if isinstance(one, Progress)}
    assert phases == {step: 1 if step <= 10 else 2 for step in range(1, 18)}
    [notice] = [one for one in reports if isinstance(one, Notice) and "second phase" in one.text]
    assert notice.step == 10
    assert notice.text.startswith("The second phase begins, 7 steps: 10 steps are done.")


def test_one_phase_is_told_to_be_the_second_at_once(tmp_path):
    made, reports, waiting = two_phases(tmp_path, second_phase_steps=0)
    made.run()
    assert waiting.phases == [2]
    assert {one.phase for one in reports if isinstance(one, (Progress, Validation))} == {None}
    assert not (tmp_path / "checkpoints" / "first").exists()


def test_objectives_are_told_too(tmp_path):
    made, _, _ = two_phases(tmp_path)
    phases = []
    made.update.objectives[0].enter = phases.append
    made.run()
    assert phases == [1, 2]


def test_it_validates_before_the_second_phase_and_chooses_the_best_anew(tmp_path):
    made, reports, _ = two_phases(tmp_path, max_steps=15, second_phase_steps=8)
    made.run()
    checks = [one for one in reports if isinstance(one, Validation)]
    assert [(one.step, one.phase) for one in checks] == [(5, 1), (7, 1), (10, 2), (15, 2)]
    assert checks[2].best, "the first one of a phase is the best of it"
    first, second = (min(part, key=lambda one: one.loss) for part in (checks[:2], checks[2:]))
    assert (made.state.best_loss, chosen(made)) == (second.loss, {"from": "best", "step": second.step})
    kept = trainer(tmp_path / "first", max_steps=first.step)[0]
    kept.run()
    assert digest_of(read_tensors(tmp_path / "checkpoints" / "first" / WEIGHTS)) == digest_of(weights(kept.network))
    assert digest_of(read_tensors(tmp_path / WEIGHTS)) != digest_of(weights(kept.network))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {"max_steps": 99, "patience": 2, "schedule": {"kind": "constant", "learning_rate": 3.0}},
            "2 validations in a row",
        ),
        ({"max_steps": None, "max_epochs": 1.5}, "1.5 epochs are done"),
        ({"max_steps": None, "max_hours": 1e-9}, "1e-09 hours have passed"),
    ],
)
def test_whatever_ends_the_first_phase_the_second_is_whole(tmp_path, changes, why):
    made, reports, waiting = two_phases(tmp_path, validate_every=1, **changes)
    made.run()
    assert waiting.phases == [1, 2]
    assert made.state.step == made.state.second_phase_from + 7
    assert any(why in one.text for one in reports if isinstance(one, Notice))


@pytest.mark.parametrize("end", [4, 9, 10, 11, 13])
def test_resumed_in_either_phase_equals_uninterrupted(tmp_path, end):
    whole, expected, _ = two_phases(tmp_path / "whole")
    whole.run()
    first, begun, _ = two_phases(tmp_path / "parts")
    listen(first, (lambda report: first.stop() if isinstance(report, Progress) and report.step == end else 0))
    first.run()
    second, resumed, waiting = two_phases(tmp_path / "parts", network(dropout=0.2, seed=99))
    second.resume()
    assert second.state.step == end
    second.run()
    assert waiting.phases == ([1, 2] if end <= 10 else [2])
    assert dict(losses(begun) + losses(resumed)) == dict(losses(expected))
    assert digest_of(weights(second.network)) == digest_of(weights(whole.network))
    assert digest_of(read_tensors(tmp_path / "parts" / WEIGHTS)) == digest_of(
        read_tensors(tmp_path / "whole" / WEIGHTS)
    )


@pytest.mark.parametrize("place", ["keep_first", "last_is_best"])
def test_a_kill_where_the_phases_meet_is_made_up_for(tmp_path, monkeypatch, place):
    whole, _, _ = two_phases(tmp_path / "whole")
    whole.run()
    made, _, waiting = two_phases(tmp_path / "parts")

    def killed(*given):
        if made.state.step == 10:
            raise KeyboardInterrupt
        return keep(*given)

    keep = getattr(made.store, place)
    monkeypatch.setattr(made.store, place, killed)
    with pytest.raises(KeyboardInterrupt):
        made.run()
    again, _, waiting = two_phases(tmp_path / "parts")
    again.resume()
    assert again.state.second_phase_from is None
    again.run()
    assert waiting.phases == [1, 2]
    for name in (WEIGHTS, f"checkpoints/first/{WEIGHTS}"):
        assert digest_of(read_tensors(tmp_path / "parts" / name)) == digest_of(read_tensors(tmp_path / "whole" / name))


def test_stopped_before_the_second_phase_has_a_best_the_first_one_s_stays(tmp_path):
    made, _, _ = two_phases(tmp_path)
    listen(made, (lambda report: made.stop() if report.step == 12 else None))
    made.run()
    assert chosen(made)["step"] in (5, 10)
    again, _, _ = two_phases(tmp_path)
    again.resume()
    assert (again.state.second_phase_from, again.state.best_loss) == (10, None)
    assert chosen(again) == chosen(made)


def test_the_mean_is_of_the_second_phase_alone(tmp_path):
    made, _, _ = two_phases(tmp_path, validate_every=2, average_checkpoints=5, checkpoint_every=500)
    made.run()
    kept = made.store.recent(17, made.state.second_phase_from)
    assert [int(path.stem) for path in kept] == [12, 14, 16, 17]


def test_without_validation_the_last_of_the_first_phase_is_kept(tmp_path):
    made, _, _ = two_phases(tmp_path, validate_every=0, validation=Toy(0))
    made.run()
    plain, _ = trainer(tmp_path / "plain", validate_every=0, validation=Toy(0), max_steps=10)
    plain.run()
    kept = digest_of(read_tensors(tmp_path / "checkpoints" / "first" / WEIGHTS))
    assert kept == digest_of(weights(plain.network)) != digest_of(weights(made.network))


def test_log_and_curve_show_the_phase(tmp_path):
    pytest.importorskip("matplotlib")
    made, _, _ = two_phases(tmp_path)
    log = AppendOnlyFile(tmp_path / "log.jsonl")
    listen(made, lambda report: log.append(line_of(report)))
    made.run()
    phases = {line["step"]: line["phase"] for line in read_log(tmp_path / "log.jsonl") if line["kind"] == "validation"}
    assert phases == {5: 1, 10: 1, 15: 2, 17: 2}
    draw(tmp_path / "log.jsonl", tmp_path / "curve.png", "two phases")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_time_left_counts_the_second_phase(tmp_path):
    made, reports, _ = two_phases(tmp_path, max_steps=None, max_epochs=2, second_phase_steps=90)
    listen(made, (lambda report: made.stop() if report.step == 3 else None))
    made.run()
    pace = made.clock.seconds_a_step(TrainingState(step=3))
    [first, *_] = [one for one in reports if isinstance(one, Progress)]
    assert first.seconds_left > 90 * pace / 10


@pytest.mark.parametrize("kind", ["adam", "adagrad", "sgd"])
def test_resumed_equals_uninterrupted_with_every_optimizer(tmp_path, kind):
    chosen = {"optimizer": {"kind": kind}, "max_grad_norm": 0.5}
    whole, expected = trainer(tmp_path / "whole", **chosen)
    whole.run()
    first, begun = trainer(tmp_path / "parts", max_steps=9, **chosen)
    first.run()
    second, resumed = trainer(tmp_path / "parts", network(dropout=0.2, seed=99), **chosen)
    second.resume()
    second.run()
    assert dict(losses(begun) + losses(resumed)) | {9: 0} == dict(losses(expected)) | {9: 0}
    assert digest_of(weights(second.network)) == digest_of(weights(whole.network))


def measured(step, own, of_references=0.03):
    return Validation(step, 1.0, 2.0, False, 9.0, {"repetition": own, "repetition_references": of_references})


def watching(notices, folder=Path("nowhere")):
    made = Repetition(
        NoOptions(), SimpleNamespace(folder=folder, report=notices.append, machine=SimpleNamespace(main=True))
    )
    made.begin(TrainingState())
    return made


def test_repetition_far_above_the_references_and_rising_is_told():
    notices = []
    callback = watching(notices)
    for step, share in enumerate((0.9, 0.4, 0.12, 0.13, 0.16, 0.31, 0.31, 0.36, 0.02)):
        callback.report(measured(step, share))
    assert [one.step for one in notices] == [5, 7], (
        "0.13 has not risen by 0.05, 0.16 has not, 0.31 the second time neither"
    )
    assert "31% stand" in notices[0].text
    assert "second phase" in notices[0].text


def test_repetition_that_the_references_have_too_is_no_matter():
    notices = []
    callback = watching(notices)
    for step, share in enumerate((0.1, 0.3, 0.39)):
        callback.report(measured(step, share, of_references=0.3))
    assert notices == []


def test_what_was_measured_before_a_resume_counts(tmp_path):
    notices = []
    log = AppendOnlyFile(tmp_path / "log.jsonl")
    for each in (Progress(1, 1.0, 2.0, 0.1, 9.0, 3.0), Validation(2, 1.0, 2.0, False, 9.0), measured(3, 0.05)):
        log.append(line_of(each))
    watching(notices, tmp_path).report(measured(7, 0.2))
    assert len(notices) == 1
    watching(notices).report(measured(7, 0.2))
    assert len(notices) == 1, "one alone has not risen"


def test_the_curve_of_one_report_shows_its_points(tmp_path):
    """A line through one point is nothing; the rate, in orange, has no other mark in the picture."""
    image = pytest.importorskip("matplotlib.image")
    (tmp_path / "log.jsonl").write_text(line_of(Progress(1, 1.0, 2.0, 0.1, 9.0, 3.0)) + "\n")
    draw(tmp_path / "log.jsonl", tmp_path / "curve.png", "one")
    red, green, blue, _ = image.imread(tmp_path / "curve.png").transpose(2, 0, 1)
    assert ((red > 0.9) & (green > 0.4) & (green < 0.6) & (blue < 0.2)).sum() > 5


def test_the_curve_shows_repetition(tmp_path):
    pytest.importorskip("matplotlib")
    log = AppendOnlyFile(tmp_path / "log.jsonl")
    sizes = []
    for each in (Validation(1, 1.0, 2.0, True, 3.0), measured(2, 0.3)):
        log.append(line_of(each))
        draw(tmp_path / "log.jsonl", tmp_path / "curve.png", "repetition")
        sizes.append(int.from_bytes((tmp_path / "curve.png").read_bytes()[20:24]))
    assert sizes[1] > sizes[0]

"""Checkpoints: whole or not there, noticed when they were cut or changed; and the mean of several."""

import json

import pytest

pytest.importorskip("torch")

import torch

from nutgraf.checkpoint import (
    WEIGHTS,
    digest_of,
    load_matching_weights,
    load_weights,
    read_tensors,
    weights,
    write_tensors,
)
from nutgraf.errors import InputError
from nutgraf.runtime.files import AppendOnlyFile, atomic_folder, recover_folder
from nutgraf.training.store import OPTIMIZER, STATE, CheckpointStore, TrainingState, average, moments, put_moments
from toy_examples import network


def adam(model):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, fused=True)
    for parameter in list(model.parameters())[:-1]:
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    return optimizer


@pytest.fixture
def saved(tmp_path):
    """A folder with a checkpoint in it, and the network that is."""
    model = network()
    optimizer = adam(model)
    CheckpointStore(tmp_path).save(
        model, optimizer, TrainingState(step=11, epoch=2, batch=3, best_loss=1.5, best_step=7, tokens=13)
    )
    return tmp_path, model, optimizer


def restore(folder, model=None):
    model = network(seed=8) if model is None else model
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    return CheckpointStore(folder).restore(model, optimizer), model, optimizer


def test_what_was_saved_comes_back(saved):
    folder, model, optimizer = saved
    position, restored, other = restore(folder)
    assert position == TrainingState(step=11, epoch=2, batch=3, best_loss=1.5, best_step=7, tokens=13)
    assert digest_of(weights(restored)) == digest_of(weights(model))
    assert digest_of(moments(restored, other)) == digest_of(moments(model, optimizer))
    assert other.param_groups[0]["betas"] == (0.9, 0.999)


def test_nothing_is_pickled(saved):
    folder, _, _ = saved
    names = {path.name for path in folder.rglob("*") if path.is_file()}
    assert names == {WEIGHTS, OPTIMIZER, STATE}
    assert all(b"pickle" not in path.read_bytes() for path in folder.rglob("*.safetensors"))


@pytest.mark.parametrize("name", [WEIGHTS, OPTIMIZER])
def test_a_cut_file_is_noticed(saved, name):
    folder, _, _ = saved
    path = folder / "checkpoints" / "last" / name
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match=f"{name}"):
        restore(folder)


@pytest.mark.parametrize("name", [WEIGHTS, OPTIMIZER])
def test_one_changed_byte_is_noticed(saved, name):
    folder, _, _ = saved
    path = folder / "checkpoints" / "last" / name
    content = bytearray(path.read_bytes())
    content[-50] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"{name}"):
        restore(folder)


def test_files_of_two_checkpoints_do_not_mix(saved, tmp_path_factory):
    folder, _, _ = saved
    other = tmp_path_factory.mktemp("other")
    model = network(seed=9)
    CheckpointStore(other).save(model, adam(model), TrainingState(step=3))
    (other / "checkpoints" / "last" / WEIGHTS).rename(folder / "checkpoints" / "last" / WEIGHTS)
    with pytest.raises(InputError, match="checkpoint"):
        restore(folder)


@pytest.mark.parametrize("content", ["", "{}", "[]", json.dumps({"schema": "else", "state": {}, "digests": {}})])
def test_a_state_that_is_none_is_noticed(saved, content):
    folder, _, _ = saved
    (folder / "checkpoints" / "last" / STATE).write_text(content)
    with pytest.raises(InputError, match=r"state\.json"):
        restore(folder)


def test_weights_of_another_network_are_refused(saved):
    folder, _, _ = saved
    with pytest.raises(InputError, match=r"encoder\.layers\.0\.feed_forward\.linear1"):
        restore(folder, network(encoder={"kind": "transformer", "num_layers": 1, "ffn_dim": 5}))
    with pytest.raises(InputError, match=r"head\.p_copy_proj"):
        restore(folder, network(head={"kind": "generator"}))


def test_the_best_stays_when_the_last_goes_on(saved):
    folder, model, optimizer = saved
    keeper = CheckpointStore(folder)
    keeper.last_is_best()
    best = digest_of(weights(model))
    with torch.no_grad():
        model.head.vocab_proj.bias += 1
    keeper.save(model, optimizer, TrainingState(step=12))
    assert digest_of(read_tensors(folder / WEIGHTS)) == best
    assert digest_of(read_tensors(folder / "checkpoints" / "best" / WEIGHTS)) == best
    assert digest_of(read_tensors(folder / "checkpoints" / "last" / WEIGHTS)) != best


def test_the_mean_by_hand(tmp_path):
    for name, values, count in (("a", [1.0, 5.0], 3), ("b", [2.0, 7.0], 5), ("c", [6.0, 3.0], 7)):
        tensors = {"one": torch.tensor(values), "count": torch.tensor([count])}
        write_tensors(tmp_path / name, tensors)
    mean = average([tmp_path / name for name in "abc"])
    assert mean["one"].tolist() == [3, 5]
    assert mean["count"].tolist() == [7]


def test_only_the_last_few_are_remembered(saved):
    folder, model, optimizer = saved
    keeper = CheckpointStore(folder)
    for step in (2, 3, 5, 7):
        keeper.save(model, optimizer, TrainingState(step=step))
        keeper.remember(step, 2)
    assert [path.stem for path in keeper.recent(7)] == ["000000005", "000000007"]
    assert [path.stem for path in keeper.recent(6)] == ["000000005"]


def test_shared_weights_are_kept_once(tmp_path):
    tied = network(tie_word_embeddings=True)
    write_tensors(tmp_path / "tied", weights(tied))
    read = read_tensors(tmp_path / "tied")
    assert [name for name in read if name.endswith(("word_embeddings.weight", "vocab_proj.weight"))] == [
        "source_embedding.word_embeddings.weight"
    ]
    other = network(tie_word_embeddings=True, seed=8)
    load_weights(other, read, "tied")
    assert torch.equal(other.head.vocab_proj.weight, tied.head.vocab_proj.weight)


def test_matching_weights_are_taken():
    plain, other = network(seed=7), network(seed=8, head={"kind": "generator"})
    other.head.vocab_proj = torch.nn.Linear(12, 37)
    matched = load_matching_weights(plain, weights(other))
    assert set(matched.new) == {"head.p_copy_proj.weight", "head.p_copy_proj.bias"}
    assert set(matched.other_shape) == {"head.vocab_proj.weight", "head.vocab_proj.bias"}
    assert matched.unused == ()
    assert torch.equal(plain.decoder.norm.weight, other.decoder.norm.weight)


def folder_of(path):
    return {one.name: one.read_text() for one in path.iterdir()}


def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path):
    place = tmp_path / "place"
    for text in ("first", "second"):
        with atomic_folder(place) as folder:
            (folder / "file").write_text(text)
        assert folder_of(place) == {"file": text}

    def fail():
        with atomic_folder(place) as folder:
            (folder / "file").write_text("third")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert folder_of(place) == {"file": "second"}
    assert [path.name for path in tmp_path.iterdir()] == ["place"]


@pytest.mark.parametrize("killed_at", range(6))
def test_a_kill_at_any_moment_leaves_a_whole_folder(tmp_path, monkeypatch, killed_at):
    """Yield the folders that a replacement leaves if it is killed after each of its steps."""
    place, new, old = tmp_path / "place", tmp_path / ".place.new", tmp_path / ".place.old"
    place.mkdir()
    (place / "file").write_text("old")
    steps = [
        lambda: new.mkdir(),
        lambda: (new / "file").write_text("new"),
        lambda: place.rename(old),
        lambda: new.rename(place),
        lambda: (old / "file").unlink(),
        lambda: old.rmdir(),
    ]
    for step in steps[: killed_at + 1]:
        step()
    recover_folder(place)
    assert folder_of(place) == {"file": "new" if killed_at >= 2 else "old"}
    assert not old.exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda given: given | {"exp_avg": torch.zeros(())},
        lambda given: given | {"exp_avg": given["exp_avg"].double()},
        lambda given: {key: value for key, value in given.items() if key != "exp_avg_sq"},
        lambda given: {key: value for key, value in given.items() if key != "step"},
        lambda given: given | {"sum": given["exp_avg"]},
    ],
)
def test_a_state_of_another_optimizer_is_refused(damage):
    model = torch.nn.Linear(2, 3)
    optimizer = adam(model)
    given = {name.rpartition("/")[2]: value for name, value in moments(model, optimizer).items()}
    foreign = {f"weight/{what}": value for what, value in damage(given).items()}
    with pytest.raises(InputError, match="weight"):
        put_moments(model, torch.optim.Adam(model.parameters(), fused=True), foreign)


@pytest.mark.parametrize(
    "damage", [{"epoch": -1}, {"batch": 2**60}, {"log_bytes": -1}, {"losses": {"x": 1.0}}, {"second_phase_from": -1}]
)
def test_a_state_with_numbers_that_no_training_has_is_refused(saved, damage):
    folder, _, _ = saved
    path = folder / "checkpoints" / "last" / STATE
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "state": {**content["state"], **damage}}))
    with pytest.raises(InputError, match=next(iter(damage))):
        CheckpointStore(folder).state()


def test_other_files_among_the_recent_weights_are_left_alone(saved):
    folder, _, _ = saved
    store = CheckpointStore(folder)
    store.remember(7, 2)
    for name in ("1 copy", "2²", "000000005-copy"):
        (folder / "checkpoints" / "recent" / f"{name}.safetensors").touch()
    assert [path.stem for path in store.recent(9)] == ["000000007"]


def test_a_log_that_is_shorter_than_its_checkpoint_says_is_not_filled_up(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("first\n")
    file = AppendOnlyFile(path, 2**50)
    file.append("second")
    file.close()
    assert path.read_text() == "first\nsecond\n"

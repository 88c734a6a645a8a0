"""A few kill points of each kind, and what a kill must not do; `make campaign NAME=kill` tries all of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path

import kill
import pytest
from sandbox import Ran

from nutgraf.errors import OutputError
from nutgraf.runtime.files import (
    AppendOnlyFile,
    atomic_folder,
    atomic_write,
    list_names,
    lock_folder,
    lock_path,
    remove_unfinished,
    write_output,
    write_text,
)


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
def test_commands_that_are_killed_are_made_up_for(killed: list[Future[Ran]]) -> None:
    """Also on a full disk, and by two at once."""
    if not killed:
        pytest.skip("the kernel's calls are counted by a library that a C compiler makes for Linux")
    counts: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for one in killed:
        ran = one.result()
        assert ran.status == 0, ran.stderr
        [tally] = json.loads(ran.stdout)
        assert tally["wrong"] == []
        assert tally["tried"]["kill"]
        tried.update(tally["tried"])
        counts.update(tally["counts"])
    assert tried["two"]
    assert tried["full"]
    assert not [kind for kind in kill.NEEDED if not counts[kind]], "a kind of call that neither made"


@pytest.fixture
def writer(tmp_path: Path) -> subprocess.Popen[str]:
    """A process that writes into a folder for as long as it lives."""
    script = (
        "import sys, time\nfrom nutgraf.runtime.files import lock_folder\n"
        f"with lock_folder({str(tmp_path / 'out')!r}):\n    print('here', flush=True)\n    time.sleep(60)\n"
    )
    started = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    assert started.stdout.readline() == "here\n"
    return started


def test_a_second_writer_is_refused_until_the_first_is_killed(writer: subprocess.Popen[str], tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match=f"{writer.pid}"),
        lock_folder(tmp_path / "out"),
    ):
        pass
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    with lock_folder(tmp_path / "out"):
        assert list_names(tmp_path / "out") == []
    assert list((tmp_path / "out").iterdir()) == []


def test_a_folder_that_stayed_empty_is_gone_again(tmp_path: Path) -> None:
    with lock_folder(tmp_path / "new" / "folder"):
        pass
    assert list(tmp_path.iterdir()) == []
    with lock_folder(tmp_path / "kept"):
        (tmp_path / "kept" / "file").touch()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["file"]


def test_a_lock_beside(tmp_path: Path) -> None:
    with (
        lock_path(tmp_path / "a.toml"),
        lock_path(tmp_path / "b.toml"),
        pytest.raises(OutputError, match=r"a\.toml"),
        lock_path(tmp_path / "a.toml"),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_writer_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    child = os.fork()
    if not child:
        with atomic_write(tmp_path / "inner" / "card.json") as temporary:
            temporary.write_text("{")
            (temporary.parent / "beside").write_text("by a library")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    (tmp_path / ".hidden").touch()
    (tmp_path / "mine.unfinished").touch()
    assert len(list((tmp_path / "inner").iterdir())) == 1
    assert list_names(tmp_path / "inner") == []
    remove_unfinished(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == [".hidden", "inner", "mine.unfinished"]


def test_an_output_among_other_files_leaves_nothing_either(tmp_path: Path) -> None:
    for _ in range(2):
        child = os.fork()
        if not child:
            with atomic_write(tmp_path / "out.toml"):
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
    (tmp_path / ".out.toml.1.other").touch()
    with atomic_write(tmp_path / "out.toml") as living:
        living.write_text("slow")
        write_output(tmp_path / "out.toml", "quick")
        assert (tmp_path / "out.toml").read_text() == "quick"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".out.toml.1.other", "out.toml"]
    assert (tmp_path / "out.toml").read_text() == "slow"


def test_files_are_on_the_disk_before_they_have_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    flush, rename = os.fsync, os.replace

    def flushed(handle: int) -> None:
        done.append(f"flush {Path(f'/proc/self/fd/{handle}').readlink().name}")
        flush(handle)

    def renamed(self: Path, target: Path) -> Path:
        done.append(f"rename {target.name}")
        rename(self, target)
        return target

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "replace", renamed)
    monkeypatch.setattr(Path, "rename", renamed)
    write_text(tmp_path / "card.json", "{}")
    assert done == ["flush card.json", "rename card.json", f"flush {tmp_path.name}"]
    done.clear()
    with atomic_folder(tmp_path / "last") as folder:
        (folder / "state").write_text("{}")
    assert done == ["flush state", "flush .last.new", "rename last", f"flush {tmp_path.name}"]


def test_a_line_that_does_not_fit_leaves_nothing_of_itself(tmp_path: Path) -> None:
    import resource

    log = AppendOnlyFile(tmp_path / "log.jsonl")
    log.append("one")
    child = os.fork()
    if not child:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (7, 7))
        try:
            log.append("second")
        except OutputError as error:
            os._exit("cannot be written" not in str(error))
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (tmp_path / "log.jsonl").read_text() == "one\n"
    assert AppendOnlyFile(tmp_path / "log.jsonl", 0).length == 0

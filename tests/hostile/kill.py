"""Kills commands wherever they write, and looks whether the same command, given once more, makes up for it.

    python tests/hostile/kill.py [--jobs N] [--every N] [--seed S] [--subjects NAME …]

A kill point is a call that opens for writing, writes, flushes, truncates, renames, links, makes or removes under the
folder that a command works in; killpoints.c counts them and interrupts the one that is asked for. For each subject:

    kill    the process dies before the call
    torn    it dies in the middle of a write
    full    from this call on, the disk is full: the command must end with a sentence and status 2
    two     it is stopped there, and the same command begins a second time: one of them is refused
    race    both begin at the same moment
    disk    it runs on a file system of so many kilobytes, where one can be mounted

Then the command is given again, as a user would, until the end. What is there then must be what an undisturbed run
leaves: losses, weights, optimizer, state, card, log, and no file beside. Commands run in forks of a process that has
imported everything. The report gives the number of calls of each kind; a kind that never came fails, and so does a
control: what Python's audit hook sees must be among what was counted.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib
import json
import mmap
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox import absent

from nutgraf.systems import sections_of

HERE = Path(__file__).resolve().parent

KINDS = ("open", "mkdir", "rename", "link", "unlink", "rmdir", "write", "fsync", "truncate", "copy")
NEEDED = {"open", "mkdir", "rename", "link", "unlink", "rmdir", "write", "fsync", "truncate"}
MODES = {"off": 0, "count": 1, "kill": 2, "torn": 3, "full": 4, "two": 5}
TRIED = ("kill", "torn", "full", "two", "race", "disk")
AUDITED = {
    "os.mkdir": "mkdir", "os.rename": "rename", "os.link": "link", "os.remove": "unlink", "os.rmdir": "rmdir",
    "os.truncate": "truncate",
}  # fmt: skip

MOST_SAID = 2000
"""Characters of what went wrong that are shown; the report has all of them."""

PRESET = """
extends = "kpat"
[dataset]
kind = "jsonl"
[keyphrases]
tagger = "content"
[tokenizer]
vocab_size = 60
[truncation]
kind = "head"
source = 40
target = 20
[model]
d_model = 8
num_heads = 2
max_positions = 64
[model.encoder]
num_layers = 1
ffn_dim = 8
[model.decoder]
num_layers = 1
ffn_dim = 8
[decoding]
min_length = 0
max_length = 6
[training]
max_steps = 6
batch_size = 4
batch_type = "examples"
gradient_accumulation_steps = 1
validate_every = 2
rouge_examples = 1
average_checkpoints = 2
checkpoint_every = 3
log_every = 2
device = "cpu"
threads = 1
deterministic = true
[training.schedule]
kind = "constant"
learning_rate = 0.02
"""


@dataclass(frozen=True)
class Subject:
    """A command that is killed.

    argv: of the run that is killed, in a folder that holds `data/` beside `work/`; all it writes is under `work/`.
    again: of the one that makes up for it. build: what is in `work/` beforehand. finished: what the second may say
    where the first was done already. seen: looks at what a kill left. facts: what must be equal in the end. absent:
    modules that are treated as if they were not installed.
    """

    name: str
    argv: tuple[str, ...]
    again: tuple[str, ...]
    facts: Callable[[Path], dict[str, Any]]
    build: Callable[[Path], None] = lambda place: None
    finished: str = ""
    seen: Callable[[Path, dict[str, Any]], None] = lambda work, expected: None
    absent: tuple[str, ...] = ()


# What is compared


def contents(work: Path) -> dict[str, Any]:
    """All files, byte by byte."""
    return {
        str(path.relative_to(work)): path.read_bytes() if path.is_file() else "folder"
        for path in sorted(work.rglob("*"))
    }


def training(work: Path) -> dict[str, Any]:
    """A trained model, but for times."""
    from nutgraf.checkpoint import digest_of, read_card, read_tensors

    found: dict[str, Any] = {}
    for name, content in contents(work).items():
        path = work / name
        if path.suffix == ".safetensors":
            found[name] = digest_of(read_tensors(path))
        elif path.name == "state.json":
            state = json.loads(content)
            logged = state["state"].pop("log_bytes")
            state["state"].pop("seconds")
            found[name] = state
            if path.parent.name == "last":
                log = (work / "out" / "log.jsonl").read_bytes()
                assert logged <= len(log)
                assert logged == 0 or log[logged - 1 : logged] == b"\n"
        elif path.name == "card.json":
            card = json.loads(content)
            assert card == read_card(path.parent), "the card is not that of the weights"
            card["training"].pop("hours")
            found[name] = card
        elif path.name == "log.jsonl":
            found[name] = log_of(content)
        else:
            found[name] = content
    return found


def log_of(content: bytes) -> list[dict[str, Any]]:
    """The lines of a log, without times and without what each run says of itself when it begins."""
    lines = [json.loads(line) for line in content.decode().splitlines()]
    for line in lines:
        for time_ in ("seconds", "tokens_per_second", "seconds_left"):
            line.pop(time_, None)
    own = (" parameters: ", "A step takes ")
    return [line for line in lines if not any(ending in line.get("text", "") for ending in own)]


def whole_training(work: Path, expected: dict[str, Any]) -> None:
    """What a kill leaves can be used by other commands, and is true: the weights are of the step that the card names,
    with the scores that the log has for it, and the checkpoint knows no more than the log."""
    from nutgraf.checkpoint import is_trained, load
    from nutgraf.training.reports import read_log

    if is_trained(work / "out"):
        for later in (["info", "work/out"], ["summarize", "data/note.txt", "--system", "work/out", "--words", "9"]):
            assert run(later, work.parent) == 0, f"{later[0]} failed"

    out = work / "out"
    log = read_log(out / "log.jsonl")
    checks = {line["step"]: line["loss"] for line in log if line["kind"] == "validation" and line["best"]}
    if is_trained(out):
        card = load(out, sections_of).card
        if card["weights"]["from"] != "last":
            assert checks[card["weights"]["step"]] == card["scores"]["loss"], "scores of other weights"
    state = out / "checkpoints" / "last" / "state.json"
    if state.is_file():
        at = json.loads(state.read_text())["state"]
        assert at["log_bytes"] <= (out / "log.jsonl").stat().st_size
        assert at["validated_step"] == 0 or at["validated_step"] in {
            one["step"] for one in log if one["kind"] == "validation"
        }


def whole_corpus(work: Path, expected: dict[str, Any]) -> None:
    """A manifest promises that all is there."""
    from nutgraf.preparation.shards import Shards, read_manifest

    out = work / "out"
    if (out / "manifest.json").is_file():
        for split in read_manifest(out)["splits"]:
            assert len(Shards.open(out, split))


# What is killed


def trained(name: str, *changes: str, build: Callable[[Path], None] = lambda place: None) -> Subject:
    argv = ("train", "data/tiny.toml", "--data", "data/prepared", "--out", "work/out", "--quiet")
    argv = (*argv, *(part for change in changes for part in ("--set", change)))
    first = (*argv, "--resume") if name == "resume" else argv
    drawn = name == "train"  # a picture takes as long as all the rest
    absent = () if drawn else ("matplotlib.figure",)
    return Subject(name, first, (*argv, "--resume"), training, build, seen=whole_training, absent=absent)


def begun(place: Path) -> None:
    """A training that somebody stopped at step 3."""
    argv = list(trained("train").argv)
    run([*argv, "--set", "training.max_steps=3"], place)


PREPARE = ("prepare", "data/tiny.toml", "data/corpus", "work/out", "--workers", "1", "--quiet")
EVALUATE = ("evaluate", "lead", "random", "--data", "data/corpus/train.jsonl", "--limit", "3", "--words", "9", "--out",
            "work/out", "--quiet")  # fmt: skip
CONVERT = ("convert", "data/bert", "work/out")
TUNE = ("tune", "mls_plus", "--data", "data/corpus/test.jsonl", "--limit", "2", "--share", "1/2", "--step", "1", "-o",
        "work/out.toml", "--quiet")  # fmt: skip

SUMMARIZE = ("summarize", "data/note.txt", "--words", "9", "-o", "work/out.txt", "--report", "work/out.html", "--quiet")

SUBJECTS = (
    Subject("prepare", PREPARE, PREPARE, contents, seen=whole_corpus),
    trained("train"),
    trained("phases", "training.second_phase_steps=3"),
    trained("resume", build=begun),
    Subject("evaluate", EVALUATE, EVALUATE, contents),
    Subject("tune", TUNE, TUNE, contents),
    Subject("summarize", SUMMARIZE, SUMMARIZE, contents),
    Subject("convert", CONVERT, CONVERT, contents, finished="is there already"),
)


def materials(data: Path, subjects: Iterable[Subject]) -> None:
    """A preset, a corpus, and, for subjects that read them, what is prepared of it and another program's weights."""
    read = {part for subject in subjects for part in subject.argv}
    draw = random.Random(3)
    (data / "corpus").mkdir(parents=True)
    (data / "tiny.toml").write_text(PRESET)
    (data / "note.txt").write_text("The ferry Berta left Lindow at noon. It rained all day. Nobody was hurt.")
    for split, count in (("train", 12), ("validation", 3), ("test", 2)):
        lines = []
        for number in range(count):
            name, port = draw.choice(["Agnes", "Berta", "Dora"]), draw.choice(["Tremouth", "Lindow", "Skarholm"])
            text = f"The ferry {name} left {port} at noon. It rained all day in {port}. Nobody of {name} was hurt."
            lines.append(json.dumps({"id": f"{number}", "text": text, "summary": f"The {name} left {port}."}))
        (data / "corpus" / f"{split}.jsonl").write_text("\n".join(lines) + "\n")

    def rest() -> int:
        if "data/bert" in read:
            from tiny_bert import plain_bert

            plain_bert(data / "bert")
        if "data/prepared" not in read:
            return 0
        return run(["prepare", "data/tiny.toml", "data/corpus", "data/prepared", "--workers", "1", "-q"], data.parent)

    assert in_fork(rest) == 0


# Running


class Control:
    """The numbers that a process shares with killpoints.c."""

    def __init__(self, path: Path) -> None:
        """Make them, and have this process count here, its forks, and the programs that these start."""
        path.write_bytes(bytes(4096))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 4096)
        os.environ["KILLPOINTS"] = str(path)
        ctypes.CDLL(None).use_killpoints(str(path).encode())

    def set(self, mode: str, target: int, root: Path) -> None:
        """Begin to count. target: which call to interrupt."""
        self._map[:] = struct.pack("19l", MODES[mode], target, *[0] * 17)[: 8 * 19].ljust(4096, b"\0")
        name = str(root).encode()
        self._map[8 * 19 : 8 * 19 + len(name)] = name

    def off(self) -> None:
        """Count no longer."""
        self._map[:8] = bytes(8)

    @property
    def total(self) -> int:
        """Calls so far."""
        return struct.unpack_from("l", self._map, 16)[0]

    @property
    def counts(self) -> Counter[str]:
        """By kind."""
        return Counter(dict(zip(KINDS, struct.unpack_from(f"{len(KINDS)}l", self._map, 24), strict=True)))


def in_fork(work: Callable[[], int]) -> int:
    """The exit status of some work in a process of its own; negative for a signal."""
    return waited(forked(work))


def forked(work: Callable[[], int]) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        status = work()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def waited(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run(argv: list[str], place: Path) -> int:
    """A command line in this process; what it says goes to `said` in the folder."""
    os.chdir(place)
    sys.argv = ["nutgraf", *argv]
    with (place / "output").open("a", encoding="utf-8") as output:
        sys.stdout = sys.stderr = output
        try:
            from nutgraf.cli.main import main

            main()
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc(file=output)
            return 1
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    return 0


def audited(argv: list[str], place: Path) -> int:
    """Like `run`; what Python's audit hook sees under `work/` goes to `audit.json`."""
    counts: Counter[str] = Counter()
    root = str(place / "work")

    def whole(path: Any, at: Any = -1) -> str:
        name = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
        folder = Path(f"/proc/self/fd/{at}").readlink() if isinstance(at, int) and at >= 0 else Path.cwd()
        return str(folder / name) if name else ""

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            kind, path = "open", whole(given[0])
        elif event in AUDITED:
            kind = AUDITED[event]
            last = 1 if kind in ("rename", "link") else 0
            path = whole(given[last], given[-1] if kind in ("unlink", "rmdir", "rename", "link") else -1)
        else:
            return
        counts[kind] += path == root or path.startswith(root + "/")

    sys.addaudithook(hook)
    status = run(argv, place)
    seen = dict(counts)
    (place / "audit.json").write_text(json.dumps(seen))
    return status


@dataclass
class Tally:
    """What came of a subject."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    points: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


class Campaign:
    """Tries kill points of one subject in a folder of its own."""

    def __init__(self, subject: Subject, place: Path, control: Control) -> None:
        self.subject, self.place, self.control = subject, place, control
        self.work, self.tally = place / "work", Tally(subject.name)
        self.before = place / "before"
        self.work.mkdir()
        assert in_fork(lambda: (subject.build(place), 0)[1]) == 0, self._output()
        shutil.copytree(self.work, self.before, symlinks=True)

    def measure(self) -> dict[str, Any]:
        """An undisturbed run: how many calls there are, and what it leaves."""
        self._anew()
        self.control.set("count", 0, self.work)
        status = in_fork(lambda: audited(list(self.subject.argv), self.place))
        self.control.off()
        assert status == 0, self._output()
        self.tally.points, self.tally.counts = self.control.total, self.control.counts
        seen = json.loads((self.place / "audit.json").read_text())
        for kind, count in seen.items():
            if count > self.tally.counts[kind]:
                self.tally.wrong.append(f"{count} of {kind} were audited, but {self.tally.counts[kind]} counted")
        shutil.copytree(self.work, self.place / "expected")
        self.expected = self.subject.facts(self.work)
        return self.expected

    def try_(self, mode: str, target: int) -> None:
        """Interrupt one call, look, make up for it, compare."""
        self.tally.tried[mode] += 1
        try:
            tried = {"two": self._two, "race": self._race, "disk": self._disk}
            tried[mode](target) if mode in tried else self._one(mode, target)
        except AssertionError as error:
            self._wrong(f"{mode} {target}: {error or traceback.format_exc()}")
        except Exception:
            self._wrong(f"{mode} {target}: {traceback.format_exc()}")

    def _wrong(self, what: str) -> None:
        self.tally.wrong.append(f"{self.subject.name} {what}")
        print(f"WRONG: {self.tally.wrong[-1][:MOST_SAID]}", file=sys.stderr)

    def _one(self, mode: str, target: int) -> None:
        self._anew()
        self.control.set(mode, target, self.work)
        status = in_fork(lambda: run(list(self.subject.argv), self.place))
        self.control.off()
        if mode == "full":
            self._disk_was_full(status)
        else:
            assert status == -signal.SIGKILL, f"status {status}: {self._output()}"
        self._looked()
        self._again()

    def _two(self, target: int) -> None:
        self._anew()
        self.control.set("two", target, self.work)
        first = forked(lambda: run(list(self.subject.argv), self.place))
        _, status = os.waitpid(first, os.WUNTRACED)
        self.control.off()
        assert os.WIFSTOPPED(status), f"it was not stopped: {status}"
        second = in_fork(lambda: run(list(self.subject.again), self.place))
        output = self._output()
        os.kill(first, signal.SIGCONT)
        status = waited(first)
        refused = any(f"another nutgraf is writing here{by}. " in output for by in (f", process {first}", ""))
        assert "Traceback" not in self._output(), self._output()
        assert refused or second == 0, f"the second ended with {second}: {output}"
        assert (second == 2) == refused, output
        assert status == 0 or (not refused and status == 2), f"the first ended with {status}: {self._output()}"
        self._again()

    def _race(self, target: int) -> None:
        self._anew()
        both = [
            forked(lambda argv=argv: run(list(argv), self.place)) for argv in (self.subject.argv, self.subject.again)
        ]
        ends = sorted(waited(one) for one in both)
        assert ends in ([0, 0], [0, 2]), f"they ended with {ends}: {self._output()}"
        assert "Traceback" not in self._output(), self._output()
        self._again()

    def _disk(self, target: int) -> None:
        shutil.rmtree(self.work)
        self.work.mkdir()
        with small_disk(self.work, target) as grow:
            self._anew()
            self._disk_was_full(in_fork(lambda: run(list(self.subject.argv), self.place)))
            grow()
            self._looked()
            self._again()

    def _disk_was_full(self, status: int) -> None:
        """A full disk ends a command by a sentence, or makes no difference to it."""
        output = self._output()
        assert "Traceback" not in output, output
        assert status in (0, 2), f"status {status}: {output}"
        assert status == 0 or "No space left on device" in output, output

    def _looked(self) -> None:
        """In a fork: what is looked at imports and opens."""

        def look() -> int:
            try:
                self.subject.seen(self.work, self.expected)
            except BaseException:
                with (self.place / "output").open("a") as output:
                    traceback.print_exc(file=output)
                return 1
            return 0

        assert in_fork(look) == 0, f"after the kill: {self._output()}"

    def _again(self) -> None:
        status = in_fork(lambda: run(list(self.subject.again), self.place))
        output = self._output()
        done = status == 0 or (bool(self.subject.finished) and self.subject.finished in output)
        assert done, f"not recovered, status {status}: {output}"
        found = self.subject.facts(self.work)
        names = sorted(set(found) ^ set(self.expected))
        assert not names, f"left over or missing: {names}"
        differ = [name for name in found if found[name] != self.expected[name]]
        assert not differ, f"differs: {differ}; {[(found[one], self.expected[one]) for one in differ[:1]]}"

    def _anew(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.before, self.work, dirs_exist_ok=True)
        (self.place / "output").write_text("")

    def _output(self) -> str:
        return (self.place / "output").read_text(encoding="utf-8", errors="replace")[-3000:]


@contextmanager
def small_disk(place: Path, kilobytes: int) -> Iterator[Callable[[], None]]:
    """A file system of this size at a place, and how to make it large."""
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)]
    subprocess.run(mounting, check=True, capture_output=True)
    try:
        growing = ["mount", "-o", "remount,size=64m", str(place)]
        yield lambda: (subprocess.run(growing, check=True), None)[1]
    finally:
        subprocess.run(["umount", str(place)], check=True)


def can_mount(place: Path) -> bool:
    """Whether this process may mount a file system."""
    try:
        with small_disk(place, 64):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def warm(subjects: Iterable[Subject], place: Path) -> None:
    """Run each command once in this process, undisturbed, so that the forks have its modules and tables."""
    before = Path.cwd()
    for subject in subjects:
        (place / "work").mkdir()
        with absent(subject.absent):
            subject.build(place)
            assert run(list(subject.argv), place) == 0, (place / "output").read_text()
            subject.seen(place / "work", {})
        shutil.rmtree(place / "work")
    os.chdir(before)
    assert len(list(Path("/proc/self/task").iterdir())) == 1, "a process with threads cannot be forked safely"
    gc.freeze()  # the forks' collectors pass over what is here, and it stays shared


def work_through(options: argparse.Namespace) -> list[Tally]:
    """The share of the kill points that falls to this process."""
    sys.path.insert(0, str(HERE.parent))
    tallies = []
    with tempfile.TemporaryDirectory(prefix="kill-", dir=options.folder) as folder:
        control = Control(Path(folder) / "control")
        data = Path(folder) / "data"
        subjects = [one for one in SUBJECTS if not options.subjects or one.name in options.subjects]
        importlib.import_module("nutgraf.training.run")  # once, and not in every fork
        materials(data, subjects)
        warm(subjects, Path(folder))
        for subject in subjects:
            began = time.monotonic()
            place = Path(folder) / subject.name
            place.mkdir()
            (place / "data").symlink_to(data)
            with absent(subject.absent):
                campaign = Campaign(subject, place, control)
                campaign.measure()
                tries = [(mode, target) for mode, target in chosen(campaign, options) if mode in options.modes]
                for number, (mode, target) in enumerate(tries):
                    if number % options.jobs == options.job:
                        campaign.try_(mode, target)
            campaign.tally.seconds = time.monotonic() - began
            tallies.append(campaign.tally)
            print(f"{subject.name}: {dict(campaign.tally.tried)}, {len(campaign.tally.wrong)} wrong", file=sys.stderr)
    return tallies


def chosen(campaign: Campaign, options: argparse.Namespace) -> Iterator[tuple[str, int]]:
    """Which calls are interrupted, and how. Every one is a kill point; of the other modes, every few."""
    points, draw = campaign.tally.points, random.Random(options.seed)
    for mode, every in (("kill", 1), ("torn", 3), ("full", 5), ("two", 7)):
        step = every * options.every
        first = draw.randrange(step) + 1
        yield from ((mode, target) for target in range(min(first, points), points + 1, step))
    rounds = max(1, 12 // options.every)
    yield from (("race", number) for number in range(rounds))
    if can_mount(campaign.work):
        before, needed = (
            sum(path.stat().st_size for path in place.rglob("*")) // 1024
            for place in (campaign.before, campaign.place / "expected")
        )
        yield from (("disk", before + 32 + number * (needed - before) // rounds) for number in range(rounds))


def built(folder: Path) -> Path:
    """killpoints.c as a library."""
    library = folder / "killpoints.so"
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "killpoints.c"), "-ldl"]
    subprocess.run(command, check=True)
    return library


def share(job: int, arguments: list[str], library: Path) -> list[dict[str, Any]]:
    """What one process found."""
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "200", "NO_COLOR": "1"}
    environment = {**os.environ, **single, "LD_PRELOAD": str(library)}
    command = [sys.executable, __file__, *arguments, "--job", str(job)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"the campaign ended with status {done.returncode}")
    return list(json.loads(done.stdout))


def campaign(arguments: list[str], jobs: int) -> dict[str, Tally]:
    """All shares together, by subject."""
    tallies: dict[str, Tally] = {}
    with tempfile.TemporaryDirectory(prefix="killpoints-") as folder, ThreadPoolExecutor(jobs) as pool:
        library = built(Path(folder))
        for found in pool.map(lambda job: share(job, arguments, library), range(jobs)):
            for one in found:
                tally = tallies.setdefault(one["name"], Tally(one["name"]))
                tally.counts, tally.points = Counter(one["counts"]), one["points"]
                tally.tried.update(one["tried"])
                tally.wrong += one["wrong"]
                tally.seconds += one["seconds"]
    return tallies


def report(tallies: Mapping[str, Tally], absent: Sequence[str]) -> str:
    """A table, and what went wrong."""
    lines = [f"{'':10}" + "".join(f"{kind:>9}" for kind in KINDS) + f"{'points':>9}"]
    for tally in tallies.values():
        lines.append(f"{tally.name:10}" + "".join(f"{tally.counts[kind]:9}" for kind in KINDS) + f"{tally.points:9}")
    lines += ["", f"{'':10}" + "".join(f"{mode:>9}" for mode in TRIED) + f"{'wrong':>9}{'seconds':>9}"]
    for tally in tallies.values():
        tried = "".join(f"{tally.tried[mode]:9}" for mode in TRIED)
        lines.append(f"{tally.name:10}{tried}{len(tally.wrong):9}{tally.seconds:9.0f}")
    lines += ["", *(f"WRONG: {one[:MOST_SAID]}" for tally in tallies.values() for one in tally.wrong)]
    return "\n".join([*lines, *([f"NEVER SEEN: {', '.join(absent)}"] if absent else [])])


def missing(tallies: Mapping[str, Tally]) -> list[str]:
    """Kinds of calls that no subject made: then nothing was tried with them."""
    seen: Counter[str] = Counter()
    for tally in tallies.values():
        seen.update(tally.counts)
    return sorted(kind for kind in NEEDED if not seen[kind])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth call")
    parser.add_argument("--seed", type=int, default=0, help="of which ones")
    parser.add_argument("--subjects", nargs="*", choices=[one.name for one in SUBJECTS])
    parser.add_argument("--modes", nargs="*", choices=TRIED, default=TRIED, help="only these")
    parser.add_argument("--report", type=Path, help="write what was found here, as JSON")
    parser.add_argument("--folder", help="where to work; the system's for temporary files")
    parser.add_argument("--job", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job is not None:
        tallies = work_through(options)
        print(json.dumps([vars(tally) for tally in tallies]))
        return
    arguments = sys.argv[1:]
    if "--jobs" not in arguments:
        arguments += ["--jobs", str(options.jobs)]
    tallies = campaign(arguments, options.jobs)
    absent = [] if options.subjects else missing(tallies)
    print(report(tallies, absent))
    if options.report is not None:
        options.report.parent.mkdir(parents=True, exist_ok=True)
        found = {"never_seen": absent, "subjects": [vars(tally) for tally in tallies.values()]}
        options.report.write_text(json.dumps(found, indent=2) + "\n")
    raise SystemExit(bool(absent or any(tally.wrong for tally in tallies.values())))


if __name__ == "__main__":
    main()

"""The net below the commands: whatever goes wrong ends in one sentence and a status."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nutgraf.cli import app
from nutgraf.cli.main import main
from nutgraf.text.clean import visible

RUN = f"{sys.executable} -m nutgraf"


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted."),
        (MemoryError(), 2, "There is not enough memory"),
        (
            RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried …"),
            2,
            "not enough memory",
        ),
        (RecursionError(), 2, "nested too deeply"),
        (OSError(28, "No space left on device", "out.txt"), 2, "out.txt cannot be used: No space left on device."),
        (KeyError("k\nnutgraf: forged"), 1, r"not of yours (KeyError: 'k\nnutgraf: forged')"),
    ],
)
def test_an_error_is_a_sentence_and_a_status(
    error: BaseException,
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails(arguments: list[str]) -> int:
        raise error

    monkeypatch.setattr(app, "run", fails)
    for flags, debug in ([], "0"), (["--debug"], "0"), ([], "1"):
        monkeypatch.setattr(sys, "argv", ["nutgraf", "presets", *flags])
        monkeypatch.setenv("NUTGRAF_DEBUG", debug)
        with pytest.raises(SystemExit) as ended:
            main()
        stderr = capsys.readouterr().err
        assert ended.value.code == status
        assert stderr.splitlines()[-1].startswith("nutgraf: ")
        assert message in stderr.splitlines()[-1]
        assert ("Traceback" in stderr) == (bool(flags) or debug == "1")


def test_debug_behind_two_dashes_is_a_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["nutgraf", "summarize", "--", "--debug"])
    with pytest.raises(SystemExit):
        main()
    assert "'--debug'" in capsys.readouterr().err


@pytest.mark.parametrize("output", ["presets", "--help", "presets lead --json", "--version"])
def test_a_full_device(output: str) -> None:
    done = subprocess.run(f"{RUN} {output} > /dev/full", shell=True, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("nutgraf: ")
    assert "space left" in done.stderr


@pytest.mark.parametrize("output", ["presets", "--help", "presets lead --json", "check {text} {text}"])
def test_a_closed_pipe_ends_quietly(output: str, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Four boats left the harbour at noon, and the captain of the ferry waited on the pier until dark.")
    command = f"{RUN} {output.format(text=text)}"
    done = subprocess.run(f"({command}; echo $? >&2) | head -0", shell=True, capture_output=True, text=True)
    assert done.stderr == "141\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "2> /dev/full"])
def test_a_closed_stream_is_no_mistake_of_ours(closed: str) -> None:
    done = subprocess.run(f"{RUN} summarize - {closed}", shell=True, capture_output=True, text=True, input="")
    assert done.returncode == 2
    assert done.stderr == ("" if "2>" in closed else "nutgraf: standard input is empty; there is nothing to read.\n")


def test_ctrl_c_at_any_moment_is_one_sentence() -> None:
    """From the first moment of `main`, in which nothing is imported yet. What comes before it is Python's own start."""
    begin = (
        "import nutgraf.cli.main as m; first = m._interrupt_on_signals; "
        "m._interrupt_on_signals = lambda received: (print('ready', flush=True), first(received)); m.main()"
    )
    for wait in (0.0, 0.02, 0.05, 0.1, 0.2, 0.5):
        process = subprocess.Popen(
            [sys.executable, "-c", begin, "summarize", "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
        assert process.returncode in (130, -signal.SIGINT)  # a shell says 130 for both
        assert stderr == ("nutgraf: interrupted.\n" if process.returncode == 130 else "")


def test_ctrl_c_while_a_stream_is_made_ready_is_one_sentence() -> None:
    """Making a stream ready runs code of Python's; what interrupts it leaves the stream without an encoder."""
    begin = (
        "import codecs, sys, nutgraf.cli.main as m\n"
        "made = codecs.IncrementalEncoder.__init__\n"
        "def interrupted(self, errors='strict'):\n"
        "    codecs.IncrementalEncoder.__init__ = made\n"
        "    raise KeyboardInterrupt\n"
        "def first(received):\n"
        "    codecs.IncrementalEncoder.__init__ = interrupted\n"
        "    sys.stderr.reconfigure(errors='backslashreplace')\n"
        "m._interrupt_on_signals = first\n"
        "m.main()"
    )
    done = subprocess.run([sys.executable, "-c", begin], capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stderr == "nutgraf: interrupted.\n"


def test_ctrl_c_while_code_is_made_of_a_text_has_the_same_status(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(
        "import sys\n"
        "from nutgraf.cli import app, main\n"
        "app.run = lambda arguments: exec('raise KeyboardInterrupt')\n"
        "sys.argv = ['nutgraf']\n"
        "main.main()\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-m", "interrupted"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (130, "nutgraf: interrupted.\n")


def test_what_is_visible() -> None:
    assert visible("a\nb\tc\x1b[31m\x7f\x9b\u202e\u2028\udc80é漢") == (r"a\nb\tc\x1b[31m\x7f\x9b\u202e\u2028\udc80é漢")
    assert visible("a\nb\tc\x1b\r", lines=True) == "a\nb\tc\\x1b\\r"


def test_a_wrong_choice_is_answered_with_the_choices() -> None:
    done = subprocess.run(f"{RUN} check a b --fail-on bogus", shell=True, capture_output=True, text=True)
    assert done.returncode == 2
    assert "'contradicted'" in done.stderr
    assert "Value error" not in done.stderr

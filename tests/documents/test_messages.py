"""The messages that are part of the product, word for word: what a new user does wrong first.

Everywhere else tests assert the type of an error and the key, file, option or number that it names.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import nutgraf
from nutgraf.errors import BudgetError, InputError, NutgrafError, PresetError, UnknownName

TEXT = "The ferry left at noon. It came back at dusk."

MESSAGES: list[tuple[Callable[[], object], type[NutgrafError], str]] = [
    (
        lambda: nutgraf.load("leed"),
        UnknownName,
        "No preset 'leed'. Did you mean 'lead'? `nutgraf presets` lists all.",
    ),
    (
        lambda: nutgraf.load("lead", ["seed=x"]),
        PresetError,
        "The seed is a whole number from 0 to 9,223,372,036,854,775,807, not 'x'.",
    ),
    (
        lambda: nutgraf.load(Path("folder")),
        InputError,
        "folder is not a trained model: preset.toml is missing. `nutgraf train` creates such folders.",
    ),
    (
        lambda: nutgraf.load("kpat")(TEXT),
        PresetError,
        "The preset 'kpat' is a network that has no trained weights. This trains it: nutgraf train kpat --data DATA "
        "--out FOLDER; then name FOLDER instead of kpat.",
    ),
    (
        lambda: nutgraf.read(Path("nowhere.txt")),
        InputError,
        "There is no file 'nowhere.txt'. (To pass text itself, pipe it and name the file -.)",
    ),
    (
        lambda: nutgraf.read(Path("empty.txt")),
        InputError,
        "empty.txt is empty; there is nothing to read.",
    ),
    (
        lambda: nutgraf.read("https://example.org/a"),
        InputError,
        "https://example.org/a is a web address, and nothing is fetched unless you ask: use --fetch, or in Python "
        "nutgraf.read(address, fetch=True).",
    ),
    (
        lambda: nutgraf.read(Path("note.txt"), language="germn"),
        InputError,
        "No language 'germn'. Did you mean 'de'? A language is an ISO 639-1 code of two letters, such as en, de, fr or "
        "zh; without one it is recognized.",
    ),
    (
        lambda: nutgraf.load("lead")("note.txt"),
        InputError,
        "'note.txt' is the name of a file, and a str is a text: pass Path('note.txt') to read the file.",
    ),
    (
        lambda: nutgraf.load("lead")(42),  # type: ignore[arg-type]
        InputError,
        "A document is a text (str), a Path, bytes, an open file or a Document, or a list of these, not int.",
    ),
    (
        lambda: nutgraf.load("lead")(TEXT, words=2),
        BudgetError,
        "No sentence fits into 2 words: the shortest sentence that this system would take has 5. Ask for 5 words or "
        "more.",
    ),
    (
        lambda: nutgraf.load("lead")(TEXT, words=20, sentences=1),
        BudgetError,
        "A summary has one length, but words and sentences were given; give one of them.",
    ),
    (
        lambda: nutgraf.load("lead")(TEXT, words=20, highlights=["ferry:-1"]),
        InputError,
        "The highlight 'ferry:-1' needs a number above 0 after its last colon, as in 'phrase:2'. If the colon belongs "
        "to the phrase, end the highlight with ':1'.",
    ),
]

COMMANDS = [
    (
        ["summarize", "note.txt", "--wrds", "3"],
        "Usage: nutgraf summarize [OPTIONS] {files}...\n"
        "nutgraf: No such option: --wrds (Possible options: --threads, --trust, --words). nutgraf summarize --help "
        "tells more.\n",
    ),
    (
        ["summarize"],
        "Usage: nutgraf summarize [OPTIONS] {files}...\n"
        "nutgraf: Missing argument 'files'. nutgraf summarize --help tells more.\n",
    ),
]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "note.txt").write_text(TEXT)
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("call", "kind", "message"), MESSAGES, ids=[message[:30] for *_, message in MESSAGES])
def test_a_mistake_in_python(call: Callable[[], object], kind: type[NutgrafError], message: str) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert str(raised.value) == message


@pytest.mark.parametrize(("argv", "message"), COMMANDS)
def test_a_mistake_on_the_command_line(argv: list[str], message: str) -> None:
    done = subprocess.run([sys.executable, "-m", "nutgraf", *argv], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, message)

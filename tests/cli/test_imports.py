"""What a command loads: libraries that take long to import are loaded where they are needed, and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nutgraf.cli.app import PURPOSES, command_group

HEAVY = """
    asyncio charset_normalizer email.message importlib.metadata jinja2 lxml markdown_it nltk numpy nupunkt olefile
    oxmsg pandas pptx pycrfsuite pydantic pypdf rich scipy scipy.optimize scipy.sparse.csgraph scipy.stats sklearn
    socket textblob torch transformers typer unittest vaderSentiment
""".split()
"""Packages and modules that take milliseconds to import."""

FILES = {
    "ferry.txt": "The ferry left the harbour at noon. It came back at dusk.\n\nThe tide gauge failed on Monday.",
    "ferry.html": "<html><body><article><p>The ferry left at noon.</p><p>It came back.</p></article></body></html>",
    "ferry.md": "# The ferry\n\nThe ferry left the harbour at noon. It came back at dusk.\n",
}

TEXT = {"typer", "numpy", "nupunkt"}
"""What a text in English takes."""

PHRASES = TEXT | {"pycrfsuite"}
"""The tagger is taken where it is installed."""

SPARSE = TEXT | {"scipy", "charset_normalizer", "email.message", "importlib.metadata", "socket", "unittest"}
"""Sparse matrices of scipy, with what they take along."""

COMMANDS = {
    "--help": {"typer"},
    "--version": {"typer"},
    "summarize --help": {"typer"},
    "phrases ferry.txt": PHRASES,
    "phrases ferry.txt --json --top 3": PHRASES,
    "phrases ferry.txt --extractor rake": TEXT,
    "phrases ferry.html": PHRASES | {"lxml"},
    "phrases ferry.md": PHRASES | {"markdown_it"},
    "check ferry.txt ferry.txt": TEXT,
    "summarize ferry.txt --system lead --sentences 1": TEXT,
    "summarize ferry.txt --words 20": TEXT,
    "changes ferry.txt ferry.md": SPARSE | {"markdown_it"},
    "summarize ferry.txt --minutes": TEXT,
}
"""Heavy packages that each command may load."""

PROGRAM = """
import sys
from nutgraf.cli.main import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_loads_what_it_needs_and_nothing_beyond(command: str, tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command.split()],
        cwd=tmp_path,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout, result.stderr
    loaded = set(result.stderr.splitlines()[-1].split())
    assert "nutgraf" in loaded
    assert loaded.intersection(HEAVY) - COMMANDS[command] == set()
    assert {f"nutgraf.cli.{name}" for name in PURPOSES} & loaded == {f"nutgraf.cli.{command.split()[0]}"} & loaded


@pytest.mark.parametrize("name", PURPOSES)
def test_the_list_of_commands_says_what_the_help_of_each_says_first(name: str) -> None:
    assert " ".join(command_group().commands[name].help.partition("\n\n")[0].split()) == PURPOSES[name]

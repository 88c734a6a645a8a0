"""A mechanism can be added from outside nutgraf, in one file: it is found, configured, and keeps its family's contract.

Each file is copied into a folder of its own, as a module `my_lab.NAME`, and the family's contract runs on it in another
process. Three of the files stand in CONTRIBUTING.md.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from members import OUTSIDE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FILES = HERE / "outside"

CASES = {
    "metrics": ("shout", "test_metrics.py"),
    "datasets": ("minutes", "test_datasets.py"),
    "tokenizers": ("characters", "test_tokenizers.py"),
    "extractive": ("long_first", "test_extractive.py"),
    "keyphrases": ("proper_names", "test_keyphrases.py"),
    "attention": ("local", "test_attention.py"),
    "processors": ("forbid_token", "test_processors.py"),
    "objectives": ("less_copying", "test_objectives.py"),
    "callbacks": ("stops_early", "test_callbacks.py"),
}
"""For each family the file, and the tests of the contract."""

_BLOCK = re.compile(r"^```python\n# my_lab/(?P<name>\w+)\.py\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def contributed() -> dict[str, str]:
    """Return the files that CONTRIBUTING.md shows, by their names."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return {match["name"]: match["text"] for match in _BLOCK.finditer(text)}


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A folder with the package `my_lab`."""
    folder = tmp_path / "my_lab"
    shutil.copytree(FILES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in contributed().items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "__init__.py").touch()
    return tmp_path


def run(lab: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with `my_lab` on its path."""
    places = os.pathsep.join([str(lab), str(ROOT / "src"), str(ROOT / "tests")])
    given = {**os.environ, "PYTHONPATH": places, **environment}
    return subprocess.run([sys.executable, *command], env=given, cwd=ROOT, capture_output=True, text=True, check=False)


def test_files_keep_the_contracts_of_their_families(lab: Path) -> None:
    """One process for all families, since most of its time is spent on starting."""
    named = {family: f"my_lab.{name}" for family, (name, _) in CASES.items()}
    tests = [str(HERE / file) for _, file in CASES.values()]
    ran = run(lab, "-m", "pytest", "-p", "no:cacheprovider", *tests, **{OUTSIDE: json.dumps(named)})
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", ran.stdout)[1]) > 30  # type: ignore[index]


def test_the_files_that_contributors_are_shown_pass_the_linter(lab: Path) -> None:
    shown = [str(lab / "my_lab" / f"{name}.py") for name in contributed()]
    for way in (["check"], ["format", "--check"]):
        ran = run(lab, "-m", "ruff", *way, "--no-cache", "--config", str(ROOT / "pyproject.toml"), *shown)
        assert ran.returncode == 0, ran.stdout


def test_an_option_from_outside_is_set_like_any_other(lab: Path) -> None:
    phrases = ("-m", "nutgraf", "phrases", str(ROOT / "examples" / "island.txt"), "--extractor", "my_lab.proper_names")
    ran = run(lab, *phrases, "--top", "2")
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.strip().splitlines()) == 2


def test_a_reader_is_named_on_the_command_line(lab: Path) -> None:
    """It reads files, and a folder stands for the files that it has a suffix for."""
    (lab / "memos").mkdir()
    (lab / "memos" / "gate.memo").write_text("To: all\n---\nThe gate of the harbour stays shut tonight.")
    (lab / "memos" / "other.txt").write_text("The kitchen of the harbour closes early today.")
    command = ("-m", "nutgraf", "summarize", str(lab / "memos"), "--system", "lead", "--sentences", "2")
    ran = run(lab, *command, "--reader", "my_lab.memo")
    assert (ran.returncode, ran.stdout) == (0, "The gate of the harbour stays shut tonight.\n"), ran.stderr


def test_a_search_takes_a_processor(lab: Path) -> None:
    """The likeliest first token of a network is forbidden, and another one takes its place."""
    pytest.importorskip("torch")
    program = """
from small_networks import random_network, random_sources
from nutgraf.decoding.processors import processors
from nutgraf.decoding.search import Config, search

network, sources = random_network(29, 1), random_sources(29, (7, 5), 1)

def written(**chosen):
    found = search(network, sources, Config(beam_size=2, min_length=3, max_length=6, processors=chosen))
    return [token for document in found for token in document[0].ids]

token = written()[0]
assert token not in written(forbid=processors.choose("my_lab.forbid_token", token=token))
"""
    ran = run(lab, "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'tests' / 'decoding')!r})\n{program}")
    assert ran.returncode == 0, ran.stderr


def test_a_preset_names_it(lab: Path) -> None:
    command = ("-m", "nutgraf", "summarize", str(ROOT / "examples" / "island.txt"), "--words", "60")
    ran = run(lab, *command, "--system", "lead", "--set", "extractive.kind=my_lab.long_first")
    assert ran.returncode == 0, ran.stderr
    assert 0 < len(ran.stdout.split()) <= 60

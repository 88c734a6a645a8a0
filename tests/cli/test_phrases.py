"""`nutgraf phrases`, as a person runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from nutgraf.cli.phrases import phrases
from nutgraf.errors import InputError, OutputError, UnknownName

TEXT = "The tide gauge failed. A tide gauge measures the sea. Without the tide gauge the harbour master guesses.\n"


@pytest.fixture
def run():
    app = typer.Typer()
    app.command()(phrases)
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "harbour.txt"
    path.write_text(TEXT)
    return path


def test_a_line_has_score_phrase_and_count(run, file):
    result = run(file, "--extractor", "rake", "--ngram-range", 2, 3)
    assert result.exit_code == 0
    # tide, gauge: degree 8, frequency 3; words of three-word phrases: 3; so 16/3 beside 9 and twice 25/3
    assert result.stdout.splitlines()[-1].split() == ["0.338", "tide", "gauge", "3×"]
    assert len({line.index("×") for line in result.stdout.splitlines()}) == 1


def test_json_tells_every_place_in_its_own_source(run, file, tmp_path):
    (tmp_path / "second.txt").write_text("Nobody reads the tide gauge now.\n")
    result = run(file, tmp_path / "second.txt", "--ngram-range", 2, 2, "--top", 1, "--json")
    found = json.loads(result.stdout)
    assert found["schema"] == "nutgraf.phrases/1"
    assert found["phrases"][0]["text"] == "tide gauge"
    assert found["phrases"][0]["places"][-1] == {"source": 1, "start": 17, "end": 27}


def test_a_web_page_is_read_if_asked_for(run, monkeypatch):
    monkeypatch.setattr("nutgraf.readers._fetch.fetch", {"http://example.com/a": TEXT.encode()}.__getitem__)
    assert "tide gauge" in run("http://example.com/a", "--fetch").stdout
    assert "tide gauge" in run("http://example.com/a", "--fetch", "--each").stdout
    with pytest.raises(InputError, match="fetched"):
        raise run("http://example.com/a").exception


def test_neither_nltk_nor_scipy_is_loaded(file):
    code = (
        "import sys; from nutgraf.cli.main import main\n"
        f"sys.argv = ['nutgraf', 'phrases', {str(file)!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sorted({'nltk', 'textblob', 'scipy', 'scipy.stats', 'scipy.sparse'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tide gauge" in done.stdout
    assert done.stdout.splitlines()[-1] == ""


def test_long_texts_are_told_where_topics_take_long(run, tmp_path, monkeypatch):
    monkeypatch.setattr("nutgraf.keyphrases._topics.LONGEST", 60)
    (tmp_path / "long.txt").write_text(TEXT)
    assert "position_rank" in run(tmp_path / "long.txt", "--extractor", "topic_rank").stderr
    assert run(tmp_path / "long.txt", "--extractor", "position_rank").stderr == ""


def test_output_goes_to_a_file(run, file, tmp_path):
    result = run(file, "-o", tmp_path / "found.txt")
    assert result.stdout == ""
    assert "tide gauge" in (tmp_path / "found.txt").read_text()


def test_notices_go_to_stderr_unless_quiet(run, tmp_path):
    (tmp_path / "marks.txt").write_text("It is. They were.")
    loud, quiet = run(tmp_path / "marks.txt"), run(tmp_path / "marks.txt", "--quiet")
    assert (loud.exit_code, loud.stdout, quiet.stdout, quiet.stderr) == (0, "", "", "")
    assert "key phrases" in loud.stderr


def test_mistakes_are_ours_to_explain(run, file, tmp_path):
    assert isinstance(run(file, "--extractor", "position_rnk").exception, UnknownName)
    assert isinstance(run(file, "-o", tmp_path / "no" / "where.txt").exception, OutputError)


def test_each_document_has_its_own_phrases_in_the_order_of_the_files(run, tmp_path):
    names = [f"{number}.txt" for number in range(7)]
    for number, name in enumerate(names):
        (tmp_path / name).write_text(f"Harbour number{number} has a tide gauge. Nobody reads harbour number{number}.\n")
    (tmp_path / "3.txt").write_bytes(b"")
    result = run(*(tmp_path / name for name in names), "--each", "--json", "--top", 3)
    assert result.exit_code == 2
    data = json.loads(result.stdout)
    assert [Path(one["sources"][0]).name for one in data] == [name for name in names if name != "3.txt"]
    assert all(
        any(f"number{Path(one['sources'][0]).stem}" in phrase["text"].lower() for phrase in one["phrases"])
        for one in data
    )
    assert "3.txt is empty" in result.stderr
    assert "7 documents" in result.stderr

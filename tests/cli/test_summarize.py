"""`nutgraf summarize`, as a person meets it: what is on stdout, what on stderr, how it ends, what is left on disk."""

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import nutgraf
from nutgraf.cli.main import main
from nutgraf.text.summary import RATING

TEXT = """The harbour pilot guided the tanker to the quay. A storm broke the mooring lines during the night.
The pilot called two tugs at once. Nobody was hurt, but the quay was damaged.
The oil company thanked the pilot and the crews."""

FIRST = "The harbour pilot guided the tanker to the quay."


class Ended:
    """The end of a run."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs `nutgraf summarize` in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def summarize(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["nutgraf", "summarize", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Ended(ended.value.code, captured.out, captured.err)

    return summarize


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.txt"
    path.write_text(TEXT)
    return path


def fails(ended, *messages):
    """Status 2, nothing on stdout, one sentence on stderr that says what it should."""
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("nutgraf: ")
    assert ended.err.count("\n") == 1
    assert ended.err.endswith((".\n", "?\n", ".)\n"))
    for words in messages:
        assert words in ended.err


class TestWhatComesOut:
    def test_only_the_summary_is_on_stdout(self, run, good):
        ended = run(good, "--words", 9)
        assert (ended.status, ended.out, ended.err) == (0, FIRST + "\n", "")

    def test_notices_are_on_stderr_unless_quiet(self, run, good):
        loud = run(good, "--words", 9, "--highlight", "whale")
        quiet = run(good, "--words", 9, "--highlight", "whale", "--quiet")
        assert loud.err == f"nutgraf: The highlight 'whale' does not occur in {good}.\n"
        assert loud.out == quiet.out == FIRST + "\n"
        assert (quiet.status, quiet.err) == (0, "")

    def test_an_option_that_is_given_twice_is_told(self, run, good):
        ended = run(good, "--words", "5", "--words", "9", "--set", "seed=1", "--set", "seed=2", "--json")
        assert json.loads(ended.out)["budget"]["words"] == 9
        assert ended.err == "nutgraf: --words was given more than once; the last value counts.\n"
        assert run(good, "--words", "5", "--words", "9", "-q").err == ""

    def test_the_same_text_counts_once(self, run, good, tmp_path):
        (tmp_path / "copy.txt").write_text(TEXT.replace("\n", "\r\n"))
        alone, together = run(good, "--words", "60"), run(good, good, "copy.txt", "--words", "60")
        assert together.out == alone.out
        assert "copy.txt" in together.err

    def test_a_result_lies_where_the_next_run_does_not_read_it(self, run, good, tmp_path):
        for read, result in ((".", "new.txt"), ("*.txt", "new.txt"), ("**/*.md", "new.md"), (tmp_path, "page.html")):
            for option in ("-o", "--report"):
                fails(run(read, option, result), f"{result} would be one of the files of {read}", "another folder")
        assert list(tmp_path.iterdir()) == [good]
        for read, result in ((".", "new.out"), ("*.txt", "new.md"), ("good.txt", "new.txt")):
            assert run(read, "--words", "9", "-o", result).status == 0

    def test_large_files_are_announced(self, run, good, monkeypatch):
        monkeypatch.setattr("nutgraf.cli._say.LARGE", 100)
        monkeypatch.setattr("nutgraf.readers._decode.LIMIT", 220)
        monkeypatch.setattr("nutgraf.readers._blocks.LIMIT", 220)
        reading, cut = run(good, "--sentences", "3").err.splitlines()
        assert reading.endswith("good.txt has 0 MB; to read it can take half a minute.")
        assert "good.txt is longer than 220 characters" in cut

    def test_a_file_gets_it_instead(self, run, good, tmp_path):
        ended = run(good, "--words", 9, "-o", "short.txt")
        assert (ended.status, ended.out, ended.err) == (0, "", "")
        assert (tmp_path / "short.txt").read_text() == FIRST + "\n"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["good.txt", "short.txt"]

    def test_nothing_that_is_read_is_overwritten(self, run, good, tmp_path):
        before = Path(good).read_text()
        for options in (["-o", good], ["--report", good], ["-o", "page.html", "--report", "./page.html"]):
            fails(run(good, "--words", "9", *options), "is used twice")
        assert Path(good).read_text() == before

    def test_an_output_is_replaced_as_a_whole(self, run, good, tmp_path):
        (tmp_path / "short.txt").write_text("Something longer that was there before the summary was, line after line.")
        run(good, "--words", 9, "-o", "short.txt")
        assert (tmp_path / "short.txt").read_text() == FIRST + "\n"

    def test_a_link_is_written_through(self, run, good, tmp_path):
        (tmp_path / "link.txt").symlink_to("real.txt")
        run(good, "--words", 9, "-o", "link.txt")
        assert (tmp_path / "link.txt").is_symlink()
        assert (tmp_path / "real.txt").read_text() == FIRST + "\n"

    def test_what_is_no_regular_file_stays_what_it_is(self, run, good, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        assert run(good, "--words", 9, "-o", "pipe").status == 0
        assert os.read(reader, 1000).decode() == FIRST + "\n"
        os.close(reader)
        assert (tmp_path / "pipe").is_fifo()

    def test_standard_input(self, run):
        assert run("-", "--words", 9, stdin=TEXT.encode()).out == FIRST + "\n"
        assert run("-", "--words", 9, "-o", "-", stdin=TEXT.encode()).out == FIRST + "\n"

    def test_several_files_are_one_input(self, run, good, tmp_path):
        (tmp_path / "second.txt").write_text("The tug is new. It came in May.")
        data = json.loads(run("good.txt", "second.txt", "--json").out)
        assert [source["name"] for source in data["sources"]] == ["good.txt", "second.txt"]

    def test_json(self, run, good):
        data = json.loads(run(good, "--words", 20, "--highlight", "storm:9", "--json").out)
        assert data["schema"] == "nutgraf.summary/1"
        assert data["words"] == len(data["text"].split()) <= 20
        assert data["phrases"][0] == {
            "text": "storm",
            "forms": [],
            "score": 9.0,
            "places": [{"source": 0, "start": TEXT.index("storm"), "end": TEXT.index("storm") + 5}],
        }

    def test_a_report_beside_the_summary(self, run, good, tmp_path):
        ended = run(good, "--words", 9, "--report", "page.html")
        assert (ended.status, ended.out) == (0, FIRST + "\n")
        assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")

    def test_every_sentence_can_be_kept(self, run, tmp_path):
        file = tmp_path / "page.txt"
        file.write_text("The ferry left the old quay an hour late.\n\nPhoto: Ann Lee.\n", encoding="utf-8")
        assert run(file, "--words", 60).out == "The ferry left the old quay an hour late.\n"
        kept = run(file, "--words", 60, "--keep-all")
        assert (kept.status, kept.out) == (0, "The ferry left the old quay an hour late. Photo: Ann Lee.\n")

    def test_lengths(self, run, good):
        assert len(json.loads(run(good, "--sentences", 2, "--json").out)["sentences"]) == 2
        assert len(run(good, "--share", "1/2").out.split()) <= 20
        assert run(good, "--words", 1000).out.split() == TEXT.split()
        assert run(good, "--sentences", 1000).out.split() == TEXT.split()

    def test_a_highlights_weight_counts(self, run, good):
        assert run(good, "--words", 9, "--highlight", "storm:9").out.startswith("A storm")
        assert run(good, "--words", 9, "--highlight", "storm:0.001").out.startswith("The harbour")

    def test_a_system_that_cannot_be_steered_says_so(self, run, good):
        ended = run(good, "--system", "systematic", "--highlight", "storm")
        assert ended.status == 0
        assert "highlights" in ended.err

    def test_seeds(self, run, good):
        summaries = [run(good, "--system", "random", "--sentences", 1, "--seed", seed).out for seed in (0, 0, 1, 2, 3)]
        assert summaries[0] == summaries[1]
        assert len(set(summaries)) > 1

    def test_settings(self, run, good):
        assert run(good, "--system", "lead", "--set", "selection.num_sentences=1").out == FIRST + "\n"

    def test_a_preset_of_ones_own(self, run, good, tmp_path):
        (tmp_path / "mine.toml").write_text('extends = "lead"\n[selection]\nnum_sentences = 1\n')
        assert run(good, "--system", "mine.toml").out == FIRST + "\n"


class TestEach:
    def test_one_summary_a_document(self, run, good, tmp_path):
        (tmp_path / "second.txt").write_text("The tug is new. It came in May.")
        ended = run("good.txt", "second.txt", "--each", "--words", 9)
        assert ended.out == f"==> good.txt <==\n{FIRST}\n\n==> second.txt <==\nThe tug is new. It came in May.\n"
        assert (ended.status, ended.err) == (0, "")

    def test_json_is_a_list(self, run, good):
        outlines = json.loads(run(good, good, "--each", "--by", "section", "--json").out)
        assert [one["schema"] for one in outlines] == ["nutgraf.outline/1"] * 2
        summaries = json.loads(run(good, good, "--each", "--words", 9, "--json").out)
        assert [summary["text"] for summary in summaries] == [FIRST, FIRST]

    def test_a_bad_file_does_not_stop_the_good_ones(self, run, good, tmp_path):
        (tmp_path / "empty.txt").write_text("")
        (tmp_path / "long.txt").write_text(f"Long is this sentence {'and so on ' * 5}until here.")
        ended = run("empty.txt", "missing.txt", "good.txt", "long.txt", "--each", "--words", 9)
        assert (ended.status, ended.out) == (2, f"==> good.txt <==\n{FIRST}\n")
        empty, missing, long, closing = ended.err.splitlines()
        assert closing == (
            "nutgraf: 3 of 4 documents have no result, for the reasons above: empty.txt, missing.txt, long.txt."
        )
        assert "empty.txt is empty" in empty
        assert "no file 'missing.txt'" in missing
        assert long.startswith("nutgraf: long.txt: No sentence fits into 9 words")

    def test_where_none_can_be_made_nothing_is_written(self, run, tmp_path):
        (tmp_path / "empty.txt").write_text("")
        ended = run("empty.txt", "--each", "-o", "out.txt")
        assert (ended.status, ended.out) == (2, "")
        assert not (tmp_path / "out.txt").exists()

    def test_many_documents(self, run, tmp_path):
        lines = [json.dumps({"text": f"The tug number {number} came. It left."}) for number in range(7)]
        (tmp_path / "tugs.jsonl").write_text("\n".join(lines))
        ended = run("tugs.jsonl", "--each", "--system", "lead", "--sentences", 1, "-o", "out.txt")
        assert (ended.status, ended.out) == (0, "")
        assert (tmp_path / "out.txt").read_text().count("==> tugs.jsonl:") == 7

    def test_several_processes_keep_the_order_and_tell_what_failed(self, run, tmp_path):
        for number in range(9):
            (tmp_path / f"{number}.txt").write_text(f"The tug number {number} came. It left.")
        (tmp_path / "4.txt").write_bytes(b"")
        ended = run(*(f"{number}.txt" for number in range(9)), "--each", "--system", "lead", "--sentences", 1)
        expected = [f"==> {one}.txt <==\nThe tug number {one} came." for one in range(9) if one != 4]
        assert (ended.status, ended.out) == (2, "\n\n".join(expected) + "\n")
        assert ended.err.splitlines() == [
            "nutgraf: 4.txt is empty; there is nothing to read.",
            "nutgraf: 1 of 9 documents has no result, for the reasons above: 4.txt.",
        ]

    def test_there_is_one_report_of_one_summary(self, run, good):
        fails(run(good, "--each", "--report", "page.html"), "--report", "--each")


class TestBadInput:
    @pytest.mark.parametrize("content", [b"", b" \n\t\r\n", "\u00a0\u2028".encode(), b"\xef\xbb\xbf"])
    def test_nothing_to_summarize(self, run, tmp_path, content):
        (tmp_path / "empty.txt").write_bytes(content)
        fails(run("empty.txt"), "empty.txt", "nothing to read")

    def test_nothing_on_standard_input(self, run):
        fails(run("-"), "standard input is empty")

    def test_one_sentence(self, run):
        assert run("-", stdin=b"Only one sentence stands here.").out == "Only one sentence stands here.\n"

    def test_a_sentence_of_20_000_words(self, run):
        words = random.Random(0).choices(["harbour", "tug", "pilot", "storm,", "crude", "oil"], k=20_000)
        ended = run("-", "--words", 250, stdin=(" ".join(words) + ".").encode())
        assert ended.status == 0
        assert 0 < len(ended.out.split()) <= 250
        assert "shorter" in ended.err

    def test_a_binary_file(self, run, tmp_path):
        (tmp_path / "some.dat").write_bytes(bytes(range(256)) * 20)
        fails(run("some.dat"), "some.dat", "binary")

    def test_a_pdf_without_text_and_one_behind_a_password(self, run, tmp_path, pdf_of):
        from pypdf import PdfReader, PdfWriter

        (tmp_path / "scan.pdf").write_bytes(pdf_of([[], []]))
        fails(run("scan.pdf"), "scan.pdf")
        writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_of([[TEXT.replace("\n", " ")]]))))
        writer.encrypt("sesame", algorithm="RC4-128")
        writer.write(tmp_path / "closed.pdf")
        fails(run("closed.pdf"), "closed.pdf", "password")

    def test_broken_json_lines(self, run, tmp_path):
        (tmp_path / "bad.jsonl").write_text(json.dumps({"text": TEXT}) + '\n{"text": \n')
        fails(run("bad.jsonl"), "bad.jsonl, line 2")

    def test_mixed_encodings(self, run, tmp_path):
        mixed = "The café is open. The market is closed. ".encode() * 3 + "The café burned.".encode("cp1252")
        (tmp_path / "mixed.txt").write_bytes(mixed)
        ended = run("mixed.txt", "--sentences", 1)
        assert ended.status == 0
        assert "mixed.txt" in ended.err

    def test_right_to_left(self, run, tmp_path):
        (tmp_path / "rtl.txt").write_text("ذهب الولد إلى المدرسة. كتب الدرس. عاد إلى البيت مساء.", encoding="utf-8")
        ended = run("rtl.txt", "--words", 4)
        assert (ended.status, len(ended.out.split())) == (0, 4)
        assert ended.err == ""

    def test_a_language_that_there_is_not(self, run, tmp_path):
        (tmp_path / "zug.txt").write_text("Der Zug kam. Er war leer.", encoding="utf-8")
        fails(run("zug.txt", "--language", "germn"), "No language 'germn'. Did you mean 'de'?")

    @pytest.mark.parametrize("each", [(), ("--each",)], ids=["together", "each"])
    def test_the_reader_can_be_named(self, run, tmp_path, each):
        (tmp_path / "zug.md").write_text("# Zug\n\nThe train came in *late*.", encoding="utf-8")
        assert "*late*" not in run("zug.md", "--sentences", 1, *each).out
        assert "*late*" in run("zug.md", "--sentences", 1, "--reader", "plain", *each).out
        fails(run("zug.md", "--reader", "plane", *each), "No reader 'plane'. Did you mean 'plain'?")

    def test_emoji(self, run):
        text = "The party was great 🎉🎉! Everybody danced 💃. It ended at noon 😀."
        assert run("-", "--words", 20, stdin=text.encode()).out.split() == text.split()

    def test_headings_only(self, run):
        assert run("-", "--words", 20, stdin=b"The harbour\n\nThe quay\n").out == "The harbour The quay\n"

    @pytest.mark.parametrize("words", [0, -3])
    def test_budgets_that_are_none(self, run, good, words):
        fails(run(good, "--words", words), f"A summary cannot have {words} words")

    def test_a_budget_that_is_too_small_names_one_that_would_do(self, run, good):
        fails(run(good, "--words", 2), "No sentence fits into 2 words", "Ask for 7 words or more")
        assert len(run(good, "--words", 7).out.split()) == 7

    def test_two_lengths(self, run, good):
        fails(run(good, "--words", 5, "--sentences", 2), "words and sentences were given")

    @pytest.mark.parametrize("share", ["2", "0", "nan", "an eighth", "1/0"])
    def test_shares_that_are_none(self, run, good, share):
        fails(run(good, "--share", share), "share")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--system", "mls_pluss"], "No preset 'mls_pluss'. Did you mean 'mls_plus'"),
            (["--system", "mine.toml"], "mine.toml"),
            (["--set", "keyphrases.kind=rak"], "There are multipartite_rank, position_rank, rake"),
            (["--set", "fill"], "section.key=value"),
            (["--set", "selection.shar=0.1"], "Did you mean 'share'?"),
            (["--set", "selection.at_least_one=perhaps"], "true or false is needed"),
            (["--set", "magnifer.fill=true"], "'magnifer'"),
            (["--seed", "-1"], "seed"),
            (["--highlight", "storm:0"], "number above 0"),
            (["--highlight", ":2"], "has no words"),
            (["--highlight", "storm", "--highlight", "Storm:2"], "given twice, with the weights 1 and 2"),
            (["--format", "headline", "--sentences", "3"], "leave out --sentences 3, or --format headline"),
            (["--reader", "os.path"], "os.path is no reader: such a module holds one class that inherits from nutgraf"),
            (["-o", "."], "is a folder; name a file in it"),
            (["-o", "new/"], "new/ cannot be written: it is the name of a folder, and there is none; name a file"),
            (["--report", "new/"], "new/ cannot be written: it is the name of a folder"),
            (["-o", "no/where.txt"], "there is no folder"),
            (["--report", "no/where.html"], "there is no folder"),
            (["--report", "-"], "--report needs a file"),
            (["--seed", "9" * 23], "from 0 to 9,223,372,036,854,775,807"),
            (["--set", f"selection.num_sentences={'9' * 23}"], "the most is 9,007,199,254,740,992"),
            (["--share", "1_0/2_0"], "'1_0/2_0' is not a share"),
        ],
    )
    def test_mistakes_are_told_in_a_sentence(self, run, good, tmp_path, arguments, message):
        fails(run(good, *arguments), message)
        assert list(tmp_path.iterdir()) == [good]

    def test_a_number_as_code_has_it_is_none(self, run, good):
        ended = run(good, "--words", "1_000")
        assert (ended.status, ended.out) == (2, "")
        assert "'1_000' is not a whole number" in ended.err

    def test_files_that_are_none(self, run, good, tmp_path):
        fails(run("missing.txt"), "There is no file 'missing.txt'")
        (tmp_path / "empty").mkdir()
        fails(run("empty"), "empty is a folder without a file that can be read")
        fails(run("*.epub"), "No file matches '*.epub'")
        fails(run("good.txt", "missing.txt"), "missing.txt")

    def test_an_empty_value_is_named_with_its_option(self, run, good):
        for arguments, named in (
            ([""], "'files'"),
            ([good, "-o", ""], "'-o' / '--output'"),
            ([good, "--system="], "'--system'"),
            ([good, "--set", "seed=1", "--set", ""], "'--set'"),
        ):
            ended = run(*arguments)
            assert (ended.status, ended.out) == (2, "")
            assert f"{named}" in ended.err

    @pytest.mark.parametrize(
        "arguments", [[], ["good.txt", "--bogus"], ["good.txt", "--words", "many"], ["good.txt", "--words"]]
    )
    def test_wrong_usage_ends_with_2_as_well(self, run, good, arguments):
        ended = run(*arguments)
        assert (ended.status, ended.out) == (2, "")
        assert ended.err
        assert "Traceback" not in ended.err

    @pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="nothing is closed to root")
    def test_a_folder_that_is_closed(self, run, good, tmp_path):
        (tmp_path / "closed").mkdir(mode=0o500)
        fails(run(good, "-o", "closed/out.txt"), "not writable")

    def test_a_mistake_leaves_what_was_there(self, run, good, tmp_path):
        (tmp_path / "short.txt").write_text("Before.")
        fails(run(good, "--words", 2, "-o", "short.txt", "--report", "page.html"))
        assert (tmp_path / "short.txt").read_text() == "Before."
        assert not (tmp_path / "page.html").exists()


def start(*arguments, **how):
    """The command in a process of its own."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-m", "nutgraf", *map(str, arguments)], **{**pipes, **how})


def environment(**changes):
    return {**os.environ, **changes}


class TestProcesses:
    @pytest.mark.parametrize(
        ("number", "status", "message"),
        [
            (signal.SIGINT, 130, "interrupted"),
            (signal.SIGTERM, 143, "ended by SIGTERM"),
            (signal.SIGHUP, 129, "ended by SIGHUP"),
        ],
    )
    def test_interrupted_it_says_so(self, number, status, message):
        process = start("summarize", "-")
        assert process.stdin is not None
        process.stdin.write(TEXT.encode())
        process.stdin.flush()
        wait_until_it_reads(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (status, b"", f"nutgraf: {message}.\n".encode())

    def test_a_closed_pipe_is_no_disaster(self, good):
        process = start("summarize", good, "--json")
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(timeout=30)
        assert err == b""
        assert process.returncode == 141

    def test_closed_streams(self, good):
        """Python sets a closed stream to None, and prints to stdout what was to go there."""
        command = f"{sys.executable} -m nutgraf summarize {good} --words 9 --highlight whale"
        process = subprocess.run(f"{command} 2>&-", shell=True, capture_output=True, check=True)
        assert process.stdout.decode() == FIRST + "\n"
        process = subprocess.run(f"{command} >&-", shell=True, capture_output=True, check=True)
        assert b"Traceback" not in process.stderr

    def test_a_terminal_without_emoji(self, tmp_path):
        (tmp_path / "party.txt").write_text("The party was great 🎉! It ended at noon.", encoding="utf-8")
        process = start(
            "summarize",
            "party.txt",
            "--words=20",
            cwd=tmp_path,
            env=environment(LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"),
        )
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (0, b"The party was great ?! It ended at noon.\n", b"")

    def test_a_name_that_is_no_utf_8(self, tmp_path):
        name = os.fsdecode(b"caf\xe9.txt")
        try:
            (tmp_path / name).write_text(TEXT)
        except OSError:
            pytest.skip("this file system has UTF-8 names only")
        process = start("summarize", name, "--json", "-o", "out.json", "--report", "page.html", cwd=tmp_path)
        assert process.communicate(timeout=30) == (b"", b"")
        assert json.loads((tmp_path / "out.json").read_text())["sources"][0]["name"] == "caf\ufffd.txt"


def wait_until_it_reads(process):
    """Until the command has begun its work and sleeps: before, Python itself would tell of the interrupt."""
    maps, stat = Path(f"/proc/{process.pid}/maps"), Path(f"/proc/{process.pid}/stat")
    if not maps.exists():
        pytest.skip("there is no /proc here")
    deadline, asleep = time.monotonic() + 60, 0
    while asleep < 10 and time.monotonic() < deadline:
        working = "_multiarray_umath" not in maps.read_text() or stat.read_text().rpartition(")")[2].split()[0] != "S"
        asleep = 0 if working else asleep + 1
        time.sleep(0.05)


class TestNetworks:
    def test_a_trained_folder_summarizes_and_its_page_shows_every_word(self, run, trained, tmp_path):
        from tiny_network import NOTICES

        text, summary = NOTICES[0]
        (tmp_path / "ferry.txt").write_text(text)
        ended = run("ferry.txt", "--system", trained, "--report", "page.html", "--highlight", "harbour master:2")
        assert (ended.status, ended.out.strip()) == (0, " ".join(summary))
        page = (tmp_path / "page.html").read_text()
        assert "Attention in the encoder" in page
        assert 'class="taken"' in page

    def test_its_decoding_can_be_set_and_its_network_cannot(self, run, good, trained):
        assert run(good, "--system", trained, "--set", "decoding.beam_size=1").status == 0
        fails(run(good, "--system", trained, "--set", "model.num_heads=2"), "was trained with its [model]")

    def test_a_preset_without_weights_says_how_to_get_them(self, run, good):
        pytest.importorskip("torch")
        fails(run(good, "--system", "kpat"), "nutgraf train kpat --data DATA --out FOLDER")


def test_ratings_are_explained_with_those_of_the_whole_input(run):
    done = run("-", "--explain", "--sentences", "2", "--system", "luhn", stdin=TEXT.encode())
    ratings = nutgraf.load("luhn")(TEXT, sentences=2).ratings
    explained = [line for line in done.out.splitlines() if line.startswith("rating")]
    bounds = f"here from {min(ratings):.3g} to {max(ratings):.3g}, over all sentences of the input"
    assert explained == [f"rating  {RATING}: {bounds}"]


class TestWhatIsLeftOut:
    def test_documents_that_no_sentence_comes_from_are_named(self, run, tmp_path):
        (tmp_path / "a.txt").write_text(TEXT)
        (tmp_path / "b.txt").write_text("Quiet rain fell over all the hills in the west.")
        ended = run("a.txt", "b.txt", "--words", 12, "--system", "lead")
        assert (ended.status, ended.out.strip()) == (0, FIRST)
        assert "nutgraf" in ended.err

    def test_no_summary_is_status_2(self, run, tmp_path):
        (tmp_path / "a.txt").write_text(TEXT)
        ended = run("a.txt", "--words", 1)
        assert (ended.status, ended.out) == (2, "")
        assert "1 word" in ended.err

    def test_why_there_is_none_is_said_even_where_notices_are_not_wanted(self, run, tmp_path):
        (tmp_path / "a.txt").write_text(TEXT)
        ended = run("a.txt", "--words", 1, "--quiet")
        assert ended.status == 2
        assert "1 word" in ended.err

    def test_no_summary_of_one_of_several_is_status_2(self, run, tmp_path):
        (tmp_path / "a.txt").write_text(TEXT)
        (tmp_path / "b.txt").write_text("Rain fell.")
        ended = run("a.txt", "b.txt", "--each", "--words", 2)
        assert ended.status == 2
        assert "Rain fell." in ended.out

    def test_standard_input_is_read_once(self, run):
        ended = run("-", "-", stdin=TEXT.encode())
        assert ended.status == 2
        assert "standard" in ended.err

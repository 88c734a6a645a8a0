"""The script of a judge's page: what was answered is there when the page is opened again. Run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib import resources
from typing import Any

import pytest

NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")

BEGIN = """
const vm = require("vm");
vm.runInThisContext(require("fs").readFileSync(0, "utf8"));
const kept = new Map();
const getItem = (key) => (kept.has(key) ? kept.get(key) : null);
const storage = { getItem, setItem: (key, value) => kept.set(key, value) };
let minute = 0;
const now = () => `2025-01-01T00:0${minute++}:00.000Z`;
const choices = [["A", "A"], ["tie", "tie"], ["B", "B"]];
const question = (name) => ({ name, prompt: name, choices });
const task = (key, texts, names, distinct = false) =>
  ({ key, source: "", texts, questions: names.map(question), distinct });
const content = { schema: "s", study: "x", judge: "j", version: "v", lengthKey: "length", tasks: [
  task("t1", [["a"], ["b"]], ["p", "q"]), task("t2", [["short", "long"]], ["1"]),
  task("t3", [["a"], ["b"]], ["best", "worst"], true),
] };
const open = () => new Session(content, storage, now);
const out = {};
"""


def run(program: str) -> Any:
    script = resources.files("nutgraf.judging").joinpath("sheet.js").read_text(encoding="utf-8")
    assert NODE is not None
    done = subprocess.run(
        [NODE, "-e", f"{BEGIN}\n{program}\nconsole.log(JSON.stringify(out));"],
        input=script, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_page_that_was_closed_goes_on_where_it_was() -> None:
    found = run("""
let page = open(); page.choose("p", "A"); page.spend(3);
page = open(); out.draft = { ...page.draft().answers }; out.open = page.problem();
page.choose("q", "tie"); page.next();
page = open(); out.at = page.at; out.done = page.done;
out.file = JSON.parse(page.file());
""")
    assert found["draft"] == {"p": "A"}
    assert found["open"] == "One question is open."
    assert (found["at"], found["done"]) == (1, 1)
    assert found["file"]["answers"][0] | {"seconds": 0} == {
        "task": "t1", "answers": {"p": "A", "q": "tie"}, "seconds": 0, "at": "2025-01-01T00:00:00.000Z",
    }  # fmt: skip


def test_a_changed_answer_is_added_and_an_unchanged_one_is_not() -> None:
    found = run("""
const page = open(); page.choose("p", "A"); page.choose("q", "B"); page.next();
page.back(); page.next(); page.back(); page.choose("p", "B"); page.next();
out.answers = open().entries.map((entry) => [entry.task, entry.answers.p]);
""")
    assert found["answers"] == [["t1", "A"], ["t1", "B"]]


def test_more_shows_the_longer_text_until_there_is_none() -> None:
    found = run("""
const page = open(); page.at = 1; page.choose("1", "more"); page.next();
out.first = [page.at, page.draft().length, { ...page.draft().answers }];
page.choose("1", "more"); page.next();
out.second = [page.at, page.entries];
""")
    assert found["first"] == [1, 2, {}]
    assert found["second"][0] == 2
    assert found["second"][1][0]["answers"] == {"1": "more", "length": "2"}


def test_the_best_is_not_the_worst_and_a_browser_that_keeps_nothing_is_told() -> None:
    found = run("""
let page = open(); page.at = 2; page.choose("best", "A"); page.choose("worst", "A"); out.same = page.problem();
page.choose("worst", "B"); out.different = page.problem();
page = new Session(content, null, now); page.choose("p", "A"); out.kept = page.kept; out.answers = page.draft().answers;
""")
    assert found == {"same": "Choose different summaries.", "different": "", "kept": False, "answers": {"p": "A"}}

"""The engine gives what the library gives, and whatever a request does, the next one is answered."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from running import Running

import nutgraf
from nutgraf.errors import BudgetError, InputError, TaskError, UnknownName
from nutgraf.service.engine import Engine
from nutgraf.service.errors import Busy, Loading, Stopping, TooLarge
from nutgraf.service.limits import Limits
from nutgraf.service.progress import Progress
from nutgraf.service.requests import File, PhrasesRequest, Scored, ScoreRequest, SummaryRequest, Text
from nutgraf.service.systems import parse_folders, served_systems
from nutgraf.systems import System
from nutgraf.text.request import Request
from nutgraf.text.summary import Summary

FERRY = "The ferry left the harbour at noon. It came back at dusk. Nobody was on it."
MILL = "The mill burned down on Friday. The owner of the mill blames a lamp. A new mill would cost a fortune."


def request(text: str = FERRY, words: int = 7, system: str = "adaptive", **more: object) -> SummaryRequest:
    return SummaryRequest((Text(text),), system, Request.of(words=words, **more))  # type: ignore[arg-type]


def sleeps(seconds: float, summary: Summary, system: System) -> str:
    time.sleep(seconds)
    return summary.text


def process(summary: Summary, system: System) -> int:
    return os.getpid()


def crashes(summary: Summary, system: System) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def crashes_for_mills(summary: Summary, system: System) -> str:
    if "mill" in summary.document.text:
        os.kill(os.getpid(), signal.SIGKILL)
    return summary.text


def hoards(summary: Summary, system: System) -> int:
    return len(bytearray(4 << 30))


def divides(summary: Summary, system: System) -> float:
    return 1 / 0


def test_a_summary_is_the_library_s(running: Running) -> None:
    steered = request(MILL, words=9, highlights=("fortune:5",), query="What would a mill cost?")
    made = running.run(running.engine.summarize(steered))
    own = nutgraf.load()(MILL, words=9, highlights=["fortune:5"], query="What would a mill cost?")
    assert made.text == "A new mill would cost a fortune."
    assert made.to_json() == own.to_json()


def test_texts_files_and_pages_are_read_and_the_same_text_once(running: Running) -> None:
    page = b"<!doctype html><title>Mill</title><article><p>" + MILL.encode() + b"</p></article>"
    given = (Text(FERRY, "Ferry"), File(page, "C:\\tmp\\mill", "text/html; charset=utf-8"), File(FERRY.encode()))
    made = running.run(running.engine.summarize(SummaryRequest(given, asked=Request.of(sentences=2))))
    assert [part.name for part in made.document.parts] == ["Ferry", "mill.html"]
    assert any("Document 3" in notice for notice in made.notices)
    assert made.sentences[0].origins[0].source == 1


def test_a_text_is_never_taken_for_a_file_and_an_address_is_not_fetched(running: Running) -> None:
    assert running.run(running.engine.summarize(request("/etc/passwd", words=9))).text == "/etc/passwd"
    with pytest.raises(InputError, match="--fetch"):
        running.run(running.engine.summarize(request(" https://localhost/secret\n", words=9)))
    mentioned = "https://localhost/secret was there"
    assert running.run(running.engine.summarize(request(mentioned, words=9))).text == mentioned


def test_phrases_and_scores_are_the_library_s(running: Running) -> None:
    found = running.run(running.engine.phrases(PhrasesRequest((Text(MILL),), top=2)))
    assert [one["text"] for one in found["phrases"]] == [one.text for one in nutgraf.phrases(MILL, top=2)]
    scored = running.run(running.engine.score(ScoreRequest((Scored("a b c d", ("a b c e",), name="one"),))))
    assert scored["examples"][0]["id"] == "one"
    assert scored["scores"]["ROUGE-1"]["mean"] == 0.75


def test_progress_goes_from_the_queue_to_the_result(running: Running) -> None:
    heard: list[Progress] = []
    given = SummaryRequest((Text(FERRY), Text(MILL)))
    running.run(running.engine.summarize(given, progress=heard.append))
    assert [(one.stage, one.done) for one in heard] == [
        ("waiting", 0), ("reading", 0), ("reading", 1), ("working", 0), ("finishing", 0),
    ]  # fmt: skip
    shares = [one.share for one in heard]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (request(words=1), BudgetError),
        (SummaryRequest((File(b"\x7fELF\x02\x01\x01" + bytes(99), "a.txt"),)), InputError),
        (request(system="../etc"), UnknownName),
        (request(system="os.path"), UnknownName),
        (request("word " * 5001), TooLarge),
        (SummaryRequest((Text(FERRY),) * 6), TooLarge),
    ],
)
def test_a_request_that_cannot_be_met_says_why(running: Running, wrong: SummaryRequest, error: type[Exception]) -> None:
    with pytest.raises(error):
        running.run(running.engine.summarize(wrong))


def test_no_request_can_be_made_of_nothing_or_name_a_module() -> None:
    with pytest.raises(InputError, match="no document"):
        SummaryRequest(())
    with pytest.raises(InputError, match="Document 2"):
        SummaryRequest((Text(FERRY), Text(" ")))
    with pytest.raises(UnknownName, match=r"No extractor 'my_lab\.mine'"):
        PhrasesRequest((Text(FERRY),), extractor="my_lab.mine")
    with pytest.raises(UnknownName, match=r"No metric 'my_lab\.mine'"):
        ScoreRequest((Scored("a"),), metrics=("my_lab.mine",))
    with pytest.raises(InputError, match="number above"):
        request(highlights=("dusk:much",))


def test_a_killed_process_fails_its_own_request_and_no_other(running: Running) -> None:
    crashed, next_one = running.all(
        running.engine.summarize(request(), crashes), running.engine.summarize(request(MILL))
    )
    assert isinstance(crashed, TaskError)
    assert crashed.cause == "ended"
    assert str(crashed) == (
        "This request has no result: its process was terminated (signal 9), perhaps for lack of memory."
    )
    assert next_one.text == "The mill burned down on Friday."


def test_a_process_that_is_killed_while_it_waits_is_replaced(running: Running) -> None:
    os.kill(running.run(running.engine.summarize(request(), process)), signal.SIGKILL)
    time.sleep(0.3)
    assert running.run(running.engine.summarize(request())).words == 7


def test_a_limit_of_memory_is_kept(running: Running) -> None:
    large, wrong, good = running.all(
        running.engine.summarize(request(), hoards),
        running.engine.summarize(request(), divides),
        running.engine.summarize(request()),
    )
    assert [one.cause for one in (large, wrong)] == ["memory", "other"]
    assert good.words == 7


def test_a_limit_of_time_is_kept() -> None:
    hurried = Running(Engine(workers=1, limits=Limits(seconds=2)))
    try:
        hurried.run(hurried.engine.ready())
        (late,) = hurried.all(hurried.engine.summarize(request(), partial(sleeps, 60.0)))
    finally:
        hurried.close()
    assert str(late) == "This request has no result: it took longer than 2 seconds and was stopped."
    assert late.cause == "time"


def test_a_full_queue_refuses_and_says_when_to_try_again(running: Running) -> None:
    work = [running.engine.summarize(request(), partial(sleeps, 0.2)) for _ in range(10)]
    made = running.all(*work)
    refused = [one for one in made if isinstance(one, Busy)]
    assert [one for one in made if not isinstance(one, Busy)] == ["The ferry left the harbour at noon."] * 4
    assert len(refused) == 6
    assert all(one.retry_after is not None and 1 <= one.retry_after <= 600 for one in refused)


def test_a_request_that_nobody_waits_for_leaves_the_queue_or_ends_its_process(running: Running) -> None:
    async def given_up() -> float:
        began = time.monotonic()
        in_work = asyncio.create_task(running.engine.summarize(request(), partial(sleeps, 60.0)))
        waiting = asyncio.create_task(running.engine.summarize(request()))
        await asyncio.sleep(0.2)
        assert running.engine.figures.waiting == 1
        waiting.cancel()
        in_work.cancel()
        await asyncio.gather(waiting, in_work, return_exceptions=True)
        assert running.engine.figures.waiting == 0
        await running.engine.summarize(request())
        return time.monotonic() - began

    assert running.run(given_up()) < 30


def test_requests_for_a_network_are_worked_on_together_and_get_the_same(trained: Path) -> None:
    from tiny_network import NOTICES

    texts = [text for text, _ in NOTICES]
    network = Running(Engine({"notices": trained}, workers=1, device="cpu"))
    try:
        network.run(network.engine.ready())
        asked = [SummaryRequest((Text(text),), "notices") for text in texts]
        single = [network.run(network.engine.summarize(one)).text for one in asked]
        assert network.engine.figures.batches == 0
        together = network.all(*map(network.engine.summarize, asked))
        assert network.engine.figures.batches == 1
        assert [one.text for one in together] == single
    finally:
        network.close()


def test_a_request_that_fails_a_batch_is_tried_alone(running: Running) -> None:
    engine = running.engine
    own = engine.capacities["lead"]
    engine.capacities["lead"] = replace(own, at_once=4)
    try:
        first = [engine.summarize(request(), partial(sleeps, 0.2))]
        batch = [engine.summarize(request(text, 7, system="lead"), crashes_for_mills) for text in (FERRY, MILL, "No.")]
        before = engine.figures
        _, ferry, mill, short = running.all(*first, *batch)
    finally:
        engine.capacities["lead"] = own
    assert (ferry, short) == ("The ferry left the harbour at noon.", "No.")
    assert isinstance(mill, TaskError)
    assert (engine.figures.batches, engine.figures.killed) == (before.batches + 1, before.killed + 2)


def test_before_it_is_ready_and_after_its_end_an_engine_takes_nothing() -> None:
    async def whole_life() -> tuple[str, str]:
        engine = Engine(workers=1, limits=Limits(queue=1))
        await engine.start()
        with pytest.raises(Loading) as early:
            await engine.summarize(request())
        await engine.ready()
        last = asyncio.create_task(engine.summarize(request()))
        await asyncio.sleep(0)
        ending = asyncio.create_task(engine.stop(60))
        await asyncio.sleep(0)
        with pytest.raises(Stopping) as late:
            await engine.summarize(request())
        await ending
        assert (await last).words == 7
        return str(early.value), str(late.value)

    early, late = asyncio.run(whole_life())
    assert early == "The systems are still being loaded; try again in a few seconds."
    assert late == "The service is about to stop and takes no more requests."


def test_systems_are_presets_that_need_no_training_and_folders_by_name(trained: Path, tmp_path: Path) -> None:
    served = served_systems({"news": trained})
    assert served["news"].folder == str(trained.resolve())
    assert served["adaptive"].folder is None
    assert "kpat" not in served
    with pytest.raises(InputError, match="'lead'"):
        served_systems({"lead": trained})
    with pytest.raises(InputError, match="trained"):
        served_systems({"news": tmp_path})
    assert parse_folders(["a=b", "c = d=e"]) == {"a": "b", "c": "d=e"}
    for lines in (["a"], ["=b"], ["a="], ["a=b", "a=c"]):
        with pytest.raises(InputError):
            parse_folders(lines)


@pytest.mark.parametrize("wrong", [{"bytes": 0}, {"queue": 0}, {"seconds": 0.0}, {"memory": 1}])
def test_limits_lie_above_zero(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        Limits(**wrong)  # type: ignore[arg-type]

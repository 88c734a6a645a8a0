"""People as judges: the pages of a study, by personal links, whose answers are stored when they come in.

A page sends all its answers each time, and the store takes those that it does not have: an answer that was lost on the
way comes with the next one, and none is stored twice.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from jinja2 import Template
from starlette.exceptions import HTTPException

from nutgraf.errors import InputError
from nutgraf.judging.answers import ahead, judgements_in
from nutgraf.judging.records import Judgement
from nutgraf.judging.report import median_seconds, report
from nutgraf.judging.sheets import SHEETS, draw_page, read_page
from nutgraf.judging.store import Store
from nutgraf.judging.study import Study
from nutgraf.report.templates import asset, environment, printable
from nutgraf.runtime.files import atomic_write
from nutgraf.runtime.metadata import parse, read_record
from nutgraf.service.security import HEADERS, bare_host, is_foreign, is_loopback

FILE = "links.json"
"""File of the links in the folder of a study."""

MOST_BYTES = 32 << 20
"""Maximum size of the answers of a judge."""


@dataclass(frozen=True)
class Links:
    """Secret ends of the links of a study: that of the person who runs it, and those of the judges by their names."""

    overview: str
    judges: Mapping[str, str]


def links_of(folder: str | Path, judges: Sequence[str]) -> Links:
    """Return the links of a study, which are made at first and then stay the same.

    Args:
        folder: Folder of the study; the links are kept there, in a file that only its owner may read.
        judges: Names of the judges.

    Raises:
        InputError: If there is a file of links that cannot be read.
        OutputError: If the file cannot be written.
    """
    path = Path(folder) / FILE
    held = read_record(path, Links, "a file of links") if path.exists() else None
    known = held.judges if held else {}
    made = Links(
        held.overview if held else secrets.token_urlsafe(),
        {judge: known.get(judge) or secrets.token_urlsafe() for judge in judges},
    )
    if made != held:
        with atomic_write(path) as waiting:
            waiting.touch(0o600)
            waiting.chmod(0o600)
            waiting.write_text(json.dumps(asdict(made), indent=1) + "\n", encoding="utf-8")
    return made


def read_pages(folder: str | Path, study: Study) -> dict[str, dict[str, Any]]:
    """Return the tasks of each judge, from the pages in the folder of a study.

    Raises:
        InputError: If the page of a judge is missing, or belongs to another study.
    """
    place = Path(folder) / SHEETS
    missing = [judge for judge in study.judges if not (place / f"{judge}.html").exists()]
    if missing:
        raise InputError(
            f"There is no {place / missing[0]}.html; pages are what `nutgraf judge sheet --format html` writes."
        )
    return {judge: read_page(place / f"{judge}.html", study) for judge in study.judges}


def create_judging_app(
    study: Study,
    pages: Mapping[str, dict[str, Any]],
    store: Store,
    links: Links,
    *,
    address: str = "",
    local: bool = False,
) -> FastAPI:
    """Return the application.

    Args:
        study: The study.
        pages: Tasks of each judge.
        store: Takes the answers.
        links: Links of the study.
        address: Address by which judges reach it where that is not its own, such as that of a proxy; "" for none.
        local: Answer only to the names of this machine and to that of the address, for a service that only this
            machine reaches.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    judge_of = {token: judge for judge, token in links.judges.items()}
    writing = asyncio.Lock()

    def judge_at(token: str) -> str:
        if token not in judge_of:
            raise HTTPException(404)
        return judge_of[token]

    @app.middleware("http")
    async def check(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        if local and not (is_loopback(host := bare_host(request.headers)) or host == urlsplit(address).hostname):
            return HTMLResponse(_template("elsewhere").render(), 403, _headers())
        if request.method not in ("GET", "HEAD") and _is_foreign(request, address):
            return JSONResponse({"error": "Pages of other sites may not send answers."}, 403, _headers())
        return await go_on(request)

    @app.exception_handler(404)
    async def nowhere(request: Request, error: Exception) -> Response:
        return HTMLResponse(_template("nowhere").render(), 404, _headers())

    @app.api_route("/judge/{token}", methods=["GET", "HEAD"])
    def page(token: str) -> Response:
        judge = judge_at(token)
        own = [one for one in store.judgements(study) if one.task.judge == judge]
        given = [_given(one) for one in own if not one.superseded and study.completes(one.task, one.answers)]
        return HTMLResponse(draw_page(study, pages[judge], given), headers=_headers())

    @app.post("/judge/{token}")
    async def answers(token: str, request: Request) -> Response:
        judge = judge_at(token)
        try:
            found = _read(await _body(request), study, judge)
        except InputError as error:
            return JSONResponse({"error": str(error)}, 422, _headers())
        async with writing:
            added = await asyncio.to_thread(store.add, study, found)
        return JSONResponse({"added": added}, headers=_headers())

    @app.api_route("/overview/{token}", methods=["GET", "HEAD"])
    def overview(token: str) -> Response:
        if not secrets.compare_digest(token.encode(), links.overview.encode()):
            raise HTTPException(404)
        return HTMLResponse(_overview(study, store.judgements(study)), headers=_headers())

    @app.api_route("/overview.css", methods=["GET", "HEAD"])
    def style() -> Response:
        return Response(asset("report.assets", "colours.css") + asset("service", "judges.css"), media_type="text/css")

    return app


def _is_foreign(request: Request, address: str) -> bool:
    """Return True for a request of another site's page; a proxy may have put its own name in the place of `Host`."""
    own = urlsplit(address.lower())
    return is_foreign(request.headers) and request.headers.get("origin", "").lower() != f"{own.scheme}://{own.netloc}"


def _overview(study: Study, judgements: Sequence[Judgement]) -> str:
    counted, answered = [one for one in judgements if not one.superseded], study.answered(judgements)
    rows = []
    for judge in study.judges:
        own = [one for one in counted if one.task.judge == judge]
        tasks = [task.key for task in study.tasks if task.judge == judge]
        rows.append((judge, len(answered.intersection(tasks)), len(tasks), median_seconds(own) if own else None))
    page = _template("judges").render(
        rows=rows,
        done=len(answered),
        total=len(study.tasks),
        notice=ahead(counted),
        report=str(report(study, judgements)) if counted else "",
    )
    return printable(page)


def _given(one: Judgement) -> dict[str, Any]:
    return {"task": one.task.key, "answers": dict(one.answers), "seconds": one.seconds, "at": one.at}


def _read(body: bytes, study: Study, judge: str) -> list[Judgement]:
    """Return the judgements that a judge's page sent. Raises InputError if they are none, or somebody else's."""
    try:
        content = parse(body.decode("utf-8"))
    except ValueError as error:
        raise InputError(f"The answers are no JSON: {error}.") from None
    given = content.get("answers") if isinstance(content, dict) else None
    tasks = sum(task.judge == judge for task in study.tasks)
    if isinstance(given, list) and len(given) > tasks:
        raise InputError(f"The page sent {len(given)} answers, but this judge has {tasks} tasks.")
    found = judgements_in(content, study, "What the page sent")
    if any(one.task.judge != judge for one in found):
        raise InputError("These are answers to the tasks of another judge.")
    return found


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise HTTPException(413)
    return bytes(body)


def _headers() -> dict[str, str]:
    """Headers of an answer. A judge's page brings a policy of its own, which names its script by its hash."""
    return {**HEADERS, "Content-Security-Policy": "frame-ancestors 'none'"}


@cache
def _template(name: str) -> Template:
    return environment("service").get_template(f"{name}.html.jinja")

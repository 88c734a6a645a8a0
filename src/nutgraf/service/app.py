"""The application: the engine behind routes of HTTP, behind a gate."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from nutgraf.service.answers import answer_errors
from nutgraf.service.bodies import prepare
from nutgraf.service.engine import Engine
from nutgraf.service.gate import Gate
from nutgraf.service.metrics import Metrics
from nutgraf.service.routes.chat import chat
from nutgraf.service.routes.operations import operations
from nutgraf.service.routes.summaries import summaries
from nutgraf.service.routes.systems import systems
from nutgraf.service.security import Tokens
from nutgraf.version import __version__

GRACE = 30.0
"""Seconds that requests have to end when the service stops."""

ABOUT = """
Summaries of documents, key phrases, and scores of summaries, with the origin of every sentence.

Errors have one shape, `{"error": {"message", "type", "code", "param"}}`, whose message is a sentence. With tokens,
every address but `/health`, `/ready` and `/version` needs the header `Authorization: Bearer TOKEN`, or a token as the
password of HTTP Basic.
"""


def create_app(
    engine: Engine,
    tokens: Tokens = Tokens(),
    *,
    local: bool = False,
    pages: Sequence[APIRouter] = (),
    grace: float = GRACE,
) -> FastAPI:
    """Return the application.

    Args:
        engine: The engine, which is started and stopped with the application.
        tokens: Tokens of which a client must show one; anybody may ask if there are none.
        local: Answer only to names of this machine, for a service that only it reaches.
        pages: Routes of pages for a browser.
        grace: Seconds that requests have to end when the application stops.
    """

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await engine.start(prepare=prepare)
        try:
            yield
        finally:
            await engine.stop(grace)

    app = FastAPI(
        title="nutgraf",
        summary="Summaries that a person can steer, budget and check.",
        description=ABOUT,
        version=__version__,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        lifespan=life,
        # Their pages load scripts from elsewhere; /openapi.json is read by any tool.
        docs_url=None,
        redoc_url=None,
    )
    metrics = Metrics(engine)
    answer_errors(app)
    for router in (summaries(engine), systems(engine), chat(engine), operations(engine, metrics), *pages):
        app.include_router(router)
    app.add_middleware(Gate, admit=engine.admit, limits=engine.limits, tokens=tokens, local=local, metrics=metrics)
    return app

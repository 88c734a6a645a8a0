"""Routes for those who run the service: is it alive, is it ready, which version, and figures."""

from __future__ import annotations

import platform

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from nutgraf.service.answers import Failure, described
from nutgraf.service.engine import Engine
from nutgraf.service.metrics import Metrics
from nutgraf.version import __version__


class Status(BaseModel):
    """The state of the service."""

    status: str


class Version(BaseModel):
    """Versions of the service and of Python."""

    version: str
    python: str


def operations(engine: Engine, metrics: Metrics) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["operations"])

    @router.get("/health")
    async def health() -> Status:
        """Tell that the process is alive, whether or not it can take requests."""
        return Status(status="ok")

    @router.get("/ready", responses=described(503))
    async def ready() -> Status:
        """Tell that all systems are loaded; 503 before that, and when the service is about to stop."""
        if engine.state != "ready":
            raise Failure(503, engine.state, f"The service is {engine.state}, not ready.", 5)
        return Status(status="ready")

    @router.get("/version")
    async def version() -> Version:
        """Tell versions."""
        return Version(version=__version__, python=platform.python_version())

    @router.get(
        "/metrics",
        response_class=Response,
        responses={200: {"content": {"text/plain": {}}, "description": "Figures for Prometheus."}, **described(401)},
    )
    async def figures() -> Response:
        """Give figures for Prometheus."""
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    return router

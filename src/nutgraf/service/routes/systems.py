"""The route that lists systems."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from nutgraf.service.answers import described
from nutgraf.service.engine import Engine
from nutgraf.service.requests import DEFAULT_SYSTEM


class SystemCard(BaseModel):
    """A system that requests can name.

    Attributes:
        name: Its name.
        title: Its title.
        about: How it works.
        preset: The preset that it is made from.
        trained: True for a trained network.
        default: True for the system of a request that names none.
        signature: The system with all its options and its version; null until it is loaded.
    """

    name: str
    title: str
    about: str
    preset: str
    trained: bool
    default: bool
    signature: str | None


class SystemCards(BaseModel):
    """The systems that requests can name."""

    systems: list[SystemCard]


def systems(engine: Engine) -> APIRouter:
    """Return the route."""
    router = APIRouter(prefix="/v1", tags=["summaries"])

    @router.get("/systems", responses=described(401))
    async def listed() -> SystemCards:
        """List the systems that requests can name."""
        known = {name: one.signature for name, one in engine.capacities.items()}
        cards = [
            SystemCard(
                **vars(one),
                trained=one.folder is not None,
                default=one.name == DEFAULT_SYSTEM,
                signature=known.get(name),
            )
            for name, one in engine.systems.items()
        ]
        return SystemCards(systems=cards)

    return router

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from client import Client
from running import Running

from nutgraf.service.app import create_app
from nutgraf.service.engine import Engine
from nutgraf.service.limits import Limits

sys.path.append(str(Path(__file__).resolve().parents[1] / "hostile"))  # the files that the fuzz campaign makes


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """An engine with one process and room for three requests in its queue."""
    one = Running(Engine(workers=1, limits=Limits(seconds=30, memory=1 << 30, queue=3, words=5000, documents=5)))
    one.run(one.engine.ready())
    yield one
    one.close()


@pytest.fixture(scope="module")
def client(running: Running) -> Client:
    """A client of an application with this engine."""
    return Client(create_app(running.engine), running)

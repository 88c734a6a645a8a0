"""A Chromium of the system, driven by playwright, and a service to visit. Without one of them the tests say so."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

PATIENCE = 60_000
"""Milliseconds after which something that should appear has not."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The browser."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is missing")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(PROGRAMS)} is on the PATH")
    with driver.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@contextmanager
def _served(*tokens: str) -> Iterator[str]:
    """Address of a service with one process, which asks for one of some tokens."""
    uvicorn = pytest.importorskip("uvicorn")
    pytest.importorskip("fastapi")
    from nutgraf.service.app import create_app
    from nutgraf.service.engine import Engine
    from nutgraf.service.page.router import page_router
    from nutgraf.service.security import Tokens

    engine = Engine(workers=1)
    app = create_app(engine, Tokens.of(tokens), local=True, pages=[page_router(engine)], grace=1)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while engine.state == "loading" and thread.is_alive():
            time.sleep(0.1)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join(20)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Address of a service without tokens."""
    with _served() as found:
        yield found


@pytest.fixture
def served() -> Any:
    """Serves the page with tokens."""
    return _served


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Any]:
    """Opens the page in a browser without memory. An error in a script fails the test."""
    contexts, errors = [], []

    def open_page(**options: Any) -> Any:
        context = browser.new_context(**({"viewport": {"width": 1300, "height": 860}} | options))
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(error))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors

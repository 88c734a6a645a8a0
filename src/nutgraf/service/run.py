"""One server process: an application on an address, until it is told to stop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from nutgraf.errors import InputError, NutgrafError
from nutgraf.service import log
from nutgraf.service.desk import settle
from nutgraf.service.engine import Engine
from nutgraf.service.protocol import BoundedHttp

BACKLOG = 512
"""Most connections that may wait for the server to accept them. It accepts all that wait before it answers any, so that
a process that may open few files has room for fewer."""

KEEP_ALIVE = 75
"""Seconds that an idle connection stays open. Clients such as httpx use one again within 5 seconds, the default of the
server: now and then they would send a request into a connection that is just being closed."""

MOST_CONNECTIONS = 2000
"""Connections at once; whoever comes beyond them is told so by status 503."""

KEPT_FILES = 128
"""Files that are left for the service itself: its pipes, worker processes and uploads."""


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens, before anything is loaded.

    Args:
        host: Name or address.
        port: Number of the port; 0 for any that is free.

    Raises:
        InputError: If the address cannot be used.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, protocol)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(BACKLOG)
    except (OSError, OverflowError, UnicodeError) as error:
        raise InputError(_why(host, port, error)) from None
    found.set_inheritable(False)
    return found


def address_of(host: str, listening: socket.socket) -> str:
    """Return the address that people type into a browser."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}"


def serve(app: FastAPI, engine: Engine, listening: socket.socket, grace: float, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; then requests have some time to end.

    Args:
        app: The application, which starts and stops the engine.
        engine: The engine.
        listening: The socket.
        grace: Seconds that requests have.
        ready: Called when all systems are loaded.

    Raises:
        NutgrafError: If a system cannot be loaded.
    """
    log.set_up()
    room = max(2, _allow_files(2 * MOST_CONNECTIONS) - KEPT_FILES)
    backlog = min(BACKLOG, room // 2)
    config = uvicorn.Config(
        app,
        http=BoundedHttp,
        limit_concurrency=min(MOST_CONNECTIONS, room - backlog),
        backlog=backlog,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=max(1, round(grace)),
        proxy_headers=False,
    )
    with suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        # uvicorn has stopped in peace, and raises the signal once more
        runner.run(_serve(uvicorn.Server(config), engine, listening, ready))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes the event loop: uvloop's, which takes less time from the workers, where there is one."""
    with suppress(ImportError):  # there is none for Windows
        import uvloop

        return uvloop.new_event_loop
    return None


def _allow_files(number: int) -> int:
    """Let this process open so many files, or as many as it may, and return how many; each connection is one."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = number if hard == resource.RLIM_INFINITY else min(number, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
        return max(soft, most)
    return number


async def _serve(server: uvicorn.Server, engine: Engine, listening: socket.socket, ready: Callable[[], None]) -> None:
    wrong: list[NutgrafError] = []

    async def watch() -> None:
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            await engine.ready()
            settle()
            ready()
        except NutgrafError as error:
            wrong.append(error)
            server.should_exit = True

    watching = asyncio.create_task(watch())
    try:
        await server.serve(sockets=[listening])
    finally:
        watching.cancel()
    if wrong:
        raise wrong[0]


def _why(host: str, port: int, error: Exception) -> str:
    import errno

    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return f"The port {port} of {host} is in use; choose another one with --port, or stop what uses it."
    if isinstance(error, OSError) and error.errno == errno.EACCES:
        return f"The port {port} needs more rights than this process has; choose one from 1024 on with --port."
    return f"{host}, port {port}, cannot be listened on: {getattr(error, 'strerror', None) or error}."

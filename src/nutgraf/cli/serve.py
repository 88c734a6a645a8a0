"""`nutgraf serve`: summaries over HTTP."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._say import notice, say
from nutgraf.errors import requires

if TYPE_CHECKING:
    from nutgraf.service.engine import Engine

MIB = 1 << 20


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is every address of this machine.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 is any that is free.")] = 8765,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="Trained model that requests may name, as NAME=FOLDER, or the NAME of one of an installed package; "
            "may be repeated. Presets that need no training are there anyway.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Number of worker processes.", show_default="one per core")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=86_400, help="Time limit for the work on a request, in seconds.")
    ] = 60.0,
    memory: Annotated[int, typer.Option(min=256, max=1 << 24, help="Memory limit of a worker process, in MiB.")] = 2048,
    queue: Annotated[int, typer.Option(min=1, max=100_000, help="Number of requests that may wait.")] = 64,
    max_bytes: Annotated[int, typer.Option(min=1, max=1 << 32, help="Maximum size of a request, in bytes.")] = 32 * MIB,
    max_total_bytes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1 << 36,
            help="Maximum size of all requests together that are held, in bytes.",
            show_default="8 times --max-bytes",
        ),
    ] = None,
    max_words: Annotated[
        int, typer.Option(min=1, max=10**9, help="Maximum number of words of a request's documents.")
    ] = 2_000_000,
    token_file: Annotated[
        str | None,
        typer.Option(
            help="File with tokens, one a line, of which every request must show one; the variable NUTGRAF_TOKENS may "
            "hold some, too.",
            show_default=False,
        ),
    ] = None,
    device: Annotated[str, typer.Option(help="Device of networks: cpu, cuda …; auto is the GPU if there is one.")] = (
        "auto"
    ),
    grace: Annotated[
        float, typer.Option(min=0, max=3600, help="Seconds that requests have to end after SIGTERM or Ctrl-C.")
    ] = 30.0,
    fetch: Annotated[
        bool,
        typer.Option(
            "--fetch",
            help="Fetch the page where a document is nothing but a web address; only public addresses are connected "
            "to.",
        ),
    ] = False,
    mcp: Annotated[
        bool,
        typer.Option("--mcp", help="Serve an assistant on stdin and stdout by the Model Context Protocol, not HTTP."),
    ] = False,
) -> None:
    """Serve summaries over HTTP, for programs, for chat clients and for browsers.

    Example: nutgraf serve --port 8765 --workers 2

    Documents are read and summarized in worker processes with limits of time and memory. The service listens to this
    machine only, unless --host says otherwise; then give it tokens. It stops at SIGTERM or Ctrl-C.
    """
    from nutgraf.runtime.hardware import Compute
    from nutgraf.service.limits import Limits
    from nutgraf.service.systems import parse_folders

    Compute(device=device)
    folders = parse_folders(system or [])
    limits = Limits(
        bytes=max_bytes, total_bytes=max_total_bytes, words=max_words, seconds=seconds, memory=memory * MIB, queue=queue
    )
    if mcp:
        with requires("mcp", "nutgraf serve --mcp needs"):
            from nutgraf.service.assistant import serve_assistant
        serve_assistant(folders, workers, limits, device, fetch)
        return
    with requires("serve", "nutgraf serve needs"):
        for package in ("docx", "fastapi", "prometheus_client", "python_multipart", "uvicorn"):
            import_module(package)
        from nutgraf.service.engine import Engine
    _serve_http(host, port, Engine(folders, workers, limits, device, fetch), token_file, grace)


def _serve_http(host: str, port: int, engine: Engine, token_file: str | None, grace: float) -> None:
    from nutgraf.service.app import create_app
    from nutgraf.service.page.router import page_router
    from nutgraf.service.run import address_of, bound, serve
    from nutgraf.service.security import is_loopback, read_tokens
    from nutgraf.service.telemetry import collector_variable, send_spans

    tokens = read_tokens(token_file)
    with bound(host, port) as listening:
        address, local = address_of(host, listening), is_loopback(host)
        if not local and not tokens:
            notice([f"anybody who reaches {address} can use this service; --token-file asks for tokens."])
        app = create_app(engine, tokens, local=local, pages=[page_router(engine)], grace=grace)
        if variable := collector_variable():
            with requires("telemetry", f"nutgraf serve with {variable} needs"):
                send_spans(app)
        say(f"loading systems; {address}/ready tells when they are there.")
        serve(app, engine, listening, grace, lambda: say(f"ready on {address}; Ctrl-C stops it."))
    say("stopped.")

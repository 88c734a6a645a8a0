"""Spans tell the route, the status and the times of a request, and no word of what it sent."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from client import Client
from running import Running

from nutgraf.service.app import create_app
from nutgraf.service.telemetry import VARIABLES, collector_variable, send_spans

BODY = {"documents": ["Zanzibar is an island. It has a harbour."], "words": 9, "query": "Zanzibar?"}


@pytest.fixture
def _installed() -> None:
    pytest.importorskip("opentelemetry.instrumentation.fastapi", reason="the extra telemetry is missing")
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the extra telemetry is missing")


@pytest.mark.usefixtures("_installed")
def test_spans_have_routes_and_times_and_no_text(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=newsroom")
    kept, app = InMemorySpanExporter(), create_app(running.engine)
    provider = send_spans(app, kept)
    client = Client(app, running)
    client.post("/v1/summarize", json=BODY)
    client.post("/v1/summarize", json={**BODY, "words": 1})
    client.get("/v1/models/Zanzibar?q=Zanzibar")
    client.get("/Zanzibar")
    client.get("/health")
    provider.shutdown()
    spans = kept.get_finished_spans()
    assert [(one.name, one.attributes["http.status_code"]) for one in spans] == [
        ("POST /v1/summarize", 200),
        ("POST /v1/summarize", 422),
        ("GET /v1/models/{name}", 404),
        ("GET", 404),
    ]
    assert "total;dur=" in spans[0].attributes["http.response.header.server_timing"][0]
    assert spans[0].resource.attributes["service.name"] == "nutgraf"
    assert spans[0].resource.attributes["deployment.environment"] == "newsroom"
    assert "anzibar" not in "".join(one.to_json() for one in spans)


@pytest.mark.usefixtures("_installed")
def test_spans_go_to_the_collector_that_the_environment_names(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Collector) as collector:
        Thread(target=collector.handle_request, daemon=True).start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        app = create_app(running.engine)
        provider = send_spans(app)
        Client(app, running).post("/v1/summarize", json=BODY)
        provider.shutdown()
    ((path, content),) = told
    assert path == "/v1/traces"
    assert b"POST /v1/summarize" in content
    assert b"anzibar" not in content


def test_nothing_is_sent_unless_the_environment_names_a_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "OTEL_TRACES_EXPORTER"):
        monkeypatch.delenv(name, raising=False)
    assert collector_variable() is None
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    assert collector_variable() == "OTEL_EXPORTER_OTLP_ENDPOINT"
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "none")
    assert collector_variable() is None

"""Spans for OpenTelemetry: one a request, with its route, status and times, and never a word of a document."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from nutgraf.service.gate import WATCHED
from nutgraf.version import __version__

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

VARIABLES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""Environment variables of which one names the collector that takes the spans."""

TOLD = ["server-timing", "x-request-id"]
"""Headers of an answer that its span has: the times, and the number that the log has, too."""

ADDRESSES = frozenset({"http.url", "http.target", "url.full", "url.path", "url.query"})
"""Attributes with what a client wrote after the name of the host, which may be anything."""


def collector_variable() -> str | None:
    """Return the environment variable that asks for spans; None if nobody does."""
    if os.environ.get("OTEL_TRACES_EXPORTER") == "none":
        return None
    return next((name for name in VARIABLES if os.environ.get(name)), None)


def send_spans(app: FastAPI, exporter: SpanExporter | None = None) -> TracerProvider:
    """Let an application send a span for each request that is no look at its state.

    Args:
        app: The application, before its first request.
        exporter: Takes the spans; by default they go where the environment says, as protobuf over HTTP.

    Returns:
        What holds the spans until they are sent; it sends the last ones when the process ends.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.fastapi import FastAPIInstrumentor
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = Resource({"service.name": "nutgraf", "service.version": __version__})
    provider = TracerProvider(resource=named.merge(OTELResourceDetector().detect()))
    provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter()))
    FastAPIInstrumentor.instrument_app(
        app,
        tracer_provider=provider,
        excluded_urls=",".join(f"{path}$" for path in sorted(WATCHED)),
        exclude_spans=["receive", "send"],
        http_capture_headers_server_response=TOLD,
        server_request_hook=_without_address,
    )
    return provider


def _without_address(span: Any, scope: Any) -> None:
    """Keep only the route of an address."""
    if not span.is_recording():
        return
    for name in ADDRESSES.intersection(span.attributes):
        span.set_attribute(name, "REDACTED")
    if "http.route" not in span.attributes:
        span.update_name(scope["method"])

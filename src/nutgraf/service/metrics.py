"""Figures for Prometheus; all names begin with nutgraf_."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from nutgraf.service.engine import Engine

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """Figures of one service."""

    def __init__(self, engine: Engine) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_OfEngine(engine))
        labels = ("route", "method")
        self._requests = Counter(
            "nutgraf_requests", "Requests that were answered.", (*labels, "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "nutgraf_request_seconds",
            "Time from a request to the end of its answer.",
            labels,
            buckets=SECONDS,
            registry=self._registry,
        )

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count an answer."""
        known = method if method in METHODS else "other"
        self._requests.labels(route, known, status).inc()
        self._seconds.labels(route, known).observe(seconds)

    def text(self) -> bytes:
        """Return all figures in the format of Prometheus."""
        return generate_latest(self._registry)


class _OfEngine(Collector):
    """Figures of the engine, read when they are asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def collect(self) -> Iterator[Metric]:
        """Yield each figure."""
        figures = self._engine.figures
        yield GaugeMetricFamily("nutgraf_waiting", "Requests in the queue.", figures.waiting)
        yield GaugeMetricFamily("nutgraf_running", "Requests in work.", figures.running)
        yield GaugeMetricFamily("nutgraf_workers", "Worker processes.", figures.workers)
        yield GaugeMetricFamily("nutgraf_ready", "1 if all systems are loaded.", int(self._engine.state == "ready"))
        yield CounterMetricFamily("nutgraf_refused", "Requests that found the queue full.", figures.refused)
        yield CounterMetricFamily("nutgraf_killed", "Processes that ended in the middle of work.", figures.killed)
        yield CounterMetricFamily("nutgraf_batches", "Times that requests were worked on together.", figures.batches)

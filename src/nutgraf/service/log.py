"""Logs: one JSON object a line on stderr, with numbers and names, and never a word of a document."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

LOGGER = logging.getLogger("nutgraf.service")


class Lines(logging.Formatter):
    """Formats a record as a line of JSON: time, level, event, and the fields of the record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; of an exception only its type and places, since its message may quote a document."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields: dict[str, Any] = getattr(record, "fields", {})
        raised = {} if record.exc_info is None else {"traceback": _places(record.exc_info[1])}
        line = {"time": time, "level": record.levelname.lower(), "event": record.getMessage(), **fields, **raised}
        return json.dumps(line, ensure_ascii=False)


def set_up(level: int = logging.INFO) -> None:
    """Send the lines of the service and of its server to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    for name in (LOGGER.name, "uvicorn.error", "opentelemetry", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # the answer says what is wrong with a form


def event(name: str, **fields: Any) -> None:
    """Write a line."""
    LOGGER.info(name, extra={"fields": fields})


def failed(details: str) -> None:
    """Write a line about an unforeseen exception in a worker process."""
    places = [line.strip() for line in details.splitlines() if line.lstrip().startswith('File "')]
    LOGGER.error("work failed", extra={"fields": {"traceback": places}})


def _places(error: BaseException | None) -> list[str]:
    if error is None:
        return []
    frames = traceback.extract_tb(error.__traceback__)
    return [
        type(error).__name__,
        *(f'File "{frame.filename}", line {frame.lineno}, in {frame.name}' for frame in frames),
    ]

"""A client of the application, without a network."""

from __future__ import annotations

import json
from typing import Any

import httpx
from fastapi import FastAPI
from running import Running


class Client:
    """Sends requests to an application whose engine runs."""

    def __init__(self, app: FastAPI, running: Running, **headers: str) -> None:
        self.app, self.running, self.headers = app, running, headers

    def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send one request."""
        return self.running.run(self.sending(method, path, **more))

    async def sending(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send one request, within the loop of the engine."""
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=self.headers) as client:
            return await client.request(method, path, timeout=60, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        """Send a POST."""
        return self.send("POST", path, **more)

    def get(self, path: str, **more: Any) -> httpx.Response:
        """Send a GET."""
        return self.send("GET", path, **more)


def events(answer: httpx.Response) -> list[tuple[str, Any]]:
    """The events of a stream: name and content."""
    found = []
    for block in answer.text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
        if "data" in fields:
            content = fields["data"] if fields["data"] == "[DONE]" else json.loads(fields["data"])
            found.append((fields.get("event", ""), content))
    return found

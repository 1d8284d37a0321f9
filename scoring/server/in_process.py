"""Calls of a service from within its process: for tests, and for programs that embed it."""

from __future__ import annotations

import asyncio
import json as json_text
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from scoring.server.methods import Methods
from scoring.server.protocol import Answer, answer
from scoring.server.settings import Settings


class Inline:
    """Answers requests where it is called; nothing stops one that takes too long."""

    ready = 1
    waiting = 0

    def __init__(self, settings: Settings) -> None:
        self._methods = Methods(settings.root, settings.limits)
        self._limits = settings.limits

    async def start(self) -> None:
        """Nothing has to be started."""

    async def reply(self, body: bytes, _client: str, _departure: object = None) -> Answer:
        """The answer to a request."""
        return answer(body, self._methods, self._limits)

    async def close(self) -> None:
        """Nothing has to be stopped."""


class Response(NamedTuple):
    """A response; names of headers are in lower case."""

    status_code: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        """The body as Python's objects."""
        return json_text.loads(self.data)


class Client:
    """Calls an ASGI application without a socket."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self._application = application

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to close."""

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Response:
        """GET a path."""
        return self.open("GET", path, b"", headers)

    def post(
        self,
        path: str,
        data: str | bytes = b"",
        json: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """POST a body, or an object as JSON, to a path."""
        body = data if json is None else json_text.dumps(json)
        return self.open("POST", path, body, headers)

    def open(
        self,
        method: str,
        path: str,
        data: str | bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Any method of HTTP."""
        body = data.encode("utf-8") if isinstance(data, str) else data
        names = {name.lower(): value for name, value in (headers or {}).items()}
        pairs = {"host": "localhost", **names}.items()
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "query_string": b"",
            "headers": [(name.encode("latin-1"), text.encode("latin-1")) for name, text in pairs],
            "client": None,
            "server": ("localhost", 80),
        }
        incoming = [{"type": "http.request", "body": body}]
        messages: list[Any] = []

        async def receive() -> Any:
            return incoming.pop() if incoming else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            messages.append(message)

        async def run() -> None:
            await self._application(scope, receive, send)

        asyncio.run(run())
        start, *rest = messages
        texts = {name.decode("latin-1"): text.decode("latin-1") for name, text in start["headers"]}
        return Response(start["status"], texts, b"".join(part["body"] for part in rest))

"""Calls of a service within its own process, for tests and for programs that embed the service."""

from __future__ import annotations

import asyncio
import json as json_text
from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Message, Scope

from scoring.serve.methods import Methods
from scoring.serve.protocol import Answer, answer, is_short
from scoring.serve.settings import Settings


class Inline:
    """Answers requests in the calling process; a request that takes too long is not stopped."""

    ready = 1
    waiting = 0

    def __init__(self, settings: Settings) -> None:
        self._methods = Methods(settings.root, settings.limits)
        self._limits = settings.limits
        self._short = self._methods.without_parameters
        if settings.modules:
            # of the processes alone: what they add to lists is not known here
            self._short &= {"version"}

    async def start(self) -> None:
        """Do nothing, because the calling process answers the requests."""

    def takes(self, body: bytes) -> bool:
        """Return True if a request is short enough to answer in this process."""
        return is_short(body, self._limits, self._short)

    def answer(self, body: bytes) -> Answer:
        """Return the answer to a request."""
        return answer(body, self._methods, self._limits)

    async def reply(self, body: bytes, _client: str) -> Answer:
        """Return the answer to a request."""
        return self.answer(body)

    async def close(self) -> None:
        """Do nothing: there are no other processes to end."""


class Response(NamedTuple):
    """An HTTP response; names of headers are in lower case."""

    status_code: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        """The body, parsed as JSON."""
        return json_text.loads(self.data)


class Client:
    """Calls an ASGI application without a socket."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    def get(self, path: str, **arguments: Any) -> Response:
        """Send a GET request for a path."""
        return self.open("GET", path, **arguments)

    def post(self, path: str, json: object = None, **arguments: Any) -> Response:
        """Send a POST request with an object as JSON, or with a body, to a path."""
        if json is not None:
            arguments["data"] = json_text.dumps(json)
        return self.open("POST", path, **arguments)

    def open(
        self,
        method: str,
        path: str,
        data: str | bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Send a request with any HTTP method, a body and headers."""
        body = data.encode("utf-8") if isinstance(data, str) else data
        names = {"host": "localhost"} | {n.lower(): text for n, text in (headers or {}).items()}
        scope: Scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": [(n.encode("latin-1"), t.encode("latin-1")) for n, t in names.items()],
        }
        messages: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        async def send(message: Message) -> None:
            messages.append(message)

        async def call() -> None:
            await self._application(scope, receive, send)

        asyncio.run(call())
        start, *rest = messages
        texts = {name.decode("latin-1"): text.decode("latin-1") for name, text in start["headers"]}
        return Response(start["status"], texts, b"".join(part["body"] for part in rest))

"""What goes wrong with a request, with the codes of JSON-RPC and the states of HTTP.

`scoring.server.protocol` has the table of them.
"""

from __future__ import annotations

from typing import Any


class MethodError(Exception):
    """A method that failed; base of the errors of remote methods.

    Attributes
    ----------
    code, message
        Of JSON-RPC.
    status
        Of HTTP.
    data
        What is wrong in particular; None: nothing is said.
    """

    code, message, status = -32000, "Server error", 500

    def __init__(self, data: str | None = None) -> None:
        super().__init__(data)
        self.data = data

    def __str__(self) -> str:
        return self.message if self.data is None else f"{self.message}: {self.data}"

    def as_error(self) -> dict[str, Any]:
        """The error object of an answer."""
        return {"code": self.code, "message": self.message, "data": self.data}


class InvalidJsonError(MethodError):
    """A request that is no JSON."""

    code, message, status = -32700, "Invalid JSON", 400


class InvalidRequestError(MethodError):
    """JSON that is no request."""

    code, message, status = -32600, "Invalid JSON-RPC", 400


class MethodNotFoundError(MethodError):
    """There is no such method."""

    code, message, status = -32601, "Method not found", 404


class InvalidParamsError(MethodError):
    """Parameters that are missing, too many, or mean nothing."""

    code, message, status = -32602, "Invalid parameters", 400


class TimeLimitError(MethodError):
    """The work took too long and was stopped."""

    code, message, status = -32001, "Time limit exceeded", 504


class BusyError(MethodError):
    """Too many requests at a time; the same one may succeed later."""

    code, message, status = -32002, "Service busy", 503


class RequestTooLargeError(MethodError):
    """A body or a batch beyond the limits."""

    code, message, status = -32003, "Request too large", 413


class ResultTooLargeError(MethodError):
    """An answer beyond the limits."""

    code, message, status = -32004, "Result too large", 500


class NotEnoughMemoryError(MethodError):
    """The work needs more memory than it may have."""

    code, message, status = -32005, "Not enough memory", 500


class TooSlowError(MethodError):
    """The body of a request did not arrive in time."""

    code, message, status = -32006, "Request too slow", 408


class InvalidFieldError(InvalidParamsError):
    """A parameter that means nothing; `data` has `message`, `field` and what else is known."""

    def __init__(self, field: str | None, message: str, **more: object) -> None:
        super().__init__(message)
        known = {name: value for name, value in more.items() if value is not None}
        place = {} if field is None else {"field": field}
        self.record = {"message": message, **place, **known}

    def as_error(self) -> dict[str, Any]:
        """The error object of an answer."""
        return {"code": self.code, "message": self.message, "data": self.record}

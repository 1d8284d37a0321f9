"""Errors of requests, with the codes of JSON-RPC and the statuses of HTTP."""

from __future__ import annotations

from typing import Any

from formats.schema.errors import FormatError
from formats.schema.messages import Advice, Message
from scoring.model.errors import InputError, OptionTypeError, OptionValueError, problem_of

# Parameters that have other names than the options of commands.
PARAMETERS = {"from": "format"}


class MethodError(Exception):
    """Base of the errors of requests: a method failed. `data` has the details of the error."""

    code, message, status = -32000, "Server error", 500

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.data = data

    def as_error(self) -> dict[str, Any]:
        """Return the error object of an answer."""
        return {"code": self.code, "message": self.message, "data": self.data}


class InvalidJsonError(MethodError):
    """The body is not JSON."""

    code, message, status = -32700, "Invalid JSON", 400


class InvalidRequestError(MethodError):
    """The JSON is not a request."""

    code, message, status = -32600, "Invalid JSON-RPC", 400


class MethodNotFoundError(MethodError):
    """No method has this name."""

    code, message, status = -32601, "Method not found", 404


class InvalidParamsError(MethodError):
    """Parameters are missing, too many or invalid."""

    code, message, status = -32602, "Invalid parameters", 400


class TimeLimitError(MethodError):
    """The work took too long and was stopped."""

    code, message, status = -32001, "Time limit exceeded", 504


class BusyError(MethodError):
    """Too many simultaneous requests; the request may succeed later."""

    code, message, status = -32002, "Service busy", 503


class RequestTooLargeError(MethodError):
    """The body or the batch exceeds its limit."""

    code, message, status = -32003, "Request too large", 413


class ResultTooLargeError(MethodError):
    """The answer exceeds its limit."""

    code, message, status = -32004, "Result too large", 500


class NotEnoughMemoryError(MethodError):
    """The work needs more memory than its limit."""

    code, message, status = -32005, "Not enough memory", 500


class TooSlowError(MethodError):
    """The body of a request did not arrive in time."""

    code, message, status = -32006, "Request too slow", 408


class InvalidFieldError(InvalidParamsError):
    """A parameter is invalid; `data` has `message`, `field` and the details that are not None."""

    def __init__(self, field: str | None, message: str, **details: object) -> None:
        super().__init__(message)
        record = {"message": message, "field": field, **details}
        self.data = {name: value for name, value in record.items() if value is not None}


def text_of(error: Exception, option: str = "") -> str:
    """Return the text of an error, in which parameters of the service replace names of options.

    `option` is a parameter that the text omits, because the answer already names it.
    """
    value = getattr(error, "value", None)
    text = value.shown(_parameter) if isinstance(value, Message) else None
    if isinstance(error, (OptionValueError, OptionTypeError)) and error.option != option:
        return str(error) if text is None else f"{error.option}: {text}"
    if text is not None:
        return text
    if isinstance(error, FormatError):
        return error.message
    return error.problem if isinstance(error, InputError) else problem_of(error, option)


def _parameter(advice: Advice) -> str:
    """Return a recommended option in the form of a request parameter."""
    name = PARAMETERS.get(advice.option, advice.option)
    if advice.value in (True, ""):
        return name
    return f"{name} {advice.value if isinstance(advice.value, str) else 'false'}"

"""JSON-RPC 2.0 as a pure function from the bytes of a request to the bytes of its answer.

Answers to calls and batches have the status 200; notifications get 204 and an empty body. Answers
to a batch are in the order of its calls. JSON has to be UTF-8, names must not be repeated within an
object (otherwise one of two utterances would be lost), and numbers have to be finite.
"""

from __future__ import annotations

import json
import math
import os
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from scoring.serve.errors import (
    InvalidJsonError,
    InvalidRequestError,
    MethodError,
    MethodNotFoundError,
    NotEnoughMemoryError,
    RequestTooLargeError,
    ResultTooLargeError,
)
from scoring.serve.settings import Limits

LONGEST_ID = 256
SHORT = 4096  # bytes of a request that need not wait
_MEMBERS = frozenset({"jsonrpc", "method", "params", "id"})
# Method name in the log for what is not a method of the service.
UNKNOWN = "?"
Call = Callable[[str, "Mapping[str, Any] | Sequence[Any]"], Any]


class Single(NamedTuple):
    """A call; `method` is empty if the JSON is not a valid call."""

    method: str
    params: Any = ()
    id: Any = None
    is_notification: bool = False


class RpcRequest(NamedTuple):
    """The content of a body: a call, or a batch of calls."""

    calls: Sequence[Single]
    is_batch: bool = False


class CallOutcome(NamedTuple):
    """The outcome of a call for the log: method, error code (or 0), and cause without data."""

    method: str
    code: int = 0
    cause: str | None = None


class Answer(NamedTuple):
    """The HTTP status, the JSON body (empty for notifications), and the outcome of every call."""

    status: int
    body: bytes
    outcomes: Sequence[CallOutcome] = ()


def answer(body: bytes, call: Call, limits: Limits | None = None) -> Answer:
    """Return the answer to a request.

    `call` takes the name and the parameters of a method; it returns the result or raises
    `MethodError`.
    """
    limits = Limits() if limits is None else limits
    try:
        request = parse(body, limits)
    except MethodError as error:
        return refusal(error)
    return run(request, call, limits)


def refusal(error: MethodError) -> Answer:
    """Return the answer to a body that was rejected before its calls were parsed."""
    outcome = CallOutcome("-", error.code)
    return Answer(error.status, _encoded(_failure(error, None)), [outcome])


def parse(body: bytes, limits: Limits) -> RpcRequest:
    """Return the calls of a body; raises a `MethodError` if it is not a request."""
    try:
        record = _decoded(body)
    except MemoryError:
        raise NotEnoughMemoryError from None
    if not isinstance(record, list):
        single = _parsed_call(record)
        if not single.method:
            raise InvalidRequestError
        return RpcRequest([single])
    if not record:
        raise InvalidRequestError
    if len(record) > limits.batch:
        raise RequestTooLargeError(f"expected at most {limits.batch} calls, found {len(record)}")
    return RpcRequest([_parsed_call(item) for item in record], True)


def is_short(body: bytes, limits: Limits, methods: Collection[str]) -> bool:
    """Return True if answering a request is as fast as parsing it; the bytes may be invalid.

    This holds for `methods`, which have no parameters, and for error rates of two short texts.

    >>> request = b'{"jsonrpc": "2.0", "id": 1, "method": "wer", "params": {"reference": "a"%s}}'
    >>> is_short(request % b"", Limits(), ()), is_short(request % b', "by": "b"', Limits(), ())
    (True, False)
    """
    if len(body) > SHORT:
        return False
    try:
        calls = parse(body, limits).calls
    except MethodError:
        return True
    return all(call.method in ("", *methods) or _compares_texts(call) for call in calls)


def _compares_texts(call: Single) -> bool:
    return (
        call.method in ("align", "wer")
        and isinstance(call.params, dict)
        and call.params.keys() <= {"reference", "hypothesis"}
        and all(isinstance(text, str) for text in call.params.values())
    )


def _decoded(body: bytes) -> Any:
    """Return the value of a JSON text; reject repeated names and numbers that are not finite."""
    try:
        text = body.decode("utf-8-sig")
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_reject_constant, parse_float=_finite
        )
    except UnicodeDecodeError as problem:
        raise InvalidJsonError(f"byte {problem.start + 1} is not UTF-8") from None
    except json.JSONDecodeError as problem:
        raise InvalidJsonError(f"line {problem.lineno}, column {problem.colno}") from None
    except RecursionError:
        raise InvalidJsonError("too deep") from None
    except ValueError:
        # an integer of more digits than Python reads
        raise InvalidJsonError("a number is too long") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise InvalidJsonError("a name is repeated within an object")
    return members


def _reject_constant(_name: str) -> NoReturn:
    raise InvalidJsonError("a number is not finite")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _reject_constant(text)


def _parsed_call(record: object) -> Single:
    """Return a call; its method is empty if the record is not a valid call."""
    if not isinstance(record, dict) or not _MEMBERS.issuperset(record):
        return Single("")
    method, identity = record.get("method"), record.get("id")
    if not isinstance(method, str) or not method or record.get("jsonrpc") != "2.0":
        return Single("")
    params = record.get("params", {})
    if not isinstance(params, (dict, list)) or not _is_identity(identity):
        return Single("")
    return Single(method, params, identity, "id" not in record)


def _is_identity(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST_ID
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def run(request: RpcRequest, call: Call, limits: Limits) -> Answer:
    """Return the answer to a request after all its calls were run."""
    outcomes: list[CallOutcome] = []
    pieces: list[bytes] = []
    size, status = 0, 200
    for single in request.calls:
        piece, error = _called(single, call, limits.answer - size, limits)
        is_method = single.method and not isinstance(error, MethodNotFoundError)
        outcomes.append(
            CallOutcome(
                single.method if is_method else UNKNOWN,
                error.code if error else 0,
                _trace(error.__cause__) if error else None,
            )
        )
        if not single.is_notification:
            size += len(piece)
            pieces.append(piece)
            status = error.status if error else 200
    return _gathered(request, pieces, status, outcomes)


def failed(body: bytes, error: MethodError, limits: Limits) -> Answer:
    """Return the answer to a body whose work was stopped: every call has the same error."""
    try:
        request = parse(body, limits)
    except MethodError:
        # even reading it was too much
        return refusal(error)
    calls = [call for call in request.calls if not call.is_notification]
    pieces = [_encoded(_failure(error, call.id)) for call in calls]
    outcomes = [CallOutcome(UNKNOWN, error.code) for _ in request.calls]
    return _gathered(request, pieces, error.status, outcomes)


def _gathered(
    request: RpcRequest, pieces: Sequence[bytes], status: int, outcomes: Sequence[CallOutcome]
) -> Answer:
    if not pieces:
        return Answer(204, b"", outcomes)
    if not request.is_batch:
        return Answer(status, pieces[0], outcomes)
    return Answer(200, b"[" + b", ".join(pieces) + b"]", outcomes)


def _called(
    single: Single, call: Call, room: int, limits: Limits
) -> tuple[bytes, MethodError | None]:
    """Return the answer to a call in at most `room` bytes, and the error if the call failed."""
    error: MethodError | None = None
    try:
        if not single.method:
            raise InvalidRequestError
        result = call(single.method, single.params)
        piece = _encoded({"jsonrpc": "2.0", "result": result, "id": single.id})
    except MethodError as problem:
        error = problem
    except MemoryError:
        error = NotEnoughMemoryError()
    except (RecursionError, ValueError) as problem:
        error = MethodError()
        error.__cause__ = problem
    if error is not None:
        piece = _encoded(_failure(error, single.id))
    if len(piece) > room:
        error = ResultTooLargeError(f"expected at most {limits.answer} bytes")
        piece = _encoded(_failure(error, single.id))
    return piece, error


def _trace(cause: BaseException | None) -> str | None:
    """Return the type of an exception and the lines of code where it occurred.

    The text of the exception may contain data and is therefore dropped.
    """
    if cause is None:
        return None
    frames = traceback.extract_tb(cause.__traceback__)[-6:]
    places = [f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in reversed(frames)]
    return f"{type(cause).__name__} at {' < '.join(places) or 'the call'}"


def _failure(error: MethodError, identity: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "error": error.as_error(), "id": identity}


def _encoded(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, allow_nan=False).encode("ascii")

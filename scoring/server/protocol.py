"""JSON-RPC 2.0 as a pure function: from the bytes of a request to those of its answer.

=====================================  ======  ========  ============================
what is wrong                          status  code      message
=====================================  ======  ========  ============================
the body is no JSON                    400     -32700    Invalid JSON
the JSON is no request                 400     -32600    Invalid JSON-RPC
there is no such method                404     -32601    Method not found
parameters are missing or wrong        400     -32602    Invalid parameters
a method failed                        500     -32000    Server error
the work took too long                 504     -32001    Time limit exceeded
too much is going on                   503     -32002    Service busy
a body or a batch is too large         413     -32003    Request too large
an answer is too large                 500     -32004    Result too large
the work needs too much memory         500     -32005    Not enough memory
the body did not arrive in time        408     -32006    Request too slow
=====================================  ======  ========  ============================

Calls are answered with 200, batches always, notifications with 204 and nothing. An answer to a
batch is in the order of its calls.

JSON has to be UTF-8, its names must not be repeated within an object (one of two utterances would
be lost), and its numbers have to be finite.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.server.errors import (
    InvalidJsonError,
    InvalidRequestError,
    MethodError,
    NotEnoughMemoryError,
    RequestTooLargeError,
    ResultTooLargeError,
)
from scoring.server.settings import Limits

LONGEST_ID = 256
# Requests of so many bytes may be short.
SHORT = 4096
# Methods whose work is bounded by the size of what is sent, and the parameters that end that.
_SHORT_METHODS: Mapping[str, Sequence[str]] = {
    "version": (),
    "help": (),
    "list.formats": (),
    "list.steps": (),
    "list.normalization": (),
    "list.metrics": (),
    "list.benchmark": (),
    "align": (),
    "metrics.cer": (),
    "normalization.lowercase": (),
    "wer": ("normalize", "confidence_interval"),
}
_MEMBERS = frozenset({"jsonrpc", "method", "params", "id"})
Call = Callable[[str, "Mapping[str, Any] | Sequence[Any]"], Any]


class Single(NamedTuple):
    """One call.

    Attributes
    ----------
    method, params
        What is called; `method` is empty if the JSON is no call.
    id
        What the answer is known by.
    is_notification
        Whether no answer is expected.
    """

    method: str
    params: Any = ()
    id: Any = None
    is_notification: bool = False


class RpcRequest(NamedTuple):
    """What a body says: one call, or a batch of them."""

    calls: Sequence[Single]
    is_batch: bool = False


class CallOutcome(NamedTuple):
    """What became of a call, for the log: its method, 0 or the code of an error, and its cause."""

    method: str
    code: int = 0
    cause: BaseException | None = None


class Answer(NamedTuple):
    """What goes back.

    Attributes
    ----------
    status
        Of HTTP.
    body
        JSON, or nothing for notifications.
    outcomes
        One for every call.
    """

    status: int
    body: bytes
    outcomes: Sequence[CallOutcome] = ()


def answer(body: bytes, call: Call, limits: Limits | None = None) -> Answer:
    """The answer to a request.

    Parameters
    ----------
    call
        From the name of a method and its parameters to its result; raises `MethodError`.

    Examples
    --------
    >>> answer(b'{"jsonrpc": "2.0", "method": "double", "params": [2], "id": 1}',
    ...        lambda name, params: 2 * params[0]).body
    b'{"jsonrpc": "2.0", "result": 4, "id": 1}'
    >>> answer(b'{"jsonrpc": "2.0", "method": "x"', print).status
    400
    """
    limits = Limits() if limits is None else limits
    try:
        request = parse(body, limits)
    except MethodError as error:
        return refusal(error)
    return run(request, call, limits)


def refusal(error: MethodError) -> Answer:
    """The answer to a body that has not been understood, or not even read."""
    return Answer(error.status, _encoded(_failure(error, None)), [CallOutcome("", error.code)])


def parse(body: bytes, limits: Limits) -> RpcRequest:
    """What a body says.

    Raises
    ------
    InvalidJsonError, InvalidRequestError, TooLargeError
        If that is nothing.
    NotEnoughMemoryError
        If it is more than fits.
    """
    try:
        record = decoded(body)
    except MemoryError:
        raise NotEnoughMemoryError from None
    if not isinstance(record, list):
        single = understood(record)
        if not single.method:
            raise InvalidRequestError
        return RpcRequest([single])
    if not record:
        raise InvalidRequestError
    if len(record) > limits.batch:
        raise RequestTooLargeError(f"expected at most {limits.batch} calls, found {len(record)}")
    return RpcRequest([understood(one) for one in record], True)


def is_short(body: bytes, limits: Limits) -> bool:
    """Whether a request is answered, or refused, in next to no time.

    >>> is_short(b'{"jsonrpc": "2.0", "id": 1, "method": "version"}', Limits())
    True
    >>> is_short(b'{"jsonrpc": "2.0", "id": 1, "method": "compare"}', Limits())
    False
    """
    if len(body) > SHORT:
        return False
    try:
        calls = parse(body, limits).calls
    except MethodError:
        return True
    return all(_is_short(one) for one in calls)


def _is_short(single: Single) -> bool:
    longer = _SHORT_METHODS.get(single.method)
    if longer is None:
        return not single.method
    # in order of their places parameters are not looked for
    return not longer or (
        isinstance(single.params, dict) and not any(single.params.get(name) for name in longer)
    )


def decoded(body: bytes) -> Any:
    """A JSON text as Python's objects.

    Raises
    ------
    InvalidJsonError
        If it is none, or one that can be understood in two ways.
    """
    try:
        text = body.decode("utf-8-sig")
        return json.loads(
            text,
            object_pairs_hook=_members,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except UnicodeDecodeError as problem:
        raise InvalidJsonError(f"byte {problem.start + 1} is not UTF-8") from None
    except json.JSONDecodeError as problem:
        raise InvalidJsonError(f"line {problem.lineno}, column {problem.colno}") from None
    except RecursionError:
        raise InvalidJsonError("too deep") from None
    except ValueError:
        # a whole number of more digits than Python reads
        raise InvalidJsonError("a number is too long") from None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise InvalidJsonError("a name is repeated within an object")
    return members


def _no_constant(_name: str) -> None:
    raise InvalidJsonError("a number is not finite")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise InvalidJsonError("a number is not finite")
    return value


def understood(record: object) -> Single:
    """One call; without a method if it is none."""
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
    """The answer to calls that have been understood."""
    outcomes: list[CallOutcome] = []
    pieces: list[bytes] = []
    held, status = 0, 200
    for single in request.calls:
        record, outcome, found = _called(single, call)
        outcomes.append(outcome)
        if single.is_notification and single.method:
            continue
        try:
            piece = _encoded(record)
        except (ValueError, RecursionError):
            error = MethodError()
            piece, found = _encoded(_failure(error, single.id)), error.status
        if held + len(piece) > limits.answer:
            large = ResultTooLargeError(f"expected at most {limits.answer} bytes")
            outcomes[-1] = CallOutcome(outcome.method, large.code)
            piece, found = _encoded(_failure(large, single.id)), large.status
        held += len(piece)
        pieces.append(piece)
        status = found
    return _gathered(request, pieces, status, outcomes)


def failed(request: RpcRequest, error: MethodError) -> Answer:
    """The answer if all of a request came to nothing."""
    calls = [one for one in request.calls if not one.is_notification]
    pieces = [_encoded(_failure(error, one.id)) for one in calls]
    outcomes = [CallOutcome(one.method, error.code) for one in request.calls]
    return _gathered(request, pieces, error.status, outcomes)


def _gathered(
    request: RpcRequest, pieces: Sequence[bytes], status: int, outcomes: Sequence[CallOutcome]
) -> Answer:
    if not pieces:
        return Answer(204, b"", outcomes)
    if not request.is_batch:
        return Answer(status, pieces[0], outcomes)
    return Answer(200, b"[" + b", ".join(pieces) + b"]", outcomes)


def _called(single: Single, call: Call) -> tuple[dict[str, Any], CallOutcome, int]:
    cause: BaseException | None = None
    try:
        if not single.method:
            raise InvalidRequestError
        result = call(single.method, single.params)
    except MethodError as error:
        problem, cause = error, error.__cause__
    except MemoryError:
        problem = NotEnoughMemoryError()
    except RecursionError as error:
        problem, cause = MethodError(), error
    else:
        record = {"jsonrpc": "2.0", "result": result, "id": single.id}
        return record, CallOutcome(single.method), 200
    return (
        _failure(problem, single.id),
        CallOutcome(single.method, problem.code, cause),
        problem.status,
    )


def _failure(error: MethodError, identity: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "error": error.as_error(), "id": identity}


def _encoded(record: Mapping[str, Any] | Iterable[Any]) -> bytes:
    return json.dumps(record, allow_nan=False).encode("ascii")

"""JSON-RPC as a pure function: every case of the table, without a socket."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.serve.errors import (
    InvalidParamsError,
    MethodError,
    MethodNotFoundError,
    TimeLimitError,
)
from scoring.serve.methods import Methods
from scoring.serve.protocol import answer, failed
from scoring.serve.settings import Limits
from tests.each_case import each_case

METHODS = Methods()


def call(name: str, params: Mapping[str, Any] | Sequence[Any]) -> Any:
    if name == "add":
        if len(params) != 2:
            raise InvalidParamsError("missing a required argument: 'b'")
        return sum(params)
    if name == "fail":
        raise MethodError("ValueError: on purpose")
    if name == "large":
        return "x" * 1000
    if name == "infinite":
        return float("inf")
    if name == "exhausted":
        raise MemoryError
    if name == "deep":
        raise RecursionError
    raise MethodNotFoundError(name)


def ask(record: object, limits: Limits | None = None) -> tuple[int, Any]:
    reply = answer(json.dumps(record).encode(), call, limits)
    return reply.status, json.loads(reply.body) if reply.body else None


def single(method: str, params: object = (), identity: object = 7) -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": method, "params": params, "id": identity}


@each_case(
    ("record", "status", "code", "message", "data"),
    [
        (single("nope"), 404, -32601, "Method not found", "nope"),
        (single("add", [1]), 400, -32602, "Invalid parameters", "missing a required argument: 'b'"),
        (single("fail"), 500, -32000, "Server error", "ValueError: on purpose"),
        (single("exhausted"), 500, -32005, "Not enough memory", None),
        (single("deep"), 500, -32000, "Server error", None),
        (single("infinite"), 500, -32000, "Server error", None),
    ],
)
def test_errors_of_calls(
    record: object, status: int, code: int, message: str, data: str | None
) -> None:
    error = {"code": code, "message": message, "data": data}
    assert ask(record) == (status, {"jsonrpc": "2.0", "error": error, "id": 7})


@each_case(
    "record",
    [
        [],
        {},
        1,
        None,
        "version",
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "1.0", "id": 1, "method": "add"},
        {"jsonrpc": 2.0, "id": 1, "method": "add"},
        {"id": 1, "method": "add"},
        {"jsonrpc": "2.0", "id": 1, "method": 3},
        {"jsonrpc": "2.0", "id": 1, "method": ""},
        {"jsonrpc": "2.0", "id": 1, "method": "add", "params": "a"},
        {"jsonrpc": "2.0", "id": 1, "method": "add", "params": None},
        {"jsonrpc": "2.0", "id": 1, "method": "add", "parms": [1, 2]},
        {"jsonrpc": "2.0", "id": [1], "method": "add"},
        {"jsonrpc": "2.0", "id": True, "method": "add"},
        {"jsonrpc": "2.0", "id": "x" * 257, "method": "add"},
    ],
)
def test_what_is_no_request(record: object) -> None:
    error = {"code": -32600, "message": "Invalid JSON-RPC", "data": None}
    assert ask(record) == (400, {"jsonrpc": "2.0", "error": error, "id": None})


@each_case(
    ("body", "data"),
    [
        (b"", "line 1, column 1"),
        (b"{", "line 1, column 2"),
        (b'{"jsonrpc": "2.0",\n "method": }', "line 2, column 12"),
        (b'{"jsonrpc": "2.0", "method": "\xff"}', "byte 31 is not UTF-8"),
        ('{"jsonrpc": "2.0"}'.encode("utf-16"), "byte 1 is not UTF-8"),
        (b"[" * 100_000, "too deep"),
        (b'{"a":' * 100_000, "too deep"),
        (b'{"jsonrpc": "2.0", "id": 1, "id": 2}', "a name is repeated within an object"),
        (b'{"params": {"reference": {"u1": "a", "u1": "b"}}}', "a name is repeated"),
        (b'{"id": NaN}', "a number is not finite"),
        (b'{"id": -Infinity}', "a number is not finite"),
        (b'{"id": 1e999}', "a number is not finite"),
        (b'{"id": 1' + b"0" * 5000 + b"}", "a number is too long"),
        (b'{"jsonrpc": "2.0"} x', "line 1, column 20"),
    ],
)
def test_what_is_no_json(body: bytes, data: str) -> None:
    reply = answer(body, call)
    record = json.loads(reply.body)
    assert reply.status == 400
    assert record["id"] is None
    assert record["error"]["code"] == -32700
    assert record["error"]["message"] == "Invalid JSON"
    assert record["error"]["data"].startswith(data)


@each_case("identity", [0, -1, 2.5, "", "x" * 256, 10**4000, None, "\u20ac"])
def test_ids_come_back(identity: object) -> None:
    assert ask(single("add", [1, 1], identity)) == (
        200,
        {"jsonrpc": "2.0", "result": 2, "id": identity},
    )


def test_notifications_are_not_answered() -> None:
    for record in (
        {"jsonrpc": "2.0", "method": "add", "params": [1, 2]},
        {"jsonrpc": "2.0", "method": "nope"},
        [{"jsonrpc": "2.0", "method": "fail"}, {"jsonrpc": "2.0", "method": "add"}],
    ):
        assert ask(record) == (204, None)


def test_batch_in_order_with_errors_and_notifications() -> None:
    batch = [
        single("add", [1, 2], 1),
        {"jsonrpc": "2.0", "method": "add", "params": [5, 5]},
        single("nope", [], "two"),
        "nonsense",
        single("add", [3, 4], 3),
    ]
    status, record = ask(batch)
    assert status == 200
    assert [piece["id"] for piece in record] == [1, "two", None, 3]
    assert [piece.get("result") for piece in record] == [3, None, None, 7]
    assert [piece.get("error", {}).get("code") for piece in record] == [None, -32601, -32600, None]


def test_batch_has_a_limit() -> None:
    limits = Limits(batch=3)
    assert ask([single("add", [1, 1], n) for n in range(3)], limits)[0] == 200
    status, record = ask([single("add", [1, 1], n) for n in range(4)], limits)
    assert status == 413
    assert record["error"] == {
        "code": -32003,
        "message": "Request too large",
        "data": "expected at most 3 calls, found 4",
    }


def test_answer_has_a_limit_and_what_fits_is_kept() -> None:
    status, record = ask([single("large"), single("add", [1, 1])], Limits(answer=500))
    assert status == 200
    assert record[0]["error"]["code"] == -32004
    assert record[1]["result"] == 2
    assert ask(single("large"), Limits(answer=500))[0] == 500


def test_what_is_stopped_is_answered_for_every_id() -> None:
    error = TimeLimitError("stopped after 2 s")
    batch = [single("add", [], "a"), {"jsonrpc": "2.0", "method": "add"}, single("add", [], "b")]
    reply = failed(json.dumps(batch).encode(), error, Limits())
    assert reply.status == 200
    assert [piece["id"] for piece in json.loads(reply.body)] == ["a", "b"]
    assert failed(json.dumps(batch[0]).encode(), error, Limits()).status == 504
    silent = failed(json.dumps(batch[1]).encode(), error, Limits())
    assert (silent.status, silent.body) == (204, b"")
    assert failed(b"{", error, Limits()).status == 504


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_answered(record: object) -> None:
    reply = answer(json.dumps(record).encode(), METHODS)
    assert reply.status in (200, 204, 400, 404)
    if reply.body:
        json.loads(reply.body)


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(body: bytes) -> None:
    assert answer(body, METHODS).status in (204, 400)


@given(st.sampled_from(sorted(METHODS.names)), JSON)
def test_any_parameters_are_answered(method: str, params: object) -> None:
    record = {"jsonrpc": "2.0", "method": method, "params": params, "id": 1}
    assert answer(json.dumps(record).encode(), METHODS).status in (200, 400)


@given(
    st.sampled_from(("align", "wer", "compare", "convert", "detect", "normalize")),
    st.dictionaries(
        st.sampled_from(
            ("reference", "hypothesis", "baseline", "new", "text", "content", "to", "normalize",
             "unit", "speakers", "level", "seed", "fail_above", "read_options")
        ),
        JSON | st.sampled_from((["a b"], {"u1": "a"}, "a", "plain", "stm", [["a", "b"]])),
    ),
)  # fmt: skip
def test_any_named_parameters_are_answered(method: str, params: object) -> None:
    record = {"jsonrpc": "2.0", "method": method, "params": params, "id": 1}
    reply = answer(json.dumps(record).encode(), METHODS)
    causes = [piece.cause for piece in reply.outcomes if piece.code == -32000]
    assert reply.status in (200, 400), causes

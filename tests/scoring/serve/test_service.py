"""A real service on this machine, and those who mean it no good."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scoring.serve.transport import listening
from tests.scoring.serve.running import Answer, Service

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and processes of Unix")

ENDLESS = {"text": "a" * 5000 + "!", "search": "(a+)+$", "replace": ""}
VERSION = b'{"jsonrpc":"2.0","id":1,"method":"version"}'
# A request that takes no time, but might.
ORDINARY = b'{"jsonrpc":"2.0","id":1,"method":"metrics.wer","params":["a","a"]}'
Start = Callable[..., Service]
Eventually = Callable[[Callable[[], bool]], bool]


def error_of(answer: Answer) -> tuple[int, int]:
    return answer.status, answer.record["error"]["code"]


def asked(
    service: Service, answers: list[Answer] | None = None, params: object = ENDLESS
) -> threading.Thread:
    """Somebody who asks for what takes long, and may never be answered."""

    def ask() -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            answer = service.call("normalization.regex", params)
            if answers is not None:
                answers.append(answer)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    return thread


def at_work(
    service: Service,
    eventually: Eventually,
    answers: list[Answer] | None = None,
    params: object = ENDLESS,
) -> threading.Thread:
    """The same, once a process works on it."""
    before = service.worked()
    thread = asked(service, answers, params)
    assert eventually(lambda: sum(service.worked().values()) > sum(before.values()) + 0.05)
    return thread


@pytest.mark.parametrize(
    ("body", "status", "answer"),
    [
        (VERSION, 200, b'{"jsonrpc": "2.0", "result": "1.1", "id": 1}'),
        (
            b"\xff\xfe",
            400,
            b'{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Invalid JSON", '
            b'"data": "byte 1 is not UTF-8"}, "id": null}',
        ),
        (
            b"[" * 100_000 + b"]" * 100_000,
            400,
            b'{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Invalid JSON", '
            b'"data": "too deep"}, "id": null}',
        ),
        (b'{"jsonrpc":"2.0","method":"version"}', 204, b""),
    ],
)
def test_table(service: Service, body: bytes, status: int, answer: bytes) -> None:
    reply = service.post(body)
    assert (reply.status, reply.body) == (status, answer)
    if answer:
        assert reply.headers["content-type"] == "application/json"


def test_methods_through_the_service(service: Service) -> None:
    pair = {"reference": ["a b c"], "hypothesis": ["a x c"]}
    assert service.call("wer", pair).record["result"]["counts"]["errors"] == 1
    assert service.call("align", ["a b", "a c"]).record["result"]["edits"] == "CS"
    assert service.get("/health").record["status"] == "ok"
    assert service.get("/api").headers["content-type"].startswith("text/html")
    assert service.get("/api", "PUT").status == 405
    assert service.get("/api", Host="evil.example").status == 400


def test_numbers_are_those_of_the_command(
    service: Service, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from scoring.cli.scoring import main

    reference = {"anne-1": "it is fifty", "anne-2": "so it goes"}
    hypothesis = {"anne-1": "it is 50", "anne-2": "so goes it"}
    for name, side in (("ref.trn", reference), ("hyp.trn", hypothesis)):
        lines = [f"{text} ({identifier})\n" for identifier, text in side.items()]
        (tmp_path / name).write_text("".join(lines), "utf-8")
    flags = ["--normalize", "numbers", "--confidence-interval", "--json", "-"]
    assert main(["wer", str(tmp_path / "ref.trn"), str(tmp_path / "hyp.trn"), *flags]) == 0
    [ours] = json.loads(capfd.readouterr().out)["systems"]
    params = {"reference": reference, "hypothesis": hypothesis, "normalize": "numbers"}
    reply = service.call("wer", {**params, "confidence_interval": True}).record["result"]
    for name in ("signature", "counts", "rates", "sentences", "interval"):
        assert reply[name] == ours[name], name


@pytest.mark.release
def test_endless_regular_expressions_are_stopped(start: Start, eventually: Eventually) -> None:
    service = start("--workers", "1", "--timeout", "1")
    [before] = service.descendants()
    for method, params in (
        ("normalization.regex", ENDLESS),
        (
            "normalize",
            {
                "text": ENDLESS["text"],
                "normalize": {"step": "regex", **{k: ENDLESS[k] for k in ("search", "replace")}},
            },
        ),
    ):
        answer = service.call(method, params, "the id")
        assert error_of(answer) == (504, -32001)
        assert answer.record["id"] == "the id"
    assert service.post(VERSION).status == 200
    assert eventually(lambda: len(service.descendants()) == 1)
    assert service.descendants() != [before]


@pytest.mark.release
def test_endless_call_in_a_batch_is_answered_for_all(start: Start) -> None:
    service = start("--workers", "1", "--timeout", "1")
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "version"},
        {"jsonrpc": "2.0", "id": 2, "method": "normalization.regex", "params": ENDLESS},
        {"jsonrpc": "2.0", "method": "version"},
    ]
    answer = service.post(json.dumps(batch).encode())
    assert answer.status == 200
    assert [(entry["id"], entry["error"]["code"]) for entry in answer.record] == [
        (1, -32001),
        (2, -32001),
    ]


def test_too_much_memory_is_an_error_of_one_request(service: Service) -> None:
    params = {"text": "a" * 500_000, "search": "a", "replace": "b" * 100_000}
    assert error_of(service.call("normalization.replace", params)) == (500, -32005)
    assert service.post(VERSION).status == 200


def memory(pid: int) -> int:
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_of_a_gigabyte_is_not_read(
    service: Service, chunked: bool, eventually: Eventually
) -> None:
    before = memory(service.process.pid)
    refused = service.log.count(" 413 ")
    head = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: 1000000000"
    with service.connect() as connection:
        connection.sendall(b"POST /api HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n\r\n")
        block = b"a" * 65536
        piece = b"10000\r\n" + block + b"\r\n" if chunked else block
        sent = 0
        try:
            while sent < 1_000_000_000:
                connection.sendall(piece)
                sent += len(block)
        except OSError:
            pass
        assert sent < 100_000_000
        try:
            answer = connection.recv(65536)
        except ConnectionResetError:
            answer = b""
    assert not answer or answer.startswith(b"HTTP/1.1 413")
    assert memory(service.process.pid) - before < 60_000_000  # of a gigabyte
    assert eventually(lambda: service.log.count(" 413 ") > refused)
    assert service.post(VERSION).status == 200


CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(ORDINARY), ORDINARY)


@pytest.mark.parametrize(
    ("length", "rest", "status", "content"),
    [
        (1_000_000_000, b"\r\n", b"413", b"-32003"),
        (len(CHUNKS), b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKS, b"400", b""),
    ],
    ids=["too large", "two lengths"],
)
def test_a_wrong_length_is_refused_at_once_and_the_connection_closed(
    service: Service, length: int, rest: bytes, status: bytes, content: bytes
) -> None:
    head = b"POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n" % length
    with service.connect() as connection:
        connection.sendall((head + rest) * (2 if status == b"400" else 1))
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert content in answer
    assert b"connection: close" in answer.lower()
    assert answer.count(b"HTTP/1.1") == 1
    assert service.post(VERSION).status == 200


def test_quiet(start: Start) -> None:
    service = start("--workers", "1", "--quiet")
    assert service.call("version").status == 200
    assert service.call("nothing").status == 404
    assert service.end() == 0
    [line] = service.lines
    assert line == f"scoring: serving on http://127.0.0.1:{service.port}/api"


@pytest.mark.release
def test_many_at_a_time(start: Start) -> None:
    service = start("--workers", "2", "--queue", "1000", "--log-level", "warning")
    body = (
        b'{"jsonrpc":"2.0","id":%d,"method":"wer",'
        b'"params":{"reference":["a b c"],"hypothesis":["a x c"]}}'
    )

    async def entry(number: int) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
        content = body % number
        writer.write(
            b"POST /api HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n" % len(content) + content
        )
        answer = await reader.read()
        writer.close()
        head, _, text = answer.partition(b"\r\n\r\n")
        record = json.loads(text)
        assert record["id"] == number
        assert record["result"]["counts"]["errors"] == 1
        return int(head.split()[1])

    async def everything() -> list[int]:
        return await asyncio.gather(*(entry(number) for number in range(200)))

    assert asyncio.run(everything()) == [200] * 200
    assert service.get("/health").record["waiting"] == 0


def test_too_many_are_told_to_come_again_until_some_are_gone(
    service: Service, eventually: Eventually
) -> None:
    [before] = service.descendants()
    call = {"jsonrpc": "2.0", "id": 1, "method": "normalization.regex", "params": ENDLESS}
    body = json.dumps(call).encode()
    connections = [service.connect() for _ in range(2)]
    for connection in connections:
        connection.sendall(
            b"POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
            + body
        )
    assert eventually(lambda: bool(service.get("/health").record["waiting"] == 1))
    refused = service.post(ORDINARY)
    assert error_of(refused) == (503, -32002)
    assert int(refused.headers["retry-after"]) >= 1
    for connection in connections:
        connection.close()
    # otherwise all would be refused
    assert eventually(lambda: service.post(ORDINARY).status == 200)
    assert service.get("/health").record["waiting"] == 0
    assert before not in service.descendants()
    assert service.log.count("gone before the answer") == 2


def test_a_process_that_is_killed_is_replaced(service: Service, eventually: Eventually) -> None:
    workers = service.descendants()
    answers: list[Answer] = []
    thread = at_work(service, eventually, answers)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    thread.join()
    assert error_of(answers[0]) == (500, -32000)
    # the main process is well, whatever becomes of the others
    assert service.get("/health").status == 200
    assert eventually(lambda: len(set(service.descendants()).difference(workers)) >= 1)
    assert service.post(ORDINARY).status == 200
    for worker in service.descendants():
        os.kill(worker, signal.SIGKILL)
    assert service.post(ORDINARY).status in (200, 500)
    assert eventually(lambda: service.post(ORDINARY).status == 200)


def limited(start: Start, limits: str) -> Service:
    """A service with limits that the command has no flags for."""
    serve = f"serve(Settings(workers=1, limits=Limits({limits})), port=0)"
    return start(code=f"from scoring.serve import Limits, Settings, serve; {serve}")


@pytest.mark.release
def test_half_requests_do_not_hold_connections(start: Start) -> None:
    service = limited(start, "read_seconds=0.5")
    beginnings = (
        b"",
        b"POST /api HTT",
        b"POST /api HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{",
    )
    for beginning in beginnings:
        with service.connect() as connection:
            connection.sendall(beginning)
            connection.settimeout(0.1)
            answer, drops = b"", 0
            try:
                while True:
                    try:
                        piece = connection.recv(65536)
                    except TimeoutError:
                        # a byte now and then, which must not win time
                        drops += 1
                        assert drops < 1200
                        if beginning:
                            connection.sendall(b"x")
                        continue
                    if not piece:
                        break
                    answer += piece
            except OSError:
                pass
            if b"Content-Length" in beginning:
                assert answer.startswith(b"HTTP/1.1 408")
                assert b"-32006" in answer
            else:
                assert answer == b""


def test_connections_are_limited(start: Start, eventually: Eventually) -> None:
    service = limited(start, "read_seconds=600, connections=5")
    open_ones = [service.connect() for _ in range(5)]
    assert service.get("/health").status == 503
    for entry in open_ones:
        entry.close()
    assert eventually(lambda: service.post(VERSION).status == 200)


@pytest.mark.release
def test_answers_that_nobody_takes_are_given_up(start: Start, eventually: Eventually) -> None:
    service = limited(start, "write_seconds=0.5")
    rule = {"step": "replace", "search": "a", "replace": "b" * 300}
    params = {"text": "a" * 100_000, "normalize": rule}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "normalize", "params": params}).encode()
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", service.port))
    connection.sendall(
        b"POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    )
    assert eventually(lambda: "the answer was not taken" in service.log)
    connection.close()
    assert service.post(VERSION).status == 200


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.release)]
)
def test_requests_at_hand_are_finished_before_the_end(
    start: Start, number: int, eventually: Eventually
) -> None:
    service = start("--workers", "1", "--timeout", "600", "--grace", "600")
    workers = service.descendants()
    answers: list[Answer] = []
    thread = at_work(service, eventually, answers, {**ENDLESS, "text": "a" * 22 + "!"})
    assert service.end(number) == 0
    thread.join()
    assert answers[0].record["result"] == {"text": "a" * 22 + "!"}
    assert service.lines[-1].endswith("INFO ended")
    assert "Traceback" not in service.log
    assert not any(is_running(worker) for worker in workers)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.release
def test_grace_ends(start: Start, eventually: Eventually) -> None:
    service = start("--workers", "1", "--timeout", "600", "--grace", "1")
    workers = service.descendants()
    thread = at_work(service, eventually)
    assert service.end(signal.SIGTERM) == 0
    thread.join()
    assert eventually(lambda: not any(is_running(worker) for worker in workers))
    assert ENDLESS["search"] not in service.log


@pytest.mark.release
def test_processes_end_when_the_service_is_killed(start: Start, eventually: Eventually) -> None:
    service = start("--workers", "2", "--timeout", "10")
    workers = service.descendants()
    assert len(workers) == 2
    thread = asked(service)
    service.end(signal.SIGKILL)
    thread.join()
    assert eventually(lambda: not any(is_running(worker) for worker in workers))


@pytest.mark.release
def test_the_log_has_no_payload(start: Start) -> None:
    service = start("--workers", "1", "--timeout", "1", "--log-level", "debug")
    secret = "Xanadu"
    service.call("wer", {"reference": [secret], "hypothesis": [f"{secret} b"]})
    service.call(secret, {"reference": secret})
    service.call("normalize", {"text": secret, "normalize": secret})
    service.call("convert", {"content": secret, "format": "stm", "to": "ctm"})
    service.call("normalization.regex", {**ENDLESS, "replace": secret})
    service.post(b'{"jsonrpc":"2.0","id":"' + secret.encode() + b'",')
    service.get(f"/{secret}")
    with service.connect() as connection:
        connection.sendall(secret.encode() + b" / nonsense\r\n\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 400")
    service.end()
    assert secret not in service.log
    assert "200 wer " in service.log
    assert "404 ?(-32601)" in service.log


@pytest.fixture(scope="module")
def rooted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose root has a name that is no text, modules, a table, and a link to outside."""
    folder = tmp_path_factory.mktemp("rooted")
    root = Path(os.fsdecode(os.fsencode(folder) + b"/d\xe9"))
    root.mkdir()
    for name in ("json", "regex", "anyascii", "numpy", "encodings", "scoring"):
        (root / f"{name}.py").write_text("raise SystemExit('loaded from the root')", "utf-8")
    (root / "rules.csv").write_text("a,b\n", "utf-8")
    (folder / "secret.csv").write_text("a,SECRET\n", "utf-8")
    (root / "link.csv").symlink_to(folder / "secret.csv")
    running = Service("--workers", "1", "--rules-folder", str(root))
    yield running
    running.end_at_once()


def test_modules_in_the_root_are_not_loaded(rooted: Service) -> None:
    params = {"text": "a", "normalizer": "replace", "file": "rules.csv"}
    assert rooted.call("normalization.file", params).record["result"] == {"text": "b"}
    arguments = {"text": "é", "normalize": ["transliterate", "numbers"]}
    assert rooted.call("normalize", arguments).record["result"]["text"] == "e"
    assert rooted.call("normalization.unidecode", {"text": "é"}).status == 200


def test_files_outside_of_the_root(rooted: Service) -> None:
    for name in ("../secret.csv", "link.csv", "/etc/hosts"):
        config = f"[normalization]\nreplace {name}"
        calls: tuple[tuple[str, dict[str, str]], ...] = (
            ("normalization.file", {"text": "a", "normalizer": "replace", "file": name}),
            ("benchmark.wer", {"ref": "a", "hyp": "b", "config": config}),
            ("normalize", {"text": "a", "normalize": f"file:normalizer=replace,file={name}"}),
        )
        for method, params in calls:
            answer = rooted.call(method, params)
            assert error_of(answer) == (400, -32602)
            assert b"SECRET" not in answer.body
            assert b"Access to unallowed file attempted" in answer.body


def test_health_and_short_requests_do_not_wait_for_long_ones(
    start: Start, eventually: Eventually
) -> None:
    """Two calls without end of one client had both processes; health and `version` got 503."""
    service = start("--workers", "2", "--timeout", "600", "--client-share", "2")
    threads = [asked(service) for _ in range(4)]
    assert eventually(lambda: bool(service.get("/health").record["waiting"] == 2))
    health = service.get("/health")
    assert (health.status, health.record["status"]) == (200, "ok")
    assert service.post(VERSION).record["result"] == "1.1"
    assert "normalize" in service.call("help", {}).record["result"]
    assert service.call("list.steps", {}).record["result"]["lowercase"]
    answer = service.call("wer", {"reference": "a b", "hypothesis": "a c"})
    assert answer.record["result"]["counts"]["errors"] == 1
    assert service.call("align", {"reference": "a", "hypothesis": ""}).record["result"]["edits"]
    batch = json.dumps([json.loads(VERSION), json.loads(VERSION)]).encode()
    assert [item["result"] for item in service.post(batch).record] == ["1.1", "1.1"]
    assert service.post(b"{").status == 400
    assert error_of(service.call("align", {"reference": "a"})) == (400, -32602)
    assert service.get("/health").record["waiting"] == 2
    assert all(thread.is_alive() for thread in threads)


def test_answers_are_sent_without_delay() -> None:
    """Nagle's algorithm held every answer but the first of a connection back for 45 ms."""

    async def run() -> int:
        seen: list[int] = []

        def taken(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            seen.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        bound = listening("127.0.0.1", 0)
        async with await asyncio.start_server(taken, sock=bound):
            reader, writer = await asyncio.open_connection(*bound.getsockname())
            await reader.read()
            writer.close()
        return seen[0]

    assert asyncio.run(run())

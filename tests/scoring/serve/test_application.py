"""HTTP without a socket: addresses, statuses, headers, what browsers may do."""

import base64
import hashlib
import re

import pytest

from formats.schema import VERSION
from scoring.serve import create_app
from scoring.serve.application import Application
from scoring.serve.errors import BusyError
from scoring.serve.in_process import Client, Inline
from scoring.serve.protocol import Answer
from scoring.serve.settings import LOOPBACK, Limits, Settings, checked
from tests.each_case import each_case
from tests.tables import table_of

VERSION_CALL = {"jsonrpc": "2.0", "id": 1, "method": "version"}


def test_addresses() -> None:
    client = create_app().test_client()
    assert client.get("/").status_code == 404
    assert client.get("/api/").status_code == 404
    answer = client.get("/api")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert client.open("PUT", "/api").status_code == 405
    assert client.post("/").status_code == 404
    assert client.post("/health").status_code == 405
    assert client.post("/api").status_code == 400


def test_another_entry_point() -> None:
    client = create_app(entrypoint="/scores/v1").test_client()
    assert client.post("/scores/v1", json=VERSION_CALL).json["result"] == "1.1"
    assert client.post("/api", json=VERSION_CALL).status_code == 404


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "x", ""])
def test_content_type_does_not_matter(content_type: str) -> None:
    headers = {"Content-Type": content_type}
    answer = create_app().test_client().post("/api", json=VERSION_CALL, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.data == b'{"jsonrpc": "2.0", "result": "1.1", "id": 1}'


def test_notification() -> None:
    answer = create_app().test_client().post("/api", json={"jsonrpc": "2.0", "method": "version"})
    assert (answer.status_code, answer.data) == (204, b"")


def test_too_large_bodies() -> None:
    client = create_app(settings=Settings(limits=Limits(body=100))).test_client()
    assert client.post("/api", data=b" " * 100).status_code == 400
    answer = client.post("/api", data=b" " * 101)
    assert answer.status_code == 413
    assert answer.headers["connection"] == "close"
    assert answer.json["error"]["code"] == -32003
    assert client.post("/api", data=b"", headers={"Content-Length": "9" * 30}).status_code == 413


def test_health() -> None:
    answer = create_app().test_client().get("/health")
    assert answer.status_code == 200
    assert answer.json == {"status": "ok", "version": VERSION, "processes": 1, "waiting": 0}


def test_explorer_is_complete_in_itself() -> None:
    answer = create_app(with_explorer=True).test_client().get("/api")
    page = answer.data.decode("utf-8")
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http:" not in page
    assert "https:" not in page
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        [text] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        assert f"{directive} 'sha256-{digest}'" in policy
    assert "innerHTML" not in page
    assert " on" not in re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL).lower()


def test_explorer_takes_calls_too() -> None:
    client = create_app(with_explorer=True).test_client()
    assert client.post("/api", json=VERSION_CALL).status_code == 200


def test_answers_are_not_kept_nor_guessed_about() -> None:
    client = create_app().test_client()
    for answer in (client.post("/api", json=VERSION_CALL), client.get("/health")):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers


@each_case(("host", "status"), table_of(__file__, "names_the_service_answers_to"))
def test_names_the_service_answers_to(host: str, status: int) -> None:
    client = create_app(settings=Settings(hosts=LOOPBACK)).test_client()
    assert client.post("/api", json=VERSION_CALL, headers={"Host": host}).status_code == status


@each_case(
    ("origin", "status"),
    [
        ("http://localhost:8080", 200),
        ("HTTP://LOCALHOST:8080", 200),
        ("http://evil.example", 403),
        ("http://[::1].evil.example", 403),
        ("http://[::1", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_pages_of_other_sites(origin: str, status: int) -> None:
    headers = {"Host": "localhost:8080", "Origin": origin}
    client = create_app().test_client()
    assert client.post("/api", json=VERSION_CALL, headers=headers).status_code == status


class Full(Inline):
    async def reply(self, _body: bytes, _client: str) -> Answer:
        raise BusyError("256 requests are waiting already")


def test_refusal_says_when_to_come_again() -> None:
    answer = Client(Application(Settings(), Full(Settings()))).post("/api", json=VERSION_CALL)
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    assert answer.json["error"]["code"] == -32002


@each_case(
    "settings",
    [
        Settings(entrypoint="api"),
        Settings(entrypoint="/health"),
        Settings(entrypoint="/{x}"),
        Settings(workers=-1),
        Settings(root="/nonexistent/root"),
        Settings(limits=Limits(seconds=0)),
        Settings(limits=Limits(body=-5)),
    ],
)
def test_settings_that_mean_nothing(settings: Settings) -> None:
    with pytest.raises(ValueError, match="expected"):
        checked(settings)

"""A service in a process of its own, on a free port of this machine."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[3]
ADDRESS = re.compile(r"serving on http://127\.0\.0\.1:(\d+)(/\S*)")
START_SECONDS = 300


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def record(self) -> Any:
        return json.loads(self.body)


class Service:
    def __init__(
        self,
        *options: str,
        cwd: Path | None = None,
        command: tuple[str, ...] = ("serve",),
        code: str = "",
    ) -> None:
        started = ("-c", code) if code else ("-m", "scoring.cli.scoring", *command, "--port", "0")
        self.process = subprocess.Popen(
            [sys.executable, *started, *options],
            cwd=cwd or ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        self.lines: list[str] = []
        self._started = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._started.wait(START_SECONDS), self.lines
        found = next((m for m in map(ADDRESS.search, self.lines) if m), None)
        assert found is not None, self.lines
        self.port, self.path = int(found[1]), found[2]

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))
            if ADDRESS.search(line):
                self._started.set()
        self._started.set()

    @property
    def log(self) -> str:
        return "\n".join(self.lines)

    def post(self, body: bytes, *, timeout: float = 600, **headers: str) -> Answer:
        return self._request("POST", self.path, body, timeout, headers)

    def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        return self._request(method, path, None, 60, headers)

    def _request(
        self, method: str, path: str, body: bytes | None, timeout: float, headers: dict[str, str]
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(connection):
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            response = connection.getresponse()
            answered = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, answered, response.read())

    def call(self, method: str, params: object = (), identity: object = 1) -> Answer:
        record = {"jsonrpc": "2.0", "method": method, "params": params or {}, "id": identity}
        return self.post(json.dumps(record).encode())

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=300)

    def descendants(self) -> list[int]:
        """The processes that do the work."""
        return list(self.worked())

    def worked(self) -> dict[int, float]:
        """The processor time of each in seconds: it stands still while there is nothing to do."""
        listed = subprocess.run(
            ["ps", "-ww", "-o", "pid=,time=,args=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        rows = [line.split() for line in listed.stdout.splitlines() if "spawn_main" in line]
        return {int(number): processor_seconds(int(number), shown) for number, shown, *_ in rows}

    def end(self, number: int = signal.SIGTERM, timeout: float = 300) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(timeout)
        self._reader.join(10)
        return status

    def end_at_once(self) -> None:
        """End it and its processes, which without it work on until their time is up."""
        workers = self.descendants()
        if self.process.poll() is None:
            self.process.kill()
        for worker in workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        self.end()


def processor_seconds(process: int, shown: str) -> float:
    """What a process has used: in hundredths where Linux says so, whose `ps` has whole seconds."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    seconds = 0.0
    for part in shown.replace("-", ":").split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


def wait_until(is_so: Callable[[], bool], seconds: float = 300) -> bool:
    """Whether it is so at last; machines may be busy."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.05)
    return is_so()

"""Benchmark of the service under load: requests per second, latencies, and memory afterwards.

Run it from the root of the repository; the extra `server` has to be installed::

    python benchmarks/service.py --requests 10000

First, a few connections each send one request after another. Then each request has its own
connection, and all connections are open at the same time; there, a latency includes the opening of
the connection. Service and clients run on the same machine, so that the figures include both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = re.compile(rb"serving on http://127\.0\.0\.1:(\d+)")
CALL = {
    "method": "wer",
    "params": {
        "reference": {"anne-1": "the cat sat on the mat", "anne-2": "and so on"},
        "hypothesis": {"anne-1": "the cat sat on mat", "anne-2": "and soon"},
    },
}
SPARE_DESCRIPTORS = 200


@dataclass
class Tally:
    """The results of the requests in one run."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    failed: int = 0

    def add(self, status: int, errors: int | None, seconds: float) -> None:
        if status == 503:
            self.refused += 1
        elif status != 200 or errors != 3:
            self.failed += 1
        else:
            self.seconds.append(seconds)

    def told(self, name: str, elapsed: float) -> str:
        ordered = sorted(self.seconds)
        shown = " ".join(
            f"p{100 * share:g} {1000 * ordered[int(share * (len(ordered) - 1))]:.1f}"
            for share in (0.5, 0.9, 0.99, 1)
            if ordered
        )
        return (
            f"{name}: {len(ordered)} answered in {elapsed:.2f} s, "
            f"{len(ordered) / elapsed:.0f}/s; {shown} ms; {self.refused} refused, "
            f"{self.failed} failed"
        )


def request(number: int) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": number, **CALL}).encode("ascii")
    head = f"POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode("ascii") + body


async def one(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int
) -> tuple[int, int | None]:
    """Send a request; return its status, and the number of errors in the answer."""
    writer.write(request(number))
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"(?i)content-length: (\d+)", head)
    assert found is not None
    body = await reader.readexactly(int(found[1]))
    status = int(head.split()[1])
    if status != 200:
        return status, None
    record = json.loads(body)
    assert record["id"] == number
    return status, record["result"]["counts"]["errors"]


async def in_turn(port: int, requests: int, connections: int, tally: Tally) -> None:
    """Open a few connections; on each, send one request after another."""
    numbers = iter(range(requests))

    async def ask() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for number in numbers:
            start = perf_counter()
            status, errors = await one(reader, writer, number)
            tally.add(status, errors, perf_counter() - start)
        writer.close()

    await asyncio.gather(*(ask() for _ in range(connections)))


async def at_once(port: int, requests: int, tally: Tally) -> None:
    """Open a connection for each request, all at the same time."""

    async def ask(number: int) -> None:
        start = perf_counter()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            status, errors = await one(reader, writer, number)
        except (OSError, asyncio.IncompleteReadError):
            tally.failed += 1
            return
        tally.add(status, errors, perf_counter() - start)
        writer.close()

    await asyncio.gather(*(ask(number) for number in range(requests)))


def memory(pid: int) -> float:
    """Return the resident memory of a process and its children, in MiB."""
    listed = subprocess.run(
        ["ps", "-o", "rss=", "--pid", str(pid), "--ppid", str(pid)],
        capture_output=True,
        text=True,
        check=True,
    )
    return sum(map(int, listed.stdout.split())) / 1024


def measure(name: str, pid: int, work: Callable[[Tally], Awaitable[None]], requests: int) -> None:
    tally = Tally()
    before = memory(pid)
    start = perf_counter()
    asyncio.run(_awaited(work, tally))
    elapsed = perf_counter() - start
    time.sleep(1)
    print(tally.told(name, elapsed))
    print(f"  memory of all processes: {before:.0f} MiB before, {memory(pid):.0f} MiB after")
    assert len(tally.seconds) + tally.refused + tally.failed == requests


async def _awaited(work: Callable[[Tally], Awaitable[None]], tally: Tally) -> None:
    await work(tally)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--connections", type=int, default=32, help="of the first run")
    parser.add_argument("--workers", type=int, default=0, help="default: one per processor")
    parser.add_argument("--queue", type=int, default=0, help="default: as many as requests")
    arguments = parser.parse_args()
    count = arguments.requests
    wanted = count + SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(wanted, hard)))
    flags = {
        "--port": 0,
        "--workers": arguments.workers,
        "--queue": arguments.queue or count,
        "--connections": wanted,
        "--log-level": "warning",
    }
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "scoring.cli.scoring", "serve"),
            *(str(part) for pair in flags.items() for part in pair),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        found = ADDRESS.search(process.stderr.readline())
        assert found is not None, "the service did not start"
        port = int(found[1])
        connections = arguments.connections
        measure(
            f"{connections} connections",
            process.pid,
            lambda tally: in_turn(port, count, connections, tally),
            count,
        )
        for turn in ("", ", again"):
            measure(
                f"{count} connections at once{turn}",
                process.pid,
                lambda tally: at_once(port, count, tally),
                count,
            )
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


if __name__ == "__main__":
    main()

"""Each task of the page has a process of its own, which ends with it."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="starlette is not installed")

from scoring.serve.browser import processes
from scoring.serve.browser.processes import Processes
from scoring.serve.browser.tasks import packed, unpacked
from scoring.serve.errors import MethodError
from scoring.serve.settings import Settings

TEXT = " ".join(str(number % 9_973) for number in range(60_000))
# texts that take long to align
LONG = {"r.txt": TEXT.encode(), "h.txt": " ".join(reversed(TEXT.split())).encode()}
SCORE = {"task": "score", "reference": "r.txt", "hypotheses": ["h.txt"], "id": "7"}


def in_service(work: Callable[[Processes], Awaitable[Any]]) -> Any:
    """What work with the processes of a service returns."""

    async def run() -> Any:
        service = Processes(Settings(workers=1))
        await service.start()
        return await work(service)

    return asyncio.run(run())


async def working(service: Processes, work: asyncio.Future[Any]) -> None:
    """Wait until a process reports progress."""
    while "7" not in service.progress:
        assert not work.done(), work
        await asyncio.sleep(0.02)


@pytest.fixture(autouse=True)
def _few_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load what a task needs within it, as these tests start few."""
    monkeypatch.setattr(processes, "_modules", lambda: [processes.__name__])


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the processes that a service starts."""
    numbers: list[int] = []

    class Task(processes._Task):
        def __init__(self, context: Any) -> None:
            super().__init__(context)
            numbers.append(self._process.pid or 0)

    monkeypatch.setattr(processes, "_Task", Task)
    return numbers


@pytest.mark.parametrize("forks", [True, False] if processes.FORKS else [False])
def test_a_task_is_answered(forks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the system cannot fork."""
    monkeypatch.setattr(processes, "FORKS", forks)
    body = packed({"task": "detect", "input": "a.stm"}, {"a.stm": b"a 1 ann 0 1 hi\n"})
    record, _ = unpacked(in_service(lambda service: service.reply(body, "")).body)
    assert (record["status"], "stm" in record["text"]) == (0, True), record


def test_a_process_that_is_killed_is_said(begun: list[int]) -> None:
    async def killed(service: Processes) -> None:
        work = asyncio.ensure_future(service.reply(packed(SCORE, LONG), ""))
        await working(service, work)
        os.kill(begun[0], signal.SIGKILL)
        with pytest.raises(MethodError, match="the process that worked on the request has ended"):
            await work
        assert service.progress == {}

    in_service(killed)


def test_a_process_ends_when_its_task_is_cancelled(
    begun: list[int], eventually: Callable[[Callable[[], bool]], bool]
) -> None:
    async def cancelled(service: Processes) -> None:
        work = asyncio.ensure_future(service.reply(packed(SCORE, LONG), ""))
        await working(service, work)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        # the next one is not kept waiting
        await service.reply(packed({"task": "demo"}, {}), "")

    def has_ended() -> bool:
        try:
            os.kill(begun[0], 0)
        except ProcessLookupError:
            return True
        return False

    in_service(cancelled)
    assert eventually(has_ended)


def test_modules_beside_the_files_are_not_loaded(
    current_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the folder in which the service was started, which may be anybody's."""
    (current_folder / "jinja2.py").write_text("raise SystemExit('loaded')\n")
    monkeypatch.syspath_prepend(current_folder)
    body = packed(SCORE, {"r.txt": b"it is so", "h.txt": b"it was so"})
    record, files = unpacked(in_service(lambda service: service.reply(body, "")).body)
    assert (record["status"], list(files)) == (0, ["report.html"]), record

"""Processes that do the work: started, replaced, told what to load."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.serve.pool import Pool, Worker, WorkerError
from scoring.serve.settings import Limits, Settings
from tests.scoring.serve.starts import start_patiently, start_soon

MODULE = '''
from scoring.peers.benchmarkstt.normalization import Normalizer

class Shout(Normalizer):
    """Upper case."""

    def _normalize(self, text):
        return text.upper()
'''


@pytest.fixture(autouse=True)
def soon(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes call no methods before they are ready, but for the test of what is loaded."""
    if request.function is not test_modules_of_the_operator_are_offered:
        monkeypatch.setattr("scoring.serve.pool.start", start_soon)


def within(settings: Settings, work: Callable[[Pool], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        pool = Pool(settings)
        await pool.start()
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


async def called(pool: Pool, method: str, params: object, client: str = "") -> Any:
    record = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    reply = await pool.reply(json.dumps(record).encode(), client)
    return json.loads(reply.body)


def test_modules_of_the_operator_are_offered(current_folder: Path) -> None:
    (current_folder / "shouting.py").write_text(MODULE, "utf-8")
    (current_folder / "anyascii.py").write_text("raise SystemExit('loaded from the root')", "utf-8")
    settings = Settings(workers=1, modules=("shouting",), root=str(current_folder))

    async def work(pool: Pool) -> Any:
        return [
            await called(pool, "normalization.shout", {"text": "a"}),
            await called(pool, "normalization.unidecode", {"text": "é"}),
        ]

    answers = within(settings, work)
    assert [answer["result"] for answer in answers] == [{"text": "A"}, {"text": "e"}]


def test_what_does_not_start_is_told(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(workers=2, modules=("there_is_no_such_module",))

    async def work(_pool: Pool) -> None:
        raise AssertionError("started")

    with pytest.raises(WorkerError):
        within(settings, work)
    assert "there_is_no_such_module" in capfd.readouterr().err


def test_queue_of_none() -> None:
    """Without places to wait everything beyond the processes is refused."""

    async def work(pool: Pool) -> Any:
        calls = (called(pool, "metrics.wer", ["a", "b"]) for _ in range(5))
        return await asyncio.gather(*calls, return_exceptions=True)

    answers = within(Settings(workers=1, limits=Limits(queue=0)), work)
    refused = [item for item in answers if isinstance(item, BaseException)]
    assert len(refused) == 4
    assert {type(item).__name__ for item in refused} == {"BusyError"}


ENDLESS = {"text": "a" * 5000 + "!", "search": "(a+)+$", "replace": ""}


def test_a_client_keeps_its_share_busy_and_no_more() -> None:
    """Two requests without end of one client had both processes, and another waited for them."""

    async def work(pool: Pool) -> Any:
        greedy = [
            asyncio.ensure_future(called(pool, "normalization.regex", ENDLESS, "greedy"))
            for _ in range(3)
        ]
        while pool.waiting < 2:
            await asyncio.sleep(0.01)
        replies = [await called(pool, "metrics.wer", ["a b", "a c"], "modest") for _ in range(20)]
        still = sum(not item.done() for item in greedy)
        for item in greedy:
            item.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)
        return replies, still

    limits = Limits(seconds=600, queue_seconds=600)
    replies, still = within(Settings(workers=2, limits=limits), work)
    assert still == 3
    assert {item["result"] for item in replies} == {0.5}


def test_an_alignment_ends_with_its_time_and_its_process_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was killed with the process, whose next request then waited for a new one to start."""
    monkeypatch.setattr("scoring.serve.pool.start", start_patiently)
    long = {"reference": "a b " * 100_000, "hypothesis": "b c " * 100_000}

    async def work(pool: Pool) -> Any:
        before = {worker.pid for worker in pool._workers}
        stopped = await called(pool, "align", long)
        return before, stopped, {worker.pid for worker in pool._workers}

    before, stopped, after = within(Settings(workers=1, limits=Limits(seconds=0.5)), work)
    assert stopped["error"]["code"] == -32001
    assert stopped["error"]["data"] == "stopped after 0.5 s"
    assert before == after


def test_a_process_that_is_being_replaced_ends_with_the_others() -> None:
    async def work(pool: Pool) -> set[Worker]:
        pool._replace(next(iter(pool._workers)))
        await asyncio.sleep(0)
        return set(pool._workers)

    assert within(Settings(workers=1), work) == set()


def test_waiting_ends() -> None:
    endless = ENDLESS

    async def work(pool: Pool) -> Any:
        calls = (called(pool, "normalization.regex", endless) for _ in range(2))
        return await asyncio.gather(*calls, return_exceptions=True)

    first, second = within(Settings(workers=1, limits=Limits(seconds=0.3, queue_seconds=0.1)), work)
    assert first["error"]["code"] == -32001
    assert type(second).__name__ == "BusyError"

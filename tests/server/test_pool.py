"""Processes that do the work: started, replaced, told what to load."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.server.pool import Pool, WorkerError
from scoring.server.settings import Limits, Settings

MODULE = '''
from scoring.benchmarkstt.normalization import Normalizer

class Shout(Normalizer):
    """Upper case."""

    def _normalize(self, text):
        return text.upper()
'''


def within(settings: Settings, work: Callable[[Pool], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        pool = Pool(settings)
        await pool.start()
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


async def called(pool: Pool, method: str, params: object) -> Any:
    record = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    reply = await pool.reply(json.dumps(record).encode())
    return json.loads(reply.answer.body)


def test_modules_of_the_operator_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shouting.py").write_text(MODULE, "utf-8")
    (tmp_path / "anyascii.py").write_text("raise SystemExit('loaded from the root')", "utf-8")
    monkeypatch.chdir(tmp_path)
    settings = Settings(workers=1, modules=("shouting",), root=str(tmp_path))

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


def test_every_waiting_request_gets_its_own_answer() -> None:
    async def work(pool: Pool) -> Any:
        calls = (called(pool, "align", [f"a {number}", "a"]) for number in range(200))
        return await asyncio.gather(*calls)

    answers = within(Settings(workers=2), work)
    found = [answer["result"]["pairs"][1][0] for answer in answers]
    assert found == [str(number) for number in range(200)]


def test_queue_of_none() -> None:
    """Without places to wait everything beyond the processes is refused."""

    async def work(pool: Pool) -> Any:
        calls = (called(pool, "version", []) for _ in range(5))
        return await asyncio.gather(*calls, return_exceptions=True)

    answers = within(Settings(workers=1, limits=Limits(queue=0)), work)
    refused = [one for one in answers if isinstance(one, BaseException)]
    assert len(refused) == 4
    assert {type(one).__name__ for one in refused} == {"BusyError"}


def test_waiting_ends() -> None:
    endless = {"text": "a" * 5000 + "!", "search": "(a+)+$", "replace": ""}

    async def work(pool: Pool) -> Any:
        calls = (called(pool, "normalization.regex", endless) for _ in range(2))
        return await asyncio.gather(*calls, return_exceptions=True)

    limits = Limits(seconds=3, queue_seconds=0.3)
    first, second = within(Settings(workers=1, limits=limits), work)
    assert first["error"]["code"] == -32001
    assert type(second).__name__ == "BusyError"

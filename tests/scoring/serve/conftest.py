"""Services for tests, ended after them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.scoring.serve.running import Service, wait_until


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], bool]:
    return wait_until


@pytest.fixture
def start() -> Iterator[Callable[..., Service]]:
    """Starts services that are ended after the test."""
    services: list[Service] = []

    def started(*options: str, cwd: Path | None = None, code: str = "") -> Service:
        services.append(Service(*options, cwd=cwd, code=code))
        return services[-1]

    yield started
    for service in services:
        service.end_at_once()


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """One service for all tests of a module, with one process, for which one request may wait."""
    options = ("--workers", "1", "--queue", "1", "--timeout", "600", "--max-body", "1")
    running = Service(*options, "--with-explorer")
    yield running
    running.end_at_once()

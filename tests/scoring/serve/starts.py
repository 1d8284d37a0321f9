"""How processes of a service start in tests: they load this module, but not the tests."""

from scoring.serve import worker
from scoring.serve.settings import Settings


def start_soon(settings: Settings, path: list[str]) -> None:
    """Start a process that has not called every method before it is ready."""
    worker._FIRST_CALLS = ()
    worker.start(settings, path)


def start_patiently(settings: Settings, path: list[str]) -> None:
    worker.LATE = 60.0  # the machine may be busy
    start_soon(settings, path)

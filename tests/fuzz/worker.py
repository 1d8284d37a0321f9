"""The process that tries inputs one after the other, each within limits of time and memory.

What ends the process (a crash, the kernel) is found by the process above it, which knows from the
pipe between them which case was the last to begin.
"""

import contextlib
import json
import os
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn

from tests.fuzz.inputs import Finding, Input

__all__ = ["Limits", "results", "within"]


class Limits:
    """What one input may take.

    Attributes
    ----------
    seconds: of processor time.
    megabytes: of address space beyond that of the process as it begins.
    """

    def __init__(self, seconds: float = 5, megabytes: int = 1000) -> None:
        self.seconds = seconds
        self.megabytes = megabytes


class _TooSlow(BaseException):
    """Not to be caught by what is tried."""


def _too_slow(number: int, frame: FrameType | None) -> NoReturn:
    raise _TooSlow


def within(limits: Limits, given: Input, check: Callable[[Input], None]) -> None:
    """Try an input in this process.

    Raises
    ------
    Finding: also for more time or memory than is allowed, and for any error that nobody expects.
    """
    spent = resource.getrusage(resource.RUSAGE_SELF)
    # what does not come back to Python to hear of the first limit is ended by the second
    before = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(spent.ru_utime + spent.ru_stime + 4 * limits.seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft, before[1]))
    handler = signal.signal(signal.SIGPROF, _too_slow)
    try:
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)
        try:
            check(given)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except Finding:
        raise
    except _TooSlow as error:
        place = traceback.extract_tb(error.__traceback__)[-2]
        message = f"more than {limits.seconds} s of processor time, in {place.name}"
        raise Finding(f"{given.kind} {given.name} slow {place.name}", message, given) from None
    except Exception as error:
        from tests.fuzz.round_trips import blame

        blame(given, error)
    finally:
        # the process may be one that goes on to do other things, as that of the tests does
        signal.signal(signal.SIGPROF, handler)
        resource.setrlimit(resource.RLIMIT_CPU, before)


def results(
    draw: Callable[[int], Input],
    check: Callable[[Input], None],
    limits: Limits,
    numbers: range,
    seconds: float,
    silence: float = 120,
) -> Iterator[tuple[int, str, str]]:
    """Cases one after the other for some seconds: number, key and message, empty where all is well.

    Parameters
    ----------
    silence: seconds after which a case that has not ended is a finding, too.
    """
    until = time.monotonic() + seconds
    number = next(iter(numbers), None)
    while number is not None and time.monotonic() < until:
        source, target = os.pipe()
        child = os.fork()
        if not child:
            os.close(source)
            _work(draw, check, limits, range(number, numbers.stop), target)
        os.close(target)
        last = number
        with open(source, "rb") as lines:
            while time.monotonic() < until:
                ready, _, _ = select.select([lines], [], [], silence)
                line = lines.readline() if ready else b""
                if not line:
                    break
                last, key, message = json.loads(line)
                if key != "begin":
                    yield last, key, message
            else:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return
        if not ready:
            os.kill(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            given = draw(last)
            name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
            yield (
                last,
                f"{given.kind} {given.name} {name}",
                f"{given.kind} {given.name}: the process ended: {name}",
            )
        number = last + 1 if status and last + 1 < numbers.stop else None


def _work(
    draw: Callable[[int], Input],
    check: Callable[[Input], None],
    limits: Limits,
    numbers: range,
    target: int,
) -> NoReturn:
    status = 1
    with contextlib.suppress(BaseException):
        with open("/proc/self/statm") as statm:
            used = int(statm.read().split()[0]) * resource.getpagesize()
        most = used + (limits.megabytes << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in numbers:
            os.write(target, json.dumps([number, "begin", ""]).encode() + b"\n")
            key = message = ""
            try:
                within(limits, draw(number), check)
            except Finding as finding:
                key, message = finding.key, str(finding)
            os.write(target, json.dumps([number, key, message]).encode() + b"\n")
        status = 0
    os._exit(status)

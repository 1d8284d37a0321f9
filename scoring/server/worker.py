"""A process that answers requests one after the other, until its input ends or it is killed.

Standard input has the settings and then requests, each as its length, a line end and its content.
Standard output is lines: an empty one when the process is ready, then three for every request, its
calls without parameters, so that the service can answer them if it has to end this process, a
`Report`, and the body of the answer.

File names are relative to the root, which is the working directory here; no module is loaded from
it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import sys
from typing import BinaryIO, NamedTuple

import msgspec

from scoring.compat.benchmarkstt.arguments import load_external
from scoring.native import time_limit
from scoring.server.errors import MethodError, NotEnoughMemoryError
from scoring.server.methods import Methods
from scoring.server.protocol import Answer, CallOutcome, RpcRequest, parse, refusal, run
from scoring.server.settings import MEBIBYTE, Limits, Settings

# A process is replaced after growing by so many bytes, or after so many answers.
GROWTH = 256 * MEBIBYTE
MOST_ANSWERS = 20_000
# Seconds after its time limit after which a process ends itself, if the service did not.
LATE = 5


class Report(NamedTuple):
    """The answer of a process but for its body, and whether the process is to be replaced."""

    status: int
    outcomes: tuple[CallOutcome, ...]
    is_spent: bool


# Of every method that loads modules at its first call: later nothing is read from outside.
_FIRST_CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("list.formats", {}),
    ("help", {}),
    ("align", {"reference": "a b", "hypothesis": "a"}),
    ("wer", {"reference": ["a b"], "hypothesis": ["a"], "confidence_interval": True}),
    ("compare", {"reference": ["a b"], "baseline": ["a"], "new": ["b"], "replications": 10}),
    ("normalize", {"text": "It is 50", "normalize": ["plain", "contractions", "numbers"]}),
    ("normalize", {"text": "a", "normalize": ["whisper-basic-safe", "transliterate"]}),
    ("detect", {"content": "a (b-1)\n"}),
    ("convert", {"content": "a (b-1)\n", "to": "txt-lines"}),
    ("benchmark.wer", {"ref": "A", "hyp": "a", "config": "[normalization]\nlowercase"}),
    ("metrics.cer", {"ref": "A", "hyp": "a"}),
    ("metrics.worddiffs", {"ref": "A", "hyp": "a", "dialect": "html"}),
    ("normalization.unidecode", {"text": "é"}),
)


def main() -> None:
    """Answer requests from standard input."""
    requests, answers = _streams()
    settings = msgspec.convert(json.loads(_read(requests) or b"[]"), Settings)
    limits = settings.limits
    path = list(sys.path)
    # the operator's modules may lie in the working directory; nothing else is loaded from there
    load_external(["--load", *settings.modules] if settings.modules else [], "scoring serve")
    sys.path[:] = path
    methods = Methods(settings.root, limits)
    for name, params in _FIRST_CALLS:
        with contextlib.suppress(MethodError):
            methods(name, params)
    _confine(settings.root, limits)
    gc.freeze()
    _write(answers, b"")
    start = _peak()
    answered = 0
    while (body := _read(requests)) is not None:
        _end_after(limits.seconds + LATE)
        answer = _answer(body, methods, limits, answers)
        _end_after(0)
        answered += 1
        is_spent = (
            _peak() - start > GROWTH
            or answered >= MOST_ANSWERS
            or any(outcome.code == NotEnoughMemoryError.code for outcome in answer.outcomes)
        )
        report = Report(answer.status, tuple(answer.outcomes), is_spent)
        _write(answers, msgspec.json.encode(report) + b"\n" + answer.body)
        del body, answer


def _answer(body: bytes, methods: Methods, limits: Limits, answers: BinaryIO) -> Answer:
    try:
        request = parse(body, limits)
    except MethodError as error:
        _write(answers, written(RpcRequest([])))
        return refusal(error)
    _write(answers, written(request))
    with time_limit(limits.seconds):
        return run(request, methods, limits)


def written(request: RpcRequest) -> bytes:
    """A request without the methods and parameters of its calls."""
    calls = [call._replace(method="", params=()) for call in request.calls]
    return json.dumps([calls, request.is_batch]).encode("ascii")


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Input and output of frames; what anything else prints goes to standard error."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return requests, answers


def _confine(root: str | None, limits: Limits) -> None:
    """Ignore the terminal, enter the root, and limit memory."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    os.chdir(root or os.sep)
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, limits.memory), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (value, hard))


def _end_after(seconds: float) -> None:
    """End this process after some seconds, whatever it does then; 0: do not."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _peak() -> int:
    """Peak memory of this process in bytes."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _read(stream: BinaryIO) -> bytes | None:
    """The content of the next request; None at the end."""
    size = int(stream.readline() or -1)
    content = stream.read(max(size, 0))
    return content if len(content) == size else None


def _write(stream: BinaryIO, line: bytes) -> None:
    try:
        stream.write(line + b"\n")
        stream.flush()
    except BrokenPipeError:
        # the service has ended
        os._exit(0)

"""A process that answers requests, one after the other, until its input ends or it is killed.

Frames go both ways: one byte for the kind, four for the length (big endian), the content. A request
is answered by `CALLS` once it is understood, so that the service knows whom to tell if it has to
end this process, and by `ANSWER`. A process that has grown, or has run out of memory, says in its
answer that it wants to be replaced.

The interpreter reads the names of files relative to the root, which is the working directory here,
and loads no module from it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import BinaryIO

from scoring.native import time_limit
from scoring.server.errors import MethodError, NotEnoughMemoryError
from scoring.server.methods import Methods, faces_named
from scoring.server.protocol import Answer, CallOutcome, RpcRequest, parse, refusal, run
from scoring.server.settings import MEBIBYTE, Limits

REQUEST, READY, CALLS, ANSWER = b"Q", b"R", b"C", b"A"
HEAD = 5
# By how much a process may grow before it is replaced, and after how many answers in any case.
GROWTH = 256 * MEBIBYTE
MOST_ANSWERS = 20_000
# How long after its time a process ends itself, if nobody is left to end it.
LATE = 5


def main() -> None:
    """Answer what comes in; settings come in the first frame."""
    requests, answers = _streams()
    record = json.loads(_read(requests) or b"{}")
    limits = Limits(**record["limits"])
    path = list(sys.path)
    for face in faces_named(record["faces"]):
        # what the operator has named, from the working directory too, but nothing else
        face.load(record["modules"])
    sys.path[:] = path
    methods = Methods(record["root"], limits, record["faces"])
    _warm_up(methods)
    _confine(record["root"], limits)
    gc.freeze()
    _write(answers, READY, b"")
    start = _peak()
    answered = 0
    while True:
        body = _read(requests)
        if body is None:
            return
        _end_after(limits.seconds + LATE)
        found = _answer(body, methods, limits, answers)
        _end_after(0)
        answered += 1
        spent = _peak() - start > GROWTH or answered >= MOST_ANSWERS
        exhausted = any(one.code == NotEnoughMemoryError.code for one in found.outcomes)
        head = {
            "status": found.status,
            "replace": spent or exhausted,
            "outcomes": [_shown(one, methods) for one in found.outcomes],
        }
        _write(answers, ANSWER, json.dumps(head).encode("ascii") + b"\n" + found.body)
        del body, found


def _answer(body: bytes, methods: Methods, limits: Limits, answers: BinaryIO) -> Answer:
    try:
        request = parse(body, limits)
    except MethodError as error:
        return refusal(error)
    _write(answers, CALLS, written(request))
    with time_limit(limits.seconds):
        return run(request, methods, limits)


def written(request: RpcRequest) -> bytes:
    """The calls of a request without what they ask for."""
    record = [
        request.is_batch,
        [[bool(one.method), one.id, one.is_notification] for one in request.calls],
    ]
    return json.dumps(record).encode("ascii")


def _shown(outcome: CallOutcome, methods: Methods) -> list[object]:
    """An outcome as a log may have it: nothing in it comes from the request."""
    cause = None
    if outcome.cause is not None and outcome.code == MethodError.code:
        places = traceback.extract_tb(outcome.cause.__traceback__)[-6:]
        trace = " < ".join(
            f"{os.path.basename(place.filename)}:{place.lineno}" for place in reversed(places)
        )
        cause = f"{type(outcome.cause).__name__} at {trace or 'the call'}"
    return [named(outcome, methods).method, outcome.code, cause]


def named(outcome: CallOutcome, methods: Methods) -> CallOutcome:
    """An outcome without the name that a request gave to what is no method."""
    return outcome if outcome.method in methods.names else outcome._replace(method="?")


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Where requests come from and answers go; what anyone prints goes to standard error."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, answers


def _warm_up(methods: Methods) -> None:
    """Load what methods load when they are first called: later nothing is read from outside."""
    calls: Sequence[tuple[str, dict[str, object]]] = (
        ("list.formats", {}),
        ("help", {}),
        ("align", {"reference": "a b", "hypothesis": "a"}),
        ("wer", {"reference": ["a b"], "hypothesis": ["a"], "confidence_interval": True}),
        (
            "compare",
            {"reference": ["a b"], "baseline": ["a"], "new": ["b"], "replications": 10},
        ),
        ("normalize", {"text": "It is 50", "normalize": ["plain", "contractions", "numbers"]}),
        ("normalize", {"text": "a", "normalize": ["whisper-basic-safe", "transliterate"]}),
        ("detect", {"content": "a (b-1)\n"}),
        ("convert", {"content": "a (b-1)\n", "to": "txt-lines"}),
        ("benchmark.wer", {"ref": "A", "hyp": "a", "config": "[normalization]\nlowercase"}),
        ("metrics.cer", {"ref": "A", "hyp": "a"}),
        ("metrics.worddiffs", {"ref": "A", "hyp": "a", "dialect": "html"}),
        ("normalization.unidecode", {"text": "é"}),
    )
    for name, params in calls:
        with contextlib.suppress(MethodError):
            methods(name, params)


def _confine(root: str | None, limits: Limits) -> None:
    """Leave what the service does not need: memory beyond the limit, terminals, other folders."""
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
    """End this process in a while, whatever it does then; 0: do not."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _peak() -> int:
    """Most memory this process has had at a time, in bytes."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def framed(kind: bytes, content: bytes) -> bytes:
    r"""A frame.

    >>> framed(REQUEST, b"{}")
    b'Q\x00\x00\x00\x02{}'
    """
    return kind + len(content).to_bytes(4, "big") + content


def _read(stream: BinaryIO) -> bytes | None:
    """The content of the next frame; None at the end."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    size = int.from_bytes(head[1:], "big")
    content = stream.read(size)
    return content if len(content) == size else None


def _write(stream: BinaryIO, kind: bytes, content: bytes) -> None:
    try:
        stream.write(framed(kind, content))
        stream.flush()
    except BrokenPipeError:
        # nobody is there any more
        os._exit(0)

"""A process of the service, which answers one request after the other.

File names are relative to the root, which is the working directory here. No module is loaded from
the root.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import multiprocessing
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from scoring.alignment.limits import time_limit
from scoring.serve.errors import MethodError, NotEnoughMemoryError
from scoring.serve.protocol import Answer, answer
from scoring.serve.settings import Limits, Settings

if TYPE_CHECKING:
    from scoring.serve.methods import Methods

# A process is replaced after so many answers.
MOST_ANSWERS = 20_000
# Seconds after its time limit in which a process may report that itself; then it ends.
LATE = 0.5
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# Of every method that loads modules at its first call: later nothing is read from outside.
_FIRST_CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("help", {}),
    ("wer", {"reference": ["a b"], "hypothesis": ["a"], "confidence_interval": True}),
    ("compare", {"reference": ["a b"], "baseline": ["a"], "new": ["b"], "replications": 40}),
    ("normalize", {"text": "It is 50", "normalize": ["plain", "contractions", "numbers"]}),
    ("normalize", {"text": "a", "normalize": ["whisper-basic-safe", "transliterate"]}),
    ("convert", {"content": "a (b-1)\n", "to": "txt-lines"}),
    ("benchmark.wer", {"ref": "A", "hyp": "a", "config": "[normalization]\nlowercase"}),
    ("metrics.worddiffs", {"ref": "A", "hyp": "a", "dialect": "html"}),
)


class _Work:
    """The methods of this process, and how many requests it has answered."""

    methods: Methods
    limits: Limits
    answered = 0


def start(settings: Settings, path: list[str]) -> None:
    """Prepare this process for requests; `path` lists the folders of modules."""
    sys.path[:] = path
    # output of answers is a pipe of its own; what anything else prints goes to standard error
    os.dup2(2, 1)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    threading.Thread(target=_end_with_service, daemon=True).start()
    from scoring.serve.methods import Methods

    if settings.modules:
        from scoring.peers.benchmarkstt.main import load_external

        # the operator's modules may lie in the working directory; nothing else is loaded from there
        load_external(["--load", *settings.modules], "scoring serve")
        sys.path[:] = path
    _Work.limits, _Work.methods = settings.limits, Methods(settings.root, settings.limits)
    for name, params in _FIRST_CALLS:
        with contextlib.suppress(MethodError):
            _Work.methods(name, params)
    _confine(settings.root, settings.limits)
    gc.freeze()


def reply(body: bytes) -> tuple[Answer, bool]:
    """Return the answer to a request, and True if this process must be replaced.

    When the time limit is over, alignment, counting and random sampling stop by themselves, and the
    process can continue. For other work, the process ends.
    """
    limits = _Work.limits
    # a thread of C, which does not wait for the interpreter as regular expressions hold it
    with open(os.devnull, "w") as null:
        faulthandler.dump_traceback_later(limits.seconds + LATE, exit=True, file=null)
        try:
            with time_limit(limits.seconds):
                outcome = answer(body, _Work.methods, limits)
        finally:
            faulthandler.cancel_dump_traceback_later()
    _Work.answered += 1
    has_failed = any(call.code == NotEnoughMemoryError.code for call in outcome.outcomes)
    return outcome, has_failed or _Work.answered >= MOST_ANSWERS


def _end_with_service() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _confine(root: str | None, limits: Limits) -> None:
    """Ignore the terminal's signals, change into the root, and limit memory."""
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

"""The worker behind `programs.Ours`: imports our sclite and all it may need once, forks for every run.

One request per line on standard input: directory, folder for the streams and the arguments,
joined by NUL bytes and written in hexadecimal. One answer per line: the status, or `stopped`.
"""

import gc
import importlib
import os
import pkgutil
import signal
import sys
import traceback

from scoring.cli.nist.sclite import main

SECONDS = 60  # of a processor: however busy the machine is
ROOMS = ("formats.console", "formats.io", "scoring.alignment", "scoring.nist")
"""Where sclite finds what it loads when it is needed."""


def load_rooms() -> None:
    """Import what runs need, so that no fork does it again."""
    for room in ROOMS:
        for module in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
            importlib.import_module(module.name)
    # the collector would copy all of it into each fork
    gc.collect()
    gc.freeze()


def open_streams(folder: str) -> None:
    """Send standard output and error to files; read standard input from one, or from nowhere."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        target = os.open(os.path.join(folder, name), flags, 0o644)
        os.dup2(target, descriptor)
        os.close(target)
    given = os.path.join(folder, "stdin")
    source = os.open(given if os.path.exists(given) else os.devnull, os.O_RDONLY)
    os.dup2(source, 0)
    os.close(source)


def status_of(arguments: list[str]) -> int:
    """The exit status of one run, as the interpreter would give it."""
    try:
        return main(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1


def run(request: list[bytes]) -> None:
    """The forked child: run and end without the interpreter's tidying up."""
    directory, streams, *arguments = (os.fsdecode(word) for word in request)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    open_streams(streams)
    os.chdir(directory)
    status = status_of(arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 0xFF)


def answer(request: list[bytes]) -> str:
    """Fork, run, wait."""
    child = os.fork()
    if child == 0:
        run(request)
    _, state = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(state)
    return "stopped" if code == -signal.SIGPROF else str(code)


def serve() -> None:
    """Answer requests until the input ends."""
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    for line in sys.stdin:
        print(answer(bytes.fromhex(line.strip()).split(b"\0")), file=replies)


if __name__ == "__main__":
    load_rooms()
    serve()

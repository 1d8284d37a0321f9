"""Entry points of the installed commands, which load little before they can be interrupted."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def _entry(module: str, function: str = "run") -> Callable[[], NoReturn]:
    """Return a command that an interruption ends without a traceback while its module is loaded."""

    def start() -> NoReturn:
        if "_ARGCOMPLETE" in os.environ:  # a shell asks what completes a command line
            import_module("scoring.cli.completion").complete()
        # an interruption that is ignored, as of a job in the background, stays so
        is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if is_heard:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        run: Callable[[], NoReturn] = getattr(import_module(module), function)
        if is_heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()

    return start


scoring = _entry("scoring.cli.scoring")
formats = _entry("scoring.cli.formats")
sclite = _entry("scoring.cli.nist.sclite")
rover = _entry("scoring.cli.nist.rover")
sc_stats = _entry("scoring.cli.nist.sc_stats")
asclite = _entry("scoring.cli.nist.asclite")
hubscr = _entry("scoring.cli.nist.hubscr")
md_eval = _entry("scoring.cli.tasks.md_eval")
sctk = _entry("scoring.cli.nist.sctk")
# the name that a program is called by says which it is
named = _entry("scoring.cli.nist.sctk", "run_named")
benchmarkstt = _entry("scoring.cli.peers.benchmarkstt")
benchmarkstt_tools = _entry("scoring.serve.benchmarkstt_tools")


def main() -> int:
    """Run the program by whose name this process was started, and return its exit status.

    An unknown name runs `scoring`. Programs that call a command in their own process use this
    function, too.
    """
    name = os.path.basename(sys.argv[0])
    module = "nist.sclite" if name == "sclite" else "formats" if name == "formats" else "scoring"
    status: int = import_module(f"scoring.cli.{module}").main()
    return status

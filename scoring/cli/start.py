"""Entry points of the installed commands; they load few modules, so that Ctrl-C works early."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


def _loaded(module: str, function: str) -> Any:
    """Import the module that has a function, and return it.

    `importlib` is avoided, because it would also load `warnings`.
    """
    return __import__(module, fromlist=(function,))


def _entry(module: str, function: str = "run") -> Callable[[], NoReturn]:
    """Return the function of a command.

    An interruption while its module is loaded ends the process without a traceback.
    """

    def start() -> NoReturn:
        if "_ARGCOMPLETE" in os.environ:  # a shell asks what completes a command line
            from scoring.cli.completion import complete

            complete()
        try:
            from formats.console.process import collect_rarely

            collect_rarely()  # while modules are loaded, too
            run: Callable[[], NoReturn] = getattr(_loaded(module, function), function)
        except KeyboardInterrupt:
            import signal

            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
            raise
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
    """Run the program whose name started this process, and return its exit status.

    For an unknown name, run `scoring`. Other programs can also call this function.
    """
    name = os.path.basename(sys.argv[0])
    module = "nist.sclite" if name == "sclite" else "formats" if name == "formats" else "scoring"
    status: int = _loaded(f"scoring.cli.{module}", "main").main()
    return status

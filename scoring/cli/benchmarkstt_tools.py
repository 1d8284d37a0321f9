"""The `benchmarkstt-tools` command: normalize texts, compute metrics, serve both.

Exit status as of `benchmarkstt`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from formats.process import end_on_signals
from scoring.cli.benchmarkstt import status_of


def run() -> NoReturn:
    """Entry point of the installed command."""
    end_on_signals()
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    from scoring.benchmarkstt.tools import PROGRAM
    from scoring.benchmarkstt.tools import main as work

    return status_of(PROGRAM, lambda: work(argv))


if __name__ == "__main__":
    run()

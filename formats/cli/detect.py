"""`formats detect`: say which format files are in."""

from __future__ import annotations

from formats.cli.inputs import for_each
from formats.cli.output import say, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Name the format of each file; the exit status."""
    from formats.files import detect

    def say_format(path: str) -> int:
        show(f"{path}: {detect(path, encoding=arguments.encoding)}")
        return 0

    return for_each(arguments.files, say_format, lambda _, error: say(f"{error}"))

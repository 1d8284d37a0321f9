"""Opening the inputs that the command line names, and doing something for each of them."""

from __future__ import annotations

from formats.errors import FormatError, OptionError, UnknownFormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from formats.files import SegmentStream
    from formats.spec import FormatSpec

__all__ = ["as_usage", "for_each", "open_input"]


def open_input(path: str, arguments: argparse.Namespace) -> SegmentStream:
    """Open an input with those of the given flags that its format knows."""
    from formats.cli.arguments import read_options
    from formats.files import SegmentStream
    from formats.registry import by_name
    from formats.registry import detect as detect_source
    from formats.source import open_source

    named = None if arguments.from_ is None else as_usage(by_name, arguments.from_)
    source = open_source(
        path,
        encoding=arguments.encoding,
        recording=arguments.recording,
        tolerance=arguments.tolerance,
        max_bytes=arguments.max_bytes,
    )
    try:
        spec = named or detect_source(source)
        return SegmentStream(source, spec, read_options(arguments, spec))
    except BaseException:
        source.close()
        raise


def as_usage(choose: Callable[..., FormatSpec], *names: str | None) -> FormatSpec:
    """A format that the command line names; not to know it is a fault of usage, not of a file."""
    try:
        return choose(*names)
    except UnknownFormatError as error:
        raise OptionError(error.message, path=error.path) from None


def for_each(
    paths: Sequence[str], action: Callable[[str], int], refuse: Callable[[str, FormatError], None]
) -> int:
    """Do it for every file, whatever is wrong with the others; the worst status."""
    from formats.cli import BAD_INPUT, OK

    worst = OK
    for path in paths:
        try:
            status = action(path)
        except OptionError:
            raise
        except FormatError as error:
            refuse(path, error)
            status = BAD_INPUT
        # A refused input outweighs warnings, whatever their numbers.
        if worst != BAD_INPUT and status != OK:
            worst = status
    return worst

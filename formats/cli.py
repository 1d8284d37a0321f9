"""The `formats` command: ``convert``, ``detect``, ``validate``.

Exit status: 0 done, 1 wrong usage, 2 an input or output that cannot be served, 130 interrupted,
141 whoever read our output has gone. Everything that is not the result goes to standard error,
one line each, as ``formats: file:line:column: …``.
"""

from __future__ import annotations

import contextlib
import sys

from formats.errors import FormatError, OptionError, UnknownFormatError, UnwritableFileError
from formats.process import abandon_output, end_on_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from formats.files import SegmentStream
    from formats.sink import Sink
    from formats.spec import FormatSpec

__all__ = ["main", "run"]

OK, USAGE, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141


def run() -> NoReturn:
    """The console entry point: `main` on the process's own arguments, then exit."""
    end_on_signals()
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: the process's arguments) and give its exit status."""
    try:
        return _run(argv)
    except BrokenPipeError:
        abandon_output()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except OptionError as error:
        _say(f"{error}")
        return USAGE
    except FormatError as error:
        if isinstance(error, UnwritableFileError) and error.path == "<stdout>":
            abandon_output()
        _say(f"{error}")
        return BAD_INPUT
    except OSError as problem:
        _say(f"{problem.filename or 'input or output'}: {problem.strerror or problem}")
        return BAD_INPUT
    except MemoryError:
        _say("not enough memory")
        return BAD_INPUT


def _run(argv: Sequence[str] | None) -> int:
    from formats.arguments import parser

    try:
        arguments = parser().parse_args(argv)
    except SystemExit as leaving:
        _flush()
        return OK if leaving.code in (0, None) else USAGE
    commands: dict[str, Callable[[argparse.Namespace], int]] = {
        "convert": _convert,
        "detect": _detect,
        "validate": _validate,
    }
    status = commands[arguments.command](arguments)
    _flush()
    return status


def _flush() -> None:
    if sys.stdout is not None:
        _to_standard_output(sys.stdout.flush)


def _to_standard_output(action: Callable[[], object]) -> None:
    """Do something that may find standard output full."""
    try:
        action()
    except BrokenPipeError:
        raise
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise UnwritableFileError(f"cannot be written: {reason}", path="<stdout>") from None


def _show(text: str) -> None:
    """Print a result; a file name may hold what standard output cannot encode."""
    if sys.stdout is None:
        raise UnwritableFileError("cannot be written: it is closed", path="<stdout>")
    encoding = sys.stdout.encoding or "utf-8"
    line = text.encode(encoding, "backslashreplace").decode(encoding)
    _to_standard_output(lambda: print(line))


def _say(text: str) -> None:
    """Tell people; nobody is left to be told when even standard error is gone."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"formats: {text}", file=sys.stderr)


def _open(path: str, arguments: argparse.Namespace) -> SegmentStream:
    """Open an input with those of the given flags that its format knows."""
    from formats.arguments import read_options
    from formats.files import SegmentStream
    from formats.registry import by_name
    from formats.registry import detect as detect_source
    from formats.source import open_source

    named = None if arguments.from_ is None else _as_usage(by_name, arguments.from_)
    source = open_source(
        path,
        encoding=arguments.encoding,
        recording=arguments.recording,
        tolerance=arguments.tolerance,
    )
    try:
        spec = named or detect_source(source)
        return SegmentStream(source, spec, read_options(arguments, spec))
    except BaseException:
        source.close()
        raise


def _as_usage(choose: Callable[..., FormatSpec], *names: str | None) -> FormatSpec:
    """A format that the command line names; not to know it is a fault of usage, not of a file."""
    try:
        return choose(*names)
    except UnknownFormatError as error:
        raise OptionError(error.message, path=error.path) from None


def _convert(arguments: argparse.Namespace) -> int:
    from formats.arguments import conversion_options, unused_options, write_options
    from formats.files import target_spec, write_to
    from formats.sink import open_sink

    if arguments.to is None and arguments.output == "-":
        raise OptionError("standard output has no suffix: name the format with --to")
    spec = _as_usage(target_spec, arguments.output, arguments.to)
    conversion = conversion_options(arguments)
    with _open(arguments.input, arguments) as segments:
        for flag in unused_options(arguments, segments.spec.read_options, spec.write_options):
            _say(f"{flag} means nothing from {segments.format} to {spec.name}")
        sink = open_sink(
            arguments.output, encoding=arguments.output_encoding, tolerance=arguments.tolerance
        )
        try:
            with sink:
                write_to(segments, sink, spec, conversion, write_options(arguments, spec))
        finally:
            for diagnostic in (*segments.diagnostics, *sink.log.entries()):
                if arguments.explain_loss or diagnostic.severity != "note":
                    _say(f"{diagnostic}")
        _report_losses(sink, arguments.explain_loss)
    return OK


def _report_losses(sink: Sink, explain: bool) -> None:
    losses = sink.losses.entries()
    if explain:
        for loss in losses:
            _say(loss.located())
    elif losses:
        summary = "; ".join(map(str, losses))
        _say(f"{sink.name}: not kept as it was (--explain-loss says where): {summary}")


def _detect(arguments: argparse.Namespace) -> int:
    from formats.files import detect

    def say_format(path: str) -> None:
        _show(f"{path}: {detect(path, encoding=arguments.encoding)}")

    return _for_each(arguments.files, say_format)


def _validate(arguments: argparse.Namespace) -> int:
    return _for_each(arguments.files, lambda path: _validate_one(path, arguments))


def _for_each(paths: Sequence[str], action: Callable[[str], None]) -> int:
    """Do it for every file, whatever is wrong with the others."""
    status = OK
    for path in paths:
        try:
            action(path)
        except OptionError:
            raise
        except FormatError as error:
            _say(f"{error}")
            status = BAD_INPUT
    return status


def _validate_one(path: str, arguments: argparse.Namespace) -> None:
    count = words = 0
    with _open(path, arguments) as segments:
        try:
            for segment in segments:
                count += 1
                words += segment.word_count
        finally:
            for diagnostic in segments.diagnostics:
                if arguments.notes or diagnostic.severity != "note":
                    _say(f"{diagnostic}")
        skipped = f", {segments.skipped} records skipped" if segments.skipped else ""
        _show(f"{path}: {segments.format}, {count} segments, {words} words{skipped}")

"""Open the input files of a command and process each of them.

A folder, pattern or archive is expanded to its files (`formats.reading.inputs`). Each file has an
`InputAccount`; the accounts are printed in the order of the files.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from formats.cli.messages import JOBS_IDLE
from formats.cli.output import put_json, show, tell
from formats.cli.progress import shown_work
from formats.console.process import end_on_signals
from formats.console.telling import each_kind, tells_remarks
from formats.detection.errors import UnknownFormatError
from formats.detection.spec import FormatSpec
from formats.io.errors import UnreadableFileError
from formats.io.source import Readable
from formats.reading import SegmentStream
from formats.reading.inputs import Input, Inputs, expand, opened
from formats.schema.diagnostics import LIMITED
from formats.schema.errors import FormatError, OptionError
from formats.schema.messages import Message
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import IO, Any, TypeAlias

    from formats.schema.remarks import AnyMessage

Action: TypeAlias = "Callable[[Callable[[], Readable], InputAccount], None]"

OK, BAD_INPUT, FAILED = 0, 2, 3


class InputAccount(NamedFields, frozen=False):
    """The messages, results and losses of one input file.

    `excluded` counts segments and words that were not selected. `is_binary` means that the output
    is binary.
    """

    input: Input
    status: int = OK
    results: list[str] = []
    messages: list[AnyMessage] = []
    format: str = ""
    segments: int = 0
    words: int = 0
    lost: str = ""
    excluded: int = 0
    is_binary: bool = False
    report: dict[str, Any] | None = None
    is_elsewhere: bool = False
    is_put_off: bool = False

    def refuse(self, error: FormatError) -> None:
        """Report that an input file cannot be read."""
        self.messages.append(error)
        self.status, self.lost = BAD_INPUT, "refused"

    def take_remarks(self, stream: SegmentStream, *, notes: bool = False) -> None:
        """Add the reader's messages about the file.

        The file gets the status of a failed check if the default tolerance skipped records.
        """
        self.messages.extend(d for d in each_kind(stream.diagnostics) if notes or d.is_shown)
        if stream.skipped and stream.tolerance == LIMITED:
            self.status, self.lost = FAILED, f"records skipped: {stream.skipped}"


def open_input(target: Readable, arguments: Namespace) -> SegmentStream:
    """Open an input file, with those command-line options that its format has."""
    from formats.cli.arguments import given_options
    from formats.detection import by_name
    from formats.io.source import open_source
    from formats.reading import SegmentStream, described_format, detect_source

    name = arguments.from_
    named = None if name is None else as_usage(by_name, name)
    source = open_source(
        target,
        encoding=arguments.encoding,
        recording=arguments.recording,
        tolerance=arguments.tolerance,
        max_bytes=arguments.max_bytes,
    )
    try:
        if named is None and getattr(arguments, "pattern", None):
            named = by_name(described_format(source))
        spec = named or detect_source(source)
        return SegmentStream(source, spec, given_options(arguments, spec.read_options))
    except BaseException:
        source.close()
        raise


def as_usage(choose: Callable[..., FormatSpec], *names: str | None) -> FormatSpec:
    """Call `choose` to get a format; turn the error for an unknown name into a usage error."""
    try:
        return choose(*names)
    except UnknownFormatError as error:
        raise OptionError(error.message, path=error.path, value=error.value) from None


def is_usage(error: FormatError) -> bool:
    """Return True if the error is only about options: every file would give the same error."""
    return isinstance(error, OptionError) and error.path is None


def for_each(
    inputs: Inputs, action: Action, jobs: int, *, rows: bool = False
) -> list[InputAccount]:
    """Process every file, even after an error in another file, and report on each."""
    accounts: list[InputAccount] = []
    if jobs > 1 and len(inputs.files) < 2:
        tell(Message(JOBS_IDLE))
    # of a single file it is shown how far that is
    many = len(inputs.files) > 1
    with shown_work(hears=not many) as line:
        for account in _accounts(inputs.files, action, min(jobs, len(inputs.files))):
            for message in account.messages:
                tell(message)
            for result in account.results:
                show(result.replace("\n", "\\u000a"))
            accounts.append(account)
            if line is not None and many:
                line.show(f"{len(accounts):,} files", len(accounts) / len(inputs.files))
    if tells_sum(inputs):
        tell_sum(inputs, accounts, rows=rows)
    return accounts


def tells_sum(inputs: Inputs) -> bool:
    """Return True if a summary is needed: the inputs come from a folder, pattern or archive."""
    return inputs.are_collected and tells_remarks()


def worst(accounts: Iterable[InputAccount]) -> int:
    """Return the exit status of a run: that of a rejected input, otherwise the highest status."""
    statuses = {account.status for account in accounts} - {OK}
    return BAD_INPUT if BAD_INPUT in statuses else max(statuses, default=OK)


def report_each(arguments: Namespace, action: Action, schema: str) -> int:
    """Process the files of a command; return the exit status.

    With ``--json``, the report is written as JSON in the form `schema`.
    """
    accounts = for_each(expand(arguments.files), action, arguments.jobs)
    tell_idle_options(arguments, accounts)
    if arguments.json is not None:
        reports = [account.report for account in accounts if account.report is not None]
        put_json(arguments.json, schema, files=reports)
    return worst(accounts)


def tell_idle_options(
    arguments: Namespace,
    accounts: Sequence[InputAccount],
    written: Iterable[FormatSpec] = (),
) -> None:
    """Print a note on each option that had no effect on any of the files."""
    from formats.cli.idle import tell_idle

    excluded = sum(account.excluded for account in accounts)
    tell_idle(arguments, (account.format for account in accounts), excluded, written)


def _accounts(files: Sequence[Input], action: Action, jobs: int) -> Iterator[InputAccount]:
    if jobs < 2 or not hasattr(os, "fork"):
        yield from _done(files, action, is_elsewhere=False)
        return
    import signal

    processes: list[tuple[int, IO[bytes]]] = []
    try:
        for first in range(jobs):
            processes.append(_forked(files[first::jobs], action, processes))
        for number, file in enumerate(files):
            yield _received(file, processes[number % jobs][1], action)
    finally:
        for process, pipe in processes:
            os.kill(process, signal.SIGTERM)  # one that still works removes what it has begun
            pipe.close()
            os.waitpid(process, 0)


def _received(file: Input, pipe: IO[bytes], action: Action) -> InputAccount:
    import pickle

    try:
        account: InputAccount | OptionError = pickle.load(pipe)
    except EOFError:
        account = InputAccount(file)
        text = "not finished: the process that had it was ended"
        account.refuse(UnreadableFileError(text, path=file.path))
    if isinstance(account, OptionError):
        raise account
    return next(_done([file], action, is_elsewhere=False)) if account.is_put_off else account


def _done(files: Sequence[Input], action: Action, *, is_elsewhere: bool) -> Iterator[InputAccount]:
    for file, open_it in opened(files):
        account = InputAccount(file, is_elsewhere=is_elsewhere)
        try:
            action(open_it, account)
        except FormatError as error:
            if is_usage(error):
                raise
            account.refuse(error)
        yield account


def _forked(
    files: Sequence[Input], action: Action, others: Sequence[tuple[int, IO[bytes]]]
) -> tuple[int, IO[bytes]]:
    """Fork a process that handles some of the files.

    Return the number of the process and a stream of its results. `others` are earlier processes
    with their streams, which the new process closes.
    """
    import pickle
    import signal

    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        return process, os.fdopen(reader, "rb")
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command's own process ends this one
        end_on_signals()
        os.close(reader)
        for _, pipe_of_another in others:
            pipe_of_another.close()
        with os.fdopen(writer, "wb") as pipe:
            try:
                for account in _done(files, action, is_elsewhere=True):
                    pipe.write(pickle.dumps(account))
                    pipe.flush()
            except OptionError as error:
                pipe.write(pickle.dumps(error))
        status = 0
    finally:
        os._exit(status)


def tell_sum(inputs: Inputs, accounts: Sequence[InputAccount], *, rows: bool) -> None:
    """Print a summary of all files; with `rows`, also a table with one row per file."""
    from formats.cli.output import say_lines
    from formats.console import shown
    from formats.console.terminal import table

    kinds = Counter(account.format or "refused" for account in accounts)
    formats = ", ".join(f"{count} {name}" for name, count in kinds.most_common())
    cells = [_row(account) for account in accounts] if rows else []
    sums = (
        sum(account.segments for account in accounts),
        sum(account.words for account in accounts),
    )
    name = f"{len(accounts)} file{'s' * (len(accounts) > 1)}"
    lost = sum(bool(account.lost) for account in accounts)
    cells.append((name, formats, *map(str, sums), f"{lost} with losses or refused" if lost else ""))
    head = ("file", "format", "segments", "words", "not kept")
    order = (0, 1, 4, 2, 3) if any(sums) else (0, 1, 4)
    chosen = [[row[column] for column in order] for row in (head, *cells)]
    left = ", ".join(f"{count} {name}" for name, count in inputs.left_out.most_common())
    notes = [shown(f"skipped: {left}")] if left else []
    say_lines([*table(chosen, text_columns=3), *notes])


def _row(account: InputAccount) -> tuple[str, ...]:
    counts = (account.segments, account.words) if account.format else ("", "")
    return (account.input.path, account.format, *map(str, counts), account.lost)

"""`formats convert`: write files in another format.

Several inputs are joined to one output. If the output is a folder, each input gives one file there;
if files of the output format hold a single recording, each recording gives one file. An input that
is a folder, pattern or archive is expanded to its files, which keep their relative paths in the
output folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from formats.cli.arguments import (
    conversion_options,
    given_options,
    paths_of_options,
    selection,
)
from formats.cli.inputs import (
    FAILED,
    OK,
    InputAccount,
    as_usage,
    for_each,
    open_input,
    tell_idle_options,
    tell_sum,
    tells_sum,
    worst,
)
from formats.cli.messages import (
    IDLE_BINARY,
    JOBS_IDLE,
    KIND,
    KIND_BY_RULE,
    LOST,
    LOST_BY_RULE,
    NONE_FITS,
    NONE_LEFT,
    NOT_PRESERVED,
    NOT_TAKEN,
    OUTPUT_EMPTY,
    REPLACED,
    SEVERAL_REPLACED,
    STDOUT_FORMAT,
)
from formats.cli.output import put_json, tell
from formats.cli.progress import shown_work
from formats.console.outputs import check_outputs
from formats.console.telling import each_kind
from formats.detection.spec import DerivedSegments, FormatSpec, SegmentSource
from formats.io.errors import UnwritableFileError
from formats.io.sink import Sink, open_sink
from formats.io.source import Readable, recording_of
from formats.io.temporary import is_stream
from formats.reading import DESCRIBED, SegmentStream
from formats.reading.inputs import Input, Inputs, expand, opened, said_alike
from formats.schema.diagnostics import Diagnostic
from formats.schema.errors import LONGEST_MESSAGE, FileLine, OptionError
from formats.schema.loss import Loss
from formats.schema.messages import Advice, Entry, Message
from formats.schema.model import Segment
from formats.schema.selection import Selection
from formats.schema.values import NamedFields
from formats.schema.words import Definition
from formats.writing.convert import ConvertOptions
from formats.writing.files import target_spec, write_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def run(arguments: Namespace) -> int:
    """Convert the input files; return the exit status."""
    if arguments.to is None and getattr(arguments, "write_pattern", None):
        arguments.to = DESCRIBED
    if arguments.output == "-" and arguments.to is None:
        raise OptionError(value=Message(STDOUT_FORMAT))
    if arguments.output == arguments.json == "-":
        raise OptionError("--json -: standard output already receives the converted file")
    if arguments.inputs.count("-") > 1:
        raise OptionError("standard input can be read only once")
    spec = as_usage(target_spec, arguments.output, arguments.to)
    arguments.output = _new_folder(arguments.output, spec)
    conversion, chosen = conversion_options(arguments), selection(arguments)
    inputs = expand(arguments.inputs)
    job = _Job(arguments, spec, conversion, chosen, inputs)
    if _is_folder(arguments.output, spec):
        return _into_folder(job)
    job.check_outputs([arguments.output])
    replaced = job.replaced([arguments.output])
    if arguments.jobs > 1:
        tell(Message(JOBS_IDLE))
    accounts = [InputAccount(file) for file in inputs.files]
    try:
        with shown_work(), _folders_above(arguments.output):
            job.convert(opened(inputs.files), accounts, arguments.output)
    finally:
        for account in accounts:
            for message in account.messages:
                tell(message)
    if replaced:
        tell(replaced)
    if tells_sum(inputs):
        tell_sum(inputs, accounts, rows=True)
    job.put_report(accounts)
    return worst(accounts)


def _into_folder(job: _Job) -> int:
    """Write one or several files for each input; return the exit status."""
    outputs = _outputs(job.inputs.files, job.arguments.output, job.spec)
    job.check_outputs(list(outputs.values()))
    replaced = job.replaced(list(outputs.values()))
    job.written.update(outputs.values())
    # Those of a folder stand after the folder, which is removed after them.
    folders = {job.arguments.output: None}
    for output in outputs.values():
        folders.update(dict.fromkeys(_folders_of(output, job.arguments.output)))
    created: list[str] = []

    def write_one(open_it: Callable[[], Readable], account: InputAccount) -> None:
        job.convert(iter([(account.input, open_it)]), [account], outputs[account.input])

    try:
        for folder in sorted(folders):
            if not os.path.isdir(folder):
                _make(folder)
                created.append(folder)
        accounts = for_each(job.inputs, write_one, job.arguments.jobs, rows=True)
        if replaced:
            tell(replaced)
        job.put_report(accounts)
        return worst(accounts)
    finally:
        for folder in reversed(created):
            if not os.listdir(folder):
                os.rmdir(folder)


def _folders_of(output: str, top: str) -> Iterator[str]:
    """Yield the folders above a file, up to the folder `top`."""
    folder = os.path.dirname(output)
    while len(folder) > len(top.rstrip("/")):
        yield folder
        folder = os.path.dirname(folder)


def _new_folder(output: str, spec: FormatSpec) -> str:
    """Return the output path; append a slash if the format needs a folder and the path is new."""
    name = os.path.basename(output)
    is_file = output == "-" or not name or "." in name or name in spec.folder_files
    if not spec.folder_files or is_file or os.path.exists(output):
        return output
    return f"{output}/"


@contextmanager
def _folders_above(output: str) -> Iterator[None]:
    """Create the missing parent folders of an output folder; at the end, remove empty ones."""
    folders: list[str] = []
    above = os.path.dirname(output.rstrip("/")) if output.endswith("/") else ""
    while above and not os.path.isdir(above):
        folders.append(above)
        above = os.path.dirname(above)
    created: list[str] = []
    try:
        for folder in reversed(folders):
            _make(folder)
            created.append(folder)
        yield
    finally:
        for folder in reversed(created):
            if not os.listdir(folder):
                os.rmdir(folder)


def _make(folder: str) -> None:
    try:
        os.mkdir(folder)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise UnwritableFileError(f"cannot be created: {reason}", path=folder) from None


def _is_folder(output: str, spec: FormatSpec) -> bool:
    """Return True if each input gets a separate output file."""
    return not spec.folder_files and (output.endswith("/") or os.path.isdir(output))


def _suffix(spec: FormatSpec) -> str:
    return spec.suffixes[0] if spec.suffixes else f".{spec.name}"


def _outputs(files: Sequence[Input], folder: str, spec: FormatSpec) -> dict[Input, str]:
    """Return the output path in the folder for each input.

    Two inputs with the same path are an error.
    """
    inputs: dict[str, Input] = {}
    for file in files:
        stem = recording_of("<stdin>" if file.path == "-" else file.path.rstrip("/") or "/")
        output = os.path.join(folder, os.path.dirname(file.below), stem + _suffix(spec))
        if output in inputs:
            both = f"{inputs[output].path} and {file.path}"
            raise OptionError(f"{both} would both be written to {output}")
        inputs[output] = file
    return {file: output for output, file in inputs.items()}


class _Job(NamedFields):
    """The settings of one run, for all files."""

    arguments: Namespace
    spec: FormatSpec
    conversion: ConvertOptions
    chosen: Selection
    inputs: Inputs
    written: set[str] = set()

    def check_outputs(self, outputs: Sequence[str]) -> None:
        """Reject an output path that is the path of an input or of a file that an option names."""
        arguments = self.arguments
        inputs = [file.archive or file.path for file in self.inputs.files]
        inputs += paths_of_options(arguments)
        check_outputs(outputs, inputs, no_clobber=arguments.no_clobber)
        if os.path.isdir(arguments.output):
            folder = arguments.output
            check_outputs([os.path.join(folder, n) for n in self.spec.folder_files], inputs)

    def put_report(self, accounts: Sequence[InputAccount]) -> None:
        """Print unused options; with `--json`, write formats, counts and losses of the files."""
        tell_idle_options(self.arguments, accounts, [self.spec])
        if any(account.is_binary for account in accounts):
            for option in _of_text_files(self.arguments):
                tell(Message(IDLE_BINARY, {"option": option, "format": self.spec.name}))
        if self.arguments.json is None:
            return
        inputs = [
            {
                "path": account.input.path,
                "format": account.format or None,
                "segment_count": account.segments,
                "word_count": account.words,
                "status": account.status,
            }
            for account in accounts
        ]
        outputs = [output for account in accounts for output in (account.report or {}).values()]
        put_json(
            self.arguments.json, "conversion", format=self.spec.name, inputs=inputs, outputs=outputs
        )

    def replaced(self, outputs: Sequence[str]) -> Message | None:
        """Return a note about existing files that will be overwritten; `None` if none exist."""
        paths = [path for path in outputs if not is_stream(path) and os.path.isfile(path)]
        if len(paths) < 2:
            return Message(REPLACED, {"path": paths[0]}) if paths else None
        return Message(SEVERAL_REPLACED, {"path": paths[0], "others": len(paths) - 1})

    def convert(
        self,
        files: Iterator[tuple[Input, Callable[[], Readable]]],
        accounts: Sequence[InputAccount],
        output: str,
    ) -> None:
        """Convert the input files in order into one output file; report on each input."""
        arguments = self.arguments
        before = self.chosen.segments_left, self.chosen.words_left
        with _Inputs(files, accounts, arguments, self.chosen) as inputs:
            sinks: list[Sink] = []
            try:
                for part, target in self._parts(inputs, output):
                    sink = open_sink(
                        target,
                        encoding=arguments.output_encoding,
                        tolerance=arguments.tolerance,
                        mark=arguments.bom,
                        newline="\r\n" if arguments.newline == "crlf" else "\n",
                    )
                    sinks.append(sink)
                    with sink:
                        options = given_options(arguments, self.spec.write_options)
                        write_to(part, sink, self.spec, self.conversion, options)
            finally:
                self._report(inputs, sinks)
        for sink in sinks:
            self._report_losses(sink, accounts)
        accounts[-1].is_binary = any(sink.is_binary for sink in sinks)
        left = self.chosen.segments_left - before[0], self.chosen.words_left - before[1]
        self._check_records(sinks, accounts, is_whole=left == (0, 0))
        if left != (0, 0):
            name = sinks[0].name if len(sinks) == 1 else output
            message = Message(NOT_TAKEN, {"segments": left[0], "words": left[1]})
            accounts[-1].messages.append(Diagnostic(message, name))
            accounts[-1].excluded = sum(left)

    def _check_records(
        self, sinks: Sequence[Sink], accounts: Sequence[InputAccount], *, is_whole: bool
    ) -> None:
        """Report the reason if no segment was written, and make the run fail."""
        if not sinks or any(sink.segments for sink in sinks):
            return
        read = sum(account.segments for account in accounts)
        if is_whole and not read:
            accounts[-1].messages.append(Diagnostic(Message(OUTPUT_EMPTY), sinks[0].name))
            return
        fitting = {"segments": read, "to": self.spec.name}
        message = Message(NONE_FITS, fitting) if read else Message(NONE_LEFT)
        accounts[-1].messages.append(Diagnostic(message, sinks[0].name))
        if accounts[-1].status == OK:
            accounts[-1].status = FAILED

    def _parts(self, inputs: _Inputs, output: str) -> Iterator[tuple[SegmentSource, str]]:
        """Yield each output with its path.

        A folder gets one file per recording if the format requires this.
        """
        if not (self.spec.has_one_recording and _is_folder(self.arguments.output, self.spec)):
            yield inputs, output
            return
        parts: dict[str, list[Segment]] = {}
        for segment in inputs:
            parts.setdefault(segment.recording, []).append(segment)
        if len(parts) < 2:
            yield DerivedSegments(inputs, [s for part in parts.values() for s in part]), output
            return
        [account] = inputs.accounts
        if account.is_elsewhere:
            # One process knows which names are taken.
            account.is_put_off = True
            return
        folder = os.path.dirname(output)
        places = [os.path.join(folder, _file_name(name) + _suffix(self.spec)) for name in parts]
        others = self.written - {output}
        shared = [path for path in places if path in others or places.count(path) > 1]
        if shared:
            raise UnwritableFileError(f"two recordings would both be written to {shared[0]}")
        self.check_outputs(places)
        self.written.update(places)
        for segments, path in zip(parts.values(), places, strict=True):
            yield DerivedSegments(inputs, segments), path

    def _report(self, inputs: _Inputs, sinks: Sequence[Sink]) -> None:
        notes = self.arguments.explain_loss
        for account, stream in zip(inputs.accounts, inputs.streams, strict=False):
            account.take_remarks(stream, notes=notes)
        remarks = (remark for sink in sinks for remark in each_kind(sink.log.entries()))
        inputs.accounts[-1].messages.extend(r for r in remarks if notes or r.is_shown)

    def _report_losses(self, sink: Sink, accounts: Sequence[InputAccount]) -> None:
        losses = sink.losses.entries()
        accounts[-1].report = {**(accounts[-1].report or {}), sink.name: _written(sink, losses)}
        summary = "; ".join(map(str, losses))
        if len(accounts) == 1:
            accounts[0].lost = "; ".join(filter(None, (accounts[0].lost, summary)))
            if tells_sum(self.inputs) and not self.arguments.explain_loss:
                return
        values = [_said_of(loss, KIND, KIND_BY_RULE) for loss in losses]
        message = Diagnostic(
            Message(NOT_PRESERVED, {"format": self.spec.name, "losses": values}), sink.name
        )
        messages = accounts[-1].messages
        if self.arguments.explain_loss or len(f"formats: {message}") > LONGEST_MESSAGE:
            for loss in losses:
                explained = _said_of(loss, LOST, LOST_BY_RULE, format=self.spec.name)
                messages.append(Diagnostic(explained, loss.path, loss.line))
        elif losses:
            messages.append(message)


def _of_text_files(arguments: Namespace) -> Iterator[Advice]:
    """Yield the options on the command line that have an effect only on text files."""
    for name, usual in (("output_encoding", "utf-8"), ("bom", False), ("newline", "lf")):
        if getattr(arguments, name) != usual:
            yield Advice(name, "")


def _written(sink: Sink, losses: Sequence[Loss]) -> dict[str, object]:
    """Return a JSON record of an output and its losses, for the report."""
    lost = [
        {
            "what": loss.what,
            "count": loss.count,
            "rule": None if loss.value is None else str(loss.value),
        }
        for loss in losses
    ]
    return {"path": sink.name, "segment_count": sink.segments, "losses": lost}


def _said_of(loss: Loss, entry: Entry, entry_by_rule: Entry, **fields: object) -> Message:
    """Create the message about a loss; a loss with a rule uses `entry_by_rule`."""
    fields |= {"what": loss.what, "count": loss.count}
    if loss.value is None:
        return Message(entry, fields)
    return Message(entry_by_rule, {**fields, "rule": loss.value})


def _file_name(recording: str) -> str:
    """Turn the name of a recording into a file name."""
    name = recording.replace("/", "_").replace("\0", "_")
    return "_" + name if name in ("", ".", "..") else name


class _Inputs(NamedFields):
    """The selected segments of several files as one source.

    A file is closed when its segments end.
    """

    files: Iterator[tuple[Input, Callable[[], Readable]]]
    accounts: Sequence[InputAccount]
    arguments: Namespace
    chosen: Selection
    streams: list[SegmentStream] = []

    def __post_init__(self) -> None:
        self._open_next()

    def _open_next(self) -> bool:
        """Open the next file; return False if there is no next file."""
        for _, open_it in self.files:
            self.streams.append(open_input(open_it(), self.arguments))
            self.accounts[len(self.streams) - 1].format = self.streams[-1].format
            return True
        return False

    def __enter__(self) -> _Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        self.streams[-1].close()

    @property
    def definitions(self) -> Sequence[Definition]:
        """The header definitions of all files read so far, without duplicates."""
        every = [definition for stream in self.streams for definition in stream.definitions]
        return list(dict.fromkeys(every))

    @property
    def properties(self) -> Sequence[tuple[str, str]]:
        """The properties that have the same value in all files read so far."""
        return said_alike(stream.properties for stream in self.streams)

    @property
    def source(self) -> str:
        """The name of the file being read."""
        return self.streams[-1].source

    def __iter__(self) -> Iterator[Segment]:
        more = True
        while more:
            yield from self._counted_segments(
                self.streams[-1], self.accounts[len(self.streams) - 1]
            )
            self.streams[-1].close()
            more = self._open_next()

    def _counted_segments(self, stream: SegmentStream, account: InputAccount) -> Iterator[Segment]:
        for segment in self.chosen.of(stream):
            account.segments += 1
            account.words += segment.word_count
            if len(self.accounts) > 1 and segment.line is not None:
                yield segment.replace(line=FileLine(segment.line, stream.source))
            else:
                yield segment

"""`formats convert`: write files in another format.

Several inputs make one output, one after the other, or with a folder as output one file each; a
format of one recording gets a file for each recording there. A folder, a pattern or an archive as
input stands for the files in it, which lie in the output's folder as they lie there.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

from formats.cli.inputs import (
    InputAccount,
    as_usage,
    for_each,
    open_input,
    tell_sum,
    tells_sum,
    worst,
)
from formats.cli.output import say
from formats.errors import (
    LONGEST_MESSAGE,
    FileLine,
    FormatError,
    OptionError,
    UnwritableFileError,
)
from formats.inputs import expand, opened, said_alike
from formats.process import is_told
from formats.spec import DerivedSegments

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from formats.cli.differences import Differences
    from formats.cli.progress import Counter
    from formats.convert import ConvertOptions
    from formats.files import SegmentStream
    from formats.inputs import Input, Inputs
    from formats.model import Segment
    from formats.selection import Selection
    from formats.sink import Sink
    from formats.source import Readable
    from formats.spec import FormatSpec, SegmentSource
    from formats.words import Definition

DIFFERENT = 3
# Losses, and what else is told of data that did not go over, count as such for --quiet.
WARNING = "warning: "
TIMES_MOVED = re.compile("^(?:segment|cue|event) times$|^(?:begins|ends) of|^cues|^segments cut")
UNLIKE = "not as it was written"
LABELLED = "written as labels"
CHECKED_NS, FRAME_NS = 10_000_000, 50_000_000
"""How far times may be from what was given; where they are rounded, to a frame of 20 a second."""


def run(arguments: argparse.Namespace) -> int:
    """Convert; the exit status."""
    from formats.cli.arguments import conversion_options, selection
    from formats.writing import target_spec

    if arguments.check and arguments.output == "-":
        raise OptionError("standard output cannot be read back: --check needs a file")
    if arguments.output == "-" and arguments.to is None:
        raise OptionError("standard output has no suffix: name the format with --to")
    if arguments.inputs.count("-") > 1:
        raise OptionError("standard input can be read once only")
    spec = as_usage(target_spec, arguments.output, arguments.to)
    conversion, chosen = conversion_options(arguments), selection(arguments)
    inputs = expand(arguments.inputs)
    job = _Job(arguments, spec, conversion, chosen, inputs)
    if _is_folder(arguments.output, spec):
        return _into_folder(job)
    job.check_outputs([arguments.output])
    if arguments.jobs > 1:
        say("note: --jobs means nothing where one file is written")
    accounts = [InputAccount(one) for one in inputs.files]
    try:
        job.convert(opened(inputs.files), accounts, arguments.output)
    finally:
        for account in accounts:
            for line in account.said:
                say(line)
    if tells_sum(inputs):
        tell_sum(inputs, accounts, rows=True)
    return worst(accounts)


def _into_folder(job: _Job) -> int:
    """Write a file, or several, for each input; the exit status."""
    outputs = _outputs(job.inputs.files, job.arguments.output, job.spec)
    job.check_outputs(list(outputs.values()))
    job.written.update(outputs.values())
    # Those of a folder stand after the folder, which is removed after them.
    folders = {job.arguments.output: None}
    for output in outputs.values():
        folders.update(dict.fromkeys(_folders_of(output, job.arguments.output)))
    made: list[str] = []

    def write_one(open_it: Callable[[], Readable], account: InputAccount) -> None:
        job.convert(iter([(account.input, open_it)]), [account], outputs[account.input])

    try:
        for folder in sorted(folders):
            if not os.path.isdir(folder):
                _make(folder)
                made.append(folder)
        return worst(for_each(job.inputs, write_one, job.arguments.jobs, rows=True))
    finally:
        for folder in reversed(made):
            if not os.listdir(folder):
                os.rmdir(folder)


def _folders_of(output: str, top: str) -> Iterator[str]:
    """The folders that a file lies in, up to one."""
    folder = os.path.dirname(output)
    while len(folder) > len(top.rstrip("/")):
        yield folder
        folder = os.path.dirname(folder)


def _make(folder: str) -> None:
    try:
        os.mkdir(folder)
    except OSError as problem:
        raise UnwritableFileError(
            f"cannot be made: {(problem.strerror or str(problem)).lower()}", path=folder
        ) from None


def _is_folder(output: str, spec: FormatSpec) -> bool:
    """Whether each input is to have a file of its own."""
    return not spec.folder_files and (output.endswith("/") or os.path.isdir(output))


def _suffix(spec: FormatSpec) -> str:
    return spec.suffixes[0] if spec.suffixes else f".{spec.name}"


def _outputs(files: Sequence[Input], folder: str, spec: FormatSpec) -> dict[Input, str]:
    """The output in the folder of each input; no two of them share one."""
    from formats.source import recording_of

    inputs: dict[str, Input] = {}
    for one in files:
        stem = recording_of("<stdin>" if one.path == "-" else one.path.rstrip("/") or "/")
        output = os.path.join(folder, os.path.dirname(one.below), stem + _suffix(spec))
        if output in inputs:
            both = f"{inputs[output].path} and {one.path}"
            raise OptionError(f"{both} would both be written to {output}")
        inputs[output] = one
    return {one: output for output, one in inputs.items()}


class _Job:
    """What is the same for all files of one run."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        spec: FormatSpec,
        conversion: ConvertOptions,
        chosen: Selection,
        inputs: Inputs,
    ) -> None:
        self.arguments = arguments
        self.spec = spec
        self.conversion = conversion
        self.chosen = chosen
        self.inputs = inputs
        self.written: set[str] = set()

    def check_outputs(self, outputs: Sequence[str]) -> None:
        """Refuse to write over an input, the files that options name included."""
        from formats.cli.arguments import paths_of_options
        from formats.outputs import check_outputs

        arguments = self.arguments
        inputs = [one.archive or one.path for one in self.inputs.files]
        inputs += paths_of_options(arguments)
        check_outputs(outputs, inputs, no_clobber=arguments.no_clobber)
        if os.path.isdir(arguments.output):
            check_outputs(
                [os.path.join(arguments.output, n) for n in self.spec.folder_files], inputs
            )

    def convert(
        self,
        files: Iterator[tuple[Input, Callable[[], Readable]]],
        accounts: Sequence[InputAccount],
        output: str,
    ) -> None:
        """Write the inputs, one after the other, to one output; each has its account."""
        from formats.cli.arguments import write_options
        from formats.cli.progress import shown_progress
        from formats.sink import open_sink
        from formats.writing import write_to

        arguments = self.arguments
        before = self.chosen.segments_left, self.chosen.words_left
        paths = [account.input.path for account in accounts]
        # Of many outputs it is shown how many are done.
        shown = paths if len(paths) == len(self.inputs.files) else ()
        with shown_progress(shown) as count:
            inputs = _Inputs(files, accounts, arguments, self.chosen, count)
            with inputs:
                self._tell_idle_flags(inputs.streams[0], accounts[0])
                sinks: list[Sink] = []
                try:
                    for part, place in self._parts(inputs, output):
                        sink = open_sink(
                            place,
                            encoding=arguments.output_encoding,
                            tolerance=arguments.tolerance,
                            mark=arguments.bom,
                            newline="\r\n" if arguments.newline == "crlf" else "\n",
                        )
                        sinks.append(sink)
                        with sink:
                            options = write_options(arguments, self.spec)
                            kept: list[Segment] | None = [] if arguments.check else None
                            write_to(part, sink, self.spec, self.conversion, options, kept)
                        if kept is not None:
                            self._check(kept, sink, place, accounts[0])
                finally:
                    self._report(inputs, sinks)
        for sink in sinks:
            self._report_losses(sink, accounts)
        left = self.chosen.segments_left - before[0], self.chosen.words_left - before[1]
        if left != (0, 0) and is_told(WARNING):
            name = sinks[0].name if len(sinks) == 1 else output
            accounts[-1].said.append(f"{name}: not taken: {left[0]} segments; {left[1]} words")

    def _check(
        self, kept: Sequence[Segment], sink: Sink, place: str, account: InputAccount
    ) -> None:
        """Read back what was written, and tell what differs from it beyond what was announced."""
        from formats.cli.arguments import write_options
        from formats.cli.diff import lines_of
        from formats.cli.differences import compare

        arguments = self.arguments
        rules = {(loss.what, loss.rule) for loss in sink.losses.entries()}
        lost = {what for what, _ in rules}

        def announced(kind: str) -> bool:
            return any(kind in what for what in lost)

        precision = write_options(arguments, self.spec).get("precision")
        finest = 10 ** (9 - precision) if isinstance(precision, int) else FRAME_NS
        rounded = finest if "decimals of times" in lost else 0
        moved = any(TIMES_MOVED.search(what) for what in lost)
        if ("events", LABELLED) in rules:
            kept = [one.replace(kind="segment") for one in kept]
        try:
            with open_input(place, arguments, self.spec.name) as stream:
                segments = list(stream)
        except FormatError as error:
            account.said.append(f"{place}: error: cannot be read back: {error}")
            account.status, account.lost = DIFFERENT, UNLIKE
            return

        def found_in(by_text: bool) -> Differences:
            found = compare(
                kept,
                segments,
                tolerance_ns=max(CHECKED_NS, rounded),
                first_branches="alternations" in lost,
                in_order="order of segments" not in lost,
                by_text=by_text,
            )
            if moved:
                # The borders of segments; words that have times of their own keep these.
                times = [one for one in found.times if one[1].has_own_time and one[2].has_own_time]
                found = replace(found, times=times)
            return replace(found, speakers={}) if "speakers" in lost else found

        found = found_in(False)
        if found.are_there and not (other := found_in(True)).are_there:
            found = other
        # What was not given is told as invented, or made of the file's name.
        silent = [kind for (kind, side) in found.lone if side == 0 and not announced(kind)]
        if found.are_there or silent:
            account.status, account.lost = DIFFERENT, UNLIKE
            account.said.append(f"{place}: error: what is read back is not what was written:")
            account.said.extend(f"  {line}" for line in lines_of(found, ("given", "read back")))

    def _parts(self, inputs: _Inputs, output: str) -> Iterator[tuple[SegmentSource, str]]:
        """What goes where: a folder gets a file of each recording of a format that holds one."""
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
        taken = [place for place in places if place in others or places.count(place) > 1]
        if taken:
            raise UnwritableFileError(f"two recordings would both be written to {taken[0]}")
        self.check_outputs(places)
        self.written.update(places)
        for segments, place in zip(parts.values(), places, strict=True):
            yield DerivedSegments(inputs, segments), place

    def _tell_idle_flags(self, segments: SegmentStream, account: InputAccount) -> None:
        from formats.cli.arguments import unused_options

        used = segments.spec.read_options, self.spec.write_options
        for flag in unused_options(self.arguments, *used):
            if is_told(WARNING):
                text = f"{flag} means nothing from {segments.format} to {self.spec.name}"
                account.said.append(text)

    def _report(self, inputs: _Inputs, sinks: Sequence[Sink]) -> None:
        logs = [stream.diagnostics for stream in inputs.streams]
        logs += [sink.log.entries() for sink in sinks]
        for diagnostic in (diagnostic for log in logs for diagnostic in log):
            if self.arguments.explain_loss or diagnostic.severity != "note":
                inputs.accounts[0].said.append(f"{diagnostic}")

    def _report_losses(self, sink: Sink, accounts: Sequence[InputAccount]) -> None:
        losses = sink.losses.entries()
        summary = "; ".join(map(str, losses))
        if len(accounts) == 1:
            accounts[0].lost = "; ".join(filter(None, (accounts[0].lost, summary)))
            if tells_sum(self.inputs) and not self.arguments.explain_loss:
                return
        if not is_told(WARNING):
            return
        summary = f"{sink.name}: not kept as it was (--explain-loss says where): {summary}"
        said = accounts[-1].said
        if self.arguments.explain_loss or len(summary) > LONGEST_MESSAGE - len("formats: "):
            said.extend(loss.located() for loss in losses)
        elif losses:
            said.append(summary)


def _file_name(recording: str) -> str:
    """A recording's name as that of a file."""
    name = recording.replace("/", "_").replace("\0", "_")
    return "_" + name if name in ("", ".", "..") else name


class _Inputs:
    """The chosen segments of several files, as one; each file is closed when it is done.

    The first is open from the beginning. Of several files each segment knows its own, for what is
    told of it later.
    """

    def __init__(
        self,
        files: Iterator[tuple[Input, Callable[[], Readable]]],
        accounts: Sequence[InputAccount],
        arguments: argparse.Namespace,
        chosen: Selection,
        count: Counter,
    ) -> None:
        self.accounts = accounts
        self._files = files
        self._arguments = arguments
        self._chosen = chosen
        self._count = count
        self.streams: list[SegmentStream] = []
        self._open_next()

    def _open_next(self) -> bool:
        """Whether there is another file; it is open now."""
        found = next(self._files, None)
        if found is not None:
            self.streams.append(open_input(found[1](), self._arguments))
            self.accounts[len(self.streams) - 1].format = self.streams[-1].format
        return found is not None

    def __enter__(self) -> _Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        self.streams[-1].close()

    @property
    def definitions(self) -> Sequence[Definition]:
        """Header definitions of all files met so far, each once."""
        every = [definition for stream in self.streams for definition in stream.definitions]
        return list(dict.fromkeys(every))

    @property
    def properties(self) -> Sequence[tuple[str, str]]:
        """What all files met so far say of themselves alike."""
        return said_alike(stream.properties for stream in self.streams)

    @property
    def source(self) -> str:
        """The file being read."""
        return self.streams[-1].source

    def __iter__(self) -> Iterator[Segment]:
        more = True
        while more:
            yield from self._segments(self.streams[-1], self.accounts[len(self.streams) - 1])
            self.streams[-1].close()
            more = self._open_next()

    def _segments(self, stream: SegmentStream, account: InputAccount) -> Iterator[Segment]:
        for segment in self._chosen.of(stream):
            self._count(segment)
            account.segments += 1
            account.words += segment.word_count
            if len(self.accounts) > 1 and segment.line is not None:
                yield segment.replace(line=FileLine(segment.line, stream.source))
            else:
                yield segment

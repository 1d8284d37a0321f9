"""`formats convert`: write files in another format.

Several inputs make one output, one after the other, or with a folder as output one file each; a
format of one recording gets a file for each recording there.
"""

from __future__ import annotations

import os

from formats.cli.inputs import as_usage, open_input
from formats.cli.output import say
from formats.errors import LONGEST_MESSAGE, FileLine, OptionError, UnwritableFileError
from formats.spec import DerivedSegments

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from formats.cli.progress import Counter
    from formats.convert import ConvertOptions
    from formats.files import SegmentStream
    from formats.model import Segment
    from formats.selection import Selection
    from formats.sink import Sink
    from formats.spec import FormatSpec, SegmentSource
    from formats.words import Definition

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Convert; the exit status."""
    from formats.cli.arguments import conversion_options, selection
    from formats.files import target_spec

    if arguments.output == "-" and arguments.to is None:
        raise OptionError("standard output has no suffix: name the format with --to")
    if arguments.inputs.count("-") > 1:
        raise OptionError("standard input can be read once only")
    spec = as_usage(target_spec, arguments.output, arguments.to)
    job = _Job(arguments, spec, conversion_options(arguments), selection(arguments))
    if not _is_folder(arguments.output, spec):
        _check_outputs(arguments, [arguments.output], spec)
        job.convert(arguments.inputs, arguments.output)
        return 0
    jobs = list(_outputs(arguments.inputs, arguments.output, spec))
    _check_outputs(arguments, [output for _, output in jobs], spec)
    is_new = not os.path.isdir(arguments.output)
    try:
        if is_new:
            os.mkdir(arguments.output)
    except OSError as problem:
        raise UnwritableFileError(
            f"cannot be made: {(problem.strerror or str(problem)).lower()}", path=arguments.output
        ) from None
    try:
        for path, output in jobs:
            job.convert([path], output)
    finally:
        if is_new and not os.listdir(arguments.output):
            os.rmdir(arguments.output)
    return 0


def _is_folder(output: str, spec: FormatSpec) -> bool:
    """Whether each input is to have a file of its own."""
    return not spec.folder_files and (output.endswith("/") or os.path.isdir(output))


def _check_outputs(arguments: argparse.Namespace, outputs: Sequence[str], spec: FormatSpec) -> None:
    """Refuse to write over an input, the files that options name included."""
    from formats.cli.arguments import paths_of_options
    from formats.outputs import check_outputs

    inputs = [*arguments.inputs, *paths_of_options(arguments)]
    check_outputs(outputs, inputs, no_clobber=arguments.no_clobber)
    if os.path.isdir(arguments.output):
        check_outputs([os.path.join(arguments.output, n) for n in spec.folder_files], inputs)


def _outputs(inputs: Sequence[str], folder: str, spec: FormatSpec) -> Iterator[tuple[str, str]]:
    """Each input with its output in the folder; no two of them share one."""
    from formats.source import recording_of

    suffix = spec.suffixes[0] if spec.suffixes else f".{spec.name}"
    outputs: dict[str, str] = {}
    for path in inputs:
        output = os.path.join(folder, recording_of("<stdin>" if path == "-" else path) + suffix)
        if output in outputs:
            raise OptionError(f"{outputs[output]} and {path} would both be written to {output}")
        outputs[output] = path
    yield from ((path, output) for output, path in outputs.items())


class _Job:
    """What is the same for all files of one run."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        spec: FormatSpec,
        conversion: ConvertOptions,
        chosen: Selection,
    ) -> None:
        self.arguments = arguments
        self.spec = spec
        self.conversion = conversion
        self.chosen = chosen
        self.written: set[str] = set()

    def convert(self, paths: Sequence[str], output: str) -> None:
        """Write the inputs, one after the other, to one output."""
        from formats.cli.arguments import write_options
        from formats.cli.progress import shown_progress
        from formats.files import write_to
        from formats.sink import open_sink

        arguments = self.arguments
        before = self.chosen.segments_left, self.chosen.words_left
        with open_input(paths[0], arguments) as first, shown_progress(paths) as count:
            inputs = _Inputs(first, paths[1:], arguments, self.chosen, count)
            self._tell_idle_flags(first)
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
                        write_to(part, sink, self.spec, self.conversion, options)
            finally:
                self._report(inputs, sinks)
        for sink in sinks:
            self._report_losses(sink)
        left = self.chosen.segments_left - before[0], self.chosen.words_left - before[1]
        if left != (0, 0):
            name = sinks[0].name if len(sinks) == 1 else output
            say(f"{name}: not taken: {left[0]} segments; {left[1]} words")

    def _parts(self, inputs: _Inputs, output: str) -> Iterator[tuple[SegmentSource, str]]:
        """What goes where: a folder gets a file of each recording of a format that holds one."""
        arguments = self.arguments
        if not (self.spec.has_one_recording and _is_folder(arguments.output, self.spec)):
            yield inputs, output
            return
        parts: dict[str, list[Segment]] = {}
        for segment in inputs:
            parts.setdefault(segment.recording, []).append(segment)
        if len(parts) < 2:
            yield DerivedSegments(inputs, [s for part in parts.values() for s in part]), output
            return
        suffix = self.spec.suffixes[0] if self.spec.suffixes else f".{self.spec.name}"
        places = [os.path.join(arguments.output, _file_name(name) + suffix) for name in parts]
        taken = [place for place in places if place in self.written or places.count(place) > 1]
        if taken:
            raise OptionError(f"two recordings would both be written to {taken[0]}")
        _check_outputs(arguments, places, self.spec)
        self.written.update(places)
        for segments, place in zip(parts.values(), places, strict=True):
            yield DerivedSegments(inputs, segments), place

    def _tell_idle_flags(self, segments: SegmentStream) -> None:
        from formats.cli.arguments import unused_options

        used = segments.spec.read_options, self.spec.write_options
        for flag in unused_options(self.arguments, *used):
            say(f"{flag} means nothing from {segments.format} to {self.spec.name}")

    def _report(self, inputs: _Inputs, sinks: Sequence[Sink]) -> None:
        logs = [stream.diagnostics for stream in inputs.streams]
        logs += [sink.log.entries() for sink in sinks]
        for diagnostic in (diagnostic for log in logs for diagnostic in log):
            if self.arguments.explain_loss or diagnostic.severity != "note":
                say(f"{diagnostic}")

    def _report_losses(self, sink: Sink) -> None:
        losses = sink.losses.entries()
        summary = "; ".join(map(str, losses))
        summary = f"{sink.name}: not kept as it was (--explain-loss says where): {summary}"
        if self.arguments.explain_loss or len(summary) > LONGEST_MESSAGE - len("formats: "):
            for loss in losses:
                say(loss.located())
        elif losses:
            say(summary)


def _file_name(recording: str) -> str:
    """A recording's name as that of a file."""
    name = recording.replace("/", "_").replace("\0", "_")
    return "_" + name if name in ("", ".", "..") else name


class _Inputs:
    """The chosen segments of several files, as one; each file is closed when it is done.

    Of several files each segment knows its own, for what is told of it later.
    """

    def __init__(
        self,
        first: SegmentStream,
        rest: Sequence[str],
        arguments: argparse.Namespace,
        chosen: Selection,
        count: Counter,
    ) -> None:
        self.streams = [first]
        self._rest = rest
        self._arguments = arguments
        self._chosen = chosen
        self._count = count

    @property
    def definitions(self) -> Sequence[Definition]:
        """Header definitions of all files met so far, each once."""
        every = [definition for stream in self.streams for definition in stream.definitions]
        return list(dict.fromkeys(every))

    @property
    def properties(self) -> Sequence[tuple[str, str]]:
        """What all files met so far say of themselves alike."""
        first, *others = (dict(stream.properties) for stream in self.streams)
        same = (item for item in first.items() if all(item in o.items() for o in others))
        return tuple(same)

    @property
    def source(self) -> str:
        """The file being read."""
        return self.streams[-1].source

    def __iter__(self) -> Iterator[Segment]:
        yield from self._segments(self.streams[0])
        for path in self._rest:
            with open_input(path, self._arguments) as stream:
                self.streams.append(stream)
                yield from self._segments(stream)

    def _segments(self, stream: SegmentStream) -> Iterator[Segment]:
        for segment in self._chosen.of(stream):
            self._count(segment)
            if self._rest and segment.line is not None:
                yield segment.replace(line=FileLine(segment.line, stream.source))
            else:
                yield segment

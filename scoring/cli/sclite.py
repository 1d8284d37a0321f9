"""The `sclite` command: NIST's scoring program, option by option and byte by byte."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

from scoring.cli.output import (
    OutputError,
    UnopenableError,
    standard_output,
    write_file,
    write_to_stream,
)
from scoring.cli.sclite_options import Options, UsageError, argument_text
from scoring.cli.sclite_scanner import scan
from scoring.cli.sclite_validation import validate
from scoring.errors import LabelError, OriginalError, ScoringError
from scoring.pairing.pairing import Always, Done, Reduction
from scoring.report.registry import (
    CONFIDENCE_REPORTS,
    REPORTS,
    ConfidenceSpec,
    Part,
    ReportSpec,
    Settings,
)
from scoring.report.tables import TableDrawer
from scoring.session import Scored, ScoreRequest, Session
from scoring.system import System
from scoring.transcripts.characters import to_bytes
from scoring.transcripts.files import Source
from scoring.transcripts.weights import UNITY, WordWeights

if TYPE_CHECKING:
    from scoring.segmentation.segmentation import SegmentationRequest

BANNER = "sclite: 2.10 TK Version 1.3\n"
# As shells report a program that a signal has ended.
INTERRUPTED = 128 + 2
PIPE_CLOSED = 128 + 13


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status.

    0 if it ran to its end, 1 after any error that sclite has too or input it would crash on,
    2 if output could not be written, 130 after an interruption.
    """
    arguments = sys.argv[1:] if argv is None else argv
    try:
        output = standard_output()
        status = _run(arguments, output)
        output.flush()
    except BrokenPipeError:
        _silence(sys.stdout.fileno())
        status = PIPE_CLOSED
    except KeyboardInterrupt:
        _complain("sclite: interrupted\n")
        status = INTERRUPTED
    except OSError as problem:
        _silence(sys.stdout.fileno())
        _complain(f"sclite: standard output: cannot be written: {problem.strerror}\n")
        status = OutputError.status
    return status


def run() -> None:
    """Entry point of the installed command."""
    status = main()
    # Everything is written; taking a large corpus apart word by word would only take time.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _run(arguments: Sequence[str], output: BinaryIO) -> int:
    try:
        options = scan(arguments)
        validate(options)
        _Run(options, output).all_systems()
    except (UsageError, OriginalError) as error:
        output.write(to_bytes(error.output))
        output.flush()
        _complain(str(error))
        return error.status
    except MemoryError:
        _complain("sclite: out of memory\n")
        return OutputError.status
    except ScoringError as error:
        output.flush()
        _complain(f"sclite: {error}\n")
        return error.status
    return 0


def _complain(text: str) -> None:
    """Byte text to the error stream."""
    sys.stderr.flush()
    stream = getattr(sys.stderr, "buffer", None)
    try:
        if stream is None:
            sys.stderr.write(text)
        else:
            stream.write(text.encode("latin-1", "replace"))
            stream.flush()
    except OSError:
        pass  # nowhere is left to say it


def _silence(descriptor: int) -> None:
    """Let what is still buffered for a closed pipe or a full disk go nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)


class _Run:
    """One run of the command: systems in order, and after each its reports."""

    def __init__(self, options: Options, output: BinaryIO) -> None:
        self._options = options
        self._output = output
        self._drawer = TableDrawer()
        self._written: set[str] = set()
        self._complete = True

    def all_systems(self) -> None:
        """Score every hypothesis and write its reports."""
        options = self._options
        self._refuse_what_is_missing()
        for message in options.messages:
            _complain(message)
        if options.ignored:
            _complain(f"sclite: warning: arguments from {options.ignored[0]!r} on are ignored\n")
        self._say(BANNER)
        session = Session(self._request(), _complain)
        for hypothesis in options.hypotheses:
            self._system(session, hypothesis)
        end = "Successful" if self._complete else "Unsuccessful"
        self._say(f"\n{end} Completion\n")

    def _refuse_what_is_missing(self) -> None:
        """Options that are understood, and not there yet."""
        options = self._options
        for option, given in (
            ("-e", options.encoding != "ascii"),
            ("-c", options.character_units is not None),
            ("-d", options.use_diff),
            ("-L", options.language_model_path is not None),
            ("-P", options.piped_input),
            ("-p", options.piped_output),
        ):
            if given:
                raise UsageError(f"option {option} is not available in this version")

    def _request(self) -> ScoreRequest:
        options = self._options
        weights: WordWeights | None = None
        if options.weights_path is not None:
            name = options.weights_path
            self._say(f"Loading WWL file '{name}'\n")
            weights = WordWeights.unity() if name == UNITY else WordWeights.read(name, _complain)
        reduction = options.reduction or ()
        return ScoreRequest(
            identifier_kind=options.identifier_kind or "",
            case_sensitive=options.case_sensitive,
            fragments_correct=options.fragments_correct,
            optional_deletable=options.optional_deletable,
            time_mediated=options.time_mediated,
            weights=weights,
            reduction=Reduction(reference="ref" in reduction, hypothesis="hyp" in reduction),
            segmentation=self._segmentation(),
            verbose=options.feedback,
        )

    def _segmentation(self) -> SegmentationRequest | None:
        options = self._options
        path = options.segmentation_lexicon
        if path is None or not options.segmentation_algorithms:
            return None
        from scoring.segmentation.segmentation import SegmentationRequest

        return SegmentationRequest(
            options.segmentation_algorithms,
            path,
            argument_text(path),
            options.segmentation_splits_ascii,
        )

    def _say(self, text: str) -> None:
        if self._options.feedback >= 1:
            self._output.write(to_bytes(text))

    def _system(self, session: Session, hypothesis: Source) -> None:
        reference = self._options.reference
        self._say(
            f"Begin alignment of Ref File: '{reference.name}' and Hyp File: '{hypothesis.name}'\n"
        )
        scored = session.score(reference, hypothesis)
        self._output.writelines(self._feedback(scored))
        if scored.failure is not None:
            raise scored.failure
        root = self._options.output_root(hypothesis.name)
        for report in REPORTS:
            if report.names[0] in self._options.reports:
                self._report(scored.system, report, root)
        for confidence_report in CONFIDENCE_REPORTS:
            if confidence_report.name in self._options.confidence_reports:
                self._confidence_report(scored.system, confidence_report, root)

    def _feedback(self, scored: Scored) -> Iterator[bytes]:
        level = self._options.feedback
        if level < 2:
            for event in scored.progress:
                if isinstance(event, str) and (level == 1 or isinstance(event, Always)):
                    yield to_bytes(event)
            return
        from scoring.report.blocks import FEEDBACK_LINE_WIDTH, renderer

        blocks = renderer(scored.system)
        for event in scored.progress:
            if isinstance(event, str):
                yield to_bytes(event)
            elif not isinstance(event, Done):
                yield blocks.block(event, FEEDBACK_LINE_WIDTH, True) + b"\n"

    def _report(self, system: System, report: ReportSpec, root: str) -> None:
        skipped = report.skipped(system)
        if skipped is not None:
            self._output.write(to_bytes(skipped))
            return
        settings = Settings(self._drawer, _complain, self._options.line_width)
        for part in report.parts(system, settings):
            path = root + part.suffix
            try:
                self._put(part, path, report.announced_on_stdout)
            except LabelError:
                if "stdout" not in self._options.reports:
                    self._say(f"{part.announcement}{path}'\n")
                    self._write(path, iter(()))  # what sclite leaves behind
                raise

    def _put(self, part: Part, path: str, announced_on_stdout: bool) -> None:
        if "stdout" not in self._options.reports and self._write(path, part.content):
            self._say(f"{part.announcement}{path}'\n")
        else:
            if announced_on_stdout:
                self._say(f"{part.announcement}stdout'\n")
            write_to_stream(self._output, part.content)

    def _write(self, path: str, content: Iterator[bytes], *, fall_back: bool = True) -> bool:
        """Write a file; False if its path cannot be opened (`fall_back` warns of what follows)."""
        if path in self._written:
            _complain(f"sclite: warning: {path}: overwritten by the report of another system\n")
        try:
            write_file(path, content)
        except UnopenableError as problem:
            if fall_back:
                _complain(
                    f"sclite: warning: {path}: {problem}, the report goes to standard output\n"
                )
            return False
        self._written.add(path)
        return True

    def _confidence_report(self, system: System, report: ConfidenceSpec, root: str) -> None:
        if self._options.feedback >= 1:
            from scoring.report.entropy import has_confidences

            if not has_confidences(system):
                self._say(report.skipped)
                return
            self._say(report.announcement(root))
        contents = report.contents(system, root, _complain)
        for one, problem in zip(contents, report.unwritable(root), strict=True):
            if not self._write(root + one.suffix, iter([one.content]), fall_back=False):
                _complain(problem)
                self._complete = False
                return


if __name__ == "__main__":
    run()

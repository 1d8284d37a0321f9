"""The `sclite` command: NIST's scoring program, byte by byte.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import os

from formats.console.process import run as run_command
from scoring.alignment import exit_on_signals
from scoring.cli.nist import drop_in
from scoring.cli.nist.nist_arguments import argument_text
from scoring.cli.nist.sclite_options import ScliteOptions, is_original, scan, validate
from scoring.model.counts import Edit
from scoring.model.errors import OriginalError
from scoring.model.outputs import write_to_stream
from scoring.nist.pairing import Always, Done, Reduction
from scoring.nist.report.writer import ReportWriter
from scoring.nist.session import Scored, ScoreRequest, Session
from scoring.nist.transcripts.characters import Characters, to_bytes
from scoring.nist.transcripts.input_files import Oddity, TranscriptFile, characters_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO, NoReturn

    from scoring.alignment.system import System
    from scoring.nist.language_model.weights import LanguageModelWeights
    from scoring.nist.segmentation.segmentation import SegmentationRequest
    from scoring.nist.transcripts.weights import WordWeights

# Reports that show erroneous words in upper case.
UPPER_CASE = frozenset({"pralign", "pra", "prf", "snt"})
ERRORS = (Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)
BANNER = "sclite: 2.10 TK Version 1.3\n"


@drop_in.program("sclite")
def main(arguments: Sequence[str], output: BinaryIO) -> None:
    """Score hypotheses against a reference."""
    options = scan(arguments)
    validate(options)
    _Run(options, output).all_systems()


def run() -> NoReturn:
    """Run as the installed command."""
    run_command(main, exit_on_signals=exit_on_signals)


def complain(text: str) -> None:
    """Write byte text to the error stream.

    Messages of the type `Oddity` are written only if the environment variable SCLITE_WARNINGS is 1.
    """
    if not isinstance(text, Oddity) or os.environ.get("SCLITE_WARNINGS") == "1":
        drop_in.complain(text)


class _Run:
    """A run of the command, which scores the systems in order and writes reports after each."""

    def __init__(self, options: ScliteOptions, output: BinaryIO) -> None:
        self._options = options
        self._output = output
        self._reports = ReportWriter(options.wanted, output, complain)
        self._systems: list[System] = []

    def all_systems(self) -> None:
        """Score every hypothesis, and write the reports of each."""
        options = self._options
        if options.ignored:
            complain(f"sclite: warning: arguments from {options.ignored[0]!r} on are ignored\n")
        self._say(BANNER)
        piped = self._piped_systems() if options.piped_input else []
        session = Session(self._request(), complain)
        for system in piped:
            self._finish(system, system.title)
        for hypothesis in options.hypotheses:
            self._system(session, hypothesis)
        self._pipe_on()
        end = "Successful" if self._reports.complete else "Unsuccessful"
        self._say(f"\n{end} Completion\n")

    def _request(self) -> ScoreRequest:
        options = self._options
        weights: WordWeights | None = None
        if options.weights_path is not None:
            from scoring.nist.transcripts.weights import UNITY, WordWeights

            name = options.weights_path
            self._say(f"Loading WWL file '{name}'\n")
            weights = WordWeights.unity() if name == UNITY else WordWeights.read(name, complain)
        reduction = () if options.reduction is None else options.reduction or {"ref"}
        return ScoreRequest(
            identifier_kind=options.identifier_kind or "spu_id",
            case_sensitive=options.case_sensitive,
            fragments_correct=options.fragments_correct,
            optional_deletable=options.optional_deletable,
            time_mediated=options.time_mediated,
            weights=weights,
            language_model=self._language_model(),
            use_diff=options.use_diff,
            reduction=Reduction(reference="ref" in reduction, hypothesis="hyp" in reduction),
            segmentation=self._segmentation(),
            encoding=options.encoding,
            localization=options.localization,
            character_units=options.character_units,
            verbose=options.feedback,
        )

    def _language_model(self) -> LanguageModelWeights | None:
        path = self._options.language_model_path
        if path is None:
            return None
        from scoring.nist.language_model.weights import LanguageModelWeights

        return LanguageModelWeights(path, argument_text(path), complain)

    def _segmentation(self) -> SegmentationRequest | None:
        options = self._options
        path = options.segmentation_lexicon
        if path is None or not options.segmentation_algorithms:
            return None
        from scoring.nist.segmentation.segmentation import SegmentationRequest

        return SegmentationRequest(
            options.segmentation_algorithms,
            path,
            argument_text(path),
            options.segmentation_splits_ascii,
        )

    def _print(self, text: str) -> None:
        self._output.write(to_bytes(text))

    def _say(self, text: str) -> None:
        if self._options.feedback >= 1:
            self._output.write(to_bytes(text))

    def _system(self, session: Session, hypothesis: TranscriptFile) -> None:
        reference = self._options.reference
        self._say(
            f"Begin alignment of Ref File: '{reference.name}' and Hyp File: '{hypothesis.name}'\n"
        )
        scored = self._scored(session, reference, hypothesis)
        self._output.writelines(self._feedback(scored))
        if scored.failure is not None:
            raise scored.failure
        self._finish(scored.system, hypothesis.name)

    def _scored(
        self, session: Session, reference: TranscriptFile, hypothesis: TranscriptFile
    ) -> Scored:
        if not is_original(reference.format, hypothesis.format):
            from scoring.cli.nist.sclite_other_formats import found_formats, score_files

            reference, hypothesis = found_formats(reference, hypothesis)
            if not is_original(reference.format, hypothesis.format):
                first = session.number(0)
                interpolate = self._options.interpolate
                scored = score_files(
                    session.request, reference, hypothesis, interpolate, first, complain
                )
                session.number(len(scored.system))
                return scored
        return session.score(reference, hypothesis)

    def _finish(self, system: System, name: str) -> None:
        """Write the reports of a system to files named after the hypothesis or its title."""
        self._reports.write(system, self._options.output_root(name))
        if self._options.piped_output:
            self._systems.append(system)

    def _piped_systems(self) -> list[System]:
        """Return the systems that earlier runs aligned, read from standard input."""
        from scoring.nist.sgml.reader import read_systems
        from scoring.nist.transcripts.characters import standard_input

        self._say("Loading Piped input. . . ")
        options = self._options
        characters = characters_of(options.encoding, options.localization)
        systems = read_systems(standard_input(), self._print, complain, characters.upper)
        self._say(f"{len(systems)} systems loaded.\n")
        for system in systems:
            self._check_characters(system, characters)
        return systems

    def _check_characters(self, system: System, characters: Characters) -> None:
        """Raise sclite's error if a report would change the case of invalid bytes."""
        types = system.vocabulary.types
        if not self._options.reports & UPPER_CASE:
            return
        bad = {word.text: characters.first_bad(to_bytes(word.text)) for word in types}
        if not any(bad.values()):
            return
        for utterance in range(len(system)):
            for edit, left, right in system.slots(utterance):
                words = [types[system.reference.types[left]].text] if left is not None else []
                words += [types[system.hypothesis.types[right]].text] if right is not None else []
                for text in words if edit in ERRORS else ():
                    if (invalid := bad[text]) is not None:
                        raise OriginalError(invalid.text(to_bytes(text)))

    def _pipe_on(self) -> None:
        """Write the systems to standard output, which another run or sc_stats can read."""
        if not self._systems:
            return
        from scoring.nist.report import sgml

        for system in self._systems:
            write_to_stream(self._output, sgml.render(system, newline_separated=True))

    def _feedback(self, scored: Scored) -> Iterator[bytes]:
        level = self._options.feedback
        if level < 2:
            shown = str if level == 1 else Always
            for event in scored.progress:
                if isinstance(event, shown):
                    yield to_bytes(event)
            return
        from scoring.nist.report.blocks import FEEDBACK_LINE_WIDTH, renderer

        blocks = renderer(scored.system)
        for event in scored.progress:
            if isinstance(event, str):
                yield to_bytes(event)
            elif not isinstance(event, Done):
                yield blocks.block(event, FEEDBACK_LINE_WIDTH, True) + b"\n"


if __name__ == "__main__":
    run()

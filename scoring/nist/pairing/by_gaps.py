"""Pair ctm with ctm: each channel is cut into pieces at the pauses of both sides.

A run is a sequence of words with the same recording and channel.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from scoring.alignment.gaps import Chunk, PauseSearch, TimedWords
from scoring.alignment.numbered import NumberedSide
from scoring.alignment.system import (
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_TIMES,
    REFERENCE_CONFIDENCES,
    REFERENCE_TIMES,
    Utterances,
)
from scoring.model.aliases import Say
from scoring.model.errors import OriginalError, ScoringError
from scoring.nist.pairing import Done, Pairing, Setting, Speakers
from scoring.nist.transcripts.ctm import ChannelRun, CtmFile, Load, refuse_as_met
from scoring.nist.transcripts.input_files import Definitions, TranscriptFile, remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import Branch


def pair_by_gaps(
    reference_source: TranscriptFile,
    hypothesis_source: TranscriptFile,
    setting: Setting,
    time_mediated: bool,
) -> Pairing:
    """Pair two ctm files, which must have the same recordings in the same order.

    The first channel of a recording is paired with the first channel of the other side, and the
    second with the second, whatever their names. As in sclite, all later channels are skipped, and
    `warn` reports them.
    """
    characters, lexicon, warn = setting.characters, setting.lexicon, setting.warn
    reference, hypothesis = (
        CtmFile(source, kind, characters, lexicon, warn, keep_refusal=True)
        for source, kind in ((reference_source, "reference"), (hypothesis_source, "hypothesis"))
    )
    refuse_as_met(reference, hypothesis)
    walk = _Walk(reference, hypothesis, time_mediated, warn)
    walk.all_recordings()
    reference.warn_of_lost_words()
    hypothesis.warn_of_lost_words()
    return walk.pairing(setting)


class _Walk:
    """Pairs the recordings of both files, and cuts their channels into utterances."""

    def __init__(
        self, reference: CtmFile, hypothesis: CtmFile, time_mediated: bool, warn: Say
    ) -> None:
        self._reference = reference
        self._hypothesis = hypothesis
        self._kind = "Time-mediated" if time_mediated else "Word"
        self._warn = warn
        self._failure: ScoringError | None = None
        self._progress: list[str | int] = []
        self._speakers = Speakers()
        self._identifiers: list[str] = []
        self._numbers = array("i")
        self._files: list[str | None] = []
        self._channels: list[str | None] = []
        self._bits = array("H")
        self._spans = [array("q") for _ in range(4)]
        self._graphs: tuple[dict[int, Branch], dict[int, Branch]] = ({}, {})

    def all_recordings(self) -> None:
        """Process the recordings up to the end or the first failure."""
        left, right = _recordings(self._reference), _recordings(self._hypothesis)
        for number in range(max(len(left), len(right))):
            message = self._mismatch(left, right, number)
            if message is None:
                message = self._channels_of(left[number], right[number], number)
            if message is not None:
                self._failure = OriginalError(message)
                return

    def _mismatch(
        self, left: list[list[ChannelRun]], right: list[list[ChannelRun]], number: int
    ) -> str | None:
        ref, hyp = self._reference.name, self._hypothesis.name
        if number >= len(right):
            return (
                f"Error: premature EOF in hyp file '{hyp}' at conversation "
                f"'{left[number][0].file}' of ref file '{ref}'\n"
            )
        if number >= len(left):
            return (
                f"Error: premature EOF in ref file '{ref}' at conversation "
                f"'{right[number][0].file}' of hyp file '{hyp}'\n"
            )
        mine, theirs = left[number][0].file, right[number][0].file
        if mine != theirs:
            return (
                f"Error: in ref file '{ref}' and hyp file '{hyp}'\n       file strings out of "
                f"synchronization around ref-file='{mine}'  hyp-file='{theirs}'\n"
            )
        return None

    def _channels_of(
        self, left: list[ChannelRun], right: list[ChannelRun], number: int
    ) -> str | None:
        mine = self._counted(self._reference, left, number)
        theirs = self._counted(self._hypothesis, right, number)
        if len(mine) != len(theirs):
            side = "Hyp" if len(theirs) < len(mine) else "ref"
            return (
                f"Error: in ref file '{self._reference.name}' and hyp file "
                f"'{self._hypothesis.name}'\n       {side} is missing second channel of file "
                f"'{left[0].file}'\n"
            )
        self._progress.append(
            f"    Performing {self._kind} alignments for file '{left[0].file}'.\n"
        )
        bits = REFERENCE_TIMES | HYPOTHESIS_TIMES
        bits |= REFERENCE_CONFIDENCES * self._reference.has_confidences(number)
        bits |= HYPOTHESIS_CONFIDENCES * self._hypothesis.has_confidences(number)
        for runs in zip(mine, theirs, strict=True):
            words = [
                _timed_words(file, run.begin, run.end, file.load_of(number))
                for file, run in zip((self._reference, self._hypothesis), runs, strict=True)
            ]
            for count, chunk in enumerate(PauseSearch(*words).chunks()):
                self._add(chunk, count, bits)
        return None

    def _counted(self, file: CtmFile, runs: list[ChannelRun], number: int) -> list[ChannelRun]:
        """Return the scored runs of a recording: its first two channels.

        The second channel is scored only if sclite has its words in memory.
        """
        counted = runs[:2]
        if len(runs) > 1 and runs[1].begin >= file.load_of(number).end - 1:
            counted = runs[:1]
        for run in runs[len(counted) :]:
            words = f"{run.end - run.begin} words of file '{run.file}' channel '{run.channel}'"
            self._warn(remark(file.name, f"not scored, beyond the second channel: {words}"))
        return counted

    def _add(self, chunk: Chunk, count: int, bits: int) -> None:
        utterance = len(self._identifiers)
        file, channel = self._name(chunk.reference_begin)
        speaker = f"{file or '(null)'}-{channel or '(null)'}"
        self._identifiers.append(f"({speaker}-{count:04d})")
        self._numbers.append(self._speakers.number(speaker))
        self._files.append(file)
        self._channels.append(channel)
        self._bits.append(bits)
        self._progress.append(Done(utterance))
        for column, position in zip(self._spans, chunk, strict=True):
            column.append(position)
        for side, file_of_side, begin, end in (
            (0, self._reference, chunk.reference_begin, chunk.reference_end),
            (1, self._hypothesis, chunk.hypothesis_begin, chunk.hypothesis_end),
        ):
            items, branching = file_of_side.items(range(begin, end))
            if branching:
                self._graphs[side][utterance] = items

    def _name(self, position: int) -> tuple[str | None, str | None]:
        """Return the file and the channel at a position of the reference.

        The end of a channel is the position of the next channel. At the end of the file, both
        values are None.
        """
        runs = self._reference.runs
        number = bisect_right(runs, position, key=lambda run: run.begin) - 1
        if number >= 0 and position < runs[number].end:
            return runs[number].file, runs[number].channel
        return None, None

    def pairing(self, setting: Setting) -> Pairing:
        """Return the pairing of all segments."""
        count = len(self._identifiers)
        sides = []
        for number, file in enumerate((self._reference, self._hypothesis)):
            begins, ends = self._spans[2 * number : 2 * number + 2]
            sides.append(
                NumberedSide(
                    file.types,
                    begins,
                    ends,
                    self._graphs[number],
                    in_order=file.in_order,
                    starts=file.begins,
                    finishes=file.finishes,
                    confidences=file.confidences,
                )
            )
        return Pairing(
            speakers=self._speakers.names,
            utterances=Utterances(
                identifiers=self._identifiers,
                speakers=self._numbers,
                attributes=array("H", [setting.attributes | bits for bits in self._bits]),
                sequences=setting.sequences(count),
                files=self._files,
                channels=self._channels,
            ),
            reference=sides[0],
            hypothesis=sides[1],
            definitions=Definitions(setting.warn),
            progress=iter(self._progress),
            failure=self._failure,
            by_time=True,
        )


def _timed_words(file: CtmFile, begin: int, end: int, load: Load) -> TimedWords:
    """Return the words between two positions, preceded by the word before them.

    If sclite does not hold that word in memory, a word at time 0 replaces it.
    """
    loaded = begin > load.begin
    words = slice(begin - loaded, end)
    before = [] if loaded else [0]
    return TimedWords(
        [*before, *file.begins[words]],
        [*before, *file.finishes[words]],
        [*before, *file.inside[words]],
        begin - 1,
    )


def _recordings(file: CtmFile) -> list[list[ChannelRun]]:
    """Return the runs of a file, grouped by recording."""
    groups: list[list[ChannelRun]] = []
    for run in file.runs:
        if groups and groups[-1][0].file == run.file:
            groups[-1].append(run)
        else:
            groups.append([run])
    return groups

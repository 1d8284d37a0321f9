"""Pair stm with ctm: the words of a channel are assigned to its segments by time."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain

from scoring.alignment.numbered import NumberedSide
from scoring.alignment.system import (
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_TIMES,
    REFERENCE_SPAN,
    Utterances,
)
from scoring.model.errors import OriginalError, ScoringError
from scoring.nist.pairing import Always, Done, Pairing, Reduction, Setting, Speakers
from scoring.nist.transcripts.ctm import END, WORD, ChannelRun, CtmFile
from scoring.nist.transcripts.input_files import Definitions, TranscriptFile, defines, first_refusal
from scoring.nist.transcripts.lexicon import first_bad_text
from scoring.nist.transcripts.stm import IGNORED, StmFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import Branch


def pair_by_time(
    reference_source: TranscriptFile,
    hypothesis_source: TranscriptFile,
    setting: Setting,
    reduction: Reduction,
) -> Pairing:
    """Pair the segments of an stm file with the words of a ctm file.

    Consecutive lines of the same recording and channel form a run. As in sclite, if the hypothesis
    lacks a run, its reference words are deletions. (In trn files, utterances without hypothesis are
    skipped instead.)
    """
    reference = StmFile(reference_source, setting.characters, setting.warn)
    hypothesis = CtmFile(
        hypothesis_source, "hypothesis", setting.characters, setting.lexicon, setting.warn
    )
    assigner = _WordAssigner(reference, hypothesis, reduction, setting)
    assigner.assign_all()
    hypothesis.warn_of_lost_words()
    definitions = Definitions(setting.warn)
    if assigner.failure is None:
        definitions.read(reference.raw, warn_of_single_marks=True)
        definitions.read(hypothesis.raw, warn_of_single_marks=True)
        assigner.failure = _refused_definition(setting, reference.raw, hypothesis.raw)
        reference.warn_of_doubtful_labels({label.identifier for label in definitions.labels})
    return assigner.pairing(definitions)


def _refused_definition(setting: Setting, *files: bytes) -> ScoringError | None:
    """Return an error if a line that defines a label or category has an invalid character.

    sclite skips all other comments. Returns None without an error.
    """
    for data in files:
        refusal = first_refusal(
            data,
            setting.characters,
            lambda line, offset: line.startswith(b";;") and defines(line, offset),
        )
        if refusal is not None:
            return refusal.error
    return None


class _WordAssigner:
    """Assigns words to segments, channel by channel, and collects the messages of sclite."""

    def __init__(
        self,
        reference: StmFile,
        hypothesis: CtmFile,
        reduction: Reduction,
        setting: Setting,
    ) -> None:
        self._reference = reference
        self._hypothesis = hypothesis
        self._reduction = reduction
        self._setting = setting
        self._verbose = setting.verbose
        self._warn = setting.warn
        self.failure: ScoringError | None = None
        self._segments: list[int] = []
        self._begins = array("q")
        self._ends = array("q")
        self._graphs: dict[int, Branch] = {}
        self._scattered: dict[int, Sequence[int]] = {}
        self._confident = array("H")
        self._progress: list[str | int] = []
        times = zip(hypothesis.begins, hypothesis.durations, strict=True)
        self._midpoints = array("d", (begin + duration / 2 for begin, duration in times))

    def assign_all(self) -> None:
        """Assign the words of each hypothesis channel to segments of that channel."""
        stm, ctm = self._reference, self._hypothesis
        stretches = list(zip(stm.runs[:-1], stm.runs[1:], strict=True)) or [(0, 0)]
        index = 0
        file_number = -1
        for begin, end in stretches:
            file, channel = self._name(begin)
            run: ChannelRun | None = None
            if index == len(ctm.runs):
                self._warn(
                    "align_ctm_to_stm: Hyp files ends before ref but continuing for ref "
                    f"file/channel '{file}' '{channel}'.\n"
                )
            elif (ctm.runs[index].file, ctm.runs[index].channel) == (file, channel):
                run = ctm.runs[index]
                if index == 0 or ctm.runs[index - 1].file != file:
                    file_number += 1
                index += 1
            else:
                self._warn(
                    "align_ctm_to_stm: File identifiers do not match but continuing. ref "
                    f"file/channel '{file}' '{channel}', next hyp '{ctm.runs[index].file}' "
                    f"'{ctm.runs[index].channel}'.\n"
                )
            self._assign(begin, end, file, run, self._confidence_bit(file_number, run))
            if self.failure is not None:
                return
        if index < len(ctm.runs):
            run = ctm.runs[index]
            self._progress.append("    Performing alignments for file '(null)'.\n")
            self.failure = OriginalError(
                "align_ctm_to_stm: Error: Hyp file has more data than ref file, beginning at hyp "
                f"file/channel '{run.file}' '{run.channel}'.\nsclite: Alignment failed.  "
                "Exiting.\n"
            )

    def _name(self, segment: int) -> tuple[str, str]:
        if segment < len(self._reference):
            return self._reference.files[segment], self._reference.channels[segment]
        return "(null)", "(null)"

    def _confidence_bit(self, file_number: int, run: ChannelRun | None) -> int:
        ctm = self._hypothesis
        if not ctm.runs:
            return 0
        # without words of its own a segment shows what had been read up to then
        number = file_number if run is not None else max(file_number, 0)
        return HYPOTHESIS_CONFIDENCES if ctm.has_confidences(number) else 0

    def _assign(
        self, begin: int, end: int, file: str, run: ChannelRun | None, confidence_bit: int
    ) -> None:
        say = self._progress.append
        say(f"    Performing alignments for file '{file}'.\n")
        words = range(run.begin, run.end) if run is not None else range(0)
        dropped = self._dropped_segments(begin, end, words)
        ignored = self._ignored_words(
            [segment for segment in range(begin, end) if segment not in dropped], words
        )
        skipped_words = len(ignored) - sum(
            1 for position in ignored if self._hypothesis.marks[position] != WORD
        )
        skipped_segments = ignored_segments = ignored_words = 0
        cursor = words.start
        for segment in range(begin, end):
            here = f"\r        {segment - begin + 1} of {end - begin} Segments "
            if segment in dropped:
                skipped_segments += 1
            say(here + self._scope(segment, skipped_segments, skipped_words))
            if segment not in dropped:
                first = cursor
                if segment == end - 1:
                    cursor = max(cursor, words.stop)
                else:
                    cursor = self._take(cursor, words.stop, self._reference.ends[segment])
                if self._reference.ignored[segment]:
                    ignored_segments += 1
                    ignored_words += cursor - first
            if ignored_segments:
                text = (
                    f" ({ignored_segments} Ignored Segments, {ignored_words} Ignored Hyp "
                    "Words.)    "
                )
                say(Always(text) if segment in dropped else text)
            elif segment not in dropped:
                say("    ")
            if segment not in dropped and not self._reference.ignored[segment]:
                if not self._segments:
                    self.failure = self._setting.begin()
                    if self.failure is not None:
                        return
                self._add(segment, first, cursor, ignored, confidence_bit)
        say("\n")

    def _scope(self, segment: int, skipped_segments: int, skipped_words: int) -> str:
        if not any(self._reduction):
            return f"For Channel {self._reference.channels[segment]}. "
        parts = []
        if self._reduction.reference:
            parts.append(f"{skipped_segments} skipped segs")
        if self._reduction.hypothesis:
            parts.append(f"{skipped_words} skipped words")
        return f"({', '.join(parts)}) For Channel 1. "

    def _dropped_segments(self, begin: int, end: int, words: range) -> frozenset[int]:
        if not self._reduction.reference or not words:
            return frozenset()
        stm, ctm = self._reference, self._hypothesis
        first, last = ctm.begins[words.start], ctm.finishes[words.stop - 1]
        dropped = [
            segment
            for segment in range(begin, end)
            if first >= stm.ends[segment] or last <= stm.begins[segment]
        ]
        if self._verbose >= 10:
            self._progress += [f"Segment {segment} Ignored\n" for segment in dropped]
        return frozenset(dropped)

    def _ignored_words(self, segments: Sequence[int], words: range) -> frozenset[int]:
        if not self._reduction.hypothesis or not words:
            return frozenset()
        ctm = self._hypothesis
        if segments:
            earliest = min(self._reference.begins[segment] for segment in segments)
            latest = max(self._reference.ends[segment] for segment in segments)
        else:
            earliest, latest = float("inf"), float("-inf")
        outside = [
            index
            for index in words
            if ctm.marks[index] == WORD
            and (ctm.begins[index] > latest or ctm.finishes[index] < earliest)
        ]
        if self._verbose >= 10:
            self._progress += [f"Ignore word {index + 1} {ctm.word(index)}\n" for index in outside]
        ignored = set(outside)
        position = words.start
        while position < words.stop:
            group = self._group(position, words.stop)
            spoken = [index for index in group if ctm.marks[index] == WORD]
            if spoken and ignored.issuperset(spoken):
                ignored.update(index for index in group if ctm.marks[index] != END)
            else:
                ignored.difference_update(group)
            position = group.stop
        return frozenset(ignored)

    def _group(self, position: int, stop: int) -> range:
        """Return the positions of a word, or of the whole alternation that begins at `position`."""
        ctm = self._hypothesis
        end = position + 1
        if ctm.inside[position] and ctm.marks[position] != END:
            while end < stop and ctm.inside[end]:
                end += 1
                if ctm.marks[end - 1] == END:
                    break
        return range(position, end)

    def _take(self, cursor: int, stop: int, segment_end: float) -> int:
        """Return the position after the last word of a segment, given the segment's end time."""
        midpoints, inside = self._midpoints, self._hypothesis.inside
        while cursor < stop:
            if not inside[cursor]:
                if not midpoints[cursor] < segment_end:
                    break
                cursor += 1
                continue
            group = self._group(cursor, stop)
            spoken = [
                midpoints[position]
                for position in group
                if self._hypothesis.marks[position] == WORD
            ]
            if not max([0.0, *spoken]) < segment_end:
                break
            cursor = group.stop
            # one that the file never closes swallows a word of the next stretch
            is_open = inside[group[-1]] and self._hypothesis.marks[group[-1]] != END
            if is_open and stop < self._hypothesis.size:
                return cursor + 1
        return cursor

    def _add(
        self, segment: int, first: int, stop: int, ignored: frozenset[int], confidence_bit: int
    ) -> None:
        utterance = len(self._segments)
        self._segments.append(segment)
        self._confident.append(confidence_bit)
        items, branching = self._hypothesis.items(range(first, stop), ignored)
        if branching:
            self._graphs[utterance] = items
        elif len(items) < stop - first:
            self._scattered[utterance] = [item for item in items if isinstance(item, int)]
        self._begins.append(first)
        self._ends.append(stop)
        self._progress.append(Done(utterance))
        if self._verbose < 2:
            return
        self._progress.append("\n")
        if self._verbose >= 4:
            stm = self._reference
            self._progress.append(
                f"REFTIMES:  T1: {stm.begins[segment]:f}  T2: {stm.ends[segment]:f}\n"
            )
        self._progress.append(utterance)

    def pairing(self, definitions: Definitions) -> Pairing:
        """Return the pairing of all segments with the words assigned to them."""
        stm, ctm, segments = self._reference, self._hypothesis, self._segments
        speakers = Speakers()
        numbers, identifiers = speakers.numbered(stm.speakers[segment] for segment in segments)
        bad = first_bad_text(self._setting.characters, stm.texts.chosen(segments))
        if bad is not None:
            self.failure = bad.error
            # What is said of the segment ends in blanks. sclite does not come to them where it
            # stops in its search for marks, which folds the case of texts as long as a mark.
            text = stm.texts.text(segments[bad.utterance]).lstrip(" \t").removesuffix("\n")
            is_folded = self._setting.characters.length(text) >= min(map(len, IGNORED))
            stops_early = not bad.is_cut or is_folded
            end = self._progress.index(Done(bad.utterance)) - stops_early
            del self._progress[end:]
        common = self._setting.attributes | HYPOTHESIS_TIMES | REFERENCE_SPAN
        hypothesis = NumberedSide(
            ctm.types,
            self._begins,
            self._ends,
            self._graphs,
            place=ctm.place,
            starts=ctm.begins,
            finishes=ctm.finishes,
            confidences=ctm.confidences,
        )
        for utterance, positions in self._scattered.items():
            hypothesis.keep(utterance, positions)
        return Pairing(
            speakers=speakers.names,
            utterances=Utterances(
                identifiers=identifiers,
                speakers=numbers,
                attributes=array("H", [common | bit for bit in self._confident]),
                sequences=self._setting.sequences(len(segments)),
                labels=[stm.labels[segment] for segment in segments],
                files=[stm.files[segment] for segment in segments],
                channels=[stm.channels[segment] for segment in segments],
                span_begins=array("d", [stm.begins[segment] for segment in segments]),
                span_ends=array("d", [stm.ends[segment] for segment in segments]),
            ),
            reference=stm.words(self._setting.lexicon, segments),
            hypothesis=hypothesis,
            definitions=definitions,
            progress=chain(self._progress, [Always("Expanding\n")] * definitions.expansions),
            failure=self.failure,
        )

"""One run of asclite, from the input files to the written reports.

`hubscr.pl -a` calls `run` with ready options. The command `asclite` parses its arguments into the
same options.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil
from typing import BinaryIO

from scoring.model.outputs import (
    UnopenableError,
    refuse_input,
    write_file,
    write_to_stream,
)
from scoring.nist.asclite import markup, summary
from scoring.nist.asclite.alignment import (
    AlignedSegment,
    Aligner,
    Assignment,
    GridTooLargeError,
    PathStep,
)
from scoring.nist.asclite.choices import (
    ALIGNMENT,
    BOTH,
    DEBUG,
    DEFAULT_MEMORY,
    ERROR,
    HYPOTHESIS,
    INFO,
    INVALID,
    LEFT_OUT,
    MISSING,
    NONE,
    REFERENCE,
    WARN,
    AscliteError,
    AscliteOptions,
    ChosenFile,
    Log,
    cells,
    leading_float,
    several,
    some,
)
from scoring.nist.asclite.filters import (
    ScoredPart,
    SpeakerMap,
    apply,
    read_speaker_map,
    read_uem,
    sort_segments,
)
from scoring.nist.asclite.groups import SegmentGroup, groups, size_of, utterances
from scoring.nist.asclite.network_words import GAP, NetworkSegment, NetworkWord, Numbering, Speeches
from scoring.nist.asclite.readers import Reader
from scoring.nist.transcripts.characters import to_bytes

SPEAKERS = 4
ENDINGS = {"sum": ("sys", "sys"), "rsum": ("raw", "raw"), "sgml": ("sgml", "SGML")}
_FIELDS = "SegID,{0}SegBT,{0}SegET,{0}SpkrID,{0}TknID,{0}TknBT,{0}TknET,{0}TknTxt,{0}TknConf,"
_FIELDS += "{0}TknPrev,{0}TknNext"
_HEAD = "Aligned,SegGrpID,File,Channel,Eval"
_NOTHING = "," * 10


def run(choices: AscliteOptions, output: BinaryIO, write: Callable[[str], object]) -> int:
    """Score every hypothesis against the reference, write the reports and return the exit status.

    The status is 0, or 7 with `strict` if words were not scored. Several hypotheses are scored one
    after the other, although asclite itself crashes in this case.

    Parameters
    ----------
    output
        A function or stream that takes the reports for standard output.
    write
        A function that takes texts of the log (byte text).

    Raises
    ------
    AscliteError
        If the run ends early; the message is already written, and `status` is the exit status.
    OutputError
        If a report cannot be written in full.
    """
    log = Log(choices.feedback, write)
    if choices.generic:
        _Run(choices, log, output).align_together()
        return 0
    for hypothesis in choices.hypotheses:
        _Run(choices, log, output).score(hypothesis)
    return LEFT_OUT if choices.strict and log.remarks else 0


class _Run:
    def __init__(self, choices: AscliteOptions, log: Log, output: BinaryIO) -> None:
        self._choices = choices
        self._log = log
        self._output = output
        self._numbers = Numbering()
        self._in_trn = choices.reference is not None and choices.reference.format == "trn"
        self._memory = choices.memory or DEFAULT_MEMORY
        self._filled = 0  # cells of the grid before, which asclite speaks of when it lets it go
        self._left_out: dict[str, list[int]] = {}
        self._seen: set[NetworkSegment] = set()

    # The stages of a run

    def score(self, file: ChosenFile) -> None:
        """Score one hypothesis file."""
        log = self._log
        if self._in_trn:
            log.say(INFO, "TRN file forces UEM and ISG to none!")
        self._begin()
        choices = self._choices
        assert choices.reference is not None
        speaker_map, intervals = self._maps()
        log.say(INFO, f"Load 1 reference of type {choices.reference.format}")
        reader = Reader(choices, self._numbers, log)
        reference = reader.read(choices.reference, REFERENCE)
        log.say(INFO, "Load 1 hypothesis")
        hypothesis = reader.read(file, HYPOTHESIS)
        log.say(INFO, "Filter Input data")
        if choices.complete:
            sort_segments([reference, hypothesis], log)
        apply(choices, intervals, speaker_map, [reference], [hypothesis], self._numbers, log)
        aligner = Aligner(choices, speaker_map, self._bytes)
        assignment = Assignment(aligner, log)
        log.say(INFO, "Align Input data")
        if log.wants(ALIGNMENT):
            log.say(
                ALIGNMENT,
                ",".join((_HEAD, *(side + _FIELDS.format(side) for side in ("Ref", "Hyp")))),
            )
        log.say(INFO, f"Processing system {hypothesis.title}")
        if not any(reference.segments()):
            self._reports(reference, hypothesis, ())
            raise log.refuse(MISSING, f"{reference.name}: no segment is left to be scored")
        if self._in_trn:
            found = utterances(reference, hypothesis, self._numbers, log)
        else:
            found = groups([reference], [hypothesis], self._numbers, log)
        for group in found:
            self._group(group, aligner, assignment, hypothesis.title)
        log.say(INFO, "Score Input data")
        self._warn_of_value()
        segments = list(assignment.segments.values())
        if log.wants(ALIGNMENT):
            # speaker by speaker as they come in the file: so they mostly are in asclite's memory
            firsts: dict[str, int] = {}
            for segment in sorted(reference.segments(), key=lambda segment: segment.line):
                firsts.setdefault(segment.speaker, len(firsts))
            for aligned in sorted(
                segments,
                key=lambda one: (firsts.get(one.segment.speaker, len(firsts)), one.segment.line),
            ):
                for pair in aligned.pairs:
                    log.say(ALIGNMENT, _judgement(aligned, pair))
        self._reports(reference, hypothesis, segments)
        self._account(reference, hypothesis)

    def align_together(self) -> None:
        """Align all hypotheses with each other, without a reference."""
        choices, log = self._choices, self._log
        self._begin()
        speaker_map, intervals = self._maps()
        log.say(INFO, f"Load {len(choices.hypotheses)} hypothesis")
        reader = Reader(choices, self._numbers, log)
        by_title = {
            file.title or file.path: reader.read(file, HYPOTHESIS) for file in choices.hypotheses
        }
        files = [by_title[title] for title in sorted(by_title)]
        named = [Speeches(file.path, file.title or file.path) for file in choices.hypotheses]
        log.say(INFO, "Filter Input data")
        apply(choices, intervals, speaker_map, (), files, self._numbers, log)
        log.say(INFO, "Align Input data")
        if log.wants(ALIGNMENT):
            log.say(ALIGNMENT, f"{_HEAD}[,Ref{_FIELDS.format('Ref')}]*")
        log.say(INFO, "Processing system")
        aligner = Aligner(choices, None, self._bytes)
        aligned_groups: list[list[list[NetworkWord | None]]] = []
        for group in groups((), files, self._numbers, log):
            aligned_groups.append(self._together(group, aligner))
        log.say(INFO, "Score Input data")
        log.say(INFO, "Generate reports")
        name = (
            f"{choices.directory}/generic-report.xml" if choices.directory else "generic-report.xml"
        )
        self._put(
            name,
            "XML Generic report",
            "XML Generic report",
            self._multiple(named, files, aligned_groups),
        )
        self._free()
        log.say(INFO, "Job complete")

    @staticmethod
    def _multiple(
        named: Sequence[Speeches],
        files: Sequence[Speeches],
        aligned_groups: list[list[list[NetworkWord | None]]],
    ) -> Iterator[str]:
        """Yield the report on groups that were aligned across hypotheses.

        `named` are the hypotheses in the order of the command line.
        """
        titles = {file.title: file for file in files}
        return markup.render_multiple(
            [titles[speeches.title] for speeches in named], aligned_groups
        )

    def _begin(self) -> None:
        self._log.say(
            INFO,
            f"Using {self._memory} GB of memory for computation graph. "
            f"({cells(self._memory)} cells)",
        )
        self._log.say(INFO, "Initialize Recording")
        self._log.say(INFO, "Loading Input files")

    @property
    def _bytes(self) -> int:
        return max(4 * cells(self._memory), 4096)

    def _maps(self) -> tuple[SpeakerMap | None, list[ScoredPart] | None]:
        choices = self._choices
        speaker_map: SpeakerMap | None = None
        intervals: list[ScoredPart] | None = None
        if choices.speaker_map is not None:
            speaker_map = read_speaker_map(choices.speaker_map, self._log)
        if choices.uem is not None and not self._in_trn:
            intervals = read_uem(choices.uem, self._log)
        return speaker_map, intervals

    # One group

    def _group(
        self, group: SegmentGroup, aligner: Aligner, assignment: Assignment, title: str
    ) -> None:
        log = self._log
        self._seen.update(segment for axis in group.references for segment in axis)
        self._seen.update(segment for axis in group.hypotheses for segment in axis)
        gap = False
        if not group.hypotheses:
            group.hypotheses.append([NetworkSegment(self._numbers.take(3), 0, 0)])
            gap = [segment.speaker == GAP for axis in group.references for segment in axis[:1]] == [
                True
            ]
        log.say(DEBUG, group.describe())
        if gap:
            self._skip(group, "Inter Segment Gap versus Empty Hyp")
        reason = self._reason(group)
        if reason is None:
            cost, steps = self._aligned(group, aligner)
            log.say(DEBUG, f"Store {len(steps)} GAS for hyp: '{title}' cost: ({cost})")
            assignment.add(group, steps)
        else:
            if log.wants(ALIGNMENT) and not gap:
                self._members(group, "NO")
            self._leave_out(group, reason)
        if log.wants(ALIGNMENT) and not gap:
            self._members(group, "SG")

    def _leave_out(self, group: SegmentGroup, reason: str) -> None:
        lost = self._left_out.setdefault(reason, [0, 0, 0])
        lost[0] += 1
        for side, words in enumerate(group.words, 1):
            lost[side] += sum(map(len, words))

    def _aligned(
        self, group: SegmentGroup, aligner: Aligner
    ) -> tuple[int, list[list[NetworkWord]]]:
        """Write asclite's log lines about a group; return its alignment (cost and steps)."""
        self._explain(group)
        try:
            alignment = aligner.align(group)
        except GridTooLargeError as error:
            raise self._too_large(group, error) from None
        except ValueError as error:
            raise self._log.refuse(INVALID, f"group {group.number}: {error}") from None
        if self._choices.by_time:
            self._log.say(DEBUG, f"Use Safe divider ({aligner.divider})!")
        return alignment

    def _skip(self, group: SegmentGroup, reason: str) -> None:
        self._log.say(WARN, f"Skip this group of segments ({group.number}): {reason}")

    def _reason(self, group: SegmentGroup) -> str | None:
        """Return why a group is not scored, and write asclite's log line about it.

        Returns None if the group is scored.
        """
        choices, size = self._choices, group.cells
        speakers = len(group.references)
        most = choices.most_speakers
        if most is None and not choices.complete:
            most = SPEAKERS
        if any(segment.ignored for axis in group.references for segment in axis):
            self._skip(group, "Ignore this time segments in scoring set into the references")
            return "to be ignored"
        if choices.only_group is not None and group.number != choices.only_group:
            self._skip(group, f"Only scoring {choices.only_group}")
            return "-only-SG"
        if most is not None and speakers > most:
            text = f"nb of reference speaker ({speakers}) overlaping to high (limit: {most})"
            self._skip(group, text)
            return "-overlap-limit"
        if speakers < choices.least_speakers:
            text = f"nb of reference speaker ({speakers}) overlaping to small"
            self._skip(group, f"{text} (limit: {choices.least_speakers})")
            return "-overlap-min"
        limits = (
            (choices.difficulty, False, "difficulty limit", "-difficulty-limit"),
            (choices.least_difficulty, True, "min difficulty limit", "-min-difficulty-limit"),
        )
        for given, is_below, name, option in limits:
            if given is None:
                continue
            limit = cells(given)
            if size < limit if is_below else size > limit:
                self._skip(group, _size(size, "small" if is_below else "large", name, limit, given))
                return option
        return self._beyond_memory(group)

    def _beyond_memory(self, group: SegmentGroup) -> str | None:
        choices, size = self._choices, group.cells
        limit, two = cells(self._memory), cells("2.0")
        compressed = choices.compressed or choices.force_compression
        if size > limit or size > two:
            given, least = (self._memory, limit) if size > limit else ("2.0", two)
            if compressed:
                self._log.say(
                    INFO,
                    "Using Levenshtein Matrix Compression Algorithm for group of segments "
                    f"({group.number})",
                )
            elif choices.memory is not None and size > limit:
                text = _size(size, "large", "memory limit", limit, given)
                self._skip(group, f"{text} and no compression have been set")
                return "-memory-limit"
            else:
                self._log.remark(
                    f"group {group.number}: {size} cells, more than the {least} above which "
                    "asclite leaves a group out: scored",
                    harmless=True,
                )
        if choices.force_compression:
            self._log.say(
                INFO,
                "Forcing Levenshtein Matrix Compression Algorihm for group of segments "
                f"({group.number})",
            )
        return None

    def _too_large(self, group: SegmentGroup, error: GridTooLargeError) -> AscliteError:
        needed = ceil(error.needed / 2**30 * 10000) / 10000
        # a limit alone leaves out groups, as the original's does
        compressed = self._choices.compressed or self._choices.force_compression
        option = "" if compressed else "-memory-compression 256 "
        return self._log.refuse(
            INVALID,
            f"group {group.number}: {group.cells} cells do not fit into {self._memory} GB even in "
            f"blocks; {option}-memory-limit {needed:g} is the smallest that works",
        )

    def _explain(self, group: SegmentGroup) -> None:
        """Write asclite's log lines about the grid of a group, before its alignment."""
        self._free()
        self._warn_of_value()
        model = "Time base" if self._choices.by_time else "Word"
        compressed = self._choices.force_compression or group.cells > cells(self._memory)
        self._log.say(DEBUG, f"Using {model} cost model")
        self._log.say(DEBUG, f"Lenvenshtein Matrix Compression: {'ON' if compressed else 'OFF'}")
        if not compressed:
            self._log.say(DEBUG, f"ArrayLevenshteinMatrix: {group.cells} cells")
        self._log.say(DEBUG, "Allocation done!")
        self._filled = group.cells

    def _warn_of_value(self) -> None:
        value = self._choices.optional
        if value not in (NONE, REFERENCE, HYPOTHESIS, BOTH):
            text = f"The <align.optionally> property has an unrecognized value: '{value}'"
            self._log.say(WARN, text)

    def _free(self) -> None:
        if self._filled:
            text = f"Total Size: {self._filled}, Calculated: {self._filled}"
            self._log.say(DEBUG, f"Array Levenshtein Matrix: {text}")

    def _members(self, group: SegmentGroup, kind: str) -> None:
        """Write the log lines about the segments of a group."""
        for place, side in enumerate((group.references, group.hypotheses)):
            for segment in (segment for axis in side for segment in axis):
                # a word after an alternation says to be of its segment
                told = [(word.segment, _word_fields(word)) for word in segment.words()]
                for owner, fields in told or [(segment, _segment_fields(segment))]:
                    both = [_NOTHING, fields] if place else [fields, _NOTHING]
                    where = f"{kind},{group.number},{owner.file},{owner.channel}"
                    self._log.say(ALIGNMENT, f"{where},,{','.join(both)}")

    def _together(self, group: SegmentGroup, aligner: Aligner) -> list[list[NetworkWord | None]]:
        self._log.say(DEBUG, group.describe())
        reason = self._reason(group)
        if self._log.wants(ALIGNMENT):
            self._members(group, "SG")
        if reason is not None:
            if self._log.wants(ALIGNMENT):
                self._members(group, "NO")
            self._leave_out(group, reason)
            return []
        cost, steps = self._aligned(group, aligner)
        self._log.say(DEBUG, f"{len(steps)} GAS cost: ({cost})")
        axis_of = {word: axis for axis, words in enumerate(group.words[1]) for word in words}
        rows: list[list[NetworkWord | None]] = []
        for words in steps:
            row: list[NetworkWord | None] = [None] * len(group.hypotheses)
            for word in words:
                row[axis_of[word]] = word
            rows.append(row)
            if self._log.wants(ALIGNMENT):
                where = f"YES,{group.number},{words[0].segment.file},{words[0].segment.channel}"
                fields = [_NOTHING if word is None else _word_fields(word) for word in row]
                self._log.say(ALIGNMENT, f"{where},,{','.join(fields)}")
        return rows

    # Reports

    def _reports(
        self, reference: Speeches, hypothesis: Speeches, segments: Sequence[AlignedSegment]
    ) -> None:
        log, choices = self._log, self._choices
        log.say(INFO, "Generate reports")
        root = hypothesis.name
        if choices.directory:
            root = f"{choices.directory}/{root.rpartition('/')[2]}"
        title = hypothesis.title.rpartition("/")[2]
        for report in choices.reports:
            if report == "stdout":
                continue
            suffix, name = ENDINGS[report]
            if report == "sgml":
                lines = markup.render(choices, title, reference, hypothesis, segments)
            else:
                speakers = choices.speaker_map is not None
                lines = summary.render(title, segments, counts=report == "rsum", speakers=speakers)
            self._put(f"{root}.{suffix}", f"{name} report", f"{name} report", lines)
        self._free()
        log.say(INFO, "Job complete")

    def _put(self, path: str, text: str, failure: str, lines: Iterable[str]) -> None:
        """Write a report to its file, or to standard output with `-o stdout`."""
        content = (to_bytes(f"{line}\n") for line in lines)
        if "stdout" in self._choices.reports:
            self._log.say(INFO, f"Generating {text} in the stdout.")
            write_to_stream(self._output, content)
            return
        files = [self._choices.reference, *self._choices.hypotheses]
        refuse_input(path, [file.path for file in files if file is not None])
        try:
            write_file(path, content)
        except UnopenableError:
            self._log.say(
                ERROR,
                f"Could not open file '{path}' for {failure}, the output will be redirected in "
                "the stdout to avoid any lost.",
            )
            self._log.remark(f"{path}: cannot be written, the report is lost")
            return
        self._log.say(INFO, f"Generating {text} file '{path}'.")

    def _account(self, reference: Speeches, hypothesis: Speeches) -> None:
        """Write how many words no report counts, with the reason for each number."""
        for reason, (count, spoken, heard) in self._left_out.items():
            self._log.remark(
                f"{some(count, 'group')} ({reason}) with {some(spoken, 'reference word')} and "
                f"{some(heard, 'hypothesis word')} not scored"
            )
        lost = [
            sum(len(segment.words()) for segment in file.segments() if segment not in self._seen)
            for file in (reference, hypothesis)
        ]
        if any(lost):
            names = ("reference word", "hypothesis word")
            words = several(
                [some(n, name) if n else "" for n, name in zip(lost, names, strict=True)]
            )
            self._log.remark(f"{hypothesis.name}: {words} in no group of segments: not scored")


def _size(size: int, noun: str, name: str, limit: int, most: str) -> str:
    return (
        f"the graph size will be too {noun} ({size} [{size_of(size)}]) regarding the {name} "
        f"({limit} [{leading_float(most):.2f} GB])"
    )


def _time(milliseconds: int) -> str:
    return "" if milliseconds < 0 else f"{milliseconds / 1000:.3f}"


def _segment_fields(segment: NetworkSegment) -> str:
    times = f"{_time(segment.begin)},{_time(segment.end)}"
    return f"{segment.number},{times},{segment.speaker},,,,,,,"


def _word_fields(word: NetworkWord) -> str:
    segment = word.segment
    confidence = "" if word.confidence is None else f"{word.confidence:.3f}"
    links = ("|".join(str(linked.number) for linked in side) for side in (word.before, word.after))
    times = f"{_time(segment.begin)},{_time(segment.end)},{segment.speaker},{word.number}"
    fields = f"{_time(word.begin)},{_time(word.end)},{word.text},{confidence}"
    return f"{segment.number},{times},{fields},{','.join(links)}"


def _judgement(aligned: AlignedSegment, pair: PathStep) -> str:
    word = pair.reference or pair.hypothesis
    assert word is not None
    words = (pair.reference, pair.hypothesis)
    fields = [_NOTHING if one is None else _word_fields(one) for one in words]
    where = f"{word.segment.file},{word.segment.channel},{pair.letter}"
    return f"YES,{aligned.group},{where},{','.join(fields)}"

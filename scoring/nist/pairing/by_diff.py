"""Pairing and alignment by the system's `diff`: trn with trn, stm with ctm or txt (option `-d`).

One call of diff compares a whole trn or txt file, or a whole channel of a ctm file. Pairing and
alignment are therefore one step. Times are not used, and words have neither times nor confidences
in the result.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise

from scoring.alignment.numbered import NumberedSide, WordType
from scoring.alignment.side_by_side import SideBySideLine, deal_out, side_by_side
from scoring.alignment.sides import Edits
from scoring.alignment.system import CASE_SENSITIVE, Utterances
from scoring.model.counts import Edit
from scoring.model.errors import OriginalError, ScoringError
from scoring.nist.pairing import (
    Always,
    Pairing,
    Progress,
    Setting,
    Speakers,
    same_for_all,
)
from scoring.nist.pairing.by_identifier import match, speaker_numbers
from scoring.nist.transcripts.ctm import ChannelRun, CtmFile
from scoring.nist.transcripts.input_files import Definitions, TranscriptFile, remark
from scoring.nist.transcripts.lexicon import Lexicon, Spans
from scoring.nist.transcripts.pieces import FirstAlternatives, pieces
from scoring.nist.transcripts.stm import StmFile
from scoring.nist.transcripts.txt import read_txt


class _Alignments:
    """The words and edits of utterances, collected one utterance after the other."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._numbers: dict[bytes, int] = {}
        self._columns = [(array("i"), array("q"), array("q")) for _ in range(2)]
        self._edits = bytearray()
        self._offsets = array("q", [0])
        self._counts = array("i")

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def add(self, lines: Sequence[SideBySideLine]) -> None:
        """Add the alignment of one more utterance."""
        edits = bytes([line.edit for line in lines])
        self._edits += edits
        self._offsets.append(len(self._edits))
        self._counts.extend([edits.count(edit) for edit in range(Edit.INSERTION + 1)])
        for (types, begins, ends), words in zip(
            self._columns,
            ([line.reference for line in lines], [line.hypothesis for line in lines]),
            strict=True,
        ):
            begins.append(len(types))
            types.extend([self._number(word) for word in words if word is not None])
            ends.append(len(types))

    def _number(self, word: bytes) -> int:
        """Return the number of a word.

        A final asterisk is a mark of diff and not part of the word.
        """
        number = self._numbers.get(word)
        if number is None:
            text = (word[:-1] if len(word) > 1 and word.endswith(b"*") else word).decode("latin-1")
            type_ = WordType(text, (None, None), text, null=False, optional=False, fragment=False)
            number = self._numbers[word] = self._lexicon.made(type_)
        return number

    def pairing(
        self,
        speakers: Speakers,
        utterances: Utterances,
        definitions: Definitions,
        progress: Progress,
        failure: ScoringError | None,
    ) -> Pairing:
        """Return the pairing of the collected utterances."""
        left, right = (NumberedSide(*columns) for columns in self._columns)
        return Pairing(
            speakers=speakers.names,
            utterances=utterances,
            reference=left,
            hypothesis=right,
            definitions=definitions,
            progress=progress,
            failure=failure,
            edits=Edits(bytes(self._edits), self._offsets, self._counts, []),
        )


def pair_trn_by_diff(
    reference_source: TranscriptFile,
    hypothesis_source: TranscriptFile,
    setting: Setting,
    identifier_kind: str,  # value of option `-i`
    alternatives: FirstAlternatives,  # reads the reference texts
) -> Pairing:
    """Align two trn files with one call of diff; `by_identifier` finds matching lines.

    If words follow the last word of an utterance, they count as insertions before the first word of
    the next utterance. An error of any kind is returned as the `failure` of the result.
    """
    progress: list[str | int] = ["    Loading transcripts\n"]
    alignments, speakers = _Alignments(setting.lexicon), Speakers()
    definitions = Definitions(setting.warn)
    identifiers: Sequence[str] = []
    numbers: list[int] = []
    failure: ScoringError | None = None
    try:
        reference, hypothesis, partners, definitions = match(
            reference_source, hypothesis_source, setting
        )
        progress += [Always("Expanding\n")] * definitions.expansions
        numbers, _ = speaker_numbers(hypothesis.identifiers, identifier_kind, speakers, setting)
        texts = reference.texts.chosen(partners)
        references = [alternatives.words(text) for text in _contents(texts)]
        words = [pieces(text, setting.characters) for text in _contents(hypothesis.texts)]
        progress.append("    Executing diff\n")
        lines = side_by_side(list(chain(*references)), list(chain(*words)))
        begin = 0
        for number, dealt in enumerate(deal_out(lines, references, last_takes_all=True)):
            alignments.add(dealt)
            begin += len(dealt)
            if setting.verbose >= 3:
                progress.append(
                    f"REF: {texts.text(number)}\nHYP: {hypothesis.texts.text(number)}\n"
                )
            progress += setting.feedback(number)
        identifiers = hypothesis.identifiers
        setting.warn_of_lost_words(len(lines) - begin, hypothesis.name)
    except ScoringError as problem:
        failure = problem
    count = len(alignments)
    utterances = Utterances(
        identifiers=identifiers[:count],
        speakers=numbers[:count],
        attributes=same_for_all(setting.attributes & CASE_SENSITIVE, count),
        sequences=setting.sequences(count),
    )
    return alignments.pairing(speakers, utterances, definitions, iter(progress), failure)


def pair_stm_by_diff(
    reference_source: TranscriptFile,
    hypothesis_source: TranscriptFile,
    setting: Setting,
    alternatives: FirstAlternatives,
) -> Pairing:
    """Align the segments of an stm file with the words of a ctm file, channel by channel.

    Hypothesis words after the last reference word of a channel belong to its last segment. As in
    sclite, two things are lost, and `warn` reports them: such words in the last channel of the stm
    file, which improves the score, and reference recordings after the last recording of the
    hypothesis.
    """
    reference = StmFile(reference_source, setting.characters, setting.warn)
    hypothesis = CtmFile(
        hypothesis_source,
        "hypothesis",
        setting.characters,
        setting.lexicon,
        setting.warn,
        by_diff=True,
    )
    segments = _Segments(reference, setting, alternatives)
    walk = _ChannelWalk(reference, hypothesis, segments, setting)
    failure: ScoringError | None = None
    try:
        walk.all_recordings()
    except ScoringError as problem:
        failure = problem
    # the original has forgotten what the file is called, and shows the channel in its place
    return segments.pairing(reference.channels, failure)


def pair_txt_by_diff(
    reference_source: TranscriptFile,
    hypothesis_source: TranscriptFile,
    setting: Setting,
    alternatives: FirstAlternatives,
) -> Pairing:
    """Align the segments of an stm file with the words of a text.

    If the last line of the stm file has no line end, it is skipped.
    """
    reference = StmFile(reference_source, setting.characters, setting.warn, terminated_only=True)
    hypothesis = read_txt(hypothesis_source, setting.characters, setting.warn)
    segments = _Segments(reference, setting, alternatives)
    failure: ScoringError | None = None
    try:
        lost = segments.align(range(len(reference)), hypothesis, last_takes_all=True)
        setting.warn_of_lost_words(lost, hypothesis_source.name)
    except ScoringError as problem:
        failure = problem
    return segments.pairing(reference.files, failure)


class _Segments:
    """The alignments of an stm file's segments, collected in file order."""

    def __init__(
        self, reference: StmFile, setting: Setting, alternatives: FirstAlternatives
    ) -> None:
        self._reference = reference
        self._setting = setting
        self._alternatives = alternatives
        self._alignments = _Alignments(setting.lexicon)
        self.progress: list[str | int] = []

    def announce(self, file: str) -> None:
        """Report that the alignment of a recording begins."""
        self.progress.append(f"    Performing alignments for file '{file}'.\n")

    def align(self, segments: range, words: list[bytes], *, last_takes_all: bool) -> int:
        """Align `segments` with `words`; return how many words no segment gets."""
        texts = self._reference.texts.chosen(list(segments))
        references = [self._alternatives.words(text) for text in _contents(texts)]
        lines = side_by_side(list(chain(*references)), words)
        begin = 0
        for dealt in deal_out(lines, references, last_takes_all=last_takes_all):
            begin += len(dealt)
            self.progress += self._setting.feedback(len(self._alignments))
            self._alignments.add(dealt)
        return len(lines) - begin

    def pairing(self, files: Sequence[str], failure: ScoringError | None) -> Pairing:
        """Return the pairing of the collected utterances; `files` are the file names in reports."""
        reference, setting, count = self._reference, self._setting, len(self._alignments)
        speakers = Speakers()
        numbers, identifiers = speakers.numbered(reference.speakers[:count])
        utterances = Utterances(
            identifiers=identifiers,
            speakers=numbers,
            attributes=same_for_all(setting.attributes & CASE_SENSITIVE, count),
            sequences=setting.sequences(count),
            labels=reference.labels[:count],
            files=files[:count],
            channels=reference.channels[:count],
        )
        definitions = Definitions(setting.warn)
        return self._alignments.pairing(
            speakers, utterances, definitions, iter(self.progress), failure
        )


class _ChannelWalk:
    """Pairs the recordings of an stm and a ctm file, with at most two channels each.

    A run is a sequence of lines with the same recording and channel.
    """

    def __init__(
        self, reference: StmFile, hypothesis: CtmFile, segments: _Segments, setting: Setting
    ) -> None:
        self._reference = reference
        self._hypothesis = hypothesis
        self._segments = segments
        self._setting = setting
        self._stretches = [
            range(begin, end)
            for begin, end in zip(reference.runs[:-1], reference.runs[1:], strict=True)
        ]
        self._texts = setting.lexicon.table.texts()
        runs = hypothesis.runs
        changes = [run.file != following.file for run, following in pairwise(runs)]
        self._file_numbers = list(accumulate(changes, initial=0))

    def all_recordings(self) -> None:
        """Process all recordings of the hypothesis."""
        runs = self._hypothesis.runs
        index = run_at = 0
        while run_at < len(runs):
            channels = self._channels(index)
            run_channels = self._run_channels(run_at)
            if index < len(self._stretches) and channels != run_channels:
                raise OriginalError(
                    f"align_ctm_to_stm: Channel Mis-match, {run_channels} in Hyp, {channels} in Ref"
                    "\nsclite: Alignment failed.  Exiting.\n"
                )
            if index < len(self._stretches):
                file = self._reference.files[self._stretches[index].start]
                self._segments.announce(file)
            for _ in range(run_channels):
                self._channel(index, runs[run_at])
                index += 1
                run_at += 1
        if not runs:  # sclite crashes
            for segments in self._stretches:
                self._segments.announce(self._reference.files[segments.start])
                self._segments.align(segments, [], last_takes_all=False)
        elif index < len(self._stretches):
            lost = len(self._reference) - self._stretches[index].start
            problem = f"{lost} segments after the last recording of the hypothesis are not scored"
            self._setting.warn(remark(self._reference.name, problem))

    def _channels(self, index: int) -> int:
        """Return how many channels (1 or 2) the recording at run `index` has in the reference."""
        files = self._reference.files
        following = self._stretches[index + 1 : index + 2]
        same = [
            stretch
            for stretch in following
            if files[stretch.start] == files[self._stretches[index].start]
        ]
        return 1 + len(same)

    def _run_channels(self, index: int) -> int:
        """Return how many channels (1 or 2) the recording at run `index` has in the hypothesis."""
        runs = self._hypothesis.runs
        if index + 1 == len(runs) or runs[index + 1].file != runs[index].file:
            return 1
        load = self._hypothesis.load_of(self._file_numbers[index])
        return 1 if runs[index + 1].begin >= load.end - 1 else 2

    def _channel(self, index: int, run: ChannelRun) -> None:
        is_listed = index < len(self._stretches)
        segments = self._stretches[index] if is_listed else range(0)
        file = self._reference.files[segments.start] if is_listed else "(null)"
        channel = self._reference.channels[segments.start] if is_listed else "(null)"
        names = f"hyp file '{run.file}' and ref file '{file}' not synchronized\n"
        failed = "sclite: Alignment failed.  Exiting.\n"
        if run.file != file:
            problem = "align_ctm_to_stm: File identifiers do not match,\n"
            raise OriginalError(f"{problem}{names}{failed}")
        if run.channel != channel:
            problem = "align_ctm_to_stm: channel identifiers do not match, "
            raise OriginalError(f"{problem}{names}{failed}")
        types = self._hypothesis.types[run.begin : run.end]
        last = index == len(self._stretches) - 1
        words = [self._texts[number] for number in types]
        lost = self._segments.align(segments, words, last_takes_all=not last)
        self._setting.warn_of_lost_words(lost, self._hypothesis.name)


def _contents(texts: Spans) -> Iterator[bytes]:
    """Yield the bytes of each text."""
    for begin, end in zip(texts.begins, texts.ends, strict=True):
        yield texts.data[begin:end]

"""Computes the errors of a diarisation from two sides."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, product
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from formats.io.progress import told
from formats.schema.messages import Message
from formats.schema.times import nanoseconds
from scoring.model.calls import suggesting
from scoring.model.errors import InputError, OptionValueError
from scoring.options import Options
from scoring.sides.corpus import ListedNames, SideRemark
from scoring.sides.given import readings_of
from scoring.tasks import messages
from scoring.tasks.speakers.der import exclusion
from scoring.tasks.speakers.der import rules as choice
from scoring.tasks.speakers.der.changes import segmentation_of
from scoring.tasks.speakers.der.diarisation_errors import (
    Agreement,
    DiarisationErrors,
    Entropies,
    RecordingErrors,
    Speaker,
    SpeakerTime,
)
from scoring.tasks.speakers.der.exclusion import LEAST_REACH, NOSCORE, SOUND, SOUNDS_REACH, zones
from scoring.tasks.speakers.der.frames import FRAME_NS, frame_pieces, frame_sums
from scoring.tasks.speakers.der.mapping import best_mapping, greedy_mapping, mapping_of_most
from scoring.tasks.speakers.der.pieces import (
    Pieces,
    counts_of,
    cut,
    overlaps_of,
    speaker_times,
    speakers_in,
    times_of,
    total,
)
from scoring.tasks.speakers.der.rules import (
    REFERENCE,
    REGIONS,
    CollarIs,
    DiarisationRules,
    Speaking,
    Tool,
    rules_like,
)
from scoring.tasks.speakers.der.spans import (
    ScoredSpan,
    ScoredSpans,
    collars,
    covered,
    united,
    within,
    without,
)
from scoring.tasks.speakers.der.speaker_turns import (
    GivenRegion,
    GivenTurns,
    RecordingTurns,
    TurnsByRecording,
    listed,
    regions_of,
    turns_by_recording,
)

if TYPE_CHECKING:
    from scoring.results.record import Shard

# What is scored: from which side's turns it is taken (a `str`), or a region.
ScoredRegion: TypeAlias = GivenRegion
MissingRecording: TypeAlias = Literal["error", "score"]
By: TypeAlias = Literal["channel", "speakers"]
ERROR: Final = "error"
SCORE: Final = "score"
MISSING: tuple[MissingRecording, ...] = get_args(MissingRecording)
CHANNEL = "channel"
BY: tuple[By, ...] = get_args(By)


class OneSidedError(InputError):
    """Raised if a side lacks recordings that the other side has."""

    status = 2


class Recording(NamedTuple):
    """A recording with the turns of both sides and, optionally, the region to score."""

    name: str
    reference: RecordingTurns
    hypothesis: RecordingTurns
    region: list[ScoredSpan] | None
    sides: str


class Read(NamedTuple):
    """The recordings to score, and the messages of the readers."""

    recordings: tuple[Recording, ...]
    remarks: tuple[SideRemark, ...]
    by: str | None = None


@suggesting({"boundary_collar": "collar", "uem": "region", "skip_overlaps": "skip_overlap"})
def der(
    reference: GivenTurns,
    hypothesis: GivenTurns,
    *,
    collar: float = 0.0,
    collar_is: CollarIs | None = None,
    skip_overlap: bool = False,
    region: ScoredRegion | None = None,
    like: Tool | None = None,
    missing: MissingRecording = ERROR,
    by: By | None = None,
    mapping: choice.Mapping | None = None,
    speaking: Speaking | None = None,
    tolerance: float = 0.5,
    options: Options | None = None,
) -> DiarisationErrors:
    """Return the diarisation error of a hypothesis: speaker time missed, false and confused.

    Parameters
    ----------
    reference, hypothesis
        A file of any format with speakers and times (a path or `sclite_kit.File`), a transcript,
        its segments, turns by recording: `{"talk": [("anne", 0.0, 2.5)]}`, in seconds, or an
        `Annotation` or a `Timeline` of pyannote.core (its segments are speech of one speaker).
    collar
        Seconds around each boundary of the reference's turns that are not scored.
    collar_is
        `each-side`: before and after a boundary; `total`: half of it on each side. None: as in the
        tool of `like`, `total` for pyannote and `each-side` for all others.
    skip_overlap
        Skip intervals in which the reference has several simultaneous turns.
    region
        Time to score: from the first start to the last end of the `reference` or of `both` sides;
        or a uem file, spans by recording in seconds, or a pyannote `Timeline`. None: `both`, or as
        in the tool.
    like
        Count as `md-eval`, `dscore`, `pyannote`, `meeteval` (its `dscore`) or `spyder` do; None: as
        dscore, but without what the reference marks as not to be scored.
    missing
        What to do with recordings of one side only. `error`: raise. `score`: the speech of the
        reference counts as missed, the speech of the hypothesis as false alarms (tools differ, see
        `DiarisationRules.one_sided`).
    by
        `channel`: score each channel separately, with speakers of its own, as md-eval does with
        every rttm; `DiarisationErrors.per_group` has the sums by channel. ``speakers`` sums by the
        number of speakers of a recording in the reference. None: score a recording
        with its channels together.
    mapping
        How speakers get partners: `best`, the most common time in all (default); `greedy`, the pair
        with the most common time first; `names`, by equal names (identification error).
    speaking
        Score `all` time (default), or only where one speaker of the reference speaks (`single`),
        several (`overlap`), or at most one (`nonoverlap`).
    tolerance
        Seconds by which a speaker change may be off, and below which gaps are filled in segments.
    options
        Options for reading files: formats, encodings and reader options.

    Raises
    ------
    formats.FormatError, ScoringError
        If a file cannot be read, has no speaker turns, or the sides' recordings differ.
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> errors = der(
    ...     {"talk": [("anne", 0, 10), ("bob", 10, 20)]}, {"talk": [("x", 0, 12), ("y", 12, 21)]}
    ... )
    >>> errors.scored_seconds, errors.false_alarm_seconds, errors.confusion_seconds
    (20.0, 1.0, 2.0)
    >>> errors.error_rate, errors.recordings[0].mapping
    (0.15, {'anne': 'x', 'bob': 'y'})
    """
    side = region if isinstance(region, str) and region in REGIONS else None
    rules = rules_like(
        like,
        collar_ns=nanoseconds(collar),
        collar_is=collar_is,
        skip_overlap=skip_overlap or None,
        region=side,
        mapping=mapping,
        speaking=speaking,
        tolerance_ns=nanoseconds(tolerance),
    )
    regions = None if side is not None else region
    return score(read(reference, hypothesis, regions, missing, options, by), rules, like)


def read(
    reference: GivenTurns,
    hypothesis: GivenTurns,
    region: ScoredRegion | None = None,
    missing: str = ERROR,
    options: Options | None = None,
    by: str | None = None,
) -> Read:
    """Read both sides by recording; takes the arguments of `der` and raises its errors."""
    if missing not in MISSING:
        raise OptionValueError("missing", expected=" or ".join(MISSING), found=repr(missing))
    if by is not None and by not in BY:
        raise OptionValueError("by", expected=" or ".join(BY), found=repr(by))
    apart = by == CHANNEL
    remarks: list[SideRemark] = []
    readings = readings_of(options or Options())
    ours, path = turns_by_recording(reference, "reference", readings[0], remarks, apart)
    theirs, _ = turns_by_recording(hypothesis, "hypothesis", readings[1], remarks, apart)
    if len(ours) == len(theirs) == 1 and ours.keys() != theirs.keys():
        [name], [hypothesis_name] = ours, theirs
        fields = {"recording": hypothesis_name, "target": name}
        remarks.append(Message(messages.OTHER_RECORDING, fields))
        theirs = {name: theirs[hypothesis_name]}
    for names, having, lacking in (
        ([name for name in ours if name not in theirs], "reference", "hypothesis"),
        ([name for name in theirs if name not in ours], "hypothesis", "reference"),
    ):
        if names and missing == ERROR:
            value = Message(
                messages.NOT_IN_BOTH,
                {"side": lacking, "names": ListedNames.of(names).fields["names"]},
            )
            raise OneSidedError(path or f"<{having}>", None, None, value)
        if names:
            fields = {"side": having, **ListedNames.of(names).fields}
            remarks.append(Message(messages.ONE_SIDED, fields))
    regions = None if region is None else regions_of(region, remarks, {*ours, *theirs}, apart)
    recordings = tuple(_recordings(ours, theirs, regions, remarks))
    return Read(recordings, tuple(remarks), by)


def _recordings(
    ours: TurnsByRecording,
    theirs: TurnsByRecording,
    regions: Mapping[str, list[ScoredSpan]] | None,
    remarks: list[SideRemark],
) -> Iterable[Recording]:
    names = list(dict.fromkeys((*ours, *theirs)))
    if regions is not None:
        unnamed = [name for name in names if name not in regions]
        if len(unnamed) == len(names):
            problem = f"expected regions of {listed(names)}, found {listed(regions) or 'none'}"
            raise InputError("region", None, None, problem)
        if unnamed:
            remarks.append(Message(messages.WITHOUT_REGION, ListedNames.of(unnamed).fields))
        names = [name for name in names if name in regions]
        unknown = [name for name in regions if name not in names]
        if unknown:
            remarks.append(Message(messages.UNKNOWN_REGION, ListedNames.of(unknown).fields))
    silent = [name for name in names if name in ours and not ours[name].turns]
    if silent:
        remarks.append(Message(messages.SILENT, ListedNames.of(silent).fields))
    for name in names:
        sides = "both"
        if name not in ours or name not in theirs:
            sides = "reference" if name in ours else "hypothesis"
        spans = None if regions is None else covered(regions[name])
        yield Recording(
            name, ours.get(name, RecordingTurns()), theirs.get(name, RecordingTurns()), spans, sides
        )


def _dropped_sides(rules: DiarisationRules) -> tuple[str, ...]:
    """Return the sides whose recordings are dropped if the other side lacks them."""
    return {
        choice.LEFT_OUT: ("reference", "hypothesis"),
        choice.OF_REFERENCE: ("hypothesis",),
    }.get(rules.one_sided, ())


def score(
    sides: Read, rules: DiarisationRules, like: str | None = None, shard: Shard | None = None
) -> DiarisationErrors:
    """Compute the errors by the given rules; for a shard, only for its recordings."""
    remarks = list(sides.remarks)
    left = _dropped_sides(rules)
    out = [recording.name for recording in sides.recordings if recording.sides in left]
    if out:
        fields = {"tool": like, **ListedNames.of(out).fields}
        remarks.append(Message(messages.DROPPED, fields))
    kept = [recording for recording in sides.recordings if recording.sides not in left]
    if shard is not None:
        kept = kept[slice(*shard.bounds(len(kept)))]
    scored = (_scored(recording, rules) for recording in told(kept, "recordings"))
    return DiarisationErrors(rules, like, tuple(scored), tuple(remarks), sides.by)


class MatchedTurns(NamedTuple):
    """The turns of a recording by speaker, in order of names, cut into scored pieces."""

    names: Sequence[Sequence[str]]  # of the reference, of the hypothesis
    turns: Sequence[Sequence[ScoredSpans]]
    region: list[ScoredSpan]
    scored: Pieces
    decisive: Pieces  # those that decide the mapping
    overlaps: Mapping[tuple[int, int], float]  # their common time of each pair of speakers
    mapping: Mapping[int, int]  # from numbers of speakers of the reference


def matched_turns(sides: Read, rules: DiarisationRules) -> Iterator[tuple[str, MatchedTurns]]:
    """Yield each scored recording with its name and its turns."""
    left = _dropped_sides(rules)
    for recording in sides.recordings:
        if recording.sides not in left:
            yield recording.name, _matched(recording, rules)


def _matched(recording: Recording, rules: DiarisationRules) -> MatchedTurns:
    sides = recording.reference, recording.hypothesis
    names = [sorted(side.turns) for side in sides]
    turns = [
        [_turns(side.turns[name], rules) for name in side_names]
        for side, side_names in zip(sides, names, strict=True)
    ]
    region = _region(recording, turns, rules)
    if rules.turns == choice.TRIMMED:
        turns = [[within(spans, region) for spans in speakers] for speakers in turns]
    part = _part(region, recording.reference, turns[0], rules)
    if rules.self_overlap != choice.EACH:
        turns = [[covered(spans) for spans in speakers] for speakers in turns]
    scored = _of_speaking(cut(part, *turns), rules)
    is_decisive = rules.mapped == choice.SCORED or (part == region and rules.speaking == choice.ANY)
    decisive = scored if is_decisive else cut(region, *turns)
    common = overlaps_of(decisive)
    mapping = _mapping({pair: int(time) for pair, time in common.items()}, names, rules)
    return MatchedTurns(names, turns, region, scored, decisive, common, mapping)


def _of_speaking(pieces: Pieces, rules: DiarisationRules) -> Pieces:
    """Return the pieces whose number of reference speakers is scored under the rules."""
    if rules.speaking == choice.ANY:
        return pieces
    ranges: dict[str, tuple[int, float]] = {
        choice.SINGLE: (1, 1),
        choice.OVERLAP: (2, math.inf),
        choice.NONOVERLAP: (0, 1),
    }
    least, most = ranges[rules.speaking]
    kept = [least <= len(speakers) <= most for speakers in pieces.reference]
    begins, ends, reference, hypothesis = pieces
    return Pieces(
        list(compress(begins, kept)),
        list(compress(ends, kept)),
        list(compress(reference, kept)),
        list(compress(hypothesis, kept)),
    )


def _mapping(
    common: Mapping[tuple[int, int], int], names: Sequence[Sequence[str]], rules: DiarisationRules
) -> dict[int, int]:
    if rules.mapping == choice.NAMES:
        places = {name: place for place, name in enumerate(names[1])}
        return {left: places[name] for left, name in enumerate(names[0]) if name in places}
    return (greedy_mapping if rules.mapping == choice.GREEDY else best_mapping)(common)


def _scored(recording: Recording, rules: DiarisationRules) -> RecordingErrors:
    names, turns, region, scored, decisive, common, mapping = _matched(recording, rules)
    given = [
        [side.turns[name] for name in side_names]
        for side, side_names in zip((recording.reference, recording.hypothesis), names, strict=True)
    ]
    frames = frame_pieces(given, region, recording.region is None)
    clusters = decisive
    if rules.mapped == choice.SCORED:
        clusters = cut(region, *([covered(spans) for spans in side] for side in turns))
    exchanged = scored
    if rules.mapped == choice.SCORED and (rules.collar_ns or rules.skip_overlap):
        # the completeness of pyannote.metrics exchanges the sides before the collar is cut
        part = _part(region, recording.hypothesis, turns[1], rules)
        exchanged = _of_speaking(cut(part, *turns), rules)
    in_frames = rules.jaccard == choice.FRAMES
    jaccard = _jaccard_in_frames(frames, decisive) if in_frames else _jaccard_of(decisive, mapping)

    def overlaps(part: Pieces) -> Mapping[tuple[int, int], float]:
        return common if part is decisive else overlaps_of(part)

    times = times_of(counts_of(scored, mapping))
    of_speakers = speaker_times(scored, mapping)
    mapped = set(mapping.values())
    heard = speakers_in(decisive.hypothesis)
    return RecordingErrors(
        recording=recording.name,
        amounts=SpeakerTime(*map(int, times[4:])),
        agreement=Agreement(
            *map(int, (*times[:4], *_clusters(clusters, overlaps(clusters)), *_overlap(scored)))
        ),
        speakers=tuple(
            Speaker(
                names[0][left],
                names[1][mapping[left]] if left in mapping else None,
                *jaccard(left),
                *map(int, of_speakers.get(left, (0, 0))),
            )
            for left in speakers_in(decisive.reference)
        ),
        segmentation=segmentation_of(given[0], given[1], rules.tolerance_ns),
        entropies=Entropies(*_entropy(overlaps(scored), 0), *_entropy(overlaps(exchanged), 1)),
        frames=frame_sums(frames),
        unmapped=tuple(names[1][right] for right in heard if right not in mapped),
        sides=recording.sides,
        channel=recording.reference.channel or recording.hypothesis.channel,
    )


def _turns(spans: ScoredSpans, rules: DiarisationRules) -> list[ScoredSpan]:
    if rules.turns in (choice.UNITED, choice.TRIMMED):
        return united(spans)
    if rules.turns == choice.JOINED:
        return covered(spans)
    return [span for span in spans if rules.turns == choice.ALL or span[0] < span[1]]


def _region(
    recording: Recording, turns: Sequence[Sequence[ScoredSpans]], rules: DiarisationRules
) -> list[ScoredSpan]:
    """Return the region to score (or the extent of the turns), without excluded spans."""
    reference = recording.reference
    region = recording.region
    if region is None:
        spans = [span for side in turns for spans in side for span in spans]
        if rules.region == REFERENCE:
            spans = [span for spans in turns[0] for span in spans]
            spans = reference.extents if rules.notes == choice.AS_MD_EVAL else spans
        ends = [time for span in spans for time in span]
        region = covered([(min(ends), max(ends))]) if ends else []
    if rules.notes == choice.AS_MD_EVAL:
        return exclusion.remaining(region, zones(reference.marks, [NOSCORE], LEAST_REACH))
    return without(region, reference.ignored) if rules.notes == choice.CUT else region


def _part(
    region: ScoredSpans,
    reference: RecordingTurns,
    turns: Sequence[ScoredSpans],
    rules: DiarisationRules,
) -> list[ScoredSpan]:
    """Return a region without the times that the rules exclude from scoring."""
    borders = (time for spans in turns for span in spans for time in span)
    part = without(region, collars(borders, rules.collar_each_side))
    if rules.notes == choice.AS_MD_EVAL:
        part = exclusion.remaining(part, zones(reference.marks, [NOSCORE, SOUND], LEAST_REACH))
        part = exclusion.remaining(part, zones(reference.marks, [SOUND], SOUNDS_REACH))
    if rules.skip_overlap:
        holes = exclusion.overlaps(sorted((span for spans in turns for span in spans), key=sum))
        as_md_eval = rules.notes == choice.AS_MD_EVAL
        part = exclusion.remaining(part, holes) if as_md_eval else without(part, holes)
    return part


def _clusters(pieces: Pieces, overlaps: Mapping[tuple[int, int], float]) -> list[float]:
    """Return speaker time and covered time of the hypothesis, then those of the reference.

    The covered time of a speaker is the time in common with the best partner.
    """
    sums: list[float] = []
    for side, counts in ((1, pieces.hypothesis), (0, pieces.reference)):
        largest: dict[int, float] = {}
        for pair, time in overlaps.items():
            largest[pair[side]] = max(largest.get(pair[side], 0), time)
        speech = zip(pieces.lengths, counts, strict=True)
        spoken = total(length * sum(speakers.values()) for length, speakers in speech)
        sums += [spoken, sum(largest.values())]
    return sums


def _overlap(pieces: Pieces) -> list[float]:
    """Return three times of overlapped speech.

    They are the time in the reference, the time only in the reference, and the time only in the
    hypothesis.
    """
    both: list[tuple[float, bool, bool]] = [
        (length, len(spoken) > 1, len(heard) > 1) for length, spoken, heard in pieces.spoken()
    ]
    return [
        total(length * here for length, here, _ in both),
        total(length * (here and not there) for length, here, there in both),
        total(length * (there and not here) for length, here, there in both),
    ]


def _entropy(overlaps: Mapping[tuple[int, int], float], side: int) -> tuple[int, float, float]:
    """Return the common time, the entropy of a side, and its entropy given the other side."""
    common = sum(overlaps.values())
    times: tuple[dict[int, float], dict[int, float]] = ({}, {})
    for pair, time in overlaps.items():
        for place in (0, 1):
            times[place][pair[place]] = times[place].get(pair[place], 0) + time
    beyond = (
        time / common * math.log(times[1 - side][pair[1 - side]] / time)
        for pair, time in overlaps.items()
    )
    shares = (time / common for time in times[side].values())
    return int(common), math.fsum(-share * math.log(share) for share in shares), math.fsum(beyond)


class _Presence(NamedTuple):
    """How long each speaker speaks, and each pair at the same time; simultaneous turns count once.

    The times are in `unit` nanoseconds.
    """

    reference: Mapping[int, int]
    hypothesis: Mapping[int, int]
    pairs: Mapping[tuple[int, int], int]
    unit: int

    @staticmethod
    def of(pieces: Pieces, unit: int = 1) -> _Presence:
        """Return the times of pieces."""
        reference: Counter[int] = Counter()
        hypothesis: Counter[int] = Counter()
        pairs: Counter[tuple[int, int]] = Counter()
        for length, spoken, heard in pieces.spoken():
            whole = int(length)
            for counter, speakers in ((reference, spoken), (hypothesis, heard)):
                for speaker in speakers:
                    counter[speaker] += whole
            for pair in product(spoken, heard):
                pairs[pair] += whole
        return _Presence(reference, hypothesis, pairs, unit)

    def jaccard(self, left: int, right: int | None) -> tuple[int, int]:
        """Return two times in nanoseconds: exactly one of two speakers speaks, or at least one."""
        alone = self.reference.get(left, 0)
        if right is None:
            return alone * self.unit, alone * self.unit
        common = self.pairs.get((left, right), 0)
        either = alone + self.hypothesis.get(right, 0) - common
        return (either - common) * self.unit, either * self.unit


def _jaccard_of(pieces: Pieces, partners: Mapping[int, int]) -> Callable[[int], tuple[int, int]]:
    """Return the function from a speaker to the two times of `_Presence.jaccard`."""
    presence = _Presence.of(pieces)
    return lambda left: presence.jaccard(left, partners.get(left))


def _jaccard_in_frames(frames: Pieces, decisive: Pieces) -> Callable[[int], tuple[int, int]]:
    """Return the function of `_jaccard_of` for frames.

    Speakers are paired so that the sum of their error rates is least.

    For a speaker without frames, all time is wrong.
    """
    presence = _Presence.of(frames, FRAME_NS)
    errors = {pair: presence.jaccard(*pair) for pair in sorted(presence.pairs)}
    partners = mapping_of_most({pair: 1 - error / all_ for pair, (error, all_) in errors.items()})
    of_time = _jaccard_of(decisive, {})

    def jaccard(left: int) -> tuple[int, int]:
        if left not in presence.reference:
            return of_time(left)
        return presence.jaccard(left, partners.get(left))

    return jaccard

"""Results of diarisation: error times by recording and in total, rates, speaker mappings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from formats.schema.messages import Message
from formats.schema.times import SECOND, format_time
from scoring.drawing import percent
from scoring.drawing.blocks import Block, Fact, Items, Lead, Table
from scoring.drawing.notebook import html_of, text_of
from scoring.model.calls import suggesting_attributes
from scoring.model.errors import NoReferenceError, StatisticsError
from scoring.sides.corpus import SideRemark
from scoring.tasks.messages import TOO_FEW_RECORDINGS
from scoring.tasks.speakers.der.changes import SegmentationSums
from scoring.tasks.speakers.der.frames import FrameSums
from scoring.tasks.speakers.der.rules import DiarisationRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pandas

    from scoring.stats.bootstrapping import Bootstrap

FEW_RECORDINGS = 10
"""With fewer recordings than this number, an interval over recordings is unreliable."""
MOST_RECORDINGS = 20
"""Largest number of recordings that a printed result lists."""
SECONDS, RATES = ("scored s", "missed s", "false alarm s", "confusion s"), ("DER %", "JER %")
"""Headings of `error_cells`."""
MAPPING_FREE = ("purity", "coverage", "detection_accuracy", "detection_cost")
"""Names of the rates that do not depend on the mapping of speakers."""
FURTHER_RATES = (
    "speech_precision",
    "speech_recall",
    "speech_f1",
    "overlap_precision",
    "overlap_recall",
    "overlap_f1",
    "change_precision",
    "change_recall",
    "change_f1",
    "segmentation_purity",
    "segmentation_coverage",
    "homogeneity",
    "completeness",
    "b3_precision",
    "b3_recall",
    "b3_f1",
    "tau_of_hypothesis",
    "tau_of_reference",
    "entropy_of_reference",
    "entropy_of_hypothesis",
    "mutual_information",
    "normalized_mutual_information",
)
"""Names of the rates of speech, overlap, speaker changes and clusters."""


class SpeakerTime(NamedTuple):
    """Nanoseconds of speaker time: the divisor of rates, and the three kinds of error."""

    scored: int = 0
    missed: int = 0
    false_alarm: int = 0
    confusion: int = 0

    @property
    def wrong(self) -> int:
        """The sum of missed time, false alarm and confusion."""
        return self.missed + self.false_alarm + self.confusion

    def plus(self, other: SpeakerTime, sign: int = 1) -> SpeakerTime:
        """Return the sums, or the differences if the sign is -1."""
        return SpeakerTime(*(amount + sign * two for amount, two in zip(self, other, strict=True)))


class Agreement(NamedTuple):
    """Times of agreement in nanoseconds, which do not depend on the mapping of speakers.

    The fields are, in order:

    - the scored time;
    - time with speech: in the reference, only in the reference, only in the hypothesis;
    - speaker time of the hypothesis, and the part that its speakers have in common with their best
      reference speakers;
    - speaker time of the reference, and the part that its speakers have in common with their best
      hypothesis speakers;
    - time with several speakers: in the reference, only in the reference, only in the hypothesis.
    """

    evaluated: int = 0
    speech: int = 0
    missed_speech: int = 0
    false_alarm_speech: int = 0
    clustered: int = 0
    pure: int = 0
    spoken: int = 0
    covered: int = 0
    overlap: int = 0
    missed_overlap: int = 0
    false_alarm_overlap: int = 0


class Entropies(NamedTuple):
    """The entropy of each side's speakers in nats: alone, and if the other side is known.

    Only time in which speakers of both sides speak (common time) counts. The values are sums over
    recordings; each side also has its common time in nanoseconds.
    """

    reference_common: int = 0
    reference: float = 0.0
    reference_beyond: float = 0.0
    hypothesis_common: int = 0
    hypothesis: float = 0.0
    hypothesis_beyond: float = 0.0


class Speaker(NamedTuple):
    """A speaker of the reference, the mapped partner, and their times in nanoseconds.

    `either_ns` is the time in which the speaker or the partner speaks; `wrong_ns` is the part in
    which only one of both speaks. Without a partner, all time is wrong. These two are the times of
    the Jaccard error. `scored_ns` is the speaker's part of the scored speaker time, and
    `correct_ns` the part of it in which the partner speaks, too.
    """

    name: str
    partner: str | None
    wrong_ns: int
    either_ns: int
    scored_ns: int
    correct_ns: int

    @property
    def lost_ns(self) -> int:
        """The scored time that is missed or confused.

        Its sum over all speakers is the sum of missed time and confusion. Where several speakers
        overlap, no rule says which of them is missed and which is confused.
        """
        return self.scored_ns - self.correct_ns

    @property
    def lost_rate(self) -> float | None:
        """Lost time divided by scored time; None without scored time."""
        return _share(self.lost_ns, self.scored_ns)

    @property
    def jaccard_error(self) -> Fraction:
        """Wrong time divided by the time in which the speaker or the partner speaks."""
        return Fraction(self.wrong_ns, self.either_ns)

    def record(self) -> dict[str, object]:
        """Return the times, in seconds, and the rates for JSON."""
        return {
            "name": self.name,
            "partner": self.partner,
            "scored_seconds": self.scored_ns / SECOND,
            "lost_seconds": self.lost_ns / SECOND,
            "lost_rate": self.lost_rate,
            "jaccard_error_rate": float(self.jaccard_error),
        }


_Sums = TypeVar("_Sums", SpeakerTime, Agreement, SegmentationSums, Entropies, FrameSums)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _f1(precision: float | None, recall: float | None) -> float | None:
    """Return the harmonic mean of two values: None if both are None, 0 if any is 0 or None."""
    if not precision or not recall:
        return None if precision is None and recall is None else 0.0
    return 2 * precision * recall / (precision + recall)


def _known(beyond: float, entropy: float, common: int) -> float | None:
    """Return the share of an entropy that disappears if the other side is known.

    None without time.
    """
    if not common:
        return None
    return 1 - beyond / entropy if entropy else float(not beyond)


_MEANT = {
    **dict.fromkeys(("der", "rate"), "error_rate"),
    "jer": "jaccard_error_rate",
    **{name: f"{name}_seconds" for name in ("scored", "missed", "false_alarm", "confusion")},
}
"""Names that people try as attributes of a result, each with the attribute that they mean."""


@suggesting_attributes(_MEANT)
class Rated:
    """Base of results with times in seconds and rates, computed from `amounts` and other sums."""

    __slots__ = ()
    amounts: SpeakerTime
    agreement: Agreement
    speakers: tuple[Speaker, ...]
    segmentation: SegmentationSums
    entropies: Entropies
    frames: FrameSums

    @property
    def scored_seconds(self) -> float:
        """Speaker time of the reference in seconds; overlapping speakers are counted separately."""
        return self.amounts.scored / SECOND

    @property
    def missed_seconds(self) -> float:
        """Speaker time in seconds that the hypothesis misses; missing speakers count separately."""
        return self.amounts.missed / SECOND

    @property
    def false_alarm_seconds(self) -> float:
        """Speaker time in seconds that the hypothesis adds.

        Additional speakers count separately.
        """
        return self.amounts.false_alarm / SECOND

    @property
    def confusion_seconds(self) -> float:
        """Speaker time of the reference, in seconds, that was assigned to another speaker."""
        return self.amounts.confusion / SECOND

    @property
    def error_rate(self) -> float | None:
        """Missed, false-alarm and confused seconds per scored second; None without scored time."""
        return self.amounts.wrong / self.amounts.scored if self.amounts.scored else None

    @property
    def jaccard_error_rate(self) -> float | None:
        """The mean of the Jaccard errors of the reference's speakers; None without speakers."""
        if not self.speakers:
            return None
        return float(sum(speaker.jaccard_error for speaker in self.speakers) / len(self.speakers))

    @property
    def purity(self) -> float | None:
        """Pure time divided by all speaker time of the hypothesis; None if there is no time.

        The best partner of a hypothesis speaker is the reference speaker with the most time in
        common. Time of a speaker is pure while the best partner speaks. The collar is ignored, and
        overlaps count.
        """
        return self.agreement.pure / self.agreement.clustered if self.agreement.clustered else None

    @property
    def coverage(self) -> float | None:
        """The share of the reference's speaker time that is covered; None if there is no time.

        The best partner of a reference speaker is the hypothesis speaker with the most time in
        common. Time of a speaker is covered while the best partner speaks (see `purity`).
        """
        return self.agreement.covered / self.agreement.spoken if self.agreement.spoken else None

    @property
    def detection_accuracy(self) -> float | None:
        """The share of scored time in which both sides agree that there is speech, or silence."""
        evaluated, _, missed, false_alarm, *_ = self.agreement
        return (evaluated - missed - false_alarm) / evaluated if evaluated else None

    @property
    def detection_cost(self) -> float | None:
        """0.75 times the missed share of speech plus 0.25 times the false-alarm share of silence.

        A share without speech or silence is 0. The cost is None if nothing is scored (pyannote: 0).
        """
        evaluated, speech, missed, false_alarm, *_ = self.agreement
        if not evaluated:
            return None
        return 0.75 * missed / (speech or 1) + 0.25 * false_alarm / (evaluated - speech or 1)

    @property
    def speech_precision(self) -> float | None:
        """The share of the hypothesis's speech that is speech in the reference, too.

        None if the hypothesis has no speech.
        """
        return self._detected(self.agreement[1:4])[0]

    @property
    def speech_recall(self) -> float | None:
        """The share of the reference's speech that the hypothesis detects; None without speech."""
        return self._detected(self.agreement[1:4])[1]

    @property
    def speech_f1(self) -> float | None:
        """The harmonic mean of precision and recall of speech."""
        return _f1(self.speech_precision, self.speech_recall)

    @property
    def overlap_precision(self) -> float | None:
        """The share of the hypothesis's overlapped speech that is overlapped in the reference, too.

        None if the hypothesis has no overlapped speech.
        """
        return self._detected(self.agreement[8:])[0]

    @property
    def overlap_recall(self) -> float | None:
        """The share of the reference's overlapped speech that is overlapped in the hypothesis, too.

        None if the reference has no overlapped speech.
        """
        return self._detected(self.agreement[8:])[1]

    @property
    def overlap_f1(self) -> float | None:
        """The harmonic mean of precision and recall of overlapped speech."""
        return _f1(self.overlap_precision, self.overlap_recall)

    @staticmethod
    def _detected(times: tuple[int, ...]) -> tuple[float | None, float | None]:
        """Return precision and recall, given reference time, missed time and false-alarm time."""
        time, missed, false_alarm = times
        return _share(time - missed, time - missed + false_alarm), _share(time - missed, time)

    @property
    def change_precision(self) -> float | None:
        """The share of the hypothesis's speaker changes that match a change of the reference."""
        return _share(self.segmentation.precise, self.segmentation.hypothesis_changes)

    @property
    def change_recall(self) -> float | None:
        """The share of the reference's speaker changes that match a change of the hypothesis."""
        return _share(self.segmentation.recalled, self.segmentation.reference_changes)

    @property
    def change_f1(self) -> float | None:
        """The harmonic mean of precision and recall of speaker changes."""
        return _f1(self.change_precision, self.change_recall)

    @property
    def segmentation_purity(self) -> float | None:
        """The pure share of the time of hypothesis segments; None without time.

        The pure time of a hypothesis segment is the time in common with the reference segment that
        overlaps it most.
        """
        return _share(self.segmentation.pure, self.segmentation.partitioned)

    @property
    def segmentation_coverage(self) -> float | None:
        """The covered share of the time of reference segments; None without time.

        The covered time of a reference segment is the time in common with the hypothesis segment
        that overlaps it most.
        """
        return _share(self.segmentation.covered, self.segmentation.partitioned)

    @property
    def homogeneity(self) -> float | None:
        """1 minus the share of the reference's entropy that remains if the hypothesis is known."""
        entropies = self.entropies
        return _known(entropies.reference_beyond, entropies.reference, entropies.reference_common)

    @property
    def completeness(self) -> float | None:
        """1 minus the share of the hypothesis's entropy that remains if the reference is known."""
        entropies = self.entropies
        return _known(
            entropies.hypothesis_beyond, entropies.hypothesis, entropies.hypothesis_common
        )

    @property
    def b3_f1(self) -> float | None:
        """The harmonic mean of B³ precision and recall."""
        return _f1(self.frames.b3_precision, self.frames.b3_recall)

    def further_rates(self) -> dict[str, float | None]:
        """Return the rates of speech, overlapped speech, speaker changes and clusters by name."""
        return {
            name: getattr(self.frames if hasattr(FrameSums, name) else self, name)
            for name in FURTHER_RATES
        }

    def record(self) -> dict[str, object]:
        """Return the figures for JSON."""
        names = ("scored", "missed", "false_alarm", "confusion")
        return {
            **{f"{name}_seconds": getattr(self, f"{name}_seconds") for name in names},
            "error_rate": self.error_rate,
            "jaccard_error_rate": self.jaccard_error_rate,
            **{name: getattr(self, name) for name in MAPPING_FREE},
        }


@dataclass(frozen=True)
class RecordingErrors(Rated):
    """The errors of a recording."""

    recording: str
    amounts: SpeakerTime  # nanoseconds of each kind
    agreement: Agreement
    speakers: tuple[Speaker, ...]
    unmapped: tuple[str, ...]  # those of the hypothesis that are nobody's partner
    segmentation: SegmentationSums
    entropies: Entropies
    frames: FrameSums
    sides: str  # `both`, or the only side that has it: `reference` or `hypothesis`
    channel: str | None = None  # which it is, where channels are apart and the format has them

    @property
    def mapping(self) -> dict[str, str | None]:
        """A mapping from each reference speaker to the hypothesis speaker, or to None."""
        return {speaker.name: speaker.partner for speaker in self.speakers}

    def record(self) -> dict[str, object]:
        """Return the errors of the recording for JSON."""
        return {
            "recording": self.recording,
            **Rated.record(self),
            "mapping": self.mapping,
            "speakers": [speaker.record() for speaker in self.speakers],
            "unmapped": list(self.unmapped),
            "present_in": self.sides,
            "channel": self.channel,
            **self.further_rates(),
        }


@dataclass(frozen=True)
class DiarisationErrors(Rated):
    """The errors of all recordings; prints as a table.

    `float(errors)` and formats such as `f"{errors:.2%}"` use `error_rate`. Without scored time they
    raise `NoReferenceError`.

    Attributes
    ----------
    rules, like
        The rules of counting, and the name of the tool with these rules; None: those of sclite-kit.
    recordings
        Errors of each recording, in the order of the reference; recordings that only the
        hypothesis has are last.
    remarks
        Notes on recordings that were skipped, are on one side only, or are empty.
    by
        `channel` if each channel of a recording counts as a recording.
    """

    rules: DiarisationRules
    like: str | None
    recordings: tuple[RecordingErrors, ...]
    remarks: tuple[SideRemark, ...] = ()
    by: str | None = None

    def __float__(self) -> float:
        """Return `error_rate`."""
        rate = self.error_rate
        if rate is None:
            raise NoReferenceError("there is no speech to score, so there is no error rate")
        return rate

    def __format__(self, spec: str) -> str:
        """Format the error rate like a number, as in `f"{errors:.2%}"`."""
        return format(float(self), spec) if spec else str(self)

    def sentence(self) -> str:
        """Return the rate in words, and the seconds of each kind of error that occurs."""
        amounts = self.amounts
        if not amounts.scored:
            return "There is no speech to score, so there is no rate"
        kinds = zip(("missed", "false alarm", "confusion"), tuple(amounts)[1:], strict=True)
        parts = [f"{name} {format_time(ns, 1)} s" for name, ns in kinds if ns]
        rate = f"{percent(self.error_rate)} % of the speaker time is wrong"
        return f"{rate}: {', '.join(parts)}" if parts else "No errors: 0.00 % of the speaker time"

    def table(self, most: int | None = None) -> Table:
        """Return the errors of each recording, or of the first `most`, and the sum of all."""
        rows = [(part.recording, *error_cells(part)) for part in self.recordings[:most]]
        return Table(("recording", *SECONDS, *RATES), [*rows, ("sum", *error_cells(self))])

    def blocks(self) -> Iterator[Block]:
        """Yield the rate in words, the errors of the first recordings, and the signature."""
        yield Lead(self.sentence())
        yield self.table(MOST_RECORDINGS)
        more = len(self.recordings) - MOST_RECORDINGS
        if more > 0:
            yield Items([f"and {more:,} more recordings"])
        yield Fact("signature", self.signature)

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        number = len(self.recordings)
        return f"<DiarisationErrors of {number} recording{'s' * (number != 1)}: {self.sentence()}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def amounts(self) -> SpeakerTime:  # type: ignore[override]
        """The sums of the amounts of all recordings."""
        return self._sum(SpeakerTime, "amounts")

    @property
    def agreement(self) -> Agreement:  # type: ignore[override]
        """The sums of the times of agreement of all recordings."""
        return self._sum(Agreement, "agreement")

    @property
    def segmentation(self) -> SegmentationSums:  # type: ignore[override]
        """The sums of the speaker changes and segments of all recordings."""
        return self._sum(SegmentationSums, "segmentation")

    @property
    def entropies(self) -> Entropies:  # type: ignore[override]
        """The sums of the entropies of all recordings."""
        return self._sum(Entropies, "entropies")

    @property
    def frames(self) -> FrameSums:  # type: ignore[override]
        """The sums over the frames of all recordings."""
        return self._sum(FrameSums, "frames")

    def _sum(self, kind: type[_Sums], name: str) -> _Sums:
        """Add up the field `name` of all recordings; the result has the type `kind`."""
        columns = zip(*(getattr(recording, name) for recording in self.recordings), strict=True)
        return kind(*map(sum, columns))

    @property
    def speakers(self) -> tuple[Speaker, ...]:  # type: ignore[override]
        """Speakers of all recordings; the same name in two recordings means two speakers."""
        return tuple(speaker for recording in self.recordings for speaker in recording.speakers)

    def record(self) -> dict[str, object]:
        """Return the errors of all recordings for JSON."""
        return {**Rated.record(self), **self.further_rates()}

    @property
    def signature(self) -> str:
        """A line with all rules that determine the numbers."""
        by = "" if self.by is None else f"|by:{self.by}"
        return f"der|like:{self.like or 'sclite-kit'}|{self.rules}{by}"

    @property
    def per_group(self) -> dict[str | None, DiarisationErrors]:
        """The errors of each group of `by`, sorted by name: channel or number of speakers."""
        groups: dict[str | None, list[RecordingErrors]] = {}
        for recording in self.recordings if self.by is not None else ():
            count = str(len(recording.speakers))
            key = count if self.by == "speakers" else recording.channel
            groups.setdefault(key, []).append(recording)
        return {
            name: replace(self, recordings=tuple(groups[name]))
            for name in sorted(groups, key=lambda name: name or "")
        }

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with one row per recording: times in seconds, rates as ratios.

        The columns are the same as in `scoring der --csv`. A rate is NaN if its divisor is 0.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas

        columns, rows = recording_table(self)
        texts = ("recording", "present_in", "channel")
        numbers = {name: float for name in columns if name not in texts}
        return pandas.DataFrame(list(rows), columns=list(columns)).astype(numbers)

    def interval(
        self, *, replications: int = 10_000, seed: int = 0, level: float = 0.95
    ) -> Bootstrap:
        """Return the bootstrap interval of the error rate, with recordings as resampling units.

        Raises
        ------
        StatisticsError
            If there are fewer than two recordings, or some draws have no speech.
        """
        from scoring.stats.bootstrapping import bootstrap

        rows = [
            [recording.amounts.wrong, recording.amounts.scored] for recording in self.recordings
        ]
        if len(rows) < 2:
            raise StatisticsError(Message(TOO_FEW_RECORDINGS, {"number": len(rows)}))
        found = bootstrap(rows, replications=replications, seed=seed, level=level, counts=False)
        return found._replace(block="recording")


def recording_table(
    errors: DiarisationErrors,
) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
    """Return the column names, and a row for each recording, in seconds and as ratios."""
    seconds = [f"{kind}_seconds" for kind in SpeakerTime._fields]
    rates = ("error_rate", "jaccard_error_rate", "present_in", "channel", *MAPPING_FREE)
    columns = ("recording", *seconds, *rates, *FURTHER_RATES)
    rows = ((*(recording.record()[name] for name in columns),) for recording in errors.recordings)
    return columns, rows


def error_cells(rated: Rated) -> tuple[str, ...]:
    """Return the seconds and rates as cells of a table."""
    rates = percent(rated.error_rate), percent(rated.jaccard_error_rate)
    return (*second_cells(rated.amounts), *rates)


def second_cells(amounts: SpeakerTime, sign: str = "") -> Iterator[str]:
    """Yield the seconds as cells of a table; a `sign` stands before times above zero."""
    for ns in amounts:
        yield (sign if ns > 0 else "") + format_time(ns, 3)

"""Results of diarisation: error times by recording and in all, rates, and speaker mappings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.times import SECOND
from scoring.model.errors import StatisticsError
from scoring.sides.corpus import SideRemark
from scoring.tasks.speakers.der.rules import DiarisationRules

if TYPE_CHECKING:
    from scoring.stats.bootstrapping import Bootstrap

FEW_RECORDINGS = 10
"""Under so many, an interval over recordings is a guess."""


MAPPING_FREE = ("purity", "coverage", "detection_accuracy", "detection_cost")
"""Names of the rates that no mapping of speakers decides."""


class SpeakerTime(NamedTuple):
    """Nanoseconds of speaker time: what rates are of, and the three kinds of error."""

    scored: int = 0
    missed: int = 0
    false_alarm: int = 0
    confusion: int = 0

    @property
    def wrong(self) -> int:
        """The sum of missed time, false alarm and confusion."""
        return self.missed + self.false_alarm + self.confusion

    def plus(self, other: SpeakerTime, sign: int = 1) -> SpeakerTime:
        """Return the sums, or differences with a sign of -1."""
        return SpeakerTime(*(amount + sign * two for amount, two in zip(self, other, strict=True)))


class Agreement(NamedTuple):
    """Nanoseconds that no mapping of speakers decides.

    The region that is scored, and of it: speech in the reference, in the reference only, in the
    hypothesis only. Time of the hypothesis's speakers, and its part with the one speaker of the
    reference that each has most in common with; the same with the sides exchanged.
    """

    evaluated: int = 0
    speech: int = 0
    missed_speech: int = 0
    false_alarm_speech: int = 0
    clustered: int = 0
    pure: int = 0
    spoken: int = 0
    covered: int = 0


class Speaker(NamedTuple):
    """A speaker of the reference: who was taken for them, and where only one of the two speaks.

    `wrong_ns` of `either_ns`, the time in which the speaker or the partner speaks; without a
    partner all of it is wrong.
    """

    name: str
    partner: str | None
    wrong_ns: int
    either_ns: int

    @property
    def jaccard_error(self) -> Fraction:
        """The share of it that is wrong."""
        return Fraction(self.wrong_ns, self.either_ns)


class Rated:
    """Figures in seconds and as rates of what has `amounts` and `speakers`."""

    __slots__ = ()
    amounts: SpeakerTime
    agreement: Agreement
    speakers: tuple[Speaker, ...]

    @property
    def scored_seconds(self) -> float:
        """Speaker time of the reference: where two speak, both count."""
        return self.amounts.scored / SECOND

    @property
    def missed_seconds(self) -> float:
        """Time with fewer speakers in the hypothesis, times the number missing."""
        return self.amounts.missed / SECOND

    @property
    def false_alarm_seconds(self) -> float:
        """Time with more speakers in the hypothesis, times the number too many."""
        return self.amounts.false_alarm / SECOND

    @property
    def confusion_seconds(self) -> float:
        """Time with as many speakers as in the reference, but others."""
        return self.amounts.confusion / SECOND

    @property
    def error_rate(self) -> float | None:
        """The three kinds of error per scored second; None without any."""
        return self.amounts.wrong / self.amounts.scored if self.amounts.scored else None

    @property
    def jaccard_error_rate(self) -> float | None:
        """The mean over the reference's speakers of their Jaccard errors; None without any."""
        if not self.speakers:
            return None
        return float(sum(speaker.jaccard_error for speaker in self.speakers) / len(self.speakers))

    @property
    def purity(self) -> float | None:
        """The share of the hypothesis's speaker time that is pure; None without any (pyannote: 1).

        A speaker of the hypothesis is pure while the speaker of the reference speaks with whom they
        have the most time in common. The collar plays no part, overlaps count.
        """
        return self.agreement.pure / self.agreement.clustered if self.agreement.clustered else None

    @property
    def coverage(self) -> float | None:
        """The purity of the reference's speakers in the hypothesis; None without any."""
        return self.agreement.covered / self.agreement.spoken if self.agreement.spoken else None

    @property
    def detection_accuracy(self) -> float | None:
        """The share of the scored time in which both sides agree whether anybody speaks."""
        evaluated, _, missed, false_alarm, *_ = self.agreement
        return (evaluated - missed - false_alarm) / evaluated if evaluated else None

    @property
    def detection_cost(self) -> float | None:
        """0.75 of the share of speech that is missed, 0.25 of the share of silence that is not.

        A share of nothing is 0; the cost is None if nothing is scored (pyannote: 0).
        """
        evaluated, speech, missed, false_alarm, *_ = self.agreement
        if not evaluated:
            return None
        return 0.75 * missed / (speech or 1) + 0.25 * false_alarm / (evaluated - speech or 1)

    def record(self) -> dict[str, object]:
        """For JSON."""
        names = ("scored", "missed", "false_alarm", "confusion")
        return {
            **{f"{name}_seconds": getattr(self, f"{name}_seconds") for name in names},
            "error_rate": self.error_rate,
            "jaccard_error_rate": self.jaccard_error_rate,
            **{name: getattr(self, name) for name in MAPPING_FREE},
        }


@dataclass(frozen=True)
class RecordingErrors(Rated):
    """One recording."""

    recording: str
    amounts: SpeakerTime  # nanoseconds of each kind
    agreement: Agreement
    speakers: tuple[Speaker, ...]
    unmapped: tuple[str, ...]  # those of the hypothesis that are nobody's partner
    sides: str  # `both`, or the only side that has it: `reference` or `hypothesis`
    channel: str | None = None  # which it is, where channels are apart and the format has them

    @property
    def mapping(self) -> dict[str, str | None]:
        """From each speaker of the reference to the partner in the hypothesis, None without."""
        return {speaker.name: speaker.partner for speaker in self.speakers}

    def record(self) -> dict[str, object]:
        """For JSON."""
        return {
            "recording": self.recording,
            **Rated.record(self),
            "mapping": self.mapping,
            "unmapped": list(self.unmapped),
            "sides": self.sides,
            "channel": self.channel,
        }


@dataclass(frozen=True)
class DiarisationErrors(Rated):
    """The errors of all recordings.

    Attributes
    ----------
    rules, like
        Rules of counting, and the name of the tool that has them; None: those of sclite-kit.
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

    @property
    def amounts(self) -> SpeakerTime:  # type: ignore[override]
        """The amounts of all recordings, summed up."""
        columns = zip(*(recording.amounts for recording in self.recordings), strict=True)
        return SpeakerTime(*map(sum, columns))

    @property
    def agreement(self) -> Agreement:  # type: ignore[override]
        """The agreement of speech and speakers, summed up over all recordings."""
        columns = zip(*(recording.agreement for recording in self.recordings), strict=True)
        return Agreement(*map(sum, columns))

    @property
    def speakers(self) -> tuple[Speaker, ...]:  # type: ignore[override]
        """Speakers of all recordings; the same name in two recordings is two speakers."""
        return tuple(speaker for recording in self.recordings for speaker in recording.speakers)

    @property
    def signature(self) -> str:
        """Everything that determines the numbers, in one line."""
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
            raise StatisticsError(f"expected at least two recordings, found {len(rows)}")
        found = bootstrap(rows, replications=replications, seed=seed, level=level, counts=False)
        return found._replace(block="recording")

"""What became of a session of many speakers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# The states of a session.
SCORED, MISSING, EMPTY, PARTIAL, DECLINED = "scored", "missing", "empty", "partial", "declined"
# The most assignments that are counted.
MOST_COUNTED = 1000


class OtherPartner(NamedTuple):
    """What another partner of one speaker, or one segment, would cost."""

    speaker: str  # of DI the stream
    stream: str | None  # its partner: of DI the speaker; None: silence
    errors: int  # of the speaker with the stream; of a segment those of the whole session
    # The next best, and the errors with it, all others unchanged. None: silence; of segments: there
    # is no other
    other: str | None
    other_errors: int
    # Number of the segment on its side, from 1; None where speakers are assigned
    segment: int | None = None


class SessionErrors(NamedTuple):
    """The errors of a session."""

    session: str  # its name
    reference_words: int  # counts; None but for the words where the session was declined
    errors: int | None
    insertions: int | None
    deletions: int | None
    substitutions: int | None
    error_rate: float | None  # errors per word of the reference; None without such words
    exact: bool  # whether no other assignment has fewer errors
    at_least: int  # no assignment has fewer errors than this
    # Pairs of speaker and stream, None for nobody; for ORC and DI the stream, or speaker, of each
    # segment in the order of its side
    assignment: Sequence[object]
    # `scored`; `missing`: the hypothesis lacks the session, which was scored as silence; `empty`:
    # one side has no words; `partial`: a minute or more of the reference lies before or after all
    # that the hypothesis has; `declined`: too large to be worked out, and not scored
    state: str = SCORED
    remark: str | None = None  # the reason for another state than `scored`
    # How many assignments of speakers have as few errors, up to 1000; of segments, how many differ
    # from this one by one segment at most, so that there may be more. None unless asked for, or
    # where the assignment is not known to be the best
    equally_good: int | None = None
    others: tuple[OtherPartner, ...] = ()  # what other partners would cost; empty unless asked for
    # How many of the errors of cp and tcp are due to labels of whole segments alone (as far as is
    # known: those that DI does not have); how many to times. None unless asked for and known
    label_errors: int | None = None
    time_errors: int | None = None

    @property
    def may_be_more_as_good(self) -> bool:
        """Whether there may be more assignments as good than were counted."""
        return self.equally_good == MOST_COUNTED or any(
            partner.segment is not None for partner in self.others
        )

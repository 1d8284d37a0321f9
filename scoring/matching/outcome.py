"""What became of a session of many speakers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# The states of a session.
SCORED, MISSING, EMPTY, PARTIAL, DECLINED = "scored", "missing", "empty", "partial", "declined"
# So many assignments that are as good are counted, and no more.
MOST_COUNTED = 1000


class OtherPartner(NamedTuple):
    """What it would cost if something else stood beside a speaker, or a segment, alone.

    Attributes
    ----------
    speaker
        Whose words are looked at: of DI the stream.
    stream
        What stands beside them: of DI the speaker. None is silence.
    errors
        Of the speaker with the stream; of a segment those of the whole session.
    other, other_errors
        The next best, and the errors with it, all else as it is. Of segments another with silence
        is not looked at: None, if there is nothing else.
    segment
        The number of the segment on its side, from 1; None where speakers are assigned.
    """

    speaker: str
    stream: str | None
    errors: int
    other: str | None
    other_errors: int
    segment: int | None = None


class SessionErrors(NamedTuple):
    """The errors of a session.

    Attributes
    ----------
    session
        Its name.
    reference_words, errors, insertions, deletions, substitutions
        Counts; None but for the words where the session was declined.
    error_rate
        Errors per word of the reference; None without such words.
    exact
        Whether no other assignment has fewer errors.
    at_least
        No assignment has fewer errors than this.
    assignment
        Pairs of speaker and stream, None for nobody; for ORC and DI the stream, or speaker, of each
        segment in the order of its side.
    state
        `scored`; `missing`: the hypothesis lacks the session, which was scored as silence; `empty`:
        one side has no words; `partial`: a minute or more of the reference lies before or after
        all that the hypothesis has; `declined`: too large to be worked out, and not scored.
    remark
        What is the matter with it; None if it is `scored`.
    equally_good
        How many assignments of speakers have as few errors, up to 1000; of segments, how many
        differ from this one by one segment at most, so that there may be more. None unless asked
        for, or where the assignment is not known to be the best.
    others
        What other partners would cost; empty unless asked for.
    label_errors, time_errors
        How many of the errors of cp and tcp are due to labels of whole segments alone (as far as is
        known: those that DI does not have); how many to times. None unless asked for and known.
    """

    session: str
    reference_words: int
    errors: int | None
    insertions: int | None
    deletions: int | None
    substitutions: int | None
    error_rate: float | None
    exact: bool
    at_least: int
    assignment: Sequence[object]
    state: str = SCORED
    remark: str | None = None
    equally_good: int | None = None
    others: tuple[OtherPartner, ...] = ()
    label_errors: int | None = None
    time_errors: int | None = None

    @property
    def may_be_more_as_good(self) -> bool:
        """Whether there may be more assignments as good than were counted."""
        return self.equally_good == MOST_COUNTED or any(
            one.segment is not None for one in self.others
        )

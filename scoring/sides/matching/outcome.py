"""The outcome of scoring a session with many speakers."""

from __future__ import annotations

from collections.abc import Iterable

from formats.schema.remarks import Remark
from formats.schema.values import NamedFields
from scoring.model.counts import Counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from formats.schema.messages import Message

# A stream, or a speaker, or a pair of both; None for nobody. Records have it as the type of a
# field: Python 3.10 does not evaluate a text within the text of a type.
Partner: TypeAlias = str | tuple[str | None, str | None] | None
# The states of a session.
SCORED, MISSING, EMPTY, PARTIAL, DECLINED = "scored", "missing", "empty", "partial", "declined"


class DeclinedError(ValueError):
    """Raised if a session cannot be scored. `value` is the reason."""

    def __init__(self, value: Message) -> None:
        super().__init__(value)
        self.value = value


# The counts of sessions that are sums of those of utterances.
SUMMED = ("insertions", "deletions", "substitutions", "errors")


class SessionErrors(NamedFields):
    """The errors of a session."""

    session: str  # its name
    reference_count: int  # counts; None but for the words where the session was declined
    errors: int | None
    insertions: int | None
    deletions: int | None
    substitutions: int | None
    error_rate: float | None  # errors per word of the reference; None without such words
    exact: bool  # whether no other assignment has fewer errors
    at_least: int  # no assignment has fewer errors than this
    # Pairs of speaker and stream, None for nobody; for ORC and DI the stream, or speaker, of each
    # segment in the order of its side
    assignment: tuple[Partner, ...]
    # `scored`; `missing`: the hypothesis lacks the session, which was scored as silence; `empty`:
    # one side has no words; `partial`: a minute or more of the reference lies before or after all
    # that the hypothesis has; `declined`: too large to be worked out, and not scored
    state: str = SCORED
    reason: Remark | None = None  # the reason for another state than `scored`
    # How many of the errors of cp and tcp are due to labels of whole segments alone (as far as is
    # known: those that DI does not have); how many to times. None unless asked for and known
    label_errors: int | None = None
    time_errors: int | None = None

    def counted(self, counts: Counts) -> SessionErrors:
        """Return the session with new counts; unchanged if the session was declined."""
        if self.errors is None:
            return self
        return self._replace(
            reference_count=counts.reference_tokens,
            error_rate=counts.error_rate,
            at_least=min(self.at_least, counts.errors),
            **{name: getattr(counts, name) for name in SUMMED},
        )


def sums_of_sessions(session_of: Iterable[str], counts: Iterable[Counts]) -> dict[str, Counts]:
    """Return the sums of the utterances' counts by session."""
    sums: dict[str, Counts] = {}
    for name, own in zip(session_of, counts, strict=True):
        sums[name] = sums.get(name, Counts()) + own
    return sums

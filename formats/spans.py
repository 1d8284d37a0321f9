"""The rule for times, of all readers and writers: not negative, and no end before its begin.

A time that is not a finite number is none at all: whoever converts it to nanoseconds rejects it.
A length of zero is fine. A record that breaks the rule is rejected by its reader, which knows the
column, or else by `formats.reading.files` for every format: an error, or in tolerant reading a
remark with file and line. A subtitle keeps its text, without times. A writer refuses such a
segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import gt, le

from formats.schema import compiled
from formats.schema.errors import quoted
from formats.schema.times import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.model import Segment

_compiled_check = compiled("are_times_in_order")
_compiled_spans = compiled("are_apart")


def fault_of_times(segment: Segment) -> tuple[str, str] | None:
    """What is expected of the times of a segment or a word, and the fault; `None` if sound."""
    start, end = segment.start_ns, segment.end_ns
    is_plain = start is not None is not end and 0 <= start <= end
    if not is_plain and (fault := fault_of_span(start, end)):
        return fault
    starts, ends = segment.starts_ns, segment.ends_ns
    if starts is None is ends and not segment.alternations:
        return None
    if not segment.alternations and are_times_in_order(starts, ends):
        return None
    for token in segment.all_tokens():
        if fault := fault_of_span(token.start_ns, token.end_ns):
            return f"{fault[0]} for the word {quoted(token.text)}", fault[1]
    return None


def fault_of_span(start: int | None, end: int | None) -> tuple[str, str] | None:
    """As `fault_of_times`, of a begin and an end in nanoseconds."""
    if start is not None and start < 0:
        return "a time of 0 or more", f"{start / SECOND}"
    if end is None or end >= (start or 0):
        return None
    if end < 0:
        return "a time of 0 or more", f"{end / SECOND}"
    return f"an end not before its begin at {(start or 0) / SECOND} s", f"{end / SECOND}"


def are_times_in_order(
    starts: tuple[int | None, ...] | None, ends: tuple[int | None, ...] | None
) -> bool:
    """Whether no begin and end in two columns breaks the rule; `None` is no time."""
    if _compiled_check is not None:
        return _compiled_check(starts, ends)  # type: ignore[no-any-return]
    if starts is None and ends is None:
        return True
    if starts and ends and None not in starts and None not in ends:
        return min(starts) >= 0 and not any(map(gt, starts, ends))  # type: ignore[type-var, arg-type, operator]
    return not any(map(fault_of_span, starts or repeat(None), ends or repeat(None)))


def are_apart(latest: int, starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether each span begins at the end of the one before it, or later; the first at `latest`."""
    if _compiled_spans is not None:
        return _compiled_spans(latest, starts, ends)  # type: ignore[no-any-return]
    return all(map(le, [latest, *ends], starts))

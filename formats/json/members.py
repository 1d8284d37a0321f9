"""Members of services' answers by the names that they may have: times, texts, failures."""

from __future__ import annotations

import re

from formats.errors import quoted
from formats.json.document import plain_confidence, plain_nanoseconds
from formats.json.word_items import cut_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from formats.json.document import JsonValue
    from formats.json.word_items import Hypothesis

__all__ = [
    "check_order",
    "checked_hypotheses",
    "confidence_of",
    "hypothesis",
    "message_of",
    "name_of",
    "plain_seconds",
    "refuse_error",
    "require_success",
    "required_text",
    "span_of",
    "text_of",
    "time_of",
]

MOST_HYPOTHESES = 1000
POWERS: tuple[int, ...] = tuple(10 ** (9 - digits) for digits in range(10))
PLAIN_TIME = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?\Z")
PLAIN_CONFIDENCE = re.compile(r"[01](?:\.[0-9]{1,20})?\Z")


def span_of(
    value: JsonValue, starts: Sequence[str], ends: Sequence[str], *, per_second: int = 1
) -> tuple[int | None, int | None]:
    """Start and end out of the members so named, in nanoseconds, `None` where missing.

    Raises
    ------
    SyntaxFormatError: no times, or an end before its start.
    """
    start_ns = time_of(value, starts, per_second)
    end_ns = time_of(value, ends, per_second)
    if start_ns is not None and end_ns is not None and end_ns < start_ns:
        check_order(start_ns, end_ns, value.required(*ends), str(value.required(*starts).value))
    return start_ns, end_ns


def time_of(value: JsonValue, names: Sequence[str], per_second: int = 1) -> int | None:
    """The time among the members in nanoseconds, or `None`.

    Raises
    ------
    SyntaxFormatError: not a time.
    """
    raw = _raw(value, names)
    is_text = type(raw) is str and per_second == 1
    made = plain_seconds(raw) if is_text else plain_nanoseconds(raw, per_second)
    if made is not None:
        return made
    found = value.get(*names)
    return None if found is None else found.nanoseconds(per_second=per_second)


def plain_seconds(text: str) -> int | None:
    """Nanoseconds of usual decimal seconds, ``None`` for any other text.

    >>> plain_seconds("1.25"), plain_seconds("-1")
    (1250000000, None)
    """
    if not PLAIN_TIME.match(text):
        return None
    whole, _, fraction = text.partition(".")
    return int(whole + fraction) * POWERS[len(fraction)]


def _raw(value: JsonValue, names: Sequence[str]) -> Any:
    """The first of the members that is there, without its place: quick for what is as expected."""
    members = value.value
    if type(members) is dict:
        for name in names:
            found = members.get(name)
            if found is not None:
                return found
    return None


def check_order(start_ns: int | None, end_ns: int | None, end: JsonValue, start: str) -> None:
    """Refuse an end before its start."""
    if start_ns is not None and end_ns is not None and end_ns < start_ns:
        raise end.error(f"an end not before its start {start}")


def confidence_of(value: JsonValue, *names: str) -> float | None:
    """The confidence among the members, or `None`."""
    raw = _raw(value, names)
    if isinstance(raw, str) and PLAIN_CONFIDENCE.match(raw):
        return float(raw)
    made = plain_confidence(raw)
    if made is not None:
        return made
    found = value.get(*names)
    return None if found is None else found.confidence()


def text_of(value: JsonValue, *names: str) -> str | None:
    """The text among the members, or `None`."""
    raw = _raw(value, names)
    if isinstance(raw, str):
        return raw
    found = value.get(*names)
    return None if found is None else found.text()


def required_text(value: JsonValue, *names: str) -> str:
    """The text among the members, one of which must be there.

    Raises
    ------
    SyntaxFormatError
    """
    raw = _raw(value, names)
    return raw if isinstance(raw, str) else value.required(*names).text()


def name_of(value: JsonValue, *names: str) -> str | None:
    """The text or whole number among the members, as a text, or `None`."""
    raw = _raw(value, names)
    if isinstance(raw, str):
        return raw
    found = value.get(*names)
    return None if found is None else found.name()


def hypothesis(confidence: float | None, text: str) -> Hypothesis:
    """One of the other hypotheses, from its text."""
    return confidence, tuple(cut_text(text))


def checked_hypotheses(value: JsonValue, found: Sequence[Hypothesis]) -> Sequence[Hypothesis]:
    """The hypotheses, if they are no more than a thousand."""
    if len(found) > MOST_HYPOTHESES:
        raise value.error(f"at most {MOST_HYPOTHESES} hypotheses", str(len(found)))
    return found


def require_success(
    value: JsonValue, names: Sequence[str], success: Sequence[str], reasons: Sequence[str]
) -> None:
    """Refuse an answer whose status is there and is no success.

    Parameters
    ----------
    names: members that may hold the status.
    success: what it may be, in any case.
    reasons: members that may hold the service's message.

    Raises
    ------
    SyntaxFormatError: with the message of the service.
    """
    status = value.get(*names)
    if status is None or status.name().lower() in [word.lower() for word in success]:
        return
    message = message_of(value, *reasons)
    found = quoted(status.name()) + (f": {message}" if message else "")
    raise status.error(f'"{success[0]}"', found)


def refuse_error(value: JsonValue, *names: str) -> None:
    """Refuse an answer that has one of these members: it is an error message.

    Raises
    ------
    SyntaxFormatError: with the message of the service.
    """
    trouble = value.get(*names)
    if trouble is not None and trouble.value not in ("", [], {}, False, 0):
        message = message_of(value, *names)
        raise trouble.error("a transcript", f"an error of the service: {message}")


def message_of(value: JsonValue, *names: str) -> str:
    """The service's message in one of these members, or in what they hold."""
    parts = []
    for name in names:
        found = value.get(name)
        if found is None:
            continue
        parts.append(_flat(found))
    return "; ".join(dict.fromkeys(part for part in parts if part))


def _flat(value: JsonValue) -> str:
    if isinstance(value.value, dict):
        return ": ".join(filter(None, (_flat(v) for _, v in list(value.members())[:8])))
    if isinstance(value.value, list):
        return ", ".join(filter(None, (_flat(v) for v in list(value.elements())[:8])))
    text = str(value.value)
    return "".join(c if c.isprintable() else " " for c in text)[:200]

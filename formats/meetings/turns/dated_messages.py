"""Messages on several lines: a date with a time of day, the name of the writer, and words.

The date is above the name, below it, or below the words; in mail, both are behind the names of
fields. A count of seconds since 1970 is a date, too. Such messages are written as one line:
``[2024-05-01 12:00:05] <Ann> so``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone

from formats.meetings.turns.plain import LEAST, LONGEST_PART, SEPARATED, Lines, if_in_sample
from formats.reading.dates import is_month_first, seconds_since_1970
from formats.reading.speakers import LOG_WORDS, is_label, is_name
from formats.schema import NamedTuple, lazy_pattern

MOMENT = lazy_pattern(r"[\[(]?((?:[^\W\d_]{3,10}\.?,? )?[^\W\d_]{0,10}\.? ?[0-9].{5,40}?)[\])]?\Z")
WRITER = lazy_pattern(r"[<@~]?([^\W\d][^<>:\n]{0,40}?)(?:[>:]|[ ]\([-+0-9. ()]{5,24}\))?\Z")
"""What may be a date and a time of day alone on its line, and the writer of a message."""
TEXT_BEHIND = lazy_pattern(r"([^\W\d][^<>:\n]{0,40}):[ \t]{1,4}(?=\S)")
"""The writer of a message before its words."""
MOST_OF_WRITER, LONGEST_MESSAGE = 3, 200
"""The most words of a name, and lines of a message above its date."""
FIELD = lazy_pattern(
    r"(?i)(?P<key>from|sender|sent|date|received|to|type|subject|attachments?|status|von|gesendet"
    r"|an|betreff|datum|de|envoyé|à|objet|enviado|para|asunto|от|отправлено|кому|тема):"
    r"(?P<value>.*)\Z"
)
OF_WRITER = frozenset(("from", "sender", "von", "de", "от"))
OF_DATE = frozenset(("sent", "date", "gesendet", "datum", "envoyé", "enviado", "отправлено"))
"""A field of a message in mail, and those that name its writer and its date."""
ADDRESS = lazy_pattern(r"[ ]?[<(\[][^<>()\[\]\n]{0,80}[>)\]]\Z")
"""The address or the number of a writer behind the name."""
HEAD = "[{date:%Y-%m-%d %H:%M:%S}] <{name}>"


class MessageLines(NamedTuple):
    """The lines of a message: all that are no words, the first with words, writer and date."""

    head: tuple[int, ...]
    first: int
    name: str
    date: str
    text: str


@if_in_sample
def with_dates_before_names(lines: Lines) -> Lines:
    """Write messages whose date, writer and words are on lines of their own as one line each.

    >>> page = ["1600000000", "ann", "so", "", "1600000061", "ben_1", "well"]
    >>> with_dates_before_names(list(enumerate([*page, "", "1600000070", "ann", "no"])))[4:7]
    [(4, ''), (5, ''), (6, '[2020-09-13 12:27:41] <ben_1> well')]
    >>> page = [x for n in range(4) for x in ("AB"[n % 2], "so", f"5 May 2024 12:0{n}", "")]
    >>> with_dates_before_names(list(enumerate(page)))[4:7]
    [(4, ''), (5, '[2024-05-05 12:01:00] <B> so'), (6, '')]
    """
    texts = [line.strip() for _, line in lines]
    moments = [n for n, line in enumerate(texts) if _is_moment(line)]
    forms: tuple[Callable[[], Iterator[MessageLines]], ...] = ()
    if len(moments) >= LEAST:
        filled = [n for n, line in enumerate(texts) if line]
        forms = (
            lambda: _below_dates(texts, filled, moments),
            lambda: _around_dates(texts, filled, moments),
            lambda: _above_dates(texts, filled, moments),
        )
    elif sum(line[:5].casefold() == "from:" for line in texts) >= LEAST:
        forms = (lambda: _of_mail(texts),)
    for form in forms:
        messages = list(form())
        if _are_messages(messages, len(moments)):
            return _joined(lines, messages)
    return lines


def _joined(lines: Lines, messages: Sequence[MessageLines]) -> Lines:
    """Return the lines with the head of each message before its first words."""
    changed = list(lines)
    is_first = is_month_first([message.date for message in messages])
    for message in messages:
        seconds = seconds_since_1970(message.date, is_month_first=is_first) or 0
        date = datetime.fromtimestamp(seconds, timezone.utc)
        for n in message.head:
            changed[n] = (lines[n][0], "")
        if message.text:
            head = HEAD.format(date=date, name=message.name)
            changed[message.first] = (lines[message.first][0], f"{head} {message.text}")
    return changed


def _are_messages(messages: Sequence[MessageLines], total: int) -> bool:
    """Return True if nearly all dates have a message, writers return, and dates go one way."""
    said = [message for message in messages if message.text]
    if len(said) < max(LEAST, SEPARATED * total):
        return False
    names = Counter(message.name for message in messages)
    again = sum(count for count in names.values() if count > 1)
    is_first = is_month_first([message.date for message in messages])
    times = [seconds_since_1970(x.date, is_month_first=is_first) or 0 for x in messages]
    least = SEPARATED * (len(times) - 1)
    rising = sum(a <= b for a, b in itertools.pairwise(times))
    falling = sum(a >= b for a, b in itertools.pairwise(times))
    return 2 * again > len(messages) and max(rising, falling) >= least


def _below_dates(
    texts: Sequence[str], filled: Sequence[int], moments: Sequence[int]
) -> Iterator[MessageLines]:
    """Yield the messages whose writer is on the line below the date."""
    places = {n: index for index, n in enumerate(filled)}
    for n, end in itertools.pairwise([*moments, len(texts)]):
        following = [m for m in filled[places[n] + 1 : places[n] + 3] if m < end]
        if not following or following[0] != n + 1:
            continue
        date, line = _moment(texts[n]), texts[n + 1]
        if name := _writer(line):
            first = following[1] if following[1:] else n + 1
            yield MessageLines((n, n + 1), first, name, date, texts[first] if following[1:] else "")
        elif (match := TEXT_BEHIND.match(line)) and _writer(match[1]):
            yield MessageLines((n,), n + 1, match[1], date, line[match.end() :])


def _around_dates(
    texts: Sequence[str], filled: Sequence[int], moments: Sequence[int]
) -> Iterator[MessageLines]:
    """Yield the messages whose date is between the writer and the words."""
    places = {n: index for index, n in enumerate(filled)}
    for n, end in itertools.pairwise([*moments, len(texts)]):
        above, following = n - 1, filled[places[n] + 1 : places[n] + 2]
        name = _writer(texts[above]) if n else ""
        if not name or not following:
            continue
        text = texts[following[0]] if following[0] < end - (end < len(texts)) else ""
        yield MessageLines((above, n), following[0] if text else n, name, _moment(texts[n]), text)


def _above_dates(
    texts: Sequence[str], filled: Sequence[int], moments: Sequence[int]
) -> Iterator[MessageLines]:
    """Yield the messages whose date is below the words; the writer is on their first line."""
    begin = 0
    for n in moments:
        rows = [m for m in filled if begin <= m < n] if n - begin <= LONGEST_MESSAGE else []
        begin = n + 1
        name = _writer(texts[rows[0]]) if len(rows) > 1 else ""
        if name:
            yield MessageLines((rows[0], n), rows[1], name, _moment(texts[n]), texts[rows[1]])


def _of_mail(texts: Sequence[str]) -> Iterator[MessageLines]:
    """Yield the messages below fields that name the writer and the date."""
    fields = {n: match for n, line in enumerate(texts) if (match := FIELD.match(line))}
    for begin in (n for n in fields if n - 1 not in fields):
        head = list(itertools.takewhile(fields.__contains__, range(begin, len(texts))))
        values = {fields[n]["key"].casefold(): fields[n]["value"].strip() for n in head}
        name = next((values[key] for key in values if key in OF_WRITER), "")
        date = next((values[key] for key in values if key in OF_DATE), "")
        name = _writer(ADDRESS.sub("", name).strip("\"' "))
        if not name or seconds_since_1970(date) is None:
            continue
        first = next((n for n in range(head[-1] + 1, len(texts)) if texts[n]), head[-1])
        is_text = first not in fields
        text = texts[first] if is_text else ""
        yield MessageLines(tuple(head), first if is_text else begin, name, date, text)


def _moment(line: str) -> str:
    """Return a date without the brackets around it."""
    match = MOMENT.match(line)
    return "" if match is None else match[1]


def _is_moment(line: str) -> bool:
    """Return True if a line is only a date with a time of day, or a count of seconds since 1970."""
    if not 0 < len(line) <= LONGEST_PART or not any(map(str.isdigit, line[:20])):
        return False
    match = MOMENT.match(line)
    return match is not None and seconds_since_1970(match[1]) is not None


def _writer(line: str) -> str:
    """Return the name that a line may be; empty for other lines."""
    match = WRITER.match(line)
    name = match[1].strip() if match is not None else ""
    is_nick = " " not in name and name[-1:] not in (".", "!", "?", ",")
    may_be = (is_nick or is_name(name) or is_label(name)) and name.upper() not in LOG_WORDS
    return name if may_be and len(name.split()) <= MOST_OF_WRITER else ""


def are_dated_blocks(lines: Sequence[str]) -> bool:
    """Return True if several lines are only a date with a time of day, or seconds since 1970."""
    dated = filter(_is_moment, map(str.strip, lines))
    return len([*itertools.islice(dated, LEAST)]) == LEAST

"""esps: labels of ESPS, xwaves and xlabel: the end of each label, in seconds, below a header.

=============================  ==============================================================
its word                       ours
=============================  ==============================================================
``time colour label``          a word; it begins where the one before ends, the first at 0
first label ``H#``, ``#``,     where the first label begins
``-`` or none
label ``H#``, ``h#``, ``#``,   an ``event``: a pause
``pau``, ``sil``, ``<SIL>``,
``{B_TRANS}``
no label                       nothing
``signal`` of the header       the recording, if it is not the file's own name
``separator``, ``nfields``     further fields of a label are not read, counted in a note
file ``s0201a.words``          of Buckeye: speaker ``s02``
file ``.lab``, ``.phn``        tier ``phones``; of ``.wrd``, ``.word``, ``.words`` none
labels of tones (``H*``,       events without length, as with ``points=True``
``L-L%``) and nothing else
=============================  ==============================================================

The colour is not read. Festival's files, whose header is ``#`` alone, are read as well, and so is
the Buckeye corpus, whose words have four fields: word, phonemes, phones, part of speech.
"""

from __future__ import annotations

import re

from formats.errors import SyntaxFormatError
from formats.fields import field_count_error
from formats.lines import column_of_field, read_time, split_fields, strip_blanks
from formats.model import Segment
from formats.spec import FormatSpec, Option, Sniff
from formats.times import is_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

PAUSES = frozenset({"h#", "#", "pau", "sil", "-"})
BRACKETS = {"<": ">", "{": "}"}
BUCKEYE = re.compile(r"(s[0-9]{2})[0-9]{2}[ab]\Z")
WORDS = (".wrd", ".word", ".words", ".fword")
TONES = re.compile(r"[HLX*!?+%-]{1,8}\Z")
LONGEST_HEADER = 200


def read(source: Source, *, points: bool = False) -> Iterator[Segment]:
    """One segment of all words, then the pauses; of points, an event each.

    Parameters
    ----------
    points: labels are points in time and not the ends of intervals.

    Raises
    ------
    SyntaxFormatError: no line ``#``, no time.
    """
    tier = None if source.name.lower().removesuffix(".gz").endswith(WORDS) else "phones"
    header: dict[str, str] | None = {}
    rows: list[tuple[int, str, int]] = []
    cut = 0
    for number, line in source.lines():
        bare = strip_blanks(line)
        if header is not None:
            name, _, value = bare.partition(" ")
            header[name] = strip_blanks(value)
            if bare == "#":
                separator = header.get("separator") or None
                header = None
            elif number > LONGEST_HEADER:
                break
            continue
        if not bare:
            continue
        try:
            end_ns, text = _row(source, number, line, rows[-1][0] if rows else 0)
        except SyntaxFormatError as error:
            source.log.reject("ESPS-SYNTAX", error)
            continue
        label = strip_blanks(text.partition(separator)[0]) if separator else text
        cut += label != text
        rows.append((end_ns, label, number))
    if header:
        raise source.syntax_error(None, "a header that ends with a line #", "none")
    if cut:
        source.log.note("ESPS-FIELDS", f"further fields of labels, not read: {cut}")
    labels = [label for _, label, _ in rows if label]
    if not points and labels and all(map(TONES.match, labels)) and set(labels) - PAUSES:
        source.log.note("ESPS-TONES", "labels of tones: read as points in time (--points)")
        points = True
    yield from _segments(source, rows, tier, points)


def _row(source: Source, number: int, line: str, latest: int) -> tuple[int, str]:
    """End and label of a line."""
    fields = split_fields(line)
    if len(fields) < 2:
        expected = "time, colour and label"
        raise field_count_error(source, number, line, len(fields), 3, expected)
    end_ns = read_time(source, number, line, 0, fields[0], "time")
    if end_ns < latest:
        message = f"{fields[0]} is before the time above: the label lasts no time"
        source.log.warn("ESPS-ORDER", message, number)
        end_ns = latest
    return end_ns, strip_blanks(line[column_of_field(line, 2) - 1 :])


def _segments(
    source: Source, rows: Sequence[tuple[int, str, int]], tier: str | None, points: bool
) -> Iterator[Segment]:
    begin = 0
    found = BUCKEYE.match(source.stem)
    speaker = found[1] if found else None
    words: list[tuple[str, int, int, int]] = []
    events: list[Segment] = []
    for index, (end, label, number) in enumerate(rows):
        is_pause = label.lower() in PAUSES or BRACKETS.get(label[:1]) == label[-1:] != ""
        is_mark = not points and not index and (is_pause or not label)
        if label and not is_mark and (points or is_pause):
            start = end if points else begin
            events.append(
                Segment(
                    source.recording, (label,), start_ns=start, end_ns=end,
                    tier="points" if points else tier, kind="event", line=number,
                )
            )  # fmt: skip
        elif label and not is_mark:
            words.append((label, begin, end, number))
        begin = end
    if words:
        texts, starts, ends, lines = zip(*words, strict=True)
        yield Segment(
            source.recording, texts, starts_ns=starts, ends_ns=ends, tier=tier, line=lines[0],
            speaker=speaker,
        )  # fmt: skip
    yield from events


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if a line ``#`` stands among the first 20, and below it times, colours and labels."""
    marks = [number for number, line in enumerate(lines[:20]) if strip_blanks(line) == "#"]
    if not marks:
        return Sniff.NO
    records = [split_fields(line) for line in lines[marks[0] + 1 :] if strip_blanks(line)]
    fitting = sum(
        len(r) > 1 and is_time(r[0]) and r[1].removeprefix("-").isdecimal() for r in records
    )
    return Sniff.SURE if records and fitting >= 0.95 * len(records) else Sniff.NO


SPEC = FormatSpec(
    title="labels of ESPS, xwaves and Festival: ends of labels in seconds below a header",
    sign="a line # and below it lines of time, colour, label",
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    read_options=(Option("points", False, "labels are points in time", (False, True)),),
    manual="A header up to a line #; then one label per line: its end, a colour, its text.",
)

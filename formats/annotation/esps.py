"""esps: label files of ESPS, xwaves and xlabel: a header, then the end of each label in seconds.

=============================  ==============================================================
in the file                    in the schema
=============================  ==============================================================
``time colour label``          a word; it begins at the end of the previous word, the first word at
                               0
first label ``H#``, ``#``,     nothing; its time is the begin of the next label
``-`` or none
label ``H#``, ``h#``, ``#``,   an ``event``: a pause
``pau``, ``sil``, ``<SIL>``,
``{B_TRANS}``
no label                       nothing
``signal`` of the header       not read
``separator``, ``nfields``     a label has several fields; only the first is read, a note counts
                               the others
file ``s0201a.words``          of Buckeye: speaker ``s02``
file ``.lab``, ``.phn``        tier ``phones``; files ``.wrd``, ``.word``, ``.words``: no tier
only labels of tones           events without length, as with ``points=True``
(``H*``, ``L-L%``)
=============================  ==============================================================

The colour is ignored. A label begins where the preceding label ends. The reader also accepts
Festival's files, whose header is only ``#``, and the Buckeye corpus, whose words have four fields:
word, phonemes, phones, part of speech.
"""

import re
from collections.abc import Iterator, Sequence

from formats.annotation.messages import ESPS_FIELDS, ESPS_ORDER, ESPS_TONES
from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.reading.lines import Line, split_fields, strip_blanks
from formats.reading.silence import SILENCES
from formats.schema.model import Segment
from formats.schema.times import is_time

PAUSES = SILENCES | {"h#", "#", "pau", "-"}
BRACKETS = {"<": ">", "{": "}"}
BUCKEYE = re.compile(r"(s[0-9]{2})[0-9]{2}[ab]\Z")
WORDS = (".wrd", ".word", ".words", ".fword")
TONES = re.compile(r"[HLX*!?+%-]{1,8}\Z")
LONGEST_HEADER = 200


def read(source: Source, *, points: bool = False) -> Iterator[Segment]:
    """Yield one segment with all words, then the pauses as events.

    With `points`, each label becomes an event without length instead.
    """
    tier = None if source.name.lower().removesuffix(".gz").endswith(WORDS) else "phones"
    lines = source.lines()
    header: dict[str, str] = {}
    for number, line in lines:
        name, _, value = strip_blanks(line).partition(" ")
        header[name] = strip_blanks(value)
        if (name, value) == ("#", "") or number > LONGEST_HEADER:
            break
    if header.get("#") != "":
        if header:
            raise source.syntax_error(None, "a header that ends with a line #", "none")
        return
    separator = header.get("separator") or None
    rows: list[tuple[int, str, int]] = []
    cut = 0

    def row(line: Line) -> Iterator[tuple[int, str, int]]:
        fields = line.fields(2, "time, colour and label")
        end_ns = line.time(0, "time")
        latest = rows[-1][0] if rows else 0
        if end_ns < latest:
            source.log.say(ESPS_ORDER, line.number, time=fields[0])
        yield max(end_ns, latest), line.rest(2), line.number

    filled = (Line(source, number, line) for number, line in lines if strip_blanks(line))
    for end_ns, text, number in source.log.accepted("ESPS-SYNTAX", row, filled):
        label = strip_blanks(text.partition(separator)[0]) if separator else text
        cut += label != text
        rows.append((end_ns, label, number))
    if cut:
        source.log.say(ESPS_FIELDS, cut=cut)
    labels = [label for _, label, _ in rows if label]
    if not points and labels and all(map(TONES.match, labels)) and set(labels) - PAUSES:
        source.log.say(ESPS_TONES)
        points = True
    yield from _tier_segments(source, rows, tier, points)


def _tier_segments(
    source: Source, rows: Sequence[tuple[int, str, int]], tier: str | None, points: bool
) -> Iterator[Segment]:
    begin = 0
    speaker = match[1] if (match := BUCKEYE.match(source.stem)) else None
    words: list[tuple[str, int, int, int]] = []
    events: list[Segment] = []
    for index, (end, label, number) in enumerate(rows):
        is_pause = _is_pause(label)
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


def _is_pause(label: str) -> bool:
    return label.lower() in PAUSES or BRACKETS.get(label[:1]) == label[-1:] != ""


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if a line ``#`` is among the first 20 and nearly all lines below are labels."""
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
    sniff=sniff,
    has_one_recording=True,
    read_options=(Option("points", False, "read labels of esps files as points in time"),),
)

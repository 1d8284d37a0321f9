"""mfa: output of the Montreal Forced Aligner as CSV or JSON.

======================================  ========================================================
in the file                             in the schema
======================================  ========================================================
CSV: ``Begin,End,Label,Type,Speaker``   a label of the tier ``Speaker - Type``, or ``Type``
JSON: ``tiers`` with ``entries``        tiers; ``anne - words`` belongs to the speaker ``anne``
tiers ``words``, ``phones``,            see `formats.annotation.tiers`
``utterances``
label ``<eps>``                         silence, which is not read
======================================  ========================================================

Times are seconds. The aligner's TextGrids have the format ``textgrid``.
"""

from collections.abc import Iterator
from functools import partial

from formats.annotation.tier_reading import segments_of_tiers
from formats.annotation.tiers import TIER_OPTIONS, Tier, TierLabel, TierRules
from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.json.value import JsonDocument, JsonValue
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time
from formats.tables.csv_file import csv_rows

HEADER = ["Begin", "End", "Label", "Type", "Speaker"]
SILENCE = "<eps>"


def read(source: Source, *, tier_map: str = "", speaker_from: str = "auto") -> Iterator[Segment]:
    """Yield the segments of all tiers."""
    rules = TierRules(tier_map, speaker_from)
    is_json = source.head()[0].lstrip().startswith("{")
    tiers = _of_json(source) if is_json else _of_csv(source)
    source.is_silent = True
    yield from segments_of_tiers(source, source.recording, list(tiers.values()), rules)


def _of_csv(source: Source) -> dict[str, Tier]:
    tiers: dict[str, Tier] = {}
    rows = csv_rows(source, ",")
    first, header = next(rows, (1, HEADER))
    if header[: len(HEADER)] != HEADER:
        expected = f"a header {','.join(HEADER)}"
        raise source.syntax_error(first, expected, quoted(",".join(header)), 1)
    for number, row in rows:
        try:
            if len(row) < len(HEADER) - 1:
                raise source.syntax_error(number, f"{len(HEADER)} fields", str(len(row)))
            begin, end, text, kind, speaker = [*row, ""][: len(HEADER)]
            times = _time(source, number, begin), _time(source, number, end)
            if times[1] < times[0]:
                raise source.syntax_error(number, f"an end not before {begin}", quoted(end))
            name = f"{speaker} - {kind}" if speaker else kind
            tier = tiers.setdefault(name, Tier(name, participant=speaker or None))
            tier.labels.append(TierLabel(*times, "" if text == SILENCE else text, number))
            source.log.accept("MFA-SYNTAX")
        except SyntaxFormatError as error:
            source.log.reject("MFA-SYNTAX", error)
    return tiers


def _time(source: Source, number: int, text: str) -> int:
    try:
        time = parse_time(text.strip())
    except ValueError:
        time = -1
    if time < 0:
        raise source.syntax_error(number, "a time in seconds", quoted(text))
    return time


def _of_json(source: Source) -> dict[str, Tier]:
    tiers: dict[str, Tier] = {}
    for value in JsonDocument(source).values:
        for name, member in value.required("tiers").members():
            tier = tiers[name] = Tier(name, is_points=member.text_of("type") == "point")
            read_entry = partial(_entry, tier.is_points)
            entries = member.elements("entries")
            tier.labels += source.log.accepted("MFA-SYNTAX", read_entry, entries)
    return tiers


def _entry(is_point: bool, entry: JsonValue) -> Iterator[TierLabel]:
    parts = list(entry.elements())
    if len(parts) != (2 if is_point else 3):
        raise entry.error("[begin, end, label]", f"{len(parts)} elements")
    times = [part.nanoseconds() for part in parts[:-1]]
    if times[-1] < times[0]:
        raise parts[1].error(f"an end not before {parts[0].value}")
    text = parts[-1].text()
    yield TierLabel(times[0], times[-1], "" if text == SILENCE else text, entry.line)


def sniff(head: Head) -> Sniff:
    """Return `SURE` for the CSV header, or for JSON with tiers that have entries."""
    if head.shape == "json":
        tiers = head.first_object.get("tiers")
        first = next(iter(tiers.values()), None) if isinstance(tiers, dict) else None
        return Sniff.SURE if isinstance(first, dict) and "entries" in first else Sniff.NO
    first = next((line for line in head if line.strip()), "")
    return Sniff.SURE if first.strip().split(",")[: len(HEADER)] == HEADER else Sniff.NO


SPEC = FormatSpec(
    title="alignments of the Montreal Forced Aligner as CSV and JSON: words and phones",
    sign=f"a header {','.join(HEADER)}",
    read=read,
    sniff=sniff,
    read_options=TIER_OPTIONS,
)

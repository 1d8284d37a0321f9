"""What we write, we detect: every file of a writer is detected as its format, or refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO

import pytest

import formats
from formats import FormatError, Segment, Transcript
from formats.detection import FORMATS
from tests.each_case import each_case
from tests.formats.case import Case
from tests.formats.conftest import Heads
from tests.formats.test_contract import CASES, WRITTEN, format_items, read

LISTED = {listed.name: listed for listed in FORMATS}
SECOND = 1_000_000_000
TIMES_OVER = 12
TURNS = 3, 9
"""Each target gets the sample of every third case, and of every ninth many times over: how long a file is matters to
its format."""
PLAIN = frozenset(("txt", "txt-lines", "kaldi"))
"""Formats that are not known by their content: words may stand in any text."""
LAYOUTS = frozenset(("speaker-text", "markdown"))
"""Formats of which a few turns, or turns without speakers, look like plain text."""

SEEN: set[tuple[str, bytes]] = set()
"""What was written and tried: many formats say the same in their samples, and writers write the same of it."""
NAMES_ALONE = ("speaker-labels", "htk")
"""A list of labels that are names of speakers looks like a list of speakers."""


def _later(segment: Segment, number: int, step: int) -> Segment:
    """Return a segment so many steps later, with an id of its own."""

    def shifted(time: int | None) -> int | None:
        return None if time is None else time + number * step

    def column(times: tuple[int | None, ...] | None) -> tuple[int | None, ...] | None:
        return times and tuple(map(shifted, times))

    return segment.replace(
        start_ns=shifted(segment.start_ns),
        end_ns=shifted(segment.end_ns),
        starts_ns=column(segment.starts_ns),
        ends_ns=column(segment.ends_ns),
        utterance=segment.utterance and f"{segment.utterance}-{number}",
    )


def _transcripts(case: Case) -> Iterator[Transcript]:
    """Yield the sample, and if no alternatives have times of their own, the same many times over."""
    found = read(case.sample_bytes, case)

    def with_segments(segments: Iterable[Segment]) -> Transcript:
        return Transcript(segments, found.definitions, source="rec", properties=found.properties)

    yield with_segments(found.segments)
    if not any(segment.alternations for segment in found):
        last = max((s.end_ns or s.start_ns or 0 for s in found), default=0)
        step = (last // SECOND + 1) * SECOND
        copies = [_later(s, n, step) for n in range(TIMES_OVER) for s in found]
        yield with_segments(copies)


def _detected(data: bytes, name: str) -> str | None:
    stream = BytesIO(data)
    if name:
        stream.name = name
    try:
        return formats.detect(stream)
    except FormatError:
        return None


def _names(endings: tuple[str, ...]) -> list[str]:
    return [f"talk{ending}" if ending[0] == "." else ending[1:] for ending in endings]


@pytest.mark.share(28)
@format_items
def test_what_a_writer_writes_is_detected_as_its_format(case: Case, heads: Heads) -> None:
    turn = CASES.index(case)
    for is_long, transcript in enumerate(_transcripts(case)):
        for number, target in enumerate(WRITTEN):
            if (turn + number) % TURNS[is_long]:
                continue
            output = BytesIO()
            try:
                formats.write(
                    transcript, output, target.name, interpolate="chars", **target.write_options
                )
            except FormatError:
                continue
            data, listed = output.getvalue(), LISTED[target.name]
            if not data.strip(b"[]\n"):
                continue
            if (case.name, target.name) == NAMES_ALONE:
                continue
            if (target.name, data) in SEEN:
                continue
            SEEN.add((target.name, data))
            heads.clear()
            for name in _names(listed.suffixes):
                assert _detected(data, name) == target.name, (target.name, name)
            others = {None, target.name}
            if target.name in PLAIN | LAYOUTS:
                others |= PLAIN
            for name in ["", *_names(() if target.name in PLAIN else listed.shared)]:
                ending = name.rpartition(".")[2]
                assert _detected(data, name) in others | {ending}, (target.name, name)


@each_case("rows", [1, 9, 10, 40])
@each_case("ids", [True, False])
@each_case(("to", "ending"), [("tsv", ".tsv"), ("tsv", ".txt"), ("csv", "")])
def test_a_table_is_no_file_of_nist_however_many_rows_it_has(
    rows: int, ids: bool, to: str, ending: str
) -> None:
    segments = [
        Segment(
            "rec", ("hello", "world"), speaker="anne", utterance=f"u{n}" if ids else None,
            start_ns=n * SECOND, end_ns=(n + 1) * SECOND,
        )
        for n in range(rows)
    ]  # fmt: skip
    output = BytesIO()
    formats.write(Transcript(segments), output, to)
    assert _detected(output.getvalue(), f"talk{ending}" if ending else "") == to

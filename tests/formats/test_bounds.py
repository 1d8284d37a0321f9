"""What every reader refuses no writer writes: it is refused, or counted, whatever the format."""

from io import BytesIO

import pytest

import formats
from formats import Alternation, LossError, Segment, Token, Transcript
from formats.detection import by_name
from formats.writing.bounds import LATEST
from tests.each_case import each_case
from tests.formats.case import Case
from tests.formats.test_contract import WRITTEN, each_written, read, written_items
from tests.tables import table_of

TIMED = [
    case
    for case in WRITTEN
    if {"segment times", "word times"} & frozenset(by_name(case.name).holds)
]
TABLES = ("arrow", "parquet")
BINARY = ("stl", *TABLES)
MOST_HOURS = {"scc": 24, "stl": 24, "tmp": 100}
"""Their time codes count hours with two digits, those of video up to 23."""
each_timed = each_case("case", TIMED, ids=lambda case: case.name)


def encoding_of(name: str) -> str:
    """Binary formats are no text: a character for each byte."""
    return "latin-1" if name in BINARY else "utf-8"


def written(segment: Segment, name: str, **options: object) -> tuple[str, list[str]]:
    output = BytesIO()
    losses = formats.write(Transcript([segment], source="rec"), output, name, **options)  # type: ignore[arg-type]
    return output.getvalue().decode(encoding_of(name)), [str(loss) for loss in losses]


def spoken(start: int, end: int) -> Segment:
    times: dict[str, object] = {
        "start_ns": start,
        "end_ns": end,
        "starts_ns": (start,),
        "ends_ns": (end,),
    }
    return Segment.of(
        "rec", ["a"], channel="1", speaker="s", utterance="s-1", confidences=[0.5]
    ).replace(**times)


@each_timed
@each_case(
    ("start", "end", "expected"),
    [
        (-1, 10, "expected a time of 0 or more"),
        (0, LATEST + 1, "expected a time within 146 years"),
        (2**63 - 1, 2**63 - 1, "expected a time within 146 years"),
    ],
)
def test_no_writer_takes_a_time_that_readers_refuse(
    case: Case, start: int, end: int, expected: str
) -> None:
    holds = frozenset(by_name(case.name).holds)
    kinds = (
        ("segment", {"words", "empty segments"}),
        ("scored", {"scored regions"}),
        ("query", {"queries"}),
    )
    kind = next(kind for kind, features in kinds if features & holds)
    with pytest.raises(LossError, match=expected):
        written(spoken(start, end).replace(kind=kind), case.name, **case.write_options)


@each_timed
def test_the_latest_time_is_read_back(case: Case) -> None:
    if case.name in MOST_HOURS:
        with pytest.raises(LossError, match=f"below {MOST_HOURS[case.name]} hours"):
            written(spoken(0, LATEST - 123_456_789), case.name, **case.write_options)
        return
    data, _ = written(spoken(0, LATEST - 123_456_789), case.name, **case.write_options)
    found = read(data.encode(encoding_of(case.name)), case).segments
    assert found or "words" not in frozenset(by_name(case.name).holds)


@each_timed
def test_what_ends_before_it_begins_is_refused(case: Case) -> None:
    if "words" in by_name(case.name).holds:
        with pytest.raises(LossError, match="expected times in order, found 2e-09 to 1e-09"):
            written(spoken(2, 1), case.name, **case.write_options)


@pytest.mark.share(4)
@written_items
@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_a_score_that_is_no_number_is_counted_and_left_out(case: Case, number: float) -> None:
    if "words" not in frozenset(by_name(case.name).holds) or case.name == "kwslist":
        return  # the latter needs scores, and refuses
    segment = spoken(0, 10**9).replace(
        confidence=number, confidences=(number,), nbest=((number, ("b",)),)
    )
    data, losses = written(segment, case.name, **case.write_options)
    for what in ("segment confidences", "confidences", "scores of other hypotheses"):
        assert f"{what}: 1 (the numbers are not finite)" in losses
    [found] = read(data.encode(encoding_of(case.name)), case)
    assert found.confidence is None
    assert found.confidences is None


def test_a_score_inside_an_alternation_is_looked_at_too() -> None:
    choice = Alternation([[Token("b", 0, 1, float("inf"))], [Token("c", 0, 1, 0.5)]])
    segment = Segment.from_items("rec", [Token("a", 0, 1, 0.25), choice], start_ns=0, end_ns=1)
    data, losses = written(segment, "jsonl")
    assert losses == ["confidences: 1 (the numbers are not finite)"]
    assert "Infinity" not in data


@each_written
def test_no_text_file_with_a_nul_character_is_written(case: Case) -> None:
    segment = spoken(0, 10**9).replace(words=("a\0b",), speaker="s\0t")
    try:
        data, _ = written(segment, case.name, **case.write_options)
    except LossError:
        return
    if case.name in TABLES:
        # which have lengths, and no ends, of texts
        [found] = read(data.encode(encoding_of(case.name)), case)
        assert (found.words, found.speaker) == (("a\0b",), "s\0t")
        return
    assert "\0" not in data


def test_the_message_names_the_place_in_the_output() -> None:
    with pytest.raises(LossError) as caught:
        written(Segment.of("rec", ["a\0b"], line=7), "csv")
    assert (
        str(caught.value)
        == "<stream>:2:11: expected text, found a NUL character, which no text file holds"
    )


@each_case(("name", "what"), table_of(__file__, "segments_in_another_order_are_counted"))
def test_segments_in_another_order_are_counted(name: str, what: str) -> None:
    kind = "scored" if name == "uem" else "segment"
    late, early = (
        Segment.of("rec", [] if name == "uem" else ["a"], channel="1", speaker="s", utterance=f"s-{start}",
                start=start, end=start + 1, starts=None if name == "uem" else [start],
                ends=None if name == "uem" else [start + 1], kind=kind)
        for start in (2, 0)
    )  # fmt: skip
    output = BytesIO()
    losses = formats.write(Transcript([late, early], source="rec"), output, name)
    assert what in map(str, losses)
    losses = formats.write(Transcript([early, late], source="rec"), output, name)
    assert not any("order" in str(loss) for loss in losses)

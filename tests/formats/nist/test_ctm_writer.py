"""Writing ctm: sorting, rounding, columns, nested alternations, refusals."""

from io import StringIO

import pytest

import formats
from formats import NULL, Alternation, LossError, Segment, Token, Transcript
from formats.io.sink import open_sink
from formats.nist.ctm_writer import flat_branches
from formats.nist.messages import NULL_WORD
from formats.writing.out import Out
from tests.formats.checks import message_of, message_text
from tests.formats.conftest import ReadText


def written(*segments: Segment, **options: object) -> tuple[list[str], list[str]]:
    output = StringIO()
    losses = formats.write(Transcript(segments), output, "ctm", **options)  # type: ignore[arg-type]
    return output.getvalue().splitlines(), [str(loss) for loss in losses]


def words(*texts: str, recording: str = "a", begin: float = 0.0, **changes: object) -> Segment:
    starts = [begin + n / 2 for n in range(len(texts))]
    ends = [s + 0.25 for s in starts]
    segment = Segment.of(recording, texts, channel="1", starts=starts, ends=ends, line=4)
    return segment.replace(**changes)


def test_lines_are_sorted_by_recording_as_bytes_then_by_begin() -> None:
    lines, losses = written(
        words("é", recording="é"), words("z", begin=1.0), words("x", "y"), words("B", recording="B")
    )
    assert lines == [
        "B 1 0.000 0.250 B",
        "a 1 0.000 0.250 x",
        "a 1 0.500 0.250 y",
        "a 1 1.000 0.250 z",
        "é 1 0.000 0.250 é",
    ]
    assert losses == [
        "segment boundaries: 1 (words without times are read back as one text for each channel)",
        "order of words: 5 (sorted by recording, channel and start)",
    ]


def test_end_points_are_rounded_so_neighbours_stay_neighbours() -> None:
    segment = Segment.of(
        "a", ["x", "y"], channel="1", starts=[0.0005, 0.3336], ends=[0.3336, 0.3338]
    )
    lines, losses = written(segment)
    assert lines == ["a 1 0.000 0.334 x", "a 1 0.334 0.000 y"]
    assert losses == ["decimals of times: 4 (rounded to 3 decimals)"]
    assert written(segment, precision=4) == (["a 1 0.0005 0.3331 x", "a 1 0.3336 0.0002 y"], [])


def test_confidences_are_written_for_all_or_none() -> None:
    segment = words("x", "y", "z", confidences=(0.5, None, 1e-7))
    assert written(segment)[0] == [
        "a 1 0.000 0.250 x 0.5",
        "a 1 0.500 0.250 y NA",
        "a 1 1.000 0.250 z 0.0000001",
    ]


def test_types_and_speakers_only_on_request(read_text: ReadText) -> None:
    segment = words("x", "y", kinds=(None, "fp"), speaker="anne")
    lines, losses = written(segment)
    assert lines == ["a 1 0.000 0.250 x", "a 1 0.500 0.250 y"]
    assert losses == [
        "word types: 1 (--all-columns keeps them)",
        "speakers: 1 (--all-columns keeps them)",
    ]
    lines, losses = written(segment, all_columns=True)
    assert lines == ["a 1 0.000 0.250 x NA lex anne", "a 1 0.500 0.250 y NA fp anne"]
    assert losses == []
    assert read_text("\n".join(lines), "ctm").segments == (segment,)


def test_words_of_other_types_are_left_out_on_request() -> None:
    lines, losses = written(words("x", "y", "z", kinds=(None, "fp", None)), lexical_only=True)
    assert lines == ["a 1 0.000 0.250 x", "a 1 1.000 0.250 z"]
    assert losses == ["words: 1 (only lexical words are written)"]
    lines, losses = written(words("y", kinds=("fp",)), words("x"), lexical_only=True)
    assert lines == ["a 1 0.000 0.250 x"]


def test_alternations_and_nulls(read_text: ReadText) -> None:
    um, uh = Token("um", 10**9, 2 * 10**9), Token("uh", 10**9, 2 * 10**9, optional=True)
    first = Token("x", 0, 10**9, 0.5)
    segment = Segment.from_items("a", [first, NULL, Alternation([[], [um], [uh, uh]])], channel="1")
    lines, losses = written(segment)
    assert lines == [
        "a 1 0.000 1.000 x 0.5",
        "a 1 0.000 0.000 @ NA",
        "a 1 * * <ALT_BEGIN>",
        "a 1 1.000 0.000 @ NA",
        "a 1 * * <ALT>",
        "a 1 1.000 1.000 um NA",
        "a 1 * * <ALT>",
        "a 1 1.000 1.000 (uh) NA",
        "a 1 1.000 1.000 (uh) NA",
        "a 1 * * <ALT_END>",
    ]
    assert losses == []
    assert read_text("\n".join(lines), "ctm").segments == (segment,)


def test_nested_alternations_are_multiplied_out() -> None:
    inner = Alternation([[Token("c", 0, 1)], []])
    outer = Alternation([[inner, Token("d", 1, 2), inner], [Token("e", 0, 2)]])
    out = Out(Segment("a"), open_sink(StringIO()))
    assert [[t.text for t in b] for b in flat_branches(outer, out)] == [
        ["c", "d", "c"], ["c", "d"], ["d", "c"], ["d"], ["e"],
    ]  # fmt: skip
    _, losses = written(Segment.from_items("a", [outer], channel="1"), precision=9)
    assert losses == ["nested alternations: 1 (written as branches of one level)"]


def test_too_many_branches_are_refused() -> None:
    inner = Alternation([[Token("c")], []])
    sink = open_sink(StringIO())
    sink.source = "a.stm"
    assert message_of(
        LossError,
        lambda: flat_branches(Alternation([[inner] * 30]), Out(Segment("a", line=3), sink)),
    ) == (
        "a.stm:3: expected an alternation of at most 1024 branches when multiplied out, found 2048"
    )


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (words("@"), f"4: {message_text(NULL_WORD)}"),
        (words("<Alternative"), '4: expected a word that the format can hold, found '
         '"<Alternative", which would be read as a marker'),
        (words("x", recording=";a"),
         '4: expected a recording whose name does not begin like a comment, found ";a"'),
        (words("x", ends_ns=(-1,)),
         '4: expected a time of 0 or more for the word "x", found -1e-09'),
    ],
)  # fmt: skip
def test_what_cannot_be_written(segment: Segment, message: str) -> None:
    assert message_of(LossError, lambda: written(segment)) == message


def test_braces_are_letters_in_a_ctm_word() -> None:
    assert written(words("{x/a}"))[0] == ["a 1 0.000 0.250 {x/a}"]

"""MacCaption: packets, rates, what is not read."""

import pytest

from formats import SyntaxFormatError
from formats.subtitles.messages import MCC_708, MCC_NOT_READ
from tests.each_case import each_case
from tests.formats.conftest import ReadText

HEAD = "File Format=MacCaption_MCC V1.0\n\n// General\nCreation Program=A\nTime Code Rate={}\n\n"


def packet(code: str, triples: str, rate: str = "4F") -> str:
    """A line with triples of caption bytes."""
    count = len(triples) // 6
    data = f"9669{12 + 3 * count:02X}{rate}43000072{0xE0 | count:02X}{triples}74000000"
    return f"{code}\tT{len(data) // 2:02X}{data}\n"


def hello(second: int = 1, rate: str = "4F", field: str = "FC") -> str:
    """A caption ``hi`` from the fourth frame of a second to the begin of the next."""
    pairs = ("9420", "94AE", "68E9", "942F")
    lines = [
        packet(f"00:00:{second:02}:{n:02}", field + pair, rate) for n, pair in enumerate(pairs)
    ]
    return "".join(lines) + packet(f"00:00:{second + 1:02}:00", f"{field}942C", rate)


@each_case(
    ("rate", "byte", "start"),
    [
        ("30", "4F", 1.1011),
        ("30DF", "4F", 1.1011),
        ("25", "3F", 1.1344),
        ("24", "1F", 1.1345),
        ("24", "2F", 1.1345),
        ("60", "7F", 1.0677),
    ],
)
def test_a_caption_begins_in_its_frame(
    read_text: ReadText, rate: str, byte: str, start: float
) -> None:
    (segment,) = read_text(HEAD.format(rate) + hello(rate=byte), "mcc")
    assert segment.words == ("hi",)
    assert segment.start == pytest.approx(start, abs=0.02)


def test_letters_stand_for_frequent_bytes_and_other_sections_are_skipped(
    read_text: ReadText,
) -> None:
    services = "73D1" + "00" * 7
    data = f"S1F4F43ZZ71C0000000{services}72E1FC942074ZZZ"
    first = f"00:00:01:00\tT1E{data}\n"
    text = HEAD.format(30) + first + hello().split("\n", 1)[1]
    assert [s.words for s in read_text(text, "mcc")] == [("hi",)]


def test_fields_and_captions_that_are_not_read_are_counted(read_text: ReadText) -> None:
    read = read_text(HEAD.format(30) + hello() + hello(5, field="FD"), "mcc")
    assert [(d.value.entry, d.value.fields) for d in read.diagnostics] == [
        (MCC_NOT_READ, {"pairs": 5})
    ]
    read = read_text(HEAD.format(30) + packet("00:00:01:00", "FF0221FE4100"), "mcc")
    assert [d.value.entry for d in read.diagnostics] == [MCC_708]


@each_case(
    ("line", "rate"),
    [
        ("hello\n", "30"),
        ("00:00:01:00\tT0\n", "30"),
        ("00:00:01:00\tT10S1\n", "30"),
        ("00:00:01:00\tT0DS0D4F43ZZ72EFFC942074ZZZ\n", "30"),
        ("00:00:01:31\tT0DS0D4F43ZZ72E1FC942074ZZZ\n", "30"),
        ("00:00:01:00\tT0A0102030405060708090A\n", "30"),
        ("\n", "31"),
    ],
)
def test_malformed_packets_are_errors(read_text: ReadText, line: str, rate: str) -> None:
    with pytest.raises(SyntaxFormatError):
        read_text(HEAD.format(rate) + line, "mcc", tolerance="strict")


def test_another_first_line_is_an_error(read_text: ReadText) -> None:
    with pytest.raises(SyntaxFormatError):
        read_text("Scenarist_SCC V1.0\n", "mcc")

"""Examples of the functions that write lines plainly, and of beginnings of lines."""

from __future__ import annotations

from formats.detection.line_shapes import _outline, _padded_numbers, are_tier_rows
from formats.meetings.turns.plain import (
    _without_counters_of_names,
    with_colons,
    with_names_first,
    with_plain_dates,
    with_times_first,
    with_times_in_brackets,
    without_bars,
    without_doubles,
    without_html,
    without_linked_times,
    without_numbers,
    without_tokens,
)
from formats.nist.txt_remarks import _lines_over_paragraphs


def test_without_doubles() -> None:
    page = ["Ann", "0 minutes 4 seconds0:04", "Ann 0 minutes 4 seconds", "well"] * 3
    assert without_doubles(list(enumerate(page)))[:4] == [
        (0, ""),
        (1, ""),
        (2, "Ann 0:04"),
        (3, "well"),
    ]
    assert without_doubles([(n, f"Ann 0 Minuten {n} Sekunden0:0{n}") for n in range(3)])[2] == (
        2,
        "Ann 0:02",
    )
    assert without_doubles([(n, f"1:0{n}1 minute, {n} secondsSo") for n in range(2, 5)])[0] == (
        2,
        "[1:02] So",
    )


def test_with_plain_dates() -> None:
    assert with_plain_dates([(n, f"05/11/2018, 9.{n} - Ann: so") for n in range(55, 58)])[0] == (
        55,
        "05/11/2018, 9:55 - Ann: so",
    )
    assert with_plain_dates([(n, f"1970-01-01 00:00:0{n}: so") for n in range(3)])[1] == (
        1,
        "00:00:01: so",
    )
    assert with_plain_dates([(n, f"0:0{n}so it was") for n in range(3)])[2] == (
        2,
        "[0:02] so it was",
    )


def test_without_bars() -> None:
    assert without_bars([(1, "|0:01"), (2, "| so it was"), (3, "|")]) == [
        (1, "0:01"),
        (2, " so it was"),
        (3, ""),
    ]
    assert without_bars([(1, "> 0:01"), (2, "> so it was")]) == [(1, " 0:01"), (2, " so it was")]


def test_without_counters_of_names() -> None:
    assert _without_counters_of_names([(n, f"00{n} {'AB'[n % 2]}nn: so it") for n in range(7)])[
        2
    ] == (2, "Ann: so it")


def test_with_times_first() -> None:
    page = ["So it was that day", "0:01", "", "And so on we", "went home", "0:05"]
    assert with_times_first(list(enumerate(page)))[3:] == [
        (5, "0:05"),
        (3, "And so on we"),
        (4, "went home"),
    ]


def test_without_numbers() -> None:
    assert without_numbers([(n, f"{n % 3 + 1}  so") for n in range(9)])[3:5] == [
        (3, " so"),
        (4, " so"),
    ]
    assert without_numbers([(n, f"{n} [0:0{n}] so") for n in range(5)])[3] == (3, "[0:03] so")


def test_with_names_first() -> None:
    lines = [(1, "Speaker 1: so Speaker 2: yes Speaker 1: it"), (2, "was Speaker 2: a")]
    assert with_names_first(lines)[:2] == [(1, "Speaker 1: so"), (1, "Speaker 2: yes")]


def test_with_colons() -> None:
    assert with_colons([(n, f"00;00;0{n};11 - 00;00;0{n};20") for n in range(3)])[2] == (
        2,
        "00:00:02:11 - 00:00:02:20",
    )


def test_without_tokens() -> None:
    assert without_tokens([(1, "<|0.00|> So<|1.20|><|1.20|> it was<|2.00|><|2.00|> a<|2.40|>")])[
        1
    ] == (1, "[1.20 - 2.00] it was")


def test_lines_over_paragraphs() -> None:
    lines = ["Ann Lee", "So it was.", "", "Bob", "Yes.", "", "Eve", "No."]
    assert _lines_over_paragraphs(lines) == ["Ann Lee", "Bob", "Eve"]


def test_beginnings_of_lines() -> None:
    texts = ["@anna well", "- so", "(12) we", "“Well, so", "don't go"]
    assert list(map(_outline, texts)) == ["@a", "-", "(0", "", ""]
    assert _padded_numbers(["0000 so", "0001 well"]) == ["0000", "0001"]
    assert _padded_numbers(["100 so", "101 well"]) == []
    assert are_tier_rows(["ann-text\tAnn Lee\t0.5\t1.5\tso it was"])


def test_times_and_tags() -> None:
    timed = [(1, "so (0:12)"), (2, "no (0:15)"), (3, "well (0:19)")]
    assert with_times_in_brackets(timed)[0] == (1, "so [0:12]")
    assert without_linked_times([(1, "so [[0:12](https://a.example)]")]) == [(1, "so [0:12]")]
    page = [(1, "<p><b>Ann:</b> so<br>Bob: it&nbsp;was</p>")]
    assert without_html(page) == [(1, "Ann: so"), (1, "Bob: it\xa0was"), (1, "")]

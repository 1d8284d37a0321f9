"""Examples of the functions that find what is no word in a text, and of those that write it plainly."""

from __future__ import annotations

from collections import Counter

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
from formats.reading.remains import (
    _above_rule,
    beginnings_of,
    brackets_in,
    codes_in,
    dashes_of_changes,
    do_lines_alternate,
    do_scripts_differ,
    head_of_document,
    headings_in,
    is_mark,
    is_part,
    is_rule,
    letters_first,
    names_unmarked,
    names_with_point,
    names_within,
    numbers_first,
    signs_first,
    without_entities,
)


def test_names_unmarked() -> None:
    lines = [
        "Operator Thank you.",
        "Ann Lee, Head Thank you.",
        "Operator Next?",
        "Ann Lee, Head It is.",
        "Operator That was all.",
    ]
    assert names_unmarked(lines) == [
        "Operator",
        "Ann Lee, Head",
        "Operator",
        "Ann Lee, Head",
        "Operator",
    ]


def test_names_with_point() -> None:
    assert names_with_point(["Hor. So it was.", "Yes. Oh yes", "Ber. Well.", "P. Queen. No."] * 4)[
        :3
    ] == ["Hor", "Ber", "P. Queen"]


def test_letters_first() -> None:
    assert letters_first(["C she go/ed home.", "E where?", "C home.", "E oh."]) == [
        "C",
        "E",
        "C",
        "E",
    ]


def test_names_within() -> None:
    assert names_within(["so it was. SPEAKER 2: yes", "it was, and SPEAKER 1: no"]) == [
        "SPEAKER 2:",
        "SPEAKER 1:",
    ]


def test_headings_in() -> None:
    assert headings_in(
        ["ACT I", "SCENE II. A road.", "Verse 1", "act as you like", "INT. ROOM - DAY"]
    ) == ["ACT I", "SCENE II. A road.", "Verse 1", "INT. ROOM - DAY"]


def test_brackets_in() -> None:
    assert brackets_in(["so [laughs] it was", "[laughs] yes (of course) (Applause.)"]) == Counter(
        {"[laughs]": 2, "(Applause.)": 1}
    )


def test_without_entities() -> None:
    assert list(without_entities([(1, "&gt;&gt; so it&#39;s"), (2, "R&D")])) == [
        (1, ">> so it's"),
        (2, "R&D"),
    ]


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


def test_is_rule() -> None:
    assert [is_rule(line) for line in ("-----", "=== Part 2 ===", "-- so --", "so it was")] == [
        True,
        True,
        False,
        False,
    ]


def test_is_part() -> None:
    assert (
        is_part("[Estribillo]", True),
        is_part("[Verse 2]", False),
        is_part("[Applause]", True),
    ) == (True, True, False)


def test_head_of_document() -> None:
    assert head_of_document(["Date: 5 May", "", "Host: Ann", "Good morning."]) == 3


def test_above_rule() -> None:
    assert _above_rule(["Sprache: en", "Modell: small", "-----", "so it was"]) == 3
    assert (
        _above_rule(["Our house", "=====", "so it was"]),
        _above_rule(["so it was.", "-----"]),
    ) == (2, 0)
    assert _above_rule(["Our house", "Sprache: en", "=====", "so it was"]) == 3


def test_numbers_first() -> None:
    assert numbers_first(["1. What is it?", "It is so.", "2. And that?", "3) And this?"]) == [
        "1.",
        "2.",
        "3)",
    ]
    assert numbers_first(["1. What is it?", "4 dogs came", "2. And that?", "3. And this?"]) == [
        "1.",
        "2.",
        "3.",
    ]


def test_signs_first() -> None:
    assert signs_first(["- so it was", "and then", "[ ] to do", "-- it was"]) == ["-", "[ ]", "--"]


def test_codes_in() -> None:
    assert codes_in(["1:2.5", "b_a", "82tUO", "so"] * 4)[:3] == ["1:2.5", "b_a", "82tUO"]


def test_is_mark() -> None:
    assert [
        word for word in ["so", "</b>", "it", ">>", "is", "//", "then", "[0:12]"] if is_mark(word)
    ] == ["</b>", ">>", "//", "[0:12]"]


def test_dashes_of_changes() -> None:
    assert dashes_of_changes(
        ["-", "Oh,", "hi.", "-", "Hi", "Jim", "-", "my", "friend.", "-", "Yes?"]
    ) == ["-", "-", "-"]


def test_beginnings_of() -> None:
    assert beginnings_of(["(Ann) so it was", "(Bob) yes", "well then", "(Ann) no"] * 3)[:2] == [
        "(Ann)",
        "(Bob)",
    ]


def test_do_lines_alternate() -> None:
    assert do_lines_alternate(["so it was", "так это было", "well then", "ну что же"] * 3)
    assert do_lines_alternate(["そうだったと思います", "我想是这样的", "雨が降った", "下雨了"] * 3)
    assert not do_lines_alternate(["そうだったと思います", "雨が降った"] * 3)
    assert not do_lines_alternate(["我想是这样的", "下雨了"] * 3)


def test_do_scripts_differ() -> None:
    assert (
        do_scripts_differ("so it was", "так это было"),
        do_scripts_differ("so it was", "12"),
        do_scripts_differ("雨が降った", "下雨了"),
    ) == (True, False, True)

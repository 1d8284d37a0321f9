"""The steps by which a text is prepared for its layout: each with a text of a few lines."""

from formats.meetings.layouts import fold, signs_of
from formats.meetings.turns.completed import times_after_midnight
from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.inside import names_between
from formats.meetings.turns.margins import are_notes, margins
from formats.meetings.turns.outside import without_contents
from formats.meetings.turns.plain import with_lines_at_seconds
from formats.meetings.turns.records import _fields
from formats.reading.remains import transcript_in
from formats.reading.residue import Residue, doubt_of_turns, residue_of
from formats.schema.times import SECOND


def test_each_line_with_a_pattern_has_its_signs() -> None:
    assert signs_of("[{start}{?{to}{end}?}]{?:?} ({speaker})") == set("()[]")


def test_marks_of_lists_and_links_are_no_text() -> None:
    assert fold("- **[0:12](https://x.y) Ann:** well **then**").text == "[0:12] Ann: well then"


def test_times_after_midnight_are_those_of_the_next_day() -> None:
    day = 24 * 3600 * SECOND
    late = 23 * 3600 * SECOND
    assert times_after_midnight([late, 5 * SECOND]) == [late, day + 5 * SECOND]


def test_a_name_on_a_line_above_a_time_is_no_text() -> None:
    lines = [(1, "Speaker A:"), (2, "[0:01] well:"), (3, "so"), (4, "Note:")]
    assert names_between(lines) == {"Speaker A:": "Speaker A"}


def test_dates_counts_and_page_numbers_are_at_the_margins() -> None:
    assert sorted(margins(["Ann: so", "4 May 2024", "Bob: well", "", "Words: 312"])) == [1, 4]
    pages = ["A: so", "Talk", "2", "B: well", "A: no", "B: or", "Talk", "3", "B: so"]
    assert sorted(margins(pages)) == [1, 2, 6, 7]


def test_a_list_with_a_title_is_notes() -> None:
    assert are_notes(["Notes:", "- Send the report", "- Next call on Friday"])
    assert not are_notes(["Notes:", "So it was, and we went home."])


def test_a_table_of_contents_has_no_turns() -> None:
    titles = {n: TurnHead(None, 60 * n * SECOND, None, f"Part {n}") for n in range(3)}
    turns = {n + 5: TurnHead(None, n * SECOND, None, "So it was.") for n in range(20)}
    assert without_contents({**titles, **turns}) == turns


def test_numbers_of_seconds_in_brackets_divide_a_line() -> None:
    parts = [(1, "[00:00:01.500] was"), (1, "[00:00:02.250] all")]
    for line in ("[[0.5]]so it [[1.5]]was [[2.25]]all", "so it (0.5) was (1.5) all (2.25)"):
        assert with_lines_at_seconds([(1, line)])[1:] == parts


def test_fields_stand_alone_or_behind_a_name() -> None:
    ann = [("Speaker", "speaker", "Ann"), ("Start", "start", "0.5")]
    assert _fields("[Speaker: Ann] [Start: 0.5] so it was") == (ann, "", "so it was")
    times = [("start", "start", "0.5"), ("end", "end", "2.5")]
    assert _fields("S1 (start=0.5, end=2.5): so") == (times, "S1", "so")


def test_the_section_that_is_a_transcript_ends_at_the_next_title() -> None:
    lines = ["CALL", "", "TRANSCRIPT", "-----", "so it", "", "NOTES", "-----", "a call"]
    assert transcript_in(lines) == (4, 6)


def test_names_before_most_lines_are_a_sign_of_structure() -> None:
    named = [f"{'Ann' if n % 2 else 'Bob'} So it was, said Eve." for n in range(8)]
    assert residue_of(named) == Residue("names", 8, 8, "Bob")
    assert residue_of(["So it was, said Eve.", "And Ann said no."] * 4) is None


def test_turns_of_which_only_some_have_times_are_odd() -> None:
    turns = [(3, True), (2, True), *[(2, False)] * 10]
    assert doubt_of_turns([(size, True) for size, _ in turns]) is None
    assert doubt_of_turns([*turns, (2, True), (1, True)]) == Residue("untimed", 10, 14, "")

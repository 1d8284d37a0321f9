"""The functions that divide texts into turns, fields and margins, one example each."""

from formats.meetings.layouts import fold, signs_of
from formats.meetings.turns.completed import times_after_midnight
from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.inside import names_between
from formats.meetings.turns.margins import are_notes, margins
from formats.meetings.turns.outside import without_contents
from formats.meetings.turns.plain import with_lines_at_seconds
from formats.meetings.turns.records import _fields
from formats.reading.document_parts import transcript_in
from formats.reading.residue import Residue, doubt_of_turns, residue_of
from formats.schema.times import SECOND
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, turns


def test_a_line_is_divided_at_its_times() -> None:
    below = [(1, "[00:00:01.500] was"), (1, "[00:00:02.250] all")]
    assert with_lines_at_seconds([(1, "[[0.5]]so it [[1.5]]was [[2.25]]all")])[1:] == below
    assert with_lines_at_seconds([(1, "so it (0.5) was (1.5) all (2.25)")])[1:] == below


def test_a_table_of_contents_is_left_out() -> None:
    titles = {n: TurnHead(None, 60 * n * SECOND, None, f"Part {n}") for n in range(3)}
    turns = {n + 5: TurnHead(None, n * SECOND, None, "So it was.") for n in range(20)}
    assert min(without_contents({**titles, **turns})) == 5


def test_lines_at_the_margins() -> None:
    assert margins(["Ann: so", "4 May 2024", "Bob: well", "", "Words: 312"]) == {1, 4}
    pages = ["A: so", "Talk", "2", "B: well", "A: no", "B: or", "Talk", "3", "B: so"]
    assert margins(pages) == {1, 2, 6, 7}
    assert are_notes(["Notes:", "- Send the report", "- Next call on Friday"])


def test_times_after_midnight_are_of_the_next_day() -> None:
    late, early = 23 * 3600 * SECOND, 5 * SECOND
    assert times_after_midnight([late, early]) == [late, 24 * 3600 * SECOND + early]


def test_names_between_times() -> None:
    lines = [(1, "Speaker A:"), (2, "[0:01] well:"), (3, "so"), (4, "Note:")]
    assert names_between(lines) == {"Speaker A:": "Speaker A"}


def test_fields_of_a_line() -> None:
    named = [("Speaker", "speaker", "Ann"), ("Start", "start", "0.5")]
    assert _fields("[Speaker: Ann] [Start: 0.5] so it was") == (named, "", "so it was")
    timed = [("start", "start", "0.5"), ("end", "end", "2.5")]
    assert _fields("S1 (start=0.5, end=2.5): so") == (timed, "S1", "so")


def test_lines_and_patterns_without_marks() -> None:
    assert fold("- **[0:12](https://x.y) Ann:** well **then**").text == "[0:12] Ann: well then"
    assert signs_of("[{start}{?{to}{end}?}]{?:?} ({speaker})") == set("[]()")


def test_the_section_that_is_the_transcript() -> None:
    text = ["CALL", "", "TRANSCRIPT", "-----", "so it", "", "NOTES", "-----", "a call"]
    assert transcript_in(text) == (4, 6)


def test_signs_of_structure() -> None:
    named = [f"{'Ann' if n % 2 else 'Bob'} So it was, said Eve." for n in range(8)]
    assert residue_of(named) == Residue("names", 8, 8, "Bob")
    assert residue_of(["So it was, said Eve.", "And Ann said no."] * 4) is None


def test_doubt_of_turns() -> None:
    turns = [(3, True), (2, True), *[(2, False)] * 10]
    assert doubt_of_turns([(size, True) for size, _ in turns]) is None
    assert doubt_of_turns([*turns, (2, True), (1, True)]) == Residue("untimed", 10, 14, "")


@each_case("mark", ["** Start of Film {n}", "[End of Tape {n}]", "Start of Reel {n}, side A",
                    "--- Beginning of Disc {n} ---", "*** END OF CASSETTE {n} ***"])  # fmt: skip
def test_changes_of_films_and_tapes_are_no_words(mark: str) -> None:
    pieces = [f"0:{n:02}:00\n\n{text}\n" for n, text in enumerate(SAID)]
    pieces[1] += f"\n{mark.format(n=2)}\n"
    pieces[4] += f"\n{mark.format(n=3)}\n"
    assert [text for *_, text in turns("\n".join(pieces))] == SAID


@each_case("line", ["Start of film was late", "The end of film 2", "End of the road",
                    "Start of the tape I said", "End of story", "** Start of Day 2"])  # fmt: skip
def test_speech_about_films_is_words(line: str) -> None:
    pieces = [f"0:{n:02}:00\n\n{text}\n" for n, text in enumerate(SAID)]
    pieces[1] += f"{line}\n"
    assert turns("\n".join(pieces))[1][2] == f"{SAID[1]} {line}"

"""Examples of titles of parts and of rules."""

from __future__ import annotations

from formats.reading.part_titles import headings_in, is_part, is_rule


def test_headings_in() -> None:
    assert headings_in(
        ["ACT I", "SCENE II. A road.", "Verse 1", "act as you like", "INT. ROOM - DAY"]
    ) == ["ACT I", "SCENE II. A road.", "Verse 1", "INT. ROOM - DAY"]


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

"""Examples of lines in two languages."""

from __future__ import annotations

from formats.reading.line_languages import do_lines_alternate, do_scripts_differ


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

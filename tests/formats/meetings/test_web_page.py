"""Pages of the web: classes that say what is what, the lines that a browser shows, and neither."""

import sys
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

import pytest

import formats
from formats import Transcript
from formats.meetings.messages import PAGE_HIDDEN, PAGE_OTHERS, PAGE_PROSE, PAGE_TIMES
from tests.each_case import each_case
from tests.remarks import fields_of
from tests.tables import table_of

Row: TypeAlias = tuple[str | None, float | None, str]


def page(body: str) -> Transcript:
    """Read a page whose format is detected."""
    stream = BytesIO(
        f"<!DOCTYPE html><html><head><title>T</title></head><body>{body}</body></html>".encode()
    )
    stream.name = "talk.html"
    transcript = formats.read(stream)
    assert transcript.format == "html"
    return transcript


def rows(transcript: Transcript) -> list[Row]:
    return [(s.speaker, s.start, " ".join(s.words)) for s in transcript]


@each_case(("body", "turns"), table_of(__file__, "classes_say_what_is_what"))
def test_classes_say_what_is_what(body: str, turns: list[Row]) -> None:
    assert rows(page(body)) == turns


@each_case(("body", "turns"), table_of(__file__, "shown_lines_have_turns"))
def test_shown_lines_have_turns(body: str, turns: list[Row]) -> None:
    assert rows(page(body)) == turns


def test_a_script_of_a_film_in_one_element() -> None:
    script = "\n".join((
        "<b>               THE WALL", "</b>", "<b>   INT. KITCHEN - NIGHT", "</b>",
        "     Anna sits at the table.", "",
        *("<b>                         ANNA", "</b>               Where is the lamp?", ""),
        *("<b>                         TOM", "</b>               (tired)"),
        *("               I do not know. Ask", "               your brother.", ""),
        *("<b>                         ANNA", "</b>               He is gone, Tom.", ""),
        *("<b>                         TOM", "</b>               So we wait.", ""),
    ))  # fmt: skip
    assert rows(page(f"<pre>{script}</pre>")) == [
        ("ANNA", None, "Where is the lamp?"),
        ("TOM", None, "I do not know. Ask your brother."),
        ("ANNA", None, "He is gone, Tom."),
        ("TOM", None, "So we wait."),
    ]


def test_a_page_without_turns_is_one_text_with_a_warning() -> None:
    transcript = page(
        "<nav><a href='/'>Home</a></nav><h1>Shop</h1><p>We sell lamps.</p><ul><li>and <b>ladders</b></ul>"
        "<script>let x = 'no'</script>"
    )
    assert rows(transcript) == [(None, None, "We sell lamps. and ladders")]
    assert fields_of(transcript.diagnostics, PAGE_PROSE) == [{"lines": 2}]
    assert fields_of(transcript.diagnostics, PAGE_HIDDEN) == [
        {"count": 3, "names": ["head", "nav", "script"]}
    ]


def test_what_is_beside_turns_is_counted() -> None:
    transcript = page(
        "<h1>Talk</h1><p class=text>All rights.<p><i class=speaker>Ann</i> <q class=text>so</q>"
        "<p><i class=speaker>Bo</i> <q class=text>yes</q><footer>The end</footer>"
    )
    assert rows(transcript) == [("Ann", None, "so"), ("Bo", None, "yes")]
    assert fields_of(transcript.diagnostics, PAGE_OTHERS) == [{"lines": 3, "text": "# Talk"}]


def test_times_that_are_none_are_reported() -> None:
    transcript = page(
        "<p><b class=author>Ann</b><i class=time>soon</i><q class=text>so</q>"
        "<p><b class=author>Bo</b><i class=time>0:05</i><q class=text>yes</q>"
    )
    assert rows(transcript) == [("Ann", None, "so"), ("Bo", 5.0, "yes")]
    assert fields_of(transcript.diagnostics, PAGE_TIMES) == [{"count": 1, "text": "soon"}]


@pytest.mark.parametrize("body", ["", "<img src='a.png'>", "<script>a = 'b'</script>"])
def test_a_page_that_shows_nothing_is_no_transcript(body: str) -> None:
    with pytest.raises(formats.UnknownFormatError):
        page(body)


def test_a_damaged_page_is_read_as_browsers_do() -> None:
    turns = "<p><b>Ann:</b> so it is<p><b>Bo:</b> yes</span></td><p><b>Ann:</b> and then?<p><b>Bo:</b> no"
    transcript = formats.read(BytesIO(f"<html><table><tr>{'<i>' * 100}{turns}".encode()), "html")
    assert [s.speaker for s in transcript] == ["Ann", "Bo"] * 2
    with pytest.raises(formats.SizeLimitError, match="depth"):
        formats.read(BytesIO(f"<html>{'<div>' * 5000}{turns}".encode()), "html")


def test_pages_need_a_parser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html><p><b>Ann:</b> so<p><b>Bo:</b> yes</html>")
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(formats.OptionError, match="lxml"):
        formats.read(path, "html")

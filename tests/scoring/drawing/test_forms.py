"""Every kind of block has every form, and nothing in a text is treated as markup."""

from html.parser import HTMLParser

import pytest

import scoring
from scoring.drawing.blocks import (
    Block,
    ChangePlot,
    ChangePoint,
    Fact,
    Heading,
    Items,
    Lead,
    Note,
    Rows,
    Running,
    Sentence,
    Table,
    TrendLine,
    TrendPoint,
    Versions,
)
from scoring.drawing.forms import FORMS, encoded, lines_of
from scoring.drawing.text import Appearance, text_lines

NASTY = "- <i>x</i> | *b* `c` \x1b[31m& \udcff"


def page(text: str = NASTY) -> list[Block]:
    alignment = scoring.align([text, "same"], ["other", "same"])
    return [
        Lead(text, good=True),
        ChangePlot([ChangePoint(text, -0.1, (-0.2, 0.05)), ChangePoint("b", None)], text),
        TrendLine([TrendPoint(text, 0.1, (0.05, 0.2)), TrendPoint(text, 0.2)]),
        Heading(text, remark=text),
        Sentence(text),
        Note(text),
        Fact("signature", text),
        Items([text], lead="note: "),
        Items([text], good=False),
        Table([text, "number"], [[text, "1"]], marks={(0, 1): False}),
        Table((), [[text, "1"]]),
        Heading(text, 3, wrong=True),
        Rows(alignment),
        Heading(text, 3, wrong=False),
        Running(alignment, context=1),
        Versions([text, None], [("old", [text, None], ["", ""]), ("new", [None, "a"], ["D", "I"])]),
    ]


@pytest.mark.parametrize("form", FORMS)
def test_every_block_has_every_form_and_no_text_moves_the_cursor(form: str) -> None:
    whole = b"".join(encoded(lines_of(page(), form, NASTY))).decode()
    assert "\x1b" not in whole
    for block in page():
        assert list(lines_of([block], form, "t"))
    assert whole.count("other") == 2


class Elements(HTMLParser):
    """Elements that are open, in order, and all that there were."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.known: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.known.add(tag)
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_closed_as_it_was_opened_and_texts_are_texts() -> None:
    parser = Elements()
    parser.feed("\n".join(lines_of(page(), "html", NASTY)))
    assert not parser.open
    assert {"details", "table", "del", "ins", "h2"} <= parser.known
    assert "i" not in parser.known


def test_a_sentence_that_begins_like_a_list_is_none_in_markdown() -> None:
    blocks: list[Block] = [Sentence("1. x"), Sentence("+ y"), Sentence("0.5 z"), Items(["- a"])]
    assert [line for line in lines_of(blocks, "markdown", "t") if line] == [
        "# t",
        "1\\. x.",
        "\\+ y.",
        "0.5 z.",
        "- \\- a",
    ]


def test_what_is_copied_stays_whole_in_markdown_whatever_it_holds() -> None:
    (line,) = list(lines_of([Fact("signature", "a``b")], "markdown", "t"))[2:]
    assert line == "Signature: ```a``b```"


def test_terminals_underline_sections_and_colour_what_is_good_or_bad() -> None:
    blocks: list[Block] = [Heading("日本"), Items(["a"], good=True), Items(["b"], good=False)]
    assert list(text_lines(blocks, Appearance(rule="#"))) == ["日本", "####", "a", "b"]
    assert list(text_lines(blocks, Appearance(colour=True))) == [
        "\x1b[1m日本\x1b[0m",
        "\x1b[32ma\x1b[0m",
        "\x1b[31mb\x1b[0m",
    ]

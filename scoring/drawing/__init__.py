"""Blocks of a page, drawn as text, Markdown, HTML, JSON or CSV; independent of results."""

from __future__ import annotations

from formats.schema import NamedTuple


class Appearance(NamedTuple):
    """Settings of text output."""

    columns: int = 100  # how wide lines of alignments may be
    colour: bool = False  # whether headings and errors are coloured
    rule: str = ""  # A letter that underlines the headings of sections; empty: none
    is_screen: bool = False  # whether all lines fit `columns`, as on terminals


USUAL = Appearance()

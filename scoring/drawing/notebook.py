"""Values that a terminal shows as text and a notebook as HTML, from the same blocks.

A class has a method `blocks`; its methods `__str__` and `_repr_html_` call `text_of` and `html_of`.
`display` shows a value in a notebook if the program runs in one, and prints it otherwise.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Protocol

from formats.console import SIGNS
from scoring.drawing.blocks import (
    Block,
    Fact,
    Heading,
    Items,
    Lead,
    Note,
    Rows,
    Sentence,
    Table,
)
from scoring.drawing.markup import html_lines, html_table, html_text
from scoring.drawing.terminal import NOTHING
from scoring.drawing.text import Appearance, text_lines
from scoring.model.counts import Edit, Pair

# Behind words, so that they can be read on dark pages, too.
_BACKGROUNDS = {
    Edit.SUBSTITUTION: "rgba(230,150,0,.35)",
    Edit.DELETION: "rgba(220,40,40,.35)",
    Edit.INSERTION: "rgba(60,120,255,.35)",
}
_PLACE = (
    '<span style="display:inline-block;text-align:center;margin:0 .2em .4em;padding:0 .2em;'
    'vertical-align:top;{style}"><bdi>{reference}</bdi><br><bdi>{hypothesis}</bdi><br>{letter}'
    "</span>"
)
_FRAME = (
    '<iframe title="{title}" srcdoc="{page}" style="width:100%;height:40em;'
    'border:1px solid rgba(128,128,128,.4)"></iframe>'
)


class HasBlocks(Protocol):
    """A value with blocks that can be drawn."""

    def blocks(self) -> Iterable[Block]:
        """Yield the blocks to draw."""


class Viewable(Protocol):
    """A value that `display` can show."""

    def lines(self, look: Appearance) -> Iterable[str]:
        """Yield the lines for terminals."""

    def _repr_html_(self) -> str: ...


def text_of(value: HasBlocks) -> str:
    """Return the blocks of a value as text."""
    return "\n".join(text_lines(value.blocks()))


def html_of(value: HasBlocks) -> str:
    """Return the blocks of a value as HTML for a notebook, with its own styles."""
    return html_of_blocks(value.blocks())


def html_of_blocks(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML for a notebook, with its own styles."""
    return "".join(_elements(blocks))


class ShownByBlocks:
    """A collection that a terminal shows as text and a notebook as HTML."""

    __slots__ = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks to draw."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return text_of(self)

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


class FramedPage:
    """A page that a notebook shows in a frame, and a terminal as text.

    Parameters
    ----------
    title
        Title of the page.
    blocks
        The content for terminals, and for notebooks if there is no `document`.
    document
        The page as HTML; None: the blocks are the page.
    """

    def __init__(self, title: str, blocks: Sequence[Block], document: str | None = None) -> None:
        self._title, self._blocks, self._document = title, blocks, document

    def lines(self, look: Appearance) -> Iterator[str]:
        """Yield the lines for terminals."""
        return text_lines(self._blocks, look, self._title)

    def _repr_html_(self) -> str:
        document = self._document
        if document is None:
            document = "\n".join(html_lines(self._blocks, self._title))
        return _FRAME.format(title=html_text(self._title), page=escape(document))


def display(view: Viewable) -> None:
    """Show a value in a notebook, or print it.

    On a terminal, the text is in colour unless `NO_COLOR` is set.
    """
    interactive = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(interactive, "kernel"):
        sys.modules["IPython.display"].display(view)
        return
    import os

    terminal = sys.stdout.isatty()
    columns = shutil.get_terminal_size((100, 24)).columns if terminal else 100
    look = Appearance(columns, terminal and not os.environ.get("NO_COLOR"), is_screen=terminal)
    for line in view.lines(look):
        print(line)


def _elements(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield HTML elements with their styles; a folded heading hides all blocks after it."""
    folds = 0
    for block in blocks:
        match block:
            case Heading(text, _, remark, _, wrong) if wrong is None:
                end = f": {html_text(remark)}" if remark else ""
                yield f'<p dir="auto"><strong>{html_text(text)}</strong>{end}</p>'
            case Heading(text):
                folds += 1
                yield f"<details><summary>{html_text(text)}</summary>"
            case Lead(text):
                yield f"<p><strong>{html_text(text)}.</strong></p>"
            case Sentence(text):
                yield f"<p>{html_text(text)}.</p>"
            case Note(text):
                yield f"<p>{html_text(text)}</p>"
            case Fact(name, value):
                text = f"{html_text(name)}: {html_text(value)}"
                yield f'<p dir="auto" style="overflow-wrap:anywhere">{text}</p>'
            case Items(lines, _, good):
                sign = "" if good is None else SIGNS[good]
                yield from (f'<p dir="auto">{sign}{html_text(line)}</p>' for line in lines)
            case Table(headings, rows, text_columns):
                yield html_table(headings, rows, text_columns=text_columns)
            case Rows(alignment):
                yield f'<div dir="auto">{"".join(map(_place_of, alignment))}</div>'
            case _:
                pass
    yield "</details>" * folds


def _place_of(pair: Pair) -> str:
    """Return one slot of an alignment as HTML."""
    is_wrong = pair.edit in _BACKGROUNDS
    return _PLACE.format(
        style=f"background:{_BACKGROUNDS[pair.edit]}" if is_wrong else "",
        reference=html_text(NOTHING if pair.reference is None else pair.reference),
        hypothesis=html_text(NOTHING if pair.hypothesis is None else pair.hypothesis),
        letter=pair.edit.letter if is_wrong else "&nbsp;",
    )

"""The content of a page before it is drawn: a title and a sequence of blocks.

`scoring.drawing.text` draws blocks for terminals, `scoring.drawing.markup` as Markdown,
reStructuredText and HTML. Texts in blocks are plain: who draws them escapes them. A new report
makes blocks and has all these forms; a new form is one more module that draws every kind of block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from scoring.model.counts import Alignment


class Heading(NamedTuple):
    """A heading above other blocks."""

    text: str
    level: int = 2  # 2: of a section; 3: of what belongs to a section
    remark: str = ""  # A sentence without full stop that belongs to it; may be empty
    apart: bool = True  # whether terminals show an empty line before it
    # Whether there are errors in what follows up to the next heading, which browsers then show at
    # once, else when it is opened; None: it is always shown
    wrong: bool | None = None


class Sentence(NamedTuple):
    """A sentence without its full stop, which terminals do not show."""

    text: str


class Note(NamedTuple):
    """An explanation of the block before; terminals show it in parentheses."""

    text: str


class Fact(NamedTuple):
    """A name and a value that is to be copied, such as a signature."""

    name: str
    value: str


class Items(NamedTuple):
    """Sentences one below the other."""

    lines: Sequence[str]
    lead: str = ""  # what terminals show before each
    # Whether they report success or failure, which terminals show by colours; None: neither
    good: bool | None = None


class Table(NamedTuple):
    """Rows of texts; the first so many columns are words, the others numbers."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    text_columns: int = 1


class Rows(NamedTuple):
    """An alignment in rows, with the labels of reference and hypothesis."""

    alignment: Alignment
    labels: tuple[str, str] = ("reference:", "hypothesis:")


class Running(NamedTuple):
    """An alignment as running text with what was deleted and inserted."""

    alignment: Alignment
    context: int | None = None  # how many equal words to keep beside what differs; None: all


class TrendPoint(NamedTuple):
    """A rate of a trend."""

    label: str
    rate: float
    interval: tuple[float, float] | None = None  # its bounds; None: unknown


class TrendLine(NamedTuple):
    """Rates in their order, at least one."""

    points: Sequence[TrendPoint]


Block: TypeAlias = Heading | Sentence | Note | Fact | Items | Table | Rows | Running | TrendLine

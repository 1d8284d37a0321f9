"""The content of a page before it is drawn: a title and a sequence of blocks.

`scoring.drawing.text` draws blocks for terminals, `scoring.drawing.markup` as Markdown,
reStructuredText and HTML. Texts in blocks are plain, and the drawing modules escape them. A new
report only has to return blocks. A new output form is a module that draws every kind of block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from formats.schema import NamedTuple
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from scoring.model.counts import Alignment


class Heading(NamedFields):
    """A heading above other blocks."""

    text: str
    level: int = 2  # 2: of a section; 3: of what belongs to a section
    remark: str = ""  # A sentence without full stop that belongs to it; may be empty
    apart: bool = True  # whether terminals show an empty line before it
    # Whether there are errors in what follows up to the next heading, which browsers then show at
    # once, else when it is opened; None: it is always shown
    wrong: bool | None = None
    anchor: str = ""  # that links of a page lead to


class Lead(NamedFields):
    """The first sentence of a page, without its full stop."""

    text: str
    good: bool | None = None  # whether it is good news, which colours show; None: neither


class Sentence(NamedFields):
    """A sentence without its full stop."""

    text: str


class Note(NamedFields):
    """An explanation of the previous block; terminals show it in parentheses."""

    text: str


class Fact(NamedFields):
    """A name with a value that readers may copy, such as a signature."""

    name: str
    value: str


class Items(NamedFields):
    """Sentences, each on a separate line."""

    lines: Sequence[str]
    lead: str = ""  # what terminals show before each
    # Whether they report success or failure, which terminals show by colours; None: neither
    good: bool | None = None


class Table(NamedFields):
    """Rows of texts; the first columns contain words, the other columns contain numbers."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    text_columns: int = 1
    # By row and column whether a number is good or bad news, which colours of browsers show
    marks: Mapping[tuple[int, int], bool] = MappingProxyType({})
    anchors: Sequence[str] = ()  # of rows, that links of a page lead to; empty of a row: none
    # Headings of columns that a narrow terminal drops, the first group first
    spare: Sequence[Sequence[str]] = ()
    links: Sequence[str] = ()  # of rows, anchors that their names on a page lead to; empty: none
    is_prose: bool = False  # whether long cells are wrapped in files and pipes, too


class Rows(NamedFields):
    """An alignment in rows, with the labels of reference and hypothesis."""

    alignment: Alignment
    labels: tuple[str, str] = ("reference:", "hypothesis:")


class Versions(NamedFields):
    """Several hypotheses in rows below the same reference words."""

    reference: Sequence[str | None]  # by column; None: an insertion
    # By version its label, its words and the letters of its errors (empty: correct) by column
    versions: Sequence[tuple[str, Sequence[str | None], Sequence[str]]]
    label: str = "reference:"


class Running(NamedFields):
    """An alignment as running text that marks deleted and inserted words."""

    alignment: Alignment
    context: int | None = None  # how many equal words to keep beside what differs; None: all


class TrendPoint(NamedFields):
    """A rate in a trend, with its label, its interval, its limit and a link."""

    label: str
    rate: float
    interval: tuple[float, float] | None = None  # its bounds; None: unknown
    change: str = ""  # why a new level or another series begins here
    limit: float | None = None  # the highest rate that passes; None: no limit
    is_above: bool = False  # whether the rate is above its limit
    link: str = ""  # address of a page about it
    name: str = ""  # says more than the label, where there is room


class TrendLine(NamedFields):
    """A series of rates in order, with at least one rate."""

    points: Sequence[TrendPoint]

    @property
    def limit(self) -> float | None:
        """The last limit of the series; None if its points have no limits."""
        return next((each.limit for each in reversed(self.points) if each.limit is not None), None)


class Drawing(NamedFields):
    """HTML elements, such as an SVG drawing, which only HTML pages show."""

    elements: Sequence[str]


class RateCurve(NamedFields):
    """A rate from 0 to 1 as a function of an amount.

    Pages draw the amount along a logarithmic axis; points with the amount 0 are at its left end.
    Text output shows tables instead.
    """

    points: Sequence[tuple[float, float, str]]  # amount, rate, title
    amount: str  # title of its axis
    rate: str


class ChangePoint(NamedFields):
    """A change of a rate, with its interval and a remark if the interval is rough."""

    label: str
    change: float | None  # None: unknown
    interval: tuple[float, float] | None = None  # its bounds; None: unknown
    flag: str = ""  # why the interval is only a rough guide


class ChangePlot(NamedFields):
    """Changes, or rates, with their intervals, each in a row, along a common axis."""

    points: Sequence[ChangePoint]
    title: str  # of the axis
    is_higher_better: bool = False  # whether positive changes are for the better
    is_of_rates: bool = False  # rates have no signs and no colours

    @property
    def sign(self) -> str:
        """The sign before positive numbers."""
        return "" if self.is_of_rates else "+"


class TurnSpan(NamedTuple):
    """A turn of a speaker, or a time span with errors, on a lane of the drawing."""

    lane: int
    side: int  # 0: reference, 1: hypothesis
    begin_ns: int
    end_ns: int
    kind: str = ""  # empty: a turn; S: confusion, D: missed, I: false alarm


class TurnTimeline(NamedFields):
    """The turns of a recording: a lane for each speaker, and time spans on the lanes."""

    name: str
    lanes: Sequence[tuple[str | None, str | None]]  # speakers of both sides; None: nobody
    spans: Sequence[TurnSpan]


class Timelines(NamedFields):
    """The turns of several recordings; only browsers show them."""

    recordings: Sequence[TurnTimeline]


Block: TypeAlias = (
    Heading
    | Lead
    | Sentence
    | Note
    | Fact
    | Items
    | Table
    | Rows
    | Versions
    | Running
    | TrendLine
    | Drawing
    | RateCurve
    | ChangePlot
    | Timelines
)

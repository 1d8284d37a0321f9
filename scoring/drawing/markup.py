"""Blocks as Markdown (GitHub's), reStructuredText and HTML; texts are escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from formats.console.terminal import shown, table, width
from scoring.drawing.blocks import (
    Block,
    Fact,
    Heading,
    Items,
    Note,
    Rows,
    Running,
    Sentence,
    Table,
    TrendLine,
)
from scoring.drawing.numbers import percent
from scoring.drawing.opcodes import DELETE, EQUAL
from scoring.drawing.running import EditRun, runs
from scoring.drawing.terminal import NOTHING, alignment_lines
from scoring.drawing.trend import trend_text
from scoring.model.counts import Alignment, Edit

_WIDTH, _HEIGHT, _MARGIN = 640, 160, 44  # of the drawing of a trend, in pixels
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|!~&$])")
# What makes a list or a heading at the beginning of a line; of a number the mark after it.
_MARKDOWN_START = re.compile(r"^(|\d+(?=[.)](?:\s|$)))([-+=.)])")
_RESTRUCTURED = re.compile(r"([\\`*_|])")
_RESTRUCTURED_START = re.compile(r"^([-+=.:>#•‣⁃]|\(?\w+[.)])")
NO_WORDS = "(no words)"

_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }}
table {{ border-collapse: collapse; margin: .5em 0; }}
th, td {{ padding: .15em .7em; text-align: right; border-bottom: 1px solid #ddd; }}
th.text, td.text {{ text-align: left; }}
.S {{ background: #fff3cd; }} .D, del {{ background: #f8d7da; }} .I, ins {{ background: #d6e4ff; }}
summary.wrong {{ font-weight: bold; }}
.alignment td {{ text-align: left; border: 0; padding: .1em .3em; }}
.alignment {{ display: inline-table; }}
</style>
</head>
<body>
<h1>{title}</h1>"""


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is, within a line.

    >>> print(escaped("a|b <i>"))
    a\|b \<i\>
    """
    return _MARKDOWN.sub(r"\\\1", shown(text))


def begun(text: str) -> str:
    r"""Text that Markdown shows as it is, at the beginning of a line, too.

    >>> print(begun("1. x"), begun("- y"), begun("0.5 z"))
    1\. x \- y 0.5 z
    """
    return _MARKDOWN_START.sub(r"\1\\\2", escaped(text))


def markdown_lines(blocks: Iterable[Block], title: str, columns: int = 100) -> Iterator[str]:
    """A page in Markdown; lines of alignments have so many columns at most."""
    yield f"# {escaped(title)}"
    yield from _apart(blocks, lambda block: _markdown(block, columns), follows=True)


def _apart(
    blocks: Iterable[Block], lines_of: Callable[[Block], Iterable[str]], follows: bool = False
) -> Iterator[str]:
    """The lines of blocks, with an empty one between them; those of items follow each other."""
    before: Block | None = None
    for block in blocks:
        if follows and not (isinstance(block, Items) and isinstance(before, Items)):
            yield ""
        before, follows = block, True
        yield from lines_of(block)


def _markdown(block: Block, columns: int) -> Iterator[str]:
    match block:
        case Heading(text, level, remark):
            yield f"{'#' * level} {escaped(text)}"
            yield from ("", f"{begun(remark)}.") if remark else ()
        case Sentence(text):
            yield f"{begun(text)}."
        case Note(text):
            yield begun(text)
        case Fact(name, value):
            fence = _fence(value, 1)
            yield f"{name.capitalize()}: {fence}{shown(value)}{fence}"
        case Items(lines):
            yield from (f"- {begun(line)}" for line in lines)
        case Table(headings, rows, text_columns):
            size = len(headings or rows[0])
            yield _cells(headings or [""] * size)
            kinds = ["---" if column < text_columns else "---:" for column in range(size)]
            yield f"|{'|'.join(kinds)}|"
            yield from map(_cells, rows)
        case Rows(alignment, labels):
            lines = list(alignment_lines(alignment, labels, columns, False))
            fence = _fence("\n".join(lines), 3)
            yield from (f"{fence}text", *lines, fence)
        case Running(alignment, context):
            yield _paragraph(runs(alignment, context), _markdown_run)
        case TrendLine():
            yield begun(trend_text(block))


def _cells(row: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaped, row))} |"


def _fence(text: str, least: int) -> str:
    """More backquotes than the longest run of a text."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def _paragraph(parts: Sequence[EditRun], write: Callable[[EditRun, bool], str]) -> str:
    return " ".join(write(run, index == 0) for index, run in enumerate(parts)) or NO_WORDS


def _markdown_run(run: EditRun, first: bool) -> str:
    words = " ".join(run.words)
    if run.tag == EQUAL:
        return (begun if first else escaped)(words)
    text = escaped(words)
    return f"~~{text}~~" if run.tag == DELETE else f"**{text}**"


def restructured_lines(blocks: Iterable[Block], title: str, columns: int = 100) -> Iterator[str]:
    """A page in reStructuredText; a style sheet can colour its roles `diff…`.

    Where words were deleted or inserted the page defines `diffdelete` and `diffinsert`.
    """
    blocks = list(blocks)
    yield from (*_underlined(title, "="), "")
    if any(isinstance(block, Running) for block in blocks):
        yield from (".. role:: diffdelete", ".. role:: diffinsert", "")
    yield from _apart(blocks, lambda block: _restructured(block, columns))


def _restructured(block: Block, columns: int) -> Iterator[str]:
    match block:
        case Heading(text, level, remark):
            yield from _underlined(text, "-" if level == 2 else "~")
            yield from ("", f"{_plain(remark)}.") if remark else ()
        case Sentence(text):
            yield f"{_plain(text)}."
        case Note(text):
            yield _plain(text)
        case Fact(name, value):
            yield f"{name.capitalize()}: ``{shown(value)}``"
        case Items(lines):
            yield from (f"- {_plain(line)}" for line in lines)
        case Table(headings, rows):
            cells = [[_plain(cell) or "\\" for cell in row] for row in [headings, *rows] if row]
            rule = "  ".join("=" * max(map(width, column)) for column in zip(*cells, strict=True))
            lines = table(cells, text_columns=len(cells[0]))
            head = 1 if headings else 0
            yield from (rule, *lines[:head], *[rule] * head, *lines[head:], rule)
        case Rows(alignment, labels):
            lines = list(alignment_lines(alignment, labels, columns, False))
            yield from ("::", "", *(f"    {line}" for line in lines))
        case Running(alignment, context):
            yield _paragraph(runs(alignment, context), _restructured_run)
        case TrendLine():
            yield _plain(trend_text(block))


def _underlined(text: str, line: str) -> tuple[str, str]:
    escaped_text = _plain(text)
    return escaped_text, line * max(width(escaped_text), 4)


def _plain(text: str) -> str:
    """Text that reStructuredText shows as it is."""
    return _RESTRUCTURED_START.sub(r"\\\1", _RESTRUCTURED.sub(r"\\\1", shown(text)))


def _restructured_run(run: EditRun, first: bool) -> str:
    words = " ".join(run.words)
    if run.tag == EQUAL and first:
        return _plain(words)
    text = _RESTRUCTURED.sub(r"\\\1", shown(words))
    return text if run.tag == EQUAL else f":diff{run.tag}:`{text}`"


def html_lines(blocks: Iterable[Block], title: str) -> Iterator[str]:
    """A page in HTML without scripts, which needs nothing else."""
    yield _HEAD.format(title=html_text(title))
    yield from html_elements(blocks)
    yield from ("</body>", "</html>")


def html_elements(blocks: Iterable[Block]) -> Iterator[str]:
    """Render blocks as elements of an HTML page that has more."""
    opened = False
    for block in blocks:
        if opened and isinstance(block, Heading | Note):
            yield "</details>"
            opened = False
        yield from _elements(block)
        opened = opened or (isinstance(block, Heading) and block.wrong is not None)
    yield from ["</details>"] if opened else []


def _elements(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level, remark, _, wrong):
            if wrong is None:
                yield f"<h{level}>{html_text(text)}</h{level}>"
            else:
                yield f"<details{' open' if wrong else ''}>"
                kind = ' class="wrong"' if wrong else ""
                yield f"<summary{kind}>{html_text(text)}</summary>"
            yield from [f"<p>{html_text(remark)}.</p>"] if remark else []
        case Sentence(text):
            yield f"<p>{html_text(text)}.</p>"
        case Note(text):
            yield f"<p>{html_text(text)}</p>"
        case Fact(name, value):
            yield f"<p>{html_text(name.capitalize())}: <code>{html_text(value)}</code></p>"
        case Items(lines):
            yield from (f'<p class="remark">{html_text(line)}</p>' for line in lines)
        case Table(headings, rows, text_columns):
            yield "<table>"
            yield from [_row("th", headings, text_columns)] if headings else []
            # a letter in the first of these columns is the kind of error of a row
            marked = "eval" in headings
            for row in rows:
                yield _row("td", row, text_columns, row[0] if marked else "")
            yield "</table>"
        case Rows(alignment):
            yield f"<div>\n{''.join(_places(alignment))}</div>"
        case Running(alignment, context):
            kinds = {EQUAL: "span", DELETE: "del"}
            words = " ".join(
                f"<{(kind := kinds.get(run.tag, 'ins'))}>{html_text(' '.join(run.words))}</{kind}>"
                for run in runs(alignment, context)
            )
            yield f'<p dir="auto">{words or NO_WORDS}</p>'
        case TrendLine():
            yield from trend_drawing(block)


def _row(cell: str, texts: Sequence[str], text_columns: int, kind: str = "") -> str:
    begins = (f'<{cell} class="text">', f"<{cell}>")
    cells = "".join(
        f"{begins[column >= text_columns]}{html_text(text)}</{cell}>"
        for column, text in enumerate(texts)
    )
    return f'<tr class="{html_text(kind)}">{cells}</tr>' if kind else f"<tr>{cells}</tr>"


def _places(alignment: Alignment) -> Iterator[str]:
    """Each place of an alignment as a small table, so that lines can break between them."""
    for pair in alignment:
        letter = "" if pair.edit == Edit.CORRECT else pair.edit.letter
        cells = [html_text(pair.reference or NOTHING), html_text(pair.hypothesis or NOTHING)]
        rows = "".join(f'<tr><td class="{letter}">{cell}</td></tr>' for cell in cells)
        yield f'<table class="alignment">{rows}<tr><td>{letter or "&nbsp;"}</td></tr></table>\n'


def html_text(text: str) -> str:
    """A text as a part of HTML, of which nothing is obeyed.

    >>> html_text("<b>")
    '&lt;b&gt;'
    """
    return escape(shown(text))


def html_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    caption: str = "",
    notes: Iterable[str] = (),
) -> str:
    """A table for notebooks and notes below it, safe whatever words and names of files they hold.

    >>> html_table(["a"], [["<b>"]]).partition("</thead>")[2]
    '<tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th>{escape(text)}</th>" for text in headings)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    footer = "".join(f'<p dir="auto">{escape(line)}</p>' for line in notes)
    return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{footer}"


def _cell(text: str) -> str:
    begin = "<td>" if text.isascii() else '<td dir="auto">'
    return f"{begin}{escape(text)}</td>"


def trend_drawing(line: TrendLine) -> Iterator[str]:
    """The line as SVG: a point with its label and its interval for each rate."""
    bounds = [bound for point in line.points for bound in point.interval or (point.rate,)]
    low, high = min(bounds), max(bounds)
    span, room = high - low or 1.0, _HEIGHT - 2 * 12
    step = (_WIDTH - _MARGIN - 12) / max(1, len(line.points) - 1)

    def height(rate: float) -> str:
        return f"{12 + room * (high - rate) / span:.1f}"

    places = [f"{_MARGIN + step * index:.1f}" for index in range(len(line.points))]
    yield (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(trend_text(line))}">'
    )
    for rate in dict.fromkeys((high, low)):
        yield f'<text x="0" y="{height(rate)}" font-size="11" fill="currentColor">'
        yield f"{percent(rate)} %</text>"
    corners = " ".join(
        f"{place},{height(point.rate)}" for place, point in zip(places, line.points, strict=True)
    )
    yield f'<polyline points="{corners}" fill="none" stroke="currentColor"/>'
    for place, point in zip(places, line.points, strict=True):
        if point.interval is not None:
            ends = f'y1="{height(point.interval[0])}" y2="{height(point.interval[1])}"'
            yield f'<line x1="{place}" x2="{place}" {ends} stroke="currentColor" opacity="0.4"/>'
        title = escape(f"{shown(point.label)}: {percent(point.rate)} %")
        yield f'<circle cx="{place}" cy="{height(point.rate)}" r="4" fill="currentColor">'
        yield f"<title>{title}</title></circle>"
    yield "</svg>"

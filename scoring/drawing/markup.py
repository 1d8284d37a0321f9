"""Blocks as Markdown (GitHub's), reStructuredText and HTML; texts are escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from formats.console import shown
from formats.console.terminal import table, width
from scoring.drawing.blocks import (
    Block,
    ChangePlot,
    Drawing,
    Fact,
    Heading,
    Items,
    Lead,
    Note,
    RateCurve,
    Rows,
    Running,
    Sentence,
    Table,
    Timelines,
    TrendLine,
    Versions,
)
from scoring.drawing.opcodes import DELETE, EQUAL
from scoring.drawing.plots import curve_drawing, plot_drawing, plot_lines, trend_drawing
from scoring.drawing.running import EditRun, runs
from scoring.drawing.terminal import NOTHING, alignment_lines, versions_lines
from scoring.drawing.timelines import timeline_elements
from scoring.drawing.trend import trend_text
from scoring.model.counts import Alignment, Edit

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|!~&$])")
# What makes a list or a heading at the beginning of a line; of a number the mark after it.
_MARKDOWN_START = re.compile(r"^(|\d+(?=[.)](?:\s|$)))([-+=.)])")
_BREAKS = re.compile(r"[\s-]")  # where browsers can end a line
_RESTRUCTURED = re.compile(r"([\\`*_|])")
_ESCAPE = r"\\\1"
_RESTRUCTURED_START = re.compile(r"^([-+=.:>#•‣⁃]|\(?\w+[.)])")
ENDS = (' style="text-align:left"', ' style="text-align:right"')  # of texts, and of numbers
LONGEST_IN_A_ROW = 40  # letters of a cell that browsers keep on one line
LONGEST_HEADING = 8  # letters; phones give longer headings more width
PHONE_COLUMNS = 36  # letters in a row of a table on a phone
PADDING = 1  # letter between the columns of a table
NARROWEST_NAME = 9  # letters that the first column has at least
FEW_ROWS = 6  # so few may be several lines each on a phone; more rows scroll sideways
LONGEST_NUMBER = 12  # letters; longer texts among numbers are intervals
LONGEST_LABEL = 20  # letters of a heading that phones repeat in each row
LONGEST_NAME = 18  # letters; phones break longer words in the first column
STYLES = ("page.css", "blocks.css", "lanes.css", "print.css")
SCRIPTS = (
    *("theme.js", "elements.js", "timeline.js"),
    *("turns.js", "sorting.js", "blocks.js"),
)
NO_WORDS = "(no words)"
FEWEST_FOLDED = 3  # alignments in a section that Markdown folds


def escaped(text: str) -> str:
    r"""Escape a text so that Markdown shows it unchanged within a line.

    >>> print(escaped("a|b <i>"))
    a\|b \<i\>
    """
    return _MARKDOWN.sub(r"\\\1", shown(text))


def begun(text: str) -> str:
    r"""Escape a text so that Markdown shows it unchanged, also at the beginning of a line.

    >>> print(begun("1. x"), begun("- y"), begun("0.5 z"))
    1\. x \- y 0.5 z
    """
    return _MARKDOWN_START.sub(r"\1\\\2", escaped(text))


def markdown_lines(blocks: Iterable[Block], title: str, columns: int = 100) -> Iterator[str]:
    """Yield a page in Markdown; lines of alignments have at most this many columns.

    Sections with many alignments are folded, so that a summary of a job stays short.
    """

    def lines_of(block: Block) -> Iterator[str]:
        return _markdown(block, columns)

    yield f"# {escaped(title)}"
    for panel in _panels(blocks):
        first, *rest = panel
        is_long = sum(isinstance(block, Rows | Versions) for block in rest) >= FEWEST_FOLDED
        if is_long and isinstance(first, Heading):
            remark = f": {first.remark}" if first.remark else ""
            summary = f"<b>{html_text(first.text)}</b>{html_text(remark)}"
            yield from ("", "<details>", f"<summary>{summary}</summary>")
            yield from _apart(rest, lines_of, follows=True)
            yield from ("", "</details>")
        else:
            yield from _apart(panel, lines_of, follows=True)


def _apart(
    blocks: Iterable[Block], lines_of: Callable[[Block], Iterable[str]], follows: bool = False
) -> Iterator[str]:
    """Yield the lines of blocks, with an empty line between blocks except between lists."""
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
        case Lead(text):
            yield f"**{escaped(text)}.**"
        case Sentence(text):
            yield f"{begun(text)}."
        case Note(text):
            yield begun(text)
        case Fact(name, value):
            fence = _fence(value, 1)
            yield f"{name.capitalize()}: {fence}{shown(value)}{fence}"
        case Items(lines):
            yield from (f"- {begun(line)}" for line in lines)
        case Table():
            yield from markdown_table(block)
        case Rows() | Versions() | ChangePlot():
            lines = list(_aligned(block, columns))
            fence = _fence("\n".join(lines), 3)
            yield from (f"{fence}text", *lines, fence)
        case Running(alignment, context):
            yield _paragraph(runs(alignment, context), _markdown_run)
        case TrendLine():
            yield begun(trend_text(block))
        case Timelines() | RateCurve() | Drawing():
            pass


def markdown_table(block: Table) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    headings, rows = block.headings, block.rows
    size = len(headings or rows[0])
    yield _cells(headings or [""] * size)
    kinds = ["---" if column < block.text_columns else "---:" for column in range(size)]
    yield f"|{'|'.join(kinds)}|"
    yield from map(_cells, rows)


def _aligned(block: Rows | Versions | ChangePlot, columns: int) -> Iterator[str]:
    """Return the lines of an alignment or a plot, which a page must show in a fixed-width font."""
    match block:
        case Rows(alignment, labels):
            return alignment_lines(alignment, labels, columns, False)
        case Versions():
            return versions_lines(block, columns, False)
        case ChangePlot():
            return plot_lines(block)


def _cells(row: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaped, row))} |"


def _fence(text: str, least: int) -> str:
    """Return a fence of backquotes that is longer than any run of backquotes in a text."""
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
    """Yield a page in reStructuredText.

    If words were deleted or inserted, the page defines the roles `diffdelete` and `diffinsert`,
    which a style sheet can colour.
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
        case Lead(text):
            yield f"**{_RESTRUCTURED.sub(_ESCAPE, shown(text))}.**"
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
        case Rows() | Versions() | ChangePlot():
            lines = list(_aligned(block, columns))
            yield from ("::", "", *(f"    {line}" for line in lines))
        case Running(alignment, context):
            yield _paragraph(runs(alignment, context), _restructured_run)
        case TrendLine():
            yield _plain(trend_text(block))
        case Timelines() | RateCurve() | Drawing():
            pass


def _underlined(text: str, line: str) -> tuple[str, str]:
    escaped_text = _plain(text)
    return escaped_text, line * max(width(escaped_text), 4)


def _plain(text: str) -> str:
    """Escape a text so that reStructuredText shows it unchanged."""
    return _RESTRUCTURED_START.sub(r"\\\1", _RESTRUCTURED.sub(r"\\\1", shown(text)))


def _restructured_run(run: EditRun, first: bool) -> str:
    words = " ".join(run.words)
    if run.tag == EQUAL and first:
        return _plain(words)
    text = _RESTRUCTURED.sub(r"\\\1", shown(words))
    return text if run.tag == EQUAL else f":diff{run.tag}:`{text}`"


def html_lines(blocks: Iterable[Block], title: str) -> Iterator[str]:
    """Yield an HTML page with the given blocks; the page needs no other file and no network."""
    from formats.schema import VERSION
    from scoring.drawing.templates import embedded, rendered

    values = {
        "title": shown(title),
        "version": VERSION,
        "panels": ["\n".join(html_elements(panel)) for panel in _panels(blocks)],
        **embedded(STYLES, SCRIPTS),
    }
    yield rendered("blocks.html.j2", values).decode("utf-8").rstrip("\n")


def _panels(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Yield the blocks of each section; a heading of level 2 begins a new section."""
    panel: list[Block] = []
    for block in blocks:
        if panel and isinstance(block, Heading) and block.level == 2:
            yield panel
            panel = []
        panel.append(block)
    yield from [panel] if panel else []


def html_elements(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield blocks as elements within an HTML page."""
    opened: list[int] = []  # the levels of the headings of open details
    for block in blocks:
        level = block.level if isinstance(block, Heading) else 0 if isinstance(block, Note) else 9
        while opened and level <= opened[-1]:
            yield "</details>"
            opened.pop()
        yield from _elements(block)
        if isinstance(block, Heading) and block.wrong is not None:
            opened.append(block.level)
    yield from ["</details>"] * len(opened)


def _elements(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level, remark, _, wrong):
            if wrong is None:
                yield f"<h{level}{_anchor(block.anchor)}>{html_text(text)}</h{level}>"
            else:
                yield f"<details{' open' if wrong else ''}>"
                kind = ' class="wrong"' if wrong else ""
                yield f"<summary{kind}>{html_text(text)}</summary>"
            yield from [f"<p>{_prose(remark)}.</p>"] if remark else []
        case Lead(text, good):
            kind = {None: "lead", True: "lead good", False: "lead bad"}[good]
            yield f'<p class="{kind}">{_prose(text)}.</p>'
        case Sentence(text):
            yield f"<p>{_prose(text)}.</p>"
        case Note(text):
            yield f"<p>{_prose(text)}</p>"
        case Fact(name, value):
            yield f"<p>{html_text(name.capitalize())}: <code>{html_text(value)}</code></p>"
        case Items(lines):
            kind = {None: "remark", True: "remark good", False: "remark bad"}[block.good]
            yield from (f'<p class="{kind}">{_prose(line)}</p>' for line in lines)
        case Table():
            yield from _table(block)
        case Rows(alignment):
            yield f'<div class="places">\n{"".join(_places(alignment))}</div>'
        case Running(alignment, context):
            kinds = {EQUAL: "span", DELETE: "del"}
            words = " ".join(
                f"<{(kind := kinds.get(run.tag, 'ins'))}>{html_text(' '.join(run.words))}</{kind}>"
                for run in runs(alignment, context)
            )
            yield f'<p dir="auto">{words or NO_WORDS}</p>'
        case TrendLine():
            yield from trend_drawing(block)
        case RateCurve():
            yield from curve_drawing(block)
        case Drawing(elements):
            yield from elements
        case Versions():
            yield f'<div class="places labelled">\n{"".join(_version_places(block))}</div>'
        case ChangePlot():
            yield from plot_drawing(block)
        case Timelines():
            yield from timeline_elements(block)


def _table(block: Table) -> Iterator[str]:
    headings, rows, text_columns = block.headings, block.rows, block.text_columns
    marks, anchors = block.marks, block.anchors
    label = html_text(", ".join(filter(None, headings[:3])) or "table")
    yield f'<div class="wide" tabindex="0" role="group" aria-label="{label}">'
    asides = _aside_columns(block)
    size = max(map(len, (headings, *rows)), default=0)
    # phones show a short name in each row, and a longer name only in the head of the table
    named = {column for column in asides if len(headings[column]) <= LONGEST_LABEL}
    columns = [
        " ".join(["text"] * (column < text_columns) + ["aside"] * (column in asides))
        for column in range(size)
    ]
    yield f'<table class="numbers{" stacked" * bool(asides)}">'
    if headings:
        kinds_of_headings = [
            kind + " repeated" * (column in named)
            for column, kind in enumerate(columns[: len(headings)])
        ]
        cells = (
            f'<th scope="col"{class_of_heading(text, kind)}>{html_text(text)}</th>'
            for text, kind in zip(headings, kinds_of_headings, strict=True)
        )
        yield f"<thead><tr>{''.join(cells)}</tr></thead>"
    yield "<tbody>"
    # a letter in the first of these columns is the kind of error of a row
    marked = "eval" in headings
    for number, row in enumerate(rows):
        kinds = columns[: len(row)]
        for column in range(len(row)):
            good = marks.get((number, column))
            kinds[column] = kinds[column] if good is None else "better" if good else "worse"
        names = [headings[column] if column in named else "" for column in range(len(row))]
        targets = [block.links[number] if block.links else "", *[""] * len(row)]
        cells_of_row = map(_cell_of, row, kinds, names, targets)
        kind = f' class="{html_text(row[0])}"' if marked and row[0] else ""
        yield f"<tr{_anchor(anchors[number] if anchors else '')}{kind}>{''.join(cells_of_row)}</tr>"
    yield "</tbody></table></div>"


def _aside_columns(block: Table) -> set[int]:
    """Return the columns that phones show below the other columns of a row, with their names.

    These are long texts; then intervals, what the block can spare, other texts, and of few rows the
    last numbers, percentages after others, until a row fits.
    """
    headings, rows, text_columns = block.headings, block.rows, block.text_columns
    if not headings or not rows:
        return set()
    widths = _widths_on_phones(block)
    texts, numbers = range(len(headings))[1:text_columns], range(len(headings))[text_columns:]
    are_long = any(sum(map(len, row[1:text_columns])) > LONGEST_IN_A_ROW for row in rows)
    lengths = [[len(row[column]) for row in rows if column < len(row)] for column in numbers]
    intervals = [
        column
        for column, letters in zip(numbers, lengths, strict=True)
        if max(letters, default=0) > LONGEST_NUMBER
    ]
    spare = [headings.index(name) for group in block.spare for name in group if name in headings]
    # percentages say most
    last = sorted(numbers, key=lambda column: ("%" in headings[column], -column))
    # the name of a row stays, and news that colours show
    kept = {0, *(column for _, column in block.marks)}
    asides = set(texts) - kept if are_long else set()
    groups: list[Iterable[int]] = [
        intervals,
        *zip(spare),
        texts,
        *zip(last if len(rows) <= FEW_ROWS else ()),
    ]
    for group in groups:
        if sum(widths) - sum(widths[column] for column in asides) <= PHONE_COLUMNS:
            break
        asides.update(set(group) - kept)
    return asides


def _widths_on_phones(block: Table) -> list[int]:
    """Return the letters that each column needs if headings and texts break into lines."""
    widths = []
    for column, name in enumerate(block.headings):
        cells = [row[column] for row in block.rows if column < len(row)]
        is_text = column < block.text_columns
        words = _BREAKS.split(" ".join([name, *cells] if is_text else [name]))
        least = max(map(len, words if is_text else [*words, *cells]))
        widths.append(
            PADDING + (least if column else min(max(least, NARROWEST_NAME), LONGEST_NAME))
        )
    return widths


def class_of_heading(text: str, kind: str) -> str:
    """Return the class attribute of the heading of a column, in which long headings are marked."""
    classes = [*kind.split(), *["long"] * (len(text) > LONGEST_HEADING)]
    return f' class="{" ".join(classes)}"' if classes else ""


def _anchor(name: str) -> str:
    return f' id="{html_text(name)}"' if name else ""


def _cell_of(text: str, kind: str, name: str = "", target: str = "") -> str:
    """Return a cell; phones show the name of its column before it. The text leads to `target`."""
    named = f' data-name="{html_text(name)}"' if name and text else ""
    if kind.startswith("text"):
        long = " long" * (len(text) > LONGEST_IN_A_ROW)
        long += " breaks" * any(len(word) > LONGEST_NAME for word in _BREAKS.split(text))
        content = (
            f'<a href="#{html_text(target)}">{html_text(text)}</a>' if target else html_text(text)
        )
        return f'<td class="{kind}{long}" dir="auto"{named}>{content}</td>'
    kind = f' class="{kind}"' if kind else ""
    return f"<td{kind}{named}>{html_text(text)}</td>"


def _places(alignment: Alignment) -> Iterator[str]:
    """Yield each slot of an alignment as a small HTML table; lines can break between slots."""
    for pair in alignment:
        letter = "" if pair.edit == Edit.CORRECT else pair.edit.letter
        cells = [html_text(pair.reference or NOTHING), html_text(pair.hypothesis or NOTHING)]
        rows = "".join(f'<tr><td class="{letter}">{cell}</td></tr>' for cell in cells)
        yield f'<table class="alignment">{rows}<tr><td>{letter or "&nbsp;"}</td></tr></table>\n'


def _version_places(block: Versions) -> Iterator[str]:
    """Yield each column of `Versions` as a small HTML table, after the labels of the rows."""
    labels = [block.label, *(label for label, _, _ in block.versions)]
    cells = "".join(f"<tr><th>{html_text(label.strip())}</th></tr>" for label in labels)
    yield f'<table class="alignment">{cells}</table>\n<div>'
    for column, word in enumerate(block.reference):
        rows = f"<tr><td>{html_text(NOTHING if word is None else word)}</td></tr>"
        for _, words, letters in block.versions:
            text, letter = words[column], letters[column]
            rows += f'<tr><td class="{letter}">{html_text(NOTHING if text is None else text)}'
            rows += f" <small>{letter}</small></td></tr>" if letter else "</td></tr>"
        yield f'<table class="alignment">{rows}</table>\n'
    yield "</div>"


def _prose(text: str) -> str:
    """Return a sentence as a part of HTML; no line ends between a number and its percent sign."""
    return html_text(text).replace(" %", "&nbsp;%")


def html_text(text: str) -> str:
    """Return a text as a part of HTML, with all markup escaped.

    >>> html_text("<b>")
    '&lt;b&gt;'
    """
    return escape(shown(text))


def html_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    caption: str = "",
    notes: Iterable[str] = (),
    text_columns: int | None = None,
) -> str:
    """Return an HTML table for notebooks with notes below it; all texts are escaped.

    With `text_columns`, the first columns begin at the left, and the other columns, which contain
    numbers, end at the right.

    >>> html_table(["a"], [["<b>"]]).partition("</thead>")[2]
    '<tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(
            _cell(tag, cell, "" if text_columns is None else ENDS[column >= text_columns])
            for column, cell in enumerate(cells)
        )

    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    footer = "".join(f'<p dir="auto">{escape(note)}</p>' for note in notes)
    head = line("th", headings)
    return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{footer}"


def _cell(tag: str, text: str, style: str) -> str:
    direction = "" if text.isascii() or tag == "th" else ' dir="auto"'
    return f"<{tag}{direction}{style}>{escape(text)}</{tag}>"

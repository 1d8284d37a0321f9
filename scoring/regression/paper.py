"""A table for a paper: error rates of systems in groups or sets, with intervals and marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema import VERSION
from scoring.drawing import percent
from scoring.drawing.blocks import Block, Note, Table
from scoring.drawing.notebook import html_of_blocks
from scoring.model.errors import OptionValueError
from scoring.options import TITLES
from scoring.pages.sentence import names_of_systems
from scoring.regression.missing import MARK as MISSING
from scoring.regression.missing import MissingHypotheses, lines_on_missing
from scoring.regression.pair_tests import PairTests, decide_pairs
from scoring.regression.ranking import reason_untested
from scoring.regression.significance import TESTS, intervals_of
from scoring.score.table import (
    BlockOfUtterances,
    ScoreTable,
    UnitOfTests,
    score_table,
    unit_of_tests,
)
from scoring.stats.deciding import DEFAULT_TEST, level_of_tests
from scoring.stats.intervals import Resampling

if TYPE_CHECKING:
    from scoring.regression.bench.ranking import RecipeRanking
    from scoring.regression.significance import TestName
    from scoring.score.rates import ErrorRates
    from scoring.stats.bootstrapping import Bootstrap

ALL = "all"
MARKDOWN, BIBLIOGRAPHY, LATEX = (".md", ".markdown"), ".bib", ".tex"  # ends of names of files
ADDRESS = "https://github.com/sclite-kit/sclite-kit"
COLUMN, PAGE = 219.0, 345.0
"""Widths in points: a column of the narrowest usual two-column class, and a page of `article`."""
WORDS = "ref. words"
GAP_OF_ROWS = "    \\addlinespace"
MARK, ESCAPED = "*", "\\*"  # in LaTeX, and in Markdown
_UNITS = {"word": "Word", "char": "Character", "char+space": "Character", "mixed": "Mixed"}
_TESTS = {
    "randomisation": "approximate randomisation",
    "bootstrap": "the paired bootstrap",
    "matched-pairs": "the matched-pairs test of sentence segments (MAPSSWE)",
    "mcnemar": "McNemar's test of utterances",
    "sign": "the sign test",
    "wilcoxon": "Wilcoxon's signed-rank test",
}
_SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar\allowbreak{}",
    "†": r"$^{\dagger}$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


class LatexLayout(NamedTuple):
    """How a LaTeX table is set: its environment, the sizes of its letters, and its gaps."""

    environment: str
    size: str  # a command for the whole table; empty for the usual size
    limits_size: str  # the command for the limits of intervals
    points: tuple[float, float]  # about the width of a character of a rate and of a limit
    gap: float  # between two columns, in points

    def width(self, names: Iterable[str], columns: Iterable[PaperColumn]) -> float:
        """Return about the width of a table in points."""
        letter, digit = self.points
        width = letter * max(map(_breadth, names))
        for column in columns:
            limits = max((len(_limits(cell)) for cell in column.cells), default=0)
            width += 2 * self.gap + max(letter * max(_breadth(column.name), 5), digit * limits)
        return width

    def rows(self, texts: Sequence[str], cells: Sequence[PaperCell]) -> Iterator[str]:
        """Yield the rates of a row after its texts, and below them their limits, before a gap."""
        yield _row([*map(_escaped, texts), *map(_latex_rate, cells)])
        if any(cell.interval is not None for cell in cells):
            limits = (
                f"{{{self.limits_size} {_limits(cell)}}}" if cell.interval else "" for cell in cells
            )
            yield _row([*("" for _ in texts), *limits])
            yield GAP_OF_ROWS


USUAL = LatexLayout("table", "", "\\footnotesize", (5.2, 3.7), 6)
COMPACT = LatexLayout("table", "\\small", "\\scriptsize", (4.7, 3.3), 3)
LAYOUTS = (USUAL, COMPACT, COMPACT._replace(gap=2))
"""The layouts, widest first."""
_NARROW = re.compile(r"[fijlrt\W_]")
_WIDE = re.compile(r"[A-Zmw&%@]")
"""Letters of seven tenths and of one and a half times the width of a digit."""


def _breadth(text: str) -> float:
    """Return about the width of a text in digits, in a proportional type."""
    wide = len(_WIDE.findall(text))
    narrow = len(_NARROW.findall(_WIDE.sub("", text)))
    return len(text) + 0.5 * wide - 0.3 * narrow


class PaperCell(NamedTuple):
    """The error rate of one system in one column."""

    rate: float | None  # None without reference words
    interval: Bootstrap | None  # None if the data give none
    is_best: bool = False
    differs: bool = False  # significantly, from the best system of the column or the named one
    p_value: float | None = None  # of this difference, adjusted by Holm over the column


class PaperColumn(NamedTuple):
    """A group or a set: its number of reference words and one cell per system."""

    name: str
    words: int | None  # None for a mean of sets
    cells: tuple[PaperCell, ...]


class PaperTable(NamedTuple):
    """Error rates of systems (rows) in groups or sets (columns), for a publication.

    `to_latex`, `to_markdown` and `to_frame` return the table; it prints as Markdown. `methods`
    returns the paragraph for the section on methods.
    """

    systems: tuple[str, ...]
    columns: tuple[PaperColumn, ...]
    unit: str  # what is counted, such as `word`
    signature: str
    against: str | None  # the system that marks refer to; None: the best of each column
    test: str
    resampling: Resampling
    blocks: tuple[str, ...]  # what tests exchange as a whole, such as `utterance`
    missing: tuple[MissingHypotheses, ...] = ()  # references without a hypothesis of each system
    reason: str = ""  # why tests exchange these units; empty if they were given

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each system that lacks hypotheses; its name in the table has the mark †."""
        return tuple(lines_on_missing(zip(self.systems, self.missing, strict=False)))

    @property
    def _marks(self) -> tuple[str, ...]:
        """The marks of the systems that lack hypotheses."""
        return tuple(missing.mark for missing in self.missing) or ("",) * len(self.systems)

    @property
    def _rates(self) -> str:
        """What the numbers are, such as Word error rates or tcpWER by word."""
        measure = self.signature.partition("|meeting:")[2].partition("|")[0].partition("(")[0]
        unit = _UNITS.get(self.unit, "Token")
        if measure in TITLES:
            return f"{unit} error rates of meetings ({TITLES[measure]})"
        return f"{unit} error rates"

    @property
    def level(self) -> float:
        """The significance level: the largest adjusted p-value that counts as significant."""
        return level_of_tests(self.resampling.level)

    @property
    def caption(self) -> str:
        """The explanation of the numbers, of bold type and of marks."""
        return self._caption("column")

    def _caption(self, line: str) -> str:
        """Return the caption; `line` is what has the rates of all systems: a column or a row."""
        text = (
            f"{self._rates} in percent, with "
            f"{100 * self.resampling.level:g} % confidence intervals."
        )
        if len(self.systems) > 1:
            against = self.against or f"the best of the {line}"
            text += (
                f" Bold: lowest rate of the {line}. {MARK}: differs significantly from {against} "
                f"({self.test}, p at most {self.level:g} after Holm's adjustment)."
            )
        return text

    def to_latex(self) -> str:
        """Return a LaTeX table that needs the package `booktabs`."""
        return _text(self._latex())

    def to_markdown(self) -> str:
        """Return a Markdown table, followed by the caption and the signature."""
        return _text(self._markdown())

    def __str__(self) -> str:
        return self.to_markdown().rstrip("\n")

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return html_of_blocks(self._drawn())

    def _drawn(self) -> Iterator[Block]:
        """Yield the table, and the caption and the signature as notes."""
        rows = [
            [
                f"{name} {mark}".rstrip(),
                *(_cell_text(column.cells[place], MARK) for column in self.columns),
            ]
            for place, (name, mark) in enumerate(zip(self.systems, self._marks, strict=True))
        ]
        marks = {
            (place, number): True
            for number, column in enumerate(self.columns, 1)
            for place, cell in enumerate(column.cells)
            if cell.is_best and len(self.systems) > 1
        }
        yield Table(["System", *(column.name for column in self.columns)], rows, marks=marks)
        yield Note(self.caption)
        yield from (Note(f"{MISSING} {line}") for line in self.notes)
        yield Note(self.signature)

    def table_for(self, path: str) -> str:
        """Return the table for a file: Markdown if its name ends in `.md`, otherwise LaTeX."""
        return self.to_markdown() if path.lower().endswith(MARKDOWN) else self.to_latex()

    def methods(self) -> str:
        """Return a paragraph for the section on methods, and a BibTeX entry."""
        return _text([*self._methods(), "", *self._entry()])

    def bibtex(self) -> str:
        """Return the BibTeX entry of the package, with the signature as its note."""
        return _text(self._entry())

    def methods_for(self, path: str) -> str:
        """Return the text for a file: only the BibTeX entry if its name ends in `.bib`.

        For `.tex`, the paragraph is LaTeX, and the lines of the entry are comments.
        """
        if path.lower().endswith(BIBLIOGRAPHY):
            return self.bibtex()
        return self.latex_methods() if path.lower().endswith(LATEX) else self.methods()

    def latex_methods(self) -> str:
        """Return the paragraph of `methods` as LaTeX, and the BibTeX entry as comments."""
        signature = f"\\texttt{{{_escaped(self.signature)}}}"
        before, after = next(self._methods()).split(self.signature)
        paragraph = f"{_escaped(before)}{signature}{_escaped(after)}"
        return _text([paragraph, "", *(f"% {line}" for line in self._entry())])

    def _layout(self) -> tuple[LatexLayout, bool]:
        """Return the first layout that fits, and whether the systems are its columns.

        Of a two-column paper, the table fits one column, or else the page.
        """
        systems = [
            PaperColumn(name, None, tuple(column.cells[place] for column in self.columns))
            for place, name in enumerate(self.systems)
        ]
        turned = [column.name for column in self.columns], [PaperColumn(WORDS, None, ()), *systems]
        for is_turned, (names, columns) in enumerate(
            (([WORDS, *self.systems], self.columns), turned)
        ):
            for width, environment in ((COLUMN, "table"), (PAGE, "table*")):
                for layout in LAYOUTS:
                    if layout.width(names, columns) <= width:
                        return layout._replace(environment=environment), bool(is_turned)
        return COMPACT._replace(environment="table*"), len(self.systems) < len(self.columns)

    def _latex(self) -> Iterator[str]:
        layout, is_turned = self._layout()
        words = ["" if column.words is None else f"{column.words:,}" for column in self.columns]
        names = [f"{name}{mark}" for name, mark in zip(self.systems, self._marks, strict=True)]
        if is_turned:
            heads = [["", WORDS, *names]]
            rows = [
                ([column.name, number], column.cells)
                for column, number in zip(self.columns, words, strict=True)
            ]
        else:
            heads = [["System", *(column.name for column in self.columns)], [WORDS, *words]]
            rows = [
                ([name], tuple(column.cells[place] for column in self.columns))
                for place, name in enumerate(names)
            ]
        yield "% \\usepackage{booktabs}"
        yield f"\\begin{{{layout.environment}}}"
        yield "  \\centering"
        yield f"  \\caption{{{_escaped(self._caption('row' if is_turned else 'column'))}}}"
        yield "  \\label{tab:error-rates}"
        if layout.size:
            yield f"  {layout.size}\\setlength{{\\tabcolsep}}{{{layout.gap:g}pt}}"
        yield f"  \\begin{{tabular}}{{@{{}}l{'r' * (len(heads[0]) - 1)}@{{}}}}"
        yield "    \\toprule"
        yield from (_row(map(_escaped, head)) for head in heads)
        yield "    \\midrule"
        lines = [line for texts, cells in rows for line in layout.rows(texts, cells)]
        # no gap before the last rule
        yield from lines[:-1] if lines[-1:] == [GAP_OF_ROWS] else lines
        yield "    \\bottomrule"
        yield "  \\end{tabular}"
        for line in self.notes:
            yield f"  \\par\\smallskip{{\\footnotesize {_escaped(f'{MISSING} {line}.')}}}"
        yield f"  \\par\\smallskip{{\\footnotesize\\texttt{{{_escaped(self.signature)}}}}}"
        yield f"\\end{{{layout.environment}}}"

    def _markdown(self) -> Iterator[str]:
        yield _piped(["System", *(column.name for column in self.columns)])
        yield "|---|" + "---:|" * len(self.columns)
        for place, (name, mark) in enumerate(zip(self.systems, self._marks, strict=True)):
            cells = (column.cells[place] for column in self.columns)
            yield _piped(
                [f"{name} {mark}".rstrip(), *(_cell_text(cell, ESCAPED, "**") for cell in cells)]
            )
        yield from ("", self.caption.replace(MARK, ESCAPED))
        for line in self.notes:
            yield from ("", f"{MISSING} {line}.")
        yield from ("", f"`{self.signature}`")

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per system and column.

        Rates and limits are fractions. The reference system of the marks has `differs` False and
        `p_value` None.
        """
        import pandas

        return pandas.DataFrame(
            [
                {
                    "system": system,
                    "column": column.name,
                    "reference_count": column.words,
                    "error_rate": cell.rate,
                    "low": cell.interval and cell.interval.limits.low,
                    "high": cell.interval and cell.interval.limits.high,
                    "p_value": cell.p_value,
                    "differs": cell.differs,
                }
                for column in self.columns
                for system, cell in zip(self.systems, column.cells, strict=True)
            ]
        )

    def _methods(self) -> Iterator[str]:
        text = (
            f"{self._rates} were computed with sclite-kit {VERSION} (signature {self.signature}). "
        )
        cells = chain.from_iterable(column.cells for column in self.columns)
        intervals = [cell.interval for cell in cells if cell.interval is not None]
        if intervals:
            methods = _alternatives(chain.from_iterable(each.methods for each in intervals))
            units = _plural(interval.block for interval in intervals)
            text += (
                f"{100 * self.resampling.level:g} % confidence intervals are by {methods}, with "
                f"{units} as units. "
            )
        if len(self.systems) > 1:
            text += (
                f"Systems were compared by {_TESTS.get(self.test, self.test)} with "
                f"{self.resampling.replications:,} replications (seed {self.resampling.seed})"
                f"{self._exchanged}; "
                f"p-values were adjusted by Holm's method, and differences with p at most "
                f"{self.level:g} are called significant. "
            )
        yield text.rstrip()

    @property
    def _exchanged(self) -> str:
        """What the tests exchange, as a part of a sentence; empty if they exchange nothing."""
        if not self.blocks or self.test not in TESTS:
            return ""
        reason = f" ({self.reason})" if self.reason else ""
        return f" with {_plural(self.blocks)} as units{reason}"

    def _entry(self) -> Iterator[str]:
        yield from (
            "@misc{sclite-kit,",
            "  title = {sclite-kit: scoring of speech recognition},",
            "  author = {{sclite-kit contributors}},",
            f"  version = {{{VERSION}}},",
            f"  howpublished = {{\\texttt{{{ADDRESS}}}}},",
            f"  url = {{{ADDRESS}}},",
            f"  note = {{Signature: \\texttt{{{_escaped(self.signature)}}}}}",
            "}",
        )


def paper_table(
    systems: Sequence[ErrorRates] | Mapping[str, ErrorRates],
    *,
    against: str | None = None,
    resampling: Resampling | None = None,
    blocks: Sequence[BlockOfUtterances] | None = None,
    test: TestName = DEFAULT_TEST,
) -> PaperTable:
    """Return the table of systems that were scored on the same references.

    The first column covers all utterances, and the other columns are the groups of `by`. As in the
    ranking of `scoring wer`, all pairs of systems are tested in every column. Holm's method adjusts
    the p-values.

    Parameters
    ----------
    systems
        The results, or the results by the names of the systems, as `wer` returns them for several
        systems.
    against
        Name or path of the system that marks refer to; by default the best system of each column.
    resampling
        Replications, seed and level of the intervals and tests.
    blocks
        Resampling unit of each system, like `block` of `scoring.confidence_interval`.

    Raises
    ------
    OptionValueError
        If no system has the name or path `against`.

    Examples
    --------
    >>> from scoring import wer
    >>> old = wer({"u1": "a b", "u2": "c d"}, {"u1": "a x", "u2": "c"})
    >>> new = wer({"u1": "a b", "u2": "c d"}, {"u1": "a b", "u2": "c"})
    >>> [[cell.rate for cell in column.cells] for column in paper_table([old, new]).columns]
    [[0.5, 0.25]]
    """
    if isinstance(systems, Mapping):
        names, systems = tuple(systems), list(systems.values())
    else:
        names = tuple(names_of_systems(systems))
    titles = [rates.hypothesis.title for rates in systems]
    if against in titles:
        against = names[titles.index(against)]
    resampling, compared_to = resampling or Resampling(), _number_of(names, against)
    own = list(blocks or ["auto"] * len(systems))
    whole = list(map(score_table, systems))
    groups: dict[tuple[str | None, ...], list[ScoreTable | None]] = {(): [*whole]}
    for system, (rates, table) in enumerate(zip(systems, whole, strict=True)):
        if not rates.groups or rates.session_of:
            continue
        for group in rates.per_group():
            tables = groups.setdefault(group.values, [None] * len(systems))
            tables[system] = table.restricted(group.positions)
    columns, sampled = [], dict[str, None]()
    reasons = list(map(reason_untested, systems))
    # of all columns; that of all utterances decides
    unit_tested = unit_of_tests([[table] for table in whole], own[0] if own else "auto")
    for values, tables in groups.items():
        name = ", ".join(value or "(none)" for value in values) or ALL
        column, units = _column(
            name, tables, own, resampling, test, reasons, compared_to, unit_tested
        )
        columns.append(column)
        sampled |= dict.fromkeys(units)
    unit = systems[0].rules.unit
    signature = "; ".join(dict.fromkeys(str(rates.signature) for rates in systems))
    missing = tuple(
        MissingHypotheses(
            {"": rates.matching_summary.reference_only.number}, rates.rules.missing == "skip"
        )
        for rates in systems
    )
    return PaperTable(
        names,
        tuple(columns),
        unit,
        signature,
        against,
        test,
        resampling,
        tuple(sampled),
        missing,
        unit_tested.reason(sampled),
    )


def table_of_ranking(ranking: RecipeRanking, against: str | None = None) -> PaperTable:
    """Return the table of a benchmark: a column for the mean of the sets, then one per set."""
    names = tuple(row.system for row in ranking.systems)
    compared_to = _number_of(names, against)
    blocks = [ranking.block] * len(names)
    sampled = dict.fromkeys(ranking.tests.units)
    tested = [ranking.tested.index(name) if name in ranking.tested else None for name in names]
    macros = [(row.macro, row.macro_interval) for row in ranking.systems]
    columns = [PaperColumn("mean", None, _cells(macros, ranking.tests, tested, compared_to))]
    for name in ranking.sets:
        results = [row.sets.get(name) for row in ranking.systems]
        present = [result for result in results if result is not None]
        tests = decide_pairs(
            [[result.table] for result in present],
            ranking.test,
            blocks[: len(present)],
            ranking.resampling,
            ranking.tests.level,
            unit=ranking.tests.unit,
        )
        sampled |= dict.fromkeys(tests.units)
        places = iter(range(len(present)))
        order = [None if result is None else next(places) for result in results]
        rates = [
            (None, None) if result is None else (result.rate, result.interval) for result in results
        ]
        words = present[0].words if present else 0
        columns.append(PaperColumn(name, words, _cells(rates, tests, order, compared_to)))
    unit = dict(part.partition(":")[::2] for part in ranking.signature.split("|")).get("unit", "")
    return PaperTable(
        names,
        tuple(columns),
        unit,
        ranking.signature,
        against,
        ranking.test,
        ranking.resampling,
        tuple(sampled),
        tuple(row.missing for row in ranking.systems),
        ranking.tests.unit.reason(sampled) if ranking.tests.unit is not None else "",
    )


def _number_of(names: Sequence[str], against: str | None) -> int | None:
    """Return the index of the system that marks refer to; None if no system is named."""
    if against is None:
        return None
    if against not in names:
        listed = ", ".join(names)
        raise OptionValueError("against", expected=f"a system ({listed})", found=repr(against))
    return names.index(against)


def _column(
    name: str,
    tables: Sequence[ScoreTable | None],
    blocks: Sequence[BlockOfUtterances],
    resampling: Resampling,
    test: TestName,
    reasons: Sequence[str],
    compared_to: int | None,
    unit: UnitOfTests,
) -> tuple[PaperColumn, tuple[str, ...]]:
    """Return a column with its intervals and tests, and what the tests exchange."""
    present = [number for number, table in enumerate(tables) if table is not None]
    chosen = [table for table in tables if table is not None]
    own = [blocks[number] for number in present]
    level, why = level_of_tests(resampling.level), [reasons[number] for number in present]
    tests = decide_pairs([[table] for table in chosen], test, own, resampling, level, why, unit)
    intervals = intervals_of(chosen, own, resampling)
    rates: list[tuple[float | None, Bootstrap | None]] = [(None, None)] * len(tables)
    for number, table, interval in zip(present, chosen, intervals, strict=True):
        errors, words = table.statistics.sum(axis=0)
        rates[number] = (float(errors / words) if words else None, interval.bootstrap)
    order = [present.index(number) if number in present else None for number in range(len(tables))]
    words = int(chosen[0].statistics[:, 1].sum())
    return PaperColumn(name, words, _cells(rates, tests, order, compared_to)), tests.units


def _cells(
    rates: Sequence[tuple[float | None, Bootstrap | None]],
    tests: PairTests,
    tested: Sequence[int | None],  # the number of each system in the tests
    compared_to: int | None,
) -> tuple[PaperCell, ...]:
    """Return the cells of a column, marked against the given system or the best system."""
    known = [rate for rate, _ in rates if rate is not None]
    lowest = min(known, default=None)
    if compared_to is None and lowest is not None:
        compared_to = next(number for number, (rate, _) in enumerate(rates) if rate == lowest)
    against = None if compared_to is None else tested[compared_to]
    pairs = {pair.places: pair for pair in tests.pairs}
    cells = []
    for (rate, interval), own in zip(rates, tested, strict=True):
        pair = None
        if own is not None and against is not None and own != against:
            pair = pairs.get((min(own, against), max(own, against)))
        differs = pair is not None and tests.differ(pair)
        is_best = rate is not None and rate == lowest and len(known) > 1
        cells.append(PaperCell(rate, interval, is_best, differs, pair and pair.adjusted))
    return tuple(cells)


def _alternatives(names: Iterable[str]) -> str:
    """Return each distinct name once: `a`, `a or b`, or `a, b or c`."""
    *others, last = dict.fromkeys(names)
    return f"{', '.join(others)} or {last}" if others else last


def _plural(blocks: Iterable[str]) -> str:
    return _alternatives(f"{block.removesuffix('s')}s" for block in blocks)


def _latex_rate(cell: PaperCell) -> str:
    if cell.rate is None:
        return "--"
    text = percent(cell.rate)
    text = f"\\textbf{{{text}}}" if cell.is_best else text
    # without width, so that the digits of a column are aligned
    return f"{text}\\rlap{{$^{{{MARK}}}$}}" if cell.differs else text


def _cell_text(cell: PaperCell, mark: str, bold: str = "") -> str:
    """Return the rate, with `bold` around the best one, the mark of a difference and the limits."""
    if cell.rate is None:
        return "–"
    sign = bold if cell.is_best else ""
    rate = f"{sign}{percent(cell.rate)}{sign}"
    return f"{rate}{mark * cell.differs} {_limits(cell)}".rstrip()


def _limits(cell: PaperCell) -> str:
    """Return the limits of an interval in brackets; empty without an interval."""
    if cell.interval is None:
        return ""
    low, high = cell.interval.limits
    return f"[{percent(low)}, {percent(high)}]"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _row(cells: Iterable[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"


def _piped(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _escaped(text: str) -> str:
    """Escape the characters that are special in LaTeX."""
    escaped = re.sub(r"[&%$#_{}\\~^|<>†]", lambda found: _SPECIAL[found[0]], text)
    # a percent sign stays on the line of its number
    return escaped.replace(r" \%", r"~\%")

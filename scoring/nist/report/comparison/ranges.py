"""The spread of error rates: of a speaker over systems, and of a system over speakers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.layout import FORM_FEED, indent, indented, longest
from scoring.nist.report.confidence import Contents
from scoring.nist.report.rounding import mean, median, standard_deviation

_MEASURE = "Speaker Word Error Rate (%)"
_SCALE = range(0, 101, 2)
# A little more than half of the distance of two points of the scale.
_REACH = 1.0001


class _Spread(NamedTuple):
    """A row of the analysis: the name of a speaker or system, and its error rates."""

    name: str
    values: list[float]

    @property
    def high(self) -> float:
        return max([0.0, *self.values])

    @property
    def low(self) -> float:
        return min([100.0, *self.values])


def _spreads(ensemble: Ensemble) -> tuple[list[_Spread], list[_Spread]]:
    """Return the rows of the speakers, and the rows of the systems."""
    return (
        [
            _Spread(ensemble.speakers[number], ensemble.rates[number])
            for number in ensemble.speaker_order
        ],
        [
            _Spread(ensemble.titles[number], ensemble.column(number))
            for number in ensemble.system_order
        ],
    )


def text(ensemble: Ensemble) -> Iterator[bytes]:
    """Yield the report `range`: text tables and text graphs."""
    by_speaker, by_system = _spreads(ensemble)
    parts = [
        *_part(ensemble, "ACROSS SPEAKERS", "  SPKR", by_speaker),
        FORM_FEED,
        *_part(ensemble, "ACROSS RECOGNITION SYSTEMS", "  SYS", by_system),
    ]
    yield "".join(parts).encode("latin-1")


def _part(ensemble: Ensemble, across: str, label: str, rows: Sequence[_Spread]) -> Iterator[str]:
    yield "\n\n\n" + indented(f"RANGE ANALYSIS {across} FOR THE TEST:")
    yield indented(ensemble.description)
    yield indented(f"by {_MEASURE}") + "\n\n\n\n"
    width = longest([row.name for row in rows], 6) + 1
    yield from _table(label, rows, width)
    yield "\n" * 6
    yield from _graph(label, rows, width)


def _table(label: str, rows: Sequence[_Spread], width: int) -> Iterator[str]:
    margin = indent(42 + width)
    hyphens = "-" * width
    frame = f"{margin}|-{hyphens}---------------------------------------|\n"
    yield frame
    yield f"{margin}| {label:<{width}}|  high  |   low  || std dev |   mean  |\n"
    yield f"{margin}|-{hyphens}+--------+--------++---------+---------|\n"
    for row in rows:
        deviation, centre = standard_deviation(row.values), mean(row.values)
        yield (
            f"{margin}| {row.name:<{width}}| {row.high:5.1f}  | {row.low:5.1f}  ||  "
            f"{deviation:5.1f}  |  {centre:5.1f}  |\n"
        )
    yield frame


def _graph(label: str, rows: Sequence[_Spread], width: int) -> Iterator[str]:
    margin = indent(54 + width)
    hyphens, blanks = "-" * width, " " * width
    frame = f"{margin}|---{hyphens}{'-' * 50}|\n"
    rule = f"{margin}|-{hyphens}+-{'-' * 50}|\n"
    yield frame
    yield f"{margin}| {blanks}|{'':20}PERCENTAGES{'':20}|\n"
    yield rule
    yield f"{margin}| {blanks}|0   10   20   30   40   50   60   70   80   90  100|\n"
    yield f"{margin}| {label:<{width}}|{'|    ' * 10}||\n"
    yield rule
    for row in rows:
        yield f"{margin}| {row.name:<{width}}|{''.join(_points(row))}|\n"
    yield frame
    yield f"\n{margin}      |-> shows the mean\n"
    yield f"{margin}      +-> shows plus or minus one standard deviation\n"


def _points(row: _Spread) -> Iterator[str]:
    centre, deviation = mean(row.values), standard_deviation(row.values)

    def near(value: float, neighbour: float) -> bool:
        return neighbour - _REACH < value < neighbour + _REACH

    for value in _SCALE:
        if near(value, centre):
            yield "|"
        elif near(value, centre + deviation) or near(value, centre - deviation):
            yield "+"
        elif value > row.high or value < row.low:
            yield " "
        else:
            yield "-"


class Plot(NamedTuple):
    """The files of one graph, and the start that their names share."""

    base: str
    files: list[Contents]


def plots(ensemble: Ensemble, root: str, *, columns: bool) -> Iterator[Plot]:
    """Yield two graphs, by speaker and by system.

    They are those of the report `grange`, or with `columns` those of `grange2`.
    """
    titles, speakers = (ensemble.titles, ensemble.speakers) if columns else (None, None)
    by_speaker, by_system = _spreads(ensemble)
    yield _plot(ensemble, f"{root}.spk", "Speaker ID", by_speaker, titles)
    yield _plot(ensemble, f"{root}.sys", "Systems", by_system, speakers)


def _plot(
    ensemble: Ensemble, base: str, label: str, rows: Sequence[_Spread], columns: list[str] | None
) -> Plot:
    if columns is not None:
        data = "".join(
            f"{number}{''.join(f' {value:f}' for value in row.values)}\n"
            for number, row in enumerate(rows, 1)
        )
    else:
        data = "".join(
            f"{number} {value:f}\n" for number, row in enumerate(rows, 1) for value in row.values
        )
    means, medians = (
        "".join(f"{number} {statistic(row.values):f}\n" for number, row in enumerate(rows, 1))
        for statistic in (mean, median)
    )
    script = "".join(_script(ensemble.description, base, label, rows, columns))
    texts = {".dat": data, ".mean": means, ".median": medians, ".plt": script}
    return Plot(base, [Contents.of(*file) for file in texts.items()])


def _script(
    description: str, base: str, label: str, rows: Sequence[_Spread], columns: list[str] | None
) -> Iterator[str]:
    names = ",".join(f'"{row.name}" {number}' for number, row in enumerate(rows, 1))
    yield (
        f'set yrange [{len(rows) + 1}:0]\nset xrange [0:100]\nset title "{description}"\nset key\n'
        f'set ylabel "{label}"\nset xlabel "{_MEASURE}"\nset ytics ({names})\n'
    )
    curves = [
        f'"{base}.mean" using 2:1 title "Mean {_MEASURE}" with lines',
        f'"{base}.median" using 2:1 title "Median {_MEASURE}" with lines',
    ]
    if columns is None:
        curves.append(f'"{base}.dat" using 2:1 title "Individual {_MEASURE}"')
        yield f"plot {','.join(curves)}\n"
        return
    curves += [
        f'"{base}.dat" using 2:1 "%lf{"%*s" * number}%lf" title "{name}"'
        for number, name in enumerate(columns)
    ]
    separator = ",\\\n     "
    yield f"plot {separator.join(curves)}\n"

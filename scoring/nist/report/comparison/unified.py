"""The unified matrix of all tests, and the summary of each system's comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.schema import NamedTuple
from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.layout import longest
from scoring.nist.report.comparison.verdicts import Compared, better_title
from scoring.nist.report.tables import ReportRow, TableDrawer, centred

_LEGEND = """\
These significance tests are all two-tailed tests with the null hypothesis
that there is no performance difference between the two systems.

The first column indicates if the test finds a significant difference
at the level of p=0.05.  It consists of '~' if no difference is
found at this significance level.  If a difference at this level is
found, this column indicates the system with the higher value on the
performance statistic utilized by the particular test.

The second column specifies the minimum value of p for which the test
finds a significant difference at the level of p.

The third column indicates if the test finds a significant difference
at the level of p=0.001 ("***"), at the level of p=0.01, but not
p=0.001 ("**"), or at the level of p=0.05, but not p=0.01 ("*").

A test finds significance at level p if, assuming the null hypothesis,
the probability of the test statistic having a value at least as
extreme as that actually found, is no more than p.
"""
_LEGEND_WIDTH = 74
_HEADING_WIDTH = 9
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
_NOTE = """
Note: System ID with lower error rate is printed if the Null
      Hypothesis is rejected at the 95% Confidence Level,
      if not, 'same' is printed.
"""


class Named(NamedTuple):
    """The results of a test, with its two-letter abbreviation and its description."""

    abbreviation: str
    description: str
    compared: Compared


def _heading(width: int) -> tuple[str, str]:
    """Return the two heading lines of the list of tests."""
    return (
        f"{centred('Test Name', width)}     {centred('Abbrev.', 7)}",
        f"{'-' * width}     -------",
    )


def _listed(test: Named, width: int) -> str:
    return f"{centred(test.description, width)}     {centred(test.abbreviation, 7)}"


def _description_width(tests: Sequence[Named], least: int = 0) -> int:
    return longest([test.description for test in tests], least)


def matrix(ensemble: Ensemble, tests: Sequence[Named], drawer: TableDrawer) -> Iterator[bytes]:
    """Yield the matrix with the verdicts of all tests."""
    drawer.centring = True
    yield "".join(drawer.draw(list(_rows(ensemble, tests)), 1)).encode("latin-1")


def _rows(ensemble: Ensemble, tests: Sequence[Named]) -> Iterator[ReportRow]:
    count = len(ensemble.systems)
    whole = f"ca{'aaa' * count}a"
    names = f"c=c{'|caa' * count}=c"
    results = f"c=c{'|rrl' * count}=c"
    width = _description_width(tests, _HEADING_WIDTH)
    yield ReportRow(whole, ["Composite Report of All Significance Tests"])
    yield ReportRow(whole, [f"For the {ensemble.description} Test"])
    heading = _heading(width)
    yield ReportRow(whole, [heading[0]], before=" ")
    yield ReportRow(whole, [heading[1]])
    for number, test in enumerate(tests, 1):
        yield ReportRow(whole, [_listed(test, width)], after="  " if number == len(tests) else "")
    titles = ensemble.titles
    label = "Test//Abbrev."
    yield ReportRow(names, [label, "", *titles, label], before="-")
    rule = ""
    for first, title in enumerate(titles):
        rule += "-"
        for number, test in enumerate(tests):
            cells = [test.abbreviation, title if number == 0 else ""]
            for second in range(count):
                cells += ["", "", ""] if second <= first else _cells(ensemble, test, first, second)
            yield ReportRow(results, [*cells, test.abbreviation], before=rule)
            rule = ""
    rule += "-"
    for line in _LEGEND.splitlines():
        yield ReportRow(whole, [line.ljust(_LEGEND_WIDTH)], before=rule)
        rule = ""


def _cells(ensemble: Ensemble, test: Named, first: int, second: int) -> list[str]:
    verdict = test.compared.verdicts[first, second]
    probability = verdict.probability
    return [
        better_title(ensemble, (first, second), verdict, same="~"),
        "<0.001" if probability < 0.001 else f"{probability:.3f}",
        next((stars for limit, stars in _STARS if probability <= limit), ""),
    ]


def summary(ensemble: Ensemble, tests: Sequence[Named], system: int) -> Iterator[bytes]:
    """Yield the summary of one system (`.sts`): each test's verdict against each other system."""
    titles = ensemble.titles
    width, described = longest(titles), _description_width(tests)
    with_others = f"for the {ensemble.description} Test with other Systems:"
    page = max((width + 2) * (len(tests) + 1), len(with_others), described + 12)
    heads = "Summary of Statistical Significance Tests:", "Comparing the System", titles[system]
    lines = [f"{centred(text, page)}\n" for text in (*heads, with_others)]
    blank = " " * (width + 2)
    abbreviations = "".join(f" {centred(test.abbreviation, width)} " for test in tests)
    rules = f" {'-' * width} " * len(tests)
    lines.append(f"\n{blank}{abbreviations}\n{blank}{rules}\n")
    for column, title in enumerate(titles):
        if column != system:
            pair = min(system, column), max(system, column)
            better = [better_title(ensemble, pair, test.compared.verdicts[pair]) for test in tests]
            texts = [f" {centred(text, width):>{width}} " for text in better]
            lines.append(f" {title:>{width}} {''.join(texts)}\n")
    lines.append("\n\n\n")
    margin = " " * ((page - described - 12) // 2)
    listed = (*_heading(described), *(_listed(test, described) for test in tests))
    lines += [f"{margin}{line}\n" for line in listed]
    yield "".join([*lines, _NOTE]).encode("latin-1")


def summary_name(title: str, directory: str | None) -> str:
    """Return the path of a system's summary file.

    >>> summary_name("x/z.hyp", "out"), summary_name("x/z.hyp", None)
    ('out//z.hyp.sts', 'x/z.hyp.sts')
    """
    if directory is None:
        return f"{title}.sts"
    slash = title.rfind("/")
    return f"{directory}/{title[slash:] if slash >= 0 else title}.sts"

"""Confidence intervals and comparisons of results, files or texts, with one call each.

`scoring.stats` computes the numbers from the counts of `scoring.score.table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from scoring.alignment.results import Alignments, CountsTable
from scoring.drawing.notebook import FramedPage
from scoring.model.calls import suggesting
from scoring.model.counts import Counts
from scoring.model.errors import OptionValueError
from scoring.options import FIELDS, Options
from scoring.pages.sentence import short_names
from scoring.regression.changes import Request, find_changes
from scoring.regression.comparison import Comparison, Comparisons
from scoring.regression.evidence import ScoredVersion
from scoring.regression.report import page_of
from scoring.regression.rescoring import score_again
from scoring.regression.significance import (
    ALL_TESTS,
    DEFAULT,
    TESTS,
    TestName,
    compare_tables,
    interval_of,
)
from scoring.regression.unit_changes import Changes
from scoring.score import wer
from scoring.score.rates import ErrorRates
from scoring.score.table import BlockName, BlockOfUtterances, ScoredTable, ScoreTable, score_table
from scoring.sides.given import Given, file_of
from scoring.stats.intervals import ConfidenceInterval, Resampling
from scoring.stats.paired_tests import holm

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scoring.measures.intervals import FigureChange
    from scoring.options import Choices

# How the functions are called with hypotheses that are not scored yet.
_OF_ONE = "confidence_interval(hypothesis, reference=reference)"
_OF_TWO = "compare(old, new, reference=reference)"
_OF_SEVERAL = "compare_all(old, [first, second], reference=reference)"

# The title of a hypothesis that no file names.
WITHOUT_FILE = "<hypothesis>"

# What has been scored, or a hypothesis as `scoring.wer` takes it, which a reference goes with.
Scorable: TypeAlias = "ScoredTable | Given"


class ComparedResults(NamedTuple):
    """Two results that were compared, for the page of `scoring compare`."""

    names: tuple[str, str]
    baseline: ErrorRates
    new: ErrorRates
    block: BlockName
    resampling: Resampling

    def page(self) -> FramedPage:
        """Return the page of the comparison."""
        title = f"{self.names[1]} against {self.names[0]}"
        return FramedPage(title, list(page_of(self._changes(), ())))

    def measures(self) -> Sequence[FigureChange]:
        """Return the changes of the measures that both results have."""
        has_common = any(name in self.new.measured for name in self.baseline.measured)
        return self._changes().measures if has_common else ()

    def _changes(self) -> Changes:
        old, new = (
            ScoredVersion(name, "transcripts", rates)
            for name, rates in zip(self.names, (self.baseline, self.new), strict=True)
        )
        request = Request(block=self.block, resampling=self.resampling)
        return find_changes(old, new, request)


@suggesting({"hypothesis": "scored", "ref": "reference"}, _OF_ONE)
def confidence_interval(
    scored: Scorable,
    *,
    reference: Given | None = None,
    block: BlockOfUtterances = "auto",
    resampling: Resampling = DEFAULT,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> ConfidenceInterval:
    """Return the word error rate of a system with its bootstrap confidence interval.

    Parameters
    ----------
    scored
        A scored system: the result of `scoring.wer`, a `System`, alignments or counts. Or, with a
        reference, a hypothesis as in `scoring.wer`: a file of any format (`pathlib.Path` or
        `sclite_kit.File`), texts, a mapping.
    reference
        As in `scoring.wer`; only for a hypothesis that is not scored yet. If the other system is a
        result of `scoring.wer` or `scoring.load`, the hypothesis needs no reference: it is scored
        with the reference and the options of the result. A given reference or option must equal
        that of the result.
    block
        Resampling unit: `utterance`; `speaker` or `recording`, if known; or a list with the group
        of each utterance. `auto` means speakers if they are known and their utterances have similar
        rates, and utterances if not.
    resampling
        Replications, seed and level.
    options, **choices
        As in `scoring.wer`: `normalize`, `unit`, `reference_format`, `ignore_case` and all others.

    Returns
    -------
    ConfidenceInterval
        The interval. If there are fewer than two units or no reference tokens, it has a reason
        instead of numbers.

    Raises
    ------
    StatisticsError
        If speakers or recordings are unknown.
    FormatError, ScoringError
        If a file cannot be read or scored.
    TypeError, ValueError
        If an argument has the wrong type or is out of range.

    Examples
    --------
    >>> from scoring import edit_distance_batch
    >>> references = [["a", "b", "c"], ["d", "e"], ["f", "g", "h"]]
    >>> table = edit_distance_batch(references, [["a", "b"], ["d", "e"], ["f", "g", "x"]])
    >>> print(confidence_interval(table))  # doctest: +NORMALIZE_WHITESPACE
    counts: 25.00 % [3.03, 90.31] (only 3 utterances)
    (95 % exact Poisson limits, 3 units by utterance)
    """
    [system] = _scored([scored], reference, block, options, choices)
    return interval_of(score_table(system), block, resampling)


@suggesting({"old": "baseline", "ref": "reference"}, _OF_TWO)
def compare(
    baseline: Scorable,
    new: Scorable,
    *,
    reference: Given | None = None,
    tests: Sequence[TestName] = TESTS,
    block: BlockOfUtterances = "auto",
    resampling: Resampling = DEFAULT,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> Comparison:
    """Return whether the new system is better than the baseline, with intervals and tests.

    Utterances are matched by identifier if both sides have them, otherwise by position.

    Parameters
    ----------
    baseline, new
        Like `scored` of `confidence_interval`.
    tests
        Names of the tests, in this order:

        - `bootstrap`, `randomisation`: resampling of the units that `block` names;
        - `matched-pairs`: NIST's MAPSSWE on segments of the alignments (impossible if there are
          only counts);
        - `mcnemar`: compares the numbers of utterances with and without errors;
        - `sign`, `wilcoxon`: compare the error rates of the units that `block` names. With
          `block="auto"` and `"utterance"`, the units are speakers, as in `sc_stats`, if both
          systems know the speakers. A list such as `range(len(system))` makes utterances the units.

        The last four compute the statistics of `sc_stats`, but exact two-sided p-values. The
        p-values of `sc_stats` come from a coarse table. Its p-values of `mcnemar` and `sign` are
        far too small beyond 20 differences. `scoring.regression.nist_tests` explains how verdicts
        can differ. The four are computed even if the data are too few for the bootstrap.

    Takes the other parameters of `confidence_interval` and raises the same errors. Raises
    `StatisticsError` if the systems were not scored on the same utterances by the same rules.

    Examples
    --------
    >>> from scoring import edit_distance_batch
    >>> references = [["a", "b", "c"], ["d", "e"], ["f", "g", "h"]]
    >>> old = edit_distance_batch(references, [["a"], ["d", "x"], ["f", "g", "x"]])
    >>> new = edit_distance_batch(references, [["a", "b"], ["d", "e"], ["f", "g", "x"]])
    >>> comparison = compare(old, new)
    >>> comparison.bootstrap.difference.estimate
    -0.25
    >>> [(test.name, test.p_value) for test in comparison.tests][1]
    ('randomisation', 0.5)
    """
    _check(tests)
    systems = _scored([baseline, new], reference, block, options, choices)
    left, right = _tables(systems)
    comparison = compare_tables(left, right, tests, block, resampling)
    return comparison._replace(results=_results(systems, (left, right), block, resampling))


def _results(
    systems: Sequence[ScoredTable],
    tables: Sequence[ScoreTable],
    block: BlockOfUtterances,
    resampling: Resampling,
) -> ComparedResults | None:
    """Return both results for a page that compares them; None if such a page is impossible."""
    old, new = systems
    if not (isinstance(old, ErrorRates) and isinstance(new, ErrorRates)):
        return None
    if block != "auto" and block != "utterance" and block != "speaker":
        return None
    return ComparedResults((tables[0].title, tables[1].title), old, new, block, resampling)


def _check(tests: Sequence[TestName]) -> None:
    unknown = [test for test in tests if test not in ALL_TESTS]
    if unknown:
        raise OptionValueError(
            "tests", expected=f"some of {', '.join(ALL_TESTS)}", found=repr(unknown[0])
        )


@suggesting({"old": "baseline", "ref": "reference"}, _OF_SEVERAL)
def compare_all(
    baseline: Scorable,
    systems: Iterable[Scorable],
    *,
    reference: Given | None = None,
    tests: Sequence[TestName] = TESTS,
    block: BlockOfUtterances = "auto",
    resampling: Resampling = DEFAULT,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> Comparisons:
    """Compare several systems with one baseline; p-values are adjusted for the number of systems.

    Holm's method adjusts the p-values over the systems, separately for each test. Parameters and
    errors are the same as for `compare`.
    """
    _check(tests)
    left, *others = _tables(_scored([baseline, *systems], reference, block, options, choices))
    comparisons = [compare_tables(left, right, tests, block, resampling) for right in others]
    columns = [
        holm([comparison.tests[column].p_value for comparison in comparisons])
        for column in range(len(tests))
    ]
    return Comparisons(
        comparison._replace(
            tests=tuple(
                test._replace(adjusted=column[row])
                for test, column in zip(comparison.tests, columns, strict=True)
            )
        )
        for row, comparison in enumerate(comparisons)
    )


def _scored(
    systems: Sequence[Scorable],
    reference: Given | None,
    block: BlockOfUtterances,
    options: Options | None,
    choices: Choices,
) -> list[ScoredTable]:
    """Return the scores of each system; unscored systems are scored against the reference.

    If another system is a result, its options and its reference are used for scoring.
    """
    recorded = next((one for one in systems if isinstance(one, ErrorRates) and one.basis), None)
    if reference is None and recorded is None:
        if options is not None or choices:
            name = "options" if options is not None else next(iter(choices))
            raise TypeError(f"{name} needs a hypothesis to score, and reference=...")
        if any(map(_is_text_or_file, systems)):
            raise TypeError("a hypothesis needs a reference: pass reference=...")
        return [cast("ScoredTable", system) for system in systems]
    are_scored = list(map(_is_scored, systems))
    if all(are_scored):
        if reference is not None:
            raise TypeError(
                "reference=... is for a hypothesis, found a result that is scored already"
            )
        if options is not None or choices:
            name = "options" if options is not None else next(iter(choices))
            raise TypeError(f"{name} needs a hypothesis to score, and reference=...")
    if block == "recording":
        choices = {"keep_sources": True, **choices}

    def score_system(system: Scorable) -> ScoredTable:
        hypothesis = cast("Given", system)
        if recorded is None:
            assert reference is not None
            return wer(reference, hypothesis, options=options, **choices)
        chosen = Options(**choices) if options is None else options.changed(**choices)
        beside = {*choices, *(() if options is None else _not_default(options))}
        name = recorded.hypothesis.title
        return score_again(recorded, name, hypothesis, chosen, beside, reference)

    return [
        cast("ScoredTable", system) if is_scored else score_system(system)
        for system, is_scored in zip(systems, are_scored, strict=True)
    ]


def _tables(systems: Sequence[ScoredTable]) -> list[ScoreTable]:
    """Return the counts of each system, with a short title; equal titles are made distinct.

    A system that no file names has the name of its role, the first one that of the baseline.
    """
    several = [f"system {number}" for number in range(1, len(systems))]
    roles = ["baseline", *(several if len(systems) > 2 else ["new"])]
    tables = zip(roles, map(score_table, systems), strict=True)
    named = _distinct(
        [
            table._replace(title=role) if table.title == WITHOUT_FILE else table
            for role, table in tables
        ]
    )
    if not all(isinstance(system, ErrorRates) for system in systems):
        return named  # titles that are not of files
    names = short_names([table.title for table in named])
    return [table._replace(title=name) for table, name in zip(named, names, strict=True)]


def _not_default(options: Options) -> list[str]:
    """Return the names of the options that differ from their defaults."""
    defaults = Options()
    return [name for name in FIELDS if getattr(options, name) != getattr(defaults, name)]


def _distinct(tables: list[ScoreTable]) -> list[ScoreTable]:
    """Return the tables, with numbers added to titles that several systems share."""
    titles = [table.title for table in tables]
    return [
        table._replace(title=f"{table.title} ({titles[: index + 1].count(table.title)})")
        if titles.count(table.title) > 1
        else table
        for index, table in enumerate(tables)
    ]


def _is_text_or_file(system: object) -> bool:
    return isinstance(system, (str, Mapping)) or file_of(system) is not None


def _is_scored(system: Scorable) -> bool:
    if isinstance(system, (ErrorRates, Alignments, CountsTable)):
        return True
    return not _is_text_or_file(system) and any(
        isinstance(item, Counts) for item in cast("Sequence[object]", system)
    )

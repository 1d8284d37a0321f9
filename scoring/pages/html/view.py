"""The values of systems, in the form in which the page's template inserts them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scoring.drawing import percent
from scoring.drawing.markup import html_elements
from scoring.options import TITLES
from scoring.pages import account_lines, headline_of, hint_of, items_of, warnings_of
from scoring.pages.sentence import UNITS, frequent_errors, names_of_systems, rate_sentence
from scoring.pages.sessions import assignments
from scoring.sides.remarks import is_note, line_of

if TYPE_CHECKING:
    from formats.schema.diagnostics import Diagnostic
    from formats.schema.messages import Message
    from scoring.pages.group_gaps import GroupGap
    from scoring.results import Rates
    from scoring.sides.corpus import InputFile
    from scoring.stats.bootstrapping import Bootstrap
    from scoring.stats.intervals import ConfidenceInterval


class SystemView(NamedTuple):
    """A system as the page shows it; rates are texts, in percent."""

    name: str
    sentence: str  # the rate in words, without full stop
    frequent: Sequence[tuple[str, str, str]]  # number, reference and hypothesis words
    rate: str
    share: float | None
    interval: str
    low: float | None
    high: float | None
    interval_remark: str
    numbers: Sequence[tuple[str, str]]
    assignments: Sequence[tuple[str, str]]  # session, and pairs of its speakers and streams
    files: Sequence[InputFile]
    signature: str
    account: Sequence[str]
    warnings: Sequence[str]
    notes: Sequence[str]
    steps: Sequence[str]


def system_views(
    systems: Sequence[Rates],
    intervals: Sequence[ConfidenceInterval | None],
    signatures: Sequence[str] | None = None,
) -> list[SystemView]:
    """Return the values of each system that the page shows."""
    signatures = signatures or [rates.signature for rates in systems]
    rows = zip(names_of_systems(systems), systems, intervals, signatures, strict=True)
    return [_view(*row) for row in rows]


def interval_heading(intervals: Iterable[Bootstrap | None]) -> str:
    """Return the heading of the intervals, with their level."""
    levels = [interval.level for interval in intervals if interval]
    return f"{100 * levels[0]:g}\N{NO-BREAK SPACE}% interval" if levels else "Interval"


class RankingView(NamedTuple):
    """The ranked systems, and all pairs of systems."""

    heading: str  # of the intervals
    names: Sequence[str]
    # Name, rank, errors, rate, interval, and the names of those without clear difference
    rows: Sequence[tuple[str, str, str, str, str, str]]
    # Of each system a cell a system: what is better of the two, or how they are alike, and the
    # difference with its p-value; empty against itself
    pairs: Sequence[Sequence[tuple[str, str, str]]]
    notes: Sequence[str]


class Ranks(Protocol):
    """A ranking of systems, such as `scoring.regression.ranking.Ranking`."""

    def view(self) -> RankingView:
        """Return the ranked systems and all pairs of systems."""


def rate_name(systems: Sequence[Rates]) -> tuple[str, str]:
    """Return the name of the rate, and the name of the counted items.

    They depend on the unit that all systems share. If all systems have the same measure for many
    speakers, the name of the rate includes it.
    """
    measures = {rates.rules.meeting.partition("(")[0] for rates in systems}
    title = TITLES.get(measures.pop()) if len(measures) == 1 else None
    units = {rates.rules.unit.partition("+")[0] for rates in systems}
    name, counted = UNITS[units.pop()] if len(units) == 1 else ("Error rate", "tokens")
    return (name if title is None else f"{title}, {name.lower()}"), counted


class QuestionView(NamedTuple):
    """A question that measures answer; the page has a tab for it."""

    name: str
    title: str
    # Names of systems, each with what their measures report, as HTML
    answers: Sequence[tuple[str, str]]


WORSE = "Who is recognised worse?"
"""The question that comparisons of groups answer."""


def question_views(
    systems: Sequence[Rates], gaps: Sequence[Sequence[GroupGap]] = ()
) -> Iterator[QuestionView]:
    """Yield the questions of the requested measures, and of the comparisons of groups."""
    items = {name: item.measure for rates in systems for name, item in rates.measured.items()}
    questions = dict.fromkeys(measure.question for measure in items.values())
    if any(gaps):
        questions[WORSE] = None
    compared = gaps or [()] * len(systems)
    for number, question in enumerate(questions):
        answers = []
        for title, rates, found in zip(names_of_systems(systems), systems, compared, strict=True):
            measured = rates.measured.values()
            answering = [item for item in measured if item.measure.question == question]
            blocks = [block for item in answering for block in item.blocks(rates)]
            if question == WORSE:
                blocks += (block for gap in found for block in gap.blocks())
            answers.append((title, "\n".join(html_elements(blocks))))
        yield QuestionView(f"question-{number}", question, answers)


def _view(
    name: str, rates: Rates, interval: ConfidenceInterval | None, signature: str
) -> SystemView:
    low, high, percentage, remark = _interval(interval)
    notes: list[Message | Diagnostic] = [remark for remark in rates.remarks if is_note(remark)]
    warnings = [str(remark) for remark in rates.remarks if not is_note(remark)]
    if (hint := hint_of(rates)) is not None:
        notes.append(hint)
    pipeline = None if rates.sources is None else rates.sources.pipeline
    return SystemView(
        name,
        rate_sentence(rates),
        frequent_errors(rates),
        percent(rates.corpus_rate),
        rates.corpus_rate,
        percentage,
        low,
        high,
        remark,
        _numbers(rates),
        list(assignments(rates)),
        (rates.reference, rates.hypothesis),
        signature,
        [
            *account_lines(rates),
            *(sums.lines() if (sums := rates.adjudication) else ()),
        ],
        [*warnings, *map(str, warnings_of(rates))],
        [str(note) if is_note(note) else line_of(note) for note in notes],
        [] if pipeline is None else [str(step) for step in pipeline.steps("reference")],
    )


def _interval(interval: ConfidenceInterval | None) -> tuple[float | None, float | None, str, str]:
    """Return the lower limit, the upper limit, the interval as text, and its method.

    If there is no interval, the last text is the reason.
    """
    if interval is None:
        return None, None, "", ""
    bootstrap = interval.bootstrap
    if bootstrap is None:
        return None, None, "n/a", interval.reason or ""
    low, high = bootstrap.limits
    return (low, high, bootstrap.bounds(between=" – "), bootstrap.how())


def _numbers(rates: Rates) -> list[tuple[str, str]]:
    counts, sums = rates.counts, rates.adjudication
    judged = (
        [
            ("After verdicts\N{NO-BREAK SPACE}%", percent(sums.rate)),
            ("With minor errors\N{NO-BREAK SPACE}%", percent(sums.rate_with_minor)),
        ]
        if sums
        else []
    )
    recipe = [(rates.rules.like, headline_of(rates))] if rates.rules.like else []
    return [
        *recipe,
        *judged,
        (items_of(rates).capitalize(), f"{len(rates):,}"),
        (
            "Reference words" if rates.rules.unit == "word" else "Reference",
            f"{counts.reference_tokens:,}",
        ),
        ("Correct", f"{counts.correct:,}"),
        ("Substitutions", f"{counts.substitutions:,}"),
        ("Deletions", f"{counts.deletions:,}"),
        ("Insertions", f"{counts.insertions:,}"),
        ("Errors", f"{counts.errors:,}"),
        (f"{items_of(rates).capitalize()} with errors %", percent(rates.sentence_error_rate)),
        (f"Mean of {items_of(rates)} %", percent(rates.mean_of_utterances)),
        ("MER\N{NO-BREAK SPACE}%", percent(rates.match_error_rate)),
        ("WIL\N{NO-BREAK SPACE}%", percent(rates.word_information_lost)),
    ]

"""Changes between two systems: score both by the same rules and compare them as tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from formats.io.progress import tell
from scoring.model.counts import Counts
from scoring.options import OTHER_LENGTHS, Rules
from scoring.regression import messages
from scoring.regression.allowances import REFERENCES, RULES
from scoring.regression.evidence import RECORDS, ScoredVersion
from scoring.regression.missing import missing_of
from scoring.regression.paired_runs import TESTS as TESTS
from scoring.regression.paired_runs import USUAL as USUAL
from scoring.regression.paired_runs import Change
from scoring.regression.paired_runs import Request as Request
from scoring.regression.rescoring import (
    has_same_references,
    refuse_other_rules,
    with_same_utterances,
)
from scoring.regression.unit_changes import Changes as Changes
from scoring.regression.unit_changes import WordPair, compare_units
from scoring.regression.units import (
    Layout,
    UnitSums,
    UnitTable,
    layout_of_words,
    refused,
    rows_of_counts,
)
from scoring.score.rates import ErrorRates
from scoring.sides.matching import MatchingError
from scoring.stats.blocks import Blocks
from scoring.stats.intervals import ConfidenceInterval, Resampling

if TYPE_CHECKING:
    from scoring.measures.intervals import FigureChange
    from scoring.regression.comparison import Comparison


def find_changes(baseline: ScoredVersion, new: ScoredVersion, request: Request = USUAL) -> Changes:
    """Return the changes from a baseline to a new version, utterance by utterance."""
    return compare_versions([baseline], [new], request)


def compare_versions(
    baselines: Sequence[ScoredVersion], news: Sequence[ScoredVersion], request: Request = USUAL
) -> Changes:
    """Return the changes between two versions with one or more runs each, overall and by group.

    Every run must have the utterances and the reference words of the first baseline.
    """
    against_first = [_scored_alike(baselines[0], new, request) for new in news]
    others = [_scored_alike(baseline, news[0], request) for baseline in baselines[1:]]
    old, new = against_first[0]
    if old.session_of and (others or len(against_first) > 1):
        raise refused(messages.RUNS_OF_SESSIONS)
    of_speakers = (old, new) if old.session_of else None
    pairs = [_comparable(*pair) for pair in (*against_first, *others)]
    number = len(news)
    sides = [
        [pairs[0][0], *(left for left, _ in pairs[number:])],
        [right for _, right in pairs[:number]],
    ]
    tables = [
        [
            table_of_words(version, rates, is_session=of_speakers is not None)
            for version, rates in zip(versions, side, strict=True)
        ]
        for versions, side in zip((baselines, news), sides, strict=True)
    ]
    every = [*zip(baselines, sides[0], strict=True), *zip(news, sides[1], strict=True)]
    if REFERENCES not in request.allow and not _have_same_references(every):
        tables = [
            [
                table._replace(references=_references(rates, sides[0][0].rules.ignore_case))
                for table, rates in zip(of, side, strict=True)
            ]
            for of, side in zip(tables, sides, strict=True)
        ]
    tell("comparing", 0, 0)
    changes = compare_units(tables[0], tables[1], request)
    words = [sides[0][0], sides[1][0]]
    at = [{name: place for place, name in enumerate(rates.identifiers)} for rates in words]
    common = [(at[0][name], at[1][name]) for name in changes.units]
    changes = changes._replace(words=WordPair(words[0], words[1], common))
    if of_speakers is not None:
        if request.options is not None and request.options.measures:
            raise refused(messages.MEASURES_OF_SESSIONS)
        speakers = _speakers_of(*of_speakers, {*changes.units})
        return changes._replace(speakers=speakers).explained()
    changes = changes.explained()
    measures = [_measures(*pair, changes, request) for pair in pairs]
    if len(pairs) == 1:
        return changes._replace(measures=measures[0])
    return changes._replace(measures=_means([measures[0], *measures[number:]], measures[:number]))


def table_of_words(
    version: ScoredVersion, rates: ErrorRates, *, is_session: bool = False
) -> UnitTable:
    """Return a table with the errors and the words of each utterance or session of a version."""
    rates.refuse_lengths("intervals and tests")
    rows = rows_of_counts(rates.aligned.counts.array)
    return UnitTable(
        version.name,
        version.kind,
        rates.signature,
        None,
        layout_of_words(),
        tuple(rows.sum(axis=0).tolist()),
        rates.identifiers,
        rows,
        "session" if is_session else "utterance",
        speakers=None if is_session else rates.speakers,
        groups=_groups_of(version.rates, rates),
        checks=version.checks,
        edits=rates.aligned.edits_of,
        missing=missing_of(version.rates, rates),
    )


def _groups_of(known: ErrorRates, rates: ErrorRates) -> dict[str, Sequence[str | None]]:
    """Return the groups of `known`, reordered to the utterances of `rates`."""
    columns: dict[str, Sequence[str | None]] = {}
    for name, values in known.groups.items():
        by_name = dict(zip(known.identifiers, values, strict=True))
        columns[name] = [by_name.get(identifier) for identifier in rates.identifiers]
    return columns


def _scored_alike(
    baseline: ScoredVersion, new: ScoredVersion, request: Request
) -> tuple[ErrorRates, ErrorRates]:
    """Score both versions by the same rules. Reject results that count different things."""
    if RULES in request.allow:
        return baseline.rates, new.rates
    rules = request.rules or _rules_of(baseline, new)
    as_recorded = request.rules is None
    if as_recorded and baseline.aligned_with != new.aligned_with:
        names = [side.aligned_with or "plain words" for side in (baseline, new)]
        fields = {"path": new.name, "other": baseline.name}
        raise refused(messages.ALIGNED_WITH, **fields, expected=names[0], found=names[1])
    old = baseline.under(rules, recorded=as_recorded)
    changed = new.under(rules, recorded=as_recorded)
    _refuse_other_measures(baseline, new, (old, changed))
    refuse_other_rules(new.name, old.rules, changed.rules)
    return old, changed


def _comparable(old: ErrorRates, changed: ErrorRates) -> tuple[ErrorRates, ErrorRates]:
    """Return both results in the compared units: utterances, or whole sessions."""
    if old.session_of:
        old, changed = old.per_session(), changed.per_session()
    return with_same_utterances(old, changed)


def _rules_of(baseline: ScoredVersion, new: ScoredVersion) -> Rules:
    """Return the common rules: the baseline's, unless only the new side is a record."""
    if new.kind in RECORDS and baseline.kind not in RECORDS:
        return new.rates.rules
    return baseline.rates.rules


def _have_same_references(sides: Sequence[tuple[ScoredVersion, ErrorRates]]) -> bool:
    """Return True if both sides have the same reference words.

    If references have alternatives, the choice of alternatives does not matter.
    """
    # each side chooses alternatives of one reference by itself
    if all(version.kind == "transcripts" for version, _ in sides) or any(_choices(sides[0][1])):
        return True
    return all(has_same_references(sides[0][1], rates) for _, rates in sides[1:])


def _references(rates: ErrorRates, ignore_case: bool) -> list[tuple[str, ...]]:
    """Return the reference words of each utterance."""
    fold = str.casefold if ignore_case else str
    return [tuple(map(fold, words)) for words in rates.aligned.references]


def _speakers_of(old: ErrorRates, changed: ErrorRates, sessions: Collection[str]) -> list[Change]:
    """Return each speaker's counts in the given sessions; the words without a speaker come last."""
    sides: list[dict[str | None, list[int]]] = []
    for rates in (old, changed):
        positions = [index for index, name in enumerate(rates.session_of) if name in sessions]
        owners: dict[str | None, list[int]] = {}
        for index in positions:
            owners.setdefault(rates.speakers[index], []).append(index)
        sides.append(owners)
    names = sorted({**sides[0], **sides[1]}, key=lambda name: name is None)
    layout = layout_of_words()
    return [
        Change(
            "-" if name is None else name,
            sums_of_counts(layout, old.sum_of(sides[0].get(name, ()))),
            sums_of_counts(layout, changed.sum_of(sides[1].get(name, ()))),
        )
        for name in names
    ]


def sums_of_counts(layout: Layout, counts: Counts) -> UnitSums:
    """Convert counts to the column sums of a table of words."""
    return UnitSums(layout, (counts.errors, counts.reference_tokens, *counts))


def _refuse_other_measures(
    baseline: ScoredVersion, new: ScoredVersion, rates: tuple[ErrorRates, ErrorRates]
) -> None:
    """Raise an error if the sides have different recipes, measures, lengths or ways of choice.

    The ways of choice are how references and variants are chosen.
    """
    likes = (side.rates.rules.like for side in (baseline, new))
    recipes = [f"recipe {like}" if like else "no recipe" for like in likes]
    measures = [side.rules.meeting or "words of utterances" for side in rates]
    about = {"path": new.name, "other": baseline.name}
    if recipes[0] != recipes[1]:
        raise refused(messages.OTHER_RECIPE, **about, expected=recipes[0], found=recipes[1])
    if measures[0] != measures[1]:
        raise refused(messages.OTHER_MEASURE, **about, expected=measures[0], found=measures[1])
    if any(side.rules.variants_length in OTHER_LENGTHS for side in rates):
        raise refused(messages.OTHER_LENGTHS, path=new.name)
    if _choices(rates[0]) != _choices(rates[1]):
        raise refused(messages.OTHER_CHOICES, **about)


def _choices(rates: ErrorRates) -> tuple[str, str]:
    """Return how references and variants are chosen, as two settings."""
    return rates.rules.references, rates.rules.variants


def _blocks(comparison: Comparison, old: ErrorRates, common: Sequence[int]) -> Blocks:
    """Return the resampling unit of a comparison, for the tests of measures."""
    difference = comparison.bootstrap and comparison.bootstrap.difference
    labels = [old.speakers[a] for a in common] if comparison.block == "speaker" else None
    if difference is None:
        return Blocks(labels, comparison.block)
    return Blocks(labels, comparison.block, difference.speakers, difference.design_effect)


def _measures(
    old: ErrorRates, changed: ErrorRates, changes: Changes, request: Request
) -> list[FigureChange]:
    """Return the measures of both sides on common utterances.

    Requested measures that a side lacks are computed.
    """
    options = request.options
    names = [name for name in old.measured if name in changed.measured]
    names = list(dict.fromkeys(options.measures)) if options is not None else names
    if not names:
        return []
    from scoring.measures import measure, measure_or_function
    from scoring.measures.intervals import changes_of

    settings = {} if options is None else options.measure_options
    resampling = request.resampling or Resampling()
    places = [
        [at[name] for name in changes.units]
        for at in (
            {name: place for place, name in enumerate(rates.identifiers)}
            for rates in (old, changed)
        )
    ]
    blocks = _blocks(changes.comparison, old, places[0])
    result: list[FigureChange] = []
    for name in names:
        parameters = measure_or_function(name).parameters if settings else ()
        chosen = {item.name: settings[item.name] for item in parameters if item.name in settings}
        left, right = (measure(rates, name, chosen) for rates in (old, changed))
        if left.settings != right.settings:
            raise MatchingError(
                f"{changed.hypothesis.title}: expected the measure {left.signature} of "
                f"{old.hypothesis.title}, found {right.signature}"
            )
        result += changes_of(left.select(places[0]), right.select(places[1]), resampling, blocks)
    return result


def _means(
    baselines: Sequence[Sequence[FigureChange]], news: Sequence[Sequence[FigureChange]]
) -> list[FigureChange]:
    """Return the mean of each measure's number over the runs; None if a run has no number."""
    measures: list[FigureChange] = []
    for number, change in enumerate(news[0]):
        means = []
        for name, runs in (("baseline", baselines), ("new", news)):
            values = [getattr(run[number], name) for run in runs]
            means.append(None if None in values else sum(values) / len(values))
        interval = ConfidenceInterval(change.measure, "run", None, "several runs")
        measures.append(change._replace(baseline=means[0], new=means[1], interval=interval))
    return measures

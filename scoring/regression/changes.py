"""Changes from a baseline to a new system: overall, by speaker, by utterance; significance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing.numbers import points
from scoring.model.counts import Counts
from scoring.options import Rules
from scoring.regression.evidence import RECORDS, ScoredVersion
from scoring.regression.rescoring import (
    has_same_references,
    refuse_other_rules,
    with_same_utterances,
)
from scoring.score.rates import ErrorRates
from scoring.score.table import BlockName, score_table
from scoring.sides.corpus import ListedNames
from scoring.sides.matching.identifier import MatchingError
from scoring.stats.deciding import DEFAULT_TEST

if TYPE_CHECKING:
    from scoring.measures.intervals import FigureChange
    from scoring.options import Options
    from scoring.regression.comparison import Comparison, SignificanceTest
    from scoring.regression.significance import TestName
    from scoring.regression.version_runs import RepeatedRuns
    from scoring.stats.blocks import Blocks
    from scoring.stats.bootstrapping import Bootstrap
    from scoring.stats.intervals import Resampling
    from scoring.stats.spread import SpreadTest

TESTS: tuple[TestName, ...] = (DEFAULT_TEST, "bootstrap", "matched-pairs", "mcnemar")


class Change(NamedTuple):
    """Counts of the same words by both systems."""

    name: str  # an utterance, a speaker, or what else was counted
    baseline: Counts  # sums over the runs of the side, where there are several
    new: Counts
    runs: tuple[int, int] = (1, 1)  # how many runs of each side were summed

    @property
    def errors(self) -> int | float:
        """The number of additional errors per run; negative if there are fewer."""
        if self.runs == (1, 1):
            return self.new.errors - self.baseline.errors
        return self.new.errors / self.runs[1] - self.baseline.errors / self.runs[0]

    @property
    def rate(self) -> float | None:
        """New rate less the baseline's, a ratio; None where one is missing."""
        old, new = self.baseline.error_rate, self.new.error_rate
        return None if old is None or new is None else new - old

    @property
    def relative(self) -> float | None:
        """That change as a share of the baseline's rate; None where there is no such share."""
        change, old = self.rate, self.baseline.error_rate
        return change / old if change is not None and old else None


class UtteranceChange(NamedTuple):
    """An utterance that got worse or better, and its place in both results."""

    change: Change
    baseline_position: int
    new_position: int


class GroupChange(NamedTuple):
    """A group of utterances by both systems."""

    column: str  # of `--by`
    change: Change
    difference: Bootstrap | SpreadTest | None  # of the error rates; None with too few units
    test: SignificanceTest  # the one that decides, adjusted for the number of groups of a column

    @property
    def title(self) -> str:
        """The group with its column."""
        return f"{self.column} {self.change.name}"

    @property
    def interval_text(self) -> str:
        """The interval of the change in points."""
        if self.difference is None:
            return f"no interval: {self.test.remark}"
        bounds = self.difference.bounds(points)
        return f"change {points(self.change.rate)} points, interval {bounds}"


class Changes(NamedTuple):
    """A comparison."""

    baseline: ScoredVersion
    new: ScoredVersion
    baseline_rates: ErrorRates  # their scores by the same rules
    new_rates: ErrorRates
    common: Sequence[tuple[int, int]]  # positions of shared utterances (or sessions) in either
    baseline_only: ListedNames  # utterances of one side only
    new_only: ListedNames
    total: Change  # over the common utterances
    speakers: Sequence[Change]  # by speaker, in order of first appearance
    worse: Sequence[UtteranceChange]  # with more errors, the greatest change first
    better: Sequence[UtteranceChange]
    comparison: Comparison  # intervals and tests of `scoring.compare`
    tests: Sequence[SignificanceTest]  # all tests, the deciding one first
    measures: Sequence[FigureChange] = ()  # the numbers of the measures of both sides
    groups: Sequence[GroupChange] = ()  # the groups that were asked for
    repeated: RepeatedRuns | None = None  # several runs of a side, whose sums the counts are

    @property
    def of_sessions(self) -> bool:
        """True if sessions were compared, whose speakers were assigned."""
        return bool(self.baseline_rates.session_of)

    @property
    def noun(self) -> str:
        """The unit of comparison: `utterance` or `session`."""
        return "session" if self.of_sessions else "utterance"


class Request(NamedTuple):
    """The options of a comparison."""

    rules: Rules | None = None  # for both sides; None: those of the baseline
    common_only: bool = False  # skip utterances that one side lacks instead of raising
    references_may_differ: bool = False  # compare even if reference words differ
    test: str = DEFAULT_TEST  # the test that decides
    block: BlockName = "auto"  # `auto`, `utterance` or `speaker`: what is resampled as a whole
    resampling: Resampling | None = None  # replications, seed and level; None: as `scoring.compare`
    options: Options | None = None  # names and settings of measures; None: those of both sides


USUAL = Request()


def find_changes(baseline: ScoredVersion, new: ScoredVersion, request: Request = USUAL) -> Changes:
    """Compare two sides utterance by utterance."""
    rules = request.rules or _rules_of(baseline, new)
    as_recorded = request.rules is None
    if as_recorded and baseline.aligned_with != new.aligned_with:
        names = [side.aligned_with or "plain words" for side in (baseline, new)]
        raise MatchingError(
            f"{new.name}: expected alignments with {names[0]}, as in {baseline.name}, found "
            f"alignments with {names[1]} (--profile sclite aligns both again by plain words)"
        )
    old = baseline.under(rules, recorded=as_recorded)
    changed = new.under(rules, recorded=as_recorded)
    _refuse_other_measures(baseline, new, (old, changed))
    refuse_other_rules(new.name, old.rules, changed.rules)
    of_speakers: tuple[ErrorRates, ErrorRates] | None = None
    if old.session_of:
        of_speakers = old, changed
        old, changed = old.per_session(), changed.per_session()
    old, changed = with_same_utterances(old, changed)
    places = {name: position for position, name in enumerate(changed.identifiers)}
    common = [
        (position, places[name]) for position, name in enumerate(old.identifiers) if name in places
    ]
    of_baseline = set(old.identifiers)
    only = (
        ListedNames.of(name for name in old.identifiers if name not in places),
        ListedNames.of(name for name in changed.identifiers if name not in of_baseline),
    )
    _refuse_different(baseline, new, (old, changed), common, only, request)
    rows = [
        UtteranceChange(
            Change(old.identifiers[a], old.per_utterance[a], changed.per_utterance[b]), a, b
        )
        for a, b in common
    ]
    owners: dict[str | None, list[Change]] = {}
    for row in rows:
        owners.setdefault(old.speakers[row.baseline_position], []).append(row.change)
    speakers = (
        [] if None in owners else [_sum(str(speaker), spoken) for speaker, spoken in owners.items()]
    )
    if of_speakers is not None:
        speakers = _speakers_of(*of_speakers, {row.change.name for row in rows})
    ranked = sorted(rows, key=lambda row: (-abs(row.change.errors), row.baseline_position))
    comparison, tests = tested(old, changed, common, request)
    return Changes(
        baseline=baseline,
        new=new,
        baseline_rates=old,
        new_rates=changed,
        common=common,
        baseline_only=only[0],
        new_only=only[1],
        total=_sum("total", [row.change for row in rows]),
        speakers=speakers,
        worse=[row for row in ranked if row.change.errors > 0],
        better=[row for row in ranked if row.change.errors < 0],
        comparison=comparison,
        tests=tests,
        measures=[] if of_speakers else _measures(old, changed, common, request, comparison),
    )


def _rules_of(baseline: ScoredVersion, new: ScoredVersion) -> Rules:
    """The rules that both sides are scored by: those of a record, otherwise of the baseline."""
    if new.kind in RECORDS and baseline.kind not in RECORDS:
        return new.rates.rules
    return baseline.rates.rules


def _speakers_of(old: ErrorRates, changed: ErrorRates, sessions: Collection[str]) -> list[Change]:
    """Return each speaker's counts in these sessions, at the end those of nobody."""
    sides: list[dict[str | None, list[int]]] = []
    for rates in (old, changed):
        positions = [index for index, name in enumerate(rates.session_of) if name in sessions]
        owners: dict[str | None, list[int]] = {}
        for index in positions:
            owners.setdefault(rates.speakers[index], []).append(index)
        sides.append(owners)
    names = sorted({**sides[0], **sides[1]}, key=lambda name: name is None)
    return [
        Change(
            "-" if name is None else name,
            old.sum_of(sides[0].get(name, ())),
            changed.sum_of(sides[1].get(name, ())),
        )
        for name in names
    ]


def _sum(name: str, changes: Sequence[Change]) -> Change:
    return Change(
        name,
        sum((change.baseline for change in changes), Counts()),
        sum((change.new for change in changes), Counts()),
    )


def _refuse_other_measures(
    baseline: ScoredVersion, new: ScoredVersion, rates: tuple[ErrorRates, ErrorRates]
) -> None:
    """Refuse results that do not count the same things."""
    recipes = [side.rates.rules.like or "no recipe" for side in (baseline, new)]
    measures = [side.rules.measure or "words of utterances" for side in rates]
    name = baseline.name
    problems = {
        f"a result by {recipes[0]}, as {name}, found one by {recipes[1]}": len({*recipes}) > 1,
        f"the measure of {name}, {measures[0]}, found {measures[1]}": len({*measures}) > 1,
        "errors per word of the chosen path, found --variants-length": any(
            side.rules.variants_length for side in rates
        ),
        f"the references and variants of {name}, found others": len({*map(_choices, rates)}) > 1,
    }
    for problem, is_wrong in problems.items():
        if is_wrong:
            raise MatchingError(f"{new.name}: expected {problem}")


def _choices(rates: ErrorRates) -> tuple[str, str]:
    """Return the choices of references and of variants."""
    return rates.rules.references, rates.rules.variants


def _refuse_different(
    baseline: ScoredVersion,
    new: ScoredVersion,
    rates: tuple[ErrorRates, ErrorRates],
    common: Sequence[tuple[int, int]],
    only: tuple[ListedNames, ListedNames],
    request: Request,
) -> None:
    noun = "session" if rates[0].session_of else "utterance"
    if not common:
        first = [repr(side.identifiers[0]) if len(side) else "none at all" for side in rates]
        raise MatchingError(
            f"{new.name}: expected {noun}s of {baseline.name}, such as {first[0]}, found others, "
            f"such as {first[1]}"
        )
    if not request.common_only:
        for side, opposite, listed in ((baseline, new, only[0]), (new, baseline, only[1])):
            if listed.number:
                raise MatchingError(
                    f"{opposite.name}: expected the {noun}s of {side.name}, missing {listed} "
                    "(--common-only skips them)"
                )
    old, changed = rates
    # each side chooses alternatives of one reference by itself
    same_reference = baseline.kind == new.kind == "transcripts" or has_same_references(*rates)
    if request.references_may_differ or same_reference or any(_choices(old)):
        return
    fold = str.casefold if old.rules.ignore_case else str
    different = [
        old.identifiers[a]
        for a, b in common
        if tuple(old.aligned.references[a]) != tuple(changed.aligned.references[b])
        and list(map(fold, old.aligned.references[a]))
        != list(map(fold, changed.aligned.references[b]))
    ]
    if different:
        raise MatchingError(
            f"{new.name}: expected the reference words of {baseline.name}, found others in "
            f"{ListedNames.of(different)} (--references-may-differ compares nevertheless)"
        )


def _blocks(comparison: Comparison, old: ErrorRates, common: Sequence[tuple[int, int]]) -> Blocks:
    """Return the unit that was chosen for a comparison, for its measures."""
    from scoring.stats.blocks import Blocks

    difference = comparison.bootstrap and comparison.bootstrap.difference
    labels = [old.speakers[a] for a, _ in common] if comparison.block == "speaker" else None
    if difference is None:
        return Blocks(labels, comparison.block)
    return Blocks(labels, comparison.block, difference.speakers, difference.design_effect)


def _measures(
    old: ErrorRates,
    changed: ErrorRates,
    common: Sequence[tuple[int, int]],
    request: Request,
    comparison: Comparison,
) -> list[FigureChange]:
    """The measures of both sides on common utterances; those asked for are counted if missing."""
    options = request.options
    names = [name for name in old.measured if name in changed.measured]
    names = list(dict.fromkeys(options.measures)) if options is not None else names
    if not names:
        return []
    from scoring.measures import measure, measure_or_function
    from scoring.measures.intervals import changes_of
    from scoring.stats.intervals import Resampling

    settings = {} if options is None else options.measure_options
    resampling = request.resampling or Resampling()
    blocks = _blocks(comparison, old, common)
    changes: list[FigureChange] = []
    for name in names:
        parameters = measure_or_function(name).parameters if settings else ()
        chosen = {item.name: settings[item.name] for item in parameters if item.name in settings}
        left, right = (measure(rates, name, chosen) for rates in (old, changed))
        if left.settings != right.settings:
            raise MatchingError(
                f"{changed.hypothesis.title}: expected the measure {left.signature} of "
                f"{old.hypothesis.title}, found {right.signature}"
            )
        pair = left.select([a for a, _ in common]), right.select([b for _, b in common])
        changes += changes_of(*pair, resampling, blocks)
    return changes


def tested(
    old: ErrorRates,
    changed: ErrorRates,
    common: Sequence[tuple[int, int]],
    request: Request,
) -> tuple[Comparison, list[SignificanceTest]]:
    """Intervals and tests of utterances of both sides, the deciding test first."""
    from scoring.regression.significance import compare_tables
    from scoring.stats.intervals import Resampling

    speakers: list[str | None] = [old.speakers[a] for a, _ in common]
    if request.block == "speaker" and old.session_of:
        raise MatchingError(
            "speakers cannot be resampled, because this measure scores whole sessions"
        )
    if request.block == "speaker" and None in speakers:
        raise MatchingError(
            "to resample speakers, every utterance needs a speaker, found none for "
            f"{old.identifiers[common[speakers.index(None)][0]]!r}"
        )
    parts = (
        old.aligned.select([a for a, _ in common]),
        changed.aligned.select([b for _, b in common]),
    )
    known = None if None in speakers or old.session_of else speakers
    left, right = (
        score_table(part)._replace(
            speakers=known, unit="session" if old.session_of else "utterance"
        )
        for part in parts
    )
    try:
        comparison = compare_tables(
            left, right, TESTS, request.block, request.resampling or Resampling()
        )
    except ValueError as problem:
        raise MatchingError(str(problem)) from None
    tests = sorted(comparison.tests, key=lambda test: test.name != request.test)
    return comparison, tests

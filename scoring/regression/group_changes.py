"""Changes in groups of utterances: the accents, devices or speakers that got worse."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.model.counts import Counts
from scoring.regression.changes import Change, Changes, GroupChange, Request, tested
from scoring.regression.comparison import SignificanceTest
from scoring.results.groups import SPEAKER, Groups
from scoring.sides.matching.identifier import MatchingError
from scoring.stats.paired_tests import holm

if TYPE_CHECKING:
    from scoring.options import Options
    from scoring.stats.bootstrapping import Bootstrap
    from scoring.stats.spread import SpreadTest

NO_VALUE = "(none)"
DifferenceTests = tuple["Bootstrap | SpreadTest | None", SignificanceTest]


class Member(NamedTuple):
    """The utterances of a group: their places among the common ones."""

    column: str
    value: str
    places: Sequence[int]


def with_groups(changes: Changes, options: Options, request: Request) -> Changes:
    """Return the changes, with those of each group that `by` and `metadata` of the options name."""
    old, new = changes.baseline_rates, changes.new_rates

    def count(places: Sequence[int]) -> Change:
        pairs = [changes.common[place] for place in places]
        return Change(
            "",
            sum((old.per_utterance[a] for a, _ in pairs), Counts()),
            sum((new.per_utterance[b] for _, b in pairs), Counts()),
        )

    def test(places: Sequence[int]) -> DifferenceTests:
        comparison, tests = tested(old, new, [changes.common[place] for place in places], request)
        bootstrap = comparison.bootstrap
        return None if bootstrap is None else bootstrap.difference, tests[0]

    return changes._replace(groups=changes_by_group(members_of(changes, options), count, test))


def changes_by_group(
    members: Sequence[Member],
    count: Callable[[Sequence[int]], Change],
    test: Callable[[Sequence[int]], DifferenceTests],
) -> list[GroupChange]:
    """Each group with its test; p-values of a column's groups are adjusted by Holm's method."""
    groups: list[GroupChange] = []
    for member in members:
        difference, result = test(member.places)
        change = count(member.places)._replace(name=member.value)
        groups.append(GroupChange(member.column, change, difference, result))
    for column in dict.fromkeys(member.column for member in members):
        places = [place for place, group in enumerate(groups) if group.column == column]
        adjusted = holm([groups[place].test.p_value for place in places])
        for place, value in zip(places, adjusted, strict=True):
            group = groups[place]
            groups[place] = group._replace(test=group.test._replace(adjusted=value))
    return groups


def members_of(changes: Changes, options: Options) -> list[Member]:
    """Return the groups of the common utterances, in order of their names."""
    if changes.of_sessions:
        raise MatchingError("--by compares groups of utterances, found a measure of sessions")
    identifiers = [changes.baseline_rates.identifiers[a] for a, _ in changes.common]
    members: list[Member] = []
    for name, column in _columns(changes, options, identifiers).items():
        places: dict[str, list[int]] = {}
        for place, value in enumerate(column):
            places.setdefault(NO_VALUE if value is None else value, []).append(place)
        members += [Member(name, value, places[value]) for value in sorted(places)]
    return members


def _columns(changes: Changes, options: Options, identifiers: Sequence[str]) -> Groups:
    """Return the value of each utterance by column, from metadata or whichever side has it."""
    speakers = [changes.baseline_rates.speakers[a] for a, _ in changes.common]
    columns: dict[str, Sequence[str | None]] = {}
    for side in (changes.new, changes.baseline):
        for name, values in side.rates.groups.items():
            by_name = dict(zip(side.rates.identifiers, values, strict=True))
            columns[name] = [by_name.get(identifier) for identifier in identifiers]
    if any(speaker is not None for speaker in speakers):
        columns[SPEAKER] = speakers
    others = columns.keys() - {SPEAKER}
    if options.metadata is not None and not (others and set(options.by) <= columns.keys()):
        columns = {**columns, **_of_metadata(changes, options, identifiers, columns)}
    names = options.by or [name for name in columns if name != SPEAKER]
    missing = [name for name in names if name not in columns]
    if missing:
        has = ", ".join(columns) or "none"
        raise MatchingError(
            f"{changes.baseline.name}: expected utterances with {missing[0]!r} to group them by, "
            f"found {has} (--reference names a file that has it, --metadata a table)"
        )
    return {name: columns[name] for name in names}


def _of_metadata(
    changes: Changes, options: Options, identifiers: Sequence[str], columns: Groups
) -> Mapping[str, Sequence[str | None]]:
    """Return the columns of the table of metadata."""
    from scoring.results.metadata import read_metadata

    metadata = read_metadata(options)
    words = [changes.baseline_rates.per_utterance[a].reference_tokens for a, _ in changes.common]
    groups = {name: columns[name] for name in options.by if name in columns}
    keys: dict[str, Sequence[str | None]] = {
        "utterance": identifiers,
        "recording": columns.get("recording", [None] * len(identifiers)),
        SPEAKER: columns.get(SPEAKER, [None] * len(identifiers)),
    }
    return metadata.groups(options, groups, keys, words, changes.baseline.name)[0]

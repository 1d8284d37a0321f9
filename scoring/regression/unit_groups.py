"""Changes by group of units: for example which accents, devices, rooms or speakers got worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.regression import messages
from scoring.regression.comparison import SignificanceTest
from scoring.regression.paired_runs import Change, PairedRuns
from scoring.regression.task_figures import WORDS
from scoring.regression.units import refused
from scoring.results.groups import SPEAKER
from scoring.results.value_order import NONE, value_order
from scoring.stats.blocks import Blocks
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.paired_tests import holm
from scoring.stats.spread import SpreadTest

if TYPE_CHECKING:
    from scoring.options import Options
    from scoring.results.groups import Groups


class GroupChange(NamedTuple):
    """A group of units in both versions."""

    column: str  # of `--by`
    change: Change
    difference: Bootstrap | SpreadTest | None  # of the main number; None with too few units
    test: SignificanceTest  # the one that decides, adjusted for the number of groups of a column

    @property
    def title(self) -> str:
        """The name of the group with its column."""
        return f"{self.column} {self.change.name}"


def groups_of(pairing: PairedRuns, blocks: Blocks) -> list[GroupChange]:
    """Return each group with its change and its test.

    Holm's method adjusts the p-values of the groups of a column.
    """
    groups: list[GroupChange] = []
    if pairing.request.grouping is None:
        return groups
    if pairing.old.unit == "session":
        raise refused(messages.GROUPS_OF_SESSIONS)
    for name, column in _columns(pairing, pairing.request.grouping).items():
        places: dict[str, list[int]] = {}
        for place, value in enumerate(column):
            places.setdefault(NONE if value is None else value, []).append(place)
        tested = []
        for value in sorted(places, key=value_order):
            of = places[value]
            labels = blocks.labels
            units = [place if labels is None else labels[place] for place in of]
            change = pairing.sum_of(value, of)
            tested.append(GroupChange(name, change, *pairing.select(of).test(units, blocks.name)))
        adjusted = holm([group.test.p_value for group in tested])
        groups += [
            group._replace(test=group.test._replace(adjusted=value))
            for group, value in zip(tested, adjusted, strict=True)
        ]
    return groups


def _columns(pairing: PairedRuns, options: Options) -> Groups:
    """Return a group for each unit, by column; a column is from metadata or from one side."""
    old = pairing.old
    columns: dict[str, Sequence[str | None]] = {}
    for side in (pairing.news[0], old):
        columns.update(side.groups)
    speakers = old.speakers or ()
    if any(speaker is not None for speaker in speakers):
        columns[SPEAKER] = [None if name is None else str(name) for name in speakers]
    names = options.by or [name for name in columns if name != SPEAKER]
    # words that were scored beside the table have its columns
    has_columns = bool(names) and {*names} <= columns.keys()
    has_columns &= bool(options.by) or old.layout.task is WORDS
    if options.metadata is not None and not has_columns:
        of_table = _of_metadata(pairing, options, columns)
        columns, names = {**columns, **of_table}, options.by or list(of_table)
    missing = [name for name in names if name not in columns]
    if missing:
        fields = {"path": old.name, "unit": old.unit, "name": missing[0]}
        raise refused(messages.NO_GROUPS, **fields, found=list(columns) or ["none"])
    return {name: columns[name] for name in names}


def _of_metadata(
    pairing: PairedRuns, options: Options, columns: Groups
) -> Mapping[str, Sequence[str | None]]:
    """Return the columns of the metadata table."""
    from scoring.results.metadata import read_metadata

    metadata, old = read_metadata(options), pairing.old
    sizes = old.layout.ratio(old.rows)[:, 1].tolist()
    groups = {name: columns[name] for name in options.by if name in columns}
    nothing: list[str | None] = [None] * len(old.units)
    keys: dict[str, Sequence[str | None]] = {
        "utterance": old.units,
        "recording": columns.get("recording", nothing),
        SPEAKER: columns.get(SPEAKER, nothing),
    }
    return metadata.groups(options, groups, keys, sizes, old.name)[0]

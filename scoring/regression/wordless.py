"""Recorded runs without words: the errors of each utterance, or imported sums."""

from __future__ import annotations

import os

import numpy as np

from scoring.regression.changes import table_of_words
from scoring.regression.evidence import Difference, ScoredVersion, compare_all
from scoring.regression.history import History, RecordedRun
from scoring.regression.units import COUNTED, UnitTable, layout_of_words, rows_of_counts
from scoring.sides.corpus import ListedNames
from scoring.sides.layouts import OF_HISTORY


def wordless_run(path: str, selector: str = "") -> UnitTable | None:
    """Return a history's run without words, or the sums of an engine; None for any other file."""
    from scoring.score.engines.sums_files import is_sums

    if is_sums(path):
        return table_of_sums(path)
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        if file.read(len(OF_HISTORY)) != OF_HISTORY:
            return None
    with History(path) as history:
        run = history.find(selector)
        return None if run.has_alignments else table_of_run(history, run)


def table_of_run(history: History, run: RecordedRun) -> UnitTable:
    """Return the utterance errors of a recorded run, or its sums if there are no utterances."""
    name, record = f"{history.path}, run {run.number}", run.summary["counts"]
    is_known = "|sums:" not in str(run.summary["signature"])
    has_kinds = all(kind in record for kind in COUNTED)
    sums = run.summary.get("sums")
    errors, words = run.errors_and_tokens
    whole = (errors, words, *((record[kind] for kind in COUNTED) if has_kinds else ()))
    table = UnitTable(
        name,
        "run" if sums is None else "sums",
        str(run.summary["signature"]),
        run.rules if is_known else None,
        layout_of_words(with_kinds=has_kinds),
        whole,
        missing=_missing_of(run),
    )
    if sums is not None:
        rounded = " from rounded percentages" if sums["rounded"] else ""
        unknown = "" if is_known else "; rules of scoring not recorded"
        remark = f"imported sums of {sums['source']}{rounded}{unknown}"
        return table._replace(remark=remark)
    known = history.table(run)
    ours = known.statistics.sum(axis=0).tolist()
    check = compare_all(
        name,
        (
            Difference(title, *(repr(number) for number in pair))
            for title, *pair in zip(("errors", "words"), whole, ours, strict=False)
        ),
    )
    return table._replace(
        layout=layout_of_words(with_kinds=False),
        sums=(errors, words),
        recorded=table.total(),
        units=list(known.identifiers or ()),
        rows=known.statistics,
        references=known.statistics[:, 1].tolist(),
        speakers=known.speakers,
        groups={"recording": list(map(str, known.recordings))} if known.recordings else {},
        checks=(check,),
    )


def _missing_of(run: RecordedRun) -> ListedNames | None:
    """Return the references without hypothesis of a recorded run; None if they are unknown."""
    listed = (run.summary.get("account") or {}).get("reference_only")
    return listed and ListedNames(int(listed["count"]), tuple(listed.get("ids") or ()))


def table_of_sums(path: str) -> UnitTable:
    """Return the table of an engine's sums: one row per group, or a single row without groups."""
    from scoring.score.engines.documents import read_sums

    sums = read_sums(path).sums
    layout, total = layout_of_words(), sums.total
    table = UnitTable(
        path,
        "sums",
        sums.signature,
        sums.signature.partition("|v:")[0],
        layout,
        tuple(rows_of_counts([total.counts])[0].tolist()),
        remark="sums of a table, without its utterances",
    )
    if not sums.by:
        return table
    rows = rows_of_counts([group.counts for group in sums.groups])
    values = list(zip(*(group.values for group in sums.groups), strict=True))
    columns = {name: list(column) for name, column in zip(sums.by, values, strict=True)}
    return table._replace(
        units=["/".join(value or "-" for value in group.values) for group in sums.groups],
        rows=rows,
        noun="/".join(sums.by) if len(sums.by) > 1 else sums.by[0],
        references=[group.counts.reference_tokens for group in sums.groups],
        groups=columns,
    )


def in_units_of(table: UnitTable, other: UnitTable) -> UnitTable:
    """Return a table whose rows are groups: the groups that are the units of `other`.

    If the table lacks these groups, return only its sums.
    """
    names = other.noun.split("/")
    columns = dict(table.groups)
    if table.speakers is not None:
        columns.setdefault("speaker", [None if who is None else str(who) for who in table.speakers])
    if not len(table.units) or not {*names} <= {*columns}:
        return table._replace(units=(), rows=table.rows[:0], references=None, groups={}, noun="")
    places: dict[tuple[str | None, ...], list[int]] = {}
    for position, values in enumerate(zip(*(columns[name] for name in names), strict=True)):
        places.setdefault(values, []).append(position)
    rows = np.array([table.sum_of(members).numbers for members in places.values()], np.int64)
    return table._replace(
        units=["/".join(value or "-" for value in values) for values in places],
        rows=rows,
        noun=other.noun,
        references=rows[:, table.layout.columns.index("words")].tolist(),
        groups=dict(zip(names, map(list, zip(*places, strict=True)), strict=True)),
        speakers=None,
        edits=None,
    )


def table_of_version(side: ScoredVersion) -> UnitTable:
    """Return the utterance errors of a version with words, to compare with a run without words."""
    rates = side.rates.per_session() if side.rates.session_of else side.rates
    table = table_of_words(side, rates, is_session=bool(side.rates.session_of))
    rules = table.signature.partition("|v:")[0]
    return table._replace(rules=rules, references=table.rows[:, 1].tolist())

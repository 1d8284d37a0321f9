"""Recorded runs without their words: the errors of each utterance, or imported sums alone."""

from __future__ import annotations

import os

from scoring.regression.changes import table_of_words
from scoring.regression.evidence import Difference, ScoredVersion, compare_all
from scoring.regression.history import History, RecordedRun
from scoring.regression.layouts import OF_HISTORY
from scoring.regression.units import COUNTED, UnitTable, layout_of_words


def wordless_run(path: str, selector: str = "") -> UnitTable | None:
    """The run of a history that a text selects, if its words were not kept; otherwise None."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        if file.read(len(OF_HISTORY)) != OF_HISTORY:
            return None
    with History(path) as history:
        run = history.find(selector)
        return None if run.has_alignments else table_of_run(history, run)


def table_of_run(history: History, run: RecordedRun) -> UnitTable:
    """Return the errors of the utterances of a recorded run, or its sums if that is all."""
    name, record = f"{history.path}, run {run.number}", run.summary["counts"]
    has_kinds = all(kind in record for kind in COUNTED)
    sums = run.summary.get("sums")
    errors, words = run.errors_and_tokens
    whole = (errors, words, *((record[kind] for kind in COUNTED) if has_kinds else ()))
    table = UnitTable(
        name,
        "run" if sums is None else "sums",
        str(run.summary["signature"]),
        run.rules if sums is None else None,
        layout_of_words(with_kinds=has_kinds),
        whole,
    )
    if sums is not None:
        rounded = " from rounded percentages" if sums["rounded"] else ""
        remark = f"imported sums of {sums['source']}{rounded}; rules of scoring not recorded"
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


def table_of_version(side: ScoredVersion) -> UnitTable:
    """Return the errors of the utterances of a version with words, beside one without."""
    rates = side.rates.per_session() if side.rates.session_of else side.rates
    table = table_of_words(side, rates, is_session=bool(side.rates.session_of))
    rules = table.signature.partition("|v:")[0]
    return table._replace(rules=rules, references=table.rows[:, 1].tolist())

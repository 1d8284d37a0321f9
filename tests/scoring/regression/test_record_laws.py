"""Whatever was recorded is a baseline: the same file changes nothing, one more error is one more.

Each case is recorded in a history, as JSON and as a saved result; the new side is a transcript or a
record. The cases follow from the fields of `Options`, the recipes and the ways of matching.
"""

from pathlib import Path
from typing import Any

import pytest

from scoring.model.combinations import CombinationError
from scoring.model.errors import InputError
from scoring.options import Options
from scoring.regression.changes import Changes, Request, find_changes
from scoring.regression.history import History
from scoring.regression.opening import VersionRequest, open_versions
from scoring.results.hashes import with_hashes
from scoring.results.record import document_lines
from scoring.score import score
from scoring.score.rates import ErrorRates
from scoring.sides.given import File, Given, References
from scoring.stats.intervals import Resampling
from scoring.text.recipes import RecipeError
from tests.scoring.option_cases import PAIRS, TEXTS, Pair, cases, write_files

QUICK = Request(resampling=Resampling(replications=40))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files, each hypothesis also with one more error."""
    folder = tmp_path_factory.mktemp("records")
    write_files(folder)
    (folder / "worse").mkdir()
    for pair in PAIRS.values():
        text = TEXTS[pair.hypothesis].replace(pair.lost, pair.lost[:-2] + "zz")
        (folder / "worse" / pair.hypothesis).write_text(text, "utf-8")
    return folder


def scored(pair: Pair, hypothesis: str, options: Options) -> ErrorRates:
    names = pair.reference.split("+")
    sides: list[Given] = [File(name) for name in names]
    return score(References(sides) if len(sides) > 1 else sides[0], File(hypothesis), options)


def compared(baseline: str, new: str) -> Changes:
    [left], [right] = open_versions([baseline], [new], VersionRequest())
    return find_changes(left, right, QUICK)


def title(value: object) -> str:
    if not isinstance(value, dict):
        return str(value)
    return " ".join(f"{name}={each}" for name, each in value.items()) or "defaults"


KINDS = ("db", "json", "json.gz")


# a record of one kind, in turn; in a release records of every kind for every fourth case
@pytest.mark.share(8)
@pytest.mark.parametrize(
    ("number", "name", "choices", "most"),
    [
        pytest.param(number, *case, most, marks=pytest.mark.release if most > 1 else ())
        for number, case in enumerate(cases())
        # most options have two places: times of a service are the second one for every other value
        if case[0] != "service" or number % 4 < 2
        for most in [1 if number % 4 else len(KINDS)]
    ],
    ids=title,
)
def test_a_record_is_a_baseline(
    number: int,
    name: str,
    choices: dict[str, Any],
    most: int,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    pair = PAIRS[name]
    worse_file = f"worse/{pair.hypothesis}"
    try:
        options = Options(**{**pair.options, **choices})
        results = [scored(pair, side, options) for side in (pair.hypothesis, worse_file)]
    except (RecipeError, CombinationError, ValueError, ImportError, InputError) as problem:
        pytest.skip(f"not scored: {problem}")
    if pair.matched_by and choices.keys().isdisjoint(("interpolate", "like")):
        assert results[0].matching_summary.matched_by == pair.matched_by
    errors = [rates.counts.errors for rates in results]
    # conditions may leave out the utterance that is worse
    assert errors[1] > errors[0] or choices.get("normalize") == "regex" or "where" in choices
    records: list[list[str]] = []
    for side, rates in zip(("same", "worse"), map(with_hashes, results), strict=True):
        paths = [str(tmp_path / f"{side}.{kind}") for kind in KINDS]
        with History(paths[0], create=True) as history:
            history.record(rates)
        Path(paths[1]).write_bytes(b"".join(document_lines([rates])))
        rates.save(paths[2])
        first = number % len(KINDS)
        records.append([*paths[first:], *paths[:first]][:most])
    for baseline in records[0]:
        same = compared(baseline, pair.hypothesis)
        counts = (same.total.baseline.counts, same.total.new.counts)
        assert counts == (results[0].counts, results[0].counts)
        assert [*same.worse, *same.better] == []
        assert [check for check in same.baseline.checks if not check.equal] == []
        assert same.words is not None
        assert same.words.baseline.rules == same.words.new.rules
    for new in (worse_file, *records[1]):
        change = compared(records[0][0], new)
        assert (change.total.baseline.wrong, change.total.new.wrong) == tuple(errors)
    change = compared(pair.hypothesis, records[1][-1])
    assert (change.total.baseline.wrong, change.total.new.wrong) == tuple(errors)

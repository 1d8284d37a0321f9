"""All measures of the registry: what holds for each of them, in every report."""

import csv
import io
import json
import math
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import numpy as np
import pytest

import scoring
from scoring.cli.scoring import main
from scoring.measures import MEASURES, all_measures, measure_named
from scoring.measures.intervals import with_intervals
from scoring.results.counted import Sums, joined
from scoring.results.measured import Measured
from scoring.results.record import measure_record
from scoring.score.engines.plan import Plan, Summing
from scoring.score.rates import ErrorRates
from scoring.serve.methods import Methods
from scoring.stats.blocks import Blocks
from scoring.stats.intervals import Resampling
from tests.each_case import each_case
from tests.scoring.measures.corpora import assert_same, corpus

SEEDS = (1, 2)
# Measures of packages that are not installed cannot be counted.
COUNTED = [name for name in MEASURES if name != "translation" or find_spec("sacrebleu")]
every = each_case("name", COUNTED)


@cache
def scored(seed: int) -> ErrorRates:
    return corpus(Path(mkdtemp()), seed, measures=COUNTED)


def measured(name: str, seed: int = 1) -> Measured:
    return scored(seed).measured[name]


@every
def test_it_is_described(name: str) -> None:
    measure = measure_named(name)
    assert measure.name == name
    assert measure.question.endswith("?")
    assert len(measure.definition) > 80
    assert measure.definition.endswith(".")
    assert set(measured(name).values) == {figure.name for figure in measure.figures}
    assert not measure.worst or measure.worst in measure.columns
    assert set(measure.columns) <= {*measured(name).columns.sums}, "columns that nothing counted"


def test_settings_have_one_owner() -> None:
    settings = {item for measure in all_measures() for item in measure.parameters}
    assert len(settings) == len({item.name for item in settings})


@every
def test_counts_add_up(name: str) -> None:
    parts = [measured(name, seed) for seed in SEEDS]
    whole = scored(1).merge(
        scored(2)._replace(reference=scored(1).reference, hypothesis=scored(1).hypothesis)
    )
    both = joined([part.columns for part in parts])
    sums = {key: sum(part.columns.totals()[key] for part in parts) for key in both.sums}
    assert both.totals() == sums
    assert_same(whole.measured[name], Measured(parts[0].measure, "", both))


@every
def test_groups_add_up(name: str) -> None:
    rates = scored(1)
    total = measured(name).columns.totals()
    sums = dict.fromkeys(total, 0)
    for group in rates.by("speaker").values():
        for key, number in group.measured[name].columns.totals().items():
            sums[key] += number
    assert sums == total


@every
def test_order_of_utterances_changes_nothing(name: str) -> None:
    part = measured(name)
    order = np.random.default_rng(3).permutation(part.columns.utterances)
    assert_same(part.select(order), part)


@pytest.mark.share(2)
@pytest.mark.parametrize("seed", SEEDS)
@every
def test_numbers_are_in_bounds(name: str, seed: int) -> None:
    part = measured(name, seed)
    for chosen in (part, *(part.select([row]) for row in range(part.columns.utterances))):
        values = chosen.values
        for figure in part.measure.figures:
            number = values[figure.name]
            if number is not None:
                assert math.isfinite(number)
                assert figure.low is None or number >= figure.low
                assert figure.high is None or number <= figure.high


@each_case("name", [item.name for item in all_measures() if item.monotone])
def test_a_further_error_improves_no_number(name: str) -> None:
    """A right word becomes a wrong one with the same marks: numbers that are monotone stay or fall."""
    aligned, measure = scored(1).aligned, measure_named(name)
    references, hypotheses = map(list, (aligned.references, aligned.hypotheses))
    listed = {"words": ["Okafor", "thank you", "no."]} if name == "words" else {}
    before: dict[str, float | None] = {}
    for row, alignment in enumerate([None, *aligned]):
        right = [pair.hypothesis for pair in alignment or () if pair.reference == pair.hypothesis]
        if row and not right:
            continue
        if right:
            word = str(right[row % len(right)])
            marks = word[len(word.rstrip(".,?!")) :]
            words = list(hypotheses[row - 1])
            words[words.index(word)] = f"zzz{marks}"
            hypotheses[row - 1] = tuple(words)
        after = dict(
            scoring.measure(
                scoring.wer(references, hypotheses, profile="levenshtein"), name, listed
            ).values
        )
        for figure in measure.figures:
            old, new = before.get(figure.name), after[figure.name]
            if figure.name in measure.monotone and old is not None:
                assert new is not None
                assert new <= old if figure.better == "higher" else new >= old, figure.name
        before = after
    assert row


@every
def test_nothing_has_no_rates(name: str) -> None:
    nothing = measured(name).select([])
    for figure in nothing.measure.figures:
        number = nothing.values[figure.name]
        assert number is None or (number == 0 and figure.form == "count")


class Reported(NamedTuple):
    text: str
    record: dict[str, Any]
    rows: list[dict[str, str]]
    loaded: ErrorRates


@cache
def reported() -> Reported:
    """The reports of all measures by one command."""
    rates, folder = scored(1), Path(mkdtemp())
    paths = [rates.reference.path, rates.hypothesis.path]
    flags = ["--by", "speaker", *(f"--measures={name}" for name in COUNTED)]
    files = {form: folder / f"report.{form}" for form in ("json", "csv")}
    outputs = [word for form, path in files.items() for word in (f"--{form}", str(path))]
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(printed):
        assert main(["wer", *paths, *flags, *outputs]) == 0
    printed.flush()
    loaded = scoring.load(files["json"])
    assert isinstance(loaded, ErrorRates)
    return Reported(
        printed.buffer.getvalue().decode(),
        json.loads(files["json"].read_text("utf-8"))["systems"][0],
        list(csv.DictReader(io.StringIO(files["csv"].read_text("utf-8")))),
        loaded,
    )


@every
def test_reports(name: str) -> None:
    text, record, rows, loaded = reported()
    assert measure_named(name).title in text.splitlines()
    part = measured(name)
    assert record["measures"][name]["values"] == pytest.approx(dict(part.values))
    groups = {entry["group"]["speaker"]: entry["measures"][name] for entry in record["groups"]}
    assert groups == {
        key: dict(of.measured[name].values) for key, of in scored(1).by("speaker").items()
    }
    for column in part.measure.columns:
        assert sum(int(row[f"{name}.{column}"]) for row in rows) == part.columns.totals()[column]
    assert_same(loaded.measured[name], part)


@every
def test_page(name: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    scoring.html_report(scored(1)._replace(measured={name: measured(name)}), path)
    page = path.read_text("utf-8")
    measure = measure_named(name)
    assert page.count('<section class="panel" id="panel-question') == 1
    assert f'data-title="{measure.question}"' in page
    assert f"<h3>{measure.title}</h3>" in page


def test_a_page_without_measures_asks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    scoring.html_report(scored(1)._replace(measured={}), path)
    assert "panel-question" not in path.read_text("utf-8")


RESAMPLING = Resampling(replications=60)


@every
def test_intervals(name: str) -> None:
    part = measured(name)
    item = with_intervals(part, RESAMPLING, Blocks(scored(1).speakers, "speaker"))
    assert item.values == part.values
    for figure in part.measure.figures:
        interval = item.intervals[figure.name]
        assert interval.block == "speaker"
        if interval.bootstrap is None:
            assert interval.reason
        else:
            low, high = interval.bootstrap.limits
            assert low <= high
            assert figure.low is None or low >= figure.low
    assert measure_record(item).intervals.keys() == part.values.keys()


class Compared(NamedTuple):
    text: str
    entries: list[dict[str, Any]]
    new: ErrorRates


@cache
def compared() -> Compared:
    """Two systems with all measures, compared by one command."""
    folder = Path(mkdtemp())
    new = corpus(folder, 1, heard_by=9, measures=COUNTED)
    paths = [folder / "old.json", folder / "new.json"]
    for rates, path in zip((scored(1), new), paths, strict=True):
        rates.save(path)
    output = folder / "compare.json"
    flags = ["--replications", "60", "--json", str(output)]
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(printed):
        assert main(["compare", *map(str, paths), *flags]) == 0
    printed.flush()
    text = printed.buffer.getvalue().decode()
    return Compared(text, json.loads(output.read_text("utf-8"))["measures"], new)


@every
def test_comparison(name: str) -> None:
    text, entries, new = compared()
    heading, *rows = text.partition("\nMeasures\n")[2].strip().splitlines()
    assert "interval" in heading
    printed = [row for row in rows if row.split(maxsplit=1)[:1] == [name]]
    changes = {entry["metric"]: entry for entry in entries if entry["measure"] == name}
    assert len(printed) == len(changes)
    after = new.measured[name].values
    assert changes.keys() == measured(name).values.keys()
    for figure, number in measured(name).values.items():
        change = changes[figure]
        assert (change["baseline"], change["new"]) == (number, after[figure])
        if change["change"] is not None:
            assert change["change"] == pytest.approx(change["new"] - change["baseline"])


@cache
def merged_shards() -> ErrorRates:
    """All measures of three shards that one command puts together."""
    rates, folder = scored(1), Path(mkdtemp())
    paths = [rates.reference.path, rates.hypothesis.path]
    measures = [f"--measures={name}" for name in COUNTED]
    parts = [str(folder / f"{number}.json") for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        flags = [*measures, "--shard", f"{number}/3", "--shard-output", part]
        assert main(["wer", *paths, *flags]) == 0
    assert main(["merge", *parts, "--json", str(folder / "whole.json")]) == 0
    loaded = scoring.load(folder / "whole.json")
    assert isinstance(loaded, ErrorRates)
    return loaded


@every
def test_shards(name: str) -> None:
    assert_same(merged_shards().measured[name], measured(name))


@every
def test_tables(name: str, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rates = scored(1)
    sides = (map(" ".join, side) for side in (rates.aligned.references, rates.aligned.hypotheses))
    columns = [*map(list, sides), list(rates.speakers)]
    table = pa.table(dict(zip(("text", "pred_text", "speaker"), columns, strict=True)))
    measure = measure_named(name)
    if measure.kind == "sample" or measure.needs - {"raw"}:
        with pytest.raises(ValueError, match=f"expected measures of texts, found {name}"):
            scoring.score_columns(table, measures=["wer", name])
        return
    settings = {measure.corpus_setting: "Latn"} if measure.corpus_setting else {}
    plain = scoring.measure(rates._replace(sources=None, measured={}), name, settings)
    expected = plain.totals()
    choices: dict[str, Any] = {"measures": ("wer", name), "measure_options": settings}
    if settings:
        with pytest.raises(ValueError, match=f"expected '{measure.corpus_setting}' for {name}"):
            scoring.score_columns(table, measures=choices["measures"])
    written = scoring.score_columns(table, **choices).to_arrow()
    for column in measure.columns:
        total = max if column in measure.greatest else sum
        assert total(written[f"{name}_{column}"].to_pylist()) == expected[column]
    # batches as clusters have them: partitions that are summed apart and put together
    plan = Plan.of(keep=["speaker"], **choices)
    summing = Summing(by=["speaker"], counted=[name])
    parts = [
        batch
        for begin in (0, 10, 30)
        for batch in summing.partial(
            plan.scored(table.slice(begin, 20 if begin else 10).to_batches())
        )
    ]
    sums = summing.merged(reversed(parts), "")
    closed = measure.value(Sums({column: expected[column] for column in measure.columns}))
    assert dict(sums.total.values_of(name)) == dict(closed)
    assert sums.to_dict()["measures"][name] == dict(closed)
    assert measure.title in str(list(sums.blocks()))
    paths = [tmp_path / "in.parquet", tmp_path / "out.parquet"]
    pq.write_table(table, paths[0])
    flags = ["--reference-column", "text", "--engine", "local", "--scored-table", str(paths[1])]
    options = [f"--measure-option={key}={value}" for key, value in settings.items()]
    assert main(["wer", str(paths[0]), *flags, "--measures", name, *options]) == 0
    assert pq.read_table(paths[1]).select(written.column_names) == written


@every
def test_service(name: str) -> None:
    measure = measure_named(name)
    if measure.needs - {"raw"}:
        return
    rates = scored(1)
    sides = (rates.aligned.references, rates.aligned.hypotheses)
    texts = [dict(zip(rates.identifiers, map(list, side), strict=True)) for side in sides]
    plain = scoring.measure(rates._replace(sources=None, measured={}), name)
    parameters = {"reference": texts[0], "hypothesis": texts[1], "measures": [name]}
    record = Methods()("wer", parameters)
    assert record["measures"][name]["values"] == pytest.approx(dict(plain.values))

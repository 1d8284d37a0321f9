"""A benchmark as report blocks, JSON, CSV, and results for Hugging Face model pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from scoring.drawing import decimal, percent
from scoring.drawing.blocks import (
    Block,
    ChangePlot,
    ChangePoint,
    Drawing,
    Fact,
    Heading,
    Lead,
    Note,
    Table,
)
from scoring.regression.bench.plan import Benchmark
from scoring.regression.bench.ranking import RecipeRanking, SetResult, SystemResult, ratio
from scoring.regression.missing import MARK, lines_on_missing
from scoring.stats.bootstrapping import Bootstrap, how_each

BY_TEST = "rank by test"
"""A range of ranks; the ranking of `scoring wer` has a rank by rate."""
CSV_COLUMNS = (
    *("recipe", "system", "set", "run", "utterance_count", "word_count", "error_rate"),
    *("empty_answers", "audio_seconds", "seconds", "loop_rate"),
)


def blocks_of(rankings: Sequence[RecipeRanking]) -> Iterator[Block]:
    """Yield the ranking of each recipe, then the results of each system by set."""
    for ranking in rankings:
        sentence = _sentence(ranking)
        if sentence:
            yield Lead(sentence)
        yield Heading(ranking.recipe or "Ranking")
        yield from _picture(ranking)
        has_speed = any(row.speed.time for row in ranking.systems)
        has_headline = any(row.headline is not None for row in ranking.systems)
        names = ["system", BY_TEST, *["headline"] * has_headline, "macro %", "interval %"]
        names += ["p against the first", "micro %"]
        # two tables, so that the ranking fits on a narrow terminal
        rows = [_ranked_row(row, ranking, has_headline) for row in ranking.systems]
        yield Table(names, rows, spare=(("micro %",), ("interval %",)))
        names = [
            "system",
            *(f"{name} %" for name in ranking.sets),
            *["RTFx"] * has_speed,
            "utterances",
            "words",
            "empty",
            "loops %",
        ]
        rows = [_counted_row(row, ranking, has_speed) for row in ranking.systems]
        yield Table(names, rows, spare=(("loops %", "empty"), ("words",), ("utterances",)))
        yield Note(
            "headline: averaged and rounded as the recipe does; "
            * has_headline
            + "macro: mean of the rates of the sets, by which the systems are listed; "
            f"{BY_TEST}: the ranks that the tests allow, so systems of overlapping ranks do not "
            "differ significantly; micro: all words together; empty: answers without words; loops: "
            "answers with a loop"
        )
        yield from map(Note, _remarks(ranking))
        sets = [row for system in ranking.systems for row in system.sets.values()]
        has_runs = any(len(row.rates) > 1 for row in sets)
        details = [
            [_marked(system, name), name, percent(row.rate), _bounds(row.interval)]
            + ([str(len(row.rates)), _deviation(row)] if has_runs else [])
            for system in ranking.systems
            for name, row in system.sets.items()
        ]
        names = ["system", "set", "rate %", "interval %", *["runs", "SD of runs %"] * has_runs]
        yield Heading("Sets", level=3)
        yield Table(names, details, 2)
        yield Note(_method(ranking))
        yield Fact("signature", ranking.signature)


def _deviation(row: SetResult) -> str:
    return "" if row.deviation is None else percent(row.deviation)


def _sentence(ranking: RecipeRanking) -> str:
    """Return a sentence that names the best system; empty if no system has a rate."""
    ranked = [system for system in ranking.systems if system.ranks is not None]
    if not ranked:
        return ""
    best = ranked[0]
    text = f"{best.system} is the best of {len(ranked)} systems" if len(ranked) > 1 else best.system
    text += f": {percent(best.macro, 1)} % of words are wrong"
    text += f" in the mean of {len(ranking.sets)} sets" * (len(ranking.sets) > 1)
    equal = [row.system for row in ranked[1:] if row.ranks and row.ranks[0] == 1]
    next_best = [row.system for row in ranked[1:2]]
    if next_best:
        first, *others = map(ranking.tested.index, (best.system, *(equal or next_best)))
        listed = ranking.tests.with_p_values(first, others, ranking.tested)
        text += f"; {'not ' * bool(equal)}significantly better than {listed}"
    return text if not ranking.recipe else f"{ranking.recipe}: {text}"


def _picture(ranking: RecipeRanking) -> Iterator[Block]:
    """Yield the macro rates with their intervals, best system first, as a drawing of pages."""
    from scoring.drawing.plots import plot_drawing

    points = [
        ChangePoint(row.system, row.macro, row.macro_interval and row.macro_interval.limits)
        for row in ranking.systems
        if row.macro is not None
    ]
    if len(points) > 1:
        title = f"macro error rate in % ({100 * ranking.resampling.level:g} % interval)"
        yield Drawing([*plot_drawing(ChangePlot(points, title, is_of_rates=True))])


def _ranked_row(system: SystemResult, ranking: RecipeRanking, has_headline: bool) -> list[str]:
    """Return the rank of a system and its rates over all sets."""
    ranks = "" if system.ranks is None else "–".join(map(str, sorted(set(system.ranks))))
    headline = [decimal(system.headline, 2)] if has_headline else []
    return [
        _marked(system),
        ranks,
        *headline,
        percent(system.macro),
        _bounds(system.macro_interval),
        _p_of_first(system, ranking),
        percent(system.micro),
    ]


def _counted_row(system: SystemResult, ranking: RecipeRanking, has_speed: bool) -> list[str]:
    """Return the rates of a system by set, its speed, and its counts."""
    results = map(system.sets.get, ranking.sets)
    speed = [decimal(system.speed.factor, 2)] if has_speed else []
    return [
        _marked(system),
        *("missing" if row is None else percent(row.rate) for row in results),
        *speed,
        *(f"{system.total(name):,.12g}" for name in ("utterances", "words", "empty")),
        percent(ratio(system.total("looping"), system.total("utterances"))),
    ]


def _marked(system: SystemResult, name: str = "") -> str:
    """Return the name of a system, marked if it lacks hypotheses, in all sets or in a named one."""
    missing = system.missing
    return f"{system.system} {missing.in_set(name) if name else missing.mark}".rstrip()


def _remarks(ranking: RecipeRanking) -> Iterator[str]:
    """Yield a remark on each system that lacks hypotheses, a rate on a set, or processing times."""
    systems = ((system.system, system.missing) for system in ranking.systems)
    yield from (f"{MARK} {line}" for line in lines_on_missing(systems))
    for system in ranking.systems:
        rates = {name: row.rate for name, row in system.sets.items()}
        missing = [name for name in ranking.sets if rates.get(name) is None]
        if missing:
            listed = ", ".join(missing)
            yield f"{system.system}: no macro rate and no rank, because it has no rate on {listed}"
        if system.speed.untimed:
            yield f"{system.system}: RTFx without {system.speed.untimed} that have no time"


def _p_of_first(system: SystemResult, ranking: RecipeRanking) -> str:
    """Return the adjusted p-value of a system compared with the first system."""
    names = ranking.systems[0].system, system.system
    if not {*names} <= {*ranking.tested}:
        return "" if len({*names}) == 1 else "not tested"
    return ranking.tests.p_cell(*map(ranking.tested.index, names))


def _bounds(interval: Bootstrap | None) -> str:
    return "n/a" if interval is None else interval.bounds()


def _method(ranking: RecipeRanking) -> str:
    """Return a sentence on the method of intervals and tests."""
    number, seed = ranking.resampling[:2]
    methods = how_each(
        {
            f"{system.system} on {name}": row.interval
            for system in ranking.systems
            for name, row in system.sets.items()
        }
    )
    exchanged = f", by {ranking.tests.how}" if ranking.tests.how else ""
    return (
        f"in each set: {methods or 'no interval'}; pairs by {ranking.test} in each set{exchanged}, "
        f"{number:,} replications, seed {seed}, adjusted by Holm's method, level "
        f"{ranking.tests.level:g}"
    )


def document(benchmark: Benchmark, rankings: Sequence[RecipeRanking]) -> dict[str, Any]:
    """Return the title and the rankings for JSON, without the members that begin a report."""
    return {
        "title": benchmark.plan.title,
        "rankings": [
            {
                "recipe": ranking.recipe or None,
                "signature": ranking.signature,
                "sets": list(ranking.sets),
                "method": _method(ranking),
                "systems": [_system_record(system, ranking) for system in ranking.systems],
                "test": ranking.test,
                "level": ranking.tests.level,
                "pairs": list(ranking.pairs()),
            }
            for ranking in rankings
        ],
    }


def _system_record(system: SystemResult, ranking: RecipeRanking) -> dict[str, Any]:
    return {
        **{key: getattr(system, key) for key in ("system", "ranks", "headline", "macro")},
        "macro_interval": system.macro_interval and system.macro_interval.record(),
        "micro": system.micro,
        "speed": system.speed.record(),
        "sets": [
            {
                "set": name,
                "error_rate": row.rate,
                "interval": row.interval and row.interval.record(),
                "errors": row.errors,
                "word_count": row.words,
                "utterance_count": row.utterances,
                "empty_answers": row.empty,
                "missing_hypotheses": row.missing,
                "loop_rate": row.loop_rate,
                "runs": row.rates,
                "deviation_between_runs": row.deviation,
                "speed": row.speed.record(),
            }
            for name, row in system.sets.items()
        ],
    }


def csv_lines(rankings: Sequence[RecipeRanking]) -> Iterator[tuple[object, ...]]:
    """Yield one CSV row per run of a system on a set, with the columns `CSV_COLUMNS`."""
    for ranking, system, name, row in _cells(rankings):
        for number, (run, rate) in enumerate(zip(row.runs, row.rates, strict=True), 1):
            times = (run.speed.audio or "", run.speed.time or "")
            counts = (row.utterances, row.words, rate, run.empty)
            loops = ratio(run.looping, row.utterances)
            yield (ranking.recipe, system.system, name, number, *counts, *times, loops)


def _cells(
    rankings: Sequence[RecipeRanking],
) -> Iterator[tuple[RecipeRanking, SystemResult, str, SetResult]]:
    """Yield each result of a system on a set, after its ranking, its system and the set's name."""
    for ranking in rankings:
        for system in ranking.systems:
            for name, row in system.sets.items():
                yield ranking, system, name, row


def evaluation_files(
    benchmark: Benchmark, rankings: Sequence[RecipeRanking], today: date
) -> Iterator[tuple[str, bytes]]:
    """Yield paths and contents of `.eval_results` files, in one folder per system.

    Each file has the error rate of one set by one recipe, in percent. The set must define its
    dataset and task.
    """
    import yaml

    for ranking, system, name, row in _cells(rankings):
        entry = benchmark.plan.sets.get(name)
        if entry is None or entry.dataset is None or row.rate is None:
            continue
        interval = f"; interval {_bounds(row.interval)} %" if row.interval else ""
        content = {
            "dataset": {"id": entry.dataset, "task_id": entry.task or name},
            "value": round(100 * row.rate, 2),
            "date": today.isoformat(),
            "notes": f"{ranking.signature}{interval}",
        }
        file = _file_name("-".join(filter(None, (name, ranking.recipe))))
        path = f"{_file_name(system.system)}/.eval_results/{file}.yaml"
        yield path, yaml.safe_dump([content], sort_keys=False).encode()


def _file_name(text: str) -> str:
    """Return a file name for the name of a system or set."""
    return re.sub(r"[^\w.-]+", "--", text).lstrip(".") or "-"

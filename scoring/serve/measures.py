"""Methods of the service for error rates: `align`, `wer`, `compare`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from formats.console.command_line import whole_row
from formats.schema import words_of_text
from scoring.alignment.sequences import align
from scoring.drawing.data import counts_record
from scoring.measures import measure_named, parameter_named
from scoring.model.counts import checked_unit
from scoring.model.errors import OptionValueError, StatisticsError
from scoring.options import (
    CHOICES,
    FLAGS,
    OTHER_LENGTHS,
    USUAL,
    Options,
    options_in,
    profile_named,
)
from scoring.regression.allowances import MISSING
from scoring.regression.changes import TESTS, Request, find_changes
from scoring.regression.conditions import Condition, parse_increase, parse_rate
from scoring.regression.evidence import ScoredVersion
from scoring.regression.exports import comparison_lines
from scoring.regression.significance import interval_of
from scoring.regression.verdict import Gate, judge
from scoring.results.record import summary
from scoring.score import score
from scoring.score.rates import ErrorRates
from scoring.score.table import BlockName, table_of
from scoring.serve.errors import InvalidFieldError, text_of
from scoring.serve.parameters import (
    Context,
    Method,
    MethodParameter,
    WrongKindError,
    choice,
    either,
    flag,
    listed,
    mapped,
    number,
    scalar,
    table,
    text,
    tokens,
    utterances,
)
from scoring.serve.pipelines import pipeline, rules
from scoring.sides.given import References
from scoring.stats.intervals import Resampling
from scoring.text.pipeline import Pipeline
from scoring.text.pipeline_files import as_pipeline


def _parsed(parse: Callable[[str], Any]) -> Callable[[object], Any]:
    """Return a check that parses a text with `parse`, a function of the library."""

    def check(value: object) -> Any:
        try:
            return parse(text(value))
        except ValueError as problem:
            raise WrongKindError(getattr(problem, "problem", str(problem))) from None

    return check


# Fields of `Options` that are parameters; checks and titles where a flag's would not do.
_CHECKS = {
    "unit": _parsed(checked_unit),
    "normalize": rules,
    "speakers": mapped(text),
    "where": listed(text),
    "metadata": mapped(mapped(scalar)),
}
_TITLES = {
    "normalize": "steps and pipelines for all texts: names, as in casefold:lang=tr, or objects "
    "with a step and its arguments",
    "speakers": "an object from identifiers to speakers",
    "where": "conditions of the utterances that are scored, for example speaker=ann or a property "
    "in metadata: duration>6",
    "metadata": "an object from identifiers to objects with properties of utterances",
}


def _option(name: str) -> MethodParameter:
    """Return a field of `Options` as a parameter."""
    default, title = USUAL[name], whole_row(FLAGS[name]).partition("  ")[2]
    check = choice(CHOICES[name]) if name in CHOICES else text
    if default is False:
        check = either(flag, check) if name in CHOICES else flag
    return MethodParameter(name, _CHECKS.get(name, check), _TITLES.get(name, title), default)


def _measure(name: str) -> str:
    return measure_named(name).name


_TEXTS = "a text, a list of texts or token lists, or an object from identifiers to these"
# Parameters may be given by place: those that came later follow the others.
_FIRST = ("profile", "missing", "ignore_case", "unit", "normalize", "speakers")
_OPTIONS = (*map(_option, _FIRST),)
_OTHERS = (
    *map(_option, ("where", "metadata")),
    *map(_option, (name for name in options_in("aligning") if name not in (*_FIRST, "like"))),
)
BLOCKS: tuple[BlockName, ...] = ("auto", "utterance", "speaker")
_RESAMPLING = table(
    ("level", number(0.5, 0.9999), "coverage of the interval, for example 0.95", 0.95),
    ("replications", number(1, 100_000, whole=True), "number of samples", 10_000),
    ("seed", number(0, 2**63 - 1, whole=True), "seed of the random numbers", 0),
    ("block", choice(BLOCKS), "unit that is drawn into samples", "auto"),
)
ALIGN = table(
    ("reference", tokens, "a text or a list of tokens"),
    ("hypothesis", tokens, "a text or a list of tokens"),
    _option("profile"),
    _option("ignore_case"),
)
WER = table(
    ("reference", utterances, _TEXTS),
    ("hypothesis", utterances, "in the same form"),
    *_OPTIONS,
    ("further_references", listed(utterances), "more references of the same utterances", []),
    *map(_option, ("references", "variants", "variants_length")),
    ("per_utterance", flag, "report the counts of every utterance", True),
    ("alignments", flag, "report the aligned words of every utterance", False),
    ("confidence_interval", flag, "report an interval of the error rate", False),
    *_RESAMPLING,
    _option("allow_unmatched"),
    _option("like"),
    ("measures", listed(_parsed(_measure)), "measures to count: see `scoring measures`", ()),
    ("measure_options", mapped(scalar), "settings of these measures", {}),
    *_OTHERS,
)
COMPARE = table(
    ("reference", utterances, _TEXTS),
    ("baseline", utterances, "output of the old system, in the same form"),
    ("new", utterances, "output of the new system, in the same form"),
    *(option for option in _OPTIONS if option.name != "missing"),
    ("allow", listed(choice((MISSING,))), "missing: skip utterances that one system lacks", []),
    ("test", choice(TESTS), "test that decides whether a difference is significant", TESTS[0]),
    *_RESAMPLING,
    ("fail_above", listed(_parsed(parse_rate)), 'limits of the new error rate: "12.5%"', []),
    (
        "fail_increase",
        listed(_parsed(parse_increase)),
        'limits of the increase over the baseline: "5%" (of its rate) or "0.5pt" (points)',
        [],
    ),
    (
        "fail_if_significant",
        number(0, 1),
        "fail if the new system is worse with a p-value below this number",
        None,
    ),
    _option("allow_unmatched"),
    _option("like"),
    *_OTHERS,
)


def align_texts(
    _context: Context,
    reference: str | tuple[str, ...],
    hypothesis: str | tuple[str, ...],
    profile: str,
    ignore_case: bool,
) -> dict[str, Any]:
    """Return the alignment of the words of two texts."""
    sides = [
        words_of_text(side) if isinstance(side, str) else tuple(side)
        for side in (reference, hypothesis)
    ]
    compared = [[word.casefold() for word in side] if ignore_case else side for side in sides]
    rules = profile_named(profile)
    alignment = align(*compared, costs=rules.costs, ties=rules.ties)
    left, right = map(iter, sides)
    return {
        "edits": alignment.letters,
        "pairs": [
            [
                None if pair.reference is None else next(left),
                None if pair.hypothesis is None else next(right),
            ]
            for pair in alignment
        ],
        "cost": alignment.cost,
        "counts": counts_record(alignment.counts()),
    }


def error_rates(
    context: Context,
    reference: Any,
    hypothesis: Any,
    per_utterance: bool,
    alignments: bool,
    confidence_interval: bool,
    block: BlockName,
    **options: Any,
) -> dict[str, Any]:
    """Return the error rates of a hypothesis and, on request, of speakers and utterances."""
    steps, resampling = _steps_and_resampling(context, options)
    if confidence_interval and options["variants_length"] in OTHER_LENGTHS:
        raise InvalidFieldError("confidence_interval", "expected variants_length chosen")
    for name, value in options["measure_options"].items():
        _check_setting(name, value, options["measures"])
    rates = _scored(context, reference, hypothesis, steps, options)
    record = summary(rates)
    del record["reference"], record["hypothesis"]
    record["interval"] = _interval(rates, block, resampling) if confidence_interval else None
    if per_utterance or alignments:
        record["utterances"] = _utterances(rates, per_utterance, alignments)
    return record


def _check_setting(name: str, value: object, measures: list[str]) -> None:
    """Reject settings that the measures do not have, and settings that name files."""
    try:
        setting = parameter_named(name, map(measure_named, measures))
        if setting.is_file:
            raise OptionValueError(name, "expected no file, which the service does not read")
        setting.read(value)
    except ValueError as problem:
        message = text_of(problem, "measure_options")
        raise InvalidFieldError("measure_options", message) from None


def _steps_and_resampling(context: Context, options: dict[str, Any]) -> tuple[Pipeline, Resampling]:
    """Remove the arguments for normalisation and resampling from `options`; return both."""
    resampling = Resampling(*(options.pop(name) for name in ("replications", "seed", "level")))
    return pipeline(options.pop("normalize"), context.limits.pattern), resampling


def _scored(
    context: Context, reference: Any, hypothesis: Any, steps: Pipeline, options: dict[str, Any]
) -> ErrorRates:
    sides = [reference, *options.pop("further_references", ())]
    choices = {"normalize": steps, **options}
    if options["like"] is not None:
        choices = {name: value for name, value in choices.items() if name in context.named}
    elif "variants_length" not in context.named:
        choices.pop("variants_length", None)  # the plan decides it
    try:
        chosen = Options(**choices)
        as_pipeline(chosen.normalize)
    except OptionValueError as problem:
        if problem.option in choices:
            raise InvalidFieldError(problem.option, text_of(problem, problem.option)) from None
        raise InvalidFieldError("like", str(problem)) from None
    except ValueError as problem:
        raise InvalidFieldError("like", str(problem)) from None
    if any(isinstance(hypothesis, dict) != isinstance(side, dict) for side in sides):
        raise InvalidFieldError(
            "hypothesis",
            "expected reference and hypothesis to be both objects from identifiers to texts, or "
            "both not",
        )
    # remarks list what is not scored; texts are never compared with names of files here
    left = References(sides) if len(sides) > 1 else reference
    return score(left, hypothesis, chosen)


def _interval(rates: ErrorRates, block: BlockName, resampling: Resampling) -> dict[str, Any]:
    if block == "speaker" and None in rates.speakers:
        raise InvalidFieldError("block", "expected a speaker of every utterance, found none")
    return interval_of(table_of(rates), block, resampling).record()


def _utterances(rates: ErrorRates, per_utterance: bool, alignments: bool) -> list[dict[str, Any]]:
    records = []
    for position, (identifier, speaker, counts) in enumerate(rates):
        record: dict[str, Any] = {"id": identifier, "speaker": speaker}
        if per_utterance:
            record |= counts_record(counts, rates.length_of(counts, [position]))
            if rates.choices is not None:
                record["references"] = list(rates.choices.chosen[position])
        if alignments:
            alignment = rates.alignment_at(position)
            record["edits"] = alignment.letters
            record["pairs"] = [[pair.reference, pair.hypothesis] for pair in alignment]
        records.append(record)
    return records


def comparison(
    context: Context,
    reference: Any,
    baseline: Any,
    new: Any,
    allow: list[str],
    test: str,
    block: BlockName,
    fail_above: list[Condition],
    fail_increase: list[Condition],
    fail_if_significant: float | None,
    **options: Any,
) -> Any:
    """Compare a new system with a baseline on the same references."""
    steps, resampling = _steps_and_resampling(context, options)
    if MISSING in allow and options["like"] is None:
        options["missing"] = "skip"
    request = Request(allow=allow, test=test, block=block, resampling=resampling)
    sides = [
        ScoredVersion(
            f"<{name}>", "transcripts", _scored(context, reference, words, steps, options)
        )
        for name, words in (("baseline", baseline), ("new", new))
    ]
    try:
        changes = find_changes(sides[0], sides[1], request)
        findings = judge(changes, Gate([*fail_above, *fail_increase], fail_if_significant))
        remarks = [remark for side in sides for remark in side.rates.remarks]
        return json.loads(b"".join(comparison_lines(changes, findings, remarks)))
    except StatisticsError as error:
        raise InvalidFieldError("fail_above", str(error)) from None


METHODS = (
    Method("align", "The words of two texts side by side.", ALIGN, align_texts),
    Method("wer", "The word error rate of a hypothesis, with its parts.", WER, error_rates),
    Method("compare", "What changed from a baseline to a new system.", COMPARE, comparison),
)

"""Error rates by request: `align`, `wer`, `compare`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from scoring.alignment.sequences import align
from scoring.drawing.data import counts_record
from scoring.errors import StatisticsError
from scoring.model import checked_unit
from scoring.normalize.pipeline import Pipeline
from scoring.options import Options, profile_named
from scoring.rates.record import summary
from scoring.regression.changes import TESTS, Request, find_changes
from scoring.regression.evidence import Evidence
from scoring.regression.exports import comparison_lines
from scoring.regression.significance import confidence_interval
from scoring.regression.verdict import Gate, Threshold, judge, parse_increase, parse_rate
from scoring.scored.rates import ErrorRates
from scoring.scored.score import score
from scoring.server import pipelines
from scoring.server.access import Root
from scoring.server.errors import InvalidFieldError
from scoring.server.parameters import (
    MethodParameter,
    WrongKindError,
    flag,
    listed,
    mapped,
    number,
    one_of,
    text,
    tokens,
    utterances,
    whole,
)
from scoring.server.settings import Limits
from scoring.stats.intervals import Resampling

MOST_REPLICATIONS = 100_000


def _unit(value: object) -> str:
    try:
        return checked_unit(text(value))
    except ValueError as problem:
        raise WrongKindError(str(problem).removeprefix("unit: ")) from None


def _threshold(parse: Callable[[str], Threshold]) -> Callable[[object], Threshold]:
    def check(value: object) -> Threshold:
        try:
            return parse(text(value))
        except ValueError as problem:
            raise WrongKindError(str(problem)) from None

    return check


_CHOICES = {one.name: one for one in fields(Options)}


def _choice(
    name: str, check: Callable[[object], Any] | None = None, title: str | None = None
) -> MethodParameter:
    """A field of `Options` as a parameter, with a title of its own where a flag's would not do."""
    told, default = _CHOICES[name].metadata, _CHOICES[name].default
    if check is None:
        check = flag if default is False else one_of(told["choices"])
    return MethodParameter(name, check, title or told["text"], default)


PROFILE, CASE = _choice("profile"), _choice("ignore_case")
_SCORING = (
    PROFILE,
    _choice("missing"),
    CASE,
    _choice("unit", _unit),
    _choice(
        "normalize",
        pipelines.rules,
        "steps and pipelines for all texts: names, as in casefold:lang=tr, or objects with a step "
        "and its arguments",
    ),
    _choice("speakers", mapped(text), "from identifiers to speakers"),
)
_ALLOW_UNMATCHED = _choice("allow_unmatched")
_RESAMPLING = (
    MethodParameter(
        "level", number(0.5, 0.9999), "share of the time the interval is to cover", 0.95
    ),
    MethodParameter("replications", whole(1, MOST_REPLICATIONS), "samples that are drawn", 10_000),
    MethodParameter("seed", whole(0, 2**63 - 1), "of the random numbers", 0),
    MethodParameter(
        "block", one_of(("utterance", "speaker")), "what is drawn as a whole", "utterance"
    ),
)
_TEXTS = "a text, a list of texts or token lists, or an object from identifiers to these"
ALIGN = (
    MethodParameter("reference", tokens, "a text or a list of tokens"),
    MethodParameter("hypothesis", tokens, "a text or a list of tokens"),
    PROFILE,
    CASE,
)
WER = (
    MethodParameter("reference", utterances, _TEXTS),
    MethodParameter("hypothesis", utterances, "the same"),
    *_SCORING,
    MethodParameter("per_utterance", flag, "tell the counts of every utterance", True),
    MethodParameter("alignments", flag, "tell the aligned words of every utterance", False),
    MethodParameter("confidence_interval", flag, "tell an interval of the error rate", False),
    *_RESAMPLING,
    _ALLOW_UNMATCHED,
)
COMPARE = (
    MethodParameter("reference", utterances, _TEXTS),
    MethodParameter("baseline", utterances, "what the old system recognised, the same"),
    MethodParameter("new", utterances, "what the new system recognised, the same"),
    *_SCORING,
    MethodParameter("common_only", flag, "leave out utterances that one side lacks", False),
    MethodParameter("test", one_of(TESTS), "the test that decides", TESTS[0]),
    *_RESAMPLING,
    MethodParameter(
        "fail_above",
        listed(_threshold(parse_rate)),
        'limits of the new error rate, in percent: "12.5" or "12.5%"',
        [],
    ),
    MethodParameter(
        "fail_increase",
        listed(_threshold(parse_increase)),
        'limits of the increase over the baseline: "5%" (of its rate) or "0.5pt" (points)',
        [],
    ),
    MethodParameter(
        "fail_if_significant",
        number(0, 1),
        "fail if the new system is worse and the p-value below this",
        None,
    ),
    _ALLOW_UNMATCHED,
)


def align_texts(reference: Any, hypothesis: Any, profile: str, ignore_case: bool) -> Any:
    """The words of two texts side by side."""
    sides = [_split(reference), _split(hypothesis)]
    compared = [[word.casefold() for word in side] if ignore_case else side for side in sides]
    chosen = profile_named(profile)
    found = align(*compared, costs=chosen.costs, ties=chosen.ties)
    return {
        "edits": found.letters,
        "pairs": [
            [None if one is None else next(left), None if other is None else next(right)]
            for left, right in [(iter(sides[0]), iter(sides[1]))]
            for _, one, other in found
        ],
        "cost": found.cost,
        "counts": counts_record(found.counts()),
    }


def _split(given: str | tuple[str, ...]) -> list[str]:
    from formats.lines import split_words

    if not isinstance(given, str):
        return list(given)
    return list(split_words(given.replace("\n", " ").replace("\r", " ")))


def error_rates(root: Root, limits: Limits, **given: Any) -> Any:
    """The error rate of a hypothesis, with what it is made of."""
    resampling = _resampling(given)
    pipeline = pipelines.pipeline(given.pop("normalize"), root, limits.pattern)
    wanted = {name: given.pop(name) for name in ("per_utterance", "alignments")}
    wants_interval, block = given.pop("confidence_interval"), given.pop("block")
    rates = _scored(given.pop("reference"), given.pop("hypothesis"), pipeline, given)
    record = summary(rates)
    del record["reference"], record["hypothesis"]
    interval = None
    if wants_interval:
        interval = _interval(rates, block, resampling)
    record["confidence_interval"] = interval
    if any(wanted.values()):
        record["utterances"] = _utterances(rates, **wanted)
    return record


def _resampling(given: dict[str, Any]) -> Resampling:
    return Resampling(given.pop("replications"), given.pop("seed"), given.pop("level"))


def _scored(
    reference: Any, hypothesis: Any, pipeline: Pipeline, rules: dict[str, Any]
) -> ErrorRates:
    if pipeline.has_readings and (rules["profile"], rules["unit"]) != ("sclite", "word"):
        raise InvalidFieldError(
            "normalize",
            f"expected profile sclite and unit word, where {pipeline.title} may leave "
            f"alternatives, found {rules['profile']} and {rules['unit']}",
        )
    for name, side in (("reference", reference), ("hypothesis", hypothesis)):
        if isinstance(side, dict) != isinstance(reference, dict):
            raise InvalidFieldError(name, "expected an object, as the reference is, or neither")
    # what is not scored is in the remarks; texts are not held against names of files here
    return score(reference, hypothesis, Options(normalize=pipeline, **rules))


def _interval(rates: ErrorRates, block: str, resampling: Resampling) -> dict[str, Any]:
    found = confidence_interval(
        rates.per_utterance, block=_blocks(rates, block), resampling=resampling
    )
    return found._replace(block=block).record()


def _blocks(rates: ErrorRates, block: str) -> str | list[str | None]:
    if block == "utterance":
        return block
    if None in rates.speakers:
        raise InvalidFieldError("block", "expected speakers of all utterances, found none of some")
    return list(rates.speakers)


def _utterances(rates: ErrorRates, per_utterance: bool, alignments: bool) -> list[dict[str, Any]]:
    found = []
    for position, (identifier, speaker, counts) in enumerate(rates):
        record: dict[str, Any] = {"identifier": identifier, "speaker": speaker}
        if per_utterance:
            record |= counts_record(counts)
        if alignments:
            alignment = rates.alignment_at(position)
            record |= {
                "edits": alignment.letters,
                "pairs": [[pair.reference, pair.hypothesis] for pair in alignment],
            }
        found.append(record)
    return found


def comparison(root: Root, limits: Limits, **given: Any) -> Any:
    """A new system against a baseline, on the same references."""
    request = Request(
        common_only=given.pop("common_only"),
        test=given.pop("test"),
        block=given.pop("block"),
        resampling=_resampling(given),
    )
    pipeline = pipelines.pipeline(given.pop("normalize"), root, limits.pattern)
    thresholds = [*given.pop("fail_above"), *given.pop("fail_increase")]
    gate = Gate(thresholds, given.pop("fail_if_significant"))
    reference, baseline, new = (given.pop(name) for name in ("reference", "baseline", "new"))
    sides = [
        Evidence(f"<{name}>", "transcripts", _scored(reference, words, pipeline, given))
        for name, words in (("baseline", baseline), ("new", new))
    ]
    try:
        changes = find_changes(sides[0], sides[1], request)
        lines = comparison_lines(changes, judge(changes, gate))
        return json.loads(b"".join(lines))
    except StatisticsError as error:
        raise InvalidFieldError("fail_above", str(error)) from None

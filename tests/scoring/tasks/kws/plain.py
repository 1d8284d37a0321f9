"""A keyword search scored without haste: fractions, all mappings tried, every sum written out.

Nothing of the code under test is used but the rules, costs and plain values.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isnan
from typing import NamedTuple

from formats.keywords.model import Detection, Excerpt
from scoring.tasks.kws.parameters import Parameters
from scoring.tasks.kws.word_table import TimedWord

Time = Fraction


class Place(NamedTuple):
    """A reference: where, from when to when."""

    file: str
    channel: str
    begin: Time
    end: Time


class Trial(NamedTuple):
    """A scored detection."""

    score: float
    is_target: bool
    decision: bool


class Keyword(NamedTuple):
    """All trials of a keyword, and references without any detection."""

    trials: list[Trial]
    omitted: int

    @property
    def targets(self) -> int:
        return self.omitted + sum(t.is_target for t in self.trials)


def exact(seconds: float) -> Time:
    return Fraction(repr(seconds))


def stem(name: str) -> str:
    return name.removesuffix(".sph")


def held(excerpts: Sequence[Excerpt], file: str, channel: str, begin: Time, end: Time) -> bool:
    return any(
        stem(e.file) == file
        and e.channel == channel
        and exact(e.begin) <= begin
        and end <= exact(e.begin) + exact(e.duration)
        for e in excerpts
    )


def spoken(
    text: str, words: Sequence[TimedWord], excerpts: Sequence[Excerpt], parameters: Parameters
) -> list[Place]:
    """Every place where a text, in lower case, is spoken and scored."""
    tokens = text.lower().split()
    places = []
    for word in words:
        chain = sorted(
            (w for w in words if w[:2] == word[:2] and w.speaker == word.speaker),
            key=lambda w: w.begin,
        )
        start = next(i for i, w in enumerate(chain) if w is word)
        part = chain[start : start + len(tokens)]
        if [w.token.lower() for w in part] != tokens or word.subtype in ("frag", "fp"):
            continue
        gaps = [exact(b.begin) - exact(a.begin) - exact(a.duration) for a, b in pairwise(part)]
        if any(gap > exact(parameters.largest_gap) for gap in gaps):
            continue
        begin = exact(word.begin)
        end = exact(part[-1].begin) + exact(part[-1].duration)
        decisive = end
        if parameters.rules.first_word_decides:
            decisive = begin + exact(word.duration)
        if held(excerpts, word.file, word.channel, begin, decisive):
            places.append(Place(word.file, word.channel, begin, end))
    return places


def kept(detections: Sequence[Detection], excerpts: Sequence[Excerpt]) -> list[Detection]:
    return [
        d
        for d in detections
        if held(excerpts, d.file, d.channel, exact(d.begin), exact(d.begin) + exact(d.duration))
    ]


def pair_worth(place: Place, detection: Detection, rivals: Sequence[Detection]) -> float:
    begin, duration = exact(detection.begin), exact(detection.duration)
    overlap = min(place.end, begin + duration) - max(place.begin, begin)
    scores = [d.score for d in rivals]
    scaled = (detection.score - min(scores)) / max(max(scores) - min(scores), 0.00001)
    relative = float(overlap) / max(float(place.end - place.begin), 0.00001)
    return 1 + 1e-8 * relative + 1e-6 * scaled


def may_map(place: Place, detection: Detection, parameters: Parameters) -> bool:
    middle = exact(detection.begin) + exact(detection.duration) / 2
    tolerance = exact(parameters.tolerance)
    return (place.file, place.channel) == (
        detection.file,
        detection.channel,
    ) and place.begin - tolerance <= middle <= place.end + tolerance


def best_worth(
    places: Sequence[Place], detections: Sequence[Detection], parameters: Parameters
) -> tuple[int, float]:
    """Pairs and worth of the best mapping within one file and channel, by trying all."""

    def tried(index: int, free: frozenset[int]) -> tuple[int, float]:
        if index == len(places):
            return 0, 0.0
        best = tried(index + 1, free)
        for number in free:
            if may_map(places[index], detections[number], parameters):
                pairs, worth = tried(index + 1, free - {number})
                stretches = pair_worth(places[index], detections[number], detections)
                best = max(best, (pairs + 1, worth + stretches))
        return best

    return tried(0, frozenset(range(len(detections))))


def duration(excerpts: Sequence[Excerpt], parameters: Parameters) -> Fraction:
    """Scored seconds: every moment of a file once, in the excerpt that began last."""
    total = Fraction(0)
    for file in {stem(e.file) for e in excerpts}:
        stretches = sorted(
            ((exact(e.begin), exact(e.begin) + exact(e.duration), e.source_type) for e in excerpts
             if stem(e.file) == file),
            key=lambda e: e[:2],
        )  # fmt: skip
        if parameters.rules.nested_excerpts_lose_time:
            for number, (begin, end, kind) in enumerate(stretches):
                if number + 1 < len(stretches):
                    end = min(end, stretches[number + 1][0])
                total += (end - begin) / (2 if kind == "splitcts" else 1)
            continue
        cuts = sorted({cut for e in stretches for cut in e[:2]})
        for begin, end in pairwise(cuts):
            inside = [e for e in stretches if e[0] <= begin and end <= e[1]]
            if inside:
                total += (end - begin) / (2 if inside[-1][2] == "splitcts" else 1)
    return total


class Measures(NamedTuple):
    """All numbers of a set of keywords, as fractions; `None` where undefined."""

    actual: Fraction | None
    maximum: Fraction | None
    threshold: float | None
    optimum: Fraction | None
    supremum: Fraction | None
    average: Fraction | None


def measures(keywords: Sequence[Keyword], trials: int, parameters: Parameters) -> Measures:
    beta = exact(parameters.cost) / exact(parameters.value) * (1 / exact(parameters.prior) - 1)
    chosen = [k for k in keywords if k.targets or parameters.with_untargeted]
    thresholds = sorted({t.score for k in chosen for t in k.trials})

    def mean(values: Sequence[Fraction | None]) -> Fraction | None:
        defined = [v for v in values if v is not None]
        return sum(defined, Fraction(0)) / len(defined) if defined else None

    def value(accepts: Callable[[Trial], bool]) -> Fraction | None:
        misses = mean([p_miss(k, accepts) for k in chosen])
        alarms = mean([p_fa(k, accepts, trials) for k in chosen])
        return None if misses is None or alarms is None else 1 - misses - beta * alarms

    actual = value(lambda t: t.decision)
    maximum, start = value(lambda t: False), None
    if thresholds:
        sweep = [(value(lambda t, x=x: t.score >= x), x) for x in thresholds]  # type: ignore[misc]
        maximum, start = sweep[0]
        for twv, x in sweep:
            if twv is not None and maximum is not None and twv > maximum:
                maximum, start = twv, x
    has_optimum = bool(thresholds) or not parameters.rules.optimum_needs_scores
    with_targets = [k for k in chosen if k.targets and has_optimum]
    best = []
    for keyword in with_targets:
        options = [
            (p_miss(keyword, lambda t, x=x: t.score >= x), p_fa(keyword, lambda t, x=x: t.score >= x, trials))  # type: ignore[misc]
            for x in thresholds
        ] or [(Fraction(1), p_fa(keyword, lambda t: False, trials))]  # fmt: skip
        best.append(min(options, key=lambda o: (o[0] or 0) + beta * (o[1] or 0)))
    misses, alarms = mean([b[0] for b in best]), mean([b[1] for b in best])
    optimum = None if misses is None or alarms is None else 1 - misses - beta * alarms
    omitted = mean([Fraction(k.omitted, k.targets) for k in with_targets])
    precisions = [
        precision(k) if k.targets else (
            Fraction(0) if parameters.rules.undefined_average_precision_is_zero else None
        )
        for k in chosen
    ]  # fmt: skip
    return Measures(
        actual, maximum, start, optimum, None if omitted is None else 1 - omitted, mean(precisions)
    )


def p_miss(keyword: Keyword, accepts: Callable[[Trial], bool]) -> Fraction | None:
    if not keyword.targets:
        return None
    hits = sum(t.is_target and accepts(t) for t in keyword.trials)
    return Fraction(keyword.targets - hits, keyword.targets)


def p_fa(keyword: Keyword, accepts: Callable[[Trial], bool], trials: int) -> Fraction | None:
    others = trials - keyword.targets
    alarms = sum(not t.is_target and accepts(t) for t in keyword.trials)
    return Fraction(alarms, others) if others > 0 else None


def precision(keyword: Keyword) -> Fraction:
    ranked = sorted(keyword.trials, key=lambda t: (-t.score, t.is_target))
    total, hits = Fraction(0), 0
    for rank, trial in enumerate(ranked, 1):
        if trial.is_target:
            hits += 1
            total += Fraction(hits, rank)
    return total / keyword.targets


def close(places: float | None, expected: Fraction | None) -> bool:
    """Whether a float is what the fraction says, to rounding."""
    if places is None or expected is None or isnan(places):
        return places is None and expected is None
    return abs(places - float(expected)) <= 1e-9 * max(1.0, abs(float(expected)))

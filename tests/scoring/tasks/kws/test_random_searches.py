"""Two thousand random searches against a plain computation of everything."""

from random import Random

import pytest

from formats.keywords.model import Detection, Excerpt
from scoring.tasks.kws.evaluation import KeywordSearchScores, score
from scoring.tasks.kws.measures import curve
from scoring.tasks.kws.parameters import F4DE, SOUND, Parameters, SearchRules
from scoring.tasks.kws.word_table import TimedWord
from tests.each_case import each_case
from tests.scoring.tasks.kws import plain

CORPORA = 160
VOCABULARY = ("aa", "BB", "cc")


def search(rng: Random) -> tuple[list[Excerpt], dict[str, str], list[TimedWord], list[Detection]]:
    """Words, detections and excerpts on a grid of quarters of a second, full of ties."""
    files = ["f1", "f2"][: rng.randint(1, 2)]
    channels = ["1", "2"][: rng.randint(1, 2)]

    def place() -> tuple[str, str]:
        return rng.choice(files), rng.choice(channels)

    def quarters(least: int, most: int) -> float:
        return rng.randint(least, most) / 4

    excerpts = []
    for _ in range(rng.randint(1, 5)):
        (file, channel), kind = place(), rng.choice(["bnews", "cts", "splitcts"])
        excerpts.append(Excerpt(f"{file}.sph", channel, quarters(0, 20), quarters(4, 40), kind))
    keywords = {
        f"K{number}": " ".join(rng.choices(VOCABULARY, k=rng.choice([1, 1, 1, 2, 3])))
        for number in range(rng.randint(1, 4))
    }
    words = []
    for _ in range(rng.randint(0, 12)):
        times = quarters(0, 40), quarters(0, 4)
        token, speaker = rng.choice(VOCABULARY), rng.choice("AB")
        subtype = rng.choice(["lex", "lex", "lex", "fp", "frag"])
        words.append(TimedWord(*place(), *times, token, speaker, subtype))
    cut = rng.choice([0.0, 0.5, 0.75, 2.0])
    detections = []
    for _ in range(rng.randint(0, 14)):
        value = rng.choice([0.25, 0.3, 0.5, 0.7, 0.75, 0.9, -1.5])
        keyword, times = rng.choice(sorted(keywords)), (quarters(0, 40), quarters(0, 8))
        detections.append(Detection(keyword, *place(), *times, value, value >= cut))
    return excerpts, keywords, words, detections


def blocks(scores: KeywordSearchScores) -> list[plain.Keyword]:
    """The trials as they were found, keyword by keyword."""
    trials = scores.overall.trials
    measured: list[plain.Keyword] = [plain.Keyword([], int(n)) for n in trials.omitted]
    rows = zip(trials.of, trials.scores, trials.targets, trials.decisions, strict=True)
    for block, value, is_target, decision in rows:
        measured[block].trials.append(plain.Trial(float(value), bool(is_target), bool(decision)))
    return measured


def check_alignment(
    scores: KeywordSearchScores,
    keywords: dict[str, str],
    words: list[TimedWord],
    detections: list[Detection],
    excerpts: list[Excerpt],
) -> None:
    """Which references and detections are scored, and that the mapping cannot be better."""
    alignment, parameters = scores.alignment, scores.parameters
    names = list(alignment.audio.places)
    clock = alignment.audio.clock
    inside = plain.kept(detections, excerpts)
    assert alignment.account.detections == len(detections)
    assert len(alignment.rows) == len(inside)
    for number, (identifier, text) in enumerate(keywords.items()):
        places = plain.spoken(text, words, excerpts, parameters)
        numbered = zip(alignment.references, alignment.keyword_of, strict=True)
        references = [
            plain.Place(*names[r.place], *(plain.exact(clock.seconds(t)) for t in r[1:3]))
            for r, of in numbered
            if of == number
        ]
        assert sorted(references) == sorted(places)
        for where in names:
            here = [p for p in places if (p.file, p.channel) == where]
            detected = [
                d for d in inside if d.keyword == identifier and (d.file, d.channel) == where
            ]
            pairs, worth = mapped(scores, number, where, detected, detections)
            best = plain.best_worth(here, detected, parameters)
            assert pairs == best[0]
            assert worth == pytest.approx(best[1], abs=1e-13)


def mapped(
    scores: KeywordSearchScores,
    number: int,
    where: tuple[str, str],
    detected: list[Detection],
    detections: list[Detection],
) -> tuple[int, float]:
    """Pairs and worth of the mapping found; every pair allowed, no reference twice."""
    alignment = scores.alignment
    clock, place = alignment.audio.clock, alignment.audio.places[where]
    pairs, worth, seen = 0, 0.0, set()
    for row, partner in zip(alignment.rows.tolist(), alignment.partners.tolist(), strict=True):
        if partner < 0 or alignment.keyword_of[partner] != number:
            continue
        reference, detection = alignment.references[partner], detections[row]
        if reference.place != place:
            continue
        assert partner not in seen
        assert detection.keyword == f"K{number}"
        seen.add(partner)
        spot = plain.Place(*where, *(plain.exact(clock.seconds(t)) for t in reference[1:3]))
        assert plain.may_map(spot, detection, scores.parameters)
        pairs += 1
        worth += plain.pair_worth(spot, detection, detected)
    return pairs, worth


def check_measures(scores: KeywordSearchScores, excerpts: list[Excerpt]) -> None:
    parameters, overall = scores.parameters, scores.overall
    expected_trials = round(plain.duration(excerpts, parameters))
    assert overall.trials.trials == expected_trials
    keywords = blocks(scores)
    expected = plain.measures(keywords, expected_trials, parameters)
    assert plain.close(overall.actual.twv, expected.actual)
    assert plain.close(overall.maximum.twv, expected.maximum)
    if expected.maximum is not None and expected.threshold is not None:
        assert overall.maximum.threshold == expected.threshold
    assert plain.close(overall.optimum.twv, expected.optimum)
    assert plain.close(overall.supremum.twv, expected.supremum) or expected.optimum is None
    assert plain.close(overall.mean_average_precision, expected.average)
    for keyword, measured in zip(keywords, overall.keywords, strict=True):
        assert measured.targets == keyword.targets
        assert measured.correct == sum(t.is_target and t.decision for t in keyword.trials)
        assert measured.false_alarms == sum(not t.is_target and t.decision for t in keyword.trials)
        assert measured.detections == len(keyword.trials)


def check_spread(scores: KeywordSearchScores) -> None:
    """The deviations of the curve, threshold by threshold."""
    from statistics import stdev

    overall = scores.overall
    measured = curve(overall.trials)
    keywords = [k for k in blocks(scores) if k.targets or scores.parameters.with_untargeted]
    beta = scores.parameters.exact_beta
    for index, threshold in enumerate(measured.thresholds.tolist()):

        def accepts(trial: plain.Trial, threshold: float = threshold) -> bool:
            return trial.score >= threshold

        misses = [plain.p_miss(k, accepts) for k in keywords]
        alarms = [plain.p_fa(k, accepts, overall.trials.trials) for k in keywords]
        values = [
            None if m is None or a is None else 1 - m - beta * a
            for m, a in zip(misses, alarms, strict=True)
        ]
        for deviation, column in (
            (measured.p_miss_deviation, misses),
            (measured.p_fa_deviation, alarms),
            (measured.twv_deviation, values),
        ):
            numbers = [float(x) for x in column if x is not None]
            if len(numbers) > 1:
                assert deviation[index] == pytest.approx(stdev(numbers), rel=1e-6, abs=1e-7)


@pytest.mark.share(3)
@pytest.mark.parametrize("part", range(5))
@each_case("rules", [SOUND, F4DE], ids=["sound", "f4de"])
def test_equal_to_a_plain_computation(rules: SearchRules, part: int) -> None:
    measured = 0
    for seed in range(part * CORPORA // 5, (part + 1) * CORPORA // 5):
        rng = Random(seed)
        excerpts, keywords, words, detections = search(rng)
        parameters = Parameters(with_untargeted=rng.random() < 0.3, rules=rules)
        if round(plain.duration(excerpts, parameters)) < 1:
            continue
        scores = score(excerpts, keywords, detections, words, parameters=parameters)
        check_alignment(scores, keywords, words, detections, excerpts)
        check_measures(scores, excerpts)
        check_spread(scores)
        measured += 1
    assert measured > CORPORA * 19 // 100

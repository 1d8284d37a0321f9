"""The phoneme error rate by the exact method: published examples, laws, refusals."""

import copy
import itertools
import pickle
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.alignment.sequences import edit_distance
from scoring.model.counts import UNIT_COSTS, Counts
from scoring.tasks.phonemes import PhonemeErrorRate, PhonemeScore, PhonemeScores
from scoring.tasks.phonemes.network import choose
from scoring.tasks.phonemes.rate import SearchMethod
from tests.each_case import each_case

ROOT = Path(__file__).resolve().parents[4]
Lexicon = dict[str, list[list[str]]]
LEXICON: Lexicon = {"hello": [list("hello"), list("hallo")], "guy": [list("gai")]}
PHONEMES = st.sampled_from("abcd")
PRONUNCIATION = st.lists(PHONEMES, max_size=4).map(tuple)
WORDS = st.lists(st.lists(PRONUNCIATION, min_size=1, max_size=3).map(tuple), max_size=4)


def brute(words: Sequence[Sequence[Sequence[str]]], predicted: Sequence[str]) -> tuple[int, int]:
    """Errors and total by trying everything: fewest errors, then most phonemes."""
    best = None
    for paths in itertools.product(*words):
        reference = [phoneme for path in paths for phoneme in path]
        errors = edit_distance(reference, list(predicted), costs=UNIT_COSTS).errors
        if best is None or (errors, -len(reference)) < best:
            best = (errors, -len(reference))
    assert best is not None
    return best[0], -best[1]


@each_case(
    ("predicted", "errors"),
    [("hallogai", 0), ("halai", 3), ("hallobhai", 2), ("hellogai", 0), ("", 8)],
)
@each_case("method", ["exact", "columns"])
def test_published_measures(method: SearchMethod, predicted: str, errors: int) -> None:
    rate = PhonemeErrorRate(LEXICON, method=method)
    measures = rate.compute_measures(["hello", "guy"], prediction=list(predicted))
    assert measures == {"errors": errors, "total": 8}


@pytest.mark.parametrize("method", ["exact", "columns"])
def test_the_published_batch(method: SearchMethod) -> None:
    rate = PhonemeErrorRate(LEXICON, "<*>", method=method)
    sequences = [["hello", "hello"], ["hello", "guy"]]
    predictions = [list("hellobello"), list("hallogai")]
    assert rate(sequences=sequences, predictions=predictions) == 0.05555555555555555
    assert rate(sequences, predictions) == 1 / 18


def test_a_mixture_of_pronunciations_is_wrong() -> None:
    rate = PhonemeErrorRate({"x": [list("abc"), list("dbe")], "y": [list("ab"), list("ba")]})
    assert rate.compute_measures(["x"], list("abe")) == {"errors": 1, "total": 3}
    assert rate.compute_measures(["x"], list("dbc")) == {"errors": 1, "total": 3}
    assert rate.compute_measures(["y"], list("aa")) == {"errors": 1, "total": 2}


@pytest.mark.parametrize(
    ("pronunciations", "predicted"), [("ab ba", "ba"), ("abcd abd", "abd"), ("abcdef af", "af")]
)
def test_a_pronunciation_of_the_lexicon_is_right(pronunciations: str, predicted: str) -> None:
    rate = PhonemeErrorRate({"x": [list(path) for path in pronunciations.split()]})
    assert rate.compute_measures(["x"], list(predicted)) == {"errors": 0, "total": len(predicted)}


def test_the_total_is_that_of_a_pronunciation() -> None:
    # one vowel of the ten phonemes is wrong; the others are of 9, 12 and 11
    paths = ["f o r ei t o s i k s", "f o r t o s i k s", "f o r t i ei t h o s i k s"]
    rate = PhonemeErrorRate({"4806": [path.split() for path in paths]})
    assert rate([["4806"]], [["f", "o", "r", "ei", "t", "schwa", "s", "i", "k", "s"]]) == 1 / 10


def test_ties_take_the_longest_reference() -> None:
    rate = PhonemeErrorRate({"x": [["a"], ["a", "b"]], "y": [["c", "d"], ["c"]]})
    assert rate.score(["x"], ["a", "z"]).total == 2
    score = rate.score(["x", "y"], list("azcz"))
    assert (score.errors, score.total) == (2, 4)
    assert score.pronunciations == (("a", "b"), ("c", "d"))


def test_equal_pronunciations_are_chosen_in_the_order_of_the_lexicon() -> None:
    rate = PhonemeErrorRate({"x": [["p", "a"], ["p", "b"], ["p", "c"]]})
    assert rate.score(["x"], ["p", "z"]).pronunciations == (("p", "a"),)


def test_1000_random_cases_against_trying_everything() -> None:
    draw = random.Random(20240501)
    for _ in range(1000):
        lexicon = {
            f"w{number}": [
                [draw.choice("abcd") for _ in range(draw.randint(0, 5))]
                for _ in range(draw.randint(1, 3))
            ]
            for number in range(draw.randint(1, 4))
        }
        words = [draw.choice(list(lexicon)) for _ in range(draw.randint(0, 5))]
        predicted = [draw.choice("abcde") for _ in range(draw.randint(0, 12))]
        score = PhonemeErrorRate(lexicon).score(words, predicted)
        assert (score.errors, score.total) == brute([lexicon[word] for word in words], predicted)
        assert all(
            list(path) in lexicon[word]
            for word, path in zip(words, score.pronunciations, strict=True)
        )
        assert score.alignment.reference == tuple(
            phoneme for path in score.pronunciations for phoneme in path
        )


@given(WORDS, st.lists(PHONEMES, max_size=8))
def test_the_choice_is_the_best_of_all(
    words: list[tuple[tuple[str, ...], ...]], predicted: list[str]
) -> None:
    chosen = choose(words, predicted)
    reference = [p for paths, index in zip(words, chosen, strict=True) for p in paths[index]]
    errors = edit_distance(reference, predicted, costs=UNIT_COSTS).errors
    assert (errors, len(reference)) == brute(words, predicted)


@given(WORDS, st.data())
def test_what_the_lexicon_says_is_never_wrong(
    words: list[tuple[tuple[str, ...], ...]], data: st.DataObject
) -> None:
    predicted = [p for paths in words for p in data.draw(st.sampled_from(paths))]
    [score] = PhonemeErrorRate({}).score_alternatives([words], [predicted])
    assert (score.errors, score.total) == (0, len(predicted))


@given(WORDS, st.lists(PHONEMES, max_size=8), PRONUNCIATION)
def test_a_further_pronunciation_never_adds_errors(
    words: list[tuple[tuple[str, ...], ...]], predicted: list[str], more: tuple[str, ...]
) -> None:
    rate = PhonemeErrorRate({})
    [before] = rate.score_alternatives([words], [predicted])
    [after] = rate.score_alternatives([[(*paths, more) for paths in words]], [predicted])
    assert after.errors <= before.errors


def test_long_utterances_in_blocks_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(3)
    words = [
        tuple(
            tuple(draw.choice("abcdef") for _ in range(draw.randint(0, 4)))
            for _ in range(draw.randint(1, 3))
        )
        for _ in range(120)
    ]
    predicted = [draw.choice("abcdef") for _ in range(200)]
    whole = choose(words, predicted)
    monkeypatch.setattr("scoring.tasks.phonemes.network.KEPT_NUMBERS", 1000)
    assert choose(words, predicted) == whole


def test_numbers_that_would_overflow_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.tasks.phonemes.network.WIDTH", 10)
    with pytest.raises(ValueError, match="found 9 predicted phonemes and up to 2"):
        choose([(("a",), ("b", "c"))], ["a"] * 9)


def test_empty_pronunciations_and_totals_of_nothing() -> None:
    rate = PhonemeErrorRate({"uh": [[], ["a"]], "silent": [[]]})
    assert rate.compute_measures(["uh"], []) == {"errors": 0, "total": 0}
    assert rate.compute_measures(["uh"], ["a"]) == {"errors": 0, "total": 1}
    assert rate([], []) is None
    assert rate([["silent"]], [[]]) is None
    assert rate([["silent"]], [["a"]]) is None
    assert rate([[]], [["a"]]) is None


def test_refusals() -> None:
    rate = PhonemeErrorRate({**LEXICON, "none": []})
    with pytest.raises(ValueError) as mismatch:
        rate([["hello"]], [])
    assert str(mismatch.value) == "Mismatch in the number of predictions (0) and sequences (1)"
    with pytest.raises(KeyError) as unknown:
        rate([["q", "hello"], ["q"]], [[], []])
    assert unknown.value.args == ("Words not found in the lexicon: ['q', 'q']",)
    with pytest.raises(KeyError):
        rate.compute_measures(["q"], [])
    with pytest.raises(ValueError, match="pronunciation of 'none', found none"):
        rate([["none"]], [[]])
    with pytest.raises(ValueError, match="found none"):
        choose([()], [])
    with pytest.raises(TypeError, match="a list of words for each utterance, found str"):
        rate(["hello"], [list("hello")])
    with pytest.raises(TypeError, match="a list of phonemes for each utterance, found str"):
        rate([["hello"]], ["hello"])
    with pytest.raises(ValueError, match="method: expected one of exact, columns, found 'fast'"):
        PhonemeErrorRate(LEXICON, method="fast")  # type: ignore[arg-type]


def test_the_whole_batch_is_checked_first() -> None:
    rate = PhonemeErrorRate({"none": []})
    with pytest.raises(KeyError):
        rate([["none"], ["q"]], [[], []])


@pytest.mark.parametrize("method", ["exact", "columns"])
def test_the_lexicon_of_the_caller_stays_as_it_is(method: SearchMethod) -> None:
    given_lexicon: Lexicon = {"x": [list("ddbaa"), list("ccdd"), list("aca")], "y": [["a"]]}
    before = copy.deepcopy(given_lexicon)
    rate = PhonemeErrorRate(given_lexicon, method=method)
    first = rate.score(["x"], list("acabd"))
    assert rate.score(["x"], list("acabd")) == first
    assert rate.score(["y", "x"], list("aacabd")).total == first.total + 1
    assert given_lexicon == before
    assert {word: list(map(list, paths)) for word, paths in rate.lexicon.items()} == before
    given_lexicon["x"].clear()
    assert rate.score(["x"], list("acabd")) == first


SCORES = st.lists(
    st.lists(PHONEMES, max_size=6).map(
        lambda predicted: PhonemeErrorRate({"w": [["a", "b"], ["c"]]}).score(["w", "w"], predicted)
    ),
    max_size=3,
).map(PhonemeScores)


@given(SCORES, SCORES, SCORES)
def test_scores_add_up(first: PhonemeScores, two: PhonemeScores, three: PhonemeScores) -> None:
    assert (first + two) + three == first + (two + three)
    assert PhonemeScores() + first == first + PhonemeScores() == first
    assert (
        sum([first, two, three], PhonemeScores()).counts == first.counts + two.counts + three.counts
    )
    assert (first + two).errors == first.errors + two.errors
    assert (first + two).total == first.total + two.total
    assert sum([first, two]) == first + two


def test_results_are_values() -> None:
    rate = PhonemeErrorRate(LEXICON)
    scores = rate.score_batch([["guy"], ["hello"]], [list("gxi"), list("halo")])
    assert scores.counts == Counts(6, 1, 1, 0)
    assert scores.per_utterance == [Counts(2, 1), Counts(4, 0, 1)]
    assert (scores.rate, scores.predicted) == (0.25, 7)
    assert (scores[1].rate, scores[1].predicted) == (0.2, 4)
    assert isinstance(scores[0], PhonemeScore)
    assert len(scores[1:]) == 1
    assert pickle.loads(pickle.dumps(scores)) == scores
    assert repr(scores) == "<PhonemeScores 25.00 % of 2 utterances, 2 errors of 8>"
    assert repr(pickle.loads(pickle.dumps(rate))) == repr(rate)
    with pytest.raises(AttributeError):
        scores.scores = ()  # type: ignore[misc]


def test_as_a_replacement(tmp_path: Path) -> None:
    """A package of the original's name that gives this class, as docs/phonemes.md has it."""
    package = tmp_path / "speechline"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "metrics.py").write_text(
        "from functools import partial\n"
        "from scoring.tasks.phonemes import PhonemeErrorRate\n"
        "PhonemeErrorRate = partial(PhonemeErrorRate, method='columns')\n"
    )
    program = (
        "from speechline.metrics import PhonemeErrorRate\n"
        "per = PhonemeErrorRate({'x': [list('abcd'), list('abd')]}, epsilon_token='_')\n"
        "assert per(sequences=[['x']], predictions=[list('abd')]) == 0.25\n"
        "assert per([['x']], [list('abcd')]) == 0\n"
        "assert per._build_pronunciation_stack(['x']) == [{'a'}, {'b'}, {'c', '_'}, {'d'}]\n"
    )
    subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}"},
        check=True,
        cwd=tmp_path,
    )

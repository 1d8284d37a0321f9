"""BenchmarkSTT's metrics: their modes and conventions; numbers are those of release 1.1."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.options import PROFILES
from scoring.peers.benchmarkstt.diff import Differ, RatcliffObershelp
from scoring.peers.benchmarkstt.input import PlainText
from scoring.peers.benchmarkstt.metrics import (
    BEER,
    CER,
    WER,
    DiffCounts,
    OpcodeCounts,
    WordDiffs,
    factory,
    get_opcode_counts,
)
from scoring.peers.benchmarkstt.normalization import Lowercase
from scoring.peers.benchmarkstt.schema import Schema
from scoring.score import wer
from tests.each_case import each_case
from tests.tables import table_of

REFERENCE = "Hello darkness my OLD friend.\nI have come to talk with you again"
HYPOTHESIS = "hello darkness my old fiend I have come talk with you again and again"


def compared(metric: Any, reference: str, hypothesis: str) -> Any:
    return metric.compare(PlainText(reference), PlainText(hypothesis))


def test_word_error_rates() -> None:
    for mode, errors in ((None, 6), (WER.MODE_STRICT, 6), (WER.MODE_HUNT, 4.5), ("anything", 6)):
        assert compared(WER(mode), REFERENCE, HYPOTHESIS) == errors / 13
    assert compared(WER(WER.MODE_LEVENSHTEIN), REFERENCE, HYPOTHESIS) == 6 / 13


def test_normalized() -> None:
    sides = [Schema(PlainText(one, normalizer=Lowercase())) for one in (REFERENCE, HYPOTHESIS)]
    assert WER().compare(*sides) == 0.3076923076923077
    assert CER().compare(*sides) == 0.23076923076923078
    assert DiffCounts().compare(*sides) == OpcodeCounts(11, 1, 2, 1)


@each_case(
    ("reference", "hypothesis", "strict", "hunt", "levenshtein"),
    table_of(__file__, "modes_and_empty_sides"),
)
def test_modes_and_empty_sides(
    reference: str, hypothesis: str, strict: float, hunt: float, levenshtein: float
) -> None:
    for mode, expected in (("strict", strict), ("hunt", hunt), ("levenshtein", levenshtein)):
        found = compared(WER(mode), reference, hypothesis)
        assert (found, type(found)) == (expected, type(expected))


@each_case(
    ("reference", "hypothesis", "rate"),
    [("a b", "ab", 0.0), ("abc", "adc", 1 / 3), ("", "", 0), ("", "a", 1), (" ", "a", 1)],
)
def test_character_error_rates(reference: str, hypothesis: str, rate: float) -> None:
    assert compared(CER(), reference, hypothesis) == rate
    assert compared(CER(CER.MODE_LEVENSHTEIN), reference, hypothesis) == rate


def test_modes_that_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="CER is only implemented for Levenshtein dist"):
        compared(CER("strict"), "a", "a")
    message = "diffcounts is not implemented for Levenshtein distance"
    with pytest.raises(NotImplementedError, match=message):
        compared(DiffCounts(DiffCounts.MODE_LEVENSHTEIN), "a", "a")
    assert compared(DiffCounts("strict"), "a", "b") == (0, 1, 0, 0)


@each_case(("reference", "hypothesis", "counts"), table_of(__file__, "difference_counts"))
def test_difference_counts(reference: str, hypothesis: str, counts: tuple[int, ...]) -> None:
    assert compared(DiffCounts(), reference, hypothesis) == counts
    assert get_opcode_counts([("equal", 0, 1, 0, 1)]) == (1, 0, 0, 0)


def test_word_differences() -> None:
    assert compared(WordDiffs(), "a b", "a") == "·a·\u0338b\u0338"
    assert compared(WordDiffs("html"), "a b", "a") == ' a<span class="delete"> b</span>'
    assert compared(WordDiffs("list"), " ", "a") == [
        {"type": "insert", "reference": None, "hypothesis": "a"}
    ]
    with pytest.raises(ValueError, match="Unknown diff dialect"):
        compared(WordDiffs("nope"), "a", "a")


class Everything(Differ):
    """Says that all is replaced."""

    def __init__(self, a: Any, b: Any) -> None:
        self._opcode = ("replace", 0, len(a), 0, len(b))

    def get_opcodes(self) -> list[tuple[str, int, int, int, int]]:
        return [self._opcode]


def test_another_algorithm() -> None:
    assert compared(DiffCounts(differ_class=Everything), "a b", "a b c") == (0, 2, 1, 0)
    assert compared(WER(differ_class=Everything), "a b", "a b") == 1
    assert compared(WordDiffs("html", Everything), "a", "a").startswith('<span class="delete"> a<')
    assert compared(WER("strict", RatcliffObershelp), "a b", "a c") == 0.5
    assert compared(WER("strict", "RatcliffObershelp"), "a b", "a c") == 0.5
    with pytest.raises(ImportError, match="Could not find class 'hunt'"):
        factory.create("wer", "strict", "hunt")


def beer_of(*entities: str) -> BEER:
    beer = BEER()
    beer.set_entities(entities)
    return beer


def test_beer() -> None:
    assert compared(BEER(), "a", "a") == {"Error": "Missing .json input file"}
    beer = beer_of("aa bb", "cc", "dd")
    beer.set_weight([5, 5, 5])
    assert beer.get_entities() == ["aa bb", "cc", "dd"]
    assert beer.get_weight() == [1 / 3, 1 / 3, 1 / 3]
    assert compared(beer, "aa bb cc dd bb aa dd", "aa bb cc d ee ff gg hh dd") == {
        "aa bb": {"beer": 0.0, "occurrence_ref": 1},
        "cc": {"beer": 0.0, "occurrence_ref": 1},
        "dd": {"beer": 0.5, "occurrence_ref": 2},
        "w_av_beer": {"beer": 0.083, "occurrence_ref": 4},
    }
    assert compared(beer_of(), "a", "a") == {"w_av_beer": {"beer": 0, "occurrence_ref": 0}}
    # found after a false start
    assert compared(beer_of("a b"), "a a b", "")["a b"] == {"beer": 1.0, "occurrence_ref": 1}
    elsewhere = beer_of("a", "b").compute_beer(["a"], ["a", "b", "b"])
    assert elsewhere["b"] == {"beer": 1.0, "occurrence_ref": 2}
    assert elsewhere["w_av_beer"] == {"beer": 0.333, "occurrence_ref": 3}


def test_beer_weights() -> None:
    beer = beer_of("madam", "here")
    beer.set_weight([100, 10])
    rates = compared(beer, "madam is here", "adam is here")
    assert rates["w_av_beer"] == {"beer": 0.455, "occurrence_ref": 2}
    beer.set_weight([-3, 0])
    assert beer.get_weight() == [0, 0]
    assert compared(beer, "madam is here", "adam is here")["w_av_beer"]["beer"] == 0
    beer.set_weight([1])
    with pytest.raises(ValueError, match="expected 2 weights, one per entity, found 1"):
        compared(beer, "a", "a")


def test_beer_files(tmp_path: Path) -> None:
    path = tmp_path / "entities.json"
    path.write_text('{"a": 1, "b c": 3, "A": -2}')
    beer = BEER(str(path))
    assert beer.get_weight() == [0.25, 0.75, 0.0]
    assert compared(beer, "a b c", "a d c e") == {
        "a": {"beer": 0.0, "occurrence_ref": 1},
        "b c": {"beer": 1.0, "occurrence_ref": 1},
        "A": {"beer": 0, "occurrence_ref": 0},
        "w_av_beer": {"beer": 0.375, "occurrence_ref": 2},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expecting value: line 1 column 1 (char 0)"),
        ("[]", "expected an object from entities to weights, found list"),
        ('{"a": "x"}', "weight: expected a finite number, found 'x'"),
    ],
)
def test_beer_files_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "entities.json"
    path.write_text(text)
    assert compared(BEER(str(path)), "a", "a") == {"Error": message}
    missing = compared(BEER(str(tmp_path / "none")), "a", "a")["Error"]
    assert missing.startswith("[Errno 2] No such file or directory")


WORDS = st.lists(st.sampled_from("abc"), max_size=8)


@given(WORDS.filter(bool), WORDS)
def test_no_mode_finds_fewer_errors_than_levenshtein(
    reference: list[str], hypothesis: list[str]
) -> None:
    sides = [[{"item": word} for word in side] for side in (reference, hypothesis)]
    least = WER("levenshtein").compare(*sides)
    assert wer([reference], [hypothesis], profile="levenshtein").corpus_rate == least
    others = [wer([reference], [hypothesis], profile=name).corpus_rate for name in PROFILES]
    assert min(WER().compare(*sides), *(rate or 0.0 for rate in others)) >= least

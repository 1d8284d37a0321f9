"""Alternatives in units smaller than words: those are taken that have the fewest errors."""

from collections.abc import Callable
from pathlib import Path

import pytest

import scoring

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
STM, CTM = DEMO / "reference.stm", DEMO / "improved.ctm"
WriteSides = Callable[[str, str], tuple[Path, Path]]


@pytest.fixture
def sides(tmp_path: Path) -> WriteSides:
    def write(reference: str, hypothesis: str) -> tuple[Path, Path]:
        paths = tmp_path / "r.trn", tmp_path / "h.trn"
        for path, text in zip(paths, (reference, hypothesis), strict=True):
            path.write_text(text)
        return paths

    return write


@pytest.mark.parametrize(
    ("reference", "hypothesis", "same"),
    [
        ("a { grey / gray } cat (u_1)", "a gray cat (u_1)", "a gray cat"),
        ("a { grey / gray } cat (u_1)", "a groy cat (u_1)", "a grey cat"),
        ("a { blue / gray } cat (u_1)", "a groy cat (u_1)", "a gray cat"),
        ("so { it is / it's / @ } (u_1)", "so (u_1)", "so"),
        ("so { it is / it's } (u_1)", "so it is (u_1)", "so it is"),
    ],
)
@pytest.mark.parametrize("unit", ["char", "char+space", "grapheme"])
def test_the_alternative_with_the_fewest_errors_is_taken(
    reference: str, hypothesis: str, same: str, unit: str, sides: WriteSides
) -> None:
    rates = scoring.cer(*sides(reference, hypothesis), unit=unit)  # type: ignore[call-overload]
    plain = scoring.cer(same, hypothesis.rpartition(" ")[0], unit=unit)  # type: ignore[call-overload]
    assert rates.counts == plain.counts


def test_the_hypothesis_has_alternatives_too(sides: WriteSides) -> None:
    rates = scoring.cer(
        *sides("a gray cat (u_1)\nno (u_2)", "a { grey / gray } cat (u_1)\nno (u_2)")
    )
    assert rates.counts == scoring.Counts(correct=12)
    assert len(rates) == 2


def test_a_reference_without_hypothesis_is_deleted(sides: WriteSides) -> None:
    rates = scoring.cer(*sides("{ a / ab } c (u_1)\nd (u_2)", "d (u_2)"), unit="char")
    assert rates.counts.deletions == 2


def test_characters_of_the_demo_have_fewer_errors_than_those_of_the_words_that_were_taken() -> None:
    words = scoring.wer(STM, CTM, keep_sources=True).aligned
    most = scoring.cer(
        [" ".join(alignment.reference) for alignment in words],
        [" ".join(alignment.hypothesis) for alignment in words],
    )
    rates = scoring.cer(STM, CTM)
    assert 0 < rates.counts.errors <= most.counts.errors
    assert scoring.cer(STM, CTM, like="jiwer").counts.errors > 0


def test_optional_words_may_be_left_out(sides: WriteSides) -> None:
    files = sides("so (uh) it is (u_1)", "so it is (u_1)")
    assert scoring.cer(*files).counts.errors == 3
    assert scoring.cer(*files, forgive_optional=True).counts == scoring.Counts(correct=8)

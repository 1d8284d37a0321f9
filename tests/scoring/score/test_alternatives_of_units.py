"""Alternatives in units smaller than words: the best alignment of words takes one of each."""

from collections.abc import Callable
from pathlib import Path

import pytest

import scoring
from scoring.model.errors import InputError

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
        ("so { it is / it's / @ } (u_1)", "so (u_1)", "so"),
        ("so { it is / it's } (u_1)", "so it is (u_1)", "so it is"),
    ],
)
@pytest.mark.parametrize("unit", ["char", "char+space", "grapheme"])
def test_the_alternative_that_fits_by_words_is_cut(
    reference: str, hypothesis: str, same: str, unit: str, sides: WriteSides
) -> None:
    rates = scoring.cer(*sides(reference, hypothesis), unit=unit)  # type: ignore[arg-type]
    plain = scoring.cer(same, hypothesis.rpartition(" ")[0], unit=unit)  # type: ignore[arg-type]
    assert rates.counts == plain.counts
    assert "alternatives in 1 utterances: of each, the best alignment of words" in rates.remarks[0]


def test_the_hypothesis_has_alternatives_too(sides: WriteSides) -> None:
    rates = scoring.cer(
        *sides("a gray cat (u_1)\nno (u_2)", "a { grey / gray } cat (u_1)\nno (u_2)")
    )
    assert rates.counts == scoring.Counts(correct=12)
    assert len(rates) == 2


def test_a_reference_without_hypothesis_is_deleted(sides: WriteSides) -> None:
    rates = scoring.cer(*sides("{ a / ab } c (u_1)\nd (u_2)", "d (u_2)"), unit="char")
    assert rates.counts.deletions == 2


def test_characters_of_the_demo_are_those_of_the_words_that_were_taken() -> None:
    words = scoring.wer(STM, CTM, keep_sources=True).aligned
    expected = scoring.cer(
        [" ".join(alignment.reference) for alignment in words],
        [" ".join(alignment.hypothesis) for alignment in words],
    )
    assert scoring.cer(STM, CTM).counts == expected.counts


@pytest.mark.parametrize("options", [{"like": "jiwer"}, {"forgive_optional": True}], ids=str)
def test_elsewhere_alternatives_are_refused(options: dict[str, object]) -> None:
    with pytest.raises((InputError, ValueError), match="alternatives"):
        scoring.cer(STM, CTM, **options)  # type: ignore[arg-type]

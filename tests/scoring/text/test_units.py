"""What is compared: units in the scripts of the world."""

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from formats.schema.messages import Message
from scoring.model.aliases import Unit
from scoring.model.counts import UNITS, Counts, checked_unit
from scoring.text.units import in_units, split_in_units
from tests.each_case import each_case
from tests.tables import table_of


@each_case(("unit", "word", "expected"), table_of(__file__, "units"))
def test_units(unit: str, word: str, expected: str) -> None:
    assert " ".join(split_in_units((word,), unit)) == expected


@pytest.mark.parametrize("unit", [*UNITS, "mixed+thai+hangul"])
@given(words=st.lists(st.text(min_size=1, max_size=6), max_size=4).map(tuple))
def test_cutting_loses_nothing_and_is_idempotent(unit: str, words: tuple[str, ...]) -> None:
    once = split_in_units(words, unit)
    assert "".join(once) == (" " if unit == "char+space" else "").join(words)
    if not unit.startswith("char"):
        whole = [word for word in words if word[:1] not in "[<" and "!SIL" not in word]
        assert split_in_units(tuple(whole), unit) == split_in_units(
            split_in_units(tuple(whole), unit), unit
        )


def test_brackets_and_silence_stay_whole() -> None:
    words = ("[噪音]", "<unk>", "!SIL", "日本")
    for unit in ("char", "grapheme", "mixed"):
        assert split_in_units(words, unit) == ("[噪音]", "<unk>", "!SIL", "日", "本")


def test_blanks_between_words_count_and_nothing_stays_whole() -> None:
    words = ("[a]", "日本", "!SIL")
    assert "".join(split_in_units(words, "char+space")) == "[a] 日本 !SIL"
    assert list(in_units([words, ()], "char+space")) == [tuple("[a] 日本 !SIL"), ()]


def test_spelling_of_units() -> None:
    assert checked_unit("char+space") == "char+space"
    assert str(checked_unit("mixed+thai+khmer")) == "mixed+khmer+thai"
    for wrong in ("phone", "char+thai", "mixed+latin", "mixed+", ""):
        with pytest.raises(ValueError, match="unit: expected"):
            checked_unit(wrong)
    signature = scoring.wer("a", "a", unit=checked_unit("mixed+thai+khmer")).signature
    assert "|unit:mixed+khmer+thai|" in signature


# A sentence, another with one or two slips, and the errors by unit.
LANGUAGES: dict[str, tuple[str, str, dict[str, Counts]]] = {
    "Hindi": (
        "मेरा नाम राम है",
        "मेरा नाम रमा है",
        {"word": Counts(3, 1, 0, 0), "grapheme": Counts(5, 2, 0, 0)},
    ),
    "Tamil": (
        "நான் பள்ளி செல்கிறேன்",
        "நான் பள்ளி செல்கிறான்",
        {"word": Counts(2, 1, 0, 0), "grapheme": Counts(9, 1, 0, 0)},
    ),
    "Thai": (
        "วันนี้อากาศดีมาก",
        "วันนี้อากาศดิมาก",
        {
            "word": Counts(0, 1, 0, 0),
            "char": Counts(15, 1, 0, 0),
            "grapheme": Counts(11, 1, 0, 0),
            "mixed+thai": Counts(11, 1, 0, 0),
            "mixed": Counts(0, 1, 0, 0),
        },
    ),
    "Arabic": (
        "ذهب الولد إلى المدرسة",
        "ذهب الولد الى المدرسه",
        {"word": Counts(2, 2, 0, 0), "char": Counts(16, 2, 0, 0)},
    ),
    "Hebrew": (
        "שָׁלוֹם עולם",
        "שלום עולם",
        {"word": Counts(1, 1, 0, 0), "grapheme": Counts(6, 2, 0, 0)},
    ),
    "Turkish": ("Işık ve İzmir", "ışık ve izmir", {"word": Counts(1, 2, 0, 0)}),
    "Mandarin": (
        "我们明天用GPT开会",
        "我们明天用GTP开汇",
        {"word": Counts(0, 1, 0, 0), "mixed": Counts(6, 2, 0, 0), "char": Counts(8, 1, 1, 1)},
    ),
    "Japanese": (
        "カードで払います",
        "カドで払います",
        {"word": Counts(0, 1, 0, 0), "mixed": Counts(7, 0, 1, 0), "char": Counts(7, 0, 1, 0)},
    ),
}


@each_case(
    ("language", "unit"),
    [(language, unit) for language, (_, _, found) in LANGUAGES.items() for unit in found],
)
def test_sentences_of_many_languages(language: str, unit: Unit) -> None:
    reference, hypothesis, expected = LANGUAGES[language]
    assert scoring.wer(reference, hypothesis, unit=unit).counts == expected[unit]


def test_turkish_case_is_folded_by_its_own_rules() -> None:
    reference, hypothesis, _ = LANGUAGES["Turkish"]
    assert scoring.wer(reference, hypothesis, normalize="casefold:lang=tr").corpus_rate == 0
    # without the rules I and ı differ, and İ is i with a dot
    assert scoring.wer(reference, hypothesis, normalize="casefold").counts.errors == 2


def test_marks_are_no_errors_once_both_sides_have_the_same_form() -> None:
    sides = "re\u0301sume\u0301", "résumé"
    assert scoring.wer(*sides).counts.errors == 1
    assert scoring.wer(*sides, normalize="unicode").corpus_rate == 0


@each_case(("reference", "warned"), table_of(__file__, "improbable_units_are_told"))
def test_improbable_units_are_told(reference: str, warned: bool) -> None:
    def told(**options: Any) -> bool:
        rates = scoring.wer(reference, reference, **options)
        return any(
            isinstance(remark, Message) and ("unit", "mixed") in remark.advice
            for remark in rates.remarks
        )

    assert told() is warned
    assert not told(unit="grapheme")


@pytest.mark.parametrize("core", ["native", "plain"])
def test_canonically_equal_graphemes_are_equal(core: str) -> None:
    script = (
        "import scoring, unicodedata; text = 'caf\\xe9 \\ud55c\\uad6d'; "
        "print(scoring.cer(text, unicodedata.normalize('NFD', text), unit='grapheme').counts)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"SCORING_ALIGN": core},
        capture_output=True,
        check=True,
        text=True,
    )
    assert run.stdout == "Counts(correct=6, substitutions=0, deletions=0, insertions=0)\n"

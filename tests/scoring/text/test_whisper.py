"""Whisper's normalisers to the byte, and what the safe variants do better."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.text.pipeline_files import as_pipeline
from scoring.text.whisper import WhisperBasic, WhisperEnglish, WhisperSpelling
from tests.each_case import each_case
from tests.tables import table_of

basic = pytest.importorskip("whisper_normalizer.basic")
english = pytest.importorskip("whisper_normalizer.english")

PIECES = """
Hello, [Lärm] (laughs) <unk> हिन्दी தமிழ் ภาษาไทย العربيّة don't Don’t it's 50 fifty twenty-one oh
$20 £3.50 and a half million 1st 2nd double o seven point five colour café Æther ß ﬁ ２ % € ( [ ) ]
uh um hmm mr. won't gonna o'clock per cent minus three 1,000 İ K ℋ \u0301 x\u0301 — … 'em y'all
"""
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES.split()), st.text(max_size=3)), max_size=8).map(
    " ".join
)


@settings(max_examples=40, deadline=None)
@given(TEXTS)
def test_basic_is_the_published_one(text: str) -> None:
    assert WhisperBasic()(text) == basic.BasicTextNormalizer()(text)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PIECES.split()), max_size=8).map(" ".join))
def test_english_is_the_published_one(text: str) -> None:
    try:
        expected = english.EnglishTextNormalizer()(text)
    except Exception:
        with pytest.raises(ValueError, match="breaks down"):
            WhisperEnglish()(text)
    else:
        assert WhisperEnglish()(text) == expected


@each_case(("text", "frozen"), table_of(__file__, "frozen_texts_of_basic"))
def test_frozen_texts_of_basic(text: str, frozen: str) -> None:
    assert WhisperBasic()(text) == frozen


@pytest.mark.parametrize(("text", "frozen"), table_of(__file__, "frozen_texts_of_english"))
def test_frozen_texts_of_english(text: str, frozen: str) -> None:
    assert WhisperEnglish()(text).strip() == frozen


def test_the_version_of_the_package_is_signed() -> None:
    version = WhisperEnglish().package
    assert str(version) in repr(WhisperEnglish())
    assert WhisperEnglish(version) == WhisperEnglish()
    with pytest.raises(ValueError, match=r"expected whisper-normalizer 0\.0, found"):
        WhisperSpelling("0.0")


def test_basic_hides_errors_that_the_safe_variant_shows() -> None:
    # another vowel sign on every word: all of them wrong
    reference, hypothesis = "हिन्दी की किताब", "हिन्दा का कीताब"
    assert scoring.wer(reference, hypothesis).corpus_rate == 1
    assert scoring.wer(reference, hypothesis, normalize="whisper-basic").corpus_rate == 0
    assert scoring.wer(reference, hypothesis, normalize="whisper-basic-safe").corpus_rate == 1


def test_basic_safe_keeps_marks_and_else_does_the_same() -> None:
    safe = as_pipeline("whisper-basic-safe")
    text = "Ja, [Lärm] (lacht) “schön”! 5 €"
    assert safe(text) == WhisperBasic()(text).strip() == "ja schön 5"
    assert safe("हिन्दी, தமிழ்!") == "हिन्दी தமிழ்"


@each_case(
    ("reference", "hypothesis"), table_of(__file__, "english_safe_equates_what_english_does")
)
def test_english_safe_equates_what_english_does(reference: str, hypothesis: str) -> None:
    assert scoring.wer(reference, hypothesis, normalize="whisper-english-safe").corpus_rate == 0


@pytest.mark.parametrize(
    ("reference", "hypothesis"), [("oh my", "0 my"), ("thirty six", "3006"), ("sea", "see a")]
)
def test_english_safe_takes_nothing_for_what_it_is_not(reference: str, hypothesis: str) -> None:
    assert scoring.wer(reference, hypothesis, normalize="whisper-english-safe").counts.errors > 0


@pytest.mark.parametrize(
    ("reference", "hypothesis"), table_of(__file__, "english_safe_leaves_apart_what_its_page_lists")
)
def test_english_safe_leaves_apart_what_its_page_lists(reference: str, hypothesis: str) -> None:
    """`docs/normalization.md` names these kinds; `whisper-english` equates them."""
    assert scoring.wer(reference, hypothesis, normalize="whisper-english").corpus_rate == 0
    assert scoring.wer(reference, hypothesis, normalize="whisper-english-safe").counts.errors > 0


def test_english_safe_leaves_possessives_open() -> None:
    for hypothesis in ("john's been", "john has been", "john is been"):
        assert (
            scoring.wer("john's been", hypothesis, normalize="whisper-english-safe").corpus_rate
            == 0
        )
    assert WhisperEnglish()("john's car") == "john is car"
    assert "john's" in as_pipeline("whisper-english-safe")("John's car")

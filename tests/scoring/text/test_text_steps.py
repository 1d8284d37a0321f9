"""Steps from text to text: what they do, and the laws they keep."""

import pickle
from collections.abc import Mapping
from functools import cache

import pytest
from hypothesis import strategies as st

from scoring.text.casing import Casefold, Lowercase
from scoring.text.messages import REMOVED
from scoring.text.punctuation import Apostrophes, Brackets, Punctuation
from scoring.text.registry import build
from scoring.text.removed import letters_and_marks, removed, removed_kinds, script_of
from scoring.text.script_spelling import ArabicSpelling, HebrewSpelling, HindiSpelling
from scoring.text.step import Step
from scoring.text.transliteration import Transliterate, Unidecode
from scoring.text.unicode_forms import Controls, UnicodeForm, Whitespace
from tests.each_case import each_case
from tests.examples import examples_of
from tests.formats.checks import message_text
from tests.tables import table_of

# Words of many scripts with marks, signs and case of their own, and what stands around words.
FRAGMENTS = """
हिन्दी தமிழ் ภาษาไทย العربيّة עברית İstanbul ISPARTA ırmak Straße ﬁne և Ὀδυσσεύς ΣΑΣ 日本語 がぎ
한국어 é e\u0301 don’t l'eau rock-n-roll 3.5 1,000 « » “q” — ( ) [noise] <unk> {a} … ？ 。 # $ 😀
\u00ad \ufeff \u200b \u200d \u200c Ì J\u0301 \u0130 I\u0307 ʼn Ж ½ ǅ
"""
TEXTS = st.lists(
    st.one_of(st.sampled_from(FRAGMENTS.split()), st.text(max_size=4)), max_size=6
).map(" ".join)
STEPS: tuple[Step, ...] = (
    Lowercase(),
    Lowercase("tr"),
    Lowercase("lt"),
    Casefold(),
    Casefold("az"),
    Casefold("lt"),
    *(UnicodeForm(form) for form in ("NFC", "NFD", "NFKC", "NFKD")),
    Whitespace(),
    Controls(),
    Apostrophes(),
    Punctuation(),
    Punctuation(keep=(), becomes="nothing", symbols=True),
    Punctuation(keep=("apostrophe", "hyphen", "number")),
    Punctuation(keep=("decimal", "initials")),
    Brackets(),
    HindiSpelling(),
    HindiSpelling(("joiners",)),
    ArabicSpelling(),
    ArabicSpelling(("digits", "hamza")),
    HebrewSpelling(),
    Transliterate(),
    Unidecode(),
)


@cache
def texts() -> list[str]:
    """The texts that all steps are tried on."""
    return examples_of(TEXTS, 50)


@each_case("step", STEPS, ids=repr)
def test_steps_are_pure_values(step: Step) -> None:
    copy = pickle.loads(pickle.dumps(step))
    assert copy == step
    for text in texts():
        assert copy(text) == step(text) == step(text)


# NFKC and NFKD may write a capital; folding may leave what folds again in another form.
@each_case("step", STEPS, ids=repr)
def test_steps_are_idempotent(step: Step) -> None:
    for text in texts():
        once = step(text)
        assert step(once) == once


@each_case("step", [step for step in STEPS if step.by_word], ids=repr)
def test_what_is_done_by_word_is_the_same_for_the_text(step: Step) -> None:
    for text in texts():
        words = [word for word in text.split(" ") if word]
        together = [word for word in step(" ".join(words)).split(" ") if word]
        assert together == [piece for word in words for piece in step(word).split(" ") if piece]


KEEPING = [step for step in STEPS if not step.removes and getattr(step, "lang", None) is None]


@each_case("step", KEEPING, ids=repr)
def test_only_steps_that_say_so_remove_letters_or_marks(step: Step) -> None:
    for text in texts():
        # whatever their script: the micro sign, of none, becomes a Greek letter
        before, after = (_by_category(letters_and_marks(side)) for side in (text, step(text)))
        assert after["letters"] >= before["letters"], text
        assert after["marks"] >= before["marks"], text


def _by_category(counts: Mapping[tuple[str, str], int]) -> dict[str, int]:
    totals = {"letters": 0, "marks": 0}
    for (_, kind), number in counts.items():
        totals[kind] += number
    return totals


@each_case(
    ("step", "text", "expected"),
    [
        (Lowercase("tr"), "DIŞ İŞLERİ BAKANLIĞI", "dış işleri bakanlığı"),
        (Lowercase("az"), "İLK QIŞ I\u0307", "ilk qış i"),
        (Lowercase("lt"), "Ì Į\u0301 RIMAS", "i\u0307\u0300 į\u0307\u0301 rimas"),
        (Lowercase(), "ΟΔΟΣ ΣΑΣ", "οδος σας"),
        (Casefold(), "Straße և ﬁ ΣΑΣ σας", "strasse եւ fi σασ σασ"),
        (Casefold("tr"), "ISPARTA İstanbul", "ısparta istanbul"),
        (Casefold("lt"), "i\u0307\u0300", "i\u0300"),
        (HindiSpelling(), "हिन्दी अंग्रेज़ी क\u0958\u094d\u200dष", "हिंदी अंग्रेजी कक्ष"),
        (HindiSpelling(("joiners",)), "हिन्\u200dदी", "हिन्दी"),
        (ArabicSpelling(), "مَدرسةٌ إلى ٢٥ ؤ", "مدرسه الي 25 و"),
        (ArabicSpelling(("digits",)), "مدرسة ۲۵", "مدرسة 25"),
        (HebrewSpelling(), "שָׁלוֹם בית־\ufb2a", "שלום בית־ש"),
        (UnicodeForm("NFC"), "e\u0301", "é"),
        (UnicodeForm("NFD"), "é", "e\u0301"),
        (UnicodeForm("NFKC"), "ﬁve ２ ｶﾞ", "five 2 ガ"),
        (UnicodeForm("NFKD"), "ﬁé", "fie\u0301"),
        (Whitespace(), "\u3000a\u00a0 b\u2028c\t", "a b c"),
        (Controls(), "\ufeffco\u00adop \u200bmi\u200cra\u0007\nx", "coop mi\u200cra\nx"),
        (Apostrophes(), "don’t ‘quoted’ l´eau rockʼn", "don't ‘quoted’ l'eau rock'n"),
        (Apostrophes(), "नहीं’ नहीं’ह", "नहीं’ नहीं'ह"),
        (Punctuation(), "Well, don’t—stop! 'quoted' ¿Qué?", "Well  don't stop   quoted   Qué "),
        (Punctuation(keep=()), "don’t", "don t"),
        (Punctuation(becomes="nothing"), "a.b. don’t-do", "ab don'tdo"),
        (Punctuation(keep=("hyphen",)), "re-run - x-", "re-run   x "),
        (Punctuation(keep=("number",)), "3.5, 1,000. 10:30; a.b", "3.5  1,000  10:30  a b"),
        (Punctuation(keep=("decimal",)), "3.5, 1,000. 10:30; a.b", "3.5  1,000  10 30  a b"),
        (Punctuation(keep=("decimal",)), "४.५ ٤٫٥ ۱٬۰۰۰ １．５ ٤٫", "४.५ ٤٫٥ ۱٬۰۰۰ １．５ ٤ "),
        (Punctuation(keep=("initials",)), "U.S.A. (U.S) J.R.R.'s o.k.!", "USA  US  JRR s ok "),
        (
            Punctuation(keep=("initials",)),
            "a. A. B. Ph.D. 1.a www.a.b.com a.b.com",
            "a  A  B  Ph D  1 a www a b com a b com",
        ),
        (
            Punctuation(keep=("initials",)),
            "डी.के. कि.क 中.国人 e\u0301.a.",
            "डीके किक 中 国人 e\u0301a",
        ),
        (Punctuation(), "हिन्दी। தமிழ்! 你好，世界。", "हिन्दी  தமிழ்  你好 世界 "),
        (Punctuation(), "שָׁלוֹם־עוֹלָם مرحبًا؟", "שָׁלוֹם עוֹלָם مرحبًا "),
        (Punctuation(), "$5 + 3", "$5 + 3"),
        (Punctuation(symbols=True), "$5 + 3 😀", " 5   3  "),
        (Brackets(), "a [b [c]] <d> (e) [f", "a   (e) [f"),
        (Brackets(("round", "curly")), "a (b) {c} [d]", "a   [d]"),
        (Transliterate(), "Жанна große", "Zhanna grosse"),
    ],
)
def test_what_steps_do(step: Step, text: str, expected: str) -> None:
    assert step(text) == expected


@each_case(("name", "arguments", "text"), table_of(__file__, "arguments_that_mean_nothing"))
def test_arguments_that_mean_nothing(name: str, arguments: dict[str, object], text: str) -> None:
    with pytest.raises(ValueError) as refused:
        build(name, arguments)
    assert text in str(refused.value)


def test_arguments_as_text() -> None:
    made = build("punctuation", {"keep": "hyphen+apostrophe", "symbols": "true"})
    assert made == Punctuation(("apostrophe", "hyphen"), symbols=True)
    assert build("punctuation", {"keep": "none"}) == Punctuation(())
    assert str(made) == "punctuation(becomes=blank, keep=apostrophe+hyphen, symbols=True)"


def test_scripts_of_what_is_removed() -> None:
    scripts = "Latin Cyrillic Devanagari Han Hiragana Hangul Inherited"
    assert [script_of(c) for c in "aяअ漢か한\u0301"] == scripts.split()
    lost = removed(letters_and_marks("हिन्दी né"), letters_and_marks("ह n"))
    assert lost == {
        ("Devanagari", "marks"): 3,
        ("Devanagari", "letters"): 2,
        ("Latin", "letters"): 1,
        ("Inherited", "marks"): 1,
    }
    kinds = [str(message) for message in removed_kinds(lost)]
    assert kinds[:3] == [
        message_text(REMOVED[kind], number=number, script=script)
        for kind, number, script in (
            ("marks", 3, "Devanagari"),
            ("letters", 2, "Devanagari"),
            ("letters", 1, "Latin"),
        )
    ]
    assert removed(letters_and_marks("é"), letters_and_marks("e\u0301")) == {}

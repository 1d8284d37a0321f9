"""Steps that leave readings open."""

import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from formats.schema.words import Token
from scoring.model.errors import InputError
from scoring.text.contractions import Contractions
from scoring.text.fillers import Fillers, Fragments
from scoring.text.glm.matching import GlmRule
from scoring.text.glm.step import Glm, parse_glm, read_glm
from scoring.text.language_tables import languages
from scoring.text.readings import ReadingsStep
from scoring.text.registry import build
from scoring.text.spoken.combining import MOST
from scoring.text.spoken.names import names_of
from scoring.text.spoken_forms import Numbers, SpokenForms
from scoring.text.step import Step
from tests.each_case import each_case
from tests.tables import table_of

NUMBER_LANGUAGES = languages("spoken")
GLM = """\
;; rules to try things with
* name = "trial"
* format = 'NIST1'
* case_sensitive = 'F'

-           => [ ]                      ;; everywhere
%UH         => (%HESITATION)            / [ ] __ [ ]
can't       => { can't / can not }      / [ ] __ [ ]
[new york]  => newyork                  / [ ] __ [ ]
km          => kilometres               / [ 5 ] __ [ ]
colour      => color
colour      => never
mm          => { mm / @ }               / [ ] __ [ ]
"""


def glm(text: str) -> Glm:
    return Glm("trial.glm", parse_glm(text, "trial.glm"))


@each_case(("word", "expected"), table_of(__file__, "contractions"))
def test_contractions(word: str, expected: tuple[str, ...]) -> None:
    assert Contractions().readings(word) == expected


def test_contractions_of_german() -> None:
    assert Contractions("de").readings("Zum") == ("Zum", "Zu dem")
    assert Contractions("de").readings("geht’s") == ("geht’s", "geht es", "geht das")


def readings(lang: str, word: str) -> list[str]:
    """A word and its readings by the step `numbers`."""
    (item,) = Numbers(lang).items([word])
    branches = [[item]] if isinstance(item, Token) else item.branches
    return [" ".join(token.text for token in branch) for branch in branches]  # type: ignore[union-attr]


@each_case(("lang", "word", "reading"), table_of(__file__, "readings_of_numbers"))
def test_readings_of_numbers(lang: str, word: str, reading: str) -> None:
    found = readings(lang, word)
    assert found[0] == word
    assert reading.casefold() in map(str.casefold, found)
    assert len(set(found)) == len(found) <= 1 + MOST


@each_case("word", ["x5", "5x", "1.2.3", "fifty", "--", "1e5", "1990s", "$5", "10:30"])
def test_what_is_no_number_stays(word: str) -> None:
    assert readings("en", word) == [word]
    assert not Numbers().touches(["fifty"])


@given(
    st.lists(
        st.sampled_from(["5", "1,000", "-3", "21st", "3", "1/2", "fifty", "4.5", "x", "½", "007"]),
        max_size=6,
    )
)
def test_numbers_are_a_class_of_spoken_forms(words: list[str]) -> None:
    """The step `numbers` differs only in its place among the steps."""
    assert Numbers().items(words) == SpokenForms(classes=("numbers",)).items(words)
    assert not Numbers.reads_written


@given(st.integers(0, 10**15), st.sampled_from(["en", "de", "fr", "es"]))
def test_numbers_of_any_size(number: int, lang: str) -> None:
    found = readings(lang, str(number))
    assert found[0] == str(number)
    assert all(reading.strip() for reading in found)
    assert names_of(lang).cardinals(number)


@given(st.sampled_from(NUMBER_LANGUAGES), st.lists(st.integers(0, 99999), min_size=2))
def test_different_numbers_are_read_differently(lang: str, numbers: list[int]) -> None:
    read: dict[str, int] = {}
    for number in numbers:
        for reading in names_of(lang).cardinals(number):
            assert read.setdefault(reading, number) == number


def test_wrong_heuristics_for_years_do_no_harm() -> None:
    pairs = {"thirty six": "36", "fifty": "50", "twenty twenty": "2020"}
    for words, digits in pairs.items():
        for sides in ((words, digits), (digits, words)):
            assert scoring.wer(*sides, normalize="numbers").corpus_rate == 0
    assert scoring.wer("thirty six", "3006", normalize="numbers").counts.errors > 0


def test_fillers_and_fragments_by_policy() -> None:
    text = "so Uh the wo- -rd um"
    assert Fillers("score")(text) == text
    assert Fillers("optional")(text) == "so { Uh / @ } the wo- -rd { um / @ }"
    assert Fillers("ignore")(text) == "so the wo- -rd"
    assert Fragments("ignore")(text) == "so Uh the um"
    assert Fragments("optional")("wo- - -- -x-") == "{ wo- / @ } - -- -x-"
    assert Fillers("ignore", "de")("ähm ja äh") == "ja"


def test_fillers_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("like\n", "utf-8")
    step = build("fillers", {"policy": "ignore", "words": "own.csv"}, str(tmp_path))
    assert step("Like uh") == "uh"
    assert step.arguments()["words"] == ("like",)
    with pytest.raises(ValueError, match="lang: expected de, en, es, fr"):
        Fillers(lang="xx")
    with pytest.raises(ValueError, match="policy: expected score, optional, ignore"):
        Fragments("drop")


def test_optional_fillers_cost_nothing_on_either_side() -> None:
    for sides in (("uh yes", "yes"), ("yes", "um yes"), ("uh yes", "um yes"), ("uh a", "uh a")):
        assert scoring.wer(*sides, normalize="fillers").counts.errors == 0
    assert scoring.wer("uh a", "uh a", normalize="fillers").counts.correct == 2
    assert scoring.wer("uh yes", "no", normalize="fillers").counts.errors == 1


@each_case(("text", "expected"), table_of(__file__, "glm_rules"))
def test_glm_rules(text: str, expected: str) -> None:
    assert glm(GLM)(text) == expected


def test_glm_matches_the_input_and_never_its_own_output() -> None:
    assert glm("a => b\nb => c\n[x y] => { x / y z }")("a b x y") == "b c { x / y z }"
    assert glm("* case_sensitive = 'T'\nA => b")("a A") == "a b"
    assert glm("")("a") == "a"
    nested = glm("a => { b { c / d } / @ }")
    assert nested("a") == "{ b { c / d } / @ }"
    assert pickle.loads(pickle.dumps(nested)) == nested


@each_case(
    ("line", "rule"),
    [
        ("a => { b / c_d }", GlmRule("a", "{ b / c_d }", "", "")),
        ("a => b / __ c", GlmRule("a", "b", "", "c")),
        ("a => b / [ ] __ [ ]", GlmRule("a", "b", " ", " ")),
        ("a => b /[ x]_[y ]", GlmRule("a", "b", " x", "y ")),
        ("a => b / x __", GlmRule("a", "b", "x", "")),
        ('"a " => [ b] / [ ] __', GlmRule("a ", " b", " ", "")),
        ("a =>", GlmRule("a", "", "", "")),
        ("a => / [ ] __ [ ]", GlmRule("a", "", " ", " ")),
    ],
)
def test_glm_lines(line: str, rule: GlmRule) -> None:
    assert parse_glm(line).rules == (rule,)


def test_glm_is_right_with_either_reading(tmp_path: Path) -> None:
    (tmp_path / "rules.glm").write_text(GLM, "utf-8")
    path = tmp_path / "rules.glm"
    assert read_glm(path).rules[2] == GlmRule("can't", "{ can't / can not }", " ", " ")
    for hypothesis in ("i can't go", "i can not go"):
        for reference in ("i can't go", "i can not go"):
            assert scoring.wer(reference, hypothesis, normalize=path).corpus_rate == 0


@each_case(("text", "problem"), table_of(__file__, "glm_refusals"))
def test_glm_refusals(text: str, problem: str) -> None:
    with pytest.raises(InputError) as refused:
        glm(text)
    assert str(refused.value).startswith(problem)


MIXTURE = "a can't 50 uh wo- %uh it's 21st mm -"
WORDS = st.lists(st.sampled_from(MIXTURE.split()), max_size=6)
READING: tuple[ReadingsStep, ...] = (
    Contractions(),
    Numbers(),
    Fillers(),
    Fragments(),
    Fillers("ignore"),
    glm(GLM),
)


@pytest.mark.parametrize("step", READING, ids=str)
@settings(max_examples=40)
@given(words=WORDS)
def test_open_readings_are_pure_and_tell_whether_they_touch(
    step: ReadingsStep, words: list[str]
) -> None:
    copy: Step = pickle.loads(pickle.dumps(step))
    text = " ".join(words)
    assert copy == step
    assert copy(text) == step(text)
    if not step.touches(words):
        assert step(text) == text


@pytest.mark.parametrize("step", READING, ids=str)
@settings(max_examples=40)
@given(words=WORDS)
def test_a_text_is_right_against_itself(step: ReadingsStep, words: list[str]) -> None:
    assert scoring.wer([words], [words], normalize=step).counts.errors == 0

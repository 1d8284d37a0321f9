"""Which sequences of words make a keyword."""

from random import Random

import pytest

from formats.keywords.model import Excerpt, Keyword
from scoring.tasks.kws.audio import Audio
from scoring.tasks.kws.evaluation import score
from scoring.tasks.kws.parameters import F4DE, SOUND, KeywordSearchError, Parameters, SearchRules
from scoring.tasks.kws.references import Reference, ReferenceFinder
from scoring.tasks.kws.word_table import TimedWord, WordTable
from tests.each_case import each_case

AUDIO = Audio([Excerpt("f", "1", 0, 100)], SOUND)


def count(
    text: str,
    *words: tuple[float, float, str]
    | tuple[float, float, str, str]
    | tuple[float, float, str, str, str],
    normalize: str = "lowercase",
    rules: SearchRules = SOUND,
    gap: float = 0.5,
) -> int:
    table = WordTable(
        TimedWord("f", "1", begin, duration, token, *(rest or ["A"]))
        for begin, duration, token, *rest in words
    )
    finder = ReferenceFinder(table, AUDIO, Parameters(rules=rules, largest_gap=gap), normalize)
    references, _ = finder.references([Keyword("K", text)])
    return len(references)


@each_case(
    ("begin", "gap", "number"),
    [(1.5, 0.5, 1), (1.5001, 0.5, 0), (1.5001, 0.6, 1), (0.7, 0.5, 1), (1.0, 0.0, 1)],
)
def test_the_gap_between_words(begin: float, gap: float, number: int) -> None:
    assert count("a b", (0, 1, "a"), (begin, 1, "b"), gap=gap) == number


def test_a_filled_pause_stands_in_the_way_but_may_belong_to_a_keyword() -> None:
    assert count("a b", (0, 1, "a"), (1, 0.1, "uh", "A", "fp"), (1.1, 1, "b")) == 0
    assert count("a uh b", (0, 1, "a"), (1, 0.1, "uh", "A", "fp"), (1.1, 1, "b")) == 1
    assert count("a uh", (0, 1, "a"), (1, 0.1, "uh", "A", "fp")) == 1
    assert count("uh a", (0, 1, "uh", "A", "fp"), (1, 0.1, "a")) == 0
    assert count("a", (0, 1, "a", "A", "frag"), (1, 1, "a", "A", "FP")) == 1


def test_keywords_overlap_and_speakers_do_not_mix() -> None:
    assert count("aa aa", (0, 1, "aa"), (1, 1, "aa"), (2, 1, "aa")) == 2
    assert count("a b", (0, 1, "a", "A"), (1, 1, "b", "B")) == 0
    assert count("a b", (0, 1, "a", "A"), (0.5, 1, "x", "B"), (1, 1, "b", "A")) == 1


@pytest.mark.parametrize(("rules", "number"), [(F4DE, 1), (SOUND, 0)], ids=["f4de", "sound"])
def test_case_of_later_words(rules: SearchRules, number: int) -> None:
    words = [(0.0, 1.0, "two"), (1.0, 1.0, "WORDS")]
    for text in ("two words", "two WORDs"):
        assert count(text, *words, normalize="", rules=rules) == number
    assert count("two words", *words, normalize="lowercase", rules=rules) == 1
    assert count("Two words", *words, normalize="", rules=rules) == 0


def test_candidates_are_examined_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(1)
    words = [TimedWord("f", "1", 0.5 * n, 0.5, rng.choice("abc"), "A") for n in range(150)]
    texts = ["a", "a b", "x a", "a x", "b b", "c a b", "a b", "c"]
    keywords = [Keyword(f"K{n}", text) for n, text in enumerate(texts)]
    finder = ReferenceFinder(WordTable(words), AUDIO, Parameters(), "lowercase")
    together, keyword_of = finder.references(keywords)
    assert sorted({*keyword_of.tolist()}) == [0, 1, 4, 5, 6, 7]
    monkeypatch.setattr("scoring.tasks.kws.references.MOST_TOGETHER", 60)
    parts, numbers = finder.references(keywords)
    assert parts == together
    assert numbers.tolist() == keyword_of.tolist()


@pytest.mark.parametrize(("rules", "number"), [(F4DE, 1), (SOUND, 0)], ids=["f4de", "sound"])
def test_later_words_outside_of_the_excerpt(rules: SearchRules, number: int) -> None:
    assert count("a b", (98.5, 1, "a"), (99.5, 1, "b"), rules=rules) == number


def test_references_as_plain_values() -> None:
    references = [Reference("K", "f", "1", 10.0, 11.0), Reference("K", "f", "1", 99.5, 100.5)]
    scores = score([Excerpt("f", "1", 0, 100)], {"K": "any"}, [], references=references)
    assert [s.targets for s in scores.overall.keywords] == [1]
    assert scores.alignment.account.references_outside == 1
    with pytest.raises(KeywordSearchError, match="references of keywords of the list, found 'X'"):
        score(
            [Excerpt("f", "1", 0, 9)], {"K": "k"}, [], references=[Reference("X", "f", "1", 1, 2)]
        )


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ([Keyword("K", "a"), Keyword("K", "b")], "Term ID K already exists"),
        ([Keyword("K", "  ")], "keyword 'K': expected a word, found '  '"),
    ],
)
def test_keywords_that_cannot_be(keywords: list[Keyword], message: str) -> None:
    with pytest.raises(KeywordSearchError) as caught:
        score([Excerpt("f", "1", 0, 100)], keywords, [])
    assert str(caught.value) == message

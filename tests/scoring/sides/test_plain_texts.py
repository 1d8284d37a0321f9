"""Texts of plain ASCII are aligned without cutting them first, to the same result."""

import pickle
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import cer, wer
from scoring.alignment import kernel, plain
from scoring.sides.corpus import PlainTexts
from tests.each_case import each_case

TEXTS = st.lists(st.text("ab  c!~0", max_size=12), max_size=5)
Align = Callable[..., "tuple[bytes, bytes, bytes]"]


@given(references=TEXTS, hypotheses=TEXTS, ties=st.integers(0, 2), threads=st.integers(0, 3))
def test_texts_and_tokens_give_the_same(
    references: list[str], hypotheses: list[str], ties: int, threads: int
) -> None:
    size = min(len(references), len(hypotheses))
    lefts, rights = references[:size], hypotheses[:size]
    prices = (4, 3, 3, ties, threads)
    expected = plain.align_token_pairs(
        [text.split() for text in lefts], [text.split() for text in rights], *prices
    )
    for align in (kernel.align_text_pairs, plain.align_text_pairs):
        assert align(lefts, rights, *prices) == expected


@pytest.mark.parametrize("align", [kernel.align_text_pairs, plain.align_text_pairs])
def test_other_texts_are_refused(align: Align) -> None:
    for odd in ("é", "日本", b"a", None, ["a"]):
        with pytest.raises(TypeError, match=r"hypotheses\[1\]: expected a text of ASCII"):
            align(["a", "b"], ["a", odd], 1, 1, 1, 0, 1)
        with pytest.raises(TypeError, match=r"references\[0\]: expected a text of ASCII"):
            align([odd], ["a"], 1, 1, 1, 0, 1)
    with pytest.raises(ValueError, match="1"):
        align(["a"], [], 1, 1, 1, 0, 1)


def test_words_are_cut_when_looked_at() -> None:
    texts = PlainTexts(["a  b", "", "c"])
    assert len(texts) == 3
    assert list(texts) == texts[:] == [("a", "b"), (), ("c",)]
    assert texts[-1] == ("c",)
    assert list(pickle.loads(pickle.dumps(texts))) == list(texts)


@given(texts=st.lists(st.tuples(st.text("ab é\u3000", max_size=8), st.text("ab é", max_size=8))))
def test_results_do_not_depend_on_the_way(texts: list[tuple[str, str]]) -> None:
    references, hypotheses = [left for left, _ in texts], [right for _, right in texts]
    cut = (
        [[w for w in t.split(" ") if w] for t in references],
        [[w for w in t.split(" ") if w] for t in hypotheses],
    )
    ours, theirs = wer(references, hypotheses), wer(*cut)
    assert ours.counts == theirs.counts
    assert list(ours.aligned.references) == list(theirs.aligned.references)
    assert ours.aligned.edits == theirs.aligned.edits


CHARACTERS = st.text("abc  ~é日\U0001f600", max_size=12)


@each_case("size", [0, 13, 14, 15, 16, 31, 40])
@each_case(
    ("end", "kind"),
    [
        *zip("a-./&\\", (4, 4, 3, 3, 3, 3), strict=True),
        *zip((" ", "a  b", "\x7f", "\t", "é"), (2, 2, 1, 1, 1), strict=True),
    ],
)
def test_kinds_of_texts(size: int, end: str, kind: int) -> None:
    for core in (kernel, plain):
        for text in ("b" * size + end, end + "b" * size, f"b{end}" + "b" * size):
            inside = kind == 2 and end == " " and text[0] == "b" and text[-1] == "b"
            assert core.text_kind(["a b", text]) == (4 if inside else kind), text
        assert core.text_kind([end, 1]) == 0


@settings(max_examples=25)
@given(texts=st.lists(st.tuples(CHARACTERS, CHARACTERS), max_size=4), ties=st.integers(0, 3))
def test_characters_of_texts_and_tokens_give_the_same(
    texts: list[tuple[str, str]], ties: int
) -> None:
    references, hypotheses = [left for left, _ in texts], [right for _, right in texts]
    cut = [list(text) for text in references], [list(text) for text in hypotheses]
    for prices in ((1, 1, 1, ties, 1), (4, 3, 3, ties, 0)):
        expected = plain.align_token_pairs(*cut, *prices)
        for align in (kernel.align_character_pairs, plain.align_character_pairs):
            assert align(references, hypotheses, *prices) == expected
    counted = plain.character_distances(references, hypotheses)
    assert kernel.character_distances(references, hypotheses) == counted
    assert kernel.text_kind(references) == plain.text_kind(references)


@pytest.mark.parametrize("alphabet", ["ab ", "abcdefghijklmnop ", "aé日\U0001f600 "])
def test_distances_are_those_of_the_alignments(alphabet: str) -> None:
    """Rows are in one machine word, a wide one, several, or in the aligner's band."""
    if kernel.IMPLEMENTATION == "plain":
        pytest.skip("the plain core counts them by their alignments")
    rng = random.Random(7)
    pairs: list[tuple[str, str]] = []
    for _ in range(200):
        left, right = ("".join(rng.choices(alphabet, k=rng.randint(0, 150))) for _ in range(2))
        end = rng.randint(0, len(left))
        pairs.append((left, left[:end] + right[: rng.randint(0, 40)] + left[end:]))
    for size in (1, 5, 63, 64, 65, 127, 128, 129, 500, 1023, 1025, 3000):
        left = "".join(rng.choices(alphabet, k=size))
        right = "".join(x for x in left if rng.random() > 0.1) + rng.choice(alphabet) * 3
        other = "".join(rng.choices(alphabet, k=size + 7))
        pairs += [(left, right), (right, left), (left, other), (left, "")]
    references, hypotheses = map(list, zip(*pairs, strict=True))
    distances, errors, *sizes = kernel.character_distances(references, hypotheses)
    counts = [sum(kernel.count_tokens(list(a), list(b), (1, 1, 1), 0)[1:]) for a, b in pairs]
    assert memoryview(distances).cast("i").tolist() == counts
    assert (errors, sizes) == (sum(counts), [sum(map(len, references)), sum(map(len, hypotheses))])


@settings(max_examples=25)
@given(texts=st.lists(st.tuples(CHARACTERS, CHARACTERS), min_size=1, max_size=4))
def test_alignments_of_characters_follow_when_asked_for(texts: list[tuple[str, str]]) -> None:
    references, hypotheses = [left for left, _ in texts], [right for _, right in texts]
    cut = [[w for w in t.split(" ") if w] for t in references], [t.split() for t in hypotheses]
    ours, theirs = cer(references, hypotheses), cer(*cut, ignore_case=True)
    assert ours.corpus_rate == theirs.corpus_rate
    again = pickle.loads(pickle.dumps(ours.aligned))
    assert again.counts == ours.per_utterance == theirs.per_utterance
    assert list(ours.aligned) == list(theirs.aligned) == list(again)
    assert ours.aligned.errors == ours.counts.errors
    assert [str(remark) for remark in ours.remarks] == [str(remark) for remark in theirs.remarks]

"""Texts of plain ASCII are aligned without cutting them first, to the same result."""

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import wer
from scoring.alignment import kernel, plain
from scoring.sides.corpus import PlainTexts

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

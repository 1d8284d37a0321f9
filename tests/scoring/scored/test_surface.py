"""What people who come from other libraries try first, and what notebooks show."""

from __future__ import annotations

import re

import jiwer
import pytest

import scoring

REFERENCES = ["the cat sat on the mat", "hello world", "one two three"]
HYPOTHESES = ["the cat sit on mat", "hello big world", "one two three"]


def test_positions_and_names() -> None:
    by_name = scoring.wer(reference=REFERENCES, hypothesis=HYPOTHESES)
    assert scoring.wer(REFERENCES, HYPOTHESES).counts == by_name.counts
    assert scoring.wer("a b", "a c").wer == 0.5
    assert float(scoring.wer("a b", "a c")) == 0.5


def test_the_rates_are_jiwers() -> None:
    # where least errors and sclite's costs agree
    ours, theirs = scoring.wer(REFERENCES, HYPOTHESES), jiwer.process_words(REFERENCES, HYPOTHESES)
    assert ours.wer == pytest.approx(theirs.wer)
    assert ours.mer == pytest.approx(theirs.mer)
    assert ours.wil == pytest.approx(theirs.wil)
    assert ours.wip == pytest.approx(theirs.wip)
    found = (ours.hits, ours.substitutions, ours.deletions, ours.insertions)
    assert found == (theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions)
    assert scoring.mer(REFERENCES, HYPOTHESES) == pytest.approx(theirs.mer)
    assert scoring.wil(REFERENCES, HYPOTHESES) == pytest.approx(theirs.wil)
    assert scoring.wip(REFERENCES, HYPOTHESES) == pytest.approx(theirs.wip)
    assert scoring.ser(REFERENCES, HYPOTHESES) == ours.ser == 2 / 3


def test_characters() -> None:
    rates = scoring.cer("the cat", "the hat")
    assert rates.cer == rates.corpus == 1 / 6
    assert scoring.cer("हिन्दी", "हिन्दा", unit="grapheme").cer == 1 / 2
    assert scoring.cer("A", "a", normalize="lowercase").cer == 0
    # without blanks there is nothing to count differently
    assert scoring.cer("kitten", "sitting", profile="levenshtein").cer == jiwer.cer(
        "kitten", "sitting"
    )
    with pytest.raises(ValueError, match="unit: expected char or grapheme, found 'word'"):
        scoring.cer("a", "a", unit="word")


def test_a_rate_is_never_taken_for_another() -> None:
    with pytest.raises(AttributeError, match=r"wer: the unit here is char; ask scoring\.wer"):
        _ = scoring.cer("a", "a").wer
    with pytest.raises(AttributeError, match="cer: the unit here is word"):
        _ = scoring.wer("a", "a").cer


def test_no_words_no_rate() -> None:
    rates = scoring.wer("", "a")
    assert rates.wer is None
    assert scoring.mer("", "") is scoring.wil("", "a") is scoring.ser([], []) is None
    with pytest.raises(ValueError, match="expected words in the reference, found none"):
        float(rates)


def test_notebooks_show_a_table_and_escape_everything() -> None:
    rates = scoring.wer({"<b>u1": "a <script>"}, {"<b>u1": "a"})
    shown = rates._repr_html_()
    assert shown.startswith("<table><caption>wer|unit:word|")
    assert "<td>50.00</td>" in shown
    assert "<script>" not in shown
    silent = scoring.wer({"<i>x</i>": "."}, {"<i>x</i>": "a"}, normalize="punctuation")
    notes = silent._repr_html_()
    assert "<i>" not in notes
    assert "left no words of reference 1: &lt;i&gt;x&lt;/i&gt;" in notes
    assert "n/a" in notes
    assert "<th>characters</th>" in scoring.cer("a", "b")._repr_html_()
    tags = set(re.findall(r"</?(\w+)", notes))
    assert tags == {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}

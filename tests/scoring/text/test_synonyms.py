"""Synonyms: other wordings of the reference, and the numbers of fstalign with them."""

import json
from pathlib import Path

import pytest

import scoring
from formats.schema.words import Alternation
from scoring.model.errors import InputError
from scoring.text.glm.synonyms import MOST_PATHS, Synonyms, read_synonyms
from tests.each_case import each_case

GOLDEN = Path(__file__).parents[2] / "golden" / "synonyms" / "fstalign.json"
# Of two wordings with as many errors the original takes the longer one here.
LONGER = "hh CC CC bb CC dd ee"


def written(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "rules.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def test_numbers_are_those_of_fstalign(tmp_path: Path) -> None:
    golden = json.loads(GOLDEN.read_text())
    rules = written(tmp_path, *golden["rules"])
    assert golden["lines"]
    for has_rules, reference, hypothesis, errors, words, printed in golden["lines"]:
        step = f"synonyms:file={rules}" if has_rules else "synonyms"
        rates = scoring.wer([reference], [hypothesis], like="fstalign", normalize=step)
        counts = rates.counts
        if reference == LONGER:
            assert (counts.errors, counts.reference_tokens) == (errors, words - 1)
            continue
        assert (counts.errors, counts.reference_tokens) == (errors, words), reference
        assert rates.headline == pytest.approx(float(printed), abs=1e-6), reference
        assert rates.rules.like == "fstalign@1.13"


def test_rules_that_overlap_all_apply() -> None:
    step = Synonyms("", {("a", "b"): [("x",)], ("b", "c"): [("y",), ("z", "z")]})
    assert step("a b c d") == "{ a b c / a y / a z z / x c } d"
    assert step("A B d") == "{ A B / x } d"
    assert not step.touches(["c", "d"])


def test_a_rule_goes_before_the_meaning_of_a_hyphen() -> None:
    step = Synonyms("", {("long-term",): [("far",)]})
    assert step("long-term co-op") == "{ long-term / far } { co-op / co op }"
    assert step("co op co-op") == "{ co op / co-op } { co-op / co op }"
    assert Synonyms("", {}, implicit=False)("co-op") == "co-op"
    assert Synonyms("", {})("- -- a") == "- -- a"


def test_of_rules_with_the_same_words_the_first_counts(tmp_path: Path) -> None:
    rules = written(tmp_path, "# a comment", "", "okay | ok ; o k", "Okay | fine")
    assert read_synonyms(rules) == {("okay",): [("ok",), ("o", "k")]}


@each_case("line", ["okay", "okay |", "| ok", "a | b ; ", "a | { b }"])
def test_other_lines_are_errors(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"expected WORDS \| WORDS ; WORDS"):
        read_synonyms(written(tmp_path, line))


def test_very_many_wordings_are_cut() -> None:
    overlapping = Synonyms("", {("a", "a"): [("x",), ("y",)], ("a",): [("b",)]})
    [item] = overlapping.items(["a"] * 40)
    assert isinstance(item, Alternation)
    assert [len(branch) for branch in item.branches] == [40]
    assert len(overlapping.items(["a"] * 3)) == 1 < MOST_PATHS

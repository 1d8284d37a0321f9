"""Nothing is dropped in silence: lists and lines of different lengths, unasked hypotheses."""

import json
import warnings
from html import escape
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.model.errors import UnscoredHypothesisWarning
from scoring.regression.messages import UNEQUAL_COMPARED
from scoring.results.messages import UNSCORED
from scoring.results.record import Shard, document_lines
from scoring.score.record_reader import merged, read_document
from scoring.sides.matching import DifferentLengthsError, MatchingError
from scoring.sides.messages import UNEQUAL_EXTRA, UNEQUAL_MISSING
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import said, says
from tests.tables import table_of

FIELDS = {"path": "<hypothesis>", "words": 3, "unit": "word", "number": 1, "names": ["z"]}
UNASKED = message_text(UNSCORED, **FIELDS)


@each_case(
    ("reference", "hypothesis", "lengths"),
    table_of(__file__, "lists_of_different_lengths_are_refused_naming_both"),
)
@each_case(
    "measure",
    [scoring.wer, scoring.cer, scoring.mer, scoring.wil, scoring.wip, scoring.ser],
    ids=lambda one: one.__name__,
)
def test_lists_of_different_lengths_are_refused_naming_both(
    measure: Any, reference: Any, hypothesis: Any, lengths: str
) -> None:
    with pytest.raises(ValueError, match=lengths) as refused:
        measure(reference, hypothesis)
    assert isinstance(refused.value, MatchingError)


def test_lists_of_different_lengths_are_scored_where_that_is_asked_for() -> None:
    assert scoring.wer(["a", "b"], ["a"], missing="delete").corpus_rate == 0.5
    assert scoring.wer(["a"], ["a", "b"], allow_unmatched=True).corpus_rate == 0.0
    with pytest.raises(DifferentLengthsError, match=r"\(allow_unmatched=True scores"):
        scoring.wer(["a"], ["a", "b"], missing="delete")
    with pytest.raises(DifferentLengthsError, match=r"\(missing='delete' or missing='skip' scores"):
        scoring.wer(["a", "b"], ["a"])
    with pytest.raises(MatchingError, match="expected identifiers of <reference> only"):
        scoring.wer(["a"], ["a", "b"], missing="error", allow_unmatched=True)


def test_hypotheses_that_no_reference_asked_for_are_told_everywhere() -> None:
    sides = ({"a": "a"}, {"a": "a", "z": "b c d"})
    with pytest.warns(UnscoredHypothesisWarning) as told:
        rates = scoring.wer(*sides)
    assert [str(one.message) for one in told] == [UNASKED]
    assert told[0].filename == __file__
    assert scoring.UnscoredHypothesisWarning is UnscoredHypothesisWarning
    assert said(rates.remarks) == [("UNSCORED", FIELDS)]
    assert repr(rates).endswith(", 1 hypotheses not scored>")
    assert escape(UNASKED) in rates._repr_html_()
    data = b"".join(document_lines([rates]))
    [system] = json.loads(data)["systems"]
    assert system["remarks"] == [
        {"text": UNASKED, "severity": "warning", "code": "UNSCORED", "fields": FIELDS}
    ]
    assert system["account"]["hypothesis_only"] == {"count": 1, "ids": ["z"]}
    [again] = read_document("x", data).systems
    assert said(again.remarks) == [("UNSCORED", FIELDS)]
    both = rates.merge(scoring.wer({"b": "a"}, {"b": "a", "y": "q"}, allow_unmatched=True))
    more = {"words": 4, "number": 2, "names": ["z", "y"]}
    assert said(both.remarks) == [("UNSCORED", {**FIELDS, **more})]


def test_no_warning_where_all_is_scored_or_more_is_expected() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rates = scoring.wer({"a": "a"}, {"a": "a"})
        assert scoring.wer({"a": "a"}, {"a": "a", "z": "b"}, allow_unmatched=True).remarks
    assert rates.remarks == ()
    assert "not scored" not in repr(rates)


def test_shards_keep_what_the_readers_said(tmp_path: Path) -> None:
    reference, hypothesis = tmp_path / "r.trn", tmp_path / "hyp.trn"
    reference.write_text("a (x-1)\nb (x-2)\n")
    hypothesis.write_text("a (x-1)\nb (x-2)\nc (x-3)\n")
    rates = scoring.wer(hypothesis, reference)
    assert rates.remarks[0].severity == "note"
    parts = []
    for number in (1, 2):
        shard = document_lines([rates.slice(number - 1, number)], Shard(number, 2))
        parts.append((str(number), read_document("x", b"".join(shard))))
    [again] = merged(parts).systems
    assert said(again.remarks) == said(rates.remarks)
    assert list(map(str, again.remarks)) == list(map(str, rates.remarks))


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text("a b\n")
    Path("two.txt").write_text("a b\nc d e\n")
    Path("one.json").write_text('{"rain": 1, "a": 1}')
    return ["--reference-format", "txt-lines", "--hypothesis-format", "txt-lines"]


COMMANDS = [["wer"], ["diff"], ["beer", "--entity-weights", "one.json"]]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one[0])
def test_lines_of_different_lengths_are_status_2_unless_asked_for(
    command: list[str], lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "one.txt", "two.txt", *lines]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    sides = {"path": "two.txt", "reference": "one.txt", "wanted": 1, "number": 2}
    assert (
        found.err
        == f"scoring: error: {message_text(UNEQUAL_EXTRA, **sides)} [{UNEQUAL_EXTRA.code}]\n"
    )
    assert main([*command, "one.txt", "two.txt", *lines, "--allow-unmatched"]) == 0
    fields = {**FIELDS, "path": "two.txt", "names": ["000002"]}
    assert message_text(UNSCORED, **fields) in capsys.readouterr().err
    assert main([*command, "two.txt", "one.txt", *lines]) == 2
    assert says(capsys.readouterr().err, UNEQUAL_MISSING, reference="two.txt", wanted=2, number=1)
    for fate in ("delete", "skip"):
        assert main([*command, "two.txt", "one.txt", *lines, "--missing", fate]) == 0
    assert main([*command, "two.txt", "one.txt", *lines, "--missing", "error"]) == 2


def test_lines_are_matched_by_position_and_the_account_says_so(
    lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wer", "two.txt", "two.txt", *lines]) == 0
    output = capsys.readouterr().out
    assert "utterances: 2 matched by position\n" in output
    assert "|match:position|" in output


def test_a_warning_is_told_once_on_the_command_line(
    lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("r.trn").write_text("a (x-1)\n")
    Path("h.trn").write_text("a (x-1)\nb (x-2)\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["wer", "r.trn", "h.trn"]) == 0
    unasked = {**FIELDS, "path": "h.trn", "words": 1, "names": ["x-2"]}
    assert (
        capsys.readouterr().err
        == f"scoring: warning: {message_text(UNSCORED, **unasked)} [{UNSCORED.code}]\n"
    )


def test_comparisons_and_phonemes_of_different_lengths_are_refused(
    lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lexicon.txt").write_text("a x\nb y\nc z\nd v\ne w\n")
    compare = ["compare", "one.txt", "two.txt", "--reference"]
    phonemes = ["per", "--lexicon", "lexicon.txt"]
    for command, missing, extra in (
        (compare, ["two.txt"], ["one.txt"]),
        (phonemes, ["two.txt", "one.txt"], ["one.txt", "two.txt"]),
    ):
        assert main([*command, *missing, *lines]) == 2
        sides = {"path": "one.txt", "reference": "two.txt", "wanted": 2, "number": 1}
        entry = UNEQUAL_COMPARED if command is compare else UNEQUAL_MISSING
        assert says(capsys.readouterr().err, entry, **sides)
        allowed = ["--allow", "missing"] if command is compare else ["--missing", "delete"]
        assert main([*command, *missing, *lines, *allowed]) == 0
        assert main([*command, *extra, *lines]) == 2
        assert main([*command, *extra, *lines, "--allow-unmatched"]) == 0
        capsys.readouterr()
    assert main([*phonemes, "two.txt", "one.txt", *lines, "--missing", "delete"]) == 0
    assert "1 matched by position, 1 in the reference only" in capsys.readouterr().out

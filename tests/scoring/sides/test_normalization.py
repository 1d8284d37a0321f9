"""Normalisation as a part of scoring: both sides, alternatives, signature, account."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import InputError
from scoring.regression.effects import START, effects
from scoring.score.record_reader import read_document
from scoring.text.pipeline_files import as_pipeline
from tests.remarks import said

WORDS = st.lists(st.sampled_from(["The", "the", "cat.", "cat", "don’t", "—", "X-y"]), max_size=6)
PLAIN = ["casefold", "punctuation", "regex:search=x y,replace=xy"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_it_is_as_if_the_texts_had_come_so(pairs: list[tuple[list[str], list[str]]]) -> None:
    pipeline = as_pipeline(PLAIN)
    sides = [[" ".join(pair[side]) for pair in pairs] for side in (0, 1)]
    prepared = [[pipeline(text) for text in side] for side in sides]
    found = scoring.wer(*sides, normalize=PLAIN)
    assert list(found.per_utterance) == list(scoring.wer(*prepared).per_utterance)


def test_without_steps_nothing_changes() -> None:
    one, other = scoring.wer("A b", "a b"), scoring.wer("A b", "a b", normalize="none")
    assert one.signature == other.signature
    assert "|norm:none|" in one.signature
    assert scoring.wer("A", "a", ignore_case=True).signature.count("|norm:casefold|") == 1


def test_the_pipeline_is_signed() -> None:
    rates = scoring.wer("A b", "a b", normalize="lowercase")
    signed = as_pipeline("lowercase").signature
    assert f"|norm:{signed}|" in rates.signature
    both = scoring.wer("A b", "a b", normalize="lowercase", ignore_case=True)
    assert f"|norm:{signed}+casefold|" in both.signature
    with pytest.raises(ValueError, match="of the same rules"):
        rates.merge(scoring.wer({"x": "a"}, {"x": "a"}))


def test_steps_for_one_side(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    steps = [{"step": "regex", "search": "#\\w+", "replace": "", "side": "hypothesis"}]
    path.write_text(json.dumps({"steps": steps}), "utf-8")
    assert scoring.wer("a #b", "a #c", normalize=path).counts == Counts(1, 0, 1, 0)


def test_one_word_may_become_several() -> None:
    rates = scoring.wer(["well-known fact"], ["well known fact"], normalize="punctuation")
    assert rates.counts == Counts(3, 0, 0, 0)
    assert rates.alignment("000001").pairs()[0].reference == "well"


def test_alternatives_of_the_file_survive(tmp_path: Path) -> None:
    (tmp_path / "ref.stm").write_text(
        "rec 1 anne 0.0 2.0 { WON'T, / WILL NOT } you (UH) go\n", "utf-8"
    )
    for words, errors in (("will not you go", 0), ("won’t you go", 0), ("wont you go", 1)):
        made = words.split()
        lines = [f"rec 1 {0.1 + 0.2 * at:.2f} 0.1 {word}" for at, word in enumerate(made)]
        (tmp_path / "hyp.ctm").write_text("\n".join(lines) + "\n", "utf-8")
        rates = scoring.wer(
            tmp_path / "ref.stm", tmp_path / "hyp.ctm", normalize="plain", forgive_optional=True
        )
        assert rates.counts.errors == errors, words


@pytest.mark.parametrize("options", [{"profile": "kaldi"}, {"unit": "char"}], ids=str)
def test_open_readings_go_with_every_profile_and_unit(options: dict[str, Any]) -> None:
    assert scoring.wer("5", "five", normalize="numbers", **options).corpus_rate == 0
    ignoring = scoring.wer("uh a", "a", normalize="fillers:policy=ignore", **options)
    assert ignoring.corpus_rate == 0


def test_what_became_empty_is_told() -> None:
    rates = scoring.wer({"u1": "...", "u2": "a"}, {"u1": "x", "u2": "!"}, normalize="punctuation")
    assert said(rates.remarks) == [
        ("NORMALISED-AWAY", {"path": f"<{side}>", "side": side, "number": 1, "names": [name]})
        for side, name in (("reference", "u1"), ("hypothesis", "u2"))
    ]
    assert rates.counts == Counts(0, 0, 1, 1)


def test_fillers_are_counted() -> None:
    rates = scoring.wer(["uh a um", "b"], ["a", "er b"], normalize="fillers")
    assert [(key, fields["words"]) for key, fields in said(rates.remarks)] == [
        ("WORDS-MET", 2),
        ("WORDS-MET", 1),
    ]


def test_a_step_that_refuses_a_text_is_an_error_of_the_input() -> None:
    def refuse(text: str) -> str:
        raise ValueError(f"cannot take {text!r}")

    with pytest.raises(InputError, match="<reference>: cannot take 'a'"):
        scoring.wer("a", "b", normalize=refuse)


def trn(path: Path, texts: list[str]) -> Path:
    lines = [f"{text} (s-{number})\n" for number, text in enumerate(texts)]
    path.write_text("".join(lines), "utf-8")
    return path


def test_files_jobs_and_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference = trn(tmp_path / "ref.trn", ["The cat.", "It costs 50"])
    hypothesis = trn(tmp_path / "hyp.trn", ["the cat", "it costs fifty"])
    record = tmp_path / "record.json"
    flags = ["--normalize", "plain", "--normalize", "numbers", "--json", str(record)]
    assert main(["wer", *flags, "--jobs", "2", str(reference), str(hypothesis)]) == 0
    assert "%WER 0.00 [ 0 / 5" in capsys.readouterr().out
    [system] = read_document(str(record), record.read_bytes()).systems
    options: dict[str, Any] = {"normalize": ["plain", "numbers"]}
    assert system.signature == scoring.wer(reference, hypothesis, **options).signature


def test_refusals_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    side = str(trn(tmp_path / "a.trn", ["a"]))
    other = str(trn(tmp_path / "b.trn", ["a"]))
    for flags, status, text in (
        (["--normalize", "nope"], 2, "expected the name of a step or pipeline"),
        (["--normalize", str(tmp_path / "no.json")], 2, "expected a readable file"),
        (["--unit", "mixed+latin"], 2, "expected mixed with any of hangul"),
    ):
        assert main(["wer", *flags, side, other]) == status
        assert text in capsys.readouterr().err


def test_which_step_removes_which_errors() -> None:
    found = list(
        effects(
            ["The end", "a cat, see", "uh yes", "it is 50", "right"],
            ["the end", "a cat see", "yes", "it is fifty", "wrong"],
            as_pipeline(["lowercase", "punctuation", "fillers", "numbers"]),
        )
    )
    assert found[0].step == START
    assert [one.counts.errors for one in found] == [5, 4, 3, 2, 1]
    assert [one.change for one in found] == [0, -1, -1, -1, -1]
    assert [one.removed for one in found[1:]] == [
        (("The", "the", 1),),
        (("cat,", "cat", 1),),
        (("uh", None, 1),),
        (("50", "fifty", 1),),
    ]
    assert all(not one.added for one in found)


def test_a_step_that_makes_errors_is_told(tmp_path: Path) -> None:
    steps = [{"step": "replace", "search": "b", "replace": "x y", "side": "reference"}]
    (tmp_path / "p.json").write_text(json.dumps({"steps": steps}), "utf-8")
    [_, found] = effects(["a b", "b c"], ["a b", "b c"], as_pipeline(tmp_path / "p.json"))
    assert (found.change, found.counts) == (4, Counts(2, 2, 2, 0))
    assert sum(one.number for one in found.added) == 4
    assert found.removed == ()
    assert found.step.endswith(" on the reference")

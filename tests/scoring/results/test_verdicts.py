"""Decisions on differing spans: read, applied, counted apart, listed where they are missing."""

import json
from pathlib import Path

import pytest

import scoring
from formats.schema import VERSION
from scoring.cli.scoring import main
from scoring.model.errors import InputError
from scoring.results.verdicts import Adjudication, VerdictCount, decisions_to_make, read_verdicts
from tests.each_case import each_case

REFERENCE = {
    "a": "it costs fifty dollars today",
    "b": "we saw the colour of it",
    "c": "he said ok to the fifty people",
}
HYPOTHESIS = {
    "a": "it costs 50 dollars to day",
    "b": "we saw color of it",
    "c": "he said okay to the 50 people",
}
IN_C = "24405a4afd3d796d"  # of fifty in c


def write(folder: Path, *lines: object) -> Path:
    path = folder / "verdicts.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{line}\n" for line in texts), "utf-8")
    return path


def line(reference: str, hypothesis: str, verdict: str | None, **more: object) -> dict[str, object]:
    return {"reference": reference, "hypothesis": hypothesis, "verdict": verdict, **more}


def errors_by_verdict(found: Adjudication | None) -> list[int]:
    assert found is not None
    assert found.errors_before == sum(tally.errors for tally in found[:4])
    return [tally.errors for tally in found[:4]]


def test_spans_are_runs_of_errors_with_five_words_on_each_side() -> None:
    spans = list(scoring.wer(REFERENCE, HYPOTHESIS).differing_spans())
    assert [(span.utterance, span.reference, span.hypothesis, span.errors) for span in spans] == [
        ("a", "fifty", "50", 1),
        ("a", "today", "to day", 2),
        ("b", "the colour", "color", 2),
        ("c", "ok", "okay", 1),
        ("c", "fifty", "50", 1),
    ]
    assert (spans[4].before, spans[4].after) == ("he said ok to the", "people")
    assert spans[4].context == IN_C
    first, last = scoring.wer("a b c d e f g", "b c d e f g h").differing_spans()
    assert (first.reference, first.after, last.before) == ("a", "b c d e f", "c d e f g")


def test_what_is_the_same_is_forgiven_and_minor_errors_are_counted_apart(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        line("fifty", "50", "same", by="anna", when="2026-01-31", note="ignored"),
        "",
        line("ok", "okay", "minor"),
        line("the colour", "color", "error"),
        line("today", "to day", None),
    )
    plain = scoring.wer(REFERENCE, HYPOTHESIS)
    rates = scoring.wer(REFERENCE, HYPOTHESIS, verdicts=path)
    assert (rates.counts, rates.aligned.edits) == (plain.counts, plain.aligned.edits)
    assert plain.adjudication is None
    found = rates.adjudication
    assert found == Adjudication(
        VerdictCount(2, 2), VerdictCount(1, 1), VerdictCount(1, 2), VerdictCount(1, 2), 7, 18
    )
    assert (found.errors, found.rate, found.rate_with_minor) == (4, 4 / 18, 5 / 18)
    assert rates.verdicts is not None
    name = f"verdicts:{rates.verdicts.sha256[:16]}"
    assert name in rates.signature.split("|")
    assert rates.signature.replace(f"|{name}", "") == plain.signature
    # what derives from a result has its decisions
    assert errors_by_verdict(rates.select([2]).adjudication) == [1, 1, 0, 0]
    assert errors_by_verdict(rates.slice(0, 1).adjudication) == [1, 0, 0, 2]
    empty = scoring.wer("", "", verdicts=path).adjudication
    assert (errors_by_verdict(empty), empty and empty.rate) == ([0, 0, 0, 0], None)


def test_a_decision_in_its_context_comes_before_one_without(tmp_path: Path) -> None:
    decisions = [line("fifty", "50", "same"), line("fifty", "50", "error", context=IN_C)]
    for order in (decisions, decisions[::-1]):
        rates = scoring.wer(REFERENCE, HYPOTHESIS, verdicts=write(tmp_path, *order))
        assert errors_by_verdict(rates.adjudication) == [1, 0, 1, 5]
    rates = scoring.wer(REFERENCE, HYPOTHESIS, verdicts=write(tmp_path, decisions[1]))
    assert errors_by_verdict(rates.adjudication) == [0, 0, 1, 6]


def test_case_matters_unless_it_is_ignored(tmp_path: Path) -> None:
    path = write(tmp_path, line("FIFTY", "50", "same"))
    assert errors_by_verdict(scoring.wer(REFERENCE, HYPOTHESIS, verdicts=path).adjudication)[0] == 0
    rates = scoring.wer(REFERENCE, HYPOTHESIS, verdicts=path, ignore_case=True)
    assert errors_by_verdict(rates.adjudication)[0] == 2
    path = write(tmp_path, line("a", "b", "same"), line("a", "b", "same", by="ben"))
    assert [decision.by for decision in read_verdicts(path).decisions] == [None]
    path = write(tmp_path, line("FIFTY", "50", "same"), line("fifty", "50", "minor"))
    assert len(read_verdicts(path).decisions) == 2
    with pytest.raises(InputError, match=r":2: expected the verdict of line 1, 'same'"):
        read_verdicts(path, ignore_case=True)


@each_case(
    ("lines", "message"),
    [
        (
            [line("a", "b", "same"), line("c", "d", "same"), line("a", "b", "minor")],
            ":3: expected the verdict of line 1, 'same', on 'a' and 'b', found 'minor': remove",
        ),
        (
            [line("a", "b", "same", context="x"), line("a", "b", "error", context="x")],
            ":2: expected the verdict of line 1",
        ),
        (["{"], ":1: expected a decision as a JSON object, found other text: Input data was trunc"),
        (["", "[]"], ":2: expected a decision as a JSON object"),
        ([line("a", "b", "maybe")], "Invalid enum value 'maybe' in verdict"),
        ([{"reference": "a"}], "missing required field hypothesis"),
        ([line("", "", "same")], ":1: expected words in a span, found none on either side"),
    ],
)
def test_what_is_no_decision_is_an_error_with_its_line(
    tmp_path: Path, lines: list[object], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_verdicts(write(tmp_path, *lines))
    assert message in str(caught.value)


def test_spans_without_verdict_are_listed_most_frequent_first(tmp_path: Path) -> None:
    rates = scoring.wer(REFERENCE, HYPOTHESIS)
    spans = [span for span in rates.differing_spans() if span.reference != "ok"]
    records = decisions_to_make([*spans, spans[-1]])
    listed = [(record["reference"], record["hypothesis"], record["count"]) for record in records]
    assert listed == [("fifty", "50", 3), ("today", "to day", 1), ("the colour", "color", 1)]
    assert [one["utterance"] for one in records[0]["examples"]] == ["a", "c", "c"]
    by_context = decisions_to_make(spans, by_context=True)
    assert [record["context"] for record in by_context if record["reference"] == "fifty"] == [
        "a71b4ca7f2b60ae9",
        IN_C,
    ]


def test_shards_and_stored_results_keep_the_decisions(tmp_path: Path) -> None:
    path = write(tmp_path, line("fifty", "50", "same"), line("ok", "okay", "minor"))
    rates = scoring.wer(REFERENCE, HYPOTHESIS, verdicts=path)
    rates.save(tmp_path / "rates.json")
    loaded = scoring.load(tmp_path / "rates.json")
    assert (loaded.adjudication, loaded.signature) == (rates.adjudication, rates.signature)
    assert loaded.to_dict() == rates.to_dict()
    record = rates.to_dict()["adjudication"]
    assert (record["same"], record["errors"], record["error_rate"]) == (
        {"spans": 2, "errors": 2},
        4,
        4 / 18,
    )


@pytest.fixture
def files(current_folder: Path) -> Path:
    for name, side in (("r.trn", REFERENCE), ("h.trn", HYPOTHESIS)):
        Path(name).write_text("".join(f"{text} ({key})\n" for key, text in side.items()))
    return current_folder


def test_the_list_of_spans_can_be_filled_in_and_counted(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verdicts", "todo", "r.trn", "h.trn", "--output", "todo.jsonl"]) == 0
    records = list(map(json.loads, Path("todo.jsonl").read_text("utf-8").splitlines()))
    assert records.pop(0) == {
        "schema": "sclite-kit/verdicts",
        "version": 1,
        "generator": f"sclite-kit {VERSION}",
    }
    for record in records[:2]:
        record["verdict"] = "same"
    path = write(files, *records)
    gate = ["--fail-above", "30"]
    assert main(["wer", "r.trn", "h.trn", "--verdicts", path.name, *gate]) == 3
    out, error = capsys.readouterr()
    assert error.endswith("h.trn: error rate before verdicts 38.89 % is above 30 %\n")
    assert (
        "verdicts: 7 errors before; 4 forgiven as the same in 3 spans, 0 minor in 0 spans, "
        "0 judged errors in 0 spans, 3 without verdict in 2 spans\n"
        "after verdicts: 16.67 % [ 3 / 18 ]; with minor errors 16.67 %\n"
    ) in out
    assert main(["verdicts", "todo", "r.trn", "h.trn", "--verdicts", path.name]) == 0
    left = [json.loads(text)["reference"] for text in capsys.readouterr().out.splitlines()[1:]]
    assert left == ["the colour", "ok"]


def test_the_command_names_what_it_expects(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(files, line("a", "b", "same"), line("a", "b", "minor"))
    for arguments in (["wer", "r.trn", "h.trn"], ["verdicts", "todo", "r.trn", "h.trn"]):
        assert main([*arguments, "--verdicts", "verdicts.jsonl"]) == 2
        error = capsys.readouterr().err
        assert error.startswith("scoring: error: verdicts.jsonl:2: expected the verdict of line 1")
    assert main(["verdicts"]) == 2
    assert main(["verdicts", "done"]) == 2

"""`scoring per`: its reports, its account of everything, its refusals word for word."""

import csv
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.messages import NOTHING_SCORED
from scoring.pages.messages import DELETED, DROPPED, NO_RATE
from scoring.regression.messages import NOT_A_RATE
from scoring.results.messages import UNSCORED
from scoring.sides.messages import ONLY_TIMES, OTHER_NAMES, SPEAKERS_MISSING
from scoring.tasks.messages import LEXICON_NO_WORDS
from scoring.tasks.phonemes.messages import NOT_IN_LEXICON, OTHER_PHONEMES, UNKNOWN_WORDS
from tests import programs
from tests.formats.checks import message_text
from tests.remarks import says
from tests.scoring.score.test_schema import check

REFERENCE = (
    "hello guy (anne-1)\nthe { guy / hello hello / @ } (anne-2)\nthe (bob-1)\nhello (bob-2)\n"
)
HYPOTHESIS = "h a l a i (anne-1)\ndh ah (anne-2)\nh e l x o (bob-2)\nz z (zed-1)\n"
LEXICON = "hello h e l l o\nhello h a l l o\nguy g a i\nthe dh ah\nthe x\n"
SIGNATURE = (
    "per|method:exact|norm:none|stress:keep|unknown:error|missing:delete|match:identifier|v:"
)
FILES = ("ref.trn", "hyp.trn", "--lexicon", "lexicon.txt")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("ref.trn", REFERENCE), ("hyp.trn", HYPOTHESIS), ("lexicon.txt", LEXICON)):
        Path(name).write_text(text)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return programs.told(capsys, "per", *arguments)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    status, output, errors = told(capsys, *arguments)
    assert (status, output) == (2, "")
    return errors


def test_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, errors = told(capsys, *FILES)
    assert status == 0
    assert output.startswith(
        "%PER 31.25 [ 5 / 16, 0 ins, 4 del, 1 sub ] [PARTIAL]\n"
        "%SER 75.00 [ 3 / 4 ]\n"
        "Scored 4 sentences, 1 not present in hyp.\n"
        "phonemes: 16 in the reference, 12 in the hypothesis, 11 correct\n"
        "rates: corpus 31.25 %; mean of utterances 39.38 %; MER 31.25 %; WIL 36.98 %\n"
        "utterances: 3 matched by identifier, 1 in the reference only, 1 in the hypothesis only\n"
        "  in the reference only, deleted: bob-1\n"
        "  in the hypothesis only, not scored (2 phonemes): zed-1\n"
        f"signature: {SIGNATURE}"
    )
    about: dict[str, Any] = {"path": "hyp.trn", "unit": "phoneme", "number": 1}
    unscored = message_text(UNSCORED, **about, words=2, names=["zed-1"])
    deleted = message_text(DELETED, **about, names=["bob-1"])
    assert (
        errors
        == f"scoring: warning: {unscored} [UNSCORED]\nscoring: warning: {deleted} [DELETED]\n"
    )


def test_speakers_and_utterances(capsys: pytest.CaptureFixture[str]) -> None:
    _, output, _ = told(capsys, *FILES, "--per-speaker", "--per-utterance")
    assert (
        "speaker  utterances  phonemes  correct  sub  del  ins  errors  rate %\n"
        "anne              2        10        7    0    3    0       3   30.00\n"
        "bob               2         6        4    1    1    0       2   33.33\n"
        "sum               4        16       11    1    4    0       5   31.25\n"
    ) in output
    assert (
        "bob-2 (bob): 1 error in 5 phonemes, 20.00 %\n"
        "  words:       hello\n"
        "  reference:   h e l l o\n"
        "  hypothesis:  h e l x o\n"
        "                     S\n"
    ) in output
    assert "anne-2 (anne): 0 errors in 2 phonemes, 0.00 %\n  words:       the\n" in output


def test_alternatives_of_the_reference(capsys: pytest.CaptureFixture[str]) -> None:
    Path("hyp.trn").write_text("dh ah h e l l o h a l o (anne-2)\n")
    _, output, _ = told(capsys, *FILES, "--per-utterance", "--missing", "skip")
    assert (
        "anne-2 (anne): 1 error in 12 phonemes, 8.33 %\n  words:       the hello hello\n" in output
    )
    message = refused(capsys, *FILES, "--method", "columns")
    assert message.startswith(
        "scoring: error: ref.trn:2: expected plain words with method columns, found alternatives or "
        "optional words in 'anne-2'"
    )


def test_too_many_alternatives(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ref.trn").write_text("{ " + "hello " * 14 + "/ the } (anne-1)\n")
    message = refused(capsys, *FILES)
    assert message.startswith(
        "scoring: error: ref.trn:1: expected alternatives of at most 10000 pronunciations, found more in "
        "'anne-1'"
    )


def test_optional_words(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ref.trn").write_text("(hello) guy (anne-1)\n")
    Path("hyp.trn").write_text("g a i (anne-1)\n")
    assert told(capsys, *FILES)[1].startswith("%PER 62.50 [ 5 / 8,")
    _, output, _ = told(capsys, *FILES, "--forgive-optional", "--per-utterance")
    assert output.startswith("%PER 0.00 [ 0 / 3,")
    assert "|optional:forgiven|" in output
    assert "  words:       guy\n" in output


def test_the_method_of_columns(capsys: pytest.CaptureFixture[str]) -> None:
    Path("lexicon.txt").write_text("x a b c d\nx a b d\ny a b d\ny a b c d\n")
    Path("ref.trn").write_text("x (anne-1)\ny (anne-2)\n")
    Path("hyp.trn").write_text("a b d (anne-1)\na b d (anne-2)\n")
    assert told(capsys, *FILES)[1].startswith("%PER 0.00 [ 0 / 6,")
    _, output, _ = told(capsys, *FILES, "--method", "columns", "--json", "out.json")
    assert output.startswith("%PER 12.50 [ 1 / 8, 0 ins, 1 del, 0 sub ]\n")
    assert "phonemes: 8 in the reference, 6 in the hypothesis, 7 correct\n" in output
    check(Path("out.json"), "phoneme-error-rates-1.json")
    [system] = json.loads(Path("out.json").read_text())["systems"]
    assert system["counts"]["hypothesis_count"] == 6
    assert system["utterances"][1]["pronunciations"] == [["a", "b", "<*>", "d"]]
    assert system["utterances"][1]["edits"] == "CCKC"


def test_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, _ = told(capsys, *FILES, "--json", "-")
    assert status == 0
    document = json.loads(output)
    assert (document["schema"], document["version"]) == ("sclite-kit/phoneme-error-rates", 1)
    [system] = document["systems"]
    assert system["counts"]["errors"] == 5
    assert system["rates"]["error_rate"] == 5 / 16
    assert system["signature"].startswith(SIGNATURE)
    assert system["account"]["reference_only"] == {"count": 1, "ids": ["bob-1"]}
    assert system["account"]["unscored_phonemes"] == 2
    assert len(system["lexicon"]["sha256"]) == 64
    first = system["utterances"][0]
    assert first["words"] == ["hello", "guy"]
    assert first["pronunciations"] == [["h", "a", "l", "l", "o"], ["g", "a", "i"]]
    assert sum(len(one["edits"]) for one in system["utterances"]) == 16

    _, output, _ = told(capsys, *FILES, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(output)))
    assert sum(int(row["errors"]) for row in rows) == 5
    assert rows[0]["pronunciations"] == "h a l l o | g a i"
    assert rows[2]["hypothesis"] == ""


def test_files_appear_whole(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = ("--output", "out.txt", "--json", "out.json", "--csv", "out.csv")
    assert told(capsys, *FILES, *outputs)[:2] == (0, "")
    assert Path("out.txt").read_text() == told(capsys, *FILES)[1]
    json.loads(Path("out.json").read_text())
    assert len(Path("out.csv").read_text().splitlines()) == 5
    before = sorted(os.listdir())
    message = refused(capsys, *FILES, "--output", "none/out.txt")
    assert message.splitlines()[-1].startswith("scoring: error: none/out.txt: cannot be written")
    assert sorted(os.listdir()) == before


def test_reports_of_sclite_are_drawn_from_phonemes(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("-o", "sum", "rsum", "pralign", "-O", "out", "-n", "phonemes")
    assert told(capsys, *FILES, *names)[1] == told(capsys, *FILES)[1]
    assert sorted(os.listdir("out")) == ["phonemes.pra", "phonemes.raw", "phonemes.sys"]
    raw = Path("out/phonemes.raw").read_text()
    assert re.search(r"\| Sum +\| +4 +16 \| +11 +1 +4 +0 +5 +3 \|", raw)
    alignments = Path("out/phonemes.pra").read_text()
    assert "REF:  h e l l o \nHYP:  h e l x o \nEval:       S" in alignments
    Path("lexicon.txt").write_text("hello h e l o\nhello h a l l o\nguy g a i\nthe dh ah\n")
    Path("ref.trn").write_text("hello guy (anne-1)\nhello (bob-2)\n")
    status, output, _ = told(
        capsys, *FILES, "--method", "columns", "-o", "rsum", "pralign", "stdout"
    )
    assert status == 0
    assert "Scores: (#C #S #D #I)" in output
    assert "%PER" not in output
    assert refused(capsys, *FILES, "-O", "out").startswith(
        "scoring per: error: -O needs -o with the name of a report\n"
    )


def test_pairs_of_phonemes(capsys: pytest.CaptureFixture[str]) -> None:
    rows = told(capsys, *FILES, "--pairs", "-")[1].splitlines()
    assert rows[1] == "hyp.trn,anne-1,1,C,h,h"
    assert len(rows) == 17


def test_several_systems_and_a_limit(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.trn").write_text(
        "h a l l o g a i (anne-1)\nx (anne-2)\nx (bob-1)\nh a l l o (bob-2)\n"
    )
    files = ("ref.trn", "hyp.trn", "good.trn", "--lexicon", "lexicon.txt")
    status, output, errors = told(capsys, *files, "--fail-above", "31")
    assert status == 3
    assert [line for line in output.splitlines() if line.startswith(("==", "%PER"))] == [
        "== hyp.trn",
        "%PER 31.25 [ 5 / 16, 0 ins, 4 del, 1 sub ] [PARTIAL]",
        "== good.trn",
        "%PER 0.00 [ 0 / 15, 0 ins, 0 del, 0 sub ]",
    ]
    assert errors.endswith("scoring: error: hyp.trn: error rate 31.25 % is above 31 %\n")
    assert told(capsys, *FILES, "--fail-above", "31.25")[0] == 0


def test_unknown_words(capsys: pytest.CaptureFixture[str]) -> None:
    Path("lexicon.txt").write_text("hello h e l l o\n")
    fields = {"number": 4, "different": 2, "names": ["guy", "the"], "utterances": 3, "total": 4}
    text = message_text(NOT_IN_LEXICON, **fields)
    assert refused(capsys, *FILES) == f"scoring: error: ref.trn:1: {text} [{NOT_IN_LEXICON.code}]\n"
    status, output, errors = told(capsys, *FILES, "--unknown", "skip")
    assert status == 0
    assert output.startswith("%PER 20.00 [ 1 / 5,")
    assert "3 with unknown words" in output
    assert "  with unknown words, skipped: anne-1, anne-2, bob-1\n" in output
    dropped = {"number": 3, "names": ["anne-1", "anne-2", "bob-1"]}
    words = {"words": 4, "different": 2, "unknown": ["guy", "the"]}
    assert message_text(UNKNOWN_WORDS, path="ref.trn", **dropped, **words) in errors


def test_case_stress_and_dropped_phonemes(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small.dict").write_text("HELLO  HH AH0 L OW1\nHELLO(2)  HH EH0 L OW1\n")
    Path("ref.trn").write_text("Hello (anne-1)\n")
    Path("hyp.trn").write_text("SIL HH EH1 L OW (anne-1)\n")
    files = ("ref.trn", "hyp.trn", "--lexicon", "small.dict")
    assert says(refused(capsys, *files), NOT_IN_LEXICON, number=1, different=1, names=["Hello"])
    _, output, errors = told(capsys, *files, "--lexicon-ignore-case")
    assert output.startswith("%PER 75.00 [ 3 / 4, 1 ins, 0 del, 2 sub ]\n")
    fields = {"number": 3, "different": 3, "names": ["SIL", "EH1", "OW"]}
    assert message_text(OTHER_PHONEMES, path="hyp.trn", **fields) in errors
    options = ("--lexicon-ignore-case", "--stress", "strip", "--drop-phoneme", "SIL")
    _, output, errors = told(capsys, *files, *options)
    assert output.startswith("%PER 0.00 [ 0 / 4,")
    assert "  dropped: 1 predicted phonemes\n" in output
    assert "|norm:casefold|stress:strip|drop:SIL|" in output
    assert errors == ""


def test_missing(capsys: pytest.CaptureFixture[str]) -> None:
    _, output, errors = told(capsys, *FILES, "--missing", "skip")
    assert output.startswith("%PER 26.67 [ 4 / 15,")
    fields = {"words": 1, "number": 1, "names": ["bob-1"]}
    assert message_text(DROPPED, path="hyp.trn", **fields) in errors
    message = refused(capsys, *FILES, "--missing", "error")
    assert message == (
        "scoring: error: hyp.trn: expected a hypothesis for every reference of ref.trn, found none for 1: "
        "bob-1\n"
    )
    Path("ref.trn").write_text("hello (anne-1)\n")
    assert "found others, 3: anne-2, bob-2, zed-1" in refused(capsys, *FILES, "--missing", "error")
    Path("ref.trn").write_text("hello (carl-1)\n")
    sides = {"path": "hyp.trn", "reference": "ref.trn", "what": "identifiers"}
    text = message_text(OTHER_NAMES, **sides, ours=["carl-1"], theirs=["anne-1", "anne-2"])
    assert refused(capsys, *FILES) == f"scoring: error: {text} [{OTHER_NAMES.code}]\n"


def test_other_formats_and_matching_by_time(capsys: pytest.CaptureFixture[str]) -> None:
    Path("text").write_text("anne-1 h a l l o\nanne-2 dh ah\n")
    Path("utt2spk").write_text("anne-1 x\nanne-2 y\n")
    Path("ref.trn").write_text("hello (anne-1)\nthe (anne-2)\n")
    kaldi = ("--hypothesis-format", "kaldi-text", "--lexicon", "lexicon.txt")
    _, output, _ = told(capsys, "ref.trn", "text", *kaldi, "--utt2spk", "utt2spk", "--per-speaker")
    assert output.startswith("%PER 0.00 [ 0 / 7,")
    assert "\ny                 1" in output
    Path("ref.stm").write_text("r 1 anne 0 1 hello guy\nr 1 anne 1 2 the\n")
    Path("hyp.ctm").write_text("r 1 0.1 0.1 h\nr 1 0.3 0.1 a\nr 1 1.4 0.1 dh\nr 1 1.6 0.1 ah\n")
    _, output, _ = told(capsys, "ref.stm", "hyp.ctm", "--lexicon", "lexicon.txt")
    assert output.startswith("%PER 60.00 [ 6 / 10, 0 ins, 6 del, 0 sub ]\n")
    assert "2 matched by time" in output
    Path("utt2spk").write_text("r-1-0001 x\nr-1-0002 y\n")
    files = ("ref.stm", "hyp.ctm", "--lexicon", "lexicon.txt", "--utt2spk", "utt2spk")
    assert "\ny                 1" in told(capsys, *files, "--per-speaker")[1]
    Path("utt2spk").write_text("r-1-0001 x\n")
    assert says(refused(capsys, *files), SPEAKERS_MISSING, number=1, total=2, name="r-1-0002")
    errors = refused(capsys, "ref.stm", "hyp.trn", "--lexicon", "lexicon.txt")
    assert says(errors, ONLY_TIMES, path="ref.stm")


def test_the_interval(capsys: pytest.CaptureFixture[str]) -> None:
    _, output, _ = told(capsys, *FILES, "--confidence-interval", "--replications", "200")
    line = next(line for line in output.splitlines() if line.startswith("confidence"))
    assert line == (
        "confidence interval: 4.57 to 117.82 % (only 4 utterances) "
        "(95 % exact Poisson limits, 4 units by utterance, design effect 0.03)"
    )
    _, output, _ = told(
        capsys, *FILES, "--confidence-interval", "--replications", "200", "--interval", "percentile"
    )
    assert "\nconfidence interval: 14.29 to " in output
    assert "4 units by utterance, design effect 0.03, 200 replications, seed 0)" in output
    _, output, _ = told(capsys, *FILES, "--confidence-interval", "--block", "speaker")
    assert "2 units by speaker" in output


def test_empty_files(capsys: pytest.CaptureFixture[str]) -> None:
    Path("hyp.trn").write_text("")
    status, output, _ = told(capsys, *FILES)
    assert status == 0
    # of every word the shortest pronunciation is deleted
    assert output.startswith("%PER 100.00 [ 15 / 15,")
    Path("ref.trn").write_text("")
    errors = refused(capsys, *FILES)
    assert message_text(NOTHING_SCORED, path="ref.trn") in errors
    status, output, errors = told(capsys, *FILES, "--allow-empty")
    assert (status, output[:9]) == (0, "%PER n/a ")
    assert message_text(NO_RATE, path="ref.trn", unit="phoneme") in errors
    Path("lexicon.txt").write_text("")
    assert message_text(LEXICON_NO_WORDS) in told(capsys, *FILES)[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ref.trn", "hyp.trn"), "the following arguments are required: --lexicon"),
        (("-", "-", "--lexicon", "lexicon.txt"), "standard input can be read only once"),
        (("ref.trn", "-", "--lexicon", "-"), "standard input can be read only once"),
        ((*FILES, "--json", "-", "--csv", "-"), "standard output takes one report only"),
        (("ref.trn", "hyp.trn", *FILES[1:]), "a hypothesis is named twice"),
        ((*FILES, "--method", "fast"), "found 'fast'"),
        ((*FILES, "--fail-above", "much"), message_text(NOT_A_RATE, text="much")),
    ],
)
def test_wrong_usage(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hyp.trn", "{ a / b } (anne-1)\n", "hyp.trn:1: expected plain phonemes, found alternatives in 'anne-1'"),
        ("lexicon.txt", '{"hello": 1}', 'lexicon.txt:1:2: expected pronunciations of "hello" as lists of phonemes, found a number'),
    ],
)  # fmt: skip
def test_bad_files(name: str, text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(name).write_text(text)
    assert refused(capsys, *FILES) == f"scoring: error: {message}\n"


def test_repeated_identifiers(capsys: pytest.CaptureFixture[str]) -> None:
    Path("hyp.trn").write_text("a (anne-1)\nb (anne-1)\n")
    assert refused(capsys, *FILES).startswith("scoring: error: hyp.trn:2: expected a unique id")
    Path("text").write_text("anne-1 a\nanne-1 b\n")
    message = refused(
        capsys, "ref.trn", "text", "--hypothesis-format", "kaldi-text", "--lexicon", "lexicon.txt"
    )
    assert message.startswith("scoring: error: text:2:1: expected a unique id")


@pytest.mark.parametrize(
    "options",
    [(), ("--confidence-interval",), ("--unknown", "skip", "--missing", "skip", "--allow-empty")],
)
def test_json_is_what_the_schema_says(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("hyp.trn").write_text("q (anne-1)\ndh ah (anne-2)\n")
    if options[:1] == ("--unknown",):
        Path("lexicon.txt").write_text("hello h e l l o\n")
    assert told(capsys, *FILES, *options, "--json", "out.json")[0] == 0
    check(Path("out.json"), "phoneme-error-rates-1.json")


def test_groups_in_every_report(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ref.stm").write_text(
        "m 1 anne 0 1 <f> hello\nm 1 bob 1 2 <m> guy\nn 1 anne 0 1 <f> guy\n"
    )
    Path("hyp.stm").write_text("m 1 anne 0 1 h e l o\nm 1 bob 1 2 g a i\nn 1 anne 0 1 g i i\n")
    files = ("ref.stm", "hyp.stm", "--lexicon", "lexicon.txt", "--interpolate", "uniform")
    by = ("--by", "recording", "--by", "label")
    status, output, _ = told(capsys, *files, *by, "--csv", "o.csv", "--json", "o.json")
    assert status == 0
    assert [line.split() for line in output.splitlines()[-4:]] == [
        ["m", "f", "1", "5", "4", "0", "1", "0", "1", "20.00"],
        ["m", "m", "1", "3", "3", "0", "0", "0", "0", "0.00"],
        ["n", "f", "1", "3", "2", "1", "0", "0", "1", "33.33"],
        ["sum", "3", "11", "9", "1", "1", "0", "2", "18.18"],
    ]
    rows = list(csv.DictReader(io.StringIO(Path("o.csv").read_text())))
    assert [(row["recording"], row["label"]) for row in rows] == [
        ("m", "f"),
        ("m", "m"),
        ("n", "f"),
    ]
    check(Path("o.json"), "phoneme-error-rates-1.json")
    [system] = json.loads(Path("o.json").read_text())["systems"]
    assert [(one["group"]["recording"], one["errors"]) for one in system["groups"]] == [
        ("m", 1),
        ("m", 0),
        ("n", 1),
    ]
    message = refused(capsys, *files, "--by", "dialect")
    assert "no utterance has 'dialect', so the rates cannot be grouped by it" in message


def test_markdown_says_what_the_text_says(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, *FILES, "--per-speaker", "--per-utterance", "--markdown", "out.md")
    found = Path("out.md").read_text()
    assert found.startswith(
        "# Error rates against ref.trn\n\n## hyp.trn\n\n- %PER 31.25 \\[ 5 / 16,"
    )
    assert "| anne | 2 | 10 | 7 | 0 | 3 | 0 | 3 | 30.00 |\n" in found
    assert "- hello\n" in found
    assert "  reference:   h e l l o\n" in found
    status, output, _ = told(capsys, *FILES, "--markdown", "-")
    assert (status, output.partition("\n")[0]) == (0, "# Error rates against ref.trn")


def test_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    """Opens with the rate in words, and names the rules of pronunciations."""
    status, output, _ = told(capsys, *FILES, "--html", "page.html")
    assert status == 0
    assert output.startswith("%PER 31.25 ")
    page = Path("page.html").read_text()
    assert "5 of 16 phonemes are wrong: 31.2\u00a0%." in page
    assert SIGNATURE in page
    Path("ref.trn").write_text("hello (anne-1)\n")
    status, output, _ = told(capsys, *FILES, "--html", "-", "--method", "columns")
    assert (status, output[:15]) == (0, "<!doctype html>")

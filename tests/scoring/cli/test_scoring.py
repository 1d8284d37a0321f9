"""The `scoring` command: its reports, its exit statuses, its refusals word for word."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import scoring
from formats.schema.messages import Advice
from scoring.cli.messages import NO_SPEAKER_TO_DRAW, NOTHING_SCORED
from scoring.cli.scoring import main
from scoring.pages.messages import DELETED, DROPPED, NO_RATE
from scoring.regression.messages import INCREASE, LACKS_REFERENCE, NOT_A_RATE
from scoring.regression.sums import read_sums
from scoring.results.messages import UNSCORED
from scoring.sides.messages import SPEAKERS_MISSING
from scoring.text.messages import STEPS_IN_ONE
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.programs import apart, printed, python, refused, told, wrong_value

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo"
TRN = ["reference.trn", "baseline.trn"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture(autouse=True)
def in_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DEMO)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return python("-m scoring", *arguments, text=True)


def test_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "wer", *TRN) == (
        0,
        "%WER 20.57 [ 116 / 564, 18 ins, 20 del, 78 sub ]\n"
        "%SER 86.67 [ 52 / 60 ]\n"
        "Scored 60 sentences, 0 not present in hyp.\n"
        "words: 564 in the reference, 562 in the hypothesis, 466 correct\n"
        "rates: corpus 20.57 %; mean of utterances 21.52 %; MER 19.93 %; WIL 31.49 %\n"
        "utterances: 60 matched by identifier\n"
        "signature: wer|unit:word|norm:none|align:sclite(4,3,3)|ties:sclite|missing:delete"
        "|match:identifier|v:0.1.0\n",
        "",
    )


def test_speakers_and_utterances(capsys: pytest.CaptureFixture[str]) -> None:
    output = printed(capsys, "wer", *TRN, "--per-speaker", "--per-utterance")
    assert (
        "speaker  utterances  words  correct  sub  del  ins  errors  rate %\n"
        "anna             15    149      132   14    3    4      21   14.09\n"
    ) in output
    assert "sum              60    564      466   78   20   18     116   20.57\n" in output
    assert (
        "anna-0002 (anna): 2 errors in 10 words, 20.00 %\n"
        "  reference:   a band of rain will reach the islands before noon\n"
        "  hypothesis:  a band of rain will reach the island  befor  noon\n"
        "                                             S       S\n"
    ) in output


def test_several_systems(capsys: pytest.CaptureFixture[str]) -> None:
    output = printed(capsys, "wer", *TRN, "improved.trn")
    assert re.findall("^(?:==|%WER).*", output, re.MULTILINE) == [
        "== baseline.trn",
        "%WER 20.57 [ 116 / 564, 18 ins, 20 del, 78 sub ]",
        "== improved.trn",
        "%WER 14.01 [ 79 / 564, 14 ins, 19 del, 46 sub ]",
    ]


def test_markdown_says_what_the_text_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.trn").write_text("a b (anne-1)\nc|d (bob-1)\n")
    (tmp_path / "h.trn").write_text("a *x* (anne-1)\nc|d (bob-1)\n")
    (tmp_path / "g.trn").write_text("a b (anne-1)\nc|d (bob-1)\n")
    paths = [str(tmp_path / name) for name in ("r.trn", "h.trn", "g.trn")]
    command = ("wer", *paths, "--by", "speaker", "--per-utterance", "--confidence-interval")
    output = printed(capsys, *command, "--markdown", "-")
    assert output.count("\n## ") == 7  # the ranking is one
    assert "\n- %WER 33.33 \\[ 1 / 3, 0 ins, 0 del, 1 sub \\]\n" in output
    assert "\n- confidence interval: " in output
    assert "\n| speaker | utterances | words | correct |" in output
    assert "\n| anne | 1 | 2 | 1 | 1 | 0 | 0 | 1 | 50.00 |\n" in output
    assert "\n  hypothesis:  a *x*\n" in output
    status, _, errors = told(capsys, *command, "--markdown", "-", "--json", "-")
    assert (status, "standard output takes one report only" in errors) == (2, True)


def test_the_interval_names_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["wer", *TRN, "--confidence-interval", "--confidence-level", "90", "--seed", "7"]
    output = printed(capsys, *arguments, "--block", "speaker", "--replications", "500")
    assert re.search(
        r"^confidence interval: \d+\.\d\d to \d+\.\d\d % \(only 4 speakers\) \(90 % Student's t of "
        r"the log rate, 4 units by speaker\)$",
        output,
        re.MULTILINE,
    )
    arguments += ["--interval", "percentile"]
    output = printed(capsys, *arguments, "--block", "speaker", "--replications", "500")
    assert re.search(
        r"^confidence interval: \d+\.\d\d to \d+\.\d\d % \(only 4 speakers\) \(90 % percentile "
        r"bootstrap, 4 units by speaker, 500 replications, seed 7\)$",
        output,
        re.MULTILINE,
    )


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, _ = told(capsys, "wer", *TRN, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(output)))
    assert status == 0
    assert len(rows) == 60
    assert sum(int(row["errors"]) for row in rows) == 116
    assert rows[1]["edits"] == "CCCCCCCSSC"
    _, output, _ = told(capsys, "wer", *TRN, "--pairs", "-")
    places = list(csv.DictReader(io.StringIO(output)))
    assert sum(row["edit"] in "SDI" for row in places) == 116
    assert places[3] == {
        "hypothesis_file": "baseline.trn",
        "utterance": "anna-0001",
        "place": "4",
        "edit": "S",
        "reference": "is",
        "hypothesis": "was",
    }


@pytest.mark.parametrize("flags", [[], ["--per-utterance", "--per-speaker"], ["--json", "-"]])
def test_shards_and_one_run_print_the_same(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = []
    for number in (1, 2, 3, 4):
        parts.append(str(tmp_path / f"{number}.json"))
        shard = ["--shard", f"{number}/4", "--shard-output", parts[-1]]
        assert told(capsys, "wer", *TRN, "improved.trn", *shard) == (0, "", "")
    one = told(capsys, "wer", *TRN, "improved.trn", "--confidence-interval", *flags)
    assert told(capsys, "merge", *reversed(parts), "--confidence-interval", *flags) == one
    assert one[0] == 0


def test_jobs_print_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files with enough words for two threads, of 60,000 words each."""
    paths = []
    for name in ("reference", "improved"):
        lines = Path(f"{name}.trn").read_text().splitlines()
        path = tmp_path / f"{name}.trn"
        path.write_text(
            "".join(
                f"{line.replace('-00', f'-{number:03d}')}\n"
                for number in range(230)
                for line in lines
            )
        )
        paths.append(str(path))
    assert len(Path(paths[0]).read_text().split()) > 130_000
    flags = ["--json", "-"]
    assert told(capsys, "wer", *paths, "--jobs", "2", *flags) == told(capsys, "wer", *paths, *flags)


def test_speakers_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kaldi = "kaldi_baseline/scoring_kaldi"
    texts = [f"{kaldi}/test_filt.txt", f"{kaldi}/penalty_0.0/8.txt"]
    formats = ["--reference-format", "kaldi-text", "--hypothesis-format", "kaldi-text"]
    flags = [*formats, "--profile", "kaldi", "--utt2spk", "kaldi_baseline/utt2spk", "--per-speaker"]
    output = printed(capsys, "wer", *texts, *flags)
    assert output.startswith("%WER 14.01 [ 79 / 564, 14 ins, 19 del, 46 sub ]\n%SER 68.33")
    assert re.search("^dan +15 ", output, re.MULTILINE)


def test_warnings_name_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hyp.trn").write_text("good morning (anna-0001)\nwho (eve-0001)\n")
    path = str(tmp_path / "hyp.trn")
    status, output, errors = told(capsys, "wer", "reference.trn", path)
    assert status == 0
    assert "%WER 99.65 [ 562 / 564, 0 ins, 562 del, 0 sub ] [PARTIAL]\n" in output
    assert "Scored 60 sentences, 59 not present in hyp.\n" in output
    unscored = {"words": 1, "number": 1, "names": ["eve-0001"]}
    missing = {"number": 59, "names": [*(f"anna-{at:04}" for at in range(2, 12)), "…"]}
    assert errors.splitlines() == [
        f"scoring: warning: {message_text(entry, path=path, unit='word', **fields)} [{entry.code}]"
        for entry, fields in ((UNSCORED, unscored), (DELETED, missing))
    ]
    status, output, errors = told(capsys, "wer", "reference.trn", path, "--missing", "skip")
    assert "%WER 83.33 [ 10 / 12, 0 ins, 10 del, 0 sub ] [PARTIAL]\n" in output
    dropped = message_text(DROPPED, path=path, words=552, **missing)
    assert f"scoring: warning: {dropped} [{DROPPED.code}]\n" in errors
    status, _, errors = told(capsys, "wer", "reference.trn", path, "--missing", "error")
    assert status == 2
    assert errors.startswith(
        f"scoring: error: {path}: expected a hypothesis for every reference of reference.trn, found none "
        "for 59: anna-0002,"
    )


def test_silence_has_no_rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("r", ""), ("h", "noise")):
        (tmp_path / f"{name}.trn").write_text(f"{text} (a-1)\n")
    paths = [str(tmp_path / "r.trn"), str(tmp_path / "h.trn")]
    flags = ["--per-speaker", "--confidence-interval"]
    errors = refused(capsys, "wer", *paths, *flags)
    assert message_text(NOTHING_SCORED, path=paths[0]) in errors
    status, output, errors = told(capsys, "wer", *paths, *flags, "--allow-empty")
    assert status == 0
    assert output.startswith("%WER n/a [ 1 / 0, 1 ins, 0 del, 0 sub ]\n%SER 100.00 [ 1 / 1 ]\n")
    assert "rates: corpus n/a %; mean of utterances n/a %; MER 100.00 %; WIL n/a %\n" in output
    assert "nan" not in output.lower()
    no_rate = message_text(NO_RATE, path=paths[0], unit="word")
    assert errors == f"scoring: warning: {no_rate} [{NO_RATE.code}]\n"


@pytest.mark.parametrize(
    ("limit", "status"), [("20.5", 3), ("20.5%", 3), ("20.6%", 0), ("20.6", 0), ("0", 3)]
)
def test_a_threshold(limit: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "wer", *TRN, "--fail-above", limit)
    assert found[0] == status
    shown = limit.removesuffix("%")
    message = f"scoring: error: baseline.trn: error rate 20.57 % is above {shown} %\n"
    assert found[2] == (message if status else "")


USAGE = [
    (["xyz"], "scoring: error: expected a command, found 'xyz'\nsee scoring --help\n"),
    (["hubscr"], "found 'hubscr'; did you mean sctk hubscr.pl?\n"),
    (["best_wer.sh"], "found 'best_wer.sh'; did you mean wer DECODE_FOLDER?\n"),
    (["wer", *TRN, "--glm", "x"], "(did you mean --normalize glm:file=FILE?)\n"),
    (["cmpare"], "found 'cmpare'; did you mean compare?\n"),
    (["wer", TRN[0]], "no hypothesis for reference.trn: give it after the reference (REF HYP, or -h HYP)\n"),
    (["wer", "x"], "x: expected a file or folder, found neither\n"),
    (["wer", "refernce.trn"], "refernce.trn: expected a file or folder, found neither (did you mean reference.trn?)\n"),
    (["wer", *TRN, "--profile", "x"], wrong_value("--profile", "expected sclite, ")),
    (["wer", *TRN, "--profile", "kaldii"], "; did you mean kaldi?"),
    (["wer", *TRN, "--per-spk"], "unrecognized arguments: --per-spk (did you mean --per-speaker?)\nsee scoring wer --help\n"),
    (["wer", "-r", "x", "--hypothesis", "y"], "unrecognized arguments: --hypothesis (did you mean -h?)\n"),
    (["wer", *TRN, "-o", "sumary"], "found 'sumary'; did you mean sum or rsum?\nsee scoring wer --help\n"),
    (["wer", *TRN, "--normalize", "plain,casefold"], message_text(STEPS_IN_ONE, text="plain,casefold", options=[Advice("normalize", "plain"), Advice("normalize", "casefold")])),
    (["wer", *TRN, "--jobs", "0"], wrong_value("--jobs", "expected a whole number from 1, found '0'")),
    (
        ["wer", *TRN, "--fail-above", "+5%"],
        message_text(INCREASE, text="+5%", amount="5%"),
    ),
    (["wer", *TRN, "--confidence-level", "100"], "expected percent such as 95 or 95%, found '100'"),
    (["wer", *TRN, "--shard", "3/2", "--shard-output", "x"], "expected a shard N/M, N from 1 to M, found '3/2'"),
    (["wer", *TRN, "--shard", "1/2"], "--shard and --shard-output go together\n"),
    (["wer", *TRN, "--shard", "1/2", "--shard-output", "x", "--csv", "y"], apart(csv="--csv", shard="--shard")),
    (["wer", *TRN, "--csv", "-", "--json", "-"], "standard output takes one report only\n"),
    (["wer", "-", "-"], "standard input can be read only once\n"),
    (["wer", *TRN, "baseline.trn"], "a hypothesis is named twice\n"),
    (["wer", "-", *TRN], "with several hypotheses the reference must be a file\n"),
    (["compare", "x"], "expected BASELINE and NEW, found only one\n"),
    (["compare", "x", "y", "--fail-above", "much"], message_text(NOT_A_RATE, text="much")),
    (["compare", "x", "y", "--fail-increase", "5"], "which of 5% and 5pt is meant?"),
    (["diff", "x", "y", "-o", "z"], "unrecognized arguments: -o z (did you mean --output?)\n"),
    (["normalize", "x", "-o", "z"], "unrecognized arguments: -o z (did you mean --output?)\n"),
    (["compare", "x", "y", "--significance", "5"], wrong_value("--significance", "expected a p-value such as 0.05 or 5%, found '5'")),
    (["compare", "-", "y"], "expected files, found standard input (-), which can be read only once: save it to a file\n"),
    (["merge"], "the following arguments are required: SHARD\n"),
]  # fmt: skip


@each_case(("arguments", "text"), USAGE, ids=lambda one: " ".join(one)[:40])
def test_wrong_usage(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    errors = refused(capsys, *arguments)
    assert text in errors
    assert "Traceback" not in errors


BAD_INPUT = [
    (["wer", "nowhere.trn", "baseline.trn"], "scoring: error: nowhere.trn: expected a readable file, found no such file\n"),
    (["wer", *TRN, "--encoding", "klingon"], None),
    (["wer", *TRN, "--reference-format", "doc"], None),
    (["wer", "README.md", "baseline.trn"], None),
    (["wer", ".", "baseline.trn"], None),
    (["merge", "nowhere.json"], "scoring: error: nowhere.json: No such file or directory\n"),
    (["merge", "."], "scoring: error: .: Is a directory\n"),
    (["merge", "reference.trn"], "scoring: error: reference.trn:1:1: expected a result of `scoring wer --json`, found no JSON\n"),
    (["compare", "nowhere", "x"], "scoring: error: nowhere: expected a readable file, found no such file\n"),
    (["compare", ".", "reference.trn"], "scoring: error: .: expected Kaldi's scoring directory with wer_details/per_utt, cer_details/per_utt or hypotheses, found none\n"),
    (
        ["compare", *TRN],
        f"scoring: error: reference.trn: {message_text(LACKS_REFERENCE)} [{LACKS_REFERENCE.code}]\n",
    ),
    (["wer", *TRN, "--json", "nowhere/x.json"], "scoring: error: nowhere/x.json: cannot be written: its folder does not exist\n"),
    (["wer", *TRN, "--csv", "."], "scoring: error: .: cannot be written: Is a directory\n"),
    (["wer", *TRN, "--utt2spk", "reference.trn"], "scoring: error: reference.trn:1:14: expected an utterance and its speaker, found 13 fields\n"),
    (["wer", *TRN, "--confidence-interval", "--replications", "5"], "scoring: error: replications: 5 are too few for an interval of 0.95, which takes 40\n"),
]  # fmt: skip


@each_case(("arguments", "text"), BAD_INPUT, ids=lambda one: " ".join(one)[:40] if one else "any")
def test_bad_input(
    arguments: list[str], text: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, errors = told(capsys, *arguments)
    assert status in ((1, 2) if text is None else (2,))
    assert errors.startswith("scoring: ")
    assert "Traceback" not in errors
    assert errors.count("\n") == 1
    if text is not None:
        assert errors == text


def test_speakers_that_are_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "utt2spk"
    path.write_text("anna-0001 anna\n")
    missing = {"number": 59, "total": 60, "name": "anna-0002"}
    status, _, errors = told(capsys, "wer", *TRN, "--utt2spk", str(path))
    assert (status, errors) == (
        2,
        f"scoring: error: {path}: {message_text(SPEAKERS_MISSING, **missing)} [NO-SPEAKERS]\n",
    )
    path.write_text("a x\na y\n")
    status, _, errors = told(capsys, "wer", *TRN, "--utt2spk", str(path))
    assert (status, errors) == (
        2,
        f"scoring: error: {path}:2:1: expected another utterance, found 'a' again\n",
    )


def test_no_speakers_to_resample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = [tmp_path / "text", tmp_path / "hypothesis"]
    for path in sides:
        path.write_text("u1 a\nu2 b\n")
    formats = ["--reference-format", "kaldi-text", "--hypothesis-format", "kaldi-text"]
    flags = [*formats, "--confidence-interval", "--block", "speaker"]
    status, _, errors = told(capsys, "wer", *map(str, sides), *flags)
    assert (status, errors) == (
        2,
        f"scoring: error: {message_text(NO_SPEAKER_TO_DRAW, option='--block speaker', name='u1')} [{NO_SPEAKER_TO_DRAW.code}]\n",
    )


def test_kaldis_programs_are_behind_the_same_door() -> None:
    done = run(
        "kaldi",
        "compute-wer",
        "--mode=present",
        "ark:kaldi_baseline/scoring_kaldi/test_filt.txt",
        "ark:kaldi_baseline/scoring_kaldi/penalty_0.0/8.txt",
    )
    recorded = Path("kaldi_baseline/wer_8_0.0").read_text().splitlines()[1:]
    assert (done.returncode, done.stdout.splitlines()) == (0, recorded)


def test_standard_input_and_output() -> None:
    done = python(
        "-m scoring wer - baseline.trn --json -", input=Path("reference.trn").read_bytes()
    )
    assert (done.returncode, done.stderr) == (0, b"")
    [system] = json.loads(done.stdout)["systems"]
    assert system["counts"]["errors"] == 116
    assert system["reference"] == {"path": "-", "name": None, "format": "trn", "sha256": None}


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs /dev/stdout")
def test_output_goes_to_dev_stdout_in_a_pipe() -> None:
    done = run("diff", *TRN, "--output", "/dev/stdout")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("diff", *TRN).stdout != ""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk(unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = python(
            "-m scoring wer",
            *TRN,
            env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr == (
        "scoring: error: standard output: cannot be written: No space left on device\n"
    )


@pytest.mark.parametrize(
    ("number", "status", "text"),
    [(signal.SIGINT, 130, "scoring: error: interrupted\n"), (signal.SIGTERM, 143, "")],
)
def test_an_interruption(number: int, status: int, text: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "scoring", "wer", "-", "baseline.trn", "--reference-format", "trn"],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        # more than a pipe holds: once it is written the command is reading, and waits for more
        process.stdin.write(";; a comment\n" * 20_000)
        process.stdin.flush()
        process.send_signal(number)
        _, errors = process.communicate()
    assert process.returncode == status
    assert errors == text


def test_files_are_whole_or_not_there(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")
    assert run("wer", *TRN, "--json", str(target), "--csv", "nowhere/x").returncode == 2
    assert json.loads(target.read_text())["schema"] == "sclite-kit/error-rates"
    assert list(tmp_path.iterdir()) == [target]


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    code = "import sys, scoring.cli.scoring; print(*sys.modules)"
    done = python("-S -c", code, text=True, check=True)
    assert not {"argparse", "json", "numpy", "csv", "fractions"} & set(done.stdout.split())


def test_csv_for_spreadsheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.trn").write_text("=a(1) b (-u_1)\n", "utf-8")
    (tmp_path / "h.trn").write_text("@x b +c (-u_1)\n", "utf-8")
    files = [str(tmp_path / name) for name in ("r.trn", "h.trn")]
    _, pairs, _ = told(capsys, "wer", *files, "--pairs", "-", "--csv-safe")
    assert [line.split(",", 1)[1] for line in pairs.splitlines()[1:]] == [
        "'-u_1,1,S,'=a(1),'@x",
        "'-u_1,2,C,b,b",
        "'-u_1,3,I,,'+c",
    ]
    _, rows, _ = told(capsys, "wer", *files, "--csv", "-", "--csv-safe")
    assert rows.splitlines()[1].endswith(",SCI,'=a(1) b,'@x b +c")
    _, plain, _ = told(capsys, "wer", *files, "--pairs", "-")
    assert ",=a(1),@x\n" in plain


def test_help_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for arguments in (["help", "wer"], ["wer", "--help"], ["help"], ["--help"]):
        assert main(arguments) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert texts[2] == texts[3]


def test_characters_are_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("r", "the cat"), ("h", "the hat")):
        (tmp_path / name).with_suffix(".txt").write_text(f"{text}\n")
    sides = [str(tmp_path / "r.txt"), str(tmp_path / "h.txt")]
    assert main(["cer", *sides]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "%CER 14.29 [ 1 / 7, 0 ins, 0 del, 1 sub ]"
    assert lines[3] == "characters: 7 in the reference, 7 in the hypothesis, 6 correct"
    sums = tmp_path / "sums"
    sums.write_text("\n".join(lines))
    (imported,) = read_sums(sums.read_text(), str(sums))
    assert (imported.words, imported.errors, imported.unit) == (7, 1, "char")


def test_an_unknown_utterance_is_answered_with_those_that_exist() -> None:
    rates = scoring.wer(["a", "b"], ["a", "c"])
    with pytest.raises(KeyError, match="out of 2, such as '000001', '000002', found '1'"):
        rates.alignment("1")

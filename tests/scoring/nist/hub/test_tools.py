"""The validators and RTTM tools against runs of the originals, and beyond what those tell."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import formats.cli
from scoring.cli.nist.sctk import PROGRAMS
from tests.golden_case import Golden, golden_cases
from tests.judge import MISSING, judge
from tests.judges.hub.tools import JUDGED, compare, draw_case

CASES = golden_cases("hub/validators", "hub/filters")
OURS = (
    "chfilt",
    "ctmValidator",
    "stmValidator",
    "rttm",
    "stm2rttm",
    "slatreport",
    "spkr2sad",
    "merge",
)
USAGE = b"Version: "


class Outcome(NamedTuple):
    status: int
    stdout: bytes
    stderr: bytes


class Runner:
    """Runs a program in this process, in the test's own folder."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[bytes]
    ) -> None:
        self.folder, self._patch, self._capture = folder, patch, capture

    def __call__(self, program: str, *arguments: str, stdin: bytes = b"") -> Outcome:
        self._patch.chdir(self.folder)
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        return Outcome(PROGRAMS[program](arguments), *self._capture.readouterr())


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Runner:
    return Runner(tmp_path, monkeypatch, capsysbinary)


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.arguments[0].startswith(OURS)],
    ids=lambda case: f"{case.group}-{case.name}",
)
def test_golden(case: Golden, run: Runner) -> None:
    case.lay_out(run.folder)
    before = {path.name for path in run.folder.iterdir()}
    program, *arguments = case.arguments
    found = run(program, *arguments, stdin=case.parts.get("stdin", b""))
    assert found.stdout == case.parts["expected/stdout"]
    assert found.status == int(case.text("expected/status"))
    assert found.stderr.strip() == case.parts.get("expected/stderr", b"").strip()
    assert {path.name for path in run.folder.iterdir()} == before


@pytest.mark.parametrize("program", ["ctmValidator.pl", "stmValidator.pl", "rttmValidator.pl"])
def test_a_validator_without_a_file_tells_its_usage_and_version(program: str, run: Runner) -> None:
    found = run(program)
    assert USAGE in (found.stdout if program.startswith("ctm") else found.stderr)
    assert found.status == (0 if program.startswith("ctm") else 255)


def test_latencies_are_summed_group_by_group(run: Runner) -> None:
    def written(kind: str, begin: str, put_out: str) -> str:
        return f"{kind} f 1 {begin} <NA> <NA> <NA> amy <NA> {put_out}\n"

    rows = [("A/P", "0", "1e16"), ("IP", "0", "1"), ("A/P", "1e16", "0"), ("IP", "1", "2")]
    (run.folder / "a.rttm").write_text("".join(written(*row) for row in rows))
    arguments = ("-i", "a.rttm", "-o", "/dev/null")
    found = run("slatreport.pl", *arguments)
    # 1 + 1 and 1e16 - 1e16 in either order; line by line, the sum is 1
    assert found.stdout.count(b"  Mean: 0.500\n") == 3
    path = judge("slatreport.pl")
    for seed in range(5 if path else 0):
        truth = subprocess.run(
            [str(path), *arguments],
            cwd=run.folder,
            capture_output=True,
            env={"PERL_HASH_SEED": str(seed), "PERL_PERTURB_KEYS": "2"},
            check=True,
        )
        assert truth.stdout == found.stdout


def test_the_rttm_validator_heads_its_report(run: Runner) -> None:
    (run.folder / "a.rttm").write_bytes(b"SPKR-INFO a 1 <NA> <NA> <NA> unknown x <NA>\n")
    first, second = run("rttmValidator.pl", "-u", "-i", "a.rttm").stdout.decode().splitlines()
    assert first.startswith("rttmValidator.pl (version v13) run on 2")
    assert second == "command line:  rttmValidator.pl (version v13) -u -i a.rttm"


def test_sorting_keeps_the_order_of_what_is_equal(run: Runner) -> None:
    lines = [
        b"LEXEME a 1 1.00 1 b lex x <NA>",
        b"LEXEME a 1 1.0 1 c lex x <NA>",
        b"SPEAKER a 1 1.00 1 <NA> <NA> x <NA>",
        b"LEXEME a 1 1.00 1 a lex x <NA>",
    ]
    found = run("rttmSort.pl", stdin=b"\n".join(lines) + b"\n")
    assert found.stdout.splitlines() == [lines[2], lines[0], lines[3], lines[1]]


def test_after_a_joined_segment_two_are_passed_over(run: Runner) -> None:
    starts = [(0, 1), (1.1, 2), (2.1, 3), (3.1, 4), (4.1, 5), (5.1, 6)]
    text = "".join(f"f 1 amy {begin} {end} <o> w\n" for begin, end in starts)
    found = run("stm2rttm.pl", "-e", "rt05s", stdin=text.encode())
    times = [line.split()[3:5] for line in found.stdout.decode().splitlines()[1:]]
    assert times == [["0", "2.000"], ["2.1", "0.900"], ["3.1", "0.900"], ["4.1", "1.900"]]


def test_words_are_given_the_speaker_in_whose_turn_they_lie(run: Runner) -> None:
    (run.folder / "r.rttm").write_bytes(
        b"SPKR-INFO a 1 <NA> <NA> <NA> adult_male x <NA>\n"
        b"SPEAKER a 1 0 1.0 <NA> <NA> x <NA>\nSPEAKER a 1 0.5 2.0 <NA> <NA> y <NA>\n"
    )
    (run.folder / "h.ctm").write_bytes(
        b"a 1 0.6 0.2 both 0.9 lex\na 1 1.5 0.2 hers NA lex\na 1 9 1 nobody 1 lex\n"
    )
    found = run("mergectm2rttm.pl", "-r", "r.rttm", "-c", "h.ctm")
    assert found.status == 255
    assert found.stderr.startswith(b"malformed line")
    (run.folder / "h.ctm").write_bytes(b"a 1 0.6 0.2 both 0.9 lex\na 1 9 1 nobody 1 lex\n")
    found = run("mergectm2rttm.pl", "-r", "r.rttm", "-c", "h.ctm")
    assert found.stdout.decode().splitlines() == [
        "SPKR-INFO a 1 <NA> <NA> <NA> unknown x <NA>",
        "SPEAKER a 1 0.6 0.2 <NA> <NA> x <NA>",
        "LEXEME a 1 0.6 0.2 both lex x 0.9",
        ";; type file chnl tbeg tdur ortho stype name conf",
    ]


def test_formats_convert_gives_what_three_programs_give(run: Runner) -> None:
    turns = """\
SPKR-INFO a 1 <NA> <NA> <NA> adult_male amy <NA> <NA>
SPKR-INFO a 1 <NA> <NA> <NA> unknown bob <NA> <NA>
SPEAKER a 1 0.500 1.000 <NA> <NA> amy <NA> <NA>
LEXEME a 1 0.500 0.250 well lex amy 0.75 <NA>
LEXEME a 1 0.900 0.200 uh fp amy 0.5 <NA>
NON-LEX a 1 1.100 0.100 <NA> breath amy <NA> <NA>
SPEAKER a 1 2.000 1.500 <NA> <NA> bob <NA> <NA>
LEXEME a 1 2.000 0.250 yes lex bob 0.25 <NA>
"""
    (run.folder / "t.rttm").write_text(turns)
    words = (
        "a 1 0.500 0.250 well 0.75 lex\na 1 1.000 0.250 so 0.5 lex\na 1 2.750 0.250 yes 0.25 lex\n"
    )
    (run.folder / "w.ctm").write_text(words)

    def converted(*arguments: str) -> bytes:
        assert formats.cli.main(["convert", *arguments, "o.out"]) == 0
        return Path("o.out").read_bytes()

    made = run("rttm2ctm.pl", "-i", "t.rttm").stdout
    assert made.count(b"\n") == 2
    assert converted("t.rttm", "--to", "ctm", "--lexical-only") == made
    made = run("spkr2sad.pl", "t.rttm").stdout
    assert made.count(b" speech ") == 3
    assert converted("t.rttm", "--to", "rttm", "--speech-only") == made
    made = run("mergectm2rttm.pl", "-r", "t.rttm", "-c", "w.ctm").stdout
    *lines, head = made.splitlines()
    assert (head[:2], len(lines)) == (b";;", 7)
    tenth = b"".join(line + b" <NA>\n" for line in lines)
    merged = converted(
        "w.ctm", "--to", "rttm", "--speakers", "t.rttm", "--rttm-words", "--speaker-info"
    )
    assert merged == tenth


def test_a_malformed_line_leaves_no_half_ctm(run: Runner) -> None:
    text = b"LEXEME a 1 1 1 b lex x <NA>\nnothing\n"
    found = run("rttm2ctm.pl", stdin=text)
    assert found.status == 255
    assert found.stdout == b"a 1 1 1 b <NA>\n"
    found = run("rttm2ctm.pl", "-o", "out.ctm", stdin=text)
    assert found.status == 255
    assert not (run.folder / "out.ctm").exists()


@pytest.mark.share(5)
@pytest.mark.skipif(judge("rttmSort.pl") is None, reason=MISSING)
@pytest.mark.parametrize("program", JUDGED)
def test_random_cases_give_what_the_original_gives(program: str) -> None:
    for number in range(4):
        case = draw_case(program, 0, number)
        truth, ours = compare(case)
        assert ours == truth, case


ALIGNED = """\
[ALIGNMENT] Aligned,SegGrpID,File,Channel,Eval,RefSegID
[  DEBUG  ] Using Word cost model
[ALIGNMENT] SG,50,a/meet,1,,1,1.000,3.000,ann,4,,,the,,,5,,,,,,,,,,,
[ALIGNMENT] SG,50,a/meet,1,,1,1.000,3.000,ann,5,,,<cat>,,4,,,,,,,,,,,,
[ALIGNMENT] SG,50,a/meet,1,,,,,,,,,,,,,14,1.100,1.400,x,17,1.100,1.400,the,,,
[ALIGNMENT] YES,50,a/meet,1,C,1,1.000,3.000,ann,4,,,the,,,5,14,1.1,1.4,x,17,1.1,1.4,the,,,
[ALIGNMENT] YES,50,a/meet,1,D,1,1.000,3.000,ann,5,,,<cat>,,4,,,,,,,,,,,,
[ALIGNMENT] YES,51,a/meet,1,I,,,,,,,,,,,,18,6.000,6.500,x,21,6.000,6.500,bye,,,
"""


def test_alignments_are_listed_page_by_page(run: Runner) -> None:
    (run.folder / "log").write_text(ALIGNED)
    (run.folder / "map").write_text("File,Channel\na/meet,1,Ann,x,mapped,1.0\n")
    assert run("align2html.pl", "-m", "map", "--align=log", "-o", "out") == (0, b"", b"")
    pages = {path.name: path.read_text() for path in (run.folder / "out").iterdir()}
    assert sorted(pages) == [
        "a_meet_1.html",
        "index.html",
        "segmentgroup-50.html",
        "segmentgroup-51.html",
    ]
    cells = "<td>2</td><td>2.500</td><td>2</td><td>2.500</td><td>2</td><td>50.0% (1)</td>"
    rest = "<td>0.0% (0)</td><td>50.0% (1)</td><td>50.0% (1)</td><td>0.0% (0)</td>"
    row = f'<tr><td><a href="a_meet_1.html">a/meet/1</a></td>{cells}{rest}<td>100.0% (2)</td></tr>'
    assert row in pages["index.html"]
    group = pages["segmentgroup-50.html"]
    assert "<li>correct: ref ann <b>the</b> – hyp x <b>the</b></li>" in group
    assert "<li>deleted: ref ann <b>&lt;cat&gt;</b></li>" in group
    assert "Mapping: Ann = x" in group
    assert "1.000 s – 3.000 s" in group
    assert not any("<script" in page for page in pages.values())


def test_a_log_without_alignments_is_an_empty_index(run: Runner) -> None:
    (run.folder / "log").write_bytes(b"[ALIGNMENT] SG\n[ALIGNMENT] SG,1,\xff\n")
    assert run("align2html.pl", "-a", "log", "-o", "out").status == 0
    assert {*os.listdir(run.folder / "out")} == {"index.html"}
    assert run("align2html.pl", "-o", "out").stderr == b"ERROR: An Align file must be set.\n"
    missing = run("align2html.pl", "-a", "none", "-o", "out")
    assert missing == (2, b"", b"Unable to open for read alignfile file 'none'\n")


def test_a_log_without_a_reference_is_refused(run: Runner) -> None:
    (run.folder / "log").write_bytes(b"[ALIGNMENT] SG\n[ALIGNMENT] YES,1,f,A,,1,\xff\n")
    found = run("align2html.pl", "-a", "log", "-o", "out")
    assert found == (255, b"", b"Unknown type: line 2: expected one of C, S, I, D, P, found ''\n")
    assert not (run.folder / "out").exists()


def test_a_transcript_of_callhome_becomes_an_stm(run: Runner) -> None:
    (run.folder / "call.txt").write_text("0.00 1.50 A: hello %uh\n1.50 2.00 B1: wor- it's\n")
    found = run(
        "chfilt.pl", "-l", "english", "-d", "-i", "-b", "0", "-e", "3", "call.txt", "--", "-"
    )
    assert found.status == 0
    assert found.stderr == b""
    assert found.stdout.decode().splitlines()[2:] == [
        "call A call_A 0.00   1.50 <O>  HELLO (%HESITATION) ",
        "call A call_A_inter_segment_gap 1.50   3.00 <O> ",
        "call B call_B_inter_segment_gap 0   1.50 <O> ",
        "call B call_B1 1.50   2.00 <O>  (WOR-) IT'S ",
        "call B call_B_inter_segment_gap 2.00   3.00 <O> ",
    ]


@pytest.mark.parametrize(
    ("words", "turns"),
    [((), ["SAID A OK", "Y Z B D"]), (("-d",), ["(SAID) (A) OK", "(Y) (Z) B (D)"])],
)
def test_the_name_of_a_language_ends_at_a_blank(
    run: Runner, words: tuple[str, ...], turns: list[str]
) -> None:
    """As the original prints it, which takes brackets into that name."""
    text = "0.00 1.50 A: <French_bon> said a> ok\n1.50 2.00 B: <<x> y z> <a> b <c d>\n"
    (run.folder / "call.txt").write_text(text)
    found = run("chfilt.pl", "-l", "english", *words, "call.txt", "--", "-")
    assert found.stdout.decode().splitlines()[2:] == [
        f"call A call_A 0.00   1.50 <O>  {turns[0]} ",
        f"call B call_B 1.50   2.00 <O>  {turns[1]} ",
    ]


def test_a_transcript_that_is_none_leaves_no_file(run: Runner) -> None:
    (run.folder / "call.txt").write_text("hello\n")
    found = run("chfilt.pl", "-l", "english", "call.txt", "out.stm")
    assert found.status == 255
    assert found.stderr.startswith(b"Illegal format, first line does not have a begin time")
    assert not (run.folder / "out.stm").exists()
    assert b"Error: Language not recognized" in run("chfilt.pl", "-l", "x", "a", "b").stdout


def test_a_turn_behind_blanks_is_refused_where_it_would_be_written(run: Runner) -> None:
    """The original writes its times in the place of channel and speaker."""
    turns = "0.00 1.50 A: hello\n 1.50 2.00 B: yes\n"
    (run.folder / "call.txt").write_text(turns)
    found = run("chfilt.pl", "-l", "english", "call.txt", "out.stm")
    problem = "expected a turn without blanks before it, found ' 1.50 2.00 B'"
    assert (found.status, found.stdout) == (1, b"")
    assert found.stderr.decode() == f"chfilt.pl: call.txt:2:1: {problem}\n"
    assert not (run.folder / "out.stm").exists()
    # without words it is left out
    (run.folder / "call.txt").write_text(turns.replace("yes", ""))
    assert run("chfilt.pl", "-l", "english", "call.txt", "out.stm").status == 0
    assert b"call A call_A 0.00   1.50" in (run.folder / "out.stm").read_bytes()


def test_a_second_mark_of_a_speaker_in_a_turn_is_warned_of(run: Runner) -> None:
    (run.folder / "call.txt").write_text("# head\n0.00 1.50 A: take B12: daily\n")
    found = run("chfilt.pl", "-l", "english", "call.txt", "--", "-")
    assert found.status == 0
    assert found.stdout.splitlines()[-1] == b"call A: call_A: 0.00   1.50 <O>  DAILY "
    lost = "all before the last mark of a speaker, B12:, is left out"
    assert found.stderr.decode() == f"chfilt.pl: warning: call.txt:2: {lost}\n"


def test_joined_segments_of_changed_words_stay_on_one_line(run: Runner) -> None:
    (run.folder / "call.txt").write_text("0.00 1.50 A: well-known\n1.60 2.00 A: yes\n")
    words = ("-a", "-q", "yes=yeah", "-s", "0.2")
    found = run("chfilt.pl", "-l", "english", *words, "call.txt", "--", "-")
    assert found.stdout.splitlines()[2:] == [
        b"call A call_A 0.00 2.00 <O> { WELL KNOWN / WELLKNOWN / WELL-KNOWN } { YES / YEAH }"
    ]


def test_of_mississippi_s_lines_the_first_word_goes(run: Runner) -> None:
    text = "r-1 0.00 1.50 A: hello\nlonely\nr-1 more\nr-2 1.50 2.00 B: ~n~b *x"
    (run.folder / "call.txt").write_text(text)
    found = run("chfilt.pl", "-l", "english", "-m", "call.txt", "--", "-")
    assert [line.split(b"<O>")[1].split() for line in found.stdout.splitlines()[2:]] == [
        [b"HELLO", b"MORE"],
        [b"N", b"B", b"X"],
    ]


def test_a_program_prints_the_path_that_it_was_called_by(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run.folder / "a.rttm").write_bytes(b"")
    monkeypatch.setattr(sys, "argv", ["tools/sctk/bin/rttmValidator.pl", "-i", "a.rttm"])
    first, second = run("rttmValidator.pl", "-i", "a.rttm").stdout.decode().splitlines()
    assert first.startswith("tools/sctk/bin/rttmValidator.pl (version v13) run on 2")
    assert second == "command line:  tools/sctk/bin/rttmValidator.pl (version v13) -i a.rttm"


def test_a_missing_lexicon_is_named_without_the_usage(run: Runner) -> None:
    found = run("acomp.pl", "-l", "no.lex", "-", "-")
    assert (found.status, found.stdout) == (2, b"")
    assert found.stderr == b"Unable to open Lexicon 'no.lex'\n"


def test_a_program_that_is_left_says_why(run: Runner) -> None:
    found = run("utf_filt.pl", "-f", "STM")
    assert found.status == 255
    assert found.stderr.startswith(b"utf_filt.pl: expected a program that is still used")

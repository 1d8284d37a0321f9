"""Our hubscr against stored runs of the original and random ones; what it refuses; its sorters."""

import io
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cli.nist.hubscr_options import USAGE
from scoring.nist.hub.hubscr_sorting import lexical_ctm, sort_ctm, sort_stm
from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases
from tests.judge import MISSING, judge
from tests.judges.frame import ENVIRONMENT, run_limited, run_with
from tests.judges.hub.hubscr import (
    LABELS,
    MAP,
    Case,
    difference,
    draw,
    own_words,
    parts_of,
    run_original,
    run_ours,
)
from tests.judges.sclite.compare import Outcome, unified_difference
from tests.tables import table_of

CASES = golden_cases("hub/hubscr")
# Where ours goes on: a title with a blank does not end sclite's options, German needs no -d.
GOES_ON = {"05", "21"}
SORTERS = {"34", "35"}
SEED, RANDOM_CASES = 14, 4
STM = LABELS + b"f A amy 0 2 <o,f> the grey boat\nf A bob 2 4 <o,m> no\n"
CTM = b"f A 0.1 0.2 the\nf A 0.5 0.2 gray\nf A 1.0 0.3 boat\nf A 2.5 0.2 yes\n"
FILES = {"g.glm": MAP, "r.stm": STM, "h.ctm": CTM}
ENGLISH = ["-g", "g.glm", "-l", "english", "-h", "hub5", "-r", "r.stm"]
LINES = st.sampled_from(
    [b"f A 1 1 a\n", b"f  A 0 1 b\n", b" f\tB .5 1 c \n", b"g A x 1 d\r\n", b";; e\n", b" \n", b"f"]
)


def outcome_of(case: Golden) -> Outcome:
    files = case.expected
    return Outcome(int(files.pop("status")), files.pop("stdout"), files.pop("stderr", b""), files)


def ours(arguments: list[str], **files: bytes) -> Outcome:
    return run_ours(
        Case(arguments, {**FILES, **{name.replace("_", "."): text for name, text in files.items()}})
    )


def test_there_are_goldens() -> None:
    assert CASES


@each_case(
    "case",
    [case for case in CASES if case.name not in GOES_ON | SORTERS],
    ids=lambda case: case.name,
)
def test_golden(case: Golden) -> None:
    expected, ran = outcome_of(case), run_ours(Case(case.arguments, case.inputs))
    assert b"Traceback" not in ran.stderr, ran.stderr.decode()
    text = unified_difference(parts_of(expected), parts_of(ran))
    assert not text, f"{case.name}: {case.text('what')}\n{text}"


@pytest.mark.parametrize("case", [case for case in CASES if case.name in SORTERS])
def test_golden_sorter(case: Golden) -> None:
    sort = {"sortCTM": sort_ctm, "sortSTM": sort_stm}[case.arguments[0]]
    assert sort(case.parts["stdin"]) == case.expected["stdout"]


@pytest.mark.share(3)
@pytest.mark.skipif(judge("hubscr.pl") is None, reason=MISSING)
@pytest.mark.parametrize("number", range(RANDOM_CASES))
def test_random_case(number: int) -> None:
    program = judge("hubscr.pl")
    assert program is not None
    case = draw(SEED, number)
    found = difference(program, case.arguments, run_original(program, case), run_ours(case))
    assert not found, f"{case.arguments}\n{found}"


def test_a_title_with_a_blank_ends_no_options() -> None:
    (case,) = (case for case in CASES if case.name == "05")
    expected, ran = outcome_of(case), run_ours(Case(case.arguments, case.inputs))
    assert ran.status == 0
    assert expected.files.items() <= ran.files.items()
    assert {*ran.files} - {*expected.files} >= {"out/first.filt.sys", "out/first.filt.sgml"}
    assert b"          Sys One          " in (ran.files["out/first.filt.sys"])
    before, _, _ = expected.stdout.partition(b"\n\n\n")
    assert ran.stdout.startswith(before.rstrip(b"\n"))


def test_german_needs_no_more_than_a_lexicon() -> None:
    (case,) = (case for case in CASES if case.name == "21")
    ran = run_ours(Case(["-V", *case.arguments], case.inputs))
    assert (ran.status, ran.stderr) == (0, b"")
    assert "h1.ctm.filt.sys" in ran.files
    arguments = [word if word != "de.lex" else "none" for word in case.arguments]
    refused = run_ours(Case(arguments, case.inputs))
    assert (refused.status, refused.files) == (2, {})
    assert refused.stderr.endswith(b"\n\nError: Unable to access LDC Lexicon file 'none'\n")


@each_case(
    ("arguments", "status", "message"),
    table_of(__file__, "what_is_wrong_is_said_before_anything_is_done"),
)
def test_what_is_wrong_is_said_before_anything_is_done(
    arguments: list[str], status: int, message: bytes
) -> None:
    files = {} if arguments == ["-l"] else {"r.stm": STM}
    words = [*ENGLISH, *(arguments if arguments != ["-l"] else []), "h.ctm"]
    ran = run_ours(Case(words, {"g.glm": MAP, "h.ctm": CTM, **files}))
    assert (ran.status, ran.stdout, ran.files) == (status, b"", {})
    assert ran.stderr.endswith(message)


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [
        (["h.ctm", "h.ctm"], b"h.ctm.filt: cannot be written: it is another of the outputs\n"),
        ([r"h.ctm\#\#r.stm"], b"r.stm.filt: cannot be written: it is another of the outputs\n"),
        ([r"h.ctm\#\#x"], b"x.filt: cannot be written: it is one of the inputs\n"),
    ],
)
def test_no_input_is_written_over(hypotheses: list[str], message: bytes) -> None:
    """The original scores the second system twice, or destroys the map."""
    arguments = [word if word != "g.glm" else "x.filt" for word in ENGLISH]
    ran = run_ours(Case([*arguments, *hypotheses], {"x.filt": MAP, "r.stm": STM, "h.ctm": CTM}))
    assert (ran.status, ran.stdout, ran.files) == (2, b"", {})
    assert ran.stderr == b"hubscr.pl: " + message


def test_a_folder_that_is_not_there_ends_the_chain() -> None:
    ran = ours([*ENGLISH, "-V", r"h.ctm\#\#none/h"])
    assert (ran.status, {*ran.files}) == (255, {"r.stm.filt"})
    assert ran.stderr.splitlines() == [
        b"hubscr.pl: none/h.filt: cannot be written: No such file or directory",
        b"Error: Unable to filter file: h.ctm with command:",
        b"   hubscr.pl sortCTM <  h.ctm | cat | csrfilt.sh -i ctm -t hyp -dh g.glm > none/h.filt",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (MAP.replace(b"[UM] =>", b"[UM]"), b"g.glm:10: expected a map, found: *ERR:"),
        (MAP.replace(b"NIST1", b"NIST2"), b"g.glm: expected "),
        (b';; INPUT_DEPENDENT_APPLICATION = "["\n', b"g.glm:1: expected a regular expression"),
    ],
)
def test_a_map_that_is_wrong_ends_the_chain(text: bytes, problem: bytes) -> None:
    """Of the original the map's error becomes words of the transcripts."""
    ran = ours([*ENGLISH, "-V", "h.ctm"], g_glm=text)
    assert (ran.status != 0, ran.files) == (True, {})
    assert problem in ran.stderr
    assert b"Traceback" not in ran.stderr


def test_a_label_that_is_not_declared_ends_scoring() -> None:
    ran = ours([*ENGLISH, "-V", "h.ctm"], r_stm=STM.replace(b"<o,m>", b"<o,zz>"))
    assert ran.status == 1
    assert own_words(ran.stderr).startswith(
        b"Error: SCLITE execution failed\n      Command: sclite"
    )
    assert ran.files["h.ctm.filt.lur"] == b""
    assert "h.ctm.filt.pra" not in ran.files


def test_asclite_takes_alternatives_side_by_side() -> None:
    """The map makes them of neighbouring contractions."""
    ran = ours(
        [*ENGLISH, "-a", "h.ctm"],
        r_stm=LABELS + b"f A amy 0 2 <o,f> it is it has\n",
        h_ctm=b"f A 0.1 0.2 it's\nf A 0.5 0.2 it's\n",
    )
    assert ran.status == 0, ran.stderr
    (total,) = (row for row in ran.files["h.ctm.filt.raw"].splitlines() if b"Sum" in row)
    # as the original finds: one word right less than could be
    assert total.split()[3:10] == [b"1", b"4", b"|", b"3", b"1", b"0", b"0"], total


def test_what_asclite_leaves_out_is_told() -> None:
    """The original has it in the log alone, which it deletes."""
    ran = ours([*ENGLISH, "-a", "-o", "1", "h.ctm"], r_stm=STM.replace(b"bob 2", b"bob 1"))
    ran_loud = ours(["-v", *ENGLISH, "-a", "-G", "h.ctm"])
    assert b" asclite -f 6   -adaptive-cost -time-prune 100 -word-time-align 100  -mem" in (
        ran_loud.stdout
    )
    assert b" ; align2html.pl  -a h.ctm.filt.aligninfo.csv -o " in ran_loud.stdout
    left_out = b"1 group (-overlap-limit) with 4 reference words and 4 hypothesis words not scored"
    assert (ran.status, ran.stderr) == (0, b"asclite: warning: " + left_out + b"\n")


def test_sastt_says_who_spoke(tmp_path: Path) -> None:
    turns = [(0, "s1", "the grey goat"), (2, "s2", "no today")]
    lines = [f"SPEAKER f 1 {begin:.2f} 2.00 <NA> <NA> {who} <NA>" for begin, who, _ in turns]
    lines += [
        f"LEXEME f 1 {begin + 0.5 * place:.2f} 0.30 {word} lex {who} 0.9"
        for begin, who, text in turns
        for place, word in enumerate(text.split())
    ]
    stm = STM.replace(b"f A", b"f 1").replace(b"<o,f>", b"<o,f0,female>")
    helper = tmp_path / "md-eval.pl"
    helper.write_text("#!/bin/sh\n", "utf-8")
    helper.chmod(0o755)
    words = ["-v", "-p", str(tmp_path), "-V", "-l", "english", "-h", "sastt", "-f", "rttm", "-a"]
    words += ["-G", "-g", "g.glm"]
    ran = run_ours(
        Case(
            [*words, "-r", "r.stm", "h.rttm"],
            {"g.glm": MAP, "r.stm": stm, "h.rttm": "\n".join(lines).encode() + b"\n"},
        )
    )
    assert (ran.status, ran.stderr) == (0, b"")
    assert ran.files["h.rttm.filt.mdeval.spkrmap"].count(b"\n") >= 2
    report = ran.files["h.rttm.filt.mdeval"]
    assert b"OVERALL SPEAKER DIARIZATION ERROR" in report
    # the original is started by a shell, which finds the program in the folders of -p and PATH
    assert f" Version: 22  {helper} -nafcs -c 0.25 -o -r r.stm.filt.rttm".encode() in report
    # options left out leave their blanks
    assert b"   Exec: md-eval.pl -nafcs -c 0.25 -o  -r r.stm.filt.rttm " in ran.stdout
    assert b" align2html.pl -m h.rttm.filt.mdeval.spkrmap -a " in ran.stdout
    assert {"r.stm.filt.rttm", "h.rttm.filt.aligninfo.csv", "h.rttm.filt.sys"} <= {*ran.files}
    assert "h.rttm.filt.alignments/index.html" in ran.files
    assert "h.rttm.filt.lur" not in ran.files


def test_what_it_would_do_is_explained_and_not_done() -> None:
    words = ["--explain", *ENGLISH, "-F", "stm", "-f", "rttm", "-a", "-G", "-h", "sastt"]
    ran = ours([*words, "-M", "-afc -c 0.5", "-u", "u", "h.ctm", r"h.ctm\#Two\ words\#x"])
    assert (ran.status, ran.stderr, ran.files) == (0, b"", {})
    lines = ran.stdout.decode().splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "filter the reference r.stm into r.stm.filt",
        "validate r.stm.filt",
        "filter the hypothesis h.ctm into h.ctm.filt",
        "validate h.ctm.filt",
        "filter the hypothesis h.ctm into x.filt",
        "validate x.filt",
        "score h.ctm.filt against r.stm.filt",
        "score x.filt against r.stm.filt",
        "compare the systems",
    ]
    assert (
        "    md-eval.pl -afc -c 0.5 -u u -r r.stm.filt.rttm -s x.filt -M x.filt.mdeval.spkrmap "
        "1> x.filt.mdeval"
    ) in lines
    assert "    sclite -P -o dtl pra prf -C det sbhist hist -n x.filt < x.filt.sgml" in lines
    assert "rttm 'Two words' -F -D" in ran.stdout.decode()


def test_help_and_version() -> None:
    assert ours(["--help", "--nonsense"]).stdout == USAGE.encode()
    assert ours(["-V", "--version"]).stdout == b"hubscr.pl Version: 0.20\n"


INTERRUPTED = """\
import sys
from scoring.cli.nist import hubscr, sctk
def interrupted(_):
    raise KeyboardInterrupt
sctk.PROGRAMS[sys.argv[1]] = interrupted
sys.exit(hubscr.main(sys.argv[2:]))
"""


@pytest.mark.parametrize(
    ("program", "left"), [("csrfilt.sh", set()), ("sclite", {"r.stm.filt", "h.ctm.filt"})]
)
def test_an_interrupted_run_leaves_whole_files_only(program: str, left: set[str]) -> None:
    command = [sys.executable, "-c", INTERRUPTED, program, *ENGLISH, "-V", "h.ctm"]
    environment = {**ENVIRONMENT, "PYTHONPATH": str(Path(__file__).parents[4])}
    ran = run_with(FILES, partial(run_limited, command, environment=environment))
    assert (ran.status, ran.stderr) == (130, b"hubscr.pl: interrupted\n")
    assert {*ran.files} == left


@given(st.lists(LINES, max_size=12).map(lambda lines: b"".join(lines) + b"\n"))
def test_sorting_keeps_every_record(data: bytes) -> None:
    lines = [line.lstrip() + b"\n" for line in data.split(b"\n") if line.strip()]
    records = [line for line in lines if not line.startswith(b";;")]
    comments = [line for line in lines if line.startswith(b";;")]
    assert sorted(io.BytesIO(sort_ctm(data))) == sorted(records)
    sorted_stm = [*io.BytesIO(sort_stm(data))]
    assert sorted_stm[: len(comments)] == comments
    assert sorted(sorted_stm[len(comments) :]) == sorted(records)
    assert sort_stm(b"".join(sorted_stm)) == b"".join(sorted_stm)


def test_lexical_records_alone_are_kept() -> None:
    lines = [
        b"f A 1 2 a Na lex s",
        b"f A 1 2 b 0.5 lex s x y z",
        b"f A 1 2 c 1 LEX s",
        b" ;; d e f g h i",
    ]
    assert lexical_ctm(b"\n".join(lines)) == b"f A 1 2 a\nf A 1 2 b 0.5\n"


def test_v_shows_the_path_that_it_was_called_by(tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    program = tmp_path / "bin" / "hubscr.pl"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nfrom scoring.cli.nist.hubscr import run\nrun()\n", "utf-8"
    )
    program.chmod(0o755)
    done = subprocess.run(
        [program, "-v", *ENGLISH, "-V", "h.ctm"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert f"      Exec: {program} sortSTM <  r.stm | cat | csrfilt.sh" in done.stdout.decode()

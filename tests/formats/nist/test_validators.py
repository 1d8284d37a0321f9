"""`formats validate --nist`: the findings of NIST's validators with lines and columns."""

from __future__ import annotations

import json

import pytest

from formats.nist.validators import RttmChecks, validate_rttm, validate_stm
from tests.formats.conftest import RunCommand, WriteFile


def test_findings_are_told_with_line_and_column(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.ctm", "né 1 0.1 0.2 word\n;; a\nrec C .1 0.2 w0rd\n")
    status, output, errors = run_command("validate", "--nist", "a.ctm")
    names = "must have alphanumeric, hyphens (-) and underscore (_) characters only"
    words = "must have alphabetic, hyphens (-) and apostrophes (') characters only"
    assert errors.splitlines() == [
        f"formats: a.ctm:1:1: error: source 'né' {names} [NIST-CTM]",
        "formats: a.ctm:3:5: error: channel 'C' must be numeric only [NIST-CTM]",
        "formats: a.ctm:3:7: error: begin '.1' time must floating point value [NIST-CTM]",
        f"formats: a.ctm:3:14: error: token 'w0rd' {words} [NIST-CTM]",
    ]
    assert (status, output) == (2, "a.ctm: ctm, 4 findings of NIST's validator\n")


def test_columns_count_characters(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", "r 1 s 0 1 <o> né x2\n")
    errors = run_command("validate", "--nist", "a.stm")[2]
    assert [line.split()[1] for line in errors.splitlines()] == ["a.stm:1:15:", "a.stm:1:18:"]
    assert run_command("validate", "--nist", "--nist-language", "other", "a.stm")[0] == 0


def test_switches_and_warnings(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("b.rttm", "SPEAKER a 1 0 1 <NA> <NA> x <NA>\n")
    assert run_command("validate", "--nist", "b.rttm")[0] == 2
    status, _, errors = run_command("validate", "--nist", "--nist-switches", "p", "b.rttm")
    assert status == 3
    assert errors.startswith("formats: b.rttm:1:9: warning: Source field 'a' doesn't match")
    assert run_command("validate", "--nist", "--nist-switches", "pf", "b.rttm")[0] == 0
    output = run_command("validate", "--nist", "--report-format", "json", "b.rttm")[1]
    (told,) = json.loads(output)["files"]
    assert [one["code"] for one in told["diagnostics"]] == ["NIST-RTTM", "NIST-RTTM"]
    assert told["diagnostics"][1]["column"] == 27


def test_only_formats_that_have_a_validator(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "a (x_1)\n")
    assert run_command("validate", "--nist", "a.trn") == (
        2,
        "",
        "formats: a.trn: expected ctm, stm or rttm, which NIST validates, found trn\n",
    )


def test_latin_1_and_gzip_are_read(write_file: WriteFile, run_command: RunCommand) -> None:
    import gzip

    write_file("a.ctm.gz", gzip.compress(b"rec 1 0.1 0.2 d\xe9j\xe0\n"))
    errors = run_command("validate", "--nist", "a.ctm.gz")[2]
    assert "token 'd\\xe9j\\xe0' must have" in errors.replace("\\\\", "\\")


@pytest.mark.parametrize("count", [3000])
def test_many_words_in_many_sentences_are_checked_in_time(count: int) -> None:
    lines = ["SPKR-INFO a 1 <NA> <NA> <NA> unknown x <NA>"]
    for number in range(count):
        lines.append(f"SU a 1 {number} 1 <NA> statement x <NA>")
        lines.append(f"SPEAKER a 1 {number} 1 <NA> <NA> x <NA>")
        lines.append(f"LEXEME a 1 {number} 1 w lex x <NA>")
    data = "\n".join(lines).encode()
    assert validate_rttm(data, b"a.rttm") == validate_rttm(data + b"\n", b"a.rttm", RttmChecks())
    assert validate_rttm(data, b"a.rttm").status == 0
    cut = data + b"\nLEXEME a 1 17.5 1 w lex x <NA>\n"
    found = validate_rttm(cut, b"a.rttm").findings
    assert [one.text.split(b";")[1] for one in found] == [b" LEXEMEs overlap"] * 2


def test_lines_that_are_no_records() -> None:
    for data in (b"", b"\n", b"a", b"a b c d e", b"\x00\xff\n", b";; LABEL"):
        assert validate_stm(data, b"x").status == 0

"""NIST's validators on large files and on lines that are no records."""

import pytest

from scoring.nist.hub.validators import RttmChecks, validate_rttm, validate_stm


@pytest.mark.parametrize("count", [1000])
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
    assert [text.split(b";")[1] for text in found] == [b" LEXEMEs overlap"] * 2


def test_lines_that_are_no_records() -> None:
    for data in (b"", b"\n", b"a", b"a b c d e", b"\x00\xff\n", b";; LABEL"):
        assert validate_stm(data, b"x").status == 0

"""Diagnostics: text, value semantics, tolerance, bounded memory."""

import pickle

import pytest

from formats.schema.diagnostics import Diagnostic, DiagnosticLog
from formats.schema.errors import OptionError, SyntaxFormatError


def test_text_and_repr() -> None:
    diagnostic = Diagnostic("warning", "CTM-ORDER", "begins early", "a.ctm", 3, 7)
    assert str(diagnostic) == "a.ctm:3:7: warning: begins early [CTM-ORDER]"
    assert repr(diagnostic) == "<warning CTM-ORDER a.ctm:3:7: begins early>"


def test_diagnostics_are_immutable_values() -> None:
    one = Diagnostic("note", "A", "x", "f", 1)
    assert one == Diagnostic("note", "A", "x", "f", 1)
    assert one != Diagnostic("note", "A", "x", "f", 2)
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError, match="immutable type"):
        one.line = 2  # type: ignore[misc]


def test_twenty_of_a_code_are_kept_and_the_rest_is_counted() -> None:
    log = DiagnosticLog("f")
    for line in range(1, 26):
        log.warn("A", "again", line)
    log.note("B", "once")
    entries = log.entries()
    assert len(entries) == 22
    assert str(entries[-1]) == "f: warning: 5 more like this [A]"
    assert [one.times for one in entries] == [*[1] * (len(entries) - 1), 5]
    assert log.counts == {"A": 25, "B": 1}


def test_strict_raises_warnings_but_not_notes() -> None:
    log = DiagnosticLog("f", "strict")
    log.note("A", "harmless")
    with pytest.raises(SyntaxFormatError) as caught:
        log.warn("B", "doubtful", 2, 3)
    assert str(caught.value) == "f:2:3: doubtful [B]"


def test_only_lenient_survives_errors() -> None:
    error = SyntaxFormatError(path="f", line=1, column=2, expected="a", found="b")
    with pytest.raises(SyntaxFormatError):
        DiagnosticLog("f").reject("X", error)
    log = DiagnosticLog("f", "lenient")
    log.reject("X", error)
    assert log.errors == 1
    assert [str(e) for e in log.entries()] == [
        "f:1:2: error: record skipped: expected a, found b [X]"
    ]


def test_unknown_tolerance_is_refused() -> None:
    with pytest.raises(OptionError) as caught:
        DiagnosticLog("f", "lax")
    assert str(caught.value) == (
        'f: expected tolerance strict, default, limited, lenient, found "lax"'
    )

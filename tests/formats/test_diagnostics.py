"""Diagnostics: text, value semantics, tolerance, bounded memory."""

import pickle

import pytest

from formats.schema.diagnostics import MORE, Diagnostic, DiagnosticLog, gathered
from formats.schema.errors import OptionError, SyntaxFormatError
from formats.schema.messages import Advice, Entry, Message

EARLY = Entry("CTM-ORDER", "warning", "begins early")
PLAIN = Entry("A", "note", "harmless")
DOUBTFUL = Entry("B", "warning", "doubtful: {name!r}")


@pytest.mark.quotes
def test_text_and_repr() -> None:
    diagnostic = Diagnostic(Message(EARLY), "a.ctm", 3, 7)
    assert str(diagnostic) == "a.ctm:3:7: warning: begins early [CTM-ORDER]"
    assert repr(diagnostic) == "<warning CTM-ORDER a.ctm:3:7: begins early>"


def test_diagnostics_are_immutable_values() -> None:
    one = Diagnostic(Message(DOUBTFUL, {"name": "x"}), "f", 1)
    assert one == Diagnostic(Message(DOUBTFUL, {"name": "x"}), "f", 1)
    assert one != Diagnostic(Message(DOUBTFUL, {"name": "x"}), "f", 2)
    assert one != Diagnostic(Message(DOUBTFUL, {"name": "y"}), "f", 1)
    assert hash(one) == hash(Diagnostic(Message(DOUBTFUL, {"name": "x"}), "f", 1))
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError, match="immutable type"):
        one.line = 2  # type: ignore[misc]


def test_a_record_has_code_fields_and_place() -> None:
    log = DiagnosticLog("f")
    log.say(DOUBTFUL, 3, name="x")
    assert log.entries()[0].record() == {
        "severity": "warning", "code": "B", "text": str(Message(DOUBTFUL, {"name": "x"})),
        "fields": {"name": "x"},
        "path": "f", "line": 3, "column": None, "times": 1,
    }  # fmt: skip


def test_twenty_of_a_kind_are_kept_and_the_rest_is_counted() -> None:
    log = DiagnosticLog("f")
    for line in range(1, 26):
        log.say(EARLY, line)
    log.say(PLAIN)
    entries = log.entries()
    assert len(entries) == 22
    assert entries[-1].value == Message(EARLY._replace(text=MORE), {"times": 5})
    assert [one.times for one in entries] == [*[1] * (len(entries) - 1), 5]
    assert log.counts == {"CTM-ORDER": 25, "A": 1}


def test_the_line_for_those_counted_has_no_advice_of_each() -> None:
    log = DiagnosticLog("a.ctm")
    entry = DOUBTFUL._replace(advice=(Advice("member", "{role}={name}"),))
    for _ in range(25):
        log.say(entry, role="r", name="x")
    last = log.entries()[-1]
    assert (last.code, last.value.fields, last.value.advice) == ("B", {"times": 5}, ())
    assert str(last)


def test_strict_raises_warnings_but_not_notes() -> None:
    log = DiagnosticLog("f", "strict")
    log.say(PLAIN)
    with pytest.raises(SyntaxFormatError) as caught:
        log.say(DOUBTFUL, 2, 3, name="x")
    assert str(caught.value) == f"f:2:3: {Message(DOUBTFUL, {'name': 'x'})} [B]"
    assert caught.value.value == Message(DOUBTFUL, {"name": "x"})
    assert pickle.loads(pickle.dumps(caught.value)).value == caught.value.value


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


OVERLAP = Entry(
    "OVERLAP", "warning", "overlaps line {before} ({advice} merges)", advice=(Advice("merge"),),
    several="{times} turns overlap ({advice} merges)",
)  # fmt: skip


@pytest.mark.quotes
def test_messages_of_a_kind_are_gathered() -> None:
    log = DiagnosticLog("f")
    for line in range(6, 31):
        log.say(OVERLAP, line, before=line - 1)
        log.say(EARLY, line)
    first, *others = gathered(log.entries())
    assert str(first) == (
        "f: warning: 25 turns overlap (--merge merges), the first in line 6; --verbose lists them "
        "[OVERLAP]"
    )
    assert first.times == 25
    assert first.value.fields == {"before": 5, "times": 25, "first": 6}
    (other,) = others  # a kind without a text for several
    assert (
        str(other)
        == f"{str(log.entries()[1])[:-12]} (and 24 more like this; --verbose lists them) [CTM-ORDER]"
    )
    assert other.times == 25
    assert gathered(log.entries()[:1]) == [*log.entries()[:1]]


def test_three_messages_of_a_kind_are_shown_one_by_one() -> None:
    log = DiagnosticLog("f")
    for line in range(3):
        log.say(EARLY, line)
    assert gathered(log.entries()) == list(log.entries())
    log.say(EARLY, 9)
    (page,) = gathered(log.entries(), is_page=True)
    assert (page.value.fields["more"], page.times) == (3, 4)
    assert not page.value.advice

"""XML without lxml: the standard library's parser gives the same transcripts, lines and losses."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import formats
from formats import FormatError, SyntaxFormatError
from formats.detection import by_name
from tests.each_case import each_case
from tests.formats.case import Case
from tests.formats.test_contract import CASES, read, write
from tests.formats.test_hostile import XML

ROOT = Path(__file__).resolve().parents[2]
NAMES = {entry.name for entry in XML} | {"docx"}
SAMPLES = [case for case in CASES if case.name in NAMES]
FILES = sorted(
    path
    for folder in ("tests/fuzz/corpus/read", "resources/demo")
    for path in (ROOT / folder).rglob("*")
    if path.suffix[1:] in NAMES | {"xml"}
)
TTML = '<tt xmlns="http://www.w3.org/ns/ttml"{0}><body><div>{1}</div></body></tt>'
CUE = "<p begin='{}s' end='{}s'>{}</p>"
LATE = "\n" * 70_000 + CUE.format(1, 2, "a\n\nb") + "<p\nbegin='x'\n\n>c</p>"
# what both parsers reject, and the reason that the second parser gives
BROKEN = {
    "<Trans><a></Trans>": "1:13: not well-formed XML: other-end",
    "<Trans>\n &nbsp;</Trans>": "2:2: not well-formed XML: entity",
    "<Trans a='1' a='2'/>": "1:14: not well-formed XML: twice",
    "<Trans><x:a/></Trans>": "1:8: not well-formed XML: prefix",
    "<Trans>": "1:8: not well-formed XML: cut",
    "<Trans>\x01</Trans>": "1:8: not well-formed XML: character",
    "<Trans/><Trans/>": "1:9: not well-formed XML: roots",
    "<!DOCTYPE Trans SYSTEM 'a.dtd'><Trans>\n&b;</Trans>": "2: expected text without entities",
    "<!DOCTYPE Trans SYSTEM 'a.dtd'><Trans\na='&b;'/>": "2: expected text without entities",
}


def both(monkeypatch: pytest.MonkeyPatch, work: Callable[[], Any]) -> list[Any]:
    """What work gives with lxml and without, or the error it raises."""
    results = []
    for is_blocked in (False, True):
        with monkeypatch.context() as patch:
            if is_blocked:
                patch.setitem(sys.modules, "lxml", None)
            try:
                results.append(work())
            except FormatError as problem:
                results.append(problem)
    return results


@each_case("case", SAMPLES, ids=lambda case: case.name)
def test_samples_are_read_and_written(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (case.sample, case.sample.replace("><", ">\n<!--\n--><?x?>\n<")):
        first, second = both(monkeypatch, lambda text=text: read(case.pack(text), case))  # type: ignore[misc]
        assert repr(first) == repr(second)
        assert repr(list(first)) == repr(list(second))
        assert [segment.line for segment in first] == [segment.line for segment in second]
    if by_name(case.name).write is not None:
        first, second = both(monkeypatch, lambda: write(first, case))
        assert first == second


@each_case("path", FILES, ids=lambda path: path.name)
def test_files_are_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = both(monkeypatch, lambda: repr(list(formats.read(path))))
    if path.name == "f915171a.ttml":  # a prefix without a namespace
        assert second.value.fields["reason"].entry.variant == "prefix"
        first = second
    assert str(first) == str(second)


@each_case("text", [
    TTML.format("", CUE.format(1, 2, "a<br/>b<![CDATA[ <c> ]]>&lt;&#x41;") + "<p>d</p>stray"),
    TTML.format(" xml:id='a' xmlns:t='http://x/metadata'", "<p xml:id='a' t:b='c'>d</p>"),
    f"<!DOCTYPE tt SYSTEM 'x.dtd'>{TTML.format('', CUE.format(2, 1, 'a'))}",
    f"<?xml version='1.0' encoding='latin-1'?>\r\n{TTML.format('', CUE.format(1, 2, 'é'))}",
    TTML.format("", LATE), "\n\n" + TTML.format("", LATE), "<TT/>", "", " \n",
])  # fmt: skip
def test_transcripts_and_remarks_are_equal(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> tuple[str, list[str]]:
        transcript = formats.read(io.BytesIO(text.encode()), "ttml", tolerance="tolerant")
        return repr(list(transcript)), list(map(str, transcript.diagnostics))

    first, second = both(monkeypatch, work)
    assert str(first) == str(second)


@each_case("text", BROKEN)
def test_broken_text_has_a_place(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = both(monkeypatch, lambda: formats.read(io.BytesIO(text.encode()), "trs"))
    assert (type(first), first.line) == (SyntaxFormatError, second.line)
    place, _, reason = BROKEN[text].partition(": not well-formed XML: ")
    if reason:
        assert second.value is not None
        found = f"{second.line}:{second.column}", second.value.fields["reason"]
        assert found[0] == place
        assert found[1].entry.variant == reason
    else:
        assert place in str(second)

"""Layouts of texts that the user describes by patterns and rules."""

import re
from pathlib import Path

import pytest

from formats import FormatError
from formats.cli.messages import NO_LAYOUT
from formats.meetings.layouts import LAYOUTS
from formats.meetings.messages import PATTERN_FITS_NONE, PATTERN_UNIT
from scoring.cli.formats import main
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText, RunCommand
from tests.remarks import pattern_of, says

Turn = tuple[str | None, float | None, float | None, str]


def turns(read_text: ReadText, text: str, pattern: str, **options: str) -> list[Turn]:
    read = read_text(text, None, pattern=pattern, **options)
    assert read.format == "speaker-text"
    return [(s.speaker, s.start, s.end, " ".join(s.words)) for s in read]


SHAPES: list[tuple[str, str, list[Turn]]] = [
    ("{speaker} [{start ms} - {end ms}]:⏎{text}", "A [1500 - 2500]:\nhi you\n\nB [3000 - 4000]:\nso\n",
     [("A", 1.5, 2.5, "hi you"), ("B", 3.0, 4.0, "so")]),
    ("{start 0:00}{?{_}seconde{?s?}?}{text}", "0:1111 secondes bonjour\n1:031 seconde oui\n2:00non\n",
     [(None, 11.0, None, "bonjour"), (None, 63.0, None, "oui"), (None, 120.0, None, "non")]),
    ("@{speaker word} {text}", "@ann hi\n@bob so\nand so\n", [("ann", None, None, "hi"), ("bob", None, None, "so and so")]),
    ("{speaker CAPS}{?, {_}?}: {text}", "ANN, host: hi\nNote: this\nBOB: so\n",
     [("ANN", None, None, "hi Note: this"), ("BOB", None, None, "so")]),
    ("{speaker Ann|Bob Lee}: {text}", "Ann: hi\nSure: why\nBob  Lee: so\n",
     [("Ann", None, None, "hi Sure: why"), ("Bob  Lee", None, None, "so")]),
    ("--- {speaker} ---\n\n[{start} - {end}] {text}", "--- A ---\n[0:00 - 0:01] hi\n--- B ---\n[61:26 - 61:27] so\n",
     [("A", 0.0, 1.0, "hi"), ("B", 3686.0, 3687.0, "so")]),
    ("{start} - {_}", "0:00 - Intro\nhello\nall\n0:10 - End\nbye\n",
     [(None, 0.0, None, "hello all"), (None, 10.0, None, "bye")]),
    ("@@ speaker {speaker}⏎{text}", "@@ speaker Ann\nhi\n@@ speaker Bob\nso\n",
     [("Ann", None, None, "hi"), ("Bob", None, None, "so")]),
    ("pattern [{date}, {start}] {speaker}: {text}\nclock\n", "[1/2/24, 10:00:05] Ann: hi\n[1/2/24, 10:00:09] Bob: so\n",
     [("Ann", 0.0, None, "hi"), ("Bob", 4.0, None, "so")]),
    ("pattern {speaker CAPS}⏎{text}\nblank ends\n", "ANN\nhi\nyou\n\nShe leaves.\n\nBOB\nso\n",
     [("ANN", None, None, "hi you"), ("BOB", None, None, "so")]),
    ("pattern {speaker SPEAKER 1|SPEAKER 2}: {text}\ninline\n", "SPEAKER 1: hi there SPEAKER 2: so\nit is SPEAKER 1: yes\n",
     [("SPEAKER 1", None, None, "hi there"), ("SPEAKER 2", None, None, "so it is"), ("SPEAKER 1", None, None, "yes")]),
    ("pattern **{speaker}:** {text}\ndrop [{start 00:00:00}]\n", "**Ann:** hi [00:00:05] you\n**Bob:** so\n",
     [("Ann", None, None, "hi you"), ("Bob", None, None, "so")]),
    ("pattern {speaker}: {text}\nskip Date: {_}\nskip ---{_}\nbegin ## Transcript\nstop ACTION ITEMS:\n",
     "Ann: no\n## Transcript\nDate: today\nAnn: hi\n-----\nBob: so\nACTION ITEMS:\nBob: write\n",
     [("Ann", None, None, "hi"), ("Bob", None, None, "so")]),
    ("pattern {speaker} ({start}): {text}\npattern ({start}): {text}\ncarry\n", "Ann (0:01): hi\n(0:05): so\n",
     [("Ann", 1.0, None, "hi"), ("Ann", 5.0, None, "so")]),
    ("{start} says {text}\n\npattern {speaker}: {text}\nskip ---\n", "Ann: hi\n---\n0:04 says so\n",
     [("Ann", None, None, "hi"), (None, 4.0, None, "so")]),
    ("pattern [{start}] {text}\npattern -- {speaker A|B} --\ninline\n", "-- A --\n[0:01] hi [0:02] you\n-- B --\n[0:03] so\n",
     [("A", 1.0, 2.0, "hi"), ("A", 2.0, 3.0, "you"), ("B", 3.0, None, "so")]),
    ("{start} {text}", "1 minute 3 seconds hello\n2:05 PM bye\n", [(None, 63.0, None, "hello"), (None, 50700.0, None, "bye")]),
]  # fmt: skip


@each_case(("pattern", "text", "expected"), SHAPES, ids=[row[0] for row in SHAPES])
def test_described_layouts(
    read_text: ReadText, pattern: str, text: str, expected: list[Turn]
) -> None:
    assert turns(read_text, text, pattern) == expected


def test_all_lines_are_accounted_for(read_text: ReadText) -> None:
    text = "a title\nAnn: hi\nmore\n---\nBob: so\n"
    read = read_text(text, None, pattern="pattern {speaker}: {text}\nskip ---\n")
    note = next(d for d in read.diagnostics if d.code == "PATTERN-LINES")
    assert note.value.fields["joined"] == 1
    assert note.value.fields["left"] == 1
    assert note.value.fields["first"] == ["1: a title"]
    assert note.value.fields["taken"] == ["{speaker}: {text}: 2", "skip ---: 1"]


def test_frames_have_a_rate(read_text: ReadText) -> None:
    text = "[00:00:01:05 - 00:00:02:20] hi\n"
    pattern = "[{start} - {end}] {text}"
    assert turns(read_text, text, pattern) == [(None, 1.2, 2.8, "hi")]
    assert "FRAMES-ASSUMED" in codes(read_text(text, None, pattern=pattern))
    assert turns(read_text, text, pattern, fps="50") == [(None, 1.1, 2.4, "hi")]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("<{speaker}> {text}", pattern_of(PATTERN_FITS_NONE)),
        ("{speaker}: {txt}", "found {txt}"),
        ("pattern {speaker}: {text}\nsikp x\n", "found 'sikp'"),
        ("hello", "expected a placeholder"),
    ],
)
def test_wrong_patterns_are_errors(read_text: ReadText, pattern: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_text("Ann: hi\nBob: so\n", None, pattern=pattern)
    text = str(caught.value)
    assert message in text or re.search(message, text)


def test_whole_numbers_need_a_unit(read_text: ReadText) -> None:
    with pytest.raises(FormatError, match=pattern_of(PATTERN_UNIT)):
        read_text("[15] a\n[2500] b\n", None, pattern="[{start}] {text}")
    assert turns(read_text, "[15] a\n[2500] b\n", "[{start s}] {text}")[1][1] == 2500.0
    assert turns(read_text, "[15] a\n[2500] b\n", "[{start ms}] {text}")[1][1] == 2.5


def test_times_that_nothing_took_are_warned_of(read_text: ReadText) -> None:
    text = "Ann: hi\n" + "".join(f"0:0{n} so\n" for n in range(6))
    assert "PATTERN-STAMPS" in codes(read_text(text, None, pattern="{speaker}: {text}"))


LAID_OUT = [
    "Ann 0:03\nhi\n\nBob 0:07\nso\n\nAnn 0:09\nyes\n",
    "[0:03 - 0:04] Ann: hi\n[0:07 - 0:08] Bob: so\n[0:09 - 0:10] Ann: yes\n",
    "**Ann** (0:03): hi\n\n**Bob** (0:07): so\n\n**Ann** (0:09): yes\n",
    "Date: today\n\nAnn: hi\n\nBob: so\n\nAnn: yes\n\nBob: no\n",
    "--- Speaker 1 ---\n[0:03 - 0:04] hi\n[0:05 - 0:06] so\n--- Speaker 2 ---\n[0:09 - 0:10] yes\n",
    "[00:16] S_06: hi\n[00:20] **kushti**: so\n[00:30] S_06: yes\n[00:40] **kushti**: no\n",
    "[16:58:57] one\n[16:59:05] two\n[17:00:03] three\n",
    "I: how? #00:00:05-2#\nB: fine #00:00:09-1#\nI: good #00:00:10-0#\n",
]


@each_case("text", LAID_OUT)
def test_the_layout_that_is_printed_reads_the_same(
    tmp_path: Path, run_command: RunCommand, text: str
) -> None:
    path, rules = tmp_path / "talk.txt", tmp_path / "talk.pattern"
    path.write_text(text)
    status, printed, errors = run_command("detect", "--show-pattern", str(path))
    assert (status, errors) == (0, "")
    rules.write_text(printed)
    _, found, _ = run_command("convert", "--to", "jsonl", str(path), "-")
    flags = ("--pattern", f"@{rules}")
    status, described, _ = run_command("convert", "--to", "jsonl", *flags, str(path), "-")
    assert (status, described) == (0, found)
    assert found


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("csv", "Begin;Who;Line\n0:01 --> 0:03;Ann;hi\n0:04 --> 0:05;Bob;so\n", {"columns": "start=Begin,speaker=Who,text=Line"}),
        ("json", '[{"zeit": "0:01 --> 0:03", "wer": {"n": "Ann"}, "was": "hi"}, {"zeit": "0:04 --> 0:05", "wer": {"n": "Bob"}, "was": "so"}]',
         {"member": "start=zeit,speaker=wer.n,text=was"}),
    ],
)  # fmt: skip
def test_a_column_of_both_times_may_be_named_as_the_start(
    read_text: ReadText, name: str, text: str, options: dict[str, str]
) -> None:
    read = read_text(text, name, **options)
    found = [(s.speaker, s.start, s.end, " ".join(s.words)) for s in read]
    assert found == [("Ann", 1.0, 3.0, "hi"), ("Bob", 4.0, 5.0, "so")]


def test_several_patterns_are_flags(tmp_path: Path, run_command: RunCommand) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("[0:01] Ann: hi\n(Bob) so\n")
    flags = ("--pattern", "[{start}] {speaker}: {text}", "--pattern", "({speaker}) {text}")
    status, output, _ = run_command("convert", "--to", "jsonl", *flags, str(path), "-")
    assert status == 0
    assert '"Ann"' in output
    assert '"Bob"' in output
    missing = ("--pattern", "@nothing")
    status, _, errors = run_command("convert", "--to", "jsonl", *missing, str(path), "-")
    assert status == 2
    assert "nothing" in errors


def test_what_no_pattern_describes_is_refused(tmp_path: Path, run_command: RunCommand) -> None:
    path = tmp_path / "a.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\nhi\n")
    status, _, errors = run_command("detect", "--show-pattern", str(path))
    assert status == 2
    assert says(errors, NO_LAYOUT, format="srt")


def test_rows_of_the_table_are_known_by_their_first_pattern() -> None:
    assert len({layout.name for layout in LAYOUTS}) == len(LAYOUTS)


@pytest.mark.parametrize("value", ["", "@"])
def test_an_empty_pattern_is_a_usage_error(capsys: pytest.CaptureFixture[str], value: str) -> None:
    assert main(["convert", "--pattern", value, "a.txt", "-", "--to", "jsonl"]) == 2
    assert "expected a pattern, or @ and the name of a file" in capsys.readouterr().err

"""Texts that are written by patterns read back by the same patterns."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.schema.errors import OptionError
from formats.schema.model import Segment
from formats.schema.refusals import LossError
from formats.schema.transcript import Transcript
from tests.each_case import each_case

TALK = Transcript(
    (
        Segment.of("talk", ["hello", "there"], speaker="Ann Lee", start=1.5, end=3.25),
        Segment.of("talk", ["fine"], speaker="Bob", start=4, end=3665),
        Segment.of("talk", ["so", "long"], speaker="Bob", start=3670, end=3671),
    )
)


def written(transcript: Transcript, *patterns: str, **options: Any) -> tuple[str, set[str]]:
    """Return the text, and the kinds of losses."""
    sink = StringIO()
    losses = formats.write(transcript, sink, write_pattern="\n\n".join(patterns), **options)
    return sink.getvalue(), {loss.what for loss in losses}


@each_case(
    ("patterns", "first"),
    [
        (["[{start} - {end}] {speaker}: {text}"], "[00:00:01.500 - 00:00:03.250] Ann Lee: hello there"),
        (["{start ms}\t{end ms}\t{speaker}\t{text}"], "1500\t3250\tAnn Lee\thello there"),
        (["{speaker} ({start}{to}{end}):⏎{text}"], "Ann Lee (00:00:01.500 - 00:00:03.250):"),
        (["## {speaker}", "[{start 0:00.000}-{end 0:00.000}] {text}"], "## Ann Lee"),
        (["{speaker}: {text} [{start s}-{end s}]"], "Ann Lee: hello there [1.5-3.25]"),
    ],
)  # fmt: skip
def test_a_written_text_reads_back(patterns: list[str], first: str, tmp_path: Path) -> None:
    text, losses = written(TALK, *patterns)
    assert text.splitlines()[0].replace("1.500-3.250", "1.5-3.25") == first
    assert losses == {"recordings"}
    path = tmp_path / "talk.txt"
    path.write_text(text, encoding="utf-8")
    assert formats.read(path, pattern="\n\n".join(patterns)).segments == tuple(
        segment.replace(line=None) for segment in TALK
    )


def test_the_example_gives_the_shape_of_times() -> None:
    assert written(TALK, "{start 0:00} {text}")[0].splitlines()[2] == "61:10 so long"
    assert written(TALK, "{start 00:00:00,0} {text}")[0].splitlines()[0] == "00:00:01,5 hello there"
    assert written(TALK, "{start 00:00:00:00} {text}", fps="30")[0].startswith("00:00:01:15 hello")


def test_a_heading_is_written_when_it_changes() -> None:
    text, losses = written(TALK, "## {speaker}", "{text}")
    assert text.split() == ["##", "Ann", "Lee", "hello", "there", "##", "Bob", "fine", "so", "long"]
    assert losses == {"recordings", "segment times"}


def test_optional_parts_need_values() -> None:
    talk = Transcript((TALK[0], TALK[1].replace(speaker=None)))
    text, _ = written(talk, "[{start 0:00}] {?{speaker}: ?}{text}")
    assert text == "[0:02] Ann Lee: hello there\n[0:04] fine\n"


def test_what_has_no_place_is_counted() -> None:
    text, losses = written(TALK, "[{start}] {text}")
    assert text.startswith("[00:00:01.500] hello there\n")
    assert {"speakers", "segment ends"} <= losses


def test_a_name_that_cannot_be_read_is_changed_and_counted() -> None:
    talk = Transcript((TALK[0].replace(speaker="Ann: [x]"),))
    text, losses = written(talk, "{speaker}: {text}")
    assert (text, "names of speakers" in losses) == ("Ann_ _x_: hello there\n", True)


def test_a_turn_that_reads_as_something_else_is_refused() -> None:
    talk = Transcript((TALK[0].replace(speaker=None), TALK[1]))
    with pytest.raises(LossError) as problem:
        written(talk, "{speaker}: {text}")
    assert problem.value.value is not None
    assert problem.value.value.entry.code == "PATTERN-VALUE"
    sentence = Transcript((Segment.of("talk", ["so:", "yes"], start=1),))
    with pytest.raises(LossError) as problem:
        written(sentence, "{?{speaker}: ?}{text}")
    assert problem.value.value is not None
    assert problem.value.value.entry.code == "PATTERN-NOT-READ"


@pytest.mark.parametrize("pattern", ["{speaker}", "pattern {text}\ninline\n"])
def test_patterns_that_cannot_write(pattern: str) -> None:
    with pytest.raises(OptionError):
        written(TALK, pattern)


@pytest.mark.parametrize("pattern", ["{? {speaker}", "{speaker}:", "inline\npattern {text}"])
def test_errors_name_the_option_of_writing(pattern: str) -> None:
    with pytest.raises(OptionError) as caught:
        written(TALK, pattern, format="speaker-text")
    assert caught.value.value is not None
    assert [advice.option for advice in caught.value.value.advice] == ["write_pattern"]

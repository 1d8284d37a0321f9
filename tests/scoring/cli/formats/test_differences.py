"""`formats diff`: words, times and speakers that two files disagree about."""

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats import Segment, Transcript
from formats.schema import VERSION
from scoring.cli.formats.differences import compare, hunks
from tests.each_case import each_case
from tests.formats.test_contract import STRATEGIES, WRITTEN, read, write
from tests.programs import wrong_value
from tests.tables import table_of

GENERATOR = f"sclite-kit {VERSION}"

WriteFile = Callable[[str, "str | bytes"], str]
RunCommand = Callable[..., "tuple[int, str, str]"]

STM = "f 1 anne 0.5 2.25 hello { a / b } world\nf 1 bob 2.25 3.9 how are you\n"
OTHER = "f 1 anne 0.5 2.25 hello big { a / b } world\nf 1 eve 2.3 3.9 how are they\n"


def test_what_differs(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    write_file("b.stm", OTHER)
    assert run_command("diff", "a.stm", "b.stm") == (
        3,
        "f, a.stm:1 b.stm:1, 0.500 s\n"
        "  hello {+big+} { a / b } world how are [-you-] {+they+}\n"
        "\n"
        "Times of the same words\n"
        "word  a.stm  b.stm  there s   here s  apart s\n"
        "how       2      2  2.250-…  2.300-…    0.050\n"
        "\n"
        "Speakers of the same words\n"
        "a.stm  b.stm  first in line  and line  words\n"
        "bob    eve                2         2      2\n"
        "\n"
        "words: 5 equal, 1 substituted, 0 deleted, 1 inserted; other times: 1; other speakers: 2\n",
        "",
    )
    assert run_command("diff", "a.stm", "a.stm") == (
        0,
        "words: 6 equal, 0 substituted, 0 deleted, 0 inserted; other times: 0; other speakers: 0\n",
        "",
    )


def test_json(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    write_file("b.stm", OTHER)
    status, output, _ = run_command("diff", "a.stm", "b.stm", "--json", "-")
    assert status == 3
    head = {"schema": "sclite-kit/file-differences", "version": 1, "generator": GENERATOR}
    head |= {"signature": None, "remarks": []}
    assert json.loads(output) == {
        **head,
        "files": ["a.stm", "b.stm"],
        "tolerance": 0.01,
        "is_different": True,
        "counts": {"equal": 5, "substituted": 1, "deleted": 0, "inserted": 1},
        "words": [
            {"part": "f", "words": [[], ["big"]], "lines": [1, 1]},
            {"part": "f", "words": [["you"], ["they"]], "lines": [2, 2]},
        ],
        "times": [
            {
                "part": "f",
                "word": "how",
                "lines": [2, 2],
                "times": [[None, None, 2.25, None], [None, None, 2.3, None]],
                "apart": 0.05,
            }
        ],
        "speakers": [{"names": ["bob", "eve"], "word_count": 2, "lines": [2, 2]}],
        "on_one_side_only": {"times": [0, 0], "speakers": [0, 0]},
    }


def test_files_of_two_formats(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.srt", "1\n00:00:01,000 --> 00:00:02,000\nhello there\n")
    write_file("b.ctm", "rec 1 1.00 0.40 hello\nrec 1 1.50 0.50 their\n")
    status, output, errors = run_command("diff", "a.srt", "b.ctm", "--context", "0")
    assert (status, errors) == (3, "")
    assert output.startswith("a.srt:2 b.ctm:1, 1.500 s\n  [-there-] {+their+}\n")
    write_file("c.txt", "hello there\n")
    status, output, _ = run_command(
        "diff", "a.srt", "c.txt", "--from-b", "txt-lines", "--from", "srt"
    )
    assert status == 0
    assert "only in a.srt: times of 2 words\n" in output


def test_the_tolerance_of_times(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.ctm", "f 1 0.0 0.50 a\nf 1 1.0 0.50 b\n")
    write_file("b.ctm", "f 1 0.0 0.52 a\nf 1 1.1 0.40 b\n")
    for tolerance, count in (("0.01", 2), ("0.02", 1), ("0.1", 0)):
        status, output, _ = run_command("diff", "a.ctm", "b.ctm", "--tolerance", tolerance)
        assert f"; other times: {count};" in output
        assert status == (3 if count else 0)


def test_a_terminal_gets_colours(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.txt", "one \x1bctwo\n")
    write_file("b.txt", "one three\n")
    output = run_command("diff", "a.txt", "b.txt", "--colour", "always")[1]
    assert "one \x1b[31m\\x1bctwo\x1b[0m \x1b[32mthree\x1b[0m" in output


@each_case(("arguments", "told"), table_of(__file__, "what_cannot_be_compared"))
def test_what_cannot_be_compared(
    write_file: WriteFile,
    run_command: RunCommand,
    arguments: tuple[str, ...],
    told: str | list[str],
) -> None:
    write_file("a.stm", STM)
    status, output, errors = run_command("diff", *arguments)
    assert (status, output) == (2, "")
    text = told if isinstance(told, str) else f"formats diff: error: {wrong_value(*told)}"
    assert errors.startswith(text)


def test_recordings_and_channels_are_kept_apart() -> None:
    def said(recording: str, channel: str, *words: str) -> Segment:
        return Segment.of(recording, words, channel=channel)

    left = [said("f", "1", "a", "b"), said("f", "2", "x"), said("g", "1", "y")]
    right = [said("g", "1", "y"), said("f", "2", "x"), said("f", "1", "a", "c")]
    found = compare(left, right, tolerance_ns=0)
    assert [part.name for part in found.parts] == ["f channel 1", "f channel 2", "g channel 1"]
    assert found.counts == {"equal": 3, "substituted": 1, "deleted": 0, "inserted": 0}
    renamed = [one.replace(recording="other") for one in left[:1]]
    assert not compare(left[:1], renamed, tolerance_ns=0).are_there


words = st.lists(st.sampled_from("abc"), max_size=12)


@given(words, words, st.integers(0, 3))
def test_places_are_told_once_each_and_swapped_sides_mirror(
    one: list[str], other: list[str], context: int
) -> None:
    left, right = [Segment.of("f", one)], [Segment.of("f", other)]
    found = compare(left, right, tolerance_ns=0)
    mirrored = compare(right, left, tolerance_ns=0)
    for part, its in zip(found.parts, mirrored.parts, strict=True):
        assert [(b, a) for _, a, b in part.alignment] == [(a, b) for _, a, b in its.alignment]
        wrong = sum(code != 0 for code in part.alignment.edits)
        told = [code for hunk in hunks(part, context) for code in hunk.alignment.edits]
        assert sum(code != 0 for code in told) == wrong
    assert found.are_there == mirrored.are_there == (one != other)


@pytest.mark.share(7)
@pytest.mark.parametrize("case", WRITTEN, ids=lambda case: case.name)
@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_converted_without_loss_is_the_same(case, data) -> None:  # type: ignore[no-untyped-def]
    segments = data.draw(STRATEGIES[case.name])
    written, losses = write(Transcript(segments), case)
    if losses:
        return
    found = compare(segments, read(written, case), tolerance_ns=0)
    counts = found.counts
    assert counts.total() == counts["equal"]
    assert not found.times
    assert not found.speakers
    assert counts["equal"] or not any(
        one.word_count for one in segments if one.kind not in ("event", "query")
    )

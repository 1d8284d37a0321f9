"""Alignment by diff: what lines mean, whose they are, and what happens without diff."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.alignment.side_by_side import (
    DiffError,
    SideBySideLine,
    deal_out,
    read_line,
    side_by_side,
)
from scoring.model.counts import Edit
from tests.each_case import each_case

COMMAND = re.compile(r"(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?")
WORDS = st.lists(st.sampled_from([b"a", b"b", b"c", b"dd"]), max_size=14)


def letters(lines: Sequence[SideBySideLine]) -> str:
    return "".join(line.edit.letter for line in lines)


def from_plain_diff(
    reference: Sequence[bytes], hypothesis: Sequence[bytes]
) -> list[SideBySideLine]:
    """The same from the blocks of plain `diff`: pairs from the top, then what is left over."""
    with TemporaryDirectory() as folder:
        for name, words in (("r", reference), ("h", hypothesis)):
            Path(folder, name).write_bytes(b"".join(word + b"\n" for word in words))
        done = subprocess.run(["diff", "r", "h"], cwd=folder, capture_output=True, check=False)
    lines: list[SideBySideLine] = []
    at = 0
    commands = [COMMAND.fullmatch(line) for line in done.stdout.decode().splitlines()]
    for found in filter(None, commands):
        numbers = [
            int(found[1]),
            int(found[2] or found[1]),
            int(found[4]),
            int(found[5] or found[4]),
        ]
        begin, end, first, last = numbers[0] - 1, numbers[1], numbers[2] - 1, numbers[3]
        if found[3] == "a":
            begin = end
        elif found[3] == "d":
            first = last
        lines += [SideBySideLine(Edit.CORRECT, word, word, word) for word in reference[at:begin]]
        at = end
        mine, theirs = reference[begin:end], hypothesis[first:last]
        pairs = min(len(mine), len(theirs))
        lines += [
            SideBySideLine(Edit.SUBSTITUTION, one, one, other)
            for one, other in zip(mine[:pairs], theirs[:pairs], strict=True)
        ]
        lines += [SideBySideLine(Edit.DELETION, word, word, None) for word in mine[pairs:]]
        lines += [SideBySideLine(Edit.INSERTION, b">", None, word) for word in theirs[pairs:]]
    return lines + [SideBySideLine(Edit.CORRECT, word, word, word) for word in reference[at:]]


@settings(max_examples=60, deadline=None)
@given(reference=WORDS, hypothesis=WORDS)
def test_side_by_side_says_what_plain_diff_says(
    reference: list[bytes], hypothesis: list[bytes]
) -> None:
    assert side_by_side(reference, hypothesis) == from_plain_diff(reference, hypothesis)


@each_case(
    ("line", "edit", "reference", "hypothesis"),
    [
        (b"a\t\t\ta", Edit.CORRECT, b"a", b"a"),
        (b"a\t|\tb", Edit.SUBSTITUTION, b"a", b"b"),
        (b"a\t<", Edit.DELETION, b"a", None),
        (b"\t>\tb", Edit.INSERTION, None, b"b"),
        # words that look like marks
        (b">\t<", Edit.INSERTION, None, b"<"),
        (b"\t>\t>", Edit.CORRECT, b">", b">"),
        (b"<\t<", Edit.CORRECT, b"<", b"<"),
        (b"|\t|\tb", Edit.SUBSTITUTION, b"|", b"b"),
        # a word of other white space is no field
        (b"\r\t<", Edit.DELETION, b"<", None),
        (b"\r\t\t\r", Edit.DELETION, b"", None),
    ],
)
def test_lines(line: bytes, edit: Edit, reference: bytes | None, hypothesis: bytes | None) -> None:
    read = read_line(line)
    assert (read.edit, read.reference, read.hypothesis) == (edit, reference, hypothesis)
    assert read.first == (line.split() or [b""])[0]


def test_insertions_at_borders_fall_to_the_next_utterance() -> None:
    references = [b"a b c".split(), b"d e f".split(), b"g h".split()]
    hypothesis = b"a b c x y z d e f g h q q q".split()
    lines = side_by_side([word for words in references for word in words], hypothesis)
    greedy = deal_out(lines, references, last_takes_all=True)
    assert [letters(own) for own in greedy] == ["CCC", "IIICCC", "CCIII"]
    frugal = deal_out(lines, references, last_takes_all=False)
    assert [letters(own) for own in frugal] == ["CCC", "IIICCC", "CC"]


def test_an_utterance_without_words_takes_nothing_even_as_the_last() -> None:
    taken = deal_out(side_by_side([b"a"], [b"a", b"b"]), [[], [b"a"], []], last_takes_all=True)
    assert [letters(own) for own in taken] == ["", "C", ""]


def test_an_utterance_with_a_word_that_was_cut_takes_everything() -> None:
    long = b"x" * 62
    lines = side_by_side([long, b"a", b"b"], [long, b"a", b"b"])
    assert lines[0].reference == b"x" * 61
    taken = deal_out(lines, [[long], [b"a"], [b"b"]], last_takes_all=False)
    assert [letters(own) for own in taken] == ["CCC", "", ""]


@settings(max_examples=60, deadline=None)
@given(reference=st.lists(WORDS, min_size=1, max_size=4), hypothesis=WORDS)
def test_dealing_out_keeps_every_reference_word_in_its_utterance(
    reference: list[list[bytes]], hypothesis: list[bytes]
) -> None:
    lines = side_by_side([word for words in reference for word in words], hypothesis)
    taken = list(deal_out(lines, reference, last_takes_all=True))
    assert [[line.reference for line in own if line.reference] for own in taken] == reference
    if reference[-1]:
        assert sum(map(len, taken)) == len(lines)
        assert [line.hypothesis for line in lines if line.hypothesis] == hypothesis


def test_there_must_be_a_diff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DiffError, match="needs the program diff, which cannot be started: No such"):
        side_by_side([b"a"], [b"b"])


def test_diff_must_know_its_option(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "diff"
    program.write_text("#!/bin/sh\nexit 2\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(DiffError, match="`diff -y` ended with status 2"):
        side_by_side([b"a"], [b"b"])


def test_no_files_are_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    side_by_side([b"a"], [b"b"])
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(DiffError, match="cannot write the temporary files that diff compares"):
        side_by_side([b"a"], [b"b"])

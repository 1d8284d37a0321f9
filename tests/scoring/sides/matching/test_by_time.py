"""Matching by time gives sclite's numbers, and says what it cannot do."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import scoring
from formats.schema.messages import Message
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.sides.messages import CUT_SHORT, OVERLAP
from tests.each_case import each_case
from tests.remarks import said

ROOT = Path(__file__).resolve().parents[4]
DEMO = ROOT / "resources" / "demo"


def numbers_of_sclite(hypothesis: str, *options: str) -> Counts:
    command = f"-r reference.stm stm -h {hypothesis} ctm -o rsum stdout".split()
    done = subprocess.run(
        [sys.executable, "-m", "scoring.cli.nist.sclite", *command, *options],
        cwd=DEMO,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"\| Sum +\| +\d+ +\d+ \|([^|]*)\|", done.stdout)
    assert found is not None
    correct, substitutions, deletions, insertions = map(int, found[1].split()[:4])
    return Counts(correct, substitutions, deletions, insertions)


@pytest.mark.parametrize("hypothesis", ["baseline.ctm", "improved.ctm"])
@pytest.mark.parametrize("forgive", [False, True])
def test_the_demo_scores_as_with_sclite(hypothesis: str, forgive: bool) -> None:
    rates = scoring.wer(
        reference=DEMO / "reference.stm",
        hypothesis=DEMO / hypothesis,
        forgive_optional=forgive,
        ignore_case=True,
    )
    expected = numbers_of_sclite(hypothesis, *(["-D"] if forgive else []))
    if forgive:
        assert rates.counts == expected
    else:
        # a word in parentheses is a word with parentheses to sclite, and never said
        assert rates.counts.errors <= expected.errors
        assert rates.counts.reference_tokens == expected.reference_tokens
    assert rates.matching_summary.ignored_words > 0


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_words_go_by_their_middle(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.stm", "f 1 s 0 1 a b\nf 1 s 1 2 c\n")
    hypothesis = write(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nf 1 0.9 0.2 b\nf 1 1.5 0.2 c\n")
    rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    # the middle of b lies at 1.0, which is not before the end of the first segment
    assert [rates.alignment(name).letters for name in rates.identifiers] == ["CD", "IC"]
    assert list(rates.identifiers) == ["f-1-0001", "f-1-0002"]
    assert rates.speakers == ["s", "s"]


def test_a_recording_without_words_is_missing_and_one_without_reference_too(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.stm", "f 1 s 0 1 a b\ng 1 s 0 1 c\n")
    hypothesis = write(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nx 2 0.9 0.2 b\n")
    with pytest.warns(scoring.UnscoredHypothesisWarning):
        rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    assert rates.counts == Counts(1, 0, 2, 0)
    assert rates.matching_summary.reference_only.identifiers == ("g-1-0001",)
    assert rates.matching_summary.hypothesis_only.identifiers == ("x-2",)
    assert rates.matching_summary.unscored_words == 1


def test_timed_words_without_segments_are_matched_channel_by_channel(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.ctm", "f 1 0.5 0.2 a\nf 1 0.9 0.2 b\nf 2 0 1 c\n")
    hypothesis = write(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nf 2 0.9 0.2 b\n")
    rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    assert [rates.alignment(name).letters for name in ("f-1-0000", "f-2-0000")] == ["CD", "S"]


def test_timed_words_without_segments_are_cut_where_both_sides_pause(tmp_path: Path) -> None:
    lines = [f"f 1 {at} 0.5 w{at}\n" for at in range(120)]
    reference = write(tmp_path / "r.ctm", "".join(lines))
    hypothesis = write(tmp_path / "h.ctm", "".join(lines[:70] + lines[71:]))
    rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    assert [len(words) for words in rates.aligned.references] == [51, 51, 18]
    assert rates.counts == Counts(119, 0, 1, 0)


def test_segments_that_are_not_to_be_scored_take_their_words(tmp_path: Path) -> None:
    mark = "IGNORE_TIME_SEGMENT_IN_SCORING"
    reference = write(tmp_path / "r.stm", f"f 1 s 0 1 a\nf 1 s 1 2 {mark}\nf 1 s 2 3 b\n")
    hypothesis = write(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nf 1 1.4 0.2 x\nf 1 2.5 0.2 b\n")
    rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    assert rates.counts == Counts(2, 0, 0, 0)
    assert rates.matching_summary.ignored_words == 1


def test_sources_stay_with_their_utterances_where_overlap_leaves_one_without_words(
    tmp_path: Path,
) -> None:
    reference = write(
        tmp_path / "r.stm", "t 1 A 0.0 5.0 a b\nt 1 B 1.0 3.0 c d\nt 1 A 5.5 5.6 e\nt 1 A 6 8 f\n"
    )
    words = "t 1 1.2 0.2 a\nt 1 1.6 0.2 b\nt 1 3.5 0.2 c\nt 1 6.5 0.2 f 0.5\nt 2 1.0 0.2 x\n"
    hypothesis = write(tmp_path / "h.ctm", words)
    rates = scoring.wer(reference, hypothesis, keep_sources=True, allow_unmatched=True)
    assert rates.counts == scoring.wer(reference, hypothesis, allow_unmatched=True).counts
    assert rates.sources is not None
    kept = [() if one is None else one.words for one in rates.sources.hypotheses]
    assert kept == list(rates.aligned.hypotheses)
    assert () in kept
    assert [one.words for one in rates.sources.references] == list(rates.aligned.references)


MIXED = Message(OVERLAP, {"path": "r.stm", "percent": 100.0, "channel": "1", "recording": "t"})


def overlaps(rates: scoring.ErrorRates) -> list[tuple[object, ...]]:
    return [
        (round(fields["percent"], 1), fields["channel"], fields["recording"], fields.get("more"))
        for key, fields in said(rates.remarks)
        if key.partition(".")[0] == "OVERLAP"
    ]


@each_case(
    ("segments", "expected"),
    [
        ("t 1 A 0 10 a b\nt 1 B 5 10 c\n", [(50.0, "1", "t", None)]),
        ("t 1 A 0 10 a b\nt 1 B 2 4 c\nt 1 C 3 4 d\n", [(20.0, "1", "t", None)]),
        ("t 1 A 0 10 a\nt 1 B 1 9 b\nt 1 C 2 3 c\nt 1 D 8 12 d\nt 1 E 20 24 e\n",
         [(56.2, "1", "t", None)]),
        ("t 1 A 0 100 a b\nt 1 B 99 100 c\n", []),  # 1 %, no more
        ("t 1 A 0 100 a b\nt 1 B 98.9 100 c\n", [(1.1, "1", "t", None)]),
        ("t 1 A 0 10 a b\nt 2 B 0 10 c\n", []),  # two channels
        ("t 1 A 0 10 a b\nt 1 A 10 20 c\n", []),  # they only touch
        ("t 1 A 0 1 a\nt 1 B 0 1 b\nt 2 A 0 4 c\nt 2 B 3 5 d\n",
         [(100.0, "1", "t", 1)]),
    ],
)  # fmt: skip
def test_overlapping_reference_segments_of_a_channel_are_told_with_the_measure_for_them(
    tmp_path: Path, segments: str, expected: list[tuple[object, ...]]
) -> None:
    reference = write(tmp_path / "r.stm", segments)
    channels = {line.split()[1] for line in segments.splitlines()}
    words = "".join(f"t {channel} 0.1 0.2 a\n" for channel in sorted(channels))
    assert overlaps(scoring.wer(reference, write(tmp_path / "h.ctm", words))) == expected


def test_a_perfect_answer_of_two_speakers_is_warned_of_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reference = write(Path("r.stm"), "t 1 A 0 10 a b c\nt 1 B 0 10 d e f\n")
    words = "".join(f"t 1 {at + 1}.0 0.5 {word}\n" for at, word in enumerate("adbecf"))
    hypothesis = write(Path("h.ctm"), words)
    lexicon = write(Path("lexicon.txt"), "".join(f"{word} {word}\n" for word in "abcdef"))
    sides = [str(reference), str(hypothesis)]
    for command in (["wer"], ["diff"], ["per", "--lexicon", str(lexicon)]):
        assert main([*command, *sides]) == 0
        assert capsys.readouterr().err.count(str(MIXED)) == 1
    assert main(["compare", *sides[1:], *sides[1:], "--reference", sides[0]]) == 0
    assert str(MIXED) in capsys.readouterr().err


def test_identifiers_match_overlapping_speech_without_a_warning(tmp_path: Path) -> None:
    rows = "".join(
        f'{{"id": "u{at}", "recording": "t", "start": 0, "end": 5, "text": "a"}}\n' for at in "12"
    )
    path, other = write(tmp_path / "r.jsonl", rows), write(tmp_path / "h.jsonl", rows)
    rates = scoring.wer(path, other)
    assert (rates.matching_summary.matched_by, overlaps(rates)) == ("identifier", [])


@each_case(
    ("kept", "way"),
    [(range(26), "ends"), (range(14, 40), "begins"), (range(40), ""), (range(39), "")],
)
@each_case("number", [1, 2])
def test_a_hypothesis_that_was_cut_is_warned_of(
    tmp_path: Path, kept: range, way: str, number: int
) -> None:
    """The warning says how much of the reference is missing; nothing is refused."""
    names = [f"talk{name}" for name in range(number)]
    reference, hypothesis = (
        write(
            tmp_path / name,
            "".join(
                f"{talk} 1 A {60 * at} {60 * at + 50} word{at} and more of {at}\n"
                for talk in names
                for at in lines
            ),
        )
        for name, lines in (("r.stm", range(40)), ("h.stm", kept))
    )
    rates = scoring.wer(reference, hypothesis)
    found = [message for message in rates.remarks if message.code == "CUT-SHORT"]
    assert rates.counts.deletions == 5 * (40 - len(kept)) * number
    if not way:
        assert found == []
        return
    [message] = found
    assert isinstance(message, Message)
    assert message.entry is CUT_SHORT[way, number > 1]
    assert message.fields["words"] == rates.counts.deletions
    assert message.fields["minutes"] == pytest.approx(14.0)

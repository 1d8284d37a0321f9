"""Captions whose borders are off, and words that lie across a border of segments."""

from pathlib import Path
from random import Random

import pytest

import formats
import scoring
from formats import Segment, Transcript
from scoring.score.messages import ACROSS_BORDERS, CAPTIONS
from scoring.sides.matching import MatchingError
from scoring.sides.messages import CUT_WITHOUT_TIMES, NOT_SHIFTED, SHIFTED
from tests.each_case import each_case
from tests.remarks import fields_of

SECOND = 1_000_000_000


def talk(folder: Path, name: str, jitter: float) -> tuple[Path, Path]:
    """Write a transcript whose borders are off by so many seconds, and the words that were said."""
    chance = Random(5)
    words = [f"w{chance.randrange(90)}" for _ in range(240)]
    borders = [chance.uniform(-jitter, jitter) + 2.4 * number for number in range(31)]
    segments = [
        Segment(
            "talk", tuple(words[8 * at : 8 * at + 8]), channel="1",
            start_ns=int(max(0, borders[at]) * SECOND), end_ns=int(borders[at + 1] * SECOND),
        )
        for at in range(30)
    ]  # fmt: skip
    heard = folder / "talk.ctm"
    heard.write_text("".join(f"talk 1 {0.3 * at:.2f} 0.25 {w}\n" for at, w in enumerate(words)))
    said = folder / f"talk.{name}"
    formats.write(Transcript(segments), said, name)
    return said, heard


@each_case("name", ["srt", "vtt", "ttml", "stl", "whisper"])
def test_borders_of_captions_cost_nothing(tmp_path: Path, name: str) -> None:
    sides = talk(tmp_path, name, 1.0)
    rates = scoring.wer(*sides)
    assert (rates.counts.errors, rates.matching_summary.matched_by, len(rates.per_utterance)) == (
        0,
        "recording",
        30,
    )
    assert len(fields_of(rates.remarks, CAPTIONS)) == 1
    assert "match:recording" in rates.signature
    # who chooses, also a recipe, is asked nothing
    dealt = scoring.wer(*sides, cut="time")
    assert dealt.counts.errors > 20
    assert not fields_of(dealt.remarks, CAPTIONS)
    recipe = scoring.wer(*sides, like="sclite")
    assert recipe.matching_summary.matched_by == "time"
    [fields] = fields_of(recipe.remarks, ACROSS_BORDERS)
    assert fields["errors"] == 2 * fields["words"] <= fields["all"] == recipe.counts.errors


@pytest.mark.parametrize("jitter", [0, 0.2, 1.0])
def test_words_across_borders_are_counted(tmp_path: Path, jitter: float) -> None:
    sides = talk(tmp_path, "stm", jitter)
    rates = scoring.wer(*sides)
    assert rates.matching_summary.matched_by == "time"
    found = fields_of(rates.remarks, ACROSS_BORDERS)
    assert bool(found) == bool(jitter) == bool(rates.counts.errors)
    for fields in found:
        assert fields["errors"] >= 0.8 * rates.counts.errors
    joined = scoring.wer(*sides, cut="alignment")
    assert joined.counts.errors == 0
    assert not fields_of(joined.remarks, ACROSS_BORDERS)


def test_regions_that_are_not_scored_are_no_border(tmp_path: Path) -> None:
    (tmp_path / "a.stm").write_text(
        "r 1 A 0 1 a b\nr 1 A 1 2 ignore_time_segment_in_scoring\nr 1 A 2 3 c d\nr 2 A 0 1 b\n"
    )
    (tmp_path / "a.ctm").write_text(
        "r 1 0.1 0.1 a\nr 1 2.1 0.1 b\nr 1 2.3 0.1 C\nr 1 2.5 0.1 d\nr 2 0.1 0.1 b\n"
    )
    sides = tmp_path / "a.stm", tmp_path / "a.ctm"
    assert not fields_of(scoring.wer(*sides).remarks, ACROSS_BORDERS)
    text = sides[0].read_text().replace("r 1 A 1 2 ignore_time_segment_in_scoring\n", "")
    sides[0].write_text(text)
    for missing in ("delete", "skip"):
        [fields] = fields_of(scoring.wer(*sides, missing=missing).remarks, ACROSS_BORDERS)
        assert (fields["words"], fields["all"]) == (1, 3)
    # letters are no words
    assert not fields_of(scoring.cer(*sides).remarks, ACROSS_BORDERS)


@pytest.mark.parametrize(("shift", "added"), [("auto", "auto"), (-2.5, "-2.5"), ("-2.5", "-2.5")])
def test_a_shift_is_measured_and_taken_back(tmp_path: Path, shift: float | str, added: str) -> None:
    said, heard = talk(tmp_path, "stm", 0)
    words = [line.split() for line in heard.read_text().splitlines()]
    words = [[*row[:2], f"{float(row[2]) + 2.5:.2f}", row[3], f"{row[4]}{at // 90}"]
             for at, row in enumerate(words)]  # fmt: skip
    heard.write_text("".join(" ".join(row) + "\n" for row in words))
    lines = [line.split() for line in said.read_text().splitlines() if not line.startswith(";")]
    texts = iter(row[4] for row in words)
    said.write_text("".join(
        " ".join([*line[:5], *(next(texts) for _ in range(8))]) + "\n" for line in lines
    ))  # fmt: skip
    assert scoring.wer(said, heard).counts.errors > 100
    rates = scoring.wer(said, heard, shift=shift)
    assert rates.counts.errors == 0
    assert f"|shift:{added}|" in rates.signature
    found = fields_of(rates.remarks, SHIFTED)
    assert [round(each["seconds"], 1) for each in found] == ([-2.5] if shift == "auto" else [])
    if shift == "auto":
        heard.write_text("talk 1 0.1 0.2 a\n")
        found = fields_of(scoring.wer(said, heard, shift=shift).remarks, NOT_SHIFTED)
        assert [each["anchors"] for each in found] == [0]


def test_a_shift_needs_times() -> None:
    with pytest.raises(MatchingError) as caught:
        scoring.wer({"u": "a"}, {"u": "a"}, shift=1)
    assert caught.value.value is not None
    assert caught.value.value.entry == CUT_WITHOUT_TIMES
    for wrong in ("soon", "nan", 1e12, True):
        with pytest.raises(ValueError, match="shift"):
            scoring.wer("a", "a", shift=wrong)
    with pytest.raises(ValueError, match="shift"):
        scoring.wer("a", "a", shift=1, meeting="cp")

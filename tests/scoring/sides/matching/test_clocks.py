"""Times of another clock are measured from words that both sides share."""

import json
import random
import re
import shlex
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from formats.cli import main as formats_main
from formats.schema.messages import Message
from formats.schema.model import Segment
from scoring import wer
from scoring.cli.scoring import main
from scoring.options import Options
from scoring.sides.matching.clocks import FEWEST, measured_clocks
from tests.each_case import each_case
from tests.remarks import Said, said

Clock = Callable[[float], float]
WORDS = [f"{a}{b}{c}" for a in "bdfgklmn" for b in "aeiou" for c in ("", "ra", "so", "ti", "lu")]


def talk(folder: Path, clock: Clock, wrong: float = 0.0, channels: int = 1) -> tuple[Path, Path]:
    """A reference of segments and a hypothesis of words, by another clock."""
    drawn = random.Random(3)
    reference, hypothesis = folder / "talk.stm", folder / "talk.ctm"
    lines: list[str] = []
    words: list[str] = []
    for number in range(40):
        start, texts = 3 + number * 4.0, drawn.choices(WORDS, k=8)
        name = f"talk{number % channels}"
        lines.append(f"{name} A anne {start:.2f} {start + 3.2:.2f} {' '.join(texts)}\n")
        for place, text in enumerate(texts):
            begin, end = (clock(start + (place + more) * 0.4) for more in (0, 1))
            heard = drawn.choice(WORDS) if drawn.random() < wrong else text
            words.append(f"{name} A {begin:.3f} {end - begin:.3f} {heard}\n")
    reference.write_text("".join(lines))
    hypothesis.write_text("".join(words))
    return reference, hypothesis


def clocks_said(remarks: list[Said]) -> list[Said]:
    return [each for each in remarks if each[0].startswith(("CLOCK", "UNIT"))]


@each_case("channels", [1, 4])
@each_case("wrong", [0.0, 0.25])
@each_case("factor", [3.0, 3.2, 4.0, 6.0, 8.0, 0.5, 0.3, 25 / 23.976])
def test_a_factor_is_measured(tmp_path: Path, factor: float, wrong: float, channels: int) -> None:
    sides = talk(tmp_path, lambda time: time * factor, wrong, channels)
    [(key, fields)] = clocks_said(said(wer(*sides).remarks))
    assert key == "CLOCK"
    assert fields["factor"] == pytest.approx(factor, rel=0.01)
    assert fields["inside"] < 0.75 * fields["anchors"]
    assert fields["fitting"] >= 0.75 * fields["anchors"]


@each_case("wrong", [0.0, 0.25])
@each_case("shift", [-2.0, -1.4, 1.7, 4.0, 60.0])
def test_a_shift_is_measured(tmp_path: Path, shift: float, wrong: float) -> None:
    sides = talk(tmp_path, lambda time: max(time + shift, 0), wrong)
    [(key, fields)] = clocks_said(said(wer(*sides).remarks))
    assert key == ("CLOCK.later" if shift > 0 else "CLOCK.earlier")
    assert fields["seconds"] == pytest.approx(abs(shift), abs=0.3)


def test_a_factor_and_a_shift_are_measured_together(tmp_path: Path) -> None:
    sides = talk(tmp_path, lambda time: time * 1.5 + 20)
    [(key, fields)] = clocks_said(said(wer(*sides).remarks))
    assert key == "CLOCK.later-factor"
    assert fields["factor"] == pytest.approx(1.5, rel=0.02)
    assert fields["seconds"] == pytest.approx(20, abs=1)


@pytest.mark.parametrize("unit", [10, 100, 1000])
def test_a_factor_of_a_unit_names_the_unit(tmp_path: Path, unit: int) -> None:
    left, right = talk(tmp_path, lambda time: time * unit)
    assert [key for key, _ in clocks_said(said(wer(left, right).remarks))] == ["UNIT-OF-TIMES"]


@each_case("wrong", [0.0, 0.3, 0.6])
@each_case("jitter", [0.0, 0.3])
def test_the_same_clock_is_no_remark(tmp_path: Path, wrong: float, jitter: float) -> None:
    drawn = random.Random(5)
    sides = talk(tmp_path, lambda time: time + drawn.uniform(0, jitter), wrong)
    assert clocks_said(said(wer(*sides).remarks)) == []


def test_a_transcript_of_the_beginning_is_no_remark(tmp_path: Path) -> None:
    """Its times reach a tenth as far; before, they were taken for another unit."""
    left, right = talk(tmp_path, lambda time: time)
    lines = right.read_text().splitlines(keepends=True)
    right.write_text("".join(lines[: len(lines) // 10]))
    assert clocks_said(said(wer(left, right).remarks)) == []


def test_speakers_with_times_hear_it_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = talk(tmp_path, lambda time: time * 4)
    monkeypatch.chdir(tmp_path)
    assert "CLOCK" in [key for key, _ in said(wer(left, right, meeting="tcorc").remarks)]
    assert "CLOCK" not in [key for key, _ in said(wer(left, right, meeting="orc").remarks)]
    assert main(["wer", "talk.stm", "talk.ctm", "--remarks", "json"]) == 0
    records = list(map(json.loads, capsys.readouterr().err.splitlines()))
    assert [each["fields"]["factor"] for each in records if each["code"] == "CLOCK"] == [4]


def test_captions_are_moved_by_an_option(tmp_path: Path) -> None:
    left, _ = talk(tmp_path, lambda time: time)
    cues: list[str] = []
    for number, line in enumerate(left.read_text().splitlines(), 1):
        *_, start, end, words = line.split(maxsplit=5)
        times = (f"00:{s // 60:02.0f}:{s % 60:06.3f}" for s in (float(start) + 9, float(end) + 9))
        cues.append(f"{number}\n{' --> '.join(times)}\n{words}\n")
    path = tmp_path / "talk0.srt"
    path.write_text("\n".join(cues).replace(".", ","))
    options = Options(meeting="tcorc", collar="0s")
    remarks = wer(left, path, options=options).remarks
    [message] = [each for each in remarks if isinstance(each, Message) and each.code == "CLOCK"]
    [advice] = message.advice
    assert message.fields["seconds"] == pytest.approx(9, abs=0.2)
    assert (advice.option, advice.value) == ("hypothesis_option", "offset=-9.00")
    moved = wer(left, path, options=options, hypothesis_options={"offset": "-9.00"})
    assert clocks_said(said(moved.remarks)) == []
    assert moved.counts.errors == 0


def subtitles(path: Path, clock: Clock, words_of_cue: int = 6) -> Path:
    """Subtitles of 240 words in 160 s, cut anew every few words; their times by another clock."""
    words = [
        f"{word}{number}" for number, word in enumerate(random.Random(7).choices(WORDS, k=240))
    ]
    cues: list[str] = []
    for first in range(0, len(words), words_of_cue):
        ends = (5 + place * 160 / 240 for place in (first, first + words_of_cue))
        times = (f"00:{t // 60:02.0f}:{t % 60:06.3f}".replace(".", ",") for t in map(clock, ends))
        text = " ".join(words[first : first + words_of_cue])
        cues.append(f"{len(cues) + 1}\n{' --> '.join(times)}\n{text}\n")
    path.write_text("\n".join(cues))
    return path


@pytest.mark.share(5)
@pytest.mark.parametrize("words_of_cue", [6, 4, 10])
@pytest.mark.parametrize("shift", [0.4, -1.2, 2.8, 45.0])
def test_the_shift_of_subtitles_is_measured_and_removed(
    tmp_path: Path, shift: float, words_of_cue: int
) -> None:
    """Also if cues overlap in spite of it; the error rate of words does not change."""
    left = subtitles(tmp_path / "film.srt", lambda time: time)
    right = subtitles(tmp_path / "live.srt", lambda time: max(time + shift, 0), words_of_cue)
    rates = wer(left, right, measures=["subtitles"])
    [(key, fields)] = clocks_said(said(rates.remarks))
    assert key == ("CLOCK.later-captions" if shift > 0 else "CLOCK.earlier-captions")
    assert fields["seconds"] == pytest.approx(abs(shift), abs=0.1)
    assert fields["segments"] == 240 / words_of_cue
    assert fields["inside"] < fields["fitting"]
    moved = wer(left, right, measures=["subtitles"], shift="auto")
    assert moved.counts == rates.counts
    assert [key for key, _ in clocks_said(said(moved.remarks))] == ["CLOCK.shifted"]
    covered = [score.measured["subtitles"]["coverage_f1"] or 0 for score in (rates, moved)]
    assert covered[0] < covered[1]
    assert covered[1] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("words_of_cue", [6, 4, 10])
def test_subtitles_of_the_same_clock_are_no_remark(tmp_path: Path, words_of_cue: int) -> None:
    drawn = random.Random(5)
    left = subtitles(tmp_path / "film.srt", lambda time: time)
    right = subtitles(
        tmp_path / "live.srt", lambda time: time + drawn.uniform(-0.3, 0.3), words_of_cue
    )
    assert clocks_said(said(wer(left, right).remarks)) == []


RATES = {"23.976": 24000 / 1001, "24": 24, "25": 25, "29.97": 30000 / 1001, "30": 30}
PAIRS = [pair for pair in permutations(RATES, 2) if abs(RATES[pair[0]] / RATES[pair[1]] - 1) > 0.01]


@pytest.mark.parametrize("shift", [0, 3.0])
@each_case(("made", "shown"), PAIRS)
def test_captions_of_another_frame_rate_are_named_and_corrected(
    tmp_path: Path, made: str, shown: str, shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command of the message writes the captions of the reference."""
    monkeypatch.chdir(tmp_path)
    factor = RATES[made] / RATES[shown]
    left = subtitles(Path("film.srt"), lambda time: time)
    right = subtitles(Path("live.srt"), lambda time: time * factor + shift)
    [message] = [each for each in wer(left, right).remarks if getattr(each, "code", "") == "CLOCK"]
    assert isinstance(message, Message)
    assert message.entry.variant == "frame-rates" + "-moved" * bool(shift)
    fields = message.fields
    assert RATES[fields["made"]] / RATES[fields["shown"]] == pytest.approx(factor)
    assert fields["fitting"] == fields["segments"] == 40
    [command] = re.findall("`formats (convert .*?)`", str(message))
    assert formats_main([*shlex.split(command)]) == 0
    # only times differ by rounding
    old, new = (
        re.findall(r"[\d:,]{12}", Path(name).read_text()) for name in (left, fields["target"])
    )
    assert len(old) == len(new) == 80
    seconds = [
        [int(t[3:5]) * 60 + float(t[6:].replace(",", ".")) for t in side] for side in (old, new)
    ]
    assert seconds[1] == pytest.approx(seconds[0], abs=0.02)
    assert clocks_said(said(wer(left, Path(str(fields["target"]))).remarks)) == []


def test_captions_of_another_factor_have_its_number(tmp_path: Path) -> None:
    left = subtitles(tmp_path / "film.srt", lambda time: time)
    right = subtitles(tmp_path / "live.srt", lambda time: time * 1.07)
    [(key, fields)] = clocks_said(said(wer(left, right).remarks))
    assert key == "CLOCK.stretched"
    assert float(fields["stretch"]) == pytest.approx(1 / 1.07, rel=0.001)


def test_few_words_measure_nothing() -> None:
    left = [Segment.of("a", [f"w{n}"], start=n, end=n + 1) for n in range(FEWEST - 1)]
    right = [Segment.of("a", [f"w{n}"], start=9 * n, end=9 * n + 1) for n in range(FEWEST - 1)]
    assert measured_clocks([(left, right)]) is None
    more = [*left, Segment.of("a", ["x"], start=60, end=61)]
    clocks = measured_clocks([(more, [*right, Segment.of("a", ["x"], start=540, end=541)])])
    assert clocks is not None
    assert clocks.factor == pytest.approx(9, rel=0.05)


def loop(path: Path, shift: float, sentences: int = 30, every: int = 1) -> Path:
    """Subtitles of six sentences that return, 4 s for each; every so many are there."""
    texts = [" ".join(WORDS[place : place + 5]) for place in range(0, 30, 5)]
    cues: list[str] = []
    for number in range(0, sentences, every):
        ends = (3 + 4 * number + shift, 6 + 4 * number + shift)
        times = (f"00:{t // 60:02.0f}:{t % 60:06.3f}".replace(".", ",") for t in ends)
        cues.append(f"{len(cues) + 1}\n{' --> '.join(times)}\n{texts[number % 6]}\n")
    path.write_text("\n".join(cues))
    return path


@pytest.mark.parametrize("shift", [-1.5, 2.0])
def test_the_shift_of_a_text_that_repeats_itself_is_measured(tmp_path: Path, shift: float) -> None:
    """No word occurs once, so all words are aligned."""
    left, right = loop(tmp_path / "film.srt", 0), loop(tmp_path / "live.srt", shift)
    [(key, fields)] = clocks_said(said(wer(left, right).remarks))
    assert key == ("CLOCK.later-captions" if shift > 0 else "CLOCK.earlier-captions")
    assert fields["seconds"] == pytest.approx(abs(shift))
    numbers = [fields[name] for name in ("segments", "inside", "fitting")]
    assert numbers == [30, 0, 30]
    moved = wer(left, right, measures=["subtitles"], shift="auto").measured["subtitles"]
    assert moved["coverage_f1"] == 1


def test_a_text_that_repeats_itself_has_no_shift_without_cause(tmp_path: Path) -> None:
    """Not at equal times, and not if the texts have too few words in common."""
    left = loop(tmp_path / "film.srt", 0)
    assert clocks_said(said(wer(left, loop(tmp_path / "same.srt", 0.1)).remarks)) == []
    part = loop(tmp_path / "part.srt", 2.0, every=2)
    assert clocks_said(said(wer(left, part).remarks)) == []

"""The stretches of a timeline sum up to the seconds that are reported, by every tool's rules."""

import html
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.tasks.speakers.der.rules import LIKE, rules_like
from scoring.tasks.speakers.der.score import read, score
from scoring.tasks.speakers.der.timeline import timelines_of
from tests.each_case import each_case

Turn = tuple[str, float, float]


def drawn_turns(seed: int) -> tuple[list[Turn], list[Turn]]:
    drawn = random.Random(seed)
    sides: tuple[list[Turn], list[Turn]] = ([], [])
    for side, names in zip(sides, ("abc", "wxyz"), strict=True):
        begin = 0.0
        for _ in range(25):
            length = drawn.randint(1, 60) / 10
            side.append((drawn.choice(names), begin, begin + length))
            begin += length * drawn.choice((0.5, 1.0, 1.5))
    return sides


@each_case("like", [None, *LIKE])
@each_case("seed", range(6))
def test_stretches_sum_up_to_the_errors(like: str | None, seed: int) -> None:
    reference, hypothesis = drawn_turns(seed)
    sides = read({"talk": reference}, {"talk": hypothesis})
    rules = rules_like(like, collar_ns=250_000_000 * (seed % 2))
    errors = score(sides, rules, like)
    amounts = errors.amounts
    [timeline] = timelines_of(sides, rules)
    sums: Counter[tuple[str, int]] = Counter()
    for span in timeline.spans:
        sums[span.kind, span.side] += span.end_ns - span.begin_ns
    assert sums["D", 0] == amounts.missed
    assert sums["I", 1] == amounts.false_alarm
    assert sums["S", 0] == sums["S", 1] == amounts.confusion
    # so do the speakers of the reference
    assert sum(speaker.scored_ns for speaker in errors.speakers) == amounts.scored
    assert sum(speaker.lost_ns for speaker in errors.speakers) == amounts.missed + amounts.confusion
    assert all(0 <= speaker.lost_ns <= speaker.scored_ns for speaker in errors.speakers)


def test_a_lane_is_a_speaker_with_the_partner() -> None:
    sides = read({"t": [("ann", 0, 10)]}, {"t": [("x", 0, 9), ("y", 9, 10)]})
    [timeline] = timelines_of(sides, rules_like(None))
    assert timeline.lanes == [("ann", "x"), (None, "y")]
    assert [span.kind for span in timeline.spans] == ["", "", "", "S", "S"]


def test_the_page_has_a_sentence_and_a_timeline(tmp_path: Path) -> None:
    turn = "SPEAKER t 1 {} {} <NA> <NA> {} <NA> <NA>\n".format
    (tmp_path / "r.rttm").write_text(turn(0, 10, "</script>") + turn(10, 5, "bob"))
    (tmp_path / "h.rttm").write_text(turn(0, 9, "x") + turn(10, 5, "y"))
    page = tmp_path / "page.html"
    paths = [str(tmp_path / name) for name in ("r.rttm", "h.rttm")]
    assert main(["der", *paths, "--html", str(page)]) == 0
    text = page.read_text("utf-8")
    assert "6.67&nbsp;% of the speaker time is wrong: missed 1.0 s." in text
    data = text.partition('class="turns-data">')[2].partition("</script>")[0]
    assert '"lanes":[["\\u003c/script>","x"],["bob","y"]]' in data
    assert "Longest errors" in text
    assert "media-src blob:" in text


def test_the_page_gathers_the_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output does not repeat them: standard error has them."""
    turn = "SPEAKER {} 1 0 5 <NA> <NA> ann <NA> <NA>\n".format
    (tmp_path / "r.rttm").write_text(turn("one") + turn("two"))
    (tmp_path / "h.rttm").write_text(turn("one"))
    page = tmp_path / "page.html"
    paths = [str(tmp_path / name) for name in ("r.rttm", "h.rttm")]
    record = tmp_path / "record.json"
    command = ["der", *paths, "--unpaired", "score", "--html", str(page), "--json", str(record)]
    assert main(command) == 0
    output = capsys.readouterr()
    [system] = json.loads(record.read_text())["systems"]
    [remark] = system["remarks"]
    assert remark["text"] in html.unescape(page.read_text("utf-8"))
    assert remark["text"] in output.err
    assert remark["text"] not in output.out

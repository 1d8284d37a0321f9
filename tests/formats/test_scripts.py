"""Commands of the manual that replace converters written by hand."""

import re
from pathlib import Path

import pytest

from tests.each_case import each_case
from tests.formats.conftest import RunCommand

PAGE = Path(__file__).parents[2] / "docs" / "instead-of-scripts.md"
COMMANDS = re.findall(r"`formats (convert [^`]*)`", PAGE.read_text("utf-8"))
TURNS = "SPEAKER rec1 1 0.500 2.000 <NA> <NA> spkA <NA> <NA>\n"
INPUTS = {
    "a.rttm": TURNS,
    "a.ctm": "rec1 1 0.10 0.30 hello 0.9\nrec1 1 0.45 0.20 world 0.8\n",
    "a.vtt": "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nhello world\n",
    "a.srt": "".join(
        f"{n}\n00:00:0{n},000 --> 00:00:0{n},500\nSpeaker {n}: hello\n\n" for n in (1, 2)
    ),
    "chunks.json": '{"text": " so it is", "chunks": [{"timestamp": [0.0, 1.5], "text": " so it"}, '
    '{"timestamp": [1.5, null], "text": " is"}]}',
    "aws.json": '{"jobName": "j", "accountId": "1", "status": "COMPLETED", "results": {"transcripts": '
    '[{"transcript": "今日は"}], "items": [{"type": "pronunciation", "start_time": "0.5", "end_time": '
    '"0.9", "alternatives": [{"content": "今日", "confidence": "0.9"}]}, {"type": "pronunciation", '
    '"start_time": "0.9", "end_time": "1.2", "alternatives": [{"content": "は", "confidence": "0.9"}]'
    "}]}}",
    "seg.ctm": "sw1 A 0.10 0.30 hello\nsw1 A 0.50 0.30 there\n",
    "seg.trn": "hello there (sw1_A-000000-000200)\n",
    "S05.json": '[{"end_time": "11.370", "start_time": "11.000", "words": "so", "speaker": "P03", '
    '"session_id": "S05"}]',
    "labels.txt": "0.5\t2.5\tspkA\n2.0\t3.5\tspkB\n",
    "ms.json": '{"segments": [{"speakerId": "s1", "startMs": 500, "endMs": 2500}]}',
    "vibe.json": '[{"Start": 0.0, "End": 1.5, "Speaker": 0, "Content": "hello"}]',
    "pyai.json": '{"diarization": [{"speaker": "SPEAKER_00", "start": 0.5, "end": 2.5}]}',
    "ripcord.json": '{"segments": [{"start": 1.2, "end": 4.5, "text": "hi all", "speaker": "S0"}]}',
    "yt.transcript": "0:02\nwelcome to this\n0:05\ncourse on\n1:30\nspeech\n",
}

SEGMENTS = "sw1 A sw1_A 0.00 2.00 hello there\n"


@each_case("command", [c for c in COMMANDS if c.split()[1] in INPUTS])
def test_a_command_replaces_a_script(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: RunCommand
) -> None:
    monkeypatch.chdir(tmp_path)
    words = command.split()
    Path(words[1]).write_text(INPUTS[words[1]], "utf-8")
    Path("seg.stm").write_text(SEGMENTS)
    status, _, errors = run_command(*words)
    assert status == 0, errors
    assert Path(words[2]).stat().st_size > 0


def test_the_page_has_a_row_for_most_scripts() -> None:
    assert len(COMMANDS) >= 28


def test_words_are_cut_and_timed_by_segments_of_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: RunCommand
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("seg.stm").write_text("sw1 A a 0.00 1.00 x\nsw1 A a 1.00 2.00 y\n")
    Path("seg.ctm").write_text("sw1 A 0.80 0.10 one\nsw1 A 1.05 0.10 two\n")
    assert run_command("convert", "seg.ctm", "seg.srt", "--segments", "seg.stm")[0] == 0
    assert Path("seg.srt").read_text().split("\n")[2::4] == ["one", "two"]
    Path("aws.json").write_text(INPUTS["aws.json"], "utf-8")
    assert run_command("convert", "aws.json", "aws.srt", "--no-han-blanks")[0] == 0
    assert "今日は" in Path("aws.srt").read_text("utf-8")

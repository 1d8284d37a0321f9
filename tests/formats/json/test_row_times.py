"""Times of the rows of any JSON: chunks, frames, decimal commas; and what wraps rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.io.messages import FRAMES_ASSUMED, TIME_UNREAD, TIMES_AGAIN
from formats.json.messages import OFFSETS, WORD_ENDS, WRAPPED_OTHERS
from formats.manifests.messages import UNIT_OPEN
from tests.formats.checks import codes

SENTENCES = (
    "so we begin with the minutes of the last",
    "meeting and then go on to the budget",
    "which was sent to all of you last week",
)


def rows(**of_each: Any) -> list[dict[str, Any]]:
    return [
        {"start": 3 * n + 0.5, "end": 3 * n + 2.9, "text": text, **of_each}
        for n, text in enumerate(SENTENCES)
    ]


def read(tmp_path: Path, value: Any) -> formats.Transcript:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return formats.read(path)


def spans(transcript: formats.Transcript) -> list[tuple[float | None, float | None]]:
    return [(segment.start, segment.end) for segment in transcript]


IN_CHUNKS = [
    (offset + 3 * n + 0.5, offset + 3 * n + 2.9) for offset in (0, 30, 60) for n in range(3)
]
CHUNKED: dict[str, Any] = {
    "in each row": {
        "segments": [row for offset in (0, 30, 60) for row in rows(chunk_start=offset)]
    },
    "around the rows": {
        "chunks": [
            {"chunk_start": offset, "chunk_end": offset + 30, "segments": rows()}
            for offset in (0, 30, 60)
        ]
    },
    "in milliseconds": [
        {"offset_ms": 1000 * offset, "segments": [{**row, "start_s": row["start"],
         "end_s": row["end"]} for row in rows()]}
        for offset in (0, 30, 60)
    ],
}  # fmt: skip
for chunk in CHUNKED["in milliseconds"]:
    for row in chunk["segments"]:
        del row["start"], row["end"]


@pytest.mark.parametrize("value", CHUNKED.values(), ids=CHUNKED.keys())
def test_times_that_begin_again_in_each_chunk_count_from_its_start(
    value: Any, tmp_path: Path
) -> None:
    transcript = read(tmp_path, value)
    assert spans(transcript) == IN_CHUNKS
    assert OFFSETS.code in codes(transcript)
    assert {segment.recording for segment in transcript} == {"talk"}


def test_times_that_go_on_are_unchanged_beside_the_start_of_their_chunk(tmp_path: Path) -> None:
    value = [
        {**row, "chunk_start": offset, "start": row["start"] + offset, "end": row["end"] + offset}
        for offset in (0, 30, 60)
        for row in rows()
    ]
    transcript = read(tmp_path, value)
    assert spans(transcript) == IN_CHUNKS
    assert OFFSETS.code not in codes(transcript)


def test_words_whose_times_begin_again_in_each_turn_count_from_its_start(tmp_path: Path) -> None:
    value = [
        {
            "start": offset,
            "text": SENTENCES[0],
            "words": [
                {"word": word, "start": 0.3 * n, "end": 0.3 * n + 0.2}
                for n, word in enumerate(SENTENCES[0].split())
            ],
        }
        for offset in (0.0, 30.0, 60.0)
    ]
    transcript = read(tmp_path, value)
    assert [segment.starts_ns[0] for segment in transcript if segment.starts_ns] == [
        0,
        30_000_000_000,
        60_000_000_000,
    ]


def test_times_that_begin_again_without_a_reason_are_warned_of(tmp_path: Path) -> None:
    transcript = read(tmp_path, [*rows(), *rows(), *rows()])
    (entry,) = [e for e in transcript.diagnostics if e.code == TIMES_AGAIN.code]
    assert entry.value.fields["again"] == 2
    by_speaker = read(tmp_path, [*rows(speaker="Ann"), *rows(speaker="Ben")])
    assert TIMES_AGAIN.code not in codes(by_speaker)


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_rows_of_a_table_whose_times_begin_again_are_warned_of(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"talk.{suffix}"
    lines = [
        json.dumps({**row, "n": n}) if suffix == "jsonl" else f"{n},{row['start']},{row['text']}"
        for n, row in enumerate([*rows(), *rows()])
    ]
    path.write_text("\n".join(["n,start,text"] * (suffix == "csv") + lines) + "\n")
    assert TIMES_AGAIN.code in codes(formats.read(path))


def test_decimal_commas_of_times_are_read(tmp_path: Path) -> None:
    value = [
        {"start": f"{3 * n},5", "end": f"{3 * n + 2},90", "text": text}
        for n, text in enumerate(SENTENCES)
    ]
    assert spans(read(tmp_path, value)) == [(0.5, 2.9), (3.5, 5.9), (6.5, 8.9)]


FRAMES = {
    "numbers": {"start_frame": lambda n: 75 * n, "end_frame": lambda n: 75 * n + 70},
    "camel case": {"startFrame": lambda n: 75 * n, "endFrame": lambda n: 75 * n + 70},
    "time codes": {
        "start": lambda n: f"00:00:{3 * n:02d}:00",
        "end": lambda n: f"00:00:{3 * n + 2:02d}:20",
    },
}


@pytest.mark.parametrize("members", FRAMES.values(), ids=FRAMES.keys())
def test_frames_are_read_with_the_rate_of_the_file(members: Any, tmp_path: Path) -> None:
    listed = [
        {**{name: time(n) for name, time in members.items()}, "text": text}
        for n, text in enumerate(SENTENCES)
    ]
    transcript = read(tmp_path, {"fps": 25, "segments": listed})
    assert spans(transcript) == [(0, 2.8), (3, 5.8), (6, 8.8)]
    assert FRAMES_ASSUMED.code not in codes(transcript)
    faster = formats.read(tmp_path / "talk.json", "json", fps="50")
    assert faster[1].end == (2.9 if "start_frame" in members or "startFrame" in members else 5.4)


def test_time_codes_without_a_rate_are_read_with_a_usual_one(tmp_path: Path) -> None:
    value = [{"start": f"00:00:{3 * n:02d}:12", "text": text} for n, text in enumerate(SENTENCES)]
    transcript = read(tmp_path, value)
    assert [segment.start for segment in transcript] == [0.48, 3.48, 6.48]
    assert FRAMES_ASSUMED.code in codes(transcript)


def page_of_video(title: bool) -> Any:
    cues: list[Any] = [
        {
            "transcriptSegmentRenderer": {
                "startMs": str(3000 * n),
                "endMs": str(3000 * n + 2900),
                "snippet": {"runs": [{"text": text[:8]}, {"text": text[8:]}]},
            }
        }
        for n, text in enumerate(SENTENCES)
    ]
    heading = {"transcriptSectionHeaderRenderer": {"startMs": "0", "header": {"x": {"y": "News"}}}}
    listing: dict[str, Any] = {"initialSegments": [heading, *cues] if title else cues}
    for name in ("body", "content", "transcriptRenderer", "content", "panel"):
        listing = {name: listing}
    return {"actions": [listing]}


@pytest.mark.parametrize("title", [True, False])
def test_the_transcript_of_a_page_of_a_video_is_read(title: bool, tmp_path: Path) -> None:
    transcript = read(tmp_path, page_of_video(title))
    assert [" ".join(segment.words) for segment in transcript] == list(SENTENCES)
    assert spans(transcript) == [(0, 2.9), (3, 5.9), (6, 8.9)]
    assert (WRAPPED_OTHERS.code in codes(transcript)) == title


def test_attributes_and_text_of_converted_xml_are_read(tmp_path: Path) -> None:
    value = {
        "transcript": {
            "text": [
                {"$": {"start": str(3 * n), "dur": "2.5"}, "_": text}
                for n, text in enumerate(SENTENCES)
            ]
        }
    }
    transcript = read(tmp_path, value)
    assert spans(transcript) == [(0, 2.5), (3, 5.5), (6, 8.5)]
    assert transcript[2].words == tuple(SENTENCES[2].split())


def test_utterances_with_a_list_of_one_text_are_read(tmp_path: Path) -> None:
    value = {
        "utts": {
            f"utt{n}": {
                "input": [{"name": "input1", "shape": [100, 80]}],
                "output": [{"name": "target1", "text": text, "tokenid": "1 2 3"}],
                "utt2spk": "AB"[n % 2],
            }
            for n, text in enumerate(SENTENCES)
        }
    }
    transcript = read(tmp_path, value)
    assert [" ".join(segment.words) for segment in transcript] == list(SENTENCES)
    assert [segment.speaker for segment in transcript] == ["A", "B", "A"]


def test_turns_around_an_element_are_not_its_words(tmp_path: Path) -> None:
    value = [{**row, "context": [*rows(), *rows()]} for row in rows()]
    transcript = read(tmp_path, value)
    assert [" ".join(segment.words) for segment in transcript] == list(SENTENCES)
    assert transcript[1].starts_ns is None


def test_whole_seconds_at_an_odd_pace_are_read_with_a_warning(tmp_path: Path) -> None:
    value = [{"start": 2 * n, "end": 2 * n + 1, "text": " ".join(SENTENCES[:2])} for n in range(9)]
    transcript = read(tmp_path, value)
    assert transcript[1].start == 2
    assert UNIT_OPEN.code in codes(transcript)


def test_times_with_a_unit_in_a_list_of_texts_are_read(tmp_path: Path) -> None:
    value = [{"timestamp": f"{3 * n}.50s", "text": text} for n, text in enumerate(SENTENCES)]
    assert [segment.start for segment in read(tmp_path, value)] == [0.5, 3.5, 6.5]


def test_the_only_transcript_in_nested_objects_is_read(tmp_path: Path) -> None:
    text = " ".join(SENTENCES)
    value = {"data": {"meta": {"id": "a"}, "properties": {"fullTranscript": text, "uh": 3}}}
    transcript = read(tmp_path, value)
    assert [" ".join(segment.words) for segment in transcript] == [text]


def test_a_speaker_without_a_name_has_a_title(tmp_path: Path) -> None:
    value = [
        {"speaker": {"full": "Ms Able", "name": "Able"}, "text": SENTENCES[0]},
        {"speaker": {"full": "Chair", "name": None}, "text": SENTENCES[1]},
    ] * 2
    assert [segment.speaker for segment in read(tmp_path, value)] == ["Able", "Chair"] * 2


def test_fractions_of_long_drawn_words_are_seconds(tmp_path: Path) -> None:
    words = [
        {"text": "well", "start": 12.5 * number + 0.25, "end": 12.5 * number + 11.75}
        for number in range(6)
    ]
    assert spans(read(tmp_path, words))[1] == (12.75, 24.25)


def test_a_last_line_without_a_line_end_is_read_with_the_others(tmp_path: Path) -> None:
    sides = ("Ann", "Ben", "Ann", "Ben")
    lines = [
        json.dumps({"start": 3 * n, "end": 3 * n + 2, "text": f"{side}: {text}"})
        for n, (side, text) in enumerate(zip(sides, (*SENTENCES, "and that was all"), strict=True))
    ]
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(lines))
    unfinished = formats.read(path)
    path.write_text("\n".join(lines) + "\n")
    finished = formats.read(path)
    assert [*unfinished] == [*finished]
    assert codes(unfinished) == codes(finished)
    assert tuple(segment.speaker for segment in unfinished) == sides


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("ms1", "ms2")])
def test_milliseconds_in_members_of_their_own(first: str, second: str, tmp_path: Path) -> None:
    value = [
        {"start": f"00:00:0{n}", first: "250", "end": f"00:00:0{n + 1}", second: "075", "text": t}
        for n, t in enumerate(SENTENCES)
    ]
    transcript = read(tmp_path, value)
    assert spans(transcript) == [(n + 0.25, n + 1.075) for n in range(len(SENTENCES))]
    assert TIME_UNREAD.code not in codes(transcript)


def test_three_digits_behind_one_time_are_no_milliseconds(tmp_path: Path) -> None:
    value = [{"start": f"00:00:0{n}", "room": "250", "text": t} for n, t in enumerate(SENTENCES)]
    assert [start for start, _ in spans(read(tmp_path, value))] == [0, 1, 2]


def test_words_with_starts_alone_end_at_the_next(tmp_path: Path) -> None:
    words = [{"word": word, "start_ms": 500 * n} for n, word in enumerate(["so", "it", "was"])]
    transcript = read(tmp_path, [{"start_ms": 0, "duration_ms": 2000, "words": words}] * 1)
    assert [d.value.entry for d in transcript.diagnostics if d.code == "WORD-TIMES"] == [WORD_ENDS]

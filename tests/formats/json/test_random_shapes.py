"""Random JSON of transcripts in any nesting, whose words, times and speakers are known."""

import io
import json
from collections import Counter
from random import Random
from typing import Any, NamedTuple

import pytest

import formats

VOCABULARY = [
    "the", "a", "we", "you", "they", "quite", "often", "walk", "river", "morning", "lamp", "seldom", "carry",
    "green", "paper", "window", "because", "under", "little", "bright", "answer", "music", "garden", "yellow",
    "stone", "never", "always", "maybe", "open", "close", "train",
]  # fmt: skip
TEXTS = [
    "text", "transcript", "sentence", "utterance", "content", "caption", "line", "message", "transcribed_text",
    "raw_text", "texte", "texto", "Inhalt", "текст", "文本", "発言", "tekst", "mluva", "sagt", "frasi", "kolom_b", "c7",
    "statement", "talk", "utt", "lexical", "display", "ref", "alternatives",
]  # fmt: skip
SPANS = [
    ("start", "end"), ("start_time", "end_time"), ("startTime", "endTime"), ("begin", "end"), ("from", "to"),
    ("début", "fin"), ("начало", "конец"), ("开始时间", "结束时间"), ("tcIn", "tcOut"), ("tStart", "tEnd"),
    ("fromTime", "toTime"), ("st", "et"), ("von", "bis"), ("x1", "x2"),
]  # fmt: skip
SPEAKERS = [
    "speaker", "speaker_id", "speakerName", "spk", "role", "who", "name", "locuteur", "спикер", "說話人", "interlocutor", "displayName", "k3",
]  # fmt: skip
NESTINGS = [
    "list", "object", "deep", "by id", "columns", "lines", "files", "files by name", "sections", "details", "words",
    "monologues", "utterances", "clips", "wrapped", "programmes", "spans", "spans of lines", "whole",
]  # fmt: skip
BESIDE: dict[str, Any] = {
    "confidence": 0.91, "lang": "en", "id": 7, "emotion": "calm", "tags": ["x", "y"], "flag": True, "summary": "",
    "translation": "ebyam esolc", "url": "https://example.org/a", "n_words": 4,
}  # fmt: skip


class Turn(NamedTuple):
    """What an element says."""

    start: float
    end: float
    speaker: str
    text: str


class Shape(NamedTuple):
    """How a document is written."""

    nesting: str
    text: str
    span: tuple[str, str]
    speaker: str
    times: str
    beside: str


def shape_of(random: Random) -> Shape:
    """Return a shape whose names and nesting are random; times and speakers may be missing."""
    names = random.choice(["usual", "any", "any"])
    times = random.choice(["s", "s", "ms", "clock", "start", "none"])
    spans = SPANS[:-2] if times == "start" else SPANS  # values alone show no starts without ends
    return Shape(
        random.choice(NESTINGS),
        "text" if names == "usual" else random.choice(TEXTS),
        SPANS[0] if names == "usual" else random.choice(spans),
        random.choice(["speaker", ""]) if names == "usual" else random.choice([*SPEAKERS, ""]),
        times,
        random.choice([*BESIDE, "", "", ""]),
    )


def turns_of(random: Random, shape: Shape) -> list[Turn]:
    """Return the turns of a talk. Names of persons need a member whose name means a speaker."""
    pools = [["SPEAKER_00", "SPEAKER_01"], ["agent", "customer"], ["Ann", "Ben"]]
    labels = random.choice(pools[: 2 if shape.speaker == "k3" else 3])
    turns, start = [], random.choice([0.0, 0.4, 61.5])
    for number in range(random.randint(6, 10)):
        end = round(start + random.uniform(1.2, 5), 2)
        text = " ".join(random.sample(VOCABULARY, random.randint(4, 9)))
        turns.append(Turn(start, end, labels[number % 2], text))
        start = round(end + random.choice([0, 0.25, 1.1]), 2)
    return turns


def clock(seconds: float) -> str:
    """Return a clock time."""
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02d}:{seconds % 60:05.2f}"


def row_of(shape: Shape, turn: Turn) -> dict[str, Any]:
    """Return the object of a turn."""
    first, last = shape.span
    row: dict[str, Any] = {
        "s": {first: turn.start, last: turn.end},
        "ms": {first: round(turn.start * 1000), last: round(turn.end * 1000)},
        "clock": {first: clock(turn.start), last: clock(turn.end)},
        "start": {first: turn.start},
        "none": {},
    }[shape.times]  # type: ignore[assignment]
    if shape.speaker:
        row[shape.speaker] = turn.speaker
    if shape.beside:
        row[shape.beside] = BESIDE[shape.beside]
    if shape.text == "alternatives":
        return row | {shape.text: [{"text": turn.text}, {"text": "so it may be"}]}
    return row | {shape.text: turn.text}


def spanned(shape: Shape, row: dict[str, Any]) -> dict[str, Any]:
    """Return an object with its start and end in a list or an object inside it."""
    first, last = shape.span
    if last not in row:
        return row
    others = {name: value for name, value in row.items() if name not in shape.span}
    if shape.times == "s":
        return others | {"time": {"start": row[first], "end": row[last]}}
    return others | {"range": [row[first], row[last]]}


def document_of(shape: Shape, turns: list[Turn]) -> str:
    """Return the text of a file."""
    rows = [row_of(shape, turn) for turn in turns]
    half = len(rows) // 2
    if shape.nesting == "spans of lines":
        rows = [spanned(shape, row) for row in rows]
    if shape.nesting.endswith("lines"):
        return "\n".join(map(json.dumps, rows)) + "\n"
    words = [
        {**row, "words": [{"word": word} for word in turn.text.split()]}
        for row, turn in zip(rows, turns, strict=True)
    ]
    text = {
        "list": rows,
        "object": {"language": "en", "segments": rows},
        "deep": {"status": "ok", "data": {"result": [{"payload": {"parts": rows}}]}},
        "by id": {f"u{number}": row for number, row in enumerate(rows)},
        "columns": {name: [row[name] for row in rows] for name in rows[0]},
        "files": [{"audio": "a.wav", "turns": rows[:half]}, {"audio": "b.wav", "turns": rows[half:]}],
        "files by name": {"a.wav": rows[:half], "b.wav": rows[half:]},
        "sections": [{"title": "Part one", "turns": rows[:half]}, {"title": "Part two", "turns": rows[half:]}],
        "details": [
            {"id": n, "info": {k: v for k, v in row.items() if k != shape.text}, shape.text: row[shape.text]}
            for n, row in enumerate(rows)
        ],
        "words": words,
        "monologues": {"monologues": rows},
        "utterances": {"result": {"transcription": {"utterances": rows}}},
        "clips": [{"audio_filepath": "a.wav", "segments": rows}],
        "wrapped": [{"item": row} for row in rows],
        "programmes": {
            "p1": {"title": "One", "turns": rows[:half]}, "p2": {"title": "Two", "turns": rows[half:]},
        },
        "spans": [spanned(shape, row) for row in rows],
        "whole": {"language": "en", "turns": rows, "text": " ".join(turn.text for turn in turns)},
    }[shape.nesting]  # fmt: skip
    return json.dumps(text, ensure_ascii=False)


def verdict_of(seed: int) -> tuple[str, str]:
    """Return whether a random document is read as it is, and what is not."""
    random = Random(seed)
    shape = shape_of(random)
    turns = turns_of(random, shape)
    source = io.BytesIO(document_of(shape, turns).encode())
    source.name = "talk.jsonl" if shape.nesting.endswith("lines") else "talk.json"
    try:
        transcript = formats.read(source)
    except formats.FormatError as error:
        return "refused", f"{seed} {shape}: {str(error)[:150]}"
    has_ends = shape.times not in ("start", "none")
    wanted = {
        turn.text: (
            turn.speaker if shape.speaker else None,
            None if shape.times == "none" else turn.start,
            turn.end if has_ends else None,
        )
        for turn in turns
    }
    found = {
        " ".join(s.words): (s.speaker, *(t and round(t, 2) for t in (s.start, s.end)))
        for s in transcript
    }
    is_told = any(entry.severity == "warning" for entry in transcript.diagnostics)
    if wanted == found:
        return "right", ""
    if wanted.keys() != found.keys():
        faults = ["words"]
    else:
        pairs = [(wanted[text], found[text]) for text in wanted]
        parts = ("speaker", "start", "end")
        faults = [part for n, part in enumerate(parts) if any(a[n] != b[n] for a, b in pairs)]
    return "told" if is_told else "silent", f"{seed} {shape}: {faults}"


@pytest.mark.parametrize(
    "seeds", [range(50), pytest.param(range(50, 500), marks=pytest.mark.release)]
)
def test_json_of_any_names_and_nesting_is_read_or_told(seeds: range) -> None:
    count = len(seeds)
    verdicts = [verdict_of(seed) for seed in seeds]
    counts = Counter(verdict for verdict, _ in verdicts)
    print(counts)
    wrong = [text for verdict, text in verdicts if verdict == "silent"]
    assert len(wrong) <= count / 100, wrong
    others = [text for verdict, text in verdicts if verdict != "right"]
    assert counts["right"] >= 0.95 * count, others

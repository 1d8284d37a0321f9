"""JSON as projects, annotators and pages export it: each shape gives the turns of one talk."""

import json
from collections import Counter
from io import BytesIO
from typing import Any, NamedTuple

import formats
from tests.each_case import each_case
from tests.formats.checks import codes


class Turn(NamedTuple):
    """A turn of the talk: its speaker, its times in seconds, and its text."""

    speaker: str
    start: float
    end: float
    text: str


TALK = [
    Turn("Ann", 0.5, 2.25, "so it is, then"),
    Turn("Ben", 2.5, 4.0, "well, that was late"),
    Turn("Ann", 4.25, 6.5, "and what did they say to it?"),
    Turn("Ben", 7.0, 9.25, "they went home, as they always do"),
]
"""The talk that each file holds."""


def of(name: str) -> list[Turn]:
    """The turns of one speaker."""
    return [turn for turn in TALK if turn.speaker == name]


def spans(turns: list[Turn]) -> list[dict[str, Any]]:
    """Turns as objects with times and a text."""
    return [{"start": t.start, "end": t.end, "text": t.text} for t in turns]


def message(number: int) -> dict[str, Any]:
    """A message of a talk with a model, with the words of one turn."""
    turn = TALK[number]
    return {
        "id": f"m{number}",
        "author": {"role": {"Ann": "user", "Ben": "assistant"}[turn.speaker], "name": None},
        "content": {"content_type": "text", "parts": [turn.text]},
    }


def tree() -> dict[str, Any]:
    """A talk with a model, with an answer in a branch that was left."""
    nodes: dict[str, Any] = {"root": {"message": None, "parent": None, "children": ["m0"]}}
    for number in range(len(TALK)):
        nodes[f"m{number}"] = {
            "message": message(number),
            "parent": f"m{number - 1}" if number else "root",
            "children": [f"m{number + 1}"],
        }
    left = {**message(1), "content": {"content_type": "text", "parts": ["no, not so"]}}
    nodes["left"] = {"message": left, "parent": "m0", "children": []}
    return {"title": "A talk", "mapping": nodes, "current_node": "m3"}


SHAPES: dict[str, tuple[object, str]] = {
    "segments in an object of each speaker": (
        {"speakers": {n: {"segments": spans(of(n)), "total": 4.5} for n in ("Ann", "Ben")}},
        "speakers starts ends",
    ),
    "monologues of sentences": (
        {"calls": [{"callId": "c", "transcript": [
            {"speakerId": t.speaker, "sentences": spans([t])} for t in TALK
        ]}]},
        "speakers starts ends",
    ),
    "lists of texts and of speakers in each record": (
        [
            {"id": f"r{n}", "utt": [t.text for t in part], "speaker": [t.speaker for t in part]}
            for n, part in enumerate((TALK[:2], TALK[2:]))
        ],
        "speakers",
    ),
    "numbers of speakers before texts in each record": (
        [
            {"topic": "home and away", "dialog": [[int(t.speaker == "Ben"), t.text] for t in part]}
            for part in (TALK, TALK)
        ],
        "speakers twice",
    ),
    "lists with a place for each value": (
        [[n, 0, t.start, t.end, t.text, [7, 8], -0.25, None] for n, t in enumerate(TALK)],
        "starts ends",
    ),
    "spans beside texts": (
        [{"audio": "a.wav", "transcription": [t.text for t in TALK], "labels": [
            {"start": t.start, "end": t.end, "labels": [f"Speaker {t.speaker[0]}"]} for t in TALK
        ]}],
        "speakers starts ends",
    ),
    "a tree of messages": (tree(), "speakers"),
    "turns that are written as a text": (
        {"code": 0, "data": json.dumps([
            {"bg": str(round(1000 * t.start)), "ed": str(round(1000 * t.end)),
             "onebest": t.text, "speaker": t.speaker} for t in TALK
        ])},
        "speakers starts ends",
    ),
    "statements of each person": (
        [{"name": n, "role": "guest", "statements": [t.text for t in of(n)]}
         for n in ("Ann", "Ben")],
        "",
    ),
    "members of the speakers": (
        [{"at": t.start, "Ann": "", "Ben": "", t.speaker: t.text} for t in TALK],
        "speakers starts",
    ),
    "rounds of a debate": (
        {"rounds": [{"round": n, "pro": a.text, "con": b.text}
                    for n, (a, b) in enumerate((TALK[:2], TALK[2:]))]},
        "speakers",
    ),
    "messages with their content inside": (
        [{"type": {"Ann": "human", "Ben": "ai"}[t.speaker], "data": {"content": t.text}}
         for t in TALK],
        "speakers",
    ),
    "episodes whose names look like codes of languages": (
        {f"ep-{n}": [
            {"utterance_start": t.start, "utterance_end": t.end, "utterance": t.text,
             "speaker": t.speaker} for t in part
        ] for n, part in enumerate((TALK[:2], TALK[2:]))},
        "speakers starts ends",
    ),
    "references beside predictions": (
        {"references": [t.text for t in TALK], "predictions": [t.text for t in TALK], "wer": 0.0},
        "",
    ),
    "sections of turns with blocks of text": (
        {"sections": [{"start": 0, "stop": 9.5, "turns": [
            {"start": t.start, "stop": t.end, "speaker": {"ID": 5, "name": t.speaker},
             "text_blocks": [{"start": t.start, "stop": t.end, "text": t.text}]} for t in TALK
        ]}]},
        "speakers starts ends",
    ),
    "speakers that are objects": (
        {"segments": [
            {"start": round(1000 * t.start), "end": round(1000 * t.end), "text": t.text,
             "speaker": {"label": "1", "name": t.speaker, "edited": False}} for t in TALK
        ], "text": " ".join(t.text for t in TALK)},
        "speakers starts ends",
    ),
    "chunks beside turns of speakers": (
        {"text": " ".join(t.text for t in TALK),
         "chunks": [{"timestamp": [t.start, t.end], "text": f" {t.text}"} for t in TALK],
         "speakers": [{"speaker": t.speaker, "timestamp": [t.start, t.end], "text": f" {t.text}"}
                      for t in TALK]},
        "speakers starts ends",
    ),
    "words beside sentences of a session": (
        {"session_id": "s", "transcription": " ".join(t.text for t in TALK),
         "words": [{"word": w, "start_time": t.start, "end_time": t.end, "speaker": t.speaker}
                   for t in TALK for w in t.text.split()],
         "sentences": [{"sentence": t.text, "start_time": t.start, "end_time": t.end,
                        "speaker": t.speaker} for t in TALK]},
        "speakers",
    ),
    "two final forms of each sentence": (
        {"Data": {"ResultDetail": [
            {"FinalSentence": t.text, "SliceSentence": t.text.upper(),
             "StartMs": round(1000 * t.start), "EndMs": round(1000 * t.end),
             "SpeakerId": t.speaker} for t in TALK
        ]}},
        "speakers starts ends",
    ),
    "spans in seconds": (
        [{"timestamp": f"{t.start}s - {t.end}s", "speaker": t.speaker, "text": t.text}
         for t in TALK],
        "speakers starts ends",
    ),
    "a raw and a clean text": (
        [{"speaker": t.speaker, "raw": t.text, "clean": t.text.replace(",", "")} for t in TALK],
        "speakers",
    ),
}  # fmt: skip
"""For each file: its values, and what must be read beside the words."""


def read(text: str, name: str = "talk.json") -> formats.Transcript:
    """A text, read by the name of a file."""
    source = BytesIO(text.encode())
    source.name = name
    return formats.read(source)


@each_case("content, roles", SHAPES.values(), ids=[*SHAPES])
def test_each_shape_gives_the_turns_of_the_talk(content: object, roles: str) -> None:
    transcript = read(json.dumps(content))
    segments = [segment for segment in transcript if segment.words]
    talk = TALK * 2 if "twice" in roles else TALK
    words = [word for segment in segments for word in segment.words]
    expected = [word for turn in talk for word in turn.text.split()]
    if roles:
        assert words == expected
    assert Counter(words) == Counter(expected)
    turns = [turn for turn in talk for _ in turn.text.split()]
    owners = [segment for segment in segments for _ in segment.words]
    if "speakers" in roles:
        pairs = {(turn.speaker, owner.speaker) for turn, owner in zip(turns, owners, strict=True)}
        assert len(pairs) == 2 == len({owner.speaker for owner in owners} - {None})
    if "starts" in roles:
        assert [segment.start for segment in segments] == [turn.start for turn in talk]
    if "ends" in roles:
        assert [segment.end for segment in segments] == [turn.end for turn in talk]


def test_messages_of_other_branches_are_counted() -> None:
    assert "WRAPPED" in codes(read(json.dumps(tree())))


SCRIPTS = {
    "a value that is assigned": ("cues = {};", "talk.json"),
    "a constant": ("const cues = {};\nmodule.exports = cues;", "talk.js"),
    "the value of a call": ("show({});", "talk.json"),
    "a comment above": ("// cues of the first part\n{}", "talk.json"),
    "a comment at the end of a line": ("{}  // all of them", "talk.json"),
}
"""How scripts hold a list."""


@each_case("script, name", SCRIPTS.values(), ids=[*SCRIPTS])
def test_scripts_of_one_value_are_read(script: str, name: str) -> None:
    for indent in (None, 2):
        transcript = read(script.replace("{}", json.dumps(spans(TALK), indent=indent)), name)
        assert [segment.start for segment in transcript] == [turn.start for turn in TALK]
        assert "PYTHON-VALUES" in codes(transcript)


def test_commas_behind_the_last_element_are_dropped() -> None:
    text = json.dumps(spans(TALK), indent=1).replace('"\n }', '",\n }').replace("}\n]", "},\n]")
    transcript = read(text)
    assert [" ".join(segment.words) for segment in transcript] == [turn.text for turn in TALK]
    assert "PYTHON-VALUES" in codes(transcript)


def test_pieces_in_a_script_without_blanks_are_words() -> None:
    pieces = ["みな", "さん", " そう", "です"]
    words = [{"word": piece, "start": n + 0.25, "end": n + 0.5} for n, piece in enumerate(pieces)]
    segment = {"id": 0, "seek": 0, "start": 0, "end": 4, "text": "みなさん そうです",
               "no_speech_prob": 0.1, "words": words}  # fmt: skip
    named = [{"phrase": "みなさん そうです", "begin": 0.25, "to": 4.5, "tokens": words}]
    for content in ([segment], named):
        (read_segment,) = read(json.dumps(content))
        assert [*read_segment.words] == [piece.strip() for piece in pieces]


def test_entities_and_tags_are_no_words() -> None:
    texts = [
        "Ann &amp; Ben&#39;s",
        "<i>so it is</i>, then",
        'up<break time="15ms"/>in the <b>air</b>',
    ]
    transcript = read(json.dumps([{"text": text, "offset": n} for n, text in enumerate(texts)]))
    said = [" ".join(segment.words) for segment in transcript]
    assert said == ["Ann & Ben's", "so it is, then", "up in the air"]
    assert "TAG" in codes(transcript)


def test_a_lone_time_beside_each_file_is_no_start() -> None:
    rows = [{"audio_path": f"{n}.wav", "transcript": t.text, "time": 3.25}
            for n, t in enumerate(TALK)]  # fmt: skip
    assert {segment.start for segment in read(json.dumps(rows))} == {None}
    lines = "\n".join(map(json.dumps, rows))
    assert {segment.start for segment in read(lines, "talk.jsonl")} == {None}


def test_details_in_an_object_of_each_line_are_read() -> None:
    lines = "\n".join(
        json.dumps({"text": t.text, "meta": {"speaker": t.speaker, "start": t.start}}) for t in TALK
    )
    transcript = read(lines, "talk.jsonl")
    assert [(s.speaker, s.start) for s in transcript] == [(t.speaker, t.start) for t in TALK]


def test_parts_of_songs_are_no_speakers() -> None:
    verses = [{"name": "verse 1", "lines": ["so it is", "and so on"]},
              {"name": "Chorus", "lines": ["well then", "we go on"]}]  # fmt: skip
    assert {segment.speaker for segment in read(json.dumps({"verses": verses}))} == {None}


def test_texts_by_time_in_each_record_are_cues() -> None:
    texts = {f"00:0{n}": turn.text for n, turn in enumerate(TALK)}
    transcript = read(json.dumps([{"id": "a", "subtitle": {**texts, "": " "}}]))
    assert [(segment.start, " ".join(segment.words)) for segment in transcript] == [
        (n, turn.text) for n, turn in enumerate(TALK)
    ]

"""JSON as projects, annotators and pages export it: each shape gives the turns of one talk."""

import json
from collections import Counter
from io import BytesIO
from typing import Any, NamedTuple

import pytest

import formats
from formats.schema.errors import FormatError
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
    "texts of a talk beside numbers of their acts": (
        [{"dialog": [t.text for t in part], "act": [1] * len(part), "emotion": [0] * len(part)}
         for part in (TALK[:2], TALK[2:])],
        "recordings",
    ),
    "texts of a talk beside its speakers and a summary": (
        [{"summary": "They speak of a late night.", "dialogue": [t.text for t in part],
          "speakers": [t.speaker for t in part]} for part in (TALK[:2], TALK[2:])],
        "speakers recordings",
    ),
    "objects of texts in each talk": (
        [{"fold": "train", "dialogue": [{"act": "tell", "text": t.text} for t in part]}
         for part in (TALK[:2], TALK[2:])],
        "recordings",
    ),
    "numbered members": (
        {"scene": "at home", **{f"{name}_{n}": value for n, t in enumerate(TALK, 1)
                                for name, value in (("speaker", t.speaker), ("text", t.text))}},
        "speakers",
    ),
    "a gap in each turn": (
        {"units": [{"title": "Late", "lines": [{"who": t.speaker, "text": t.text} for t in TALK],
                    "blanks": [{"who": t.speaker, "text": f"{t.text[:-4]}____", "answer": "x"}
                               for t in TALK]}]},
        "speakers",
    ),
    "ticks of a clock": (
        [{"speaker": t.speaker, "offset": round(1e7 * t.start),
          "duration": round(1e7 * (t.end - t.start)), "text": t.text} for t in TALK],
        "speakers starts ends",
    ),
    "a text and its sounds": (
        {"document": [{"id": "d", "utterance": [
            {"form": t.text, "original_form": f"{t.text} uh", "speaker_id": t.speaker,
             "start": t.start, "end": t.end} for t in TALK]}]},
        "speakers starts ends",
    ),
    "lists of users": (
        {"timeline": [{"ts": t.start, "end_ts": t.end, "text": t.text,
                       "users": [{"username": t.speaker}]} for t in TALK]},
        "speakers starts ends",
    ),
    "pieces of a text with links": (
        {"messages": [{"from": t.speaker,
                       "text": [t.text[:4], {"type": "link", "text": t.text[4:]}]} for t in TALK]},
        "speakers",
    ),
    "lyrics with times and without": (
        {"trackName": "Late", "plainLyrics": "\n".join(t.text for t in TALK),
         "syncedLyrics": "\n".join(f"[00:{t.start:05.2f}] {t.text}" for t in TALK)},
        "starts",
    ),
    "short names of the user and the system": (
        [{"id": "d", "turns": [{"usr": a.text, "sys": b.text}
                               for a, b in (TALK[:2], TALK[2:])]}],
        "speakers",
    ),
    "a character of a game in each line": (
        [{"npc": t.speaker, "line": t.text, "choices": [{"next": n}]} for n, t in enumerate(TALK)],
        "speakers",
    ),
    "scenes of a game": (
        {"dialogs": {"intro": [{"name": t.speaker, "text": t.text} for t in TALK[:2]],
                     "end": [{"name": t.speaker, "text": t.text} for t in TALK[2:]]}},
        "speakers recordings",
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
    if "recordings" in roles:
        assert len({segment.recording for segment in segments}) == 2


def test_exercises_beside_a_talk_are_counted() -> None:
    lines = [{"who": t.speaker, "text": t.text} for t in TALK]
    gaps = [{**line, "text": "so it ___"} for line in lines]
    assert "WRAPPED" in codes(read(json.dumps({"lines": lines, "blanks": gaps})))
    alone = read(json.dumps({"blanks": gaps}))
    assert [" ".join(s.words) for s in alone] == ["so it ___"] * 4


VALUES = {
    "colours": ("text_color", ["#FFFFFF", "rgba(255, 255, 255, 1)"]),
    "rules of a style": ("value", ["font-size: 24px; color: white", "font-size: 12px"]),
    "names of files": ("text", ["clips/hello.mp3", "clips/bye.mp3"]),
    "addresses": ("caption", ["https://example.org/a.png", "https://example.org/b.png"]),
}
"""Values under names of texts that are no speech."""


@each_case("name, values", VALUES.values(), ids=[*VALUES])
def test_columns_of_addresses_and_colours_are_no_texts(name: str, values: list[str]) -> None:
    rows = [{"name": f"style {n}", name: value} for n, value in enumerate(values)]
    with pytest.raises(FormatError):
        read(json.dumps(rows))


def test_texts_of_a_program_beside_those_of_another_party_are_turns() -> None:
    turns = [{"system_transcript": "", "transcript": "where is it"},
             {"system_transcript": "in the north", "transcript": "then we go there"}]  # fmt: skip
    transcript = read(json.dumps([{"dialogue": turns}]))
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
        ("other", "where is it"),
        ("system", "in the north"),
        ("other", "then we go there"),
    ]
    heard = [{"system_text": "so it is", "text": "so it was"},
             {"system_text": "and so", "text": "and so on"}]  # fmt: skip
    assert [s.speaker for s in read(json.dumps(heard))] == [None, None]


def test_notices_of_a_channel_are_no_turns() -> None:
    rows = [{"type": "message", "user": t.speaker, "text": t.text, "ts": str(t.start)}
            for t in TALK]  # fmt: skip
    notice = {**rows[0], "subtype": "channel_join", "text": "Ann has joined the channel"}
    transcript = read(json.dumps([notice, *rows]))
    assert [" ".join(s.words) for s in transcript] == [t.text for t in TALK]
    assert "WRAPPED" in codes(transcript)


def test_the_first_turn_of_a_talk_beside_its_host_is_read() -> None:
    text = "\n\n".join(f"{t.speaker}: {t.text}" for t in TALK)
    transcript = read(json.dumps([{"episode": n, "host": "Ann", "transcript": text} for n in "12"]))
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
        (t.speaker, t.text) for t in TALK * 2
    ]


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


def test_tokens_of_a_screenplay_are_rows_of_kinds() -> None:
    tokens = [{"type": "scene_heading", "text": "EXT. STREET - NIGHT"}]
    for turn in TALK:
        tokens.append({"type": "character", "text": turn.speaker.upper()})
        tokens.append({"type": "dialogue", "text": turn.text})
    transcript = read(json.dumps({"title": "Late", "tokens": tokens}))
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
        (t.speaker.upper(), t.text) for t in TALK
    ]
    assert "WRAPPED" in codes(transcript)


def test_conversations_of_yaml_are_texts() -> None:
    text = (
        "categories:\n- home\nconversations:\n- - where is it\n  - it is there\n- - oh\n  - yes\n"
    )
    transcript = read(text, "talks.yml")
    assert [" ".join(s.words) for s in transcript] == ["where is it", "it is there", "oh", "yes"]


def test_what_a_site_of_lyrics_adds_is_no_word() -> None:
    rows = [{"song": n, "lyrics": f"{n} ContributorsNow Lyrics\n{TALK[n].text}{n}Embed"}
            for n in range(4)]  # fmt: skip
    for name, text in (
        ("a.json", json.dumps(rows)),
        ("a.jsonl", "\n".join(map(json.dumps, rows))),
        ("a.csv", "song,lyrics\n" + "".join(f'{r["song"]},"{r["lyrics"]}"\n' for r in rows)),
    ):
        transcript = read(text, name)
        assert [" ".join(s.words) for s in transcript] == [t.text for t in TALK]
        assert "TAG" in codes(transcript)


def test_the_same_talk_in_another_form_is_not_read_twice() -> None:
    turns = [{"name": t.speaker, "text": t.text} for t in TALK]
    upper = [{**turn, "text": turn["text"].upper()} for turn in turns]
    transcript = read(json.dumps({"talk": {"plain": turns, "loud": upper}}))
    assert [" ".join(s.words) for s in transcript] == [t.text for t in TALK]
    assert "JSON-LISTS" in codes(transcript)


def test_captions_of_pictures_are_doubted() -> None:
    rows = [{"id": n, "image_id": n + 7, "caption": t.text} for n, t in enumerate(TALK)]
    for name, text in (("a.json", json.dumps({"annotations": rows})),
                       ("a.jsonl", "\n".join(map(json.dumps, rows)))):  # fmt: skip
        assert "DATA-LEFT" in codes(read(text, name))
    files = [{"file": f"{n}.jpg", "caption": t.text} for n, t in enumerate(TALK)]
    assert "DATA-LEFT" in codes(read(json.dumps(files)))
    timed = [{**row, "start": n, "end": n + 1} for n, row in enumerate(rows)]
    assert "DATA-LEFT" not in codes(read(json.dumps(timed)))


def test_null_before_the_first_element_is_no_row() -> None:
    rows = [None, *({"id": n, "name": t.speaker, "text": t.text} for n, t in enumerate(TALK, 1))]
    for content in (rows, {"lines": rows}):
        transcript = read(json.dumps(content))
        assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
            (t.speaker, t.text) for t in TALK
        ]


def test_two_choices_are_no_speakers() -> None:
    rows = [{"text": t.text, "choices": [[], ["Yes", "No"]][n % 2]} for n, t in enumerate(TALK)]
    assert "JSON-SPEAKER" not in codes(read(json.dumps({"a": {"rows": rows}})))


@each_case("stamp", ["2024-05-02T10:00:{:02d}Z", "00:00:{:02d}.500"])
def test_talks_whose_times_begin_again_are_recordings(stamp: str) -> None:
    turns = [
        {"content": t.text, "timestamp": stamp.format(5 * n), "sender": t.speaker}
        for n, t in enumerate(TALK)
    ]
    for content in ({"conversations": [{"messages": turns, "result": "ok"}] * 3},
                    [{"messages": turns}] * 3):  # fmt: skip
        transcript = read(json.dumps(content))
        names = [segment.recording for segment in transcript]
        assert len({*names}) == 3
        assert names == sorted(names, key=names.index)
        assert {s.speaker for s in transcript} == {t.speaker for t in TALK}


def test_chunks_whose_times_go_on_are_one_recording() -> None:
    rows = [{"content": t.text, "timestamp": 4.5 * n, "sender": t.speaker}
            for n, t in enumerate(TALK)]  # fmt: skip
    half = len(rows) // 2
    transcript = read(json.dumps({"parts": [{"turns": rows[:half]}, {"turns": rows[half:]}]}))
    assert len({segment.recording for segment in transcript}) == 1
    assert [s.start for s in transcript] == [row["timestamp"] for row in rows]

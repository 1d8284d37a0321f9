"""Persons with lines in JSON, chats with a model, and texts named by their languages."""

import csv
import io
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.io.messages import ENCODED_TWICE, TIME_OF_TEXT, TIME_UNREAD
from formats.json.messages import KINDS_LEFT, MASKED_WORDS, SPEAKER_NAMES
from formats.json.turn_members import with_turns_within
from formats.schema.errors import FormatError
from formats.schema.transcript import Transcript
from tests.each_case import each_case

LINES = {"Guard": ["Halt, who goes there?", "Move along now."], "Smith": ["Fine blades here."]}
TURNS = [(name, text) for name, texts in LINES.items() for text in texts]


def read(folder: Path, value: Any) -> Transcript:
    file = folder / "talk.json"
    file.write_text(json.dumps(value))
    return formats.read(file)


def turns(transcript: Transcript) -> list[tuple[str | None, str]]:
    return [(segment.speaker, " ".join(segment.words)) for segment in transcript]


def people(name: str, lines: str, *, as_objects: bool = False) -> list[dict[str, Any]]:
    """Persons with their names and lines in these members."""
    return [
        {"id": n, name: who, lines: [{"text": t} for t in texts] if as_objects else texts}
        for n, (who, texts) in enumerate(LINES.items())
    ]


PERSONS = [
    people("name", "dialogue"),
    people("npc", "lines"),
    people("character", "phrases", as_objects=True),
    people("name", "quotes", as_objects=True),
    {"title": "a game", "npcs": people("name", "lines")},
    {"characters": people("name", "lines", as_objects=True)},
    {"people": {who: {"age": 7, "lines": texts} for who, texts in LINES.items()}},
    {who: {"dialogue": texts} for who, texts in LINES.items()},
    {who.lower(): {"name": who, "dialogues": dict(zip("ab", texts, strict=False))}
     for who, texts in LINES.items()},
]  # fmt: skip


@pytest.mark.parametrize("value", PERSONS, ids=range(len(PERSONS)))
def test_lines_of_persons_are_turns(value: Any, tmp_path: Path) -> None:
    assert turns(read(tmp_path, value)) == TURNS


def test_names_of_lists_of_lines_name_the_recordings(tmp_path: Path) -> None:
    values = people("name", "lines", as_objects=True)
    for value in values:
        del value["id"]
    transcript = read(tmp_path, values)
    assert [s.recording for s in transcript] == ["Guard", "Guard", "Smith"]
    assert {s.speaker for s in transcript} == {None}


def test_scenes_with_turns_are_no_persons(tmp_path: Path) -> None:
    scenes = [
        {"name": scene, "dialogue": [{"speaker": s, "text": f"so it is {s}"} for s in "ab"]}
        for scene in ("Scene one", "Scene two")
    ]
    assert [s.speaker for s in read(tmp_path, scenes)] == ["a", "b"] * 2


@pytest.mark.parametrize("kind", ["system", "developer", "tool"])
@pytest.mark.parametrize("names", [("role", "content"), ("from", "value")])
def test_instructions_to_a_model_are_no_turns(
    kind: str, names: tuple[str, str], tmp_path: Path
) -> None:
    said = [(kind, "You are a guard."), ("user", "So who is it?"), ("assistant", "It is you.")]
    talk = {"messages": [dict(zip(names, turn, strict=True)) for turn in said]}
    transcript = read(tmp_path, [talk, talk])
    assert turns(transcript) == said[1:] * 2
    assert KINDS_LEFT in [diagnostic.value.entry for diagnostic in transcript.diagnostics]


def test_a_system_that_talks_with_a_user_is_a_speaker(tmp_path: Path) -> None:
    said = [("user", "So where is it?"), ("system", "It is by the park.")] * 2
    talk = {"messages": [{"role": role, "content": text} for role, text in said]}
    assert turns(read(tmp_path, talk)) == said


def test_texts_named_by_languages_are_offered(tmp_path: Path) -> None:
    turn = {"sp": "A", "en": "so it is then, and well", "fr": "alors c'est donc comme cela"}
    talks = [
        {"id": f"t{n}", "title": "A long title of talk", "turns": [turn, turn]} for n in range(9)
    ]
    with pytest.raises(FormatError) as raised:
        read(tmp_path, {"dialogues": talks})
    assert raised.value.value is not None
    assert "title" not in str(raised.value.value.fields)


@pytest.mark.parametrize("names", [("from", "value"), ("role", "content"), ("speaker", "text")])
@pytest.mark.parametrize("name", ["conversations", "messages", "dialogue"])
def test_talks_beside_other_members_are_recordings(
    names: tuple[str, str], name: str, tmp_path: Path
) -> None:
    said = [("human", "So where is it?"), ("gpt", "It is by the park.")]
    talk = [dict(zip(names, turn, strict=True)) for turn in said]
    transcript = read(tmp_path, [{name: talk, "image": f"{n}.jpg"} for n in range(3)])
    assert turns(transcript) == said * 3
    assert len({segment.recording for segment in transcript}) == 3


@pytest.mark.parametrize("name", ["options", "choices"])
def test_what_a_person_may_choose_to_say_is_reported(name: str, tmp_path: Path) -> None:
    rows = [
        {"speaker": "Guard", "text": f"who is at gate {n}?", name: [{"text": "nobody you know"}]}
        for n in range(3)
    ]
    transcript = read(tmp_path, rows)
    assert turns(transcript) == [("Guard", f"who is at gate {n}?") for n in range(3)]
    (left,) = (d.value for d in transcript.diagnostics if d.code == "JSON-TEXT")
    assert (left.fields["path"], left.advice) == (f"[].{name}[].text", ())


def test_prompts_and_completions_are_turns(tmp_path: Path) -> None:
    rows = [{"prompt": f"so where is {n}?", "completion": f"it is there, {n}."} for n in range(3)]
    assert [speaker for speaker, _ in turns(read(tmp_path, rows))] == ["question", "answer"] * 3


def test_words_by_audio_files_are_texts(tmp_path: Path) -> None:
    transcript = read(tmp_path, {"1.wav": "go", "2.wav": "stop", "3.wav": "left now"})
    assert [s.recording for s in transcript] == ["1", "2", "3"]


def test_classes_by_audio_files_are_no_texts(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, {f"{n}.wav": "sad" if n % 2 else "glad" for n in range(6)})


IN_LANGUAGES = [
    ("Ann", "Dobrý deň, ako sa máte?", "Good day, how are you?"),
    ("Ben", "", "Say how you are"),
    ("Ann", "To ma veľmi teší.", "I am glad to hear it."),
]


def steps(**others: Any) -> list[dict[str, Any]]:
    """Turns of a lesson, with their texts in two languages."""
    return [{"speaker": who, "sk": sk, "en": en, **others} for who, sk, en in IN_LANGUAGES]


@pytest.mark.parametrize(
    "value",
    [
        {"At the door": {"lines": steps()}, "In the shop": {"lines": steps(expected=["so"])}},
        [{"id": "d1", "steps": [*steps(), {"speaker": "Ben", "choices": [{"sk": "Ahoj"}]}]}],
        [{"id": "d1", "steps": [steps()[0]]}],
        {"turns": [{"start": n, **turn} for n, turn in enumerate(steps(audio="a/1.mp3"))]},
        steps(),
    ],
)
def test_languages_beside_speakers_are_offered_and_read(value: Any, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as raised:
        read(tmp_path, value)
    assert raised.value.value is not None
    assert raised.value.value.fields["names"] in (["sk", "en"], ["en", "sk"])
    chosen = formats.read(tmp_path / "talk.json", "json", member="text=sk")
    assert turns(chosen)[0] == ("Ann", "Dobrý deň, ako sa máte?")
    chosen = formats.read(tmp_path / "talk.json", "json", member="text=en")
    assert turns(chosen)[0] == ("Ann", "Good day, how are you?")


def test_each_lesson_in_a_language_is_a_recording(tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps({"At the door": {"lines": steps()}, "A shop": {"lines": steps()}}))
    transcript = formats.read(file, "json", member="text=en")
    assert {s.recording for s in transcript} == {"At the door", "A shop"}
    assert len(transcript) == 6


@pytest.mark.parametrize(
    "others",
    [
        {"text": "So it is then."},
        {"en": "en-1", "sk": "sk-1"},
        {"en": 1, "sk": 2},
    ],
)
def test_codes_and_turns_with_a_text_are_not_offered(
    others: dict[str, Any], tmp_path: Path
) -> None:
    try:
        read(tmp_path, {"turns": steps(**others)})
    except FormatError as error:
        assert error.value is None or "names" not in error.value.fields  # noqa: PT017


@pytest.mark.parametrize("keys", [["0", "1"], ["1026", "1148"], ["7", "3"]])
@pytest.mark.parametrize("name", ["turn", "text"])
def test_columns_of_a_table_have_any_numbers(name: str, keys: list[str], tmp_path: Path) -> None:
    said = [["So what is it,", "tell us"], ["It is what it is"]]
    columns: dict[str, list[Any]] = {"role": ["Host", "Guest"], "turn_id": [1, 2], name: said}
    table = {name: dict(zip(keys, column, strict=True)) for name, column in columns.items()}
    assert turns(read(tmp_path, table)) == [
        ("Host", "So what is it, tell us"),
        ("Guest", "It is what it is"),
    ]


@pytest.mark.parametrize("member", ["", "text=turn"])
def test_words_in_turn_are_the_text(member: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    rows = [{"speaker": s, "turn": f"so it is {s}"} for s in "ABAB"]
    file.write_text(json.dumps(rows))
    transcript = formats.read(file, "json", member=member)
    assert turns(transcript) == [(s, f"so it is {s}") for s in "ABAB"]


def test_numbers_of_turns_are_no_text(tmp_path: Path) -> None:
    rows = [{"speaker": s, "turn": str(n), "said": f"so it is {n}"} for n, s in enumerate("ABAB")]
    assert turns(read(tmp_path, rows))[0] == ("A", "so it is 0")


def lessons(pairs: list[tuple[int, int]], outer: str = "lesson") -> list[dict[str, Any]]:
    """Rows of talks in lessons, two for each pair of ids."""
    return [
        {"line": 2 * n + m, outer: lesson, "dialogue_id": talk, "speaker": "AB"[m],
         "utterance": f"so it is {n} {m}"}
        for n, (lesson, talk) in enumerate(pairs) for m in range(2)
    ]  # fmt: skip


@pytest.mark.parametrize("outer", ["lesson", "unit", "chapter_no"])
def test_ids_that_begin_again_in_each_lesson_name_talks_with_it(outer: str, tmp_path: Path) -> None:
    rows = lessons([(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1)], outer)
    transcript = read(tmp_path, rows)
    assert [words for _, words in turns(transcript)] == [row["utterance"] for row in rows]
    names = ["1-1", "1-2", "2-1", "2-2", "2-3", "3-1"]
    assert [s.recording for s in transcript][::2] == names


@pytest.mark.parametrize(
    "pairs",
    [
        [(1, 1), (1, 2), (2, 3), (2, 4)],  # the ids are unique
        [(1, 1), (1, 2), (1, 1), (1, 2)],  # talks of one lesson in turn
        [(1, 1), (1, 2), (2, 2), (2, 1)],  # talks that go on another day
        [(1, 1), (2, 1), (1, 2), (2, 2)],  # lessons in turn
    ],
)
def test_other_ids_name_talks_alone(pairs: list[tuple[int, int]], tmp_path: Path) -> None:
    transcript = read(tmp_path, lessons(pairs))
    assert {s.recording for s in transcript} == {str(talk) for _, talk in pairs}


def captions(*texts: str, **others: str) -> dict[str, Any]:
    """Subtitles of these texts, one a second."""
    rows = [{"start": n, "end": n + 0.9, "text": text, **others} for n, text in enumerate(texts)]
    return {"subtitles": rows}


@pytest.mark.parametrize(
    ("text", "is_masked"), [("So it is <STATE>a b</STATE>", False), ("So it is <NAME> then", True)]
)
def test_tags_with_an_end_are_no_masks(text: str, is_masked: bool, tmp_path: Path) -> None:
    transcript = read(tmp_path, captions(text, "and so on"))
    messages = [diagnostic.value.entry for diagnostic in transcript.diagnostics]
    assert (MASKED_WORDS in messages) == is_masked


CAST = {"a": "Ann", "b": "Ben"}, {"a": "Cyd", "b": "Dee"}
SAID = (
    ["The boat comes at nine.", "Then we should leave now."],
    ["Did you bring the map?", "It is in the other bag."],
)


def talks(speaker: str, text: str, people: str = "speakers") -> list[dict[str, Any]]:
    """Two talks, each with the names of its own speakers."""
    return [
        {
            "title": title,
            people: names,
            "lines": [{speaker: key, text: t} for key, t in zip(names, texts, strict=True)],
        }
        for title, names, texts in zip(("Harbour", "Path"), CAST, SAID, strict=True)
    ]


@pytest.mark.parametrize(
    ("speaker", "text", "people"),
    [("s", "t", "speakers"), ("who", "l", "cast"), ("speaker", "t", "speakers")],
)
def test_each_talk_names_its_own_speakers(
    speaker: str, text: str, people: str, tmp_path: Path
) -> None:
    transcript = read(tmp_path, {"travel": talks(speaker, text, people)})
    expected = [
        (name, t)
        for names, texts in zip(CAST, SAID, strict=True)
        for name, t in zip(names.values(), texts, strict=True)
    ]
    assert turns(transcript) == expected
    assert [segment.recording for segment in transcript] == ["Harbour"] * 2 + ["Path"] * 2
    log = [d for d in transcript.diagnostics if d.value.entry == SPEAKER_NAMES]
    assert [d.value.fields["speakers"] for d in log] == [4]


def test_two_texts_of_a_line_are_not_chosen_between(tmp_path: Path) -> None:
    value = talks("s", "t")
    for talk in value:
        for line in talk["lines"]:
            line["u"] = "El barco llega hoy."
    with pytest.raises(FormatError):
        read(tmp_path, value)


def test_what_says_how_to_write_a_transcript_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, {"role": "You read calls.", "transcriptGuide": "Each call has two voices."})


def test_names_with_lists_of_their_lines_are_speakers(tmp_path: Path) -> None:
    scenes = [
        [["Ann", ["So it is,", "I think."]], ["Ben", ["Is it?"]]],
        [["Ben", ["Then we go."]], ["Ann", ["To the bridge."]]],
    ]
    play = {"acts": [{"scenes": [{"lines": lines} for lines in scenes]}]}
    assert turns(read(tmp_path, play)) == [
        *(("Ann", "So it is, I think."), ("Ben", "Is it?")),
        *(("Ben", "Then we go."), ("Ann", "To the bridge.")),
    ]


def test_titles_with_lists_of_paragraphs_are_no_speakers(tmp_path: Path) -> None:
    chapters = [["The road", ["It was late."]], ["The bridge", ["It fell down."]]]
    try:
        transcript = read(tmp_path, {"chapters": chapters})
    except FormatError:
        return
    assert {segment.speaker for segment in transcript} == {None}


@each_case(
    "names, people",
    [
        (("Ann_1", "Ann_2", "Ben_1", "Ann_3"), ("Ann", "Ann", "Ben", "Ann")),
        (("Ann Lee 1", "Old Ben 1", "Ann Lee 2a"), ("Ann Lee", "Old Ben", "Ann Lee")),
        (("Guard#1", "Smith#1", "Guard#2"), ("Guard", "Smith", "Guard")),
    ],
)
def test_names_with_numbers_are_persons_who_speak_again(
    names: tuple[str, ...], people: tuple[str, ...]
) -> None:
    lines = {name: [f"so it is {n}", f"and so {n}"] for n, name in enumerate(names)}
    read = formats.read(BytesIO(json.dumps(lines).encode()), "json")
    assert [s.speaker for s in read] == [name for name in people for _ in "ab"]
    assert " ".join(read[1].words) == "and so 0"


@each_case(
    "names",
    [
        ("Part_1", "Part_2", "Part_3"),  # parts of one text
        ("u_a1", "u_b1", "u_a2"),  # ids
        ("Ann_3", "Ben_2", "Ann_1"),  # numbers that do not count up
    ],
)
def test_other_names_with_numbers_are_no_persons(names: tuple[str, ...]) -> None:
    lines = {name: [f"so it is {n}", f"and so {n}"] for n, name in enumerate(names)}
    with pytest.raises(FormatError):
        formats.read(BytesIO(json.dumps(lines).encode()), "json")


@each_case("member", ["chatMessage", "turn_data", "payload"])
def test_turns_within_elements_are_read_with_the_members_beside(member: str) -> None:
    said = [("user", "where is the bus"), ("assistant", "at the bridge"), ("user", "thank you")]
    rows = [
        {member: {"role": role, "content": text}, "tools": None if n else [{"name": "x"}]}
        for n, (role, text) in enumerate(said)
    ]
    talks = [{"id": f"t{n}", "conversation": rows} for n in range(2)]
    read = formats.read(BytesIO(json.dumps(talks).encode()))
    assert [(s.speaker, " ".join(s.words)) for s in read] == said * 2


def test_two_versions_of_a_turn_in_an_element_stay_apart() -> None:
    turn = {"speaker": "A", "text": "so it is"}
    rows: list[Any] = [{"reference": turn, "asr": turn, "n": n} for n in range(3)]
    assert with_turns_within(rows) is rows
    rows = [{"text": "so", "reply": {"speaker": "A", "text": "no"}}]
    assert with_turns_within(rows) is rows


@each_case("kind", ["csv", "json", "jsonl"])
@each_case("form", ["[{0}]\n{1}\n[/{0}]\n\n", "<{0}>{1}</{0}>\n", "[{0}] {1} [/{0}] "])
def test_turns_between_tags_of_parties(form: str, kind: str, tmp_path: Path) -> None:
    said = [("USER", "where is the bus now"), ("ASSISTANT", "it is at the bridge")]
    talk = "".join(form.format(*turn) for turn in said)
    rows = [{"id": f"t{n}", "title": "Bus", "taggedText": talk} for n in range(3)]
    path = tmp_path / f"a.{kind}"
    if kind == "csv":
        sink = io.StringIO()
        writer = csv.DictWriter(sink, rows[0])
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(sink.getvalue(), encoding="utf-8")
    else:
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        path.write_text(json.dumps(rows) if kind == "json" else lines, encoding="utf-8")
    assert [(s.speaker, " ".join(s.words)) for s in formats.read(path)] == said * 3


def test_counts_and_times_of_a_text_are_no_texts() -> None:
    text = (
        "so it is, and so it was all along the river, where nobody had ever seen a bus before that"
    )
    facts = {"summary": "a bus at the river", "readTimeFullTranscript": "about 5 min read"}
    talk = {"data": {"about": {"title": "A bus"}, "properties": {
        **facts, "words": {"bus": 1}, "fullTranscript": f"{text} {text}"}}}  # fmt: skip
    read = formats.read(BytesIO(json.dumps(talk).encode()))
    assert " ".join(read[0].words) == f"{text} {text}"


def test_escapes_of_bytes_are_read_as_letters(tmp_path: Path) -> None:
    said = [
        ("Ann", "café, it’s late \N{SLIGHTLY SMILING FACE}"),
        ("Ben", "olé"),
        ("Ann", "so it is"),
    ]
    rows = [
        {"sender_name": name, "content": text.encode().decode("latin-1")} for name, text in said
    ]
    transcript = read(tmp_path, {"messages": rows})
    assert turns(transcript) == said
    assert ENCODED_TWICE in [found.value.entry for found in transcript.diagnostics]


@each_case("text", ["café olé", "Ã© and é", "Ã©t 今天"])
def test_other_escapes_are_the_letters_they_name(text: str, tmp_path: Path) -> None:
    rows = [{"speaker": "A", "text": f"{text} so it is"}, {"speaker": "B", "text": "well then"}]
    assert turns(read(tmp_path, rows))[0] == ("A", f"{text} so it is")


def test_times_of_texts_with_several_turns_are_not_advised(tmp_path: Path) -> None:
    talk = "Ann: So it is. Ben: Well then, let us go. Ann: So we do. Ben: At last."
    rows = [
        {
            "text": f"{talk} Ann: {n}.",
            "speaker": "x",
            "start_ms": n * 9000,
            "end_ms": n * 9000 + 7000,
        }
        for n in range(3)
    ]
    transcript = read(tmp_path, {"full": "", "utterances": rows})
    found = [diagnostic.value.entry for diagnostic in transcript.diagnostics]
    assert {s.speaker for s in transcript} == {"Ann", "Ben"}
    assert TIME_UNREAD not in found
    assert TIME_OF_TEXT in found

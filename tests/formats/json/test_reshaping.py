"""Lists of segments in other arrangements: by speakers, by times, by identifiers, without words."""

import json
from io import BytesIO
from typing import Any

import pytest

import formats
from formats import FormatError, Transcript
from formats.json.messages import PYTHON_VALUES, TIME_UNIT_OPEN
from tests.formats.json import reading

SPANS = [{"start": 0.5, "end": 1.5, "text": "so it is"}, {"start": 2.0, "end": 3.0, "text": "no"}]


def read(document: Any, name: str) -> Transcript:
    return reading.read(json.dumps(document), name)


def refusal(document: Any, name: str) -> str:
    return reading.refusal(json.dumps(document), name)


def lines(document: Any, name: str = "json") -> list[str]:
    return [
        f"{s.recording} {s.speaker} {s.start} {s.end}: {' '.join(s.words)}"
        for s in read(document, name)
    ]


def test_recordings_may_have_a_speaker_beside_their_segments() -> None:
    assert lines({"a.wav": ["Ann", SPANS], "b.wav": ["Ben", SPANS[:1]]}) == [
        "a Ann 0.5 1.5: so it is",
        "a Ann 2.0 3.0: no",
        "b Ben 0.5 1.5: so it is",
    ]


def test_names_of_members_that_are_times_are_starts() -> None:
    expected = ["rec None 13.5 None: so it is", "rec None 16.25 None: no"]
    assert lines({"13.5": "so it is", "16.25": "no"}) == expected
    assert lines({"00:00:13.5": {"text": "so it is"}, "00:00:16.25": {"text": "no"}}) == expected


def test_numbers_of_texts_are_identifiers_and_no_times() -> None:
    transcript = read({"1": "so it is then", "2": "no it is not"}, "json")
    assert [(s.utterance, s.start) for s in transcript] == [("1", None), ("2", None)]


def test_turns_by_identifiers_need_no_times() -> None:
    turns = {
        "1": {"words": "so it is", "speaker_name": "Ann", "speaker_turn": 1},
        "2": {"words": "no", "speaker_name": "Ben", "speaker_turn": 2},
    }
    assert lines(turns) == ["rec Ann None None: so it is", "rec Ben None None: no"]


def test_a_text_may_be_below_the_code_of_its_language() -> None:
    phrases = [{"start": 0.5, "end": 1.5, "words": {"en": "so it is"}}]
    answers = [{"start": 2.0, "end": 3.0, "words": {"en": "no it is not"}}]
    speakers = [{"name": "Ann", "phrases": phrases}, {"name": "Ben", "phrases": answers}]
    assert lines({"speakers": speakers}) == [
        "rec Ann 0.5 1.5: so it is",
        "rec Ben 2.0 3.0: no it is not",
    ]


def test_texts_in_two_languages_are_not_chosen_from() -> None:
    words = {"en": "so it is", "fr": "c'est comme ça"}
    assert refusal([{"start": 0.5, "end": 1.5, "words": words}], "json")


def test_lists_of_times_below_persons_are_turns_without_words() -> None:
    times = [{"start": 0.5, "end": 1.5, "confidence": 0.5}, {"start": 4.0, "end": 6.0}]
    persons = [{"person_id": 1, "segments": times}, {"person_id": 2, "segments": times[:1]}]
    assert lines(persons) == [
        "rec 1 0.5 1.5: ",
        "rec 1 4.0 6.0: ",
        "rec 2 0.5 1.5: ",
    ]


@pytest.mark.parametrize(("length", "end"), [(4100, 4.1), (4, 4.0)])
def test_the_usual_length_of_turns_without_words_gives_the_unit(length: int, end: float) -> None:
    turns = [{"speaker": "A", "start": n * length, "end": (n + 1) * length} for n in range(3)]
    assert next(iter(read({"turns": turns}, "json"))).end == end


def test_a_length_of_turns_that_fits_two_units_is_refused() -> None:
    with pytest.raises(FormatError) as caught:
        read({"turns": [{"speaker": "A", "start": 0, "end": 300}]}, "json")
    assert caught.value.value is not None
    assert caught.value.value.entry is TIME_UNIT_OPEN


def test_lyrics_are_text() -> None:
    assert lines([{"time": 9.25, "lyrics": "so it is"}]) == ["rec None 9.25 None: so it is"]


def test_results_of_google_may_be_a_list_alone() -> None:
    choices = [{"transcript": "so it is", "confidence": 0.5}]
    document = [{"alternatives": [{}]}, {"alternatives": choices}]
    [segment] = read(document, "google")
    assert (segment.words, segment.confidence) == (("so", "it", "is"), 0.5)


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_lists_as_python_prints_them_are_read_as_json(name: str) -> None:
    rows = [
        {"start": 0.5, "end": 1.5, "text": 'it\'s "so"', "speaker": None},
        {"start": 2.0, "end": 3.0, "text": "no\tNone", "speaker": "Ann"},
    ]
    transcript = reading.read(str(rows), name)
    assert [(s.speaker, s.start, s.words) for s in transcript] == [
        (None, 0.5, ("it's", '"so"')),
        ("Ann", 2.0, ("no", "None")),
    ]
    assert transcript.diagnostics[0].value.entry is PYTHON_VALUES


def test_lines_as_python_prints_them_are_json_lines() -> None:
    rows = [{"text": "it's so", "speaker": "Ann"}, {"text": "no", "speaker": "Ben"}]
    text = "".join(f"{row}\n" for row in rows)
    assert formats.detect(BytesIO(text.encode())) == "json"
    assert [s.words for s in reading.read(text, "jsonl")] == [("it's", "so"), ("no",)]


def test_tuples_are_lists() -> None:
    transcript = reading.read("[('so it is', 0.5, 1.5), ('no', 2.0, 3.0)]", "json")
    assert [(s.words[0], s.start) for s in transcript] == [("so", 0.5), ("no", 2.0)]


def test_objects_of_lists_by_names_are_recordings_if_their_times_begin_again() -> None:
    songs = {"lover": {"startTime": 0, "lines": SPANS}, "red": {"startTime": 0, "lines": SPANS}}
    assert lines(songs)[1:3] == ["lover None 2.0 3.0: no", "red None 0.5 1.5: so it is"]


def test_chats_in_other_languages_have_speakers() -> None:
    chat = [{"expediteur": "Ann", "contenu": "so it is"}, {"expediteur": "Ben", "contenu": "no"}]
    assert lines(chat)[1] == "rec Ben None None: no"


def test_times_of_the_only_instance_are_those_of_the_segment() -> None:
    instances = [{"start": "0:00:01.5", "end": "0:00:02"}]
    assert lines([{"text": "so it is", "instances": instances}]) == ["rec None 1.5 2.0: so it is"]


def test_a_long_text_of_an_object_is_its_text() -> None:
    [segment] = read({"title": "Talk", "spoken_text": "so it is then " * 5}, "json")
    assert len(segment.words) == 20


def test_a_dictionary_of_messages_is_no_segment() -> None:
    prompts = {f"prompt-{letter}": "press the key" for letter in "abcdefghijklmnopqrstuvwxyz" * 2}
    prompts |= {f"menu-{letter}": "so it is" for letter in "abcdefghijklmnopqrstuvwxyz"}
    assert refusal({**prompts, "quote": "quote", "user": "user"}, "json")


def test_turns_of_speakers_who_come_again_are_recordings() -> None:
    turns = [{"who": name, "text": "so it is"} for name in ("Ann", "Ben", "Ann", "Ben")]
    [first, *_, last] = lines([{"id": "a", "history": turns}, {"id": "b", "history": turns}])
    assert (first, last) == ("a Ann None None: so it is", "b Ben None None: so it is")

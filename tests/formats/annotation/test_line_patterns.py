"""Formats whose records one pattern describes: dialogue acts, NXT queries, PocketSphinx, activity."""

from io import BytesIO

import formats
from formats.meetings.messages import TIME_OF_DAY
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal, said
from tests.tables import table_of


def test_acts_are_a_property_and_speakers_come_from_the_first_field() -> None:
    transcript = read("A|Right.|aa\nme003|yeah i think|S|s|bk\nB||x\n", "dialogue-acts")
    assert [(s.speaker, s.words, s.get("act")) for s in transcript] == [
        ("A", ("Right.",), "aa"),
        ("me003", ("yeah", "i", "think"), "S|s|bk"),
        ("B", (), "x"),
    ]


def test_an_observation_is_the_recording_of_what_follows() -> None:
    text = (
        "Found 2 args.\nObservation: q1; Result size: 1; atts: 2\nwho\t$m\t\ng\tright so \t\n"
        "Observation: q2; Result size: 1; atts: 2\nwho\t$m\t\nf\tuh-huh \t\n"
    )
    assert [(s.recording, s.speaker, s.words) for s in read(text, "nxt-query")] == [
        ("q1", "g", ("right", "so")),
        ("q2", "f", ("uh-huh",)),
    ]


def test_the_score_of_pocketsphinx_is_no_part_of_the_id() -> None:
    first, second = read("he was (not) well (b-1 -11423)\n(b-2 -12)\n", "sphinx-hyp")
    assert (first.recording, first.utterance, first.words, first.get("score")) == (
        "b-1", "b-1", ("he", "was", "(not)", "well"), "-11423"
    )  # fmt: skip
    assert (second.utterance, second.words) == ("b-2", ())


def test_speech_has_no_words_and_other_stretches_are_events() -> None:
    transcript = read("0.2 4.83 speech\n4.83 5 non-speech\n5.5 6 sp\n", "speech-activity")
    assert [(s.kind, s.words, s.start, s.end) for s in transcript] == [
        ("segment", (), 0.2, 4.83),
        ("event", ("non-speech",), 4.83, 5.0),
        ("segment", (), 5.5, 6.0),
    ]


def test_male_and_female_are_speech_with_a_gender() -> None:
    text = "labels\tstart\tstop\nnoEnergy\t0.0\t0.5\nmale\t0.5\t3.25\n"
    silence, speech = read(text, "ina-segments")
    assert (silence.kind, silence.words) == ("event", ("noEnergy",))
    assert (speech.kind, speech.words, speech.get("gender")) == ("segment", (), "male")


@each_case(
    ("name", "text", "message"),
    table_of(__file__, "a_line_of_another_form_is_an_error_at_its_place"),
)  # fmt: skip
def test_a_line_of_another_form_is_an_error_at_its_place(
    name: str, text: str, message: str
) -> None:
    assert refusal(text, name).endswith(message)
    good = [segment for segment in read(text, name, tolerance="lenient") if segment.words]
    assert len(good) == text.count("A|hi|b")


def test_captions_of_zoom_count_times_of_day_from_the_first() -> None:
    transcript = read("[itaru] 23:59:58\nhello\n\n[道生 武松] 00:00:03\nyes\n", "speaker-text")
    assert [(s.speaker, s.start, s.words) for s in transcript] == [
        ("itaru", 0.0, ("hello",)),
        ("道生 武松", 5.0, ("yes",)),
    ]
    shown = "note: " + message_text(TIME_OF_DAY, first="23:59:58") + " [TIME-OF-DAY]"
    assert shown in said(transcript)
    transcript = read("00:00:02 One moment.\n00:00:04 Yes.\n", "speaker-text")
    assert [(s.start, s.words) for s in transcript] == [(2.0, ("One", "moment.")), (4.0, ("Yes.",))]


def test_labels_of_audiomate_end_with_the_audio_or_before() -> None:
    text = "u1 0 -1 how are you\nu2 0 -1 good bye\n"
    assert formats.detect(BytesIO(text.encode())) == "ynop"
    first, second, last = read(text + "u2 1.5 2.5 bye\n", "ynop")
    assert (first.utterance, first.start, first.end) == ("u1", 0.0, None)
    assert (second.recording, second.words) == ("u2", ("good", "bye"))
    assert (last.start, last.end) == (1.5, 2.5)

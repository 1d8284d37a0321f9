"""Oddities of Whisper, the web service, faster-whisper and WhisperX."""

import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import formats
from formats import Segment, Transcript
from formats.io.messages import NO_TIMES
from formats.json import scanning, shapes
from formats.json.messages import (
    DISFLUENCIES,
    NO_LENGTH,
    ORDER,
    PIECES_APART,
    UNIT_LIKELY,
    WHISPER_HINT,
    WORD_SPEAKER,
    WORD_TIMES,
)
from formats.schema.messages import Message
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal, said
from tests.formats.json.recogniser_cases import STRATEGIES
from tests.tables import table_of


def word(text: str, start: float | None = None, end: float | None = None, **more: Any) -> Any:
    times = {"start": start, "end": end}
    return {"word": text, **{n: t for n, t in times.items() if t is not None}, **more}


def segment(*words: Any, start: float = 0, end: float = 9, **more: Any) -> Any:
    text = "".join(w["word"] for w in words)
    return {"start": start, "end": end, "text": text, "words": list(words), **more}


def document(*segments: Any, **more: Any) -> str:
    return json.dumps({"segments": list(segments), **more})


PIECES = (
    word(" New", 0, 1, probability=0.5), word("-", 1, 2, probability=0.25),
    word("born", 2, 3, probability=0.75), word(" it", 3, 4, probability=1),
    word("'s", 4, 5, probability=0.5),
)  # fmt: skip


def test_a_piece_without_a_blank_goes_on_with_the_word() -> None:
    found = read(document(segment(*PIECES), language="en"), "whisper")[0]
    assert found.words == ("New-born", "it's")
    assert (found.starts, found.ends) == ((0.0, 3.0), (3.0, 5.0))
    assert found.confidences == (0.5, 0.75)
    assert found.interpolated is None


@each_case("language", ["zh", "ja", "chinese", "yue", "zh-CN"])
def test_pieces_stand_alone_where_there_are_no_blanks(language: str) -> None:
    pieces = (word("今天", 0, 1), word("天气", 1, 2), word(" OK", 2, 3))
    found = read(document(segment(*pieces), language=language), "whisper")[0]
    assert found.words == ("今天", "天气", "OK")


@each_case(
    "pieces, text, words",
    [
        (("今", "天", "Wi", "Fi", "很", "好"), "今天WiFi很好", ("今", "天", "WiFi", "很", "好")),
        (("午", "前", "1", "0", "時"), "午前10時", ("午", "前", "10", "時")),
        (("T", "V", " B", "S", "だ"), "TV BSだ", ("TV", "BS", "だ")),
        (("T", "V", "だ"), "テレビだ", ("T", "V", "だ")),
    ],
)
def test_letters_and_digits_within_such_texts_are_joined_as_in_the_text(
    pieces: tuple[str, ...], text: str, words: tuple[str, ...]
) -> None:
    listed = [word(piece, n, n + 1) for n, piece in enumerate(pieces)]
    transcript = read(document(segment(*listed, text=text), language="ja"), "whisper")
    assert transcript[0].words == words
    apart = len(words) - len(text.split())
    assert ("note: " + message_text(PIECES_APART, count=apart) + " [PIECES]") in said(transcript)


def test_pieces_stand_alone_if_none_of_the_file_has_a_blank() -> None:
    first = segment(word("good", 0, 1), word("day", 1, 2))
    assert read(document(first), "whisper")[0].words == ("good", "day")
    both = read(document(first, segment(word(" a", 3, 4), word("b", 4, 5), start=3)), "whisper")
    assert [s.words for s in both] == [("goodday",), ("ab",)]


def test_the_first_piece_of_a_segment_begins_a_word() -> None:
    found = read(document(segment(word(" a", 0, 1)), segment(word("b", 1, 2), start=1)), "whisper")
    assert [s.words for s in found] == [("a",), ("b",)]


def test_statistics_are_properties() -> None:
    found = read(
        document(
            segment(
                word(" a", 0, 1), id=0, seek=0, tokens=[1, 2], temperature=0.2, avg_logprob=-0.5,
                compression_ratio=1.5, no_speech_prob=1e-05,
            ),
            language="en", duration=9.5, task="transcribe",
        ),
        "whisper",
    )  # fmt: skip
    assert found[0].properties == (
        ("avg_logprob", "-0.5"), ("compression_ratio", "1.5"), ("no_speech_prob", "1e-05"),
        ("temperature", "0.2"),
    )  # fmt: skip
    assert found[0].confidence is None
    assert found.properties == (("duration", "9.5"), ("language", "en"), ("task", "transcribe"))


def test_what_looks_made_up_is_marked_and_kept() -> None:
    thanks = {"start": 2, "end": 3, "text": " Thank you."}
    transcript = read(
        document(
            {"start": 0, "end": 2, "text": " la la la", "compression_ratio": 2.5},
            thanks, {**thanks, "start": 3, "end": 33}, duration=4.5,
        ),
        "whisper",
    )  # fmt: skip
    assert [s.get("hint") for s in transcript] == ["compression", None, "repeated beyond-audio"]
    assert said(transcript) == [
        (
            "note: "
            + message_text(WHISPER_HINT, hints=["compression: 1", "repeated: 1", "beyond-audio: 1"])
            + " [WHISPER-HINT]"
        ),
        ("warning: " + message_text(UNIT_LIKELY[10], end="33.000", duration="4.500") + " [UNIT?]"),
    ]


def test_order_and_length_are_remarked() -> None:
    text = '{"segments": [{"start": 5, "end": 6, "text": " b"},\n{"start": 1, "end": 1, "text": " a"}]}'
    assert said(read(text, "whisper")) == [
        ("2: note: " + message_text(ORDER) + " [ORDER]"),
        ("2: note: " + message_text(NO_LENGTH) + " [NO-LENGTH]"),
    ]


API_WORDS = [word("good", 0.0, 0.5), word("day", 0.5, 1.0), word("it's", 2.0, 2.5)]


def test_words_of_the_web_service_go_to_their_segments() -> None:
    segments = [
        {"id": 0, "start": 0.0, "end": 1.2, "text": " Good day.", "avg_logprob": -0.25},
        {"id": 1, "start": 1.9, "end": 2.5, "text": " It's…"},
    ]
    text = json.dumps({
        "task": "transcribe", "language": "english", "duration": "2.5",
        "text": "Good day. It's…", "segments": segments, "words": API_WORDS,
    })  # fmt: skip
    assert formats.detect(BytesIO(text.encode())) == "whisper"
    transcript = read(text, "whisper")
    assert [(s.words, s.displays) for s in transcript] == [
        (("good", "day"), ("Good", "day.")), (("it's",), ("It's…",)),
    ]  # fmt: skip
    assert transcript[1].starts == (2.0,)
    assert said(transcript) == []


def test_words_of_the_web_service_may_come_without_segments() -> None:
    text = json.dumps({"text": "Good day. It's", "language": "english", "words": API_WORDS})
    assert formats.detect(BytesIO(text.encode())) == "whisper"
    found = read(text, "whisper")[0]
    assert (found.words, found.displays) == (("good", "day", "it's"), ("Good", "day.", "It's"))
    assert (found.start, found.starts) == (None, (0.0, 0.5, 2.0))


def test_the_web_service_may_give_text_alone() -> None:
    found = read('{"task": "transcribe", "language": "english", "text": "Good day."}', "whisper")
    assert [s.words for s in found] == [("Good", "day.")]
    assert read('{"text": "", "segments": []}', "whisper").segments == ()
    assert refusal('{"other": 1}', "whisper") == (
        '<stream>:1:1: $: expected a member "segments", "words" or "text", found none'
    )


def test_dumps_of_faster_whisper_are_read() -> None:
    bare = [segment(*PIECES, id=1, seek=0, avg_logprob=-0.25)]
    info = {"language": "en", "language_probability": 1, "duration": 9.25}
    for text in (json.dumps(bare), json.dumps({"segments": bare, "info": info})):
        assert formats.detect(BytesIO(text.encode())) == "whisper"
        assert read(text, "whisper")[0].words == ("New-born", "it's")
    assert read(json.dumps({"segments": bare, "info": info}), "whisper").properties == (
        ("duration", "9.25"), ("language", "en"),
    )  # fmt: skip


def test_words_of_whisper_timestamped_are_read() -> None:
    words = [{"text": "good", "start": 0, "end": 1, "confidence": 0.5}]
    text = json.dumps(
        {"segments": [{"start": 0, "end": 1, "text": " good", "seek": 0, "words": words}]}
    )
    assert read(text, "whisper")[0].confidences == (0.5,)


def test_words_without_times_are_kept_and_counted() -> None:
    """Numbers cannot be aligned: WhisperX leaves out their times, and consumers fall over them."""
    text = document(
        segment(word("1"), word("in", 2, 3, score=0.5), word("1984"), word("£5"), word("it", 5, 6),
                word("7"), start=1, end=7),
    )  # fmt: skip
    assert formats.detect(BytesIO(text.encode())) == "whisperx"
    transcript = read(text, "whisperx")
    found = transcript[0]
    assert found.words == ("1", "in", "1984", "£5", "it", "7")
    assert found.starts == (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    assert found.ends == (2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
    assert found.interpolated == (True, False, True, True, False, True)
    assert found.confidences == (None, 0.5, None, None, None, None)
    assert said(transcript) == [("warning: " + message_text(WORD_TIMES, count=4) + " [WORD-TIMES]")]


def test_a_word_between_overlapping_neighbours_takes_no_time() -> None:
    found = read(document(segment(word("a", 0, 3), word("2"), word("b", 2, 4))), "whisperx")[0]
    assert (found.starts, found.ends) == ((0.0, 2.0, 2.0), (3.0, 2.0, 4.0))


def test_words_none_of_which_has_a_time_share_their_segment() -> None:
    found = read(document(segment(word("1984"), word("1985"), start=1, end=4)), "whisperx")
    assert (found[0].starts, found[0].ends) == ((1.0, 2.5), (2.5, 4.0))
    assert found[0].interpolated == (True, True)
    assert said(found) == [("warning: " + message_text(WORD_TIMES, count=2) + " [WORD-TIMES]")]
    nowhere = json.dumps({"segments": [{"text": " 1984", "words": [word("1984")]}]})
    assert read(nowhere, "whisperx")[0].starts is None


TWO = segment(
    word("a", 0, 1, speaker="S0"), word("7"), word("b", 2, 3, speaker="S1"),
    word("c", 3, 4, speaker="S1"), speaker="S1", start=0, end=5,
)  # fmt: skip


def test_words_of_other_speakers_are_counted_or_cut_off() -> None:
    whole = read(document(TWO), "whisperx")
    assert [(s.speaker, s.words) for s in whole] == [("S1", ("a", "7", "b", "c"))]
    assert said(whole)[-1] == ("note: " + message_text(WORD_SPEAKER, count=2) + " [WORD-SPEAKER]")
    cut = read(document(TWO), "whisperx", word_speakers=True)
    assert [(s.speaker, s.words, s.start, s.end) for s in cut] == [
        ("S0", ("a", "7"), 0.0, 2.0), ("S1", ("b", "c"), 2.0, 5.0),
    ]  # fmt: skip


def test_a_segment_without_speaker_takes_that_of_most_of_its_words() -> None:
    without = {name: value for name, value in TWO.items() if name != "speaker"}
    found = read(document({**without, "words": TWO["words"][1:]}), "whisperx")
    assert (found[0].speaker, said(found)[-1][:8]) == ("S1", "warning:")
    assert read(document(without), "whisperx")[0].speaker in ("S0", "S1")


def test_the_copy_of_the_words_is_read_only_without_segments() -> None:
    copy = [word("good", 0, 1, score=0.5)]
    assert read(document(segment(*copy), word_segments=copy), "whisperx").word_count == 1
    alone = json.dumps({"segments": [], "word_segments": copy})
    assert read(alone, "whisperx")[0].words == ("good",)
    beside = json.dumps(
        {"segments": [{"start": 0, "end": 2, "text": " Good"}], "word_segments": copy}
    )
    assert read(beside, "whisperx")[0].starts == (0.0,)


@each_case(
    ("text", "name"),
    table_of(__file__, "relatives_are_told_apart"),
)  # fmt: skip
def test_relatives_are_told_apart(text: str, name: str) -> None:
    assert formats.detect(BytesIO(text.encode())) == name


def test_segments_alone_may_be_of_any_json() -> None:
    text = '{"segments": [{"start": 0, "end": 1, "text": "hello"}]}'
    assert formats.detect(BytesIO(text.encode())) == "json"


def written(name: str, *segments: Segment, **properties: str) -> tuple[str, list[str]]:
    output = BytesIO()
    transcript = Transcript(segments, source="rec", properties=properties)
    losses = formats.write(transcript, output, name)
    return output.getvalue().decode(), [str(loss) for loss in losses]


def test_writing_leaves_out_what_nobody_knows() -> None:
    text, losses = written(
        "whisper",
        Segment.of("rec", ["good", "day"], start=0, end=1, confidences=[0.5, 1]),
        Segment.of("rec", [], start=1, end=2),
    )
    assert text == (
        '{"text": " good day", "segments": [\n'
        '{"id": 0, "seek": 0, "start": 0.0, "end": 1.0, "text": " good day", "tokens": []},\n'
        '{"id": 1, "seek": 0, "start": 1.0, "end": 2.0, "text": "", "tokens": []}\n'
        "]}\n"
    )
    assert losses == ["confidences: 2 (not every word has times)"]


def test_writing_joins_words_where_there_are_no_blanks() -> None:
    good = Segment.of("rec", ["今天", "好"], start=0, end=2, starts=[0, 1], ends=[1, 2])
    text, losses = written("whisper", good, language="zh")
    assert json.loads(text)["text"] == "今天好"
    assert losses == []
    assert read(text, "whisper")[0].words == good.words


def test_writing_refuses_segments_without_times() -> None:
    with pytest.raises(formats.ConversionError) as caught:
        written("whisper", Segment.of("rec", ["good"]))
    assert caught.value.value == Message(NO_TIMES, {"format": "whisper"})


def test_properties_that_are_no_numbers_are_counted() -> None:
    odd = Segment.of("rec", ["a"], start=0, end=1, properties={"temperature": "warm", "mood": "x"})
    _, losses = written("whisper", odd)
    assert losses == ["properties: 1", "properties: 1 (the value is not a number)"]


def test_interpolated_times_are_written_as_times() -> None:
    text = document(segment(word("in", 2, 3, score=0.5), word("1984"), start=1, end=4))
    output = BytesIO()
    formats.write(read(text, "whisperx"), output, "whisperx")
    again = json.loads(output.getvalue())["word_segments"]
    assert again == [word("in", 2.0, 3.0, score=0.5), word("1984", 3.0, 4.0)]


def test_disfluencies_of_whisper_timestamped_are_no_words() -> None:
    words = [{"text": t, "start": n, "end": n + 1, "confidence": 0.5}
             for n, t in enumerate(("So", "[*]", " ", "yes."))]  # fmt: skip
    segment = {"start": 0, "end": 4, "text": " So [*] yes.", "words": words}
    transcript = read(json.dumps({"segments": [segment], "language": "en"}), "whisper")
    assert (transcript[0].words, transcript[0].ends) == (("So", "yes."), (1.0, 4.0))
    assert said(transcript) == [("note: " + message_text(DISFLUENCIES, count=1) + " [DISFLUENCY]")]


@given(segments=STRATEGIES["whisper"])
@settings(max_examples=15, deadline=None)
def test_pysubs2_reads_segments_as_we_write_them(segments: list[Segment]) -> None:
    pysubs2 = pytest.importorskip("pysubs2")
    for name in ("whisper", "whisperx"):
        output = BytesIO()
        formats.write(Transcript(segments, source="rec"), output, name)
        subtitles = pysubs2.load_from_whisper(json.loads(output.getvalue()))
        assert len(subtitles) == len(segments)
        for event, segment in zip(subtitles, segments, strict=True):
            expected = pysubs2.SSAEvent()
            expected.plaintext = " ".join(segment.words).strip()
            assert event.plaintext == expected.plaintext
            assert (event.start * 10**6, event.end * 10**6) == (segment.start_ns, segment.end_ns)


NUMBERS = st.sampled_from([None, 0.1, 0.25, 1.0, 2, 3.5, 1e300, "1.5", -1.0])
WRITTEN = st.fixed_dictionaries(
    {"word": st.sampled_from([" a", " b", "c", "-d", " e f", " g ", " ", "", " \n", " é", 1])},
    optional={
        "text": st.just(" t"),
        **dict.fromkeys(("start", "end", "probability"), NUMBERS),
    },
)


@given(st.lists(st.lists(WRITTEN, max_size=4), max_size=3), st.sampled_from(["en", "zh", None]))
def test_words_in_columns_are_the_words_read_singly(
    lists: list[list[dict[str, Any]]], language: str | None
) -> None:
    segments = [{"start": 0, "end": 9, "text": " x", "words": words} for words in lists]
    text = json.dumps({"segments": segments, "language": language}, indent=1)

    def outcome() -> object:
        try:
            transcript = formats.read(BytesIO(text.encode()), "whisper")
        except formats.FormatError as error:
            return str(error)
        return transcript, [segment.line for segment in transcript], transcript.diagnostics

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shapes, "plain_words_of", None)
        patch.setattr(scanning, "compiled", lambda name: None)
        expected = outcome()
    assert outcome() == expected

"""Oddities of aligners, of small recognisers and of editors of transcripts."""

import json
from io import BytesIO

import pytest

import formats
from formats import SyntaxFormatError
from formats.json.messages import (
    GENTLE_LIST,
    GENTLE_TRANSCRIPT,
    SILENT,
    SPHINX_SILENCE,
    SPHINX_VARIANTS,
)
from tests.formats.checks import message_text, remark_line
from tests.formats.json.aligner_cases import GENTLE
from tests.formats.json.reading import read, refusal, said


def gentle(transcript: str, *words: object) -> str:
    return json.dumps({"transcript": transcript, "words": words})


def found(word: str, start: float | None = None, **more: object) -> dict[str, object]:
    timed = {} if start is None else {"start": start, "end": start + 0.5, "case": "success"}
    return {"word": word, "alignedWord": word.lower(), **timed, **more}


def test_what_touches_a_word_of_gentle_is_shown_with_it() -> None:
    text = gentle(
        "* “Hi”, – Bob!\r\n\r\nrequests\u2014the end",
        *(found(word, n) for n, word in enumerate(("Hi", "Bob", "requests", "the", "end"))),
    )
    transcript = read(text, "gentle")
    assert [s.words for s in transcript] == [("Hi", "Bob"), ("requests", "the", "end")]
    assert transcript[0].displays == ("“Hi”, –", "Bob!")
    assert transcript[1].displays == ("requests\u2014", None, None)
    assert (transcript[0].start, transcript[1].end) == (0.0, 4.5)


def test_offsets_of_gentle_may_count_bytes() -> None:
    words = [found("wörld", 1, startOffset=0), found("is", 2, startOffset=7)]
    transcript = read(gentle("wörld. is", *words), "gentle")
    assert transcript[0].displays == ("wörld.", None)
    assert said(transcript) == []


def test_a_transcript_of_gentle_with_other_words_is_not_used() -> None:
    transcript = read(gentle("good\nday", found("goo", 1), found("day", 2)), "gentle")
    assert [s.words for s in transcript] == [("goo", "day")]
    assert said(transcript) == [remark_line(GENTLE_TRANSCRIPT, file=None, text="d")]
    transcript = read(gentle("good day", found("good", 1), found("night", 2)), "gentle")
    assert said(transcript) == [remark_line(GENTLE_LIST, file=None, text="night")]


def test_words_of_gentle_that_were_not_found_stand_between_their_neighbours() -> None:
    words = [found("a", 1), found("b", case="not-found-in-audio"), found("c", 3)]
    segment = read(gentle("a\nb\nc", *words), "gentle").segments
    assert [(s.start, s.end) for s in segment] == [(1.0, 1.5), (None, None), (3.0, 3.5)]
    segment = read(gentle("a b c", *words), "gentle").segments
    assert (segment[0].starts, segment[0].interpolated) == ((1.0, 1.5, 3.0), (False, True, False))


def test_what_gentle_heard_beside_the_transcript_is_no_word() -> None:
    extra = {"case": "not-found-in-transcript", "alignedWord": "[noise]", "start": 3, "end": 4}
    transcript = read(gentle("a", found("a", 1), extra), "gentle")
    assert [(s.tier, s.words, s.start, s.end) for s in transcript if s.kind == "event"] == [
        ("heard", ("[noise]",), 3.0, 4.0)
    ]
    assert transcript.word_count == 1


def test_gentle_without_words() -> None:
    transcript = read(gentle("no audio"), "gentle")
    assert transcript[0].words == ("no", "audio")
    assert [d.code for d in transcript.diagnostics] == ["GENTLE-EMPTY"]
    assert len(read(gentle(""), "gentle")) == 0
    assert refusal('{"status": "ENCODING", "transcript": ""}', "gentle") == (
        '<stream>:1:12: $.status: expected "OK", found "ENCODING"'
    )
    assert refusal(gentle("a", {"start": 1}), "gentle") == (
        '<stream>:1:31: $.words[0]: expected a member "word", found none'
    )


def test_gentle_counts_what_a_missing_time_costs() -> None:
    text = GENTLE.replace('"end": 0.75, "startOffset": 0', '"startOffset": 0')
    assert read(text, "gentle")[0].interpolated == (True, False)


def test_a_bad_word_of_gentle_is_passed_over_on_request() -> None:
    text = gentle("a b", found("a", 1), {"word": 5}, found("b", 2))
    transcript = read(text, "gentle", "lenient")
    assert transcript[0].words == ("a", "b")
    assert [d.severity for d in transcript.diagnostics] == ["error"]


def test_silence_of_deepspeech() -> None:
    transcript = read('{"transcripts": [{"confidence": -1.5, "words": []}]}', "deepspeech")
    assert (len(transcript), said(transcript)) == (
        0, [("note: " + message_text(SILENT, results=1) + ' [SILENT]')],
    )  # fmt: skip
    assert "found none" in refusal('{"transcripts": [{"tokens": []}]}', "deepspeech")


def test_pronunciations_silence_and_noise_of_sphinx() -> None:
    words = [{"t": t, "b": n, "d": 1, "p": 1} for n, t in enumerate(("<s>", "a(2)", "++UM++", "b"))]
    transcript = read(
        json.dumps({"b": 0, "d": 4, "p": 0.5, "t": "a b", "w": words}), "pocketsphinx"
    )
    assert [(s.kind, s.words) for s in transcript] == [
        ("event", ("++UM++",)),
        ("segment", ("a", "b")),
    ]
    assert said(transcript) == [
        ("note: " + message_text(SPHINX_VARIANTS, marks=1) + " [SPHINX-VARIANTS]"),
        ("note: " + message_text(SPHINX_SILENCE, silences=1) + " [SPHINX-SILENCE]"),
    ]


def test_a_quote_inside_a_word_of_sphinx_is_an_error() -> None:
    text = '{"b":0,"d":1,"p":1,"t":"a"}\n{"b":1,"d":1,"p":1,"t":"a"b"}\n'
    with pytest.raises(SyntaxFormatError, match="<stream>:2:27: expected JSON"):
        read(text, "pocketsphinx")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a S 0 T 1 A 1 L 1 0 1 1 x", "expected id S n T n A n L n, then frame, score, score"),
        ("a S 0 T 1 A 1 L 1 0 1 1 x 1.5", 'expected a frame, a whole number, found "1.5"'),
        ("a S 0 T 1 A 1 L 1 5 1 1 x 3", 'expected a frame not before 5, found "3"'),
    ],
)
def test_bad_lines_of_matchseg(line: str, message: str) -> None:
    assert message in refusal(line, "matchseg")
    assert len(read(f"{line}\na S 0 T 1 A 1 L 1 0 1 1 x 50\n", "matchseg", "lenient")) == 1
    assert "frame rate of 1" in refusal("", "matchseg", frame_rate=0)


def test_frames_of_matchseg() -> None:
    segment = read("a S 0 T 1 A 1 L 1 0 1 1 x 50\n", "matchseg", frame_rate=50)[0]
    assert (segment.end, segment.utterance, segment.recording) == (1.0, "a", "a")


def test_a_project_of_autoedit() -> None:
    line = {"line": [{"id": 0, "text": "New York", "startTime": 1, "endTime": 2}]}
    paragraph = {"id": 0, "speaker": "Unnamed Speaker", "paragraph": [line, line]}
    for value in ([paragraph], {"text": [paragraph], "highlights": []}):
        segment = read(json.dumps(value), "autoedit")[0]
        assert (segment.words, segment.speaker) == (("New", "York", "New", "York"), None)
    assert len(read("[]", "autoedit")) == 0


def test_a_word_of_no_paragraph() -> None:
    words = [{"text": t, "start": n, "end": n + 1} for n, t in enumerate("abc")]
    paragraphs = [{"start": 0, "end": 1, "speaker": "x"}, {"start": 1, "end": 1.5, "speaker": "y"}]
    text = json.dumps({"words": words, "paragraphs": paragraphs})
    transcript = read(text, "digital-paper-edit")
    record = f'{{"id": "x", "title": "Talk", "status": "done", "transcript": {text}}}'
    assert formats.detect(BytesIO(record.encode())) == "digital-paper-edit"
    assert read(record, "digital-paper-edit").segments == transcript.segments
    assert [(s.speaker, s.words) for s in transcript] == [
        ("x", ("a",)),
        ("y", ("b",)),
        (None, ("c",)),
    ]
    assert [d.code for d in transcript.diagnostics] == ["WORD-ORPHANS"]


def test_pieces_of_transcribee() -> None:
    def atoms(*texts: str) -> dict[str, object]:
        pieces = [{"text": t, "start": n, "end": n + 1, "conf": 0.5} for n, t in enumerate(texts)]
        return {"type": "paragraph", "lang": "de", "speaker": "1", "children": pieces}

    names = {"1": "anne", "2": "anne"}
    text = json.dumps({"children": [atoms("Bet", "on", "werk ", "und")], "speaker_names": names})
    transcript = read(text, "transcribee")
    assert (transcript[0].words, transcript[0].ends) == (("Betonwerk", "und"), (3.0, 4.0))
    assert transcript[0].speaker == "1"
    transcript = read(json.dumps({"children": [atoms("a", "b")]}), "transcribee")
    assert transcript[0].words == ("a", "b")
    assert [d.code for d in transcript.diagnostics] == ["TRANSCRIBEE-WORDS"]


GLADIA = {
    "status": "done",
    "result": {"transcription": {"utterances": [{"start": 0, "text": "a b"}]}},
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": "error", "error_code": 500}, '$.status: expected "done", found "error": 500'),
        ({"result": None}, '$: expected a member "result", found none'),
        ({"result": {"transcription": {}}},
         '$.result.transcription: expected a member "utterances", found none'),
    ],
)  # fmt: skip
def test_gladia_names_what_is_missing(changes: dict[str, object], message: str) -> None:
    assert read(json.dumps(GLADIA), "gladia")[0].words == ("a", "b")
    assert refusal(json.dumps({**GLADIA, **changes}), "gladia").endswith(message)


def test_a_list_of_paper_edits_is_one_transcript() -> None:
    parts = [
        {"words": [{"text": t, "start": n, "end": n + 0.5}], "paragraphs": [{"start": n, "end": n + 1, "speaker": s}]}
        for n, (t, s) in enumerate((("Hello.", "Anne"), ("Hi.", "Bob")))
    ]  # fmt: skip
    text = json.dumps(parts)
    assert formats.detect(BytesIO(text.encode())) == "digital-paper-edit"
    transcript = read(text, "digital-paper-edit")
    assert [(s.speaker, s.words, s.start) for s in transcript] == [
        ("Anne", ("Hello.",), 0.0), ("Bob", ("Hi.",), 1.0),
    ]  # fmt: skip

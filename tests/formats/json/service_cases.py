"""JSON of cloud services for the contract suite."""

from __future__ import annotations

from hypothesis import strategies as st

from formats import Segment, Token
from tests.formats.case import HELLOS, MILLISECONDS, ODD_WORD, TOGETHER, WORDS, Case, words_together

ODD_JSON_WORD = ODD_WORD.replace("\x1c", "\\u001c")
SIGNS = b'\0 {}[]",:\\\n\r\t.-0e9nutx\xc3\xff'

AWS = """\
{"jobName": "rec", "accountId": "", "status": "COMPLETED", "results": {
"language_code": "en-GB",
"transcripts": [{"transcript": "hello, wörld. good"}],
"speaker_labels": {"speakers": 2, "segments": [
{"start_time": "0.500", "end_time": "1.100", "speaker_label": "spk_0", "items": [{"start_time": "0.500", \
"end_time": "0.750", "speaker_label": "spk_0"}, {"start_time": "0.750", "end_time": "1.050", \
"speaker_label": "spk_0"}]},
{"start_time": "2.000", "end_time": "2.500", "speaker_label": "spk_1", "items": [{"start_time": "2.000", \
"end_time": "2.500", "speaker_label": "spk_1"}]}
]},
"items": [
{"id": 0, "type": "pronunciation", "start_time": "0.500", "end_time": "0.750", "speaker_label": "spk_0", \
"alternatives": [{"confidence": "0.98", "content": "hello"}]},
{"id": 1, "type": "punctuation", "speaker_label": "spk_0", "alternatives": [{"confidence": "0.0", \
"content": ","}]},
{"id": 2, "type": "pronunciation", "start_time": "0.750", "end_time": "1.050", "speaker_label": "spk_0", \
"alternatives": [{"confidence": "0.5", "content": "wörld"}]},
{"id": 3, "type": "punctuation", "speaker_label": "spk_0", "alternatives": [{"confidence": "0.0", \
"content": "."}]},
{"id": 4, "type": "pronunciation", "start_time": "2.000", "end_time": "2.500", "speaker_label": "spk_1", \
"alternatives": [{"content": "good"}]}
],
"audio_segments": [
{"id": 0, "transcript": "hello, wörld.", "start_time": "0.500", "end_time": "1.100", \
"speaker_label": "spk_0", "items": [0, 1, 2, 3]},
{"id": 1, "transcript": "good", "start_time": "2.000", "end_time": "2.500", "speaker_label": "spk_1", \
"items": [4]}
]}}
"""
GOOGLE = """\
{"results": [
 {"alternatives": [{"transcript": "hello wörld", "confidence": 0.93, "words": [
   {"startTime": "0.500s", "endTime": "0.750s", "word": "hello", "speakerTag": 1},
   {"startTime": "0.750s", "endTime": "1.050s", "word": "wörld", "speakerTag": 2}]},
  {"transcript": "yellow wörld"}], "resultEndTime": "1.100s", "languageCode": "en-gb"},
 {"alternatives": [{"transcript": "how are you"}], "resultEndTime": "2.500s", "languageCode": "en-gb"}]}
"""
AZURE = """\
{"source": "rec.wav", "durationInTicks": 30000000, "duration": "PT3S",
 "combinedRecognizedPhrases": [{"channel": 0, "lexical": "hello wörld", "display": "Hello, wörld."}],
 "recognizedPhrases": [
 {"recognitionStatus": "Success", "channel": 0, "speaker": 1, "offset": "PT0.5S", "duration": "PT0.55S",
  "offsetInTicks": 5000000.0, "durationInTicks": 5500000.0, "nBest": [
   {"confidence": 0.9, "lexical": "hello wörld", "itn": "hello wörld", "maskedITN": "hello wörld",
    "display": "Hello, wörld.", "words": [
     {"word": "hello", "offsetInTicks": 5000000.0, "durationInTicks": 2500000.0, "confidence": 0.8},
     {"word": "wörld", "offsetInTicks": 7500000.0, "durationInTicks": 3000000.0}]},
   {"confidence": 0.7, "lexical": "yellow wörld", "display": "Yellow wörld."}]},
 {"recognitionStatus": "Success", "channel": 1, "offset": "PT2S", "duration": "PT1S", "nBest": [
   {"confidence": 0.6, "lexical": "how are you", "display": "How are you?"}]}]}
"""
DEEPGRAM = """\
{"metadata": {"request_id": "r", "duration": 3.0, "channels": 1}, "results": {"channels": [
 {"alternatives": [{"transcript": "hello, wörld. good", "confidence": 0.95, "words": [
  {"word": "hello", "start": 0.5, "end": 0.75, "confidence": 0.98, "punctuated_word": "hello,", "speaker": 0},
  {"word": "wörld", "start": 0.75, "end": 1.05, "confidence": 0.5, "punctuated_word": "wörld.", "speaker": 0},
  {"word": "good", "start": 2.0, "end": 2.5, "confidence": 0.7, "speaker": 1}]}]}]}}
"""
ASSEMBLYAI = """\
{"id": "t", "status": "completed", "language_code": "en", "text": "hello, wörld. Good", "audio_duration": 3,
 "words": [
  {"text": "hello,", "start": 500, "end": 750, "confidence": 0.98, "speaker": "A"},
  {"text": "hello", "start": 750, "end": 900, "confidence": 0.9, "speaker": "A"},
  {"text": "wörld.", "start": 900, "end": 1050, "confidence": 0.5, "speaker": "A"},
  {"text": "Good", "start": 2000, "end": 2500, "confidence": 0.7, "speaker": "B"}],
 "utterances": [
  {"speaker": "A", "text": "hello, hello wörld.", "start": 500, "end": 1050, "confidence": 0.8, "words": [
   {"text": "hello,", "start": 500, "end": 750}, {"text": "hello", "start": 750, "end": 900},
   {"text": "wörld.", "start": 900, "end": 1050}]},
  {"speaker": "B", "text": "Good", "start": 2000, "end": 2500, "confidence": 0.7, "words": [
   {"text": "Good", "start": 2000, "end": 2500}]}]}
"""
SPEECHMATICS = """\
{"format": "2.9", "job": {"id": "j", "duration": 3}, "metadata": {"language_pack_info": {"word_delimiter": " "},
 "transcription_config": {"language": "en"}}, "results": [
 {"type": "word", "start_time": 0.5, "end_time": 0.75, "alternatives": [
  {"content": "hello", "confidence": 0.98, "language": "en", "speaker": "S1"}]},
 {"type": "word", "start_time": 0.75, "end_time": 1.05, "alternatives": [
  {"content": "wörld", "confidence": 0.5, "language": "en", "speaker": "S1"}]},
 {"type": "punctuation", "start_time": 1.05, "end_time": 1.05, "attaches_to": "previous", "is_eos": true,
  "alternatives": [{"content": ".", "confidence": 1.0, "speaker": "S1"}]},
 {"type": "word", "start_time": 2.0, "end_time": 2.5, "alternatives": [
  {"content": "good", "confidence": 0.7, "language": "en", "speaker": "UU"}]}]}
"""
REVAI = """\
{"monologues": [
 {"speaker": 0, "elements": [
  {"type": "text", "value": "hello", "ts": 0.5, "end_ts": 0.75, "confidence": 0.98}, {"type": "punct", "value": ","},
  {"type": "punct", "value": " "}, {"type": "text", "value": "wörld", "ts": 0.75, "end_ts": 1.05, "confidence": 0.5},
  {"type": "punct", "value": "."}]},
 {"speaker": 1, "elements": [{"type": "text", "value": "good", "ts": 2.0, "end_ts": 2.5}]}]}
"""
WATSON = """\
{"result_index": 0, "results": [
 {"final": true, "alternatives": [{"transcript": "hello wörld ", "confidence": 0.9,
  "timestamps": [["hello", 0.5, 0.75], ["wörld", 0.75, 1.05]], "word_confidence": [["hello", 0.98], ["wörld", 0.5]]},
  {"transcript": "yellow wörld "}]},
 {"final": true, "alternatives": [{"transcript": "good ", "timestamps": [["good", 2.0, 2.5]]}]}],
 "speaker_labels": [
 {"from": 0.5, "to": 0.75, "speaker": 0, "confidence": 0.6, "final": false},
 {"from": 0.75, "to": 1.05, "speaker": 0, "confidence": 0.6, "final": false},
 {"from": 2.0, "to": 2.5, "speaker": 1, "confidence": 0.6, "final": true}]}
"""


CASES = [
    Case(
        "aws", AWS, [("hello", "wörld"), ("good",)], suffix=".json",
        line=lambda n: f'{{"type": "pronunciation", "start_time": "{n}.25", "end_time": "{n}.5", '
        '"alternatives": [{"confidence": "0.5", "content": "hello"}]},\n',
        utterance=lambda n: words_together(
            n, lambda i: f'{{"type": "pronunciation", "start_time": "{i}.25", "end_time": "{i}.5", "speaker_label": '
            f'"spk_{n % 2}", "alternatives": [{{"confidence": "0.5", "content": "hello"}}]}},\n', "",
        ),
        before='{"status": "COMPLETED", "results": {"transcripts": [], "items": [\n',
        after='{"type": "punctuation", "alternatives": [{"content": "."}]}]}}\n',
        segments=1, empty=None, odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
    ),
    Case(
        "google", GOOGLE, [("hello",), ("wörld",), ("how", "are", "you")], suffix=".json",
        line=lambda n: '{"alternatives": [{"transcript": "hello", "words": [{"startTime": "'
        f'{n}.25s", "endTime": "{n}.5s", "word": "hello"}}]}}], "resultEndTime": "{n}.5s"}},\n',
        utterance=lambda n: f'{{"alternatives": [{{"transcript": "{HELLOS}", "confidence": 0.5, "words": ['
        + words_together(n, lambda i: f'{{"startTime": "{i}.25s", "endTime": "{i}.5s", "word": "hello"}}')
        + f']}}], "resultEndTime": "{(n + 1) * TOGETHER}s"}},\n',
        before='{"results": [\n',
        after='{"alternatives": [{"transcript": "hello"}], "resultEndTime": "200000s"}]}\n',
        segments=100_001, odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
    ),
    Case(
        "azure", AZURE, [("hello", "wörld"), ("how", "are", "you")], suffix=".json",
        line=lambda n: f'{{"RecognitionStatus": "Success", "Offset": {n + 1}0000000, "Duration": 5000000, '
        '"DisplayText": "Hello."}\n',
        utterance=lambda n: f'{{"RecognitionStatus": "Success", "Offset": {n * TOGETHER + 1}0000000, "Duration": '
        f'100000000, "NBest": [{{"Confidence": 0.9, "Lexical": "{HELLOS}", "Display": "{HELLOS}", "Words": ['
        + words_together(n, lambda i: f'{{"Word": "hello", "Offset": {i + 1}0000000, "Duration": 5000000}}')
        + "]}]}\n",
        segments=100_000, odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
    ),
    Case(
        "deepgram", DEEPGRAM, [("hello", "wörld"), ("good",)], suffix=".json",
        line=lambda n: f'{{"word": "hello", "start": {n}.25, "end": {n}.5, "confidence": 0.5}},\n',
        utterance=lambda n: words_together(
            n, lambda i: f'{{"word": "hello", "start": {i}.25, "end": {i}.5, "confidence": 0.5, "speaker": {n % 2}}},\n', "",
        ),
        before='{"results": {"channels": [{"alternatives": [{"transcript": "", "words": [\n',
        after='{"word": "hello", "start": 200000, "end": 200001}]}]}]}}\n',
        segments=1, odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
    ),
    Case(
        "assemblyai", ASSEMBLYAI, [("hello,", "hello", "wörld."), ("Good",)], suffix=".json",
        line=lambda n: f'{{"text": "hello", "start": {n + 1}250, "end": {n + 1}500, "confidence": 0.5}},\n',
        utterance=lambda n: words_together(
            n, lambda i: f'{{"text": "hello", "start": {i + 1}250, "end": {i + 1}500, "confidence": 0.5, '
            f'"speaker": "{"AB"[n % 2]}"}},\n', "",
        ),
        before='{"status": "completed", "words": [\n',
        after='{"text": "hello", "start": 200000000, "end": 200000001}]}\n',
        segments=1, odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
    ),
    Case(
        "speechmatics", SPEECHMATICS, [("hello", "wörld"), ("good",)], suffix=".json",
        line=lambda n: f'{{"type": "word", "start_time": {n}.25, "end_time": {n}.5, "is_eos": true, '
        '"alternatives": [{"content": "hello"}]},\n',
        utterance=lambda n: words_together(
            n, lambda i: f'{{"type": "word", "start_time": {i}.25, "end_time": {i}.5, "is_eos": '
            f'{"true" if i % TOGETHER == TOGETHER - 1 else "false"}, "alternatives": [{{"content": "hello"}}]}},\n', "",
        ),
        before='{"format": "2.9", "metadata": {}, "results": [\n',
        after='{"type": "word", "alternatives": [{"content": "hello"}]}]}\n',
        segments=100_001, odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
    ),
    Case(
        "revai", REVAI, [("hello", "wörld"), ("good",)], suffix=".json",
        line=lambda n: f'{{"speaker": {n % 3}, "elements": [{{"type": "text", "value": "hello", '
        f'"ts": {n}.25, "end_ts": {n}.5}}]}},\n',
        utterance=lambda n: f'{{"speaker": {n % 3}, "elements": ['
        + words_together(
            n, lambda i: f'{{"type": "text", "value": "hello", "ts": {i}.25, "end_ts": {i}.5}}, '
            '{"type": "punct", "value": " "}'
        ) + "]},\n",
        before='{"monologues": [\n',
        after='{"speaker": 0, "elements": [{"type": "text", "value": "hello"}]}]}\n',
        segments=100_001, odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
    ),
    Case(
        "watson", WATSON, [("hello", "wörld"), ("good",)], suffix=".json",
        line=lambda n: '{"results": [{"final": true, "alternatives": [{"transcript": "hello", '
        f'"timestamps": [["hello", {n}.25, {n}.5]]}}]}}], "result_index": {n}}}\n',
        utterance=lambda n: f'{{"results": [{{"final": true, "alternatives": [{{"transcript": "{HELLOS}", '
        '"timestamps": [' + words_together(n, lambda i: f'["hello", {i}.25, {i}.5]')
        + f']}}]}}], "result_index": {n}}}\n',
        segments=100_000, odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
    ),
]  # fmt: skip


def aws_segments() -> st.SearchStrategy[list[Segment]]:
    def token(
        text: str, start: int, length: int, confidence: float | None, mark: str | None
    ) -> Token:
        display = None if mark is None else text + mark
        return Token(text, start, start + length, confidence, display=display)

    tokens = st.builds(
        token, WORDS, MILLISECONDS, MILLISECONDS, st.none() | st.floats(0, 1),
        st.none() | st.sampled_from([".", ",", "?!", "…"]),
    )  # fmt: skip

    def build(
        channel: str | None, parts: list[tuple[str | None, int, int, list[Token]]]
    ) -> list[Segment]:
        return [
            Segment.from_items(
                "rec", items, channel=channel, speaker=speaker, start_ns=start,
                end_ns=start + length,
            )
            for speaker, start, length, items in parts
        ]  # fmt: skip

    parts = st.tuples(
        st.none() | WORDS, MILLISECONDS, MILLISECONDS, st.lists(tokens, min_size=1, max_size=4)
    )
    return st.builds(build, st.none() | WORDS, st.lists(parts, min_size=1, max_size=4))


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {"aws": aws_segments()}

"""JSON of cloud services for the contract suite."""

from hypothesis import strategies as st

from formats import Segment
from tests.formats.case import (
    HELLOS,
    TOGETHER,
    json_case,
    sample,
    words_together,
)

AWS = sample("aws.txt")
GOOGLE = sample("google.txt")
AZURE = sample("azure.txt")
DEEPGRAM = sample("deepgram.txt")
ASSEMBLYAI = sample("assemblyai.txt")
SPEECHMATICS = sample("speechmatics.txt")
REVAI = sample("revai.txt")
WATSON = sample("watson.txt")


CASES = [
    json_case(
        "aws", AWS, [("hello", "wörld"), ("good",)],
        line=lambda n: f'{{"type": "pronunciation", "start_time": "{n}.25", "end_time": "{n}.5", '
        '"alternatives": [{"confidence": "0.5", "content": "hello"}]},\n',
        utterance=lambda n: words_together(
            n, lambda i: f'{{"type": "pronunciation", "start_time": "{i}.25", "end_time": "{i}.5", "speaker_label": '
            f'"spk_{n % 2}", "alternatives": [{{"confidence": "0.5", "content": "hello"}}]}},\n', "",
        ),
        before='{"status": "COMPLETED", "results": {"transcripts": [], "items": [\n',
        after='{"type": "punctuation", "alternatives": [{"content": "."}]}]}}\n',
        segments=1, empty=None,
    ),
    json_case(
        "google", GOOGLE, [("hello",), ("wörld",), ("how", "are", "you")],
        line=lambda n: '{"alternatives": [{"transcript": "hello", "words": [{"startTime": "'
        f'{n}.25s", "endTime": "{n}.5s", "word": "hello"}}]}}], "resultEndTime": "{n}.5s"}},\n',
        utterance=lambda n: f'{{"alternatives": [{{"transcript": "{HELLOS}", "confidence": 0.5, "words": ['
        + words_together(n, lambda i: f'{{"startTime": "{i}.25s", "endTime": "{i}.5s", "word": "hello"}}')
        + f']}}], "resultEndTime": "{(n + 1) * TOGETHER}s"}},\n',
        before='{"results": [\n',
        after='{"alternatives": [{"transcript": "hello"}], "resultEndTime": "200000s"}]}\n',
        segments=100_001,
    ),
    json_case(
        "azure", AZURE, [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f'{{"RecognitionStatus": "Success", "Offset": {n + 1}0000000, "Duration": 5000000, '
        '"DisplayText": "Hello."}\n',
        utterance=lambda n: f'{{"RecognitionStatus": "Success", "Offset": {n * TOGETHER + 1}0000000, "Duration": '
        f'100000000, "NBest": [{{"Confidence": 0.9, "Lexical": "{HELLOS}", "Display": "{HELLOS}", "Words": ['
        + words_together(n, lambda i: f'{{"Word": "hello", "Offset": {i + 1}0000000, "Duration": 5000000}}')
        + "]}]}\n",
    ),
    json_case(
        "deepgram", DEEPGRAM, [("hello", "wörld"), ("good",)],
        line=lambda n: f'{{"word": "hello", "start": {n}.25, "end": {n}.5, "confidence": 0.5}},\n',
        utterance=lambda n: words_together(
            n, lambda i: f'{{"word": "hello", "start": {i}.25, "end": {i}.5, "confidence": 0.5, "speaker": {n % 2}}},\n', "",
        ),
        before='{"results": {"channels": [{"alternatives": [{"transcript": "", "words": [\n',
        after='{"word": "hello", "start": 200000, "end": 200001}]}]}]}}\n',
        segments=1,
    ),
    json_case(
        "assemblyai", ASSEMBLYAI, [("hello,", "hello", "wörld."), ("Good",)],
        line=lambda n: f'{{"text": "hello", "start": {n + 1}250, "end": {n + 1}500, "confidence": 0.5}},\n',
        utterance=lambda n: words_together(
            n, lambda i: f'{{"text": "hello", "start": {i + 1}250, "end": {i + 1}500, "confidence": 0.5, '
            f'"speaker": "{"AB"[n % 2]}"}},\n', "",
        ),
        before='{"status": "completed", "words": [\n',
        after='{"text": "hello", "start": 200000000, "end": 200000001}]}\n',
        segments=1,
    ),
    json_case(
        "speechmatics", SPEECHMATICS, [("hello", "wörld"), ("good",)],
        line=lambda n: f'{{"type": "word", "start_time": {n}.25, "end_time": {n}.5, "is_eos": true, '
        '"alternatives": [{"content": "hello"}]},\n',
        utterance=lambda n: words_together(
            n, lambda i: f'{{"type": "word", "start_time": {i}.25, "end_time": {i}.5, "is_eos": '
            f'{"true" if i % TOGETHER == TOGETHER - 1 else "false"}, "alternatives": [{{"content": "hello"}}]}},\n', "",
        ),
        before='{"format": "2.9", "metadata": {}, "results": [\n',
        after='{"type": "word", "alternatives": [{"content": "hello"}]}]}\n',
        segments=100_001,
    ),
    json_case(
        "revai", REVAI, [("hello", "wörld"), ("good",)],
        line=lambda n: f'{{"speaker": {n % 3}, "elements": [{{"type": "text", "value": "hello", '
        f'"ts": {n}.25, "end_ts": {n}.5}}]}},\n',
        utterance=lambda n: f'{{"speaker": {n % 3}, "elements": ['
        + words_together(
            n, lambda i: f'{{"type": "text", "value": "hello", "ts": {i}.25, "end_ts": {i}.5}}, '
            '{"type": "punct", "value": " "}'
        ) + "]},\n",
        before='{"monologues": [\n',
        after='{"speaker": 0, "elements": [{"type": "text", "value": "hello"}]}]}\n',
        segments=100_001,
    ),
    json_case(
        "watson", WATSON, [("hello", "wörld"), ("good",)],
        line=lambda n: '{"results": [{"final": true, "alternatives": [{"transcript": "hello", '
        f'"timestamps": [["hello", {n}.25, {n}.5]]}}]}}], "result_index": {n}}}\n',
        utterance=lambda n: f'{{"results": [{{"final": true, "alternatives": [{{"transcript": "{HELLOS}", '
        '"timestamps": [' + words_together(n, lambda i: f'["hello", {i}.25, {i}.5]')
        + f']}}]}}], "result_index": {n}}}\n',
    ),
]  # fmt: skip


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {}

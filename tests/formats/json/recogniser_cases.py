"""JSON of open recognisers for the contract suite."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from formats import Segment, Token
from tests.formats.case import HELLOS, MILLISECONDS, ODD_WORD, TOGETHER, Case, words_together

ODD_JSON_WORD = ODD_WORD.replace("\x1c", "\\u001c")
SIGNS = b'\0 {}[]",:\\\n\r\t.-0e9nutx\xc3\xff'

BBC_KALDI = """\
{"metadata": {"version": "0.1"}, "text": "hello wörld", "punct": "Hello, wörld.", "words": [
{"word": "hello", "start": 0.5, "end": 0.75, "confidence": 0.98, "punct": "Hello,"},
{"word": "wörld", "start": 0.75, "end": 1.05, "confidence": 1.0, "punct": "wörld."}]}
"""
VOSK = """\
{"result": [{"word": "hello", "start": 0.5, "end": 0.75, "conf": 0.98}, \
{"word": "wörld", "start": 0.75, "end": 1.05, "conf": 0.5}], "text": "hello wörld"}
{"text": "how are you"}
{"alternatives": [{"confidence": 251.5, "result": [{"word": "good", "start": 2.5, "end": 3.0}], \
"text": "good"}, {"confidence": 249.25, "text": "a good"}]}
"""
KALDI_GSTREAMER = """\
{"status": 0, "id": "c7", "segment": 0, "result": {"hypotheses": [{"transcript": "hello wörld.",
 "confidence": 0.95, "likelihood": 61.5, "word-alignment": [
  {"word": "hello", "start": 0.0, "length": 0.25, "confidence": 0.98},
  {"word": "wörld", "start": 0.25, "length": 0.3, "confidence": 0.5}]},
  {"transcript": "yellow wörld.", "likelihood": 60.25}], "final": true},
 "segment-start": 0.5, "segment-length": 1.0, "total-length": 1.5}
"""
OFFLINE_TRANSCRIBER = """\
{"speakers": {"S1": {"name": "Anne"}}, "sections": [{"type": "non-speech", "start": 0.0, "end": 0.5},
 {"type": "speech", "start": 0.5, "end": 2.0, "turns": [{"speaker": "S1", "start": 0.5, "end": 1.05,
  "transcript": "hello wörld.", "words": [
   {"word": "hello", "word_with_punctuation": "hello", "punctuation": "", "start": 0.5, "end": 0.75,
    "confidence": 0.98},
   {"word": "wörld", "word_with_punctuation": "wörld.", "punctuation": ".", "start": 0.75,
    "end": 1.05}]}]}]}
"""
WHISPER = """\
{"text": " hello wörld. how are you", "segments": [
{"id": 0, "seek": 0, "start": 0.5, "end": 1.05, "text": " hello wörld.", "tokens": [], \
"temperature": 0.0, "avg_logprob": -0.25, "compression_ratio": 1.1, "no_speech_prob": 0.01, \
"words": [{"word": " hello", "start": 0.5, "end": 0.75, "probability": 0.98}, \
{"word": " wörld.", "start": 0.75, "end": 1.05, "probability": 0.5}]},
{"id": 1, "seek": 0, "start": 2.0, "end": 3.5, "text": " how are you", "tokens": []}
], "language": "en"}
"""
WHISPERX = """\
{"segments": [
{"start": 0.5, "end": 1.05, "text": " hello wörld.", "speaker": "SPEAKER_00", \
"words": [{"word": "hello", "start": 0.5, "end": 0.75, "score": 0.98, "speaker": "SPEAKER_00"}, \
{"word": "wörld.", "start": 0.75, "end": 1.05, "score": 0.5, "speaker": "SPEAKER_00"}]},
{"start": 2.0, "end": 3.5, "text": " how are you", "words": []}
], "word_segments": [\
{"word": "hello", "start": 0.5, "end": 0.75, "score": 0.98, "speaker": "SPEAKER_00"}, \
{"word": "wörld.", "start": 0.75, "end": 1.05, "score": 0.5, "speaker": "SPEAKER_00"}], \
"language": "en"}
"""
WHISPERCPP = """\
{
  "systeminfo": "AVX = 1", "model": {"type": "base"}, "params": {"language": "auto"},
  "result": {"language": "en"},
  "transcription": [
    {"timestamps": {"from": "00:00:00,500", "to": "00:00:01,050"}, "offsets": {"from": 500, "to": 1050},
     "text": " hello wörld.", "tokens": [
      {"text": "[_BEG_]", "offsets": {"from": 500, "to": 500}, "id": 50364, "p": 0.9, "t_dtw": -1},
      {"text": " hello", "offsets": {"from": 500, "to": 750}, "id": 1, "p": 0.98, "t_dtw": -1},
      {"text": " wör", "offsets": {"from": 750, "to": 900}, "id": 2, "p": 0.75, "t_dtw": -1},
      {"text": "ld", "offsets": {"from": 900, "to": 1000}, "id": 3, "p": 0.5, "t_dtw": -1},
      {"text": ".", "offsets": {"from": 1000, "to": 1050}, "id": 4, "p": 0.25, "t_dtw": -1}]},
    {"timestamps": {"from": "00:00:02,000", "to": "00:00:03,500"}, "text": " how are you"}
  ]
}
"""
WHISPER_HF = """\
{"text": " hello wörld. how are you", "chunks": [
 {"text": " hello wörld.", "timestamp": [0.5, 1.05]}, {"text": " how are you", "timestamp": [2.0, null]}]}
"""
HELLO, PHRASE = ("hello", "wörld"), ("how", "are", "you")


def whisper_utterance(number: int, word: str, sureness: str) -> str:
    """A segment with times of its words, as Whisper and WhisperX write it."""
    words = words_together(
        number, lambda i: f'{{"word": "{word}", "start": {i}.25, "end": {i}.5, "{sureness}": 0.5}}'
    )
    times = f'"start": {number * TOGETHER}, "end": {(number + 1) * TOGETHER}'
    return f'{{{times}, "text": " {HELLOS}", "words": [{words}]}},\n'


CASES = [
    Case(
        "bbc-kaldi", BBC_KALDI, [HELLO], suffix=".json", empty='{"metadata": {}, "text": "", '
        '"punct": "", "words": [\n]}\n', odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"metadata": {}, "words": [',
        line=lambda n: f'{{"word": "w{n % 9}", "start": {n}.25, "end": {n}.75, "punct": "W"}},\n',
        after='{"word": "end"}]}', segments=1,
    ),
    Case(
        "vosk", VOSK, [HELLO, PHRASE, ("good",)], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        line=lambda n: f'{{"result": [{{"word": "w", "start": {n}.25, "end": {n}.75}}], '
        '"text": "w"}\n',
        utterance=lambda n: '{"result": ['
        + words_together(n, lambda i: f'{{"conf": 1.0, "word": "hello", "start": {i}.25, "end": {i}.75}}')
        + f'], "text": "{HELLOS}"}}\n',
        segments=100_000,
    ),
    Case(
        "kaldi-gstreamer", KALDI_GSTREAMER, [HELLO], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        line=lambda n: f'{{"status": 0, "segment": {n}, "result": {{"hypotheses": [{{"transcript": '
        f'"hello"}}], "final": true}}, "segment-start": {n}, "segment-length": 0.5}}\n',
        segments=100_000,
    ),
    Case(
        "offline-transcriber", OFFLINE_TRANSCRIBER, [("non-speech",), HELLO], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"sections": [{"type": "speech", "turns": [',
        line=lambda n: f'{{"speaker": "S1", "start": {n}, "end": {n}.5, "transcript": "hello"}},\n',
        after='{"transcript": "end"}]}]}', segments=100_001,
    ),
    Case(
        "whisper", WHISPER, [("hello", "wörld."), PHRASE], suffix=".json",
        empty='{"text": "", "segments": [\n]}\n',
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"text": "", "segments": [',
        line=lambda n: f'{{"id": {n}, "start": {n}, "end": {n}.5, "text": " word {n}"}},\n',
        utterance=lambda n: whisper_utterance(n, " hello", "probability"),
        after='{"start": 1000000, "end": 1000000.5, "text": " end"}]}', segments=100_001,
    ),
    Case(
        "whisperx", WHISPERX, [("hello", "wörld."), PHRASE], suffix=".json",
        empty='{"segments": [\n], "word_segments": []}\n',
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"segments": [',
        line=lambda n: f'{{"start": {n}, "end": {n}.5, "words": [{{"word": "hello", "score": 1}}]}},\n',
        utterance=lambda n: whisper_utterance(n, "hello", "score"),
        after='{"start": 1000000, "end": 1000000.5, "text": " end"}]}', segments=100_001,
    ),
    Case(
        "whispercpp", WHISPERCPP, [("hello", "wörld."), PHRASE], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"transcription": [',
        line=lambda n: f'{{"offsets": {{"from": {n + 1}000, "to": {n + 1}500}}, "text": " word {n}"}},\n',
        after='{"text": " end"}]}', segments=100_001,
    ),
    Case(
        "whisper-hf", WHISPER_HF, [("hello", "wörld."), PHRASE], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"text": "", "chunks": [',
        line=lambda n: f'{{"text": " a word", "timestamp": [{n}, {n}.5]}},\n',
        after='{"text": " end", "timestamp": [1000000, null]}]}', segments=100_001,
    ),
]  # fmt: skip

JSON_WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\n\v\f\r\0"), min_size=1, max_size=6
)
CONFIDENCES = st.none() | st.floats(allow_nan=False, allow_infinity=False)


def tokens(displays: bool = False, confident: bool = True) -> st.SearchStrategy[list[Token]]:
    def at(start: int, length: int, text: str, sure: float | None, display: str | None) -> Token:
        shown = None if not displays or display == text else display
        return Token(text, start, start + length, sure, display=shown)

    sure = CONFIDENCES if confident else st.none()
    one = st.builds(at, MILLISECONDS, MILLISECONDS, JSON_WORDS, sure, st.none() | JSON_WORDS)
    return st.lists(one, min_size=1, max_size=5)


UNTIMED = st.lists(JSON_WORDS.map(Token), min_size=1, max_size=5)


def bbc_segments() -> st.SearchStrategy[list[Segment]]:
    whole = tokens(displays=True).map(lambda items: [Segment.from_items("rec", items)])
    return st.just([]) | whole


def timed_segments(items: list[Token], **more: Any) -> Segment:
    """A segment that is as long as its words."""
    starts = [t.start_ns for t in items if t.start_ns is not None]
    ends = [t.end_ns for t in items if t.end_ns is not None]
    extent = {"start_ns": min(starts, default=None), "end_ns": max(ends, default=None)}
    return Segment.from_items("rec", items, **extent, **more)


def vosk_segments() -> st.SearchStrategy[list[Segment]]:
    hypothesis = st.tuples(CONFIDENCES, st.lists(JSON_WORDS, min_size=1, max_size=3).map(tuple))

    def build(
        items: list[Token],
        confidence: float | None,
        others: list[tuple[float | None, tuple[str, ...]]],
    ) -> Segment:
        return timed_segments(items, confidence=confidence, nbest=tuple(others))

    segment = st.builds(build, tokens() | UNTIMED, CONFIDENCES, st.lists(hypothesis, max_size=2))
    return st.lists(segment, max_size=4)


def whisper_segments(
    speakers: bool, properties: tuple[str, ...]
) -> st.SearchStrategy[list[Segment]]:
    def build(
        start: int, length: int, items: list[Token], speaker: str | None, numbers: list[float]
    ) -> Segment:
        stated = {n: str(x) for n, x in zip(properties, numbers, strict=False)}
        return Segment.from_items(
            "rec", items, start_ns=start, end_ns=start + length,
            speaker=speaker if speakers else None, properties=tuple(sorted(stated.items())),
        )  # fmt: skip

    def distinct(segments: list[Segment]) -> list[Segment]:
        return [s for n, s in enumerate(segments) if not n or s.words != segments[n - 1].words]

    segment = st.builds(
        build, MILLISECONDS, MILLISECONDS, tokens() | UNTIMED | st.just([]),
        st.none() | JSON_WORDS, st.lists(st.integers(-200, 200).map(lambda n: n / 100), max_size=4),
    )  # fmt: skip
    return st.lists(segment, max_size=4).map(distinct)


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "bbc-kaldi": bbc_segments(),
    "vosk": vosk_segments(),
    "whisper": whisper_segments(
        False, ("avg_logprob", "compression_ratio", "no_speech_prob", "temperature")
    ),
    "whisperx": whisper_segments(True, ("avg_logprob",)),
}

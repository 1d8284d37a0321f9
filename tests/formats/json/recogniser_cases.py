"""JSON of open recognisers for the contract suite."""

from hypothesis import strategies as st

from formats import Segment, Token
from tests.formats.case import (
    HELLOS,
    MILLISECONDS,
    ODD_WORD,
    TOGETHER,
    json_case,
    sample,
    words_together,
)

BBC_KALDI = sample("bbc-kaldi.txt")
VOSK = sample("vosk.txt")
KALDI_GSTREAMER = sample("kaldi-gstreamer.txt")
OFFLINE_TRANSCRIBER = sample("offline-transcriber.txt")
WHISPER = sample("whisper.txt")
WHISPERX = sample("whisperx.txt")
WHISPERCPP = sample("whispercpp.txt")
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


CAPCUT = (
    '{"materials": {"texts": [{"id": "t1", "content": "{\\"text\\": \\"hello wörld\\"}"}, '
    '{"id": "t2", "content": "<size=5>[how are you]</size>"}]}, "tracks": [{"type": "text", "segments": ['
    '{"material_id": "t1", "target_timerange": {"start": 500000, "duration": 1750000}}, '
    '{"material_id": "t2", "target_timerange": {"start": 2500000, "duration": 1000000}}]}]}'
)
CASES = [
    json_case(
        "threeplay",
        '{"words": [["500", "ANNE: hello"], ["900", "wörld"], ["2250", ""], ["2500", "how"], '
        '["3000", "are"], ["3500", ""]], "paragraphs": [500, 2500], "speakers": {"500": "ANNE"}}',
        [("hello", "wörld"), ("how", "are")],
        before='{"words": [', after='["900000000", ""]], "paragraphs": [], "speakers": {}}',
        line=lambda n: f'["{n * 1000}", "hello"],\n', segments=1,
    ),
    json_case(
        "capcut", CAPCUT, [("hello", "wörld"), ("how", "are", "you")],
        odd_word=ODD_WORD.replace("\x1c", "\\\\u001c"),
    ),
    json_case(
        "bbc-kaldi", BBC_KALDI, [HELLO],
        before='{"metadata": {}, "words": [',
        line=lambda n: f'{{"word": "w{n % 9}", "start": {n}.25, "end": {n}.75, "punct": "W"}},\n',
        after='{"word": "end"}]}', segments=1,
    ),
    json_case(
        "vosk", VOSK, [HELLO, PHRASE, ("good",)],
        line=lambda n: f'{{"result": [{{"word": "w", "start": {n}.25, "end": {n}.75}}], '
        '"text": "w"}\n',
        utterance=lambda n: '{"result": ['
        + words_together(n, lambda i: f'{{"conf": 1.0, "word": "hello", "start": {i}.25, "end": {i}.75}}')
        + f'], "text": "{HELLOS}"}}\n',
    ),
    json_case(
        "kaldi-gstreamer", KALDI_GSTREAMER, [HELLO],
        line=lambda n: f'{{"status": 0, "segment": {n}, "result": {{"hypotheses": [{{"transcript": '
        f'"hello"}}], "final": true}}, "segment-start": {n}, "segment-length": 0.5}}\n',
    ),
    json_case(
        "offline-transcriber", OFFLINE_TRANSCRIBER, [("non-speech",), HELLO],
        before='{"sections": [{"type": "speech", "turns": [',
        line=lambda n: f'{{"speaker": "S1", "start": {n}, "end": {n}.5, "transcript": "hello"}},\n',
        after='{"transcript": "end"}]}]}', segments=100_001,
    ),
    json_case(
        "whisper", WHISPER, [("hello", "wörld."), PHRASE],
        empty='{"text": "", "segments": [\n]}\n',
        before='{"text": "", "segments": [',
        line=lambda n: f'{{"id": {n}, "start": {n}, "end": {n}.5, "text": " word {n}"}},\n',
        utterance=lambda n: whisper_utterance(n, " hello", "probability"),
        after='{"start": 1000000, "end": 1000000.5, "text": " end"}]}', segments=100_001,
    ),
    json_case(
        "whisperx", WHISPERX, [("hello", "wörld."), PHRASE],
        empty='{"segments": [\n], "word_segments": []}\n',
        before='{"segments": [',
        line=lambda n: f'{{"start": {n}, "end": {n}.5, "words": [{{"word": "hello", "score": 1}}]}},\n',
        utterance=lambda n: whisper_utterance(n, "hello", "score"),
        after='{"start": 1000000, "end": 1000000.5, "text": " end"}]}', segments=100_001,
    ),
    json_case(
        "whispercpp", WHISPERCPP, [("hello", "wörld."), PHRASE],
        before='{"transcription": [',
        line=lambda n: f'{{"offsets": {{"from": {n + 1}000, "to": {n + 1}500}}, "text": " word {n}"}},\n',
        after='{"text": " end"}]}', segments=100_001,
    ),
    json_case(
        "whisper-hf", WHISPER_HF, [("hello", "wörld."), PHRASE],
        before='{"text": "", "chunks": [',
        line=lambda n: f'{{"text": " a word", "timestamp": [{n}, {n}.5]}},\n',
        after='{"text": " end", "timestamp": [1000000, null]}]}', segments=100_001,
    ),
]  # fmt: skip

JSON_WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\n\v\f\r\0"), min_size=1, max_size=6
)
CONFIDENCES = st.none() | st.floats(allow_nan=False, allow_infinity=False)


def tokens(displays: bool = False) -> st.SearchStrategy[list[Token]]:
    def at(start: int, length: int, text: str, sure: float | None, display: str | None) -> Token:
        shown = None if not displays or display == text else display
        return Token(text, start, start + length, sure, display=shown)

    display = st.none() | JSON_WORDS
    one = st.builds(at, MILLISECONDS, MILLISECONDS, JSON_WORDS, CONFIDENCES, display)
    return st.lists(one, min_size=1, max_size=5)


UNTIMED = st.lists(JSON_WORDS.map(Token), min_size=1, max_size=5)


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
    "whisper": whisper_segments(
        False, ("avg_logprob", "compression_ratio", "no_speech_prob", "temperature")
    ),
    "whisperx": whisper_segments(True, ("avg_logprob",)),
}

"""JSON of aligners, small recognisers and editors of transcripts for the contract suite."""

from __future__ import annotations

from hypothesis import strategies as st

from formats import Segment
from tests.formats.case import HELLOS, ODD_WORD, TOGETHER, Case, words_together
from tests.formats.json.recogniser_cases import (
    JSON_WORDS,
    ODD_JSON_WORD,
    SIGNS,
    UNTIMED,
    timed_segments,
    tokens,
)

GENTLE = """\
{"transcript": "hello wörld\\nhow are you", "words": [
{"case": "success", "word": "hello", "start": 0.5, "end": 0.75, "startOffset": 0, "endOffset": 5, "alignedWord": "hello"},
{"case": "success", "word": "wörld", "start": 0.75, "end": 1.05, "startOffset": 6, "endOffset": 11, "alignedWord": "wörld"},
{"case": "not-found-in-audio", "word": "how", "startOffset": 12, "endOffset": 15},
{"case": "not-found-in-audio", "word": "are", "startOffset": 16, "endOffset": 19},
{"case": "not-found-in-audio", "word": "you", "startOffset": 20, "endOffset": 23}]}
"""
DEEPSPEECH = """\
{"transcripts": [
 {"confidence": -14.5, "words": [{"word": "hello", "start_time": 0.5, "duration": 0.25},
  {"word": "wörld", "start_time": 0.75, "duration": 0.3}]},
 {"confidence": -15.25, "words": [{"word": "yellow", "start_time": 0.5, "duration": 0.25}]}]}
"""
POCKETSPHINX = """\
{"b":0.500,"d":0.550,"p":0.900,"t":"hello wörld","w":[{"b":0.500,"d":0.250,"p":0.950,"t":"hello"},\
{"b":0.750,"d":0.300,"p":0.800,"t":"wörld(2)"},{"b":1.050,"d":0.000,"p":1.000,"t":"</s>"}]}
{"b":2.000,"d":1.000,"p":0.900,"t":"how are you"}
"""
MATCHSEG = """\
s/rec-a S 0 T -1500 A -1000 L -500 0 -70 0 <s> 34 -300 -472 hello 97 -200 -472 wörld(2) 119 -45 -4 </s> 128
s/rec-b S 0 T -1500 A -1000 L -500 0 -70 0 good 34
"""
AUTOEDIT = """\
[{"id": 0, "speaker": "anne", "paragraph": [{"line": [
  {"id": 0, "text": "hello", "startTime": 0.5, "endTime": 0.75},
  {"id": 1, "text": "wörld.", "startTime": 0.75, "endTime": 1.0499999999999998}]}]},
 {"id": 1, "speaker": "Unnamed Speaker", "paragraph": [{"line": [{"id": 2, "text": "good", "startTime": 2, "endTime": 2.5}]}]}]
"""
PAPER_EDIT = """\
{"words": [{"id": 0, "start": 0.5, "end": 0.75, "text": "hello"}, {"id": 1, "start": 0.75, "end": 1.05, "text": "wörld."},
  {"id": 2, "start": 2, "end": 2.5, "text": "good"}],
 "paragraphs": [{"id": 0, "start": 0.5, "end": 1.05, "speaker": "anne"}, {"id": 1, "start": 2, "end": 2.5, "speaker": "bob"}]}
"""
GLADIA = """\
{"id": "7b01", "status": "done", "error_code": null, "result": {
 "metadata": {"audio_duration": 2.5},
 "transcription": {"languages": ["en"], "utterances": [
  {"text": "hello wörld.", "language": "en", "start": 0.5, "end": 1.05, "confidence": 0.9, "channel": 0, "speaker": 1,
   "words": [{"word": "hello", "start": 0.5, "end": 0.75, "confidence": 0.95},
    {"word": " wörld.", "start": 0.75, "end": 1.05, "confidence": 0.85}]},
  {"text": "good", "language": "en", "start": 2, "end": 2.5, "channel": 0, "words": []}]}}}
"""
ANY_LIST = """\
{"title": "talk", "cues": [
 {"from": 0.5, "to": 1.05, "person": "x", "speaker": "anne", "body": "hello wörld"},
 {"from": 2.0, "to": 2.5, "body": "good"}]}
"""
TRANSCRIBEE = """\
{"version": 2, "children": [
 {"type": "paragraph", "lang": "en", "speaker": "1", "children": [
  {"text": "hello", "start": 0.5, "end": 0.75, "conf": 0.9, "conf_ts": 0.1},
  {"text": " wör", "start": 0.75, "end": 0.9, "conf": 0.5}, {"text": "ld", "start": 0.9, "end": 1.05, "conf": 0.7}]},
 {"type": "paragraph", "lang": "en", "speaker": null, "children": [{"text": " good", "start": 2, "end": 2.5, "conf": 1.0}]}],
 "speaker_names": {"1": "anne"}}
"""
OTRANSCRIBE = """\
{"text": "<p><span class=\\"timestamp\\" data-timestamp=\\"0.5\\">0:00:00</span>&nbsp;<b>anne</b>: hello wörld \
<span class=\\"timestamp\\" data-timestamp=\\"1.25\\">0:00:01</span></p>\\n\
<p><span class=\\"timestamp\\" data-timestamp=\\"2\\">0:00:02</span>&nbsp;good \
<span class=\\"timestamp\\" data-timestamp=\\"2.5\\">0:00:02</span></p>", "media": "rec1.wav", "media-time": 0}
"""
LABEL_STUDIO = """\
[{"id": 1, "data": {"audio": "rec1.wav"}, "predictions": [{"result": [
{"id": "region-1", "to_name": "audio", "from_name": "labels", "type": "labels", \
"value": {"start": 0.5, "end": 1.25, "labels": ["anne"]}},
{"id": "region-1", "to_name": "audio", "from_name": "transcription", "type": "textarea", \
"value": {"start": 0.5, "end": 1.25, "text": ["hello wörld"]}},
{"id": "region-2", "to_name": "audio", "from_name": "transcription", "type": "textarea", \
"value": {"start": 2.0, "end": 2.5, "text": ["good"]}}]}]}]
"""
VIA = """\
{"project": {"pid": "x"}, "attribute": {"1": {"aname": "text", "type": 1}, "2": {"aname": "speaker", "type": 4,
  "options": {"0": "anne", "1": "bob"}}}, "file": {"1": {"fid": "1", "fname": "rec1.wav", "type": 4}},
 "metadata": {"1_a": {"vid": "1", "flg": 0, "z": [2, 2.5], "xy": [], "av": {"1": "good", "2": "1"}},
  "1_b": {"vid": "1", "flg": 0, "z": [0.5, 1.05], "xy": [], "av": {"1": "hello wörld", "2": "0"}}},
 "view": {"1": {"fid_list": ["1"]}}}
"""
HELLO, MARKED = ("hello", "wörld"), ("hello", "wörld.")

CASES = [
    Case(
        "gentle", GENTLE, [HELLO, ("how", "are", "you")], suffix=".json",
        empty='{"transcript": "", "words": [\n]}\n',
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"transcript": "", "words": [',
        line=lambda n: f'{{"case": "success", "word": "hello", "start": {n}, "end": {n}.5}},\n',
        after='{"case": "not-found-in-audio", "word": "end"}]}', segments=1,
    ),
    Case(
        "otranscribe", OTRANSCRIBE, [HELLO, ("good",)], suffix=".otr",
        empty='{"text": "", "media": "", "media-time": 0}\n', signs=SIGNS,
        odd_word=ODD_JSON_WORD.replace("\xa0", ""), odd_word_read=ODD_WORD.replace("\xa0", ""),
        before='{"text": "', line=lambda n: f'<p><span class=\\"timestamp\\" data-timestamp=\\"{n}\\">0:01</span>&nbsp;hello {n}</p>\\n',
        after='", "media": "rec.wav", "media-time": 0}', segments=100_000,
    ),
    Case(
        "label-studio", LABEL_STUDIO, [HELLO, ("good",)], suffix=".json", empty="[]\n",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        read_options={"predictions": True},
        before='[{"data": {"audio": "rec.wav"}, "annotations": [{"result": [',
        line=lambda n: f'{{"id": "{n}", "value": {{"start": {n}, "end": {n}.5, "text": "hello"}}}},\n',
        after='{"id": "x", "value": {"text": "end"}}]}]}]', segments=100_001,
    ),
    Case(
        "via", VIA, [HELLO, ("good",)], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"attribute": {"1": {"aname": "t"}}, "file": {"1": {"fname": "a.wav"}}, '
        '"view": {"1": {"fid_list": [1]}}, "metadata": {',
        line=lambda n: f'"{n}": {{"vid": 1, "z": [{n}, {n}.5], "av": {{"1": "hello"}}}},\n',
        after='"x": {"vid": 1, "z": [], "av": {}}}}', segments=100_000,
    ),
    Case(
        "deepspeech", DEEPSPEECH, [HELLO], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        line=lambda n: f'{{"transcripts": [{{"confidence": -1, "words": [{{"word": "hello", '
        f'"start_time": {n}, "duration": 0.5}}]}}]}}\n',
        utterance=lambda n: '{"transcripts": [{"confidence": -1, "words": ['
        + words_together(n, lambda i: f'{{"word": "hello", "start_time": {i}, "duration": 0.5}}') + "]}]}\n",
        segments=100_000,
    ),
    Case(
        "pocketsphinx", POCKETSPHINX, [HELLO, ("how", "are", "you")], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        line=lambda n: f'{{"b":{n},"d":0.5,"p":0.9,"t":"hello","w":[{{"b":{n},"d":0.5,"p":0.9,'
        '"t":"hello"}]}\n',
        utterance=lambda n: f'{{"b":{n * TOGETHER},"d":9.5,"p":0.9,"t":"{HELLOS}","w":['
        + words_together(n, lambda i: f'{{"b":{i},"d":0.5,"p":0.9,"t":"hello"}}') + "]}\n",
        segments=100_000,
    ),
    Case(
        "matchseg", MATCHSEG, [HELLO, ("good",)],
        line=lambda n: f"rec-{n} S 0 T -1 A -1 L -1 0 -7 0 hello 34\n", segments=100_000,
        utterance=lambda n: f"rec-{n} S 0 T -1 A -1 L -1 "
        + words_together(0, lambda i: f"{i * 7} -7 0 hello", " ") + f" {TOGETHER * 7}\n",
        objects_kept=60_000,
    ),
    Case(
        "autoedit", AUTOEDIT, [MARKED, ("good",)], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='[{"paragraph": [{"line": [',
        line=lambda n: f'{{"text": "hello", "startTime": {n}, "endTime": {n}.5}},\n',
        utterance=lambda n: words_together(n, lambda i: f'{{"text": "hello", "startTime": {i}, "endTime": {i}.5}}')
        + ']}]}, {"paragraph": [{"line": [\n',
        after='{"text": "end"}]}]}]', segments=1,
    ),
    Case(
        "gladia", GLADIA, [MARKED, ("good",)], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"result": {"transcription": {"utterances": [',
        line=lambda n: f'{{"start": {n}, "end": {n}.5, "words": [{{"word": "hello", "start": {n}, "end": {n}.5}}]}},\n',
        utterance=lambda n: '{"words": ['
        + words_together(n, lambda i: f'{{"word": "hello", "start": {i}, "end": {i}.5}}') + "]},\n",
        after='{"text": "end"}]}}}', segments=100_001,
    ),
    Case(
        "json", ANY_LIST, [("hello", "wörld"), ("good",)], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"cues": [', line=lambda n: f'{{"from": {n}, "to": {n}.5, "body": "hello"}},\n',
        after='{"from": 1000000, "body": "end"}]}', segments=100_001,
    ),
    Case(
        "digital-paper-edit", PAPER_EDIT, [MARKED, ("good",)], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"words": [', line=lambda n: f'{{"text": "hello", "start": {n}, "end": {n}.5}},\n',
        after='{"text": "end"}], "paragraphs": [{"start": 0, "end": 1000000}]}', segments=1,
    ),
    Case(
        "transcribee", TRANSCRIBEE, [HELLO, ("good",)], suffix=".json",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=SIGNS,
        before='{"children": [',
        line=lambda n: '{"type": "paragraph", "children": [{"text": " hello", '
        f'"start": {n}, "end": {n}.5}}]}},\n',
        utterance=lambda n: '{"type": "paragraph", "children": ['
        + words_together(n, lambda i: f'{{"text": " hello", "start": {i}, "end": {i}.5}}') + "]},\n",
        after='{"children": [{"text": " end"}]}]}', segments=100_001,
    ),
]  # fmt: skip


def ordered_segments(words: st.SearchStrategy[str]) -> st.SearchStrategy[list[Segment]]:
    """Segments with times, one after the other, with and without speakers."""

    def build(parts: list[tuple[int, int, list[str], str | None]]) -> list[Segment]:
        made, time = [], 0
        for gap, length, said, speaker in parts:
            start, time = time + gap * 10**6, time + (gap + length) * 10**6
            made.append(Segment("rec", tuple(said), start_ns=start, end_ns=time, speaker=speaker))
        return made

    steps = st.integers(0, 9000)
    said = st.lists(words, min_size=1, max_size=4)
    return st.lists(st.tuples(steps, steps, said, st.none() | words), max_size=4).map(build)


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "otranscribe": ordered_segments(JSON_WORDS.filter(lambda word: "\xa0" not in word)),
    "label-studio": ordered_segments(JSON_WORDS),
    "gentle": st.lists((tokens(confident=False) | UNTIMED).map(timed_segments), max_size=4),
}

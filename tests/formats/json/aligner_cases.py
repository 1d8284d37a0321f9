"""JSON of aligners, small recognisers and editors of transcripts for the contract suite."""

from hypothesis import strategies as st

from formats import Segment
from tests.formats.case import (
    HELLOS,
    ODD_JSON_WORD,
    ODD_WORD,
    TOGETHER,
    Case,
    json_case,
    sample,
    words_together,
)
from tests.formats.json.recogniser_cases import JSON_WORDS

GENTLE = sample("gentle.txt")
DEEPSPEECH = sample("deepspeech.txt")
POCKETSPHINX = sample("pocketsphinx.txt")
MATCHSEG = """\
s/rec-a S 0 T -1500 A -1000 L -500 0 -70 0 <s> 34 -300 -472 hello 97 -200 -472 wörld(2) 119 -45 -4 </s> 128
s/rec-b S 0 T -1500 A -1000 L -500 0 -70 0 good 34
"""
AUTOEDIT = sample("autoedit.txt")
PAPER_EDIT = sample("paper-edit.txt")
GLADIA = sample("gladia.txt")
ANY_LIST = sample("any-list.txt")
TRANSCRIBEE = sample("transcribee.txt")
OTRANSCRIBE = sample("otranscribe.txt")
LABEL_STUDIO = sample("label-studio.txt")
VIA = sample("via.txt")
HELLO, MARKED = ("hello", "wörld"), ("hello", "wörld.")

CASES = [
    json_case(
        "gentle", GENTLE, [HELLO, ("how", "are", "you")],
        before='{"transcript": "", "words": [',
        line=lambda n: f'{{"case": "success", "word": "hello", "start": {n}, "end": {n}.5}},\n',
        after='{"case": "not-found-in-audio", "word": "end"}]}', segments=1,
    ),
    Case(
        "otranscribe", OTRANSCRIBE, [HELLO, ("good",)], suffix=".otr",
        empty='{"text": "", "media": "", "media-time": 0}\n',
        odd_word=ODD_JSON_WORD.replace("\xa0", ""), odd_word_read=ODD_WORD.replace("\xa0", ""),
        before='{"text": "', line=lambda n: f'<p><span class=\\"timestamp\\" data-timestamp=\\"{n}\\">0:01</span>&nbsp;hello {n}</p>\\n',
        after='", "media": "rec.wav", "media-time": 0}',
    ),
    json_case(
        "label-studio", LABEL_STUDIO, [HELLO, ("good",)], empty="[]\n",
        read_options={"predictions": True},
        before='[{"data": {"audio": "rec.wav"}, "annotations": [{"result": [',
        line=lambda n: f'{{"id": "{n}", "value": {{"start": {n}, "end": {n}.5, "text": "hello"}}}},\n',
        after='{"id": "x", "value": {"text": "end"}}]}]}]', segments=100_001,
    ),
    json_case(
        "via", VIA, [HELLO, ("good",)],
        before='{"attribute": {"1": {"aname": "t"}}, "file": {"1": {"fname": "a.wav"}}, '
        '"view": {"1": {"fid_list": [1]}}, "metadata": {',
        line=lambda n: f'"{n}": {{"vid": 1, "z": [{n}, {n}.5], "av": {{"1": "hello"}}}},\n',
        after='"x": {"vid": 1, "z": [], "av": {}}}}',
    ),
    json_case(
        "deepspeech", DEEPSPEECH, [HELLO],
        line=lambda n: f'{{"transcripts": [{{"confidence": -1, "words": [{{"word": "hello", '
        f'"start_time": {n}, "duration": 0.5}}]}}]}}\n',
        utterance=lambda n: '{"transcripts": [{"confidence": -1, "words": ['
        + words_together(n, lambda i: f'{{"word": "hello", "start_time": {i}, "duration": 0.5}}') + "]}]}\n",
    ),
    json_case(
        "pocketsphinx", POCKETSPHINX, [HELLO, ("how", "are", "you")],
        line=lambda n: f'{{"b":{n},"d":0.5,"p":0.9,"t":"hello","w":[{{"b":{n},"d":0.5,"p":0.9,'
        '"t":"hello"}]}\n',
        utterance=lambda n: f'{{"b":{n * TOGETHER},"d":9.5,"p":0.9,"t":"{HELLOS}","w":['
        + words_together(n, lambda i: f'{{"b":{i},"d":0.5,"p":0.9,"t":"hello"}}') + "]}\n",
    ),
    Case(
        "matchseg", MATCHSEG, [HELLO, ("good",)],
        line=lambda n: f"rec-{n} S 0 T -1 A -1 L -1 0 -7 0 hello 34\n",
        utterance=lambda n: f"rec-{n} S 0 T -1 A -1 L -1 "
        + words_together(0, lambda i: f"{i * 7} -7 0 hello", " ") + f" {TOGETHER * 7}\n",
        objects_kept=60_000,
    ),
    json_case(
        "autoedit", AUTOEDIT, [MARKED, ("good",)],
        before='[{"paragraph": [{"line": [',
        line=lambda n: f'{{"text": "hello", "startTime": {n}, "endTime": {n}.5}},\n',
        utterance=lambda n: words_together(n, lambda i: f'{{"text": "hello", "startTime": {i}, "endTime": {i}.5}}')
        + ']}]}, {"paragraph": [{"line": [\n',
        after='{"text": "end"}]}]}]', segments=1,
    ),
    json_case(
        "gladia", GLADIA, [MARKED, ("good",)],
        before='{"result": {"transcription": {"utterances": [',
        line=lambda n: f'{{"start": {n}, "end": {n}.5, "words": [{{"word": "hello", "start": {n}, "end": {n}.5}}]}},\n',
        utterance=lambda n: '{"words": ['
        + words_together(n, lambda i: f'{{"word": "hello", "start": {i}, "end": {i}.5}}') + "]},\n",
        after='{"text": "end"}]}}}', segments=100_001,
    ),
    json_case(
        "json", ANY_LIST, [("hello", "wörld"), ("good",)],
        before='{"cues": [', line=lambda n: f'{{"from": {n}, "to": {n}.5, "body": "hello"}},\n',
        after='{"from": 1000000, "body": "end"}]}', segments=100_001,
    ),
    json_case(
        "digital-paper-edit", PAPER_EDIT, [MARKED, ("good",)],
        before='{"words": [', line=lambda n: f'{{"text": "hello", "start": {n}, "end": {n}.5}},\n',
        after='{"text": "end"}], "paragraphs": [{"start": 0, "end": 1000000}]}', segments=1,
    ),
    json_case(
        "transcribee", TRANSCRIBEE, [HELLO, ("good",)],
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
}

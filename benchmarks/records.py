"""Benchmark of readers: processor seconds and peak memory for a million records of each format.

    python benchmarks/records.py [--records 1000000] [FORMAT …]
    python benchmarks/records.py --peers [FORMAT …]

For each format (default: all), the program writes a file of `--records` lines, words, cues,
intervals or results. It reads the file segment by segment in a separate process with the settings
of the command `formats`. It prints processor seconds, elapsed seconds and peak resident memory,
including the start of the process. The bound is ten seconds of processor time. Readers hold the
whole file in memory if it is a single JSON value, or if its records must be sorted first.

With `--peers`, the program prints the seconds of both readers in `benchmarks.reading`, and the
ratio.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.processes import ROOT, sample
from benchmarks.reading import YARDSTICKS

MOST_SECONDS = 10
READ = """
import gc, sys
sys.path.insert(0, sys.argv[1])
import formats
from formats.console.process import RARELY
gc.set_threshold(*RARELY)
options = {"fps": "25"} if sys.argv[3] == "microdvd" else {}
options = {"rate": 16000} if sys.argv[3] == "timit" else options
with formats.stream(sys.argv[2], sys.argv[3], recording="talk", **options) as segments:
    for _ in segments:
        pass
"""


class Shape(NamedTuple):
    """The form of a file: the texts around and between records, and a function.

    The function returns the record with a given number.
    """

    record: Callable[[int], str]
    before: str = ""
    after: str = ""
    between: str = ""
    """What stands between two records: JSON's comma."""


def _clock(number: int, point: str = ".", digits: int = 3) -> str:
    minutes, seconds = divmod(number, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}{point}{250:03d}"[: 9 + digits]


def _cue(number: int, point: str, text: str) -> str:
    return f"{_clock(number, point)} --> {_clock(number + 1, point)}\n{text}\n\n"


def _json(before: str, record: Callable[[int], str], after: str) -> Shape:
    return Shape(record, before + "\n", "\n" + after + "\n", ",\n")


TIER = "<ANNOTATION><ALIGNABLE_ANNOTATION"
EAF_SLOTS = "".join(
    f'<TIME_SLOT TIME_SLOT_ID="ts{n}" TIME_VALUE="{n * 250}"/>\n' for n in range(1001)
)
KW = "<detected_kwlist kwid='KW-1' search_time='1' oov_count='0'>"

SHAPES: dict[str, Shape] = {
    "trn": Shape(lambda n: f"hello world number {n} (spk{n % 9}-{n:07d})\n"),
    "txt": Shape(lambda n: f"hello world number {n % 9}\n"),
    "txt-lines": Shape(lambda n: f"hello world number {n}\n"),
    "stm": Shape(lambda n: f"rec1 1 spk{n % 9} {n}.25 {n}.75 <o,f0> hello world number {n}\n"),
    "ctm": Shape(lambda n: f"rec{n // 5000:05d} 1 {n % 5000}.25 0.50 hello{n % 999} 0.98\n"),
    "rttm": Shape(
        lambda n: f"LEXEME rec{n // 5000:05d} 1 {n % 5000}.25 0.50 hello lex anne 0.5 <NA>\n"
    ),
    "uem": Shape(lambda n: f"rec{n:07d} 1 0.25 {n}.75\n"),
    "kaldi": Shape(lambda n: f"spk{n // 100:05d}-utt{n:07d} hello world number {n}\n"),
    "kaldi-segments": Shape(lambda n: f"utt{n:07d} rec {n}.25 {n}.75\n"),
    "textgrid": Shape(
        lambda n: f'{n}.25\n{n + 1}.25\n"hello{n % 999}"\n',
        '"ooTextFile"\n"TextGrid"\n0\n{size}.25\n<exists>\n1\n"IntervalTier"\n"anne"\n0\n'
        '{size}.25\n{more}\n0\n0.25\n""\n',
    ),
    "eaf": Shape(
        lambda n: (
            f'{TIER} ANNOTATION_ID="a{n}" TIME_SLOT_REF1="ts{n % 1000}" '
            f'TIME_SLOT_REF2="ts{n % 1000 + 1}"><ANNOTATION_VALUE>hello world {n}'
            "</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>\n"
        ),
        f'<ANNOTATION_DOCUMENT><TIME_ORDER>\n{EAF_SLOTS}</TIME_ORDER>\n<TIER TIER_ID="anne">\n',
        "</TIER></ANNOTATION_DOCUMENT>\n",
    ),
    "trs": Shape(
        lambda n: (
            f'<Turn startTime="{n}.25" endTime="{n + 1}.25"><Sync time="{n}.25"/>\n'
            f"hello world {n}\n</Turn>\n"
        ),
        '<Trans><Speakers/><Episode><Section startTime="0" endTime="{more}">\n',
        "</Section></Episode></Trans>\n",
    ),
    "chat": Shape(
        lambda n: f"*ANN:\thello world . \x15{n * 1000}_{n * 1000 + 900}\x15\n",
        "@UTF8\n@Begin\n",
        "@End\n",
    ),
    "audacity": Shape(lambda n: f"{n}.250000\t{n}.750000\thello world number {n}\n"),
    "htk": Shape(lambda n: f"{n}0000000 {n}5000000 hello{n % 999} -1.5\n"),
    "mlf": Shape(
        lambda n: (
            ("" if n % 10 else f'{"." * (n > 0)}{chr(10) * (n > 0)}"*/rec{n // 10}.lab"\n')
            + f"{n % 10}0000000 {n % 10}5000000 hello{n % 999}\n"
        ),
        "#!MLF!#\n",
        ".\n",
    ),
    "timit": Shape(lambda n: f"{n * 16000} {n * 16000 + 8000} hello{n % 999}\n"),
    "srt": Shape(lambda n: f"{n + 1}\n" + _cue(n, ",", f"hello world\nnumber {n}")),
    "vtt": Shape(lambda n: _cue(n, ".", f"<v anne>hello world\nnumber {n}</v>"), "WEBVTT\n\n"),
    "ass": Shape(
        lambda n: (
            f"Dialogue: 0,{_clock(n, digits=2)[1:]},{_clock(n + 1, digits=2)[1:]},"
            f"Default,anne,0,0,0,,hello world\\Nnumber {n}\n"
        ),
        "[Script Info]\n[Events]\n"
        "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n",
    ),
    "sbv": Shape(lambda n: f"{_clock(n)},{_clock(n + 1)}\nhello world\nnumber {n}\n\n"),
    "microdvd": Shape(lambda n: f"{{{n * 25}}}{{{n * 25 + 20}}}hello world|number {n}\n"),
    "ttml": Shape(
        lambda n: (
            f'<p begin="{_clock(n)}" end="{_clock(n + 1)}" ttm:agent="a1">hello world<br/>'
            f"number {n}</p>\n"
        ),
        '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata">'
        "<body><div>\n",
        "</div></body></tt>\n",
    ),
    "bbc-kaldi": _json(
        '{"metadata": {}, "words": [',
        lambda n: f'{{"word": "w{n % 999}", "start": {n}.25, "end": {n}.75, "punct": "W"}}',
        "]}",
    ),
    "vosk": Shape(
        lambda n: (
            f'{{"result": [{{"conf": 0.98, "word": "hello", "start": {n}.25, "end": {n}.75}}], '
            '"text": "hello"}\n'
        )
    ),
    "kaldi-gstreamer": Shape(
        lambda n: (
            f'{{"status": 0, "segment": {n}, "result": {{"hypotheses": [{{"transcript": "hello", '
            f'"likelihood": 0.5}}], "final": true}}, "segment-start": {n}.25, '
            '"segment-length": 0.5}\n'
        )
    ),
    "offline-transcriber": _json(
        '{"sections": [{"type": "speech", "turns": [',
        lambda n: (
            f'{{"speaker": "S1", "start": {n}.25, "end": {n}.75, "transcript": "hello", '
            f'"words": [{{"word": "hello", "start": {n}.25, "end": {n}.75}}]}}'
        ),
        "]}]}",
    ),
    "whisper": _json(
        '{"text": "", "segments": [',
        lambda n: (
            f'{{"id": {n}, "seek": 0, "start": {n}.25, "end": {n}.75, "text": " hello {n}", '
            '"temperature": 0.0, "avg_logprob": -0.25, "compression_ratio": 1.5, '
            '"no_speech_prob": 0.01}'
        ),
        '], "language": "en"}',
    ),
    "whisperx": _json(
        '{"segments": [',
        lambda n: (
            f'{{"start": {n}.25, "end": {n}.75, "text": " h{n % 99}", "words": [{{'
            f'"word": "h{n % 99}", "start": {n}.25, "end": {n}.75, "score": 0.98}}]}}'
        ),
        "]}",
    ),
    "whispercpp": _json(
        '{"transcription": [',
        lambda n: (
            f'{{"offsets": {{"from": {n * 1000 + 250}, "to": {n * 1000 + 750}}}, '
            f'"text": " hello {n}", '
            f'"timestamps": {{"from": "{_clock(n, ",")}", "to": "{_clock(n + 1, ",")}"}}}}'
        ),
        "]}",
    ),
    "whisper-hf": _json(
        '{"text": "", "chunks": [',
        lambda n: f'{{"text": " hello{n}", "timestamp": [{n}.25, {n}.75]}}',
        "]}",
    ),
    "aws": _json(
        '{"status": "COMPLETED", "results": {"transcripts": [], "items": [',
        lambda n: (
            f'{{"type": "pronunciation", "start_time": "{n}.25", "end_time": "{n}.75", '
            '"alternatives": [{"confidence": "0.98", "content": "hello"}]}'
        ),
        "]}}",
    ),
    "google": _json(
        '{"results": [',
        lambda n: (
            f'{{"alternatives": [{{"transcript": "hello", "confidence": 0.9, "words": [{{'
            f'"startTime": "{n}.250s", "endTime": "{n}.500s", "word": "hello"}}]}}], '
            f'"resultEndTime": "{n}.500s"}}'
        ),
        "]}",
    ),
    "azure": Shape(
        lambda n: (
            f'{{"RecognitionStatus": "Success", "Offset": {n * 10**7}, "Duration": 5000000, '
            '"DisplayText": "Hello."}\n'
        )
    ),
    "deepgram": _json(
        '{"results": {"channels": [{"alternatives": [{"transcript": "", "words": [',
        lambda n: (
            f'{{"word": "hello", "start": {n}.25, "end": {n}.75, "confidence": 0.98, '
            '"punctuated_word": "Hello,"}'
        ),
        "]}]}]}}",
    ),
    "assemblyai": _json(
        '{"status": "completed", "words": [',
        lambda n: (
            f'{{"text": "Hello,", "start": {n * 1000 + 250}, "end": {n * 1000 + 750}, '
            '"confidence": 0.98, "speaker": "A"}'
        ),
        "]}",
    ),
    "speechmatics": _json(
        '{"format": "2.9", "metadata": {}, "results": [',
        lambda n: (
            f'{{"type": "word", "start_time": {n}.25, "end_time": {n}.75, "is_eos": true, '
            '"alternatives": [{"content": "hello", "confidence": 0.98}]}'
        ),
        "]}",
    ),
    "revai": _json(
        '{"monologues": [',
        lambda n: (
            f'{{"speaker": {n % 2}, "elements": [{{"type": "text", "value": "hello", '
            f'"ts": {n}.25, "end_ts": {n}.75, "confidence": 0.98}}]}}'
        ),
        "]}",
    ),
    "watson": _json(
        '{"results": [',
        lambda n: (
            '{"final": true, "alternatives": [{"transcript": "hello ", "confidence": 0.98, '
            f'"timestamps": [["hello", {n}.25, {n}.75]]}}]}}'
        ),
        '], "result_index": 0}',
    ),
    "lhotse": Shape(
        lambda n: (
            f'{{"id": "s{n}", "recording_id": "talk", "start": {n}.25, "duration": 0.5, '
            '"channel": 0, "text": "hello world", "speaker": "anne"}\n'
        )
    ),
    "nemo": Shape(
        lambda n: (
            f'{{"audio_filepath": "wav/rec{n}.wav", "duration": {n % 30}.25, '
            '"text": "hello world"}\n'
        )
    ),
    "commonvoice": Shape(
        lambda n: f"c{n % 999}\tclip{n}.mp3\thello world number {n}\t2\t0\n",
        "client_id\tpath\tsentence\tup_votes\tdown_votes\n",
    ),
    "seglst": _json(
        "[",
        lambda n: (
            f'{{"session_id": "talk", "speaker": "anne", "start_time": {n}.25, '
            f'"end_time": {n}.75, "words": "hello world"}}'
        ),
        "]",
    ),
    "jsonl": Shape(
        lambda n: (
            f'{{"recording": "talk", "start": {n}.25, "end": {n}.75, "text": "hello", '
            f'"words": [{{"word": "hello", "start": {n}.25, "end": {n}.75}}]}}\n'
        )
    ),
    "csv": Shape(
        lambda n: f"{n},talk,anne,{n}.25,{n}.75,hello world number {n}\n",
        "id,recording,speaker,start,end,text\n",
    ),
    "tsv": Shape(
        lambda n: f"{n}\ttalk\tanne\t{n}.25\t{n}.75\thello world number {n}\n",
        "id\trecording\tspeaker\tstart\tend\ttext\n",
    ),
    "ecf": Shape(
        lambda n: (
            f'<excerpt audio_filename="rec{n}.sph" channel="1" tbeg="0.000" dur="60.000" '
            'source_type="cts"/>\n'
        ),
        '<ecf source_signal_duration="60.000" language="english" version="1">\n',
        "</ecf>\n",
    ),
    "kwlist": Shape(
        lambda n: f'<kw kwid="KW-{n:07d}"><kwtext>hello world{n}</kwtext></kw>\n',
        '<kwlist ecf_filename="" version="1" language="" encoding="UTF-8" compareNormalize="">\n',
        "</kwlist>\n",
    ),
    "kwslist": Shape(
        lambda n: (
            f'<kw file="rec1" channel="1" tbeg="{n}.5" dur="0.25" score="0.5" decision="NO"/>\n'
        ),
        f'<kwslist kwlist_filename="" language="" system_id="">\n{KW}\n',
        "</detected_kwlist>\n</kwslist>\n",
    ),
}


def _pieces(shape: Shape, records: int) -> Iterator[str]:
    before = shape.before.replace("{size}", str(records)).replace("{more}", str(records + 1))
    records_of = (shape.record(number) for number in range(records - 1))
    between = shape.between
    joined = (record + between for record in records_of) if between else records_of
    return chain([before], joined, [shape.record(records - 1), shape.after])


def print_peers(names: Sequence[str]) -> None:
    """Print our reader's seconds and those of its yardstick, each from a separate process."""
    print("| format | yardstick | its s | ours s | ratio |\n|---|---|---|---|---|")
    for name in names:
        command = [sys.executable, str(ROOT / "benchmarks" / "reading.py"), name, "--repeat", "7"]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = json.loads(told.splitlines()[-1])
        theirs, ours = found["yardstick"], found["ours"]
        shown = ("-", "-") if theirs is None else (f"{theirs:.4f}", f"{theirs / ours:.2f}")
        print(
            f"| {name} | {YARDSTICKS[name][0]} | {shown[0]} | {ours:.4f} | {shown[1]} |", flush=True
        )


def main() -> int:
    """Measure and print; return 1 if a file of full size exceeds the bound."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=", ".join(SHAPES))
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--peers", action="store_true", help="beside what else reads the format")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the file there")
    arguments = parser.parse_args()
    if arguments.peers:
        print_peers(arguments.formats or list(YARDSTICKS))
        return 0
    unknown = set(arguments.formats) - set(SHAPES)
    if unknown:
        parser.error(f"no such format: {', '.join(sorted(unknown))}")
    chosen = arguments.formats or list(SHAPES)
    if arguments.write is not None:
        with arguments.write.open("w", encoding="utf-8") as file:
            file.writelines(_pieces(SHAPES[chosen[0]], arguments.records))
        return 0
    print(f"{arguments.records:,} records\n\n| format | processor, s | clock, s | MB | file, MB |")
    print("|---|---|---|---|---|")
    is_slow = False
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="records-") as place:
            path = Path(place, "talk")
            # In a process of its own, as the reader: what this one grew to would count for it.
            draw = [sys.executable, __file__, "--records", str(arguments.records)]
            subprocess.run([*draw, "--write", str(path), name], check=True)
            used = sample((sys.executable, "-c", READ, str(ROOT), str(path), name), Path(place))
            size = path.stat().st_size
        print(
            f"| {name} | {used.processor:.1f} | {used.seconds:.1f} | {used.peak / 1e6:.0f} "
            f"| {size / 1e6:.0f} |",
            flush=True,
        )
        is_slow = is_slow or used.processor > MOST_SECONDS
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())

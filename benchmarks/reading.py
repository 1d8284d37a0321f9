"""Measurement of `formats.read` for one format, against a yardstick: another library's reader.

    python benchmarks/reading.py whisper --words 100000

The program draws a transcript with a fixed seed, and writes it in the format. Both readers run
alternately in a separate process. The output is one line of JSON with the lowest processor seconds
of both sides (null if the yardstick is not installed).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

if TYPE_CHECKING:
    import formats

Reader = Callable[[str], object]


def json_load(path: str) -> object:
    """Load the values of a file of JSON or JSON lines, with the standard library."""
    with open(path, encoding="utf-8") as file:
        first = file.readline()
        file.seek(0)
        if first.rstrip().endswith("}"):
            return [json.loads(line) for line in file]
        return json.load(file)


def meeteval(kind: str) -> Reader:
    """Return meeteval's reader of a NIST format."""
    reader: Reader = getattr(import_module("meeteval.io"), kind).load
    return reader


def pysubs2() -> Reader:
    """Return pysubs2's reader of subtitles."""
    reader: Reader = import_module("pysubs2").load
    return reader


def webvtt() -> Reader:
    """Return webvtt-py's reader, which creates its captions when they are iterated."""
    read = import_module("webvtt").read
    return lambda path: list(read(path))


def praatio() -> Reader:
    """Return praatio's reader of TextGrids."""
    read = import_module("praatio.textgrid").openTextgrid
    return lambda path: read(path, includeEmptyIntervals=False)


YARDSTICKS: dict[str, tuple[str, Callable[[], Reader]]] = {
    "nemo": ("json.loads", lambda: json_load),
    "aws": ("json.load", lambda: json_load),
    "whisper": ("json.load", lambda: json_load),
    "rttm": ("meeteval", lambda: meeteval("RTTM")),
    "rttm-overlaps": ("meeteval", lambda: meeteval("RTTM")),
    "ctm": ("meeteval", lambda: meeteval("CTM")),
    "stm": ("meeteval", lambda: meeteval("STM")),
    "srt": ("pysubs2", pysubs2),
    "vtt": ("webvtt-py", webvtt),
    "textgrid": ("praatio", praatio),
}


def write_aws(segments: Iterable[formats.Segment], path: str) -> None:
    """Write a transcript of AWS, one record per line, with all lists that a job may have."""
    items: list[dict[str, object]] = []
    turns: list[dict[str, object]] = []
    audio: list[dict[str, object]] = []
    for segment in segments:
        labels = {"speaker_label": segment.speaker, "channel_label": segment.channel}
        times = {"start_time": f"{segment.start:.3f}", "end_time": f"{segment.end:.3f}"}
        numbers = list(range(len(items), len(items) + len(segment.words)))
        head = {"id": len(audio), "transcript": " ".join(segment.words)}
        audio.append({**head, **times, **labels, "items": numbers})
        spans = []
        for token in segment.all_tokens():
            span = {"start_time": f"{token.start:.3f}", "end_time": f"{token.end:.3f}"}
            choice = {"confidence": str(token.confidence), "content": token.text}
            kind = {"id": len(items), "type": "pronunciation"}
            items.append({**kind, **span, **labels, "alternatives": [choice]})
            spans.append({**span, "speaker_label": segment.speaker})
        turns.append({**times, "speaker_label": segment.speaker, "items": spans})
    lists = [",\n".join(map(json.dumps, records)) for records in (turns, items, audio)]
    text = json.dumps({"transcript": " ".join(str(part["transcript"]) for part in audio)})
    Path(path).write_text(
        '{"jobName": "talk", "accountId": "", "status": "COMPLETED", "results": {\n'
        f'"transcripts": [{text}],\n"speaker_labels": {{"speakers": 2, "segments": [\n'
        f'{lists[0]}\n]}},\n"channel_labels": {{"channels": [\n'
        f'{{"channel_label": "1", "items": [\n{lists[1]}\n]}}\n], "number_of_channels": 1}},\n'
        f'"items": [\n{lists[1]}\n],\n"audio_segments": [\n{lists[2]}\n]}}}}\n'
    )


def write(name: str, words: int, path: str) -> None:
    """Write the file for a row of the table.

    In the file of `rttm-overlaps`, every turn occurs twice.
    """
    import formats
    from benchmarks.conversions import drawn

    name, _, kind = name.partition("-")
    if name == "aws":  # which is only read
        write_aws(drawn(words), path)
    else:
        formats.write(drawn(words), path, name, interpolate="uniform")
    if name == "rttm":  # meeteval reads records of SPEAKER alone
        lines = Path(path).read_text().splitlines(keepends=True)
        turns = "".join(x for x in lines if x.startswith("SPEAKER"))
        Path(path).write_text(turns * (2 if kind else 1))


def ours(name: str) -> Reader:
    """Return our reader for the format of a row."""
    from formats import read

    return lambda path: read(path, name.partition("-")[0])


def measured(name: str, path: str, repeat: int, only: str = "") -> dict[str, object]:
    """Measure both sides, or `only` one; return seconds.

    There is a remark if the yardstick is missing.
    """
    makers: dict[str, Callable[[], Reader]] = {
        "yardstick": YARDSTICKS[name][1],
        "ours": lambda: ours(name),
    }
    best: dict[str, object] = {"yardstick": None, "ours": None, "remark": ""}
    sides: dict[str, Reader] = {}
    for side, maker in makers.items():
        if only in ("", side):
            try:
                sides[side] = maker()
            except ImportError as problem:
                if only:
                    raise
                best["remark"] = str(problem)
    for _ in range(repeat):
        for side, reader in sides.items():
            begin = time.process_time()
            found = reader(path)
            spent = time.process_time() - begin
            del found
            known = best[side]
            best[side] = min(spent, known) if isinstance(known, float) else spent
    return best


def main() -> None:
    """Write the file of a row, or measure its readers; print the result."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("format", choices=sorted(YARDSTICKS))
    options.add_argument("--words", type=int, default=100_000)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--write", metavar="FILE", help="only write the file")
    options.add_argument("--file", help="a file that `--write` wrote")
    options.add_argument("--only", choices=("yardstick", "ours"), default="")
    arguments = options.parse_args()
    if arguments.write:
        write(arguments.format, arguments.words, arguments.write)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.file or f"{folder}/talk.{arguments.format.partition('-')[0]}"
        if not arguments.file:
            write(arguments.format, arguments.words, path)
        print(json.dumps(measured(arguments.format, path, arguments.repeat, arguments.only)))


if __name__ == "__main__":
    main()

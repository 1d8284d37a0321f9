"""`formats list`: all formats, as a table for people, as Markdown, or as JSON."""

from __future__ import annotations

import argparse

from formats.cli.output import say, show
from formats.detection.spec import FormatSpec

JSON_VERSION = 1
REAL_FILES = {
    "aeneas": 5, "amberscript": 1, "assemblyai": 1, "audacity": 1, "autoedit": 2, "aws": 1,
    "azure": 1, "bbc-kaldi": 4, "chat": 2, "csv": 3, "ctm": 1, "deepgram": 1, "deepspeech": 1,
    "digital-paper-edit": 2, "eaf": 4, "elevenlabs": 1, "emu": 1, "esps": 1, "exb": 1,
    "gentle": 1, "gladia": 1, "google": 1, "htk": 4, "json": 7, "kaldi": 4,
    "kaldi-gstreamer": 1, "lhotse": 5, "ljspeech": 1, "matchseg": 1, "microdvd": 1, "nlp": 2,
    "pocketsphinx": 2, "podcast": 3, "rttm": 1, "salt": 1, "sami": 1, "sbv": 1, "scc": 3,
    "seglst": 1, "simuleval": 4, "speaker-text": 4, "speechbrain": 1, "speechmatics": 4,
    "srt": 3, "stl": 2, "stm": 5, "subviewer": 2, "tei": 1, "textgrid": 2, "transcribee": 1,
    "trn": 1, "trs": 1, "tsv": 3, "ttml": 3, "txt": 6, "voxtral": 1, "vtt": 3, "watson": 2,
    "wenet": 1, "whisper": 1,
}  # fmt: skip
"""The number of published files of each format, from other people's programs, that we read and held
against what is known of them without us; formats without any are tested on files of our own."""


def run(arguments: argparse.Namespace) -> int:
    """Print the table; the exit status."""
    from formats.detection.registry import all_formats, plugin_problems

    specs = all_formats()
    for problem in plugin_problems():
        say(f"warning: {problem}")
    if arguments.report_format == "json":
        import json

        described = [_described(spec) for spec in specs]
        content = {"version": JSON_VERSION, "formats": described}
        show(json.dumps(content, ensure_ascii=False, indent=1))
    elif arguments.report_format == "markdown":
        show(markdown_table(specs))
    else:
        width = max(len(spec.name) for spec in specs)
        for spec in specs:
            count = REAL_FILES.get(spec.name, 0)
            show(f"{spec.name:<{width}}  {'rw' if spec.write else 'r '}  {count:>2}  {spec.title}")
    return 0


def _described(spec: FormatSpec) -> dict[str, object]:
    return {
        "name": spec.name,
        "title": spec.title,
        "suffixes": list(spec.suffixes),
        "read": True,
        "written": spec.write is not None,
        "real_files": REAL_FILES.get(spec.name, 0),
        "holds": sorted(spec.holds),
        "needs": sorted(spec.needs),
        "read_options": [option.name for option in spec.read_options],
        "write_options": [option.name for option in spec.write_options],
    }


def markdown_table(specs: tuple[FormatSpec, ...]) -> str:
    """The table of formats in Markdown, one row each."""
    rows = ["| format | what it holds | files | | real files |", "|---|---|---|---|---|"]
    for spec in specs:
        files = ", ".join(f"`{suffix.lstrip('/')}`" for suffix in spec.suffixes)
        can = "read, written" if spec.write else "read"
        count = REAL_FILES.get(spec.name, 0)
        rows.append(f"| `{spec.name}` | {spec.title} | {files} | {can} | {count} |")
    return "\n".join(rows)

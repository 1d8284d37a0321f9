"""`formats list`: print all formats as a table, as Markdown or as JSON."""

from __future__ import annotations

from formats.cli.output import put_json, show, tell
from formats.detection.spec import FormatSpec
from formats.io.sink import open_sink

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

REAL_FILES = {
    "aeneas": 5, "amberscript": 1, "ass": 2, "assemblyai": 1, "audacity": 2,
    "autoedit": 2, "aws": 3, "azure": 1, "bbc-kaldi": 4, "bliss": 2, "chat": 3,
    "chat-xml": 1, "commonvoice": 1, "csv": 5, "ctm": 1, "deepgram": 1, "deepspeech": 1,
    "dialogue-acts": 2, "digital-paper-edit": 2, "docx": 2, "eaf": 8, "ecf": 7,
    "elan-tab": 2, "elevenlabs": 1, "emu": 1, "esps": 1, "exb": 1, "funasr-chat": 1, "gentle": 1,
    "gladia": 1, "google": 1, "htk": 4, "ina-segments": 1, "its": 1, "jams": 1,
    "json": 13, "jsonl": 2, "kaldi": 5, "kaldi-gstreamer": 1, "kaldi-segments": 1,
    "kwlist": 7, "kwslist": 6, "label-studio": 1, "lhotse": 5, "librispeech": 1,
    "ljspeech": 2, "lrc": 1, "matchseg": 1, "microdvd": 1, "mlf": 2, "must-c": 1,
    "nemo": 1, "nlp": 2, "nxt-query": 1, "partitur": 2, "pocketsphinx": 2, "podcast": 4,
    "podcast-html": 1, "revai": 1, "rttm": 2, "salt": 1, "sami": 1, "sbv": 1, "scc": 3,
    "seglst": 1, "simuleval": 4, "speaker-labels": 1, "speaker-text": 10,
    "speech-activity": 2, "speechbrain": 1, "speechmatics": 4, "sphinx-hyp": 1,
    "spruce": 1, "srt": 3, "srv": 2, "stl": 2, "stm": 5, "subviewer": 2, "tei": 1,
    "textgrid": 6, "timit": 1, "transcribee": 1, "trn": 1, "trs": 1, "tsv": 5, "ttml": 3,
    "txt": 6, "txt-lines": 1, "uem": 4, "vibevoice": 1, "vosk": 1, "voxtral": 1, "vtt": 5,
    "watson": 2, "wenet": 1, "whisper": 2, "whisperx": 1, "ynop": 1,
}  # fmt: skip
"""The number of published files (or printed outputs) of each format, from other people's programs,
that we read and compared with what is known of them without us; the others are tested on files of
our own."""


def run(arguments: Namespace) -> int:
    """Print the table of formats; return the exit status."""
    from formats.detection import all_formats, plugin_problems

    specs = all_formats()
    for problem in plugin_problems():
        tell(problem.value)
    if arguments.json is not None:
        put_json(arguments.json, "formats", formats=[_described(spec) for spec in specs])
    if arguments.markdown == "-":
        show(markdown_table(specs), is_data=True)
    elif arguments.markdown is not None:
        with open_sink(arguments.markdown) as sink:
            sink.write(f"{markdown_table(specs)}\n")
    if "-" not in (arguments.json, arguments.markdown):
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
        "is_read": True,
        "is_written": spec.write is not None,
        "real_files": REAL_FILES.get(spec.name, 0),
        "holds": sorted(spec.holds),
        "needs": sorted(spec.needs),
        "read_options": [option.name for option in spec.read_options],
        "write_options": [option.name for option in spec.write_options],
    }


def markdown_table(specs: tuple[FormatSpec, ...]) -> str:
    """Return the table of formats in Markdown, with one row per format."""
    rows = ["| format | what it holds | files | | real files |", "|---|---|---|---|---|"]
    for spec in specs:
        files = ", ".join(f"`{suffix.lstrip('/')}`" for suffix in spec.suffixes)
        can = "read, written" if spec.write else "read"
        count = REAL_FILES.get(spec.name, 0)
        rows.append(f"| `{spec.name}` | {spec.title} | {files} | {can} | {count} |")
    return "\n".join(rows)

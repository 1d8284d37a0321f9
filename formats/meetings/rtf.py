r"""rtf: transcripts in Rich Text Format, as exported by f4, MAXQDA and others.

=====================================  ==========================================================
in the file                            in the schema
=====================================  ==========================================================
the text, extracted by striprtf        turns are read by `formats.meetings.speaker_text`, cues of
                                       SubRip as cues, any other text by `formats.nist.txt`
``#00:00:05-2#``, ``[00:00:12.10]``    `Segment.start_ns`
cells of a row of a table              a line, with tabs between the cells
``\deleted``, ``\v`` (hidden text)       dropped, counted in a note
links                                  their texts; the addresses are dropped
pictures, headers, footnotes           not read
=====================================  ==========================================================

The library striprtf returns only the text. It would include link addresses, deleted text and hidden
text. Therefore the reader first replaces their control words by others that the library skips.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

from formats.detection import by_name
from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.errors import SizeLimitError
from formats.io.source import Source, open_source
from formats.meetings.messages import RTF_DROPPED
from formats.meetings.speaker_text import CLOSE_GAPS, PATTERN
from formats.meetings.turns.choice import Trust, choice_of
from formats.reading.frames import FPS
from formats.schema.errors import OptionError, quoted
from formats.schema.model import Segment

MARK = "{\\rtf"
LARGEST = 1 << 26
LEFT_OUT = re.compile(r"\\(deleted|v)(?![A-Za-z0-9-])")
CELL = re.compile(r"\\(?:nest)?cell(?![A-Za-z])")
CUE = re.compile(r"\s*[0-9]{1,3}:[0-9]{2}:[0-9]{2},[0-9]{3}\s*-->")


def read(
    source: Source, *, close_gaps: bool = False, pattern: str = "", fps: str = ""
) -> Iterator[Segment]:
    """Yield one segment per turn; a text without turns gives one segment."""
    data = source.data()
    if not data:
        return
    stream = io.StringIO(_text(source, data.decode("latin-1")))
    stream.name = source.name
    with open_source(stream, recording=source.recording, tolerance=source.log.tolerance) as inside:
        source.log.follow(inside.log)
        lines = list(enumerate(inside.head_lines(), 1))
        if pattern or choice_of(lines).trust is Trust.SURE:
            options = {"close_gaps": close_gaps, "pattern": pattern, "fps": fps}
            yield from by_name("speaker-text").read(inside, **options)
        else:
            is_cues = any(CUE.match(line) for _, line in lines)
            yield from by_name("srt" if is_cues else "txt").read(inside)


def _text(source: Source, data: str) -> str:
    """Return the text of a document."""
    if not data.lstrip("\ufeff \r\n").startswith(MARK):
        raise source.syntax_error(1, f"a document that begins with {MARK}", quoted(data[:20]), 1)
    if "\0" in data and "\\bin" not in data:
        before = data[: data.index("\0")].count("\n")
        raise source.syntax_error(before + 1, "a document of RTF", quoted("\0"))
    if len(data) > LARGEST:
        raise SizeLimitError("is too large for a transcript", path=source.name)
    try:
        from striprtf import striprtf
    except ImportError:
        raise OptionError(
            path=source.name,
            expected="striprtf to read RTF (pip install 'sclite-kit[rtf]'), "
            "or the document saved as text",
            found="neither",
        ) from None
    to_text: Callable[[str], str] = striprtf.rtf_to_text
    counts = {"deleted": 0, "v": 0}

    def leave_out(match: re.Match[str]) -> str:
        counts[match[1]] += 1
        return "\\*"

    data = CELL.sub(r"\\tab", LEFT_OUT.sub(leave_out, data)).replace("\\fldinst", "\\fldtype")
    try:
        text = to_text(data).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    except (ValueError, LookupError, OverflowError) as error:
        reason = " ".join(str(error).split())[:200]
        raise source.syntax_error(None, "a document of RTF", f"damage ({reason})") from None
    if counts["deleted"] or counts["v"]:
        source.log.say(RTF_DROPPED, deleted=counts["deleted"], hidden=counts["v"])
    return "\n".join(line.strip(" \t") for line in text.replace("\r", "").split("\n"))


def sniff(head: Head) -> Sniff:
    """Return `SURE` if the text begins as RTF does."""
    return Sniff.SURE if head and head[0].lstrip("\ufeff ").startswith(MARK) else Sniff.NO


SPEC = FormatSpec(
    title="transcripts in Rich Text Format: f4, MAXQDA, InqScribe, Express Scribe",
    sign="{\\rtf in the first line",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    read_options=(CLOSE_GAPS, PATTERN, FPS),
)

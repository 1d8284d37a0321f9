r"""Writing through pysubs2, with the mends that it needs.

pysubs2 knows the head, the styles and the fields of these formats, and writes them. What it does
wrong, seen with version 1.8.1 and shown by the tests, and what is done here about it:

========================================  ====================================================
pysubs2                                   here
========================================  ====================================================
takes ``\N``, ``\n``, ``\h`` and          `shield` writes such characters in another way, and
``{…}`` in a word for SubStation markup,  `unshield` puts them back: any text goes through
cuts at U+2028, strips U+3000
leaves out an event that has ``{\p1}``    the same
writes every time past 99:59:59,999 (srt) hours have as many digits as they need
or 9:59:59.99 (ass) as that time
counts in whole milliseconds, rounds      times are rounded before, half to even; MicroDVD is
half up, frames by binary fractions       given frames at 1000 a second, which it leaves alone
writes a MicroDVD rate as ``{0}{0}``      the rate is written as a cue ``{1}{1}``
========================================  ====================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from formats.sink import Sink

if TYPE_CHECKING:
    from pysubs2 import SSAEvent

MARK = "\x1a"
PLAIN = "\x1a\\{}\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
CODES = "0123456789ab"
SHIELDS = {ord(plain): MARK + code for plain, code in zip(PLAIN, CODES, strict=True)}
SHIELDED = re.compile(MARK + "([0-9a-z])")
MEANING = {**dict(zip(CODES, PLAIN, strict=True)), "z": ""}


def shield(text: str) -> str:
    r"""The text so that pysubs2 finds nothing in it to change; LF stays.

    >>> shield("C:\\new"), unshield(shield(" C:\\new\u2028{x}\u3000"))
    ('\x1azC:\x1a1new\x1az', ' C:\\new\u2028{x}\u3000')
    """
    return f"{MARK}z{text.translate(SHIELDS)}{MARK}z"


def unshield(text: str) -> str:
    """What pysubs2 wrote, with the text as it was before `shield`."""
    return SHIELDED.sub(lambda found: MEANING[found[1]], text)


def _clock(milliseconds: int, decimals: int, point: str, hour_digits: int) -> str:
    from formats.clock import format_clock

    return format_clock(
        milliseconds * 1_000_000, decimals=decimals, point=point, hour_digits=hour_digits
    )


def write_srt(cues: Iterable[tuple[int, int, str]], sink: Sink) -> None:
    """Write cues, given as begin and end in milliseconds and lines joined by LF."""
    from io import StringIO

    from pysubs2 import SSAEvent, SSAFile
    from pysubs2.formats.subrip import SubripFormat

    class Subrip(SubripFormat):
        """srt with any number of hours, and with all events."""

        @staticmethod
        def ms_to_timestamp(ms: int) -> str:
            return _clock(ms, 3, ",", 2)

        @classmethod
        def _get_visible_lines(cls, subs: SSAFile) -> list[SSAEvent]:
            return subs.events

    subtitles = SSAFile()
    subtitles.events = [SSAEvent(start, end, shield(text)) for start, end, text in cues]
    written = StringIO()
    Subrip.to_file(subtitles, written, "srt", keep_ssa_tags=True)
    sink.write(unshield(written.getvalue()))


def write_microdvd(cues: Iterable[tuple[int, int, str]], rate: str, sink: Sink) -> None:
    """Write the frame rate, then cues, given as frames and lines joined by LF."""
    from io import StringIO

    from pysubs2 import SSAEvent, SSAFile
    from pysubs2.formats.microdvd import MicroDVDFormat

    subtitles = SSAFile()
    subtitles.events = [SSAEvent(1, 1, rate)]
    subtitles.events += [SSAEvent(start, end, shield(text)) for start, end, text in cues]
    written = StringIO()
    MicroDVDFormat.to_file(
        subtitles,
        written,
        "microdvd",
        fps=1000.0,
        write_fps_declaration=False,
        apply_styles=False,
    )
    sink.write(unshield(written.getvalue()))


def write_ass(events: Iterable[SSAEvent], title: str | None, sink: Sink) -> None:
    """Write events of pysubs2, their times in milliseconds but whole hundredths of a second.

    Every style that an event names is declared, looking like the default style.
    """
    from io import StringIO

    from pysubs2 import SSAFile, SSAStyle
    from pysubs2.formats.substation import SubstationFormat

    class Substation(SubstationFormat):
        """ass with any number of hours."""

        @staticmethod
        def ms_to_timestamp(requested_ms: int) -> str:
            return _clock(requested_ms, 2, ".", 1)

    subtitles = SSAFile()
    subtitles.info = {} if title is None else {"Title": title}
    subtitles.events = list(events)
    for event in subtitles.events:
        if event.style not in subtitles.styles:
            subtitles.styles[event.style] = SSAStyle()
    written = StringIO()
    Substation.to_file(subtitles, written, "ass", header_notice="")
    sink.write(written.getvalue())

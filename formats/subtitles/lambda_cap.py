"""Lambda CAP: subtitles of Japanese cinema as text, with times in frames.

=================================  ==========================================================
in the file                        in the schema
=================================  ==========================================================
``12A  00000500/00000800  text``   a cue: `Segment.start_ns`, `Segment.end_ns`; its number is
                                   dropped
a line below without times         another line of the cue; lines are the property ``lines``
``＠ルビ上［本｜ほん］＠``         the word 本; its reading is the property ``ruby``
``＠斜３［…］＠``                  typographic marks, which are dropped
``＠縦右 ＠行頭``                  position and style of the cue: dropped, counted in a note
``_``, ``＿``, ``＠＠＠``          a blank, a blank, the sign ＠
``Lambda字幕V4  DF0+1  SCENE"…"``  the first line; the flags are a property of the file
=================================  ==========================================================
"""

import re
from collections.abc import Iterator

from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.messages import FRAMES_ASSUMED
from formats.io.source import Source
from formats.reading.frames import FPS, FrameRate, given_rate
from formats.reading.lines import Line, column_of_field, filled_lines, strip_blanks
from formats.schema.errors import quoted
from formats.subtitles.cue_reading import READ_OPTIONS, reads_cues
from formats.subtitles.cues import Cue, Run, timed_cue
from formats.subtitles.messages import LAMBDA_STYLES, SPRUCE_TIME

USUAL_FPS = 30
TITLE = "Lambda字幕"
DIGIT = "[0-9０-９]"
CODE = DIGIT + "{8}"
TIMES = re.compile(
    rf"[ \t]*(?:{DIGIT}{{1,6}}[A-Ia-iＡ-Ｉａ-ｉ]?[ \t]+)?({CODE})[/／]({CODE})(?=[ \t]|\Z)"
)
PLACES = (
    "横下|横上|横適|横中|縦右|縦左|縦適|縦中|中央|行頭|行末|中頭|中末|両端|横中央|横中頭|横中末|横行頭|横行末|"
    "縦右頭|縦左頭|縦中頭|正体|斜|詰|継続|丸ゴ|丸ゴシック|角ゴ|太角ゴ|太角ゴシック|太明|太明朝|シネマ"
)
MARKS = "正体|斜|詰|幅広|倍角|半角|拗音|幅|寸|ルビ|ルビ上|ルビ下|ルビ右|ルビ左|組"
STYLE = re.compile(
    rf"(?:(?<=[ \t\u3000])|\A)＠(?:{PLACES}){DIGIT}{{0,2}}！{{0,3}}(?=[ \t\u3000]|\Z)"
)
"""Place and style of a cue, in a field of their own."""
SIGN = re.compile(rf"＠([＠_＿])＠|＠({MARKS}){DIGIT}{{0,2}}［|(］＠)|(｜)")
BLANKS = str.maketrans("_＿", "  ")


@reads_cues
def read(source: Source, *, fps: str = "") -> Iterator[Cue]:
    """Yield one cue per screen; `fps` is the frame rate (default 30)."""
    rate = given_rate(fps or str(USUAL_FPS), source.log.side)
    lines = filled_lines(source)
    first = next(lines, None)
    if first is None:
        return
    if not first.text.startswith(TITLE):
        raise source.syntax_error(first.number, f"a first line {TITLE}V4", quoted(first.text))
    if not fps:
        source.log.say(FRAMES_ASSUMED, fps=str(USUAL_FPS))
    fields = first.text.split("\t")
    if len(fields) > 1:
        source.properties["drop_frame_flags"] = fields[1]
    reader = _Reader(rate)
    yield from source.log.accepted("LAMBDA-CAP", reader.read, lines)
    yield from reader.finish()
    if reader.styles:
        source.log.say(LAMBDA_STYLES, marks=reader.styles)


class _Reader:
    """Reads the lines of all screens, and counts the marks that are not read."""

    def __init__(self, rate: FrameRate) -> None:
        self.rate = rate
        self.cue: Cue | None = None
        self.styles = 0

    def read(self, line: Line) -> Iterator[Cue]:
        """Yield the preceding cue if this line begins a new cue."""
        times = TIMES.match(line.text)
        if times is not None:
            begin, stop = (self._time(line, code, times[0]) for code in times.groups())
            if self.cue is not None:
                yield self.cue
            shown = strip_blanks(times[0])
            cue = timed_cue(line.source, line.number, begin, stop, shown)
            self.cue = cue._replace(runs=tuple(self._runs(line.text[times.end() :])))
        elif self.cue is not None and line.text[0] in " \t":
            runs = (*self.cue.runs, Run("\n"), *self._runs(line.text))
            self.cue = self.cue._replace(runs=runs)
        else:
            raise line.error(0, "hhmmssff/hhmmssff before a text", quoted(line.text))

    def finish(self) -> Iterator[Cue]:
        """Yield the last cue."""
        if self.cue is not None:
            yield self.cue

    def _time(self, line: Line, code: str, shown: str) -> int:
        try:
            return self.rate.time_of_code(*(code[n : n + 2] for n in range(0, 8, 2)))
        except ValueError:
            column = column_of_field(line.text, 0)
            fields = {"frames": self.rate.nominal, "text": strip_blanks(shown)}
            raise line.source.error_of(SPRUCE_TIME, line.number, column, **fields) from None

    def _runs(self, text: str) -> Iterator[Run]:
        """Yield the runs of a line: pieces of text between marks.

        A reading (ruby) is a run without text.
        """
        text, styles = STYLE.subn(" ", text)
        self.styles += styles
        open_marks: list[str] = []
        is_reading = False
        reading = ""
        position = 0
        for sign in SIGN.finditer(text):
            piece = text[position : sign.start()].translate(BLANKS)
            position = sign.end()
            escaped, mark, ending, bar = sign.groups()
            is_of_ruby = bool(open_marks) and open_marks[-1].startswith("ルビ")
            if is_reading:
                reading += piece
            else:
                yield Run(piece)
            if escaped:
                yield Run(escaped)
            elif mark:
                open_marks.append(mark)
            elif bar and is_of_ruby and not is_reading:
                is_reading = True
            elif bar:
                yield Run(bar)
            elif ending and open_marks:
                if is_reading:
                    yield Run("", properties=(("ruby", reading.strip(" \t\u3000")),))
                    is_reading, reading = False, ""
                open_marks.pop()
            elif ending:
                yield Run(ending)
        rest = text[position:].translate(BLANKS)
        yield Run(f"{reading}{rest}")


def _sniff(head: Head) -> Sniff:
    return Sniff.SURE if head and head[0].startswith(TITLE) else Sniff.NO


SPEC = FormatSpec(
    title="Lambda CAP: subtitles of Japanese cinema as text, times in frames",
    sign=f"a first line {TITLE}V4",
    read=read,
    sniff=_sniff,
    has_one_recording=True,
    properties=("lines", "ruby"),
    read_options=(FPS, *READ_OPTIONS),
)

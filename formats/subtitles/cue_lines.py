"""Writer of the formats with one line per cue: MicroDVD, MPL2 and TMP. It uses pysubs2."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# Of these pysubs2 1.8.1 takes some for markup, some for ends of lines, and strips others.
DOUBTFUL = re.compile(r"[\\{}]|[^\S \n]")
FIRST_SUBSTITUTE = 0xE000


class CueLine(NamedTuple):
    """A cue: begin and end in milliseconds, and lines of text separated by LF."""

    start: float
    end: float
    text: str


def lines_of_cues(cues: Iterable[CueLine], format_name: str, fps: float | None = None) -> str:
    """Return the lines of a file, one per cue; ``|`` separates the lines of a cue's text."""
    import pysubs2

    cues = list(cues)
    hide, show = _substitutes("".join([cue.text for cue in cues]))
    file = pysubs2.SSAFile()
    for start, end, text in cues:
        event = pysubs2.SSAEvent(start, end)  # type: ignore[arg-type]
        event.plaintext = text.translate(hide)
        file.events.append(event)
    options = {"write_fps_declaration": False} if format_name == "microdvd" else {}
    written = file.to_string(format_name, fps=fps, apply_styles=False, **options)
    return written.translate(show)


def texts_of_lines(lines: Sequence[str], format_name: str) -> list[str]:
    """Remove the markup from lines; in a text, LF separates the lines of the cue."""
    import pysubs2

    hide, show = _substitutes("".join(lines))
    file = pysubs2.SSAFile.from_string("\n".join(lines).translate(hide), format_name)
    assert len(file) == len(lines), "each line is that of a cue"
    return [event.plaintext.translate(show) for event in file]


def _substitutes(text: str) -> tuple[dict[int, int], dict[int, int]]:
    """Map each character that pysubs2 may change to an unused one; return the inverse as well."""
    doubtful = {ord(character) for character in DOUBTFUL.findall(text)}
    unused = (code for code in range(FIRST_SUBSTITUTE, 0x110000) if chr(code) not in text)
    hide = dict(zip(sorted(doubtful), unused, strict=False))
    return hide, {substitute: code for code, substitute in hide.items()}

"""Subtitles of many shapes whose words, times and speakers are known.

A sample is a file of one format in which one to three things are unusual. `MADE` has the formats,
`verdict` compares what a reader gives with what is true: ``right``, ``told`` (wrong, but a remark
says so), ``refused`` or ``silent``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TypeAlias

import formats
from formats import FormatError

NAMES = ("ANNE", "BORIS", "MRS. HILL", "Carla", "Dr. Reed")
SENTENCES = (
    "we went down to the river",
    "and nobody was there",
    "What did you see?",
    "Only the old boat, of course.",
    "it had rained for three days",
    "so the path was under water",
    "I never liked that road",
    "you could have told me",
    "Yes, but would you have listened?",
    "probably not",
    "there were 14 people in the hall",
    "at half past ten they left",
    "bring the lamp over here",
    "the door won't open",
    "try the other key",
    "that one is from the garage",
    "listen, somebody is outside",
    "it is just the wind",
    "are you sure about this?",
    "quite sure",
)
RUSSIAN = (
    "мы пошли к реке", "там никого не было", "что ты видел", "только старую лодку",
    "дождь шёл три дня", "и дорога была под водой", "почему ты мне не сказал об этом",
    "наверное, ты бы не послушал", "в зале было много людей", "принеси сюда лампу",
)  # fmt: skip
FRENCH = (
    "nous étions à la rivière", "où est la clé", "ça va très bien", "l'été dernier à Nîmes",
    "personne n'était là", "il a plu trois jours", "tu aurais pu me le dire",
)  # fmt: skip

Word: TypeAlias = tuple[str, float | None, float | None, str | None]
Change: TypeAlias = Callable[["Sample", random.Random], None]


@dataclass(slots=True)
class Cue:
    """A cue as it was meant: `lines` as they are written, `words` as they are spoken."""

    start: int
    end: int
    lines: list[str]
    words: list[str]
    speaker: str | None = None
    settings: str = ""


@dataclass
class Sample:
    """A file that is being made."""

    cues: list[Cue]
    name: str = "talk"
    style: dict[str, object] = field(default_factory=dict)
    axes: list[str] = field(default_factory=list)
    truth: list[Cue] | None = None
    has_speakers: bool = False

    def written(self, key: str, usual: str) -> str:
        """Return a setting of the style as text."""
        return str(self.style.get(key, usual))


def plain_cues(chance: random.Random, sentences: tuple[str, ...] = SENTENCES) -> list[Cue]:
    """Return cues in order, some of two lines."""
    cues, now = [], chance.randrange(0, 5000)
    for _ in range(chance.randrange(6, 24)):
        lines = [chance.choice(sentences) for _ in range(chance.choice((1, 1, 2)))]
        end = now + chance.randrange(900, 4200)
        cues.append(Cue(now, end, lines, " ".join(lines).split()))
        now = end + chance.choice((0, 40, chance.randrange(100, 4000)))
    return cues


def clock(ms: int, point: str = ",", *, hours: bool = True, digits: int = 3) -> str:
    """Write milliseconds as hours, minutes, seconds."""
    whole, rest = divmod(ms, 1000)
    head = f"{whole // 3600:02d}:" if hours or whole >= 3600 else ""
    tail = f"{point}{rest:03d}"[: 1 + digits] if digits else ""
    return f"{head}{whole // 60 % 60:02d}:{whole % 60:02d}{tail}"


def short(ms: int, digits: int = 3) -> str:
    """Write milliseconds with one digit for hours below 10, and a point."""
    return clock(ms, ".", digits=digits).removeprefix("0")


# what may be unusual in the cues of every format


def with_names(form: str) -> Change:
    """Return a change that gives speakers, written before the text in a form."""

    def change(sample: Sample, chance: random.Random) -> None:
        names = chance.sample(NAMES, 3)
        sample.has_speakers = True
        for cue in sample.cues:
            cue.speaker = chance.choice(names)
            cue.lines[0] = form.format(cue.speaker) + cue.lines[0]

    return change


def dialogue_dashes(sample: Sample, chance: random.Random) -> None:
    dash = chance.choice(("- ", "-", "– "))
    for cue in sample.cues:
        if len(cue.lines) == 2 and chance.random() < 0.7:
            cue.lines = [dash + line for line in cue.lines]


def arrows(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues[::2]:
        cue.lines[0] = ">> " + cue.lines[0]


def sounds(*forms: str) -> Change:
    """Return a change that adds cues, and parts of cues, that are sounds."""

    def change(sample: Sample, chance: random.Random) -> None:
        for cue in chance.sample(sample.cues, max(2, len(sample.cues) // 3)):
            form = chance.choice(forms)
            if chance.random() < 0.5:
                cue.lines, cue.words = [form], []
            else:
                cue.lines = [f"{form} {cue.lines[0]}", *cue.lines[1:]]

    return change


def sung(sample: Sample, chance: random.Random) -> None:
    for cue in chance.sample(sample.cues, 3):
        cue.lines = [f"♪ {cue.lines[0]}", *cue.lines[1:]]
        cue.lines[-1] += " ♪"


def tagged(before: str, after: str) -> Change:
    """Return a change that writes tags around lines."""

    def change(sample: Sample, chance: random.Random) -> None:
        for cue in sample.cues:
            if cue.lines and chance.random() < 0.5:
                number = chance.randrange(len(cue.lines))
                cue.lines[number] = f"{before}{cue.lines[number]}{after}"

    return change


def two_languages(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues:
        cue.lines = [cue.lines[0], chance.choice(RUSSIAN)]
        cue.words = cue.lines[0].split()


def one_blank_line_inside(sample: Sample, chance: random.Random) -> None:
    for cue in chance.sample(sample.cues, 2):
        more = chance.choice(SENTENCES)
        cue.lines = [*cue.lines, "", more]
        cue.words = [*cue.words, *more.split()]


def blank_first_line(sample: Sample, chance: random.Random) -> None:
    for cue in chance.sample(sample.cues, 3):
        cue.lines = ["", *cue.lines]


def empty_cues(sample: Sample, chance: random.Random) -> None:
    for cue in chance.sample(sample.cues, 2):
        cue.lines, cue.words = [], []


def overlapping(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues[:-1]:
        cue.end += 700


def out_of_order(sample: Sample, chance: random.Random) -> None:
    sample.cues[1], sample.cues[3] = sample.cues[3], sample.cues[1]


def zero_length(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues[1:3]:
        cue.end = cue.start


def hours_above_99(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues:
        cue.start += 100 * 3600_000
        cue.end += 100 * 3600_000


def later_hours(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues:
        cue.start += 3600_000 * 3
        cue.end += 3600_000 * 3


def entities(sample: Sample, chance: random.Random) -> None:
    for cue in filter(lambda cue: cue.lines, sample.cues[::3]):
        cue.words = [*cue.words, "Tom", "&", "Anne's"]
        cue.lines[-1] += " Tom &amp; Anne&#39;s"


def number_lines(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues[2:5]:
        cue.lines, cue.words = ["12", "is a number"], ["12", "is", "a", "number"]


def number_alone(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues[2:4]:
        cue.lines, cue.words = ["1984"], ["1984"]


def arrow_in_text(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues[2:4]:
        cue.lines, cue.words = ["from Rome --> Paris", "by train"], [
            "from", "Rome", "-->", "Paris", "by", "train",
        ]  # fmt: skip


def rolled(sample: Sample, chance: random.Random) -> None:
    """Let every cue repeat the last line of the cue before it."""
    before = ""
    for cue in sample.cues:
        if not cue.lines:
            continue  # another change emptied the cue
        line = cue.lines[-1] if cue.lines[-1] != before else cue.lines[-1] + " again"
        cue.words = line.split()
        cue.lines = [before, line] if before else [line]
        before = line


ALL: dict[str, Change] = {
    **{f"names {form!r}": with_names(form) for form in (
        "{}: ", "{}:\n", ">> {}: ", "- {}: ", "[{}] ", "({}) ", "- [{}] ", "[{}]: ", "({})\n",
        "[{}]\n", "{} - ",
    )},
    "dashes": dialogue_dashes,
    "arrows": arrows,
    "sounds in brackets": sounds("[music]", "[door slams]", "[APPLAUSE]", "[ Laughter ]"),
    "sounds in parentheses": sounds("(laughs)", "(sighs)", "(MUSIC PLAYING)"),
    "notes alone": sounds("♪", "♪♪", "♪ ♪", "♫"),
    "stars": sounds("*laughs*", "*door slams*"),
    "sung": sung,
    "two languages": two_languages,
    "overlaps": overlapping,
    "out of order": out_of_order,
    "zero length": zero_length,
    "hours above 99": hours_above_99,
    "later hours": later_hours,
    "numbers as lines": number_lines,
    "numbers alone": number_alone,
}  # fmt: skip


# what may be unusual in a file


def set_style(**style: object) -> Change:
    """Return a change that sets something of the style of the file."""

    def change(sample: Sample, chance: random.Random) -> None:
        sample.style.update(style)

    return change


def foreign(encoding: str, sentences: tuple[str, ...]) -> Change:
    """Return a change to another language in an encoding."""

    def change(sample: Sample, chance: random.Random) -> None:
        for cue in sample.cues:
            if not cue.words:
                continue
            said = [chance.choice(sentences) for _ in cue.lines]
            cue.lines = said
            cue.words = " ".join(said).split()
        sample.style["encoding"] = encoding

    return change


FILES: dict[str, Change] = {
    "CRLF": set_style(eol="\r\n"),
    "CR": set_style(eol="\r"),
    "CRCRLF": set_style(eol="\r\r\n"),
    "mixed ends": set_style(eol="mixed"),
    "BOM": set_style(encoding="utf-8-sig"),
    "UTF-16": set_style(encoding="utf-16"),
    "UTF-16 big": set_style(encoding="utf-16-be-bom"),
    "Latin-1": foreign("latin-1", FRENCH),
    "code page 1251": foreign("cp1251", RUSSIAN),
    "UTF-8 of others": foreign("utf-8", RUSSIAN),
    "no last end": set_style(tail="strip"),
    "many last ends": set_style(tail="more"),
    "blanks at ends": set_style(tail="blanks"),
    "control Z": set_style(tail="\x1a"),
    "as txt": set_style(suffix=".txt"),
}


def encoded(sample: Sample, text: str, chance: random.Random) -> bytes:
    """Write the text of a file with the ends of lines and the encoding of the style."""
    tail = sample.written("tail", "")
    if tail == "strip":
        text = text.rstrip("\n")
    elif tail == "more":
        text += "\n\n\n"
    elif tail == "blanks":
        text = "".join(line + chance.choice(("", "  ", " \t")) + "\n" if line else "\n"
                       for line in text.split("\n")[:-1])  # fmt: skip
    elif tail:
        text += tail
    eol = sample.written("eol", "\n")
    if eol == "mixed":
        text = "".join(line + chance.choice(("\n", "\r\n")) for line in text.split("\n"))
    elif eol != "\n":
        text = text.replace("\n", eol)
    encoding = sample.written("encoding", "utf-8")
    if encoding == "utf-16-be-bom":
        return b"\xfe\xff" + text.encode("utf-16-be")
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode()


# SubRip


def srt(sample: Sample, chance: random.Random) -> str:
    """Write the cues as SubRip in the style of the sample."""
    style, out = sample.style, []
    between, arrow = sample.written("between", "\n"), sample.written("arrow", " --> ")
    point, digits = sample.written("point", ","), int(str(style.get("digits", 3)))
    for number, cue in enumerate(sample.cues, 1):
        counter = {
            "missing": "", "repeated": f"{max(1, number // 2)}\n", "zero": f"{number - 1}\n",
            "jumps": f"{number * 3}\n", "same": "1\n", "hash": f"#{number}\n",
            "blank below": f"{number}\n\n", "dotted": f"{number}.\n", "padded": f"{number:04d}\n",
            "named": f"Cue {number}\n",
        }.get(sample.written("counter", ""), f"{number}\n")  # fmt: skip
        times = [
            clock(time, point, hours=not style.get("no hours"), digits=digits)
            for time in (cue.start, cue.end)
        ]
        if style.get("one digit"):
            times = [time[1:] if time[0] == "0" else time for time in times]
        settings = sample.written("settings", "")
        text = "".join(line + "\n" for line in cue.lines)
        out.append(f"{counter}{times[0]}{arrow}{times[1]}{settings}\n{text}{between}")
    return sample.written("head", "") + "".join(out) + sample.written("foot", "")


def whole_seconds(sample: Sample, chance: random.Random) -> None:
    sample.style["digits"] = 0
    for cue in sample.cues:
        cue.start, cue.end = cue.start // 1000 * 1000, cue.end // 1000 * 1000 + 1000


def tens(digits: int) -> Change:
    """Return a change to times of fewer digits after the point."""

    def change(sample: Sample, chance: random.Random) -> None:
        unit = 10 ** (3 - digits)
        sample.style["digits"] = digits
        for cue in sample.cues:
            cue.start, cue.end = cue.start // unit * unit, cue.end // unit * unit

    return change


# of formats whose cues end at a blank line
BLANKS: dict[str, Change] = {
    "blank inside": one_blank_line_inside,
    "blank first": blank_first_line,
    "empty cues": empty_cues,
    "no blank between": set_style(between=""),
    "two blanks between": set_style(between="\n\n"),
}
SRT: dict[str, Change] = {
    **{f"counter {kind}": set_style(counter=kind) for kind in (
        "missing", "repeated", "zero", "jumps", "same", "hash", "blank below", "dotted", "padded",
        "named",
    )},
    **BLANKS,
    "point": set_style(point="."),
    "colon before milliseconds": set_style(point=":"),
    "semicolon before milliseconds": set_style(point=";"),
    "whole seconds": whole_seconds,
    "one decimal": tens(1),
    "two decimals": tens(2),
    "no hours": set_style(**{"no hours": True}),
    "one digit of hours": set_style(**{"one digit": True}),
    "no blanks at the arrow": set_style(arrow="-->"),
    "short arrow": set_style(arrow=" -> "),
    "en dash arrow": set_style(arrow=" –> "),
    "wide arrow": set_style(arrow=" → "),
    "positions": set_style(settings="  X1:100 X2:600 Y1:050 Y2:100"),
    "settings of vtt": set_style(settings=" align:start position:0%"),
    "italics": tagged("<i>", "</i>"),
    "font": tagged('<font color="#ffff00">', "</font>"),
    "an8": tagged("{\\an8}", ""),
    "unclosed": tagged("<i>", ""),
    "braces": tagged("{i}", "{/i}"),
    "voices in srt": tagged("<v Anne>", "</v>"),
    "colours in srt": tagged("<c.yellow>", "</c>"),
    "spans": tagged('<span style="x">', "</span>"),
    "paragraphs": tagged("<p>", "</p>"),
    "breaks": tagged("", "<br>"),
    "breaks of ass": tagged("", "\\N"),
    "entities": entities,
    "arrow in text": arrow_in_text,
    "rolled": rolled,
    "head": set_style(head="My talk in two parts\n\n"),
    "head of vtt": set_style(head="WEBVTT\n\n"),
    "rule before": set_style(head="```\n", foot="```\n"),
    "last counter": set_style(foot="999\n"),
    "end": set_style(foot="\nEND\n"),
}  # fmt: skip


# WebVTT


def vtt(sample: Sample, chance: random.Random) -> str:
    """Write the cues as WebVTT."""
    style, out = sample.style, [sample.written("signature", "WEBVTT\n\n")]
    for number, cue in enumerate(sample.cues, 1):
        times = [
            clock(time, sample.written("point", "."), hours=not style.get("no hours"))
            for time in (cue.start, cue.end)
        ]
        counter = {"number": f"{number}\n", "name": f"intro-{number}\n", "uuid":
                   f"3f{number:04x}/12-0\n", "blank": f"{number}\n\n", "words":
                   f"cue of the {number}th second\n"}.get(sample.written("counter", ""), "")  # fmt: skip
        text = "".join(line + "\n" for line in cue.lines)
        arrow, settings = sample.written("arrow", " --> "), sample.written("settings", "")
        between = sample.written("between", "\n")
        out.append(f"{counter}{times[0]}{arrow}{times[1]}{settings}\n{text}{between}")
        if style.get("blocks") and number % 5 == 2:
            out.append(str(style["blocks"]))
    return "".join(out) + sample.written("foot", "")


def voices(form: str) -> Change:
    """Return a change that writes speakers as voices."""

    def change(sample: Sample, chance: random.Random) -> None:
        sample.has_speakers = True
        for cue in sample.cues:
            cue.speaker = chance.choice(NAMES)
            lines = "\n".join(cue.lines)
            cue.lines = form.format(cue.speaker, lines).split("\n")

    return change


def karaoke(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues:
        words = " ".join(cue.lines).split()
        step = (cue.end - cue.start) // (len(words) + 1)
        stamped = [f"<{clock(cue.start + n * step, '.')}><c> {w}</c>" for n, w in enumerate(words)]
        cue.lines = [words[0] + "".join(stamped[1:])]


def youtube(sample: Sample, chance: random.Random) -> None:
    """Write the cues as automatic captions: a line rolls up, and stays for 10 ms."""
    cues: list[Cue] = []
    truth: list[Cue] = []
    before = " "
    for cue in sample.cues:
        words = " ".join(cue.lines).split()
        step = (cue.end - cue.start) // (len(words) + 1)
        stamped = [f"<{clock(cue.start + n * step, '.')}><c> {w}</c>" for n, w in enumerate(words)]
        text = " ".join(words)
        cues.append(replace(cue, lines=[before, words[0] + "".join(stamped[1:])]))
        cues.append(Cue(cue.end, cue.end + 10, [text, " "], []))
        truth.append(cue)
        before = text
    sample.cues, sample.truth = cues, truth
    sample.style["settings"] = " align:start position:0%"
    sample.style["signature"] = "WEBVTT\nKind: captions\nLanguage: en\n\n"


VTT: dict[str, Change] = {
    **{f"id {kind}": set_style(counter=kind) for kind in (
        "number", "name", "uuid", "blank", "words"
    )},
    "head of YouTube": set_style(signature="WEBVTT\nKind: captions\nLanguage: en\n\n"),
    "title": set_style(signature="WEBVTT - the talk\n\n"),
    "FILE": set_style(signature="WEBVTT FILE\n\n"),
    "no signature": set_style(signature=""),
    "lower signature": set_style(signature="webvtt\n\n"),
    "blank before signature": set_style(signature="\nWEBVTT\n\n"),
    "no blank below": set_style(signature="WEBVTT\n"),
    "stamp map": set_style(signature="WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n"),
    "style": set_style(signature="WEBVTT\n\nSTYLE\n::cue { color: white }\n\n"),
    "region": set_style(signature="WEBVTT\n\nREGION\nid:one\nwidth:40%\n\n"),
    "notes": set_style(blocks="NOTE this is\na remark\n\n"),
    "note of one line": set_style(blocks="NOTE checked\n\n"),
    **BLANKS,
    "comma": set_style(point=","),
    "no hours": set_style(**{"no hours": True}),
    "settings": set_style(settings=" align:start position:10% line:80%,end"),
    "no blanks at the arrow": set_style(arrow="-->"),
    "italics": tagged("<i>", "</i>"),
    "colours": tagged("<c.yellow.bg_blue>", "</c>"),
    "font": tagged('<font color="red">', "</font>"),
    "an8": tagged("{\\an8}", ""),
    "language": tagged("<lang en-GB>", "</lang>"),
    "ruby": tagged("<b><u>", "</u></b>"),
    "voices": voices("<v {}>{}</v>"),
    "open voices": voices("<v {}>{}"),
    "voices of class": voices("<v.loud {}>{}</v>"),
    "voice and blank": voices("<v {}> {}</v>"),
    "karaoke": karaoke,
    "youtube": youtube,
    "rolled": rolled,
    "entities": entities,
    "nbsp": tagged("&nbsp;", "&lrm;"),
    "arrow in text": arrow_in_text,
    "end": set_style(foot="\nNOTE the end\n"),
}  # fmt: skip


# other formats


def ass(sample: Sample, chance: random.Random) -> str:
    """Write the cues as ASS."""
    order = sample.written(
        "order", "Layer Start End Style Name MarginL MarginR MarginV Effect Text"
    ).split()
    out = ["[Script Info]", "Title: talk", f"ScriptType: {sample.written('type', 'v4.00+')}", ""]
    if not sample.style.get("no styles"):
        out += ["[V4+ Styles]", "Format: Name, Fontname, Fontsize", "Style: Default,Arial,20", ""]
    out += ["[Events]", "Format: " + ", ".join(order)]
    for cue in sample.cues:
        fields = {
            "Layer": "0", "Marked": "Marked=0", "Style": "Default", "MarginL": "0000",
            "MarginR": "0000", "MarginV": "0000", "Effect": "", "Name": "",
            "Start": short(cue.start, 2), "End": short(cue.end, 2),
        }  # fmt: skip
        if sample.style.get("actors") and cue.speaker:
            fields["Name"] = cue.speaker
        fields["Text"] = "\\N".join(cue.lines)
        out.append("Dialogue: " + ",".join(fields[name] for name in order))
    return "\n".join([*out, *str(sample.style.get("extra", "")).split("|")]) + "\n"


def actors(sample: Sample, chance: random.Random) -> None:
    sample.style["actors"] = sample.has_speakers = True
    for cue in sample.cues:
        cue.speaker = chance.choice(NAMES)


def syllables(sample: Sample, chance: random.Random) -> None:
    for cue in sample.cues:
        cue.lines = [
            " ".join(f"{{\\k{20 + n}}}{w}" for n, w in enumerate(" ".join(cue.lines).split()))
        ]


ASS: dict[str, Change] = {
    "order": set_style(order="Layer Style Start End Name MarginL MarginR MarginV Effect Text"),
    "ssa": set_style(
        order="Marked Start End Style Name MarginL MarginR MarginV Effect Text", type="v4.00"
    ),
    "few columns": set_style(order="Start End Text"),
    "no styles": set_style(**{"no styles": True}),
    "actors": actors,
    "karaoke": syllables,
    "overrides": tagged("{\\i1\\c&HFFFFFF&}", "{\\i0}"),
    "position": tagged("{\\pos(10,20)\\fad(1,2)}", ""),
    "soft breaks": tagged("", "\\n"),
    "hard blanks": tagged("\\h", ""),
    "drawings": set_style(
        extra="Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}"
    ),
    "comments": set_style(extra="Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,not shown"),
}


def ttml(sample: Sample, chance: random.Random) -> str:
    """Write the cues as TTML."""
    form = sample.written("times", "clock")

    def time(ms: int) -> str:
        return {
            "clock": clock(ms, "."), "seconds": f"{ms / 1000:.3f}s", "ms": f"{ms}ms",
            "ticks": f"{ms * 10000}t", "bare": f"{ms / 1000:.3f}",
        }[form]  # fmt: skip

    space = sample.written("namespace", ' xmlns="http://www.w3.org/ns/ttml"')
    rate = ' ttp:tickRate="10000000" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"'
    out = [f'<?xml version="1.0" encoding="UTF-8"?>\n<tt{space}{rate} xml:lang="en">',
           sample.written("meta", "<head/>"), "<body>", sample.written("div", "<div>")]  # fmt: skip
    for cue in sample.cues:
        text = "<br/>".join(escape(line) for line in cue.lines)
        if sample.style.get("spans"):
            text = "<br/>".join(f'<span style="s1">{escape(line)}</span>' for line in cue.lines)
        end = f'end="{time(cue.end)}"'
        if sample.style.get("dur"):
            end = f'dur="{time(cue.end - cue.start)}"'
        agent = ""
        if sample.style.get("agents") and cue.speaker:
            agent = f' ttm:agent="a{NAMES.index(cue.speaker)}"'
        out.append(f'<p begin="{time(cue.start)}" {end}{agent}>{text}</p>')
    return "\n".join([*out, "</div>", sample.written("more", ""), "</body></tt>"]) + "\n"


def agents(sample: Sample, chance: random.Random) -> None:
    sample.style["agents"] = sample.has_speakers = True
    listed = "".join(f'<ttm:agent xml:id="a{n}" type="person"><ttm:name type="full">{name}'
                     "</ttm:name></ttm:agent>" for n, name in enumerate(NAMES))  # fmt: skip
    sample.style["meta"] = f"<head><metadata>{listed}</metadata></head>"
    sample.style["namespace"] = (
        ' xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"'
    )
    for cue in sample.cues:
        cue.speaker = chance.choice(NAMES)


def german_division(sample: Sample, chance: random.Random) -> None:
    """Add a translation as a second division."""
    more = "".join(f'<p begin="{clock(c.start, ".")}" end="{clock(c.end, ".")}">das Boot</p>'
                   for c in sample.cues)  # fmt: skip
    sample.style["div"] = '<div xml:lang="en">'
    sample.style["more"] = f'<div xml:lang="de">{more}</div>'


TTML: dict[str, Change] = {
    "seconds": set_style(times="seconds"),
    "milliseconds": set_style(times="ms"),
    "ticks": set_style(times="ticks"),
    "bare": set_style(times="bare"),
    "dur": set_style(dur=True),
    "spans": set_style(spans=True),
    "no namespace": set_style(namespace=""),
    "old namespace": set_style(namespace=' xmlns="http://www.w3.org/2006/10/ttaf1"'),
    "metadata": set_style(
        meta="<head><metadata><title>a title</title><desc>a word</desc></metadata></head>"
    ),
    "agents": agents,
    "languages": german_division,
}


def sbv(sample: Sample, chance: random.Random) -> str:
    """Write the cues as SBV."""
    return "".join(
        f"{short(c.start)},{short(c.end)}\n" + "".join(x + "\n" for x in c.lines) + "\n"
        for c in sample.cues
    )


def lrc(sample: Sample, chance: random.Random) -> str:
    """Write the cues as LRC; lines have no ends."""
    out = [sample.written("head", "")]
    for cue in sample.cues:
        stamp = clock(
            cue.start,
            sample.written("point", "."),
            hours=False,
            digits=int(str(sample.style.get("digits", 2))),
        )
        out.append(f"[{stamp}]{sample.written('gap', '')}{' '.join(cue.lines)}\n")
    return "".join(out)


LRC: dict[str, Change] = {
    "tags": set_style(head="[ti:the boat]\n[ar:Anne]\n[by:me]\n[length: 3:05]\n"),
    "whole seconds": set_style(digits=0),
    "milliseconds": set_style(digits=3),
    "colon": set_style(point=":"),
    "gap": set_style(gap=" "),
    "title": set_style(head="The boat\n\n"),
}


def microdvd(sample: Sample, chance: random.Random) -> str:
    """Write the cues as MicroDVD of 25 frames a second."""
    rows = [f"{{{c.start // 40}}}{{{c.end // 40}}}{'|'.join(c.lines)}\n" for c in sample.cues]
    return sample.written("head", "{1}{1}25\n") + "".join(rows)


MICRODVD: dict[str, Change] = {
    "rate of three decimals": set_style(head="{1}{1}25.000\n"),
    "styles": tagged("{y:i}", ""),
}


def mpl2(sample: Sample, chance: random.Random) -> str:
    """Write the cues as MPL2, in tenths of a second."""
    return "".join(f"[{c.start // 100}][{c.end // 100}]{'|'.join(c.lines)}\n" for c in sample.cues)


def subviewer(sample: Sample, chance: random.Random) -> str:
    """Write the cues as SubViewer."""
    head = "[INFORMATION]\n[TITLE]the boat\n[AUTHOR]me\n[SUBTITLE]\n[COLF]&HFFFFFF,[STYLE]no\n"
    return sample.written("head", head) + "".join(
        f"{clock(c.start, '.', digits=2)},{clock(c.end, '.', digits=2)}\n{'[br]'.join(c.lines)}\n\n"
        for c in sample.cues
    )


def sami(sample: Sample, chance: random.Random) -> str:
    """Write the cues as SAMI, with a sync of a blank where a cue ends."""
    out = ["<SAMI>\n<HEAD><TITLE>the boat</TITLE>\n<STYLE TYPE='text/css'><!--\n",
           ".ENCC {Name: English; lang: en-US;}\n.KRCC {Name: Korean; lang: ko-KR;}\n",
           "--></STYLE></HEAD>\n<BODY>\n"]  # fmt: skip
    for cue in sample.cues:
        out.append(f"<SYNC Start={cue.start}><P Class=ENCC>{'<br>'.join(cue.lines)}\n")
        if sample.style.get("korean"):
            out.append(f"<SYNC Start={cue.start}><P Class=KRCC>강으로 갔다\n")
        out.append(f"<SYNC Start={cue.end}><P Class=ENCC>&nbsp;\n")
        if sample.style.get("korean"):
            out.append(f"<SYNC Start={cue.end}><P Class=KRCC>&nbsp;\n")
    return "".join(out) + "</BODY></SAMI>\n"


def tmp(sample: Sample, chance: random.Random) -> str:
    """Write the cues as TMPlayer."""
    return "".join(f"{clock(c.start, digits=0)}:{'|'.join(c.lines)}\n" for c in sample.cues)


MADE: dict[str, tuple[Callable[[Sample, random.Random], str], dict[str, Change], int]] = {
    ".srt": (srt, SRT, 1),
    ".vtt": (vtt, VTT, 1),
    ".ass": (ass, ASS, 10),
    ".ttml": (ttml, TTML, 1),
    ".sbv": (sbv, {"blank inside": one_blank_line_inside, "entities": entities}, 1),
    ".lrc": (lrc, LRC, 10),
    ".sub": (microdvd, MICRODVD, 40),
    ".mpl": (mpl2, {"slashes": tagged("/", "")}, 100),
    ".subviewer.sub": (subviewer, {"no head": set_style(head="")}, 10),
    ".smi": (sami, {"two classes": set_style(korean=True), "italics": tagged("<i>", "</i>")}, 1),
    ".tmp.txt": (tmp, {}, 1000),
}
"""Each format: what writes it, what may be unusual in it, and its milliseconds."""
WEIGHTS = {".srt": 8, ".vtt": 8, ".ass": 4, ".ttml": 4}
NOT_OF_WORDS = frozenset((
    "ENCODING", "FORMAT-SUFFIX", "CUE-OPEN", "CUE-ORDER", "SRT-COUNTER", "TTML-NAMESPACE",
    "ASS-EVENT", "VTT-COMMA", "SUBVIEWER-HEAD", "VTT-HEADER", "VTT-HEAD", "SRT-LOOSE", "VTT-NOTE",
    "VTT-STYLE", "VTT-REGION", "CUE-EMPTY", "SRT-BLANKS", "VTT-TIMESTAMP-MAP", "LINE-ENDS",
    "ASS-COLON", "TTML-SMPTE", "ASS-STYLES", "MICRODVD-DEFAULT", "ASS-DRAWING",
))  # fmt: skip
"""Codes of remarks that do not tell that words, times or speakers are wrong."""
ENDLESS = frozenset((".lrc", ".tmp.txt", ".smi"))
XML = frozenset((".ttml", ".smi"))
AGAINST = (
    ("names", "names"), ("names", "dashes"), ("names", "arrows"), ("names", "numbers"),
    ("names", "sounds"), ("names", "voice"), ("names", "two languages"), ("names", "blank first"),
    ("names", "agents"), ("names", "actors"), ("names", "as txt"), ("counter", "counter"),
    ("id", "id"), ("two languages", "blank inside"), ("names", "empty"), ("names", "sung"), ("names", "notes"), ("names", "stars"),
    ("two languages", "file code"), ("two languages", "file UTF-8 of"), ("two languages", "file Latin"),
    ("file code", "file"), ("file Latin", "file"), ("karaoke", "dashes"),
)  # fmt: skip


def made(seed: int) -> tuple[str, bytes, Sample]:
    """Return a file's name, its bytes and what it means."""
    chance = random.Random(seed)
    suffixes = list(MADE)
    suffix = chance.choices(suffixes, [WEIGHTS.get(s, 2) for s in suffixes])[0]
    write, own, unit = MADE[suffix]
    files = {k: v for k, v in FILES.items() if suffix not in XML or k in ("CRLF", "BOM")}
    pool = {**{f"file {k}": v for k, v in files.items()}, **ALL, **own}
    sample = Sample(plain_cues(chance))
    wanted = chance.choice((1, 1, 2, 3))
    if suffix == ".lrc":
        pool.pop("two languages")
    order = {name: n for n, name in enumerate(pool)}
    names: list[str] = []
    while len(names) < wanted:
        # as many of the format's own as of all formats'
        group = chance.choice((own or ALL, ALL, files))
        name = chance.choice(list(group))
        name = f"file {name}" if group is files else name
        if name in pool and name not in names and not _clashes(name, names):
            names.append(name)
    # what changes texts comes first, then what is written around them
    names.sort(
        key=lambda name: (not name.startswith("file "), not name.startswith("names"), order[name])
    )
    for name in names:
        pool[name](sample, chance)
    for cue in sample.cues:
        cue.start, cue.end = cue.start // unit * unit, cue.end // unit * unit
        cue.lines = "\n".join(cue.lines).split("\n") if cue.lines else []
    sample.axes = [f"{suffix} {name}" for name in names]
    raw = encoded(sample, write(sample, chance), chance)
    name = f"talk{suffix}"
    if sample.style.get("suffix"):
        name = "talk.txt"
    return name, raw, sample


def _clashes(name: str, names: Iterable[str]) -> bool:
    return any(
        (name.startswith(a) and other.startswith(b)) or (name.startswith(b) and other.startswith(a))
        for other in names
        for a, b in AGAINST
    )


def true_words(sample: Sample, suffix: str) -> list[Word]:
    """Return what is true of the file: each word with the times of its cue and its speaker."""
    return [
        (word, cue.start / 1000, None if suffix in ENDLESS else cue.end / 1000, cue.speaker)
        for cue in (sample.truth or sample.cues)
        for word in cue.words
    ]


def read_words(path: Path) -> tuple[list[Word], list[str]]:
    """Return the words of a file with the times of their segments, and the codes of remarks."""
    transcript = formats.read(path)
    words = [
        (word, segment.start, segment.end, segment.speaker)
        for segment in transcript
        if segment.kind == "segment"
        for word in segment.words
    ]
    return words, [str(d) for d in transcript.diagnostics if d.code not in NOT_OF_WORDS]


def verdict(seed: int, folder: Path) -> tuple[str, Sample, str]:
    """Read a sample; return how it was read, the sample, and the difference."""
    name, raw, sample = made(seed)
    path = folder / name
    path.write_bytes(raw)
    suffix = name.removeprefix("talk")
    suffix = sample.axes[0].split(" ")[0] if sample.axes else suffix
    truth = true_words(sample, suffix)
    try:
        found, remarks = read_words(path)
    except FormatError as error:
        return "refused", sample, str(error)
    if suffix in ENDLESS:
        found = [(word, start, None, who) for word, start, _, who in found]
        truth.sort(key=lambda word: word[1] or 0)
        found.sort(key=lambda word: word[1] or 0)
    if suffix == ".lrc" and not sample.style.get("digits", 2):
        truth = [(word, start and start // 1, end, who) for word, start, end, who in truth]
    if found == truth:
        return "right", sample, ""
    odd = next((pair for pair in zip(truth, found, strict=False) if pair[0] != pair[1]), None)
    shown = f"expected {odd[0]}, found {odd[1]}" if odd else f"{len(truth)} and {len(found)} words"
    return ("told" if remarks else "silent"), sample, f"{shown} | {' '.join(remarks)[:300]}"

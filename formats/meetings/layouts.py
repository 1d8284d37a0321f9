"""The layouts of plain text with speakers or times that need no description by the user.

Each row of the table is a layout in the syntax of `formats.reading.patterns`. Before lines are
compared with it, Markdown's emphasis, headings, list marks and links are removed, and full-width
characters are replaced by ASCII, so that one row covers all these forms.

The head of a turn is the beginning of its line: the name, the times, or both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from formats.reading.patterns import WIDE, Pattern, compile_pattern, strip_edges
from formats.reading.speakers import PICTURE
from formats.schema import lazy_pattern

__all__ = ["INSIDE", "IN_ANGLES", "LAYOUTS", "NAME_AND_ROLE", "Folded", "TextLayout", "fold"]

CLOCKS = "{start clock}{?{to}{end clock}?}"
TIMES = "{start}{?{to}{end}?}"
SPAN = "{start}{to}{end}"
SECONDS = "{start 0.0}{?s?}{?{to}{end 0.0}{?s?}?}"
SETTING = "{? [{_}={_}]?}"
SIGNS_BESIDE = (" - ", " | ", "{? ?},{? ?}", "{? ?};{? ?}", " > ")
FRAMES = ("00:00:00:00", "00:00:00;00", "00:00:00:000")
PARTS = "段 節 节 章"
ENGLISH_PARTS = "Part Segment Chunk Section Chapter Subtitle Cue Caption Clip"
COUNTED = "Sentence Line Segment Utterance Chunk Sample Phrase"


class TextLayout(NamedTuple):
    """A layout of plain text: patterns of lines that begin a turn, with conditions.

    `least`, `share` and `is_paced` are conditions of times, and of texts without names. Names
    without times are judged by all evidence; `fewest` is a part of it.

    Attributes
    ----------
    patterns: the first pattern that fits a line is used.
    names: what may be a speaker: ``names``, ``codes`` (also codes in small letters), ``nicks``
        (also with points inside), ``users`` (also one word in small letters),
        ``labels`` (only generic labels such as Speaker 1), or ``any``; empty without speakers;
        ``ids`` if each line has an identifier, or the name of its audio file, as `{id}`.
    least: the smallest number of heads that a text must have.
    share: the smallest share of lines that must begin with a head; it applies only if text follows
        heads on the same line.
    is_clock: whether times may be times of day.
    is_raw: whether Markdown marks are part of the pattern.
    fewest: how many speakers must have several turns; used if the lines may also be prose.
    is_paced: whether times must increase at the pace of speech; otherwise they are not times.
    """

    patterns: tuple[str, ...]
    names: str = "names"
    least: int = 3
    share: float = 0.0
    is_clock: bool = False
    is_raw: bool = False
    fewest: int = 0
    is_paced: bool = False

    @property
    def name(self) -> str:
        """The name of the layout, which is its first pattern."""
        return self.patterns[0]

    @property
    def needs_digit(self) -> bool:
        """True if every line that begins a turn has a time, and therefore a digit."""
        return all("{start" in pattern or "{end" in pattern for pattern in self.patterns)

    @property
    def has_bare_numbers(self) -> bool:
        """True if times are plain numbers without signs around them, as in tables with tabs."""
        return self.name.startswith("{start 0.0}") and "\t" not in self.name

    @property
    def is_in_milliseconds(self) -> bool:
        """True if both times are whole numbers: of milliseconds, as nobody counts in seconds."""
        return "{start 0} {end 0}" in self.name

    @property
    def is_dated(self) -> bool:
        """True if dates precede the times, as in chats."""
        return "{date" in self.name

    @property
    def is_of_play(self) -> bool:
        """True if names in capitals with a full stop are above texts, as in printed plays."""
        return self.name == NAME_OF_PLAY

    def compiled(self) -> tuple[Pattern, ...]:
        """Return the compiled patterns."""
        return tuple(map(compile_pattern, self.patterns))


@lru_cache(maxsize=512)
def signs_of(pattern: str) -> frozenset[str]:
    """Return the characters that each line with a pattern has, apart from usual blanks."""
    while (literal := OPTIONAL.sub("", pattern)) != pattern:
        pattern = literal
    return frozenset(FIELD.sub("", pattern)) - BLANKS


@lru_cache(maxsize=512)
def leads_of(pattern: str) -> tuple[str, ...]:
    """Return the beginnings of which each line with a pattern has one; none if they are not known.

    >>> leads_of("{speaker Q|A}.{? -?} {text}"), leads_of("{speaker}: {text}")
    (('Q.', 'A.'), ())
    """
    listed = LISTED_FIRST.match(pattern.translate(WIDE))
    if listed is None:
        return ()
    return tuple(strip_edges(name) + listed[2] for name in listed[1].split("|"))


def induced_layout(pattern: str) -> TextLayout:
    """Return the layout with a pattern that is derived from the text.

    A head with a name behind a time or a number is no sentence. Of other heads most lines must have
    one, and names without times must return.
    """
    fields = compile_pattern(pattern).names
    is_named, is_dated = "speaker" in fields, "{date" in pattern
    is_marked = is_named and not fields.isdisjoint(("start", "id"))
    return TextLayout(
        (pattern,), "codes", share=0.0 if is_marked else 0.8, is_clock=is_dated,
        fewest=2 if is_named and "start" not in fields else 0,
        is_paced="start" in fields and not is_dated,
    )  # fmt: skip


OPTIONAL = lazy_pattern(r"\{\?(?:(?!\{\?|\?\}).){0,200}\?\}")
FIELD = lazy_pattern(r"\{[^{}]{1,2000}\}")
"""An optional part without another inside, and a field."""
LISTED_FIRST = lazy_pattern(r"\{speaker ([^\s{}|]{1,60}(?:\|[^\s{}|]{1,60})+)\}([.:)]?)")
"""Names of one word that a pattern lists at its beginning, and a sign that follows directly."""
BLANKS = frozenset(" \xa0")
DATED_ALONE = "{date digits}, {start clock} - {text}"
"""A message of a chat without names."""
NAME_ALONE = "{speaker}{? ?}"
"""A name on the first line of a paragraph, without a time, as Otter writes it."""
NAME_WITH_POINT = "{speaker word}."
"""One word with a full stop, which is nowhere a word in small letters, as in plays."""
WIDE_BLANK = "{speaker}\u3000{text}"
"""A name and a wide blank, as in Japanese prints."""
IN_ANGLES = "<{?@?}{?+?}{?%?}{speaker}> {text}"
"""A name in angle brackets, perhaps behind the sign of an office, as in chats."""
NAME_OF_PLAY = "{speaker CAPS}."
"""A name alone on its line in a printed play."""
NAME_AND_ROLE = "{speaker} -- {_}"
"""The same with the person's role, as in calls with investors."""
SENDERS = (
    ("{?v?}{?V?}on", "an"), ("De", "{?par?}{?Par?}a"), ("De", "à"), ("Da", "a"), ("Van", "aan"),
    ("Od", "do"), ("Från", "till"), ("Dari", "ke{?pada?}"), ("Từ", "đến"), ("От", "до"),
    ("От", "кому"), ("開始", "宛先"), ("来自", "到"), ("从", "到"),
)  # fmt: skip
"""What is before the sender and the receiver of a message in the chats of Zoom, by language."""


# fmt: off
LAYOUTS = (
    TextLayout(("{?[?}{start clock}{?{to}{end clock}?}{?]?} <v {speaker any}>{? {text}?}",), "any"),
    TextLayout(("{speaker} - {date digits} {start clock}", *(
        f"{{speaker}} - {day} at {{start clock}}" for day in ("Today", "Yesterday"))),
        "users", is_clock=True),
    TextLayout((
        "{speaker any}{?,?} [{date digits} {start clock}]{?:?}",
        "{speaker any}, [{date} at {start clock}]{?:?}"), "any", is_clock=True),
    TextLayout((
        "[{date digits}{?,?} {start clock}]{? -?} {speaker}",
        "[{date digits}] [{start clock}] {speaker}"),
        "nicks", is_clock=True),
    TextLayout((
        "{?{date digits} ?}{start clock}{? ?}From{? ?}{speaker any} to {_}:{? {text}?}",
        "{start clock}{? ?}From{? ?}{speaker any} To {_}:{? {text}?}",
        *(f"{{start clock}} {sender} {{speaker any}} {receiver} {{_}}:{{? {{text}}?}}"
          for sender, receiver in SENDERS),
        *(f"{{start clock}} {sender} {{speaker any}} :{{? {{text}}?}}"
          for sender in dict.fromkeys(("From", *(sender for sender, _ in SENDERS)))),
        "{start clock} {speaker any} to Everyone{?:?}"), "any", 2, is_clock=True),
    TextLayout((
        "{?[?}{?{date digits} ?}{start clock}{?]?} <{? ?}{?@?}{?+?}{speaker any}> {text}",),
        "any", share=0.5, is_clock=True),
    TextLayout((
        f"{{speaker}} - {CLOCKS}", f"{{speaker}} | {CLOCKS}",
        "{speaker any} {start clock} {end clock}",
        f"{{speaker any}} {CLOCKS}"), "users"),
    TextLayout((
        CLOCKS, f"[{CLOCKS}]", f"({CLOCKS})", "{start 0.0} --> {end 0.0}",
        "{start 00:00:00:00} {end 00:00:00:00}")),
    TextLayout((
        "{start decimals}", "{start decimals} {end decimals}", "{start 0}s",
        "{start 0}{to}{end 0}s"), "", is_paced=True),
    TextLayout((
        f"{{speaker}}{{?:?}}{{? -?}} ({CLOCKS}){{?:?}}{{? {{text}}?}}",
        "{speaker any} ({start clock}):{? {text}?}",
        "({start clock}){?:?}{? {text}?}",
        f"{{speaker}}{{?:?}}({CLOCKS}){{?:?}}{{? {{text}}?}}",
        "{speaker}({start clock}):{text}", f"{{speaker}} ({SPAN}){{?:?}}{{? {{text}}?}}")),
    TextLayout((
        *(f"{{speaker}}{sign} {CLOCKS}:{{? {{text}}?}}" for sign in (",", " @", " at")),
        *(f"{{speaker}}{sign} {SECONDS}:{{? {{text}}?}}" for sign in (",", " @", " at"))), "codes"),
    TextLayout((
        f"{{speaker}}{{? ({{_}})?}}{{?:?}}{{?,?}}{{? -?}} [{TIMES}]{{?:?}}{{? {{text}}?}}",)),
    TextLayout((
        "{speaker} from {start}{to}{end}:{? {text}?}",
        "{speaker}{?:?} {start 0.0}{?s?}{to}{end 0.0}{?s?}",
        "Speaker {speaker word}: from {start 0.0}{?s?}{to}{end 0.0}{?s?}",
        "{speaker}:\t{start clock}\t{text}"), "codes"),
    TextLayout(("[{speaker any}] {start clock}",), "any", 1, is_clock=True),
    TextLayout(("[{start clock}]{speaker any}:{? {text}?}",), "codes", is_clock=True),
    TextLayout(
        (f"[{TIMES}]{{?:?}} {{speaker}}{{? ({{_}}: {{_}})?}}{{? ?}}:{{? {{text}}?}}",
         f"({TIMES}){{?:?}} {{speaker}}:{{? {{text}}?}}",
         f"[{TIMES}]{{?:?}} [{{speaker}}]{{?:?}}{{? {{text}}?}}",
         f"[{TIMES}]{{?:?}} {{speaker any}}:{{? {{text}}?}}",
         f"({TIMES}){{?:?}} {{speaker any}}:{{? {{text}}?}}"),
        "codes"),
    TextLayout((
        f"[{CLOCKS}] {{speaker}} - {{text}}", f"({CLOCKS}) {{speaker}} - {{text}}"),
        "codes", share=0.6),
    TextLayout((f"[{CLOCKS}] {{text}} ({{speaker}})",), share=0.8, fewest=2),
    TextLayout((
        f"[{SPAN}] {{id}} {{speaker}}", f"{SPAN}{{?:?}} {{speaker}}", f"{SPAN} | {{speaker}}",
        "{start 0.0} {end 0.0} {speaker}", "({start 0.0},{? ?}{end 0.0}){?:?} {speaker}",
        "[{start 0.0},{? ?}{end 0.0}]{?:?} {speaker}",
        "{speaker}\t{start 0.0}\t{end 0.0}", "{speaker} | {start 0.0} | {end 0.0}"), "labels"),
    TextLayout((
        f"[{{_}}={{_}}] [{SPAN}]{3 * SETTING}{{?:?}}{{? {{text}}?}}",
        f"[{SPAN}] [{{_}}={{_}}]{3 * SETTING}{{?:?}}{{? {{text}}?}}",
        f"[{SPAN}] ({{_}}={{_}}){{?:?}}{{? {{text}}?}}"), "", share=0.8),
    TextLayout((f"[{SPAN}]{{?:?}}{{? {{text}}?}}", f"({SPAN}){{?:?}}{{? {{text}}?}}")),
    TextLayout((
        "[{start clock}] - {speaker any}", "({start clock}) - {speaker}",
        "[{start clock}] | {speaker}", "({start clock}) | {speaker}")),
    TextLayout((
        "[{start clock}] {speaker Q|A}{?.?} {text}", "({start clock}) {speaker Q|A}{?.?} {text}",
        "{start clock} {speaker Q|A}. {text}"), "any", share=0.5, fewest=2),
    TextLayout(("[{start clock}] {speaker any}",), is_clock=True),
    TextLayout((
        f"[{{speaker any}}]{{? ?}}[{CLOCKS}]{{?:?}}{{? {{text}}?}}",
        "[{speaker any}]{? ?}[{start 0.0}{?s?}{to}{end 0.0}{?s?}]{?:?}{? {text}?}")),
    TextLayout((
        "{start clock} {speaker}", "{start clock} - {speaker}", "{start clock} | {speaker}",
        "{start clock} - {speaker} ({_})")),
    TextLayout((f"{CLOCKS} - {{speaker}}{{? {{text}}?}}",), "labels"),
    TextLayout(
        (f"[{SPAN}]{{?:?}} {{speaker word}} {{text}}", f"({SPAN}){{?:?}} {{speaker word}} {{text}}",
         f"{SPAN}{{?:?}} {{speaker word}} {{text}}", "[{start clock}] {speaker word} {text}"),
        "labels", share=0.8),
    TextLayout(("[{speaker}]{?:?}{text}",), "labels", share=0.6),
    TextLayout((
        "[Speaker: {speaker}{?, {_}?}]{?:?} {text}", "[{speaker}, {_}]{?:?} {text}"),
        share=0.6, fewest=2),
    TextLayout(
        tuple(f"{sign}{{speaker any}} {{text}}" for sign in "○◯◎●◆"), "any", share=0.1, fewest=2),
    TextLayout(tuple(
        f"{CLOCKS}{sign}{{speaker}}{second}{{text}}" for sign, second in (
            *zip(SIGNS_BESIDE, SIGNS_BESIDE, strict=True), (" ", " | "))),
        "users", share=0.8, fewest=2),
    TextLayout((
        "{start clock} - {speaker}: {text}", "{?@?}{start clock} {speaker}:{? {text}?}",
        "{start clock} | {speaker any}:{? {text}?}",
        f"{CLOCKS} {{speaker}}:{{? {{text}}?}}",
        f"{CLOCKS}, {{speaker}}:{{? {{text}}?}}",
        f"{CLOCKS}{{? -?}}{{?,?}} {{speaker any}}:{{? {{text}}?}}"), is_clock=True),
    TextLayout((f"{{speaker}} {CLOCKS}{{?:?}} {{text}}",), "labels"),
    TextLayout((
        "{speaker} {start 0.0} {end 0.0}{?:?} {text}", f"{{speaker}} {SECONDS}{{?:?}} {{text}}",
        f"{{speaker}} ({SECONDS}){{?:?}} {{text}}"),
        "labels", share=0.8, is_paced=True),
    TextLayout(("{start clock}\t{speaker any}:\t{text}",), "any", is_clock=True),
    TextLayout(("{start clock}\t{speaker}\t{text}",)),
    TextLayout((
        "{start 00:00:00}{?:?} {text}", "{start 00:00:00:00} {end 00:00:00:00} {text}",
        "{start 00:00:00.0}{?:?} {text}",
        "{start 00:00:00:000} {text}", "{start 00:00:00:00} {text}",
        "{start 00:00:00,0} {text}",
        *(f"[{{start {frames}}}]{{?:?}} {{text}}" for frames in FRAMES)),
        "", 2, 0.6, is_clock=True),
    TextLayout((
        "{start 00:00}{?:?} {text}", "{start 00:00.0}{?:?} {text}"), "", share=0.8),
    TextLayout((
        "{start spelt}{?:?} {text}", "[{start spelt}]{?:?} {text}", "({start spelt}){?:?} {text}",
        "{start 0}s{?:?} {text}"), "", share=0.8),
    TextLayout((
        "{id} {start clock} --> {end clock} {text}", "{start clock}{to}{end clock}{?:?} {text}",
        "{start 0.0}{to}{end 0.0}: {text}",
        "<{start clock}> {text}"),
        "", share=0.8),
    TextLayout((
        "{start 0.0}{?s?}{to}{end 0.0}{?s?}{?:?} {text}", "{start 0.0} {end 0.0} {text}",
        "[{start 0.0},{? ?}{end 0.0}]{?:?} {text}", "({start 0.0},{? ?}{end 0.0}){?:?} {text}",
        "[{start 0.0}:{end 0.0}] {text}", "{start 0.0}s{?:?} {text}",
        "{text word} {start 0.0} {end 0.0}", f"{{text}} [{SPAN}]", f"{{text}} ({SPAN})",
        "{start decimals}{? ?}{?:?}{? -?} {text}",
        "{text}\t{start 0.0}\t{end 0.0}",
        "{text} start={? ?}{start 0.0}{?,?} end={? ?}{end 0.0}"),
        "", share=0.8, is_paced=True),
    TextLayout((
        "{start 0} {end 0} {text}", "{id} {start 0} {end 0} {text}"), "", share=0.8, is_paced=True),
    TextLayout((
        "{start 0.0} {end 0.0} {speaker}: {text}", "{start 0.0} {end 0.0} {speaker word} {text}",
        "{start 0.0}{?s?}{to}{end 0.0}{?s?} {speaker word}{?:?} {text}",
        "({start 0.0},{? ?}{end 0.0}){?:?} {speaker}:{? {text}?}",
        "[{start 0.0},{? ?}{end 0.0}]{?:?} {speaker}:{? {text}?}",
        "start={start 0.0}{?s?} {?stop?}{?end?}={end 0.0}{?s?} speaker_{speaker word}",
        "start={start 0.0}{?s?} {?stop?}{?end?}={end 0.0}{?s?} {speaker word}"), "codes"),
    TextLayout((
        "{start 0.0} {end 0.0}\t{speaker any}:{? ?}\t{text}", "{start 0.0} {end 0.0}\t\t{text}",
        "{start 0.0}\t{end 0.0}\t{speaker any}:{? ?}\t{text}"), "any", share=0.8, is_paced=True),
    TextLayout((
        "Start: {start}, End: {end}, Sentence: {text}", "Start: {start}, End: {end}, Text: {text}",
        "Start: {start}, End: {end}{?,?} {text}"), "", share=0.8),
    TextLayout(("[{start 0.0}{?s?}]{?:?} {text}", "[{start 0}s]{?:?} {text}"), "", share=0.8),
    TextLayout((
        "[{start 0.0}{?s?}]{? ?}[{speaker}]{?:?} {text}",
        f"{CLOCKS} [{{speaker}}]{{?:?}} {{text}}", f"{CLOCKS} ({{speaker}}){{?:?}} {{text}}",
        f"{SPAN} [{{speaker any}}]", f"{SPAN} ({{speaker any}})",
        f"{SPAN} {{speaker}}:{{? {{text}}?}}", f"{SPAN},{{? ?}}{{speaker}}:{{? {{text}}?}}")),
    TextLayout((
        *(f"第{{? ?}}{{id}}{{? ?}}{part}{{? ?}}({SPAN})" for part in PARTS.split()),
        *(f"{part} {{id}}{{?:?}}{{? -?}} {span}"
          for part in ENGLISH_PARTS.split() for span in (f"({SPAN})", f"[{SPAN}]", SPAN)))),
    TextLayout((
        "{speaker any}: {text}{? ?}#{end clock}#", "{text}{? ?}#{end clock}#",
        "#{start clock}#{? {text}?}"), "any"),
    TextLayout((
        "[{date digits}{?,?} {start clock}]{?:?}{? -?} {text}",
        "{date digits}{?T?}{? ?}{start clock}{?Z?}{?:?}{? -?} {text}"), "", 3, 0.9, is_clock=True,
        is_paced=True),
    TextLayout((
        DATED_ALONE, "[{date digits}, {start clock}] {text}"), "", share=0.3, is_clock=True),
    TextLayout(("[{date}, {start clock}] {speaker any}{? ?}: {text}",
            "{date}, {start clock} - {speaker any}{? ?}: {text}"), "any", share=0.6, is_clock=True),
    TextLayout((
        "[{date digits}{? ?}{?T?}{start clock}{?Z?}] {speaker any}{? ?}:{? {text}?}",
        "{date digits} {start clock}\t{speaker any}\t{text}",
        "{date digits} {start clock}{? -?} {speaker}:{? {text}?}",
        "{date digits} {start clock} - {speaker any}:{? {text}?}"), "users", is_clock=True),
    TextLayout((
        "{speaker any} {date digits} {start clock}", "{date digits} {start clock} {speaker any}"),
        "users", is_clock=True, fewest=2),
    TextLayout((
        "{speaker}, {date digits}T{start clock}{?Z?}, {date digits}T{end clock}{?Z?}{? =>?} {text}",
        "{date digits}T{start clock}{?Z?}{? -?} {speaker}: {text}"), is_clock=True),
    TextLayout((
        "{speaker word} ({start 0}s):{? {text}?}", "{speaker} ({start 0}s):{? {text}?}",
        "{speaker word} ({start spelt}):{? {text}?}"), "any"),
    TextLayout((
        *(f"{{id}}{sign} {{text}}" for sign in ("{? ?}:", " -", " |", " =>", " ->")),
        "[{id}]{?:?} {text}", '({? ?}{id} "{text}"{? ?})', '"{id}"{?:?}{?,?} "{text}"',
        '{id} "{text}"',
        *(f"{{id}}{sign}{{? ?}}{{text}}" for sign in (":", "{? ?},", "{? ?};", "{? ?}=")),
        "{id} {text}"),
        "ids", share=0.8),
    TextLayout(("{id} [{start 0.0}{to}{end 0.0}]:{? {text}?}",), "ids", share=0.8),
    TextLayout(("{id} [{speaker}]{?:?} {text}",), least=4, share=0.3),
    TextLayout(tuple(f"{part} {{id}}:{{? {{text}}?}}" for part in COUNTED.split()), "", share=0.8),
    TextLayout((
        "{speaker}{? ?}->{? ?}{_}:{? ?}{text}", "{speaker}{? ?}→{? ?}{_}:{? ?}{text}"),
        "users", share=0.8, fewest=2),
    TextLayout(("@{speaker}: {text}", "@{speaker word} {text}"), "any", share=0.8),
    TextLayout(("{speaker}@ {text}",), "codes"),
    TextLayout(("{speaker} - {text}",), share=0.8, fewest=2),
    TextLayout(
        ("{speaker} > {text}", "{speaker} >> {text}", "{speaker} | {text}", "{speaker} -- {text}",
        "{speaker} // {text}", "{speaker} → {text}", "{speaker} => {text}", "{speaker} -> {text}",
        "{speaker} ~ {text}", "{speaker} :: {text}", "{speaker}> {text}", "{speaker}; {text}"),
        share=0.8, fewest=2),
    TextLayout((
        '"{text}" - {speaker}', "“{text}” - {speaker}", '"{text}" ({speaker})'), share=0.8,
        fewest=2),
    TextLayout((
        "{speaker}「{text}」", "{speaker}『{text}』", '{speaker} "{text}"', "{speaker} “{text}”"),
        share=0.8, fewest=2),
    TextLayout(tuple(
        f'{{speaker}} {verb}{{?,?}}{{?:?}} "{{text}}"'
        for verb in ("says", "said", "asks", "asked", "replies", "replied")), share=0.8, fewest=2),
    TextLayout(("<{speaker}>{text}</{_}>", "<{speaker}> {text}"), share=0.8, fewest=2),
    TextLayout(('<{_}="{speaker any}">{text}</{_}>',), "any", share=0.8, fewest=2),
    TextLayout((IN_ANGLES,), "users", share=0.8, fewest=2),
    TextLayout((
        ">> {speaker}:{? {text}?}", ">> {text}", ">>> {speaker}:{? {text}?}", ">>> {text}"),
        least=4),
    TextLayout((
        *(f"{number} {{speaker}}{{? ({{_}})?}}:{{? {{text}}?}}"
          for number in ("{id}.", "{id})", "({id})", "#{id}")),), "users", share=0.8, fewest=2),
    TextLayout((
        "{speaker titled}. {text}", "{speaker CAPS}. {text}", "{speaker CAPS} ({_}). {text}",
        "{speaker CAPS} [{_}]. {text}", "{speaker CAPS}, {_}. {text}"), share=0.3, fewest=2),
    TextLayout((
        "{speaker CAPS}{? ({_})?} - {text}", "{speaker CAPS}{? ({_})?} -{text}"),
        share=0.3, fewest=2),
    TextLayout(("{speaker titled}. {?- ?}{text}",), share=0.5, fewest=2),
    TextLayout((
        "{speaker CAPS}, {_}.--{? ?}{text}",
        "{speaker}.--{? ?}{text}", "{speaker} ({_}).--{? ?}{text}",
        "{speaker} ({_}). - {text}", "{speaker}. - {text}", "{speaker}, {_}. - {text}",
        "{speaker}.- {text}", "{speaker}.-{text}", "{speaker} ({_}).-{text}"),
        share=0.3, fewest=2),
    TextLayout((
        "{speaker Q|A}{?.?} {text}", "{speaker CAPS}: {text}"), "any", share=0.5, fewest=2),
    *(TextLayout((
        f"{{speaker {pair}}}.{{? -?}} {{text}}", f"{{speaker {pair}}}.- {{text}}",
        f"{{speaker {pair}}}) {{text}}"), "any", share=0.5, fewest=2)
      for pair in (
          "P|R", "F|A", "D|R", "I|R", "Q|A", "В|О", "V|A", "Q|R", "P|O", "S|C",
          "問|答|问|문|답|س|ج|ש|ת|प्र|उ")),
    TextLayout(("TRANSCRIBED: Text={text} Speaker ID={speaker any}",), "any", least=2),
    TextLayout(("[{speaker}]", "({speaker})"), fewest=2),
    TextLayout(("{speaker}\t{text}",), share=0.9),
    TextLayout((WIDE_BLANK,), share=0.8, fewest=2),
    TextLayout(("({start clock}){?:?} {text}",), "", share=0.5),
    TextLayout(("--- {speaker} ---", "=== {speaker} ===", "-- {speaker} --", "--{speaker}--")),
    TextLayout(("{speaker}",), "labels"),
    TextLayout((
        NAME_AND_ROLE, "{speaker}, {_} -- {_}", "{speaker}, {_} - {_}", "{speaker} - {_}",
        "{speaker}--{_}",
        "{speaker} ({_})", NAME_ALONE, NAME_WITH_POINT)),
    TextLayout((
        NAME_OF_PLAY, "{speaker CAPS}, {_}.", "{speaker CAPS} ({_}).", "{speaker CAPS} [{_}]."),
        fewest=2),
    TextLayout((
        '<SPEAKER ID={_} NAME="{speaker any}"{?{_}?}>',
        '<SPEAKER ID={_} NAME={speaker any}>'), "any", least=2),
    TextLayout((
        f"{{?> ?}}{{?- ?}}**{{speaker}}** {{?`?}}{{?*?}}{CLOCKS}{{?*?}}{{?`?}}{{? {{text}}?}}",
        f"{{?> ?}}{{?- ?}}{{?`?}}{{?[?}}{CLOCKS}{{?]?}}{{?`?}} **{{speaker}}** {{text}}",
        f"{CLOCKS} {{text}}"), is_raw=True),
    TextLayout(("##{?#?}{?#?}{?#?}{?#?} {speaker}{? ({_})?}{?:?}",), "users", is_raw=True),
    TextLayout(
        ("##{?#?}{?#?}{?#?}{?#?} {speaker}: {text}",), share=0.8, fewest=2, is_raw=True),
    TextLayout((
        "**{speaker}** ({_}). {text}", "**{speaker}** {text}",
        "_{speaker}_. {text}", "_{speaker}._ {text}",
        "*{speaker}*{?.?} {text}", "*{speaker}.* {text}", "**{speaker}.** {text}",
        "={speaker}.= {text}", "={speaker}={?.?} {text}"),
        share=0.6, fewest=2, is_raw=True),
    TextLayout(
        ("*{speaker}*", "_{speaker}_", "**{speaker}{?:?}**{?:?}", "**{speaker} ({_}):**"),
        "users", is_raw=True),
)
# fmt: on
INSIDE = "{text} [{start}] {text}"
"""Times inside paragraphs."""

MARKS = lazy_pattern(
    r"\*\*|__|`|(?<=[\])0-9])[ ]?\(https?://[^()\s]{1,300}\)|\((?<=\]\()https?://[^()\s]{1,300}\)|\]\((?<=\)\]\()https?://[^()\s]{1,300}\)"
    r"|\[(?=\([^()]{1,20}\)\]\(http)"
    r"|\*(?:(?<![\w*]\*)(?=[\[(0-9])|(?<=[0-9\])]\*)(?!\w))"
    r"|_(?:(?<![\w*]_)(?=[\[(0-9])|(?<=[0-9\])]_)(?!\w))"
)
"""Marks of Markdown; each branch begins with its sign, by which they are found faster."""
LEADS = lazy_pattern(
    rf"(?:{PICTURE}|(?:#{{1,6}}|§)[ \t]+"
    r"|[-+*][ \t]{1,4}(?=.{0,60}?(?:\*\*|__|[0-9]:[0-9]{2}.{0,20}[ ]))|>[ \t]+)+"
)
FIRST_DIGITS = "\u0660\u06f0\u0966\u09e6\uff10"
"""Zero in Arabic, Persian, Hindi, Bengali and wide digits."""
SIGNS = str.maketrans(
    {
        **{chr(a): chr(b) for a, b in WIDE.items()}, "·": "-", "•": "-", "\u202f": " ",
        **{chr(ord(zero) + n): str(n) for zero in FIRST_DIGITS for n in range(10)},
    }
)  # fmt: skip
PICTURES = "\u2600"
"""The first of the signs that are pictures."""
HAS_MARK, UNDERLINED = lazy_pattern(r"[*_`#>(§]"), "__"
LONGEST_HEAD = 400


class Folded(NamedTuple):
    """A line with normalised characters and without Markdown.

    `dropped` lists the spans of the original line that were removed.
    """

    line: str
    text: str
    dropped: tuple[tuple[int, int], ...] = ()

    def original(self, begin: int, end: int) -> tuple[int, int]:
        """Convert a span in the normalised text to a span in the original line."""
        if not self.dropped:
            return begin, end
        if begin == end:
            return len(self.line), len(self.line)
        return self._place(begin - 1) + 1 if begin else self._place(0), self._place(end - 1) + 1

    def original_value(self, begin: int, end: int) -> tuple[int, int]:
        """Return the span of a value in the original line."""
        first, last = self.original(begin, end)
        return (self._place(begin) if begin < end else first), last

    def _place(self, position: int) -> int:
        """Convert a position in the normalised text to a position in the original line."""
        for begin, end in self.dropped:
            if begin > position:
                break
            position += end - begin
        return position


def fold(line: str) -> Folded:
    """Normalise a line for the comparison with layouts."""
    line = strip_edges(line)
    plain = line if line.isascii() else line.translate(SIGNS)
    head = plain[:LONGEST_HEAD]
    if HAS_MARK.search(head) is None and head[:2] not in ("- ", "+ ") and head[:1] < PICTURES:
        return Folded(line, plain)
    lead = LEADS.match(head)
    start = lead.end() if lead else 0
    dropped = [(0, start)] if start else []
    is_alone = head.count(UNDERLINED) == 1  # of a nick: ``ann__``
    dropped += [
        match.span() for match in MARKS.finditer(head)
        if match.start() >= start and not (is_alone and match[0] == UNDERLINED)
    ]  # fmt: skip
    parts, place = [], 0
    for begin, end in dropped:
        parts.append(plain[place:begin])
        place = end
    return Folded(line, "".join([*parts, plain[place:]]), tuple(dropped))

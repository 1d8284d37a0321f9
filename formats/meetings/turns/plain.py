"""The lines of a text in a plain form: without bars, tags, counters, links and repeated times.

Each function returns the same lines if the text does not have what it removes.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from html import unescape

from formats.detection.content import SEMICOLONS
from formats.meetings.layouts import fold
from formats.meetings.turns.bold_names import with_plain_names, without_wiki_marks
from formats.meetings.turns.heads import CLOCK, any_untimed
from formats.meetings.turns.written_names import with_colons_for_sign, without_merge_marks
from formats.reading.lines import MARKDOWN_SIGN, SENTENCE_ENDS
from formats.reading.names_inside import ROLE_WORDS, names_inside
from formats.reading.part_titles import verse_numbers
from formats.reading.patterns import FRAMES, TO, WIDE, parse_stamp
from formats.reading.speakers import is_name
from formats.schema import lazy_pattern
from formats.schema.times import SECOND, format_clock

Lines = Sequence[tuple[int, str]]
TIMES_ALONE = lazy_pattern(
    rf"\W?{CLOCK}(?::[0-9]{{2}})?"
    rf"(?:[ ]{{0,3}}(?:-{{1,3}}>?|[–—→~]|to)[ ]{{0,3}}{CLOCK}(?::[0-9]{{2}})?)?\W?\Z"
)
HALF = r"(?:[ ]?[AaPp]\.?[Mm]\.?)?"
LONE = lazy_pattern(
    rf"(?:#{{1,6}}[ ]{{0,9}})?\[?({CLOCK}{HALF}|{FRAMES})\]?"
    rf"(?:[ ]?[-–—][ ]?{CLOCK}{HALF}\]?[ ]?[|:][ ]?(?P<title>[A-Z][^|\n.?!]{{1,80}})"
    rf"|[ ]?[-–—][ ]?\[?(?P<until>{FRAMES})\]?)?\Z"
)
"""A time alone, the times and title of a part, ``2:00 - 5:00 | The plan``, or two time codes."""
LONGEST_TIMES = 40
LONGEST_PART = 100
TIME_BEHIND = lazy_pattern(rf"[ \t]\(({CLOCK})\)\Z")
"""A time in parentheses at the end of a line."""
SPELT = r"(?:[0-9]{1,2} [^\W\d_]{3,10} ){0,2}[0-9]{1,2} [^\W\d_]{4,10}"
DOUBLE = lazy_pattern(
    rf"[ \t]{{0,9}}(?:([^\W\d_].{{0,60}}?)[ \t]{{1,9}})?({SPELT})"
    r"((?:[0-9]{1,2}:)?[0-9]{1,2}:[0-9]{2})[ \t]*\Z"
)
"""A time in words and again in numbers, perhaps behind a name."""
SINGLE = r"1[ ](?:hour|minute|second|Stunde|Minute|Sekunde|heure|seconde|hora|minuto|segundo)"
SEVERAL = (
    r"[0-9]{1,2}[ ](?:hours|minutes|seconds|Stunden|Minuten|Sekunden|heures|secondes|horas|minutos"
    r"|segundos)"
)
WORDED = rf"(?:(?:{SEVERAL}|{SINGLE})(?:,?[ ](?=[0-9])|[ ](?:and|und|et|y|e)[ ])?){{1,3}}"
GLUED = lazy_pattern(rf"[ \t]{{0,9}}((?:[0-9]{{1,2}}:)?[0-9]{{1,2}}:[0-9]{{2}}){WORDED}(.*)\Z")
"""A time in numbers, the same in words, and a text, without blanks, as copied from a page."""
SPELT_ALONE = lazy_pattern(rf"{WORDED}\s{{0,9}}\Z")
UNIT_IN_WORDS = lazy_pattern(r"([0-9]{1,2})[ ](h|stund|m)?", re.IGNORECASE)
"""A number and the beginning of the hours or minutes behind it; empty before seconds."""
ZERO = lazy_pattern(r"[ \t]{0,9}(00?:00)(?![0-9:.,])(.*)\Z")
"""The first of these times, which may have no words."""
LINKED_TIME = lazy_pattern(rf"\[\[({CLOCK})\]\(https?://[^()\s]{{1,300}}\)\]")
"""A time in brackets that is a link in brackets."""
WITH_BLANKS = r"[0-9]{1,3}(?:[ ]?:[ ]?[0-9]{2}){1,2}(?:[ ]?[.,][ ]?[0-9]{1,3})?"
LOOSE_TIMES = lazy_pattern(
    rf"[ \t]{{0,9}}(?:[\[(][ ]?{WITH_BLANKS}(?:[ ]?{TO}[ ]?{WITH_BLANKS})?[ ]?[\])]"
    rf"|{WITH_BLANKS}[ ]?{TO}[ ]?{WITH_BLANKS})"
)
LOOSE_SIGN = lazy_pattern(
    r"(?<=[0-9])(?:[ ]([:.,])[ ]?|([:.,])[ ])(?=[0-9])|(?<=[\[(])[ ]|[ ](?=[\])])"
)
"""Times in brackets or with an end whose signs may have blanks around them, as programs for
translation leave them (``[00: 01: 12. 500]``), and such a sign.
"""
SHORTEST_INITIALS, MOST_INITIALS = 2, 3
"""The letters of a person's initials."""
DATED_WITH_POINT = lazy_pattern(
    r"(\W{0,2}[0-9]{1,4}(?:[./-][0-9]{1,4}){2},?[ ][0-9]{1,2})\.([0-9]{2})(?=[ ]-[ ]|\])"
)
"""A date and a time of day with a point, before a message of a chat."""
BEFORE_TEXT = lazy_pattern(
    r"[ \t]{0,9}((?:[0-9]{1,2}:)?[0-9]{1,2}:[0-9]{2})(?![ap]m\b)"
    r"(?=[^\W\d_]|[¿¡«“‘\"'♪…]|[\[(][^\W\d_])"
)
"""A time directly before a text, without a blank, as copied from a page."""
GLUED_TEXT, GLUED_NUMBER = (
    lazy_pattern(rf"\A([^\n:]{{0,60}}(?<![0-9:])[0-9]{{1,2}}:[0-5][0-9]:[0-5][0-9])(?={first})")
    for first in (r"[^\W\d_]", "[0-9]")
)
"""A time directly before a text that begins with a letter, or with a digit."""
GLUED_NAME = lazy_pattern(
    r"[ \t]{0,9}([^\W\d_](?:[^\n\d:]{0,38}[^\s\d:])?|[^\W\d_][^\n:]{0,38}[^\s:](?=:)):?"
    rf"({CLOCK})[ \t]*\Z"
)
"""A time directly behind a name that fills the rest of the line, as copied from a chat."""
HOUR_LAST = lazy_pattern(r"[ \t]([0-9]{1,2}):([0-9]{2}):([0-9]{2})[ \t]*\Z")
"""A number behind a blank, which is an hour or the number of a name: ``SPEAKER 1 0:00:05``."""
HALF_FIRST = lazy_pattern(
    r"(.{0,60}?)(?:(오전|上午|午前|(?<![^\[( ,日0-9])(?:凌晨|早上|清晨|早晨|中午(?=[ ]?11)))"
    r"|오후|下午|午後|(?<![^\[( ,日0-9])(?:晚上|傍晚|中午|夜晚))[ ]?"
    r"([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?![0-9:])"
)
"""A time of day behind the half of the day, as in Korean, Chinese and Japanese."""
PRIMES = lazy_pattern(
    r"([\[(]?)([0-9]{1,3})[ ]?['’′][ ]?([0-9]{2})(?:''|[\"”″’]{1,2})?(?=[\])]|[ \t])"
)
"""Minutes and seconds with primes, at the beginning of a line: ``12'05``."""
FOLLOWED = lazy_pattern(rf"Play video starting at [0-9:]{{0,8}} ?and follow transcript({CLOCK})")
"""What pages of courses have before each time."""
BEFORE_NOON = lazy_pattern(
    rf"[ \t]{{0,9}}({CLOCK}[ \u202f]?[AaPp]\.?[Mm]\b\.?):?[ \t]{{1,9}}(?=[^\W_])"
)
"""A time of day before a text."""
EPOCH = lazy_pattern(r"(\W{0,2})1970-01-01[T ](?=[0-9]{2}:[0-9]{2})")
"""The date that programs write before times without a date."""
HTML = lazy_pattern(
    r"</?(?:b|i|u|em|strong|p|span|div|font|br|small|sup|h[1-6]|li|ul|ol|td|tr|th|table|tbody|a|cite"
    r"|blockquote|dt|dd|dl|center|article|section|body|html)(?:[ /][^<>]{0,300})?>",
    re.IGNORECASE,
)
"""A tag of HTML that is around a text or in it."""
ROLES = "system|user|assistant|tool|human|model|bot|prompter"
ROLE_MARK = lazy_pattern(
    rf"[ \t]{{0,9}}(?:<s>[ ]?)?(?:<\|(?:im_start|turn)\|>[ ]?({ROLES})(?!\w)|<\|({ROLES})\|>"
    rf"|(?:<\|begin_of_text\|>)?<\|start_header_id\|>({ROLES})<\|end_header_id\|>"
    rf"|<start_of_turn>({ROLES})(?!\w))[ ]{{0,9}}"
)
END_MARK = lazy_pattern(
    r"<\|(?:im_end|end|eot_id|endoftext|end_of_text|begin_of_text|im_sep)\|>|<end_of_turn>|</s>"
)
"""The marks around the turns of a chat as language models are trained with them."""
INSTRUCTION_MARK = lazy_pattern(
    r"(?P<mark>\[/?INST\]|<<?/?SYS>>)(?:[ ]{0,3}<<SYS>>)?[ ]{0,3}|</?s>[ ]{0,3}"
)
"""The marks around instructions and answers in the text for other language models."""
NAMED_IN_BOLD = lazy_pattern(
    r"[ \t]{0,9}(?:<p>)?<(b|strong)>([^\W\d_][^<>:\n]{0,58})</\1>(?=[ \t,.(]{0,3}[^\s:<])",
    re.IGNORECASE,
)
"""A name in bold before a text, without a colon."""
DIRECTION_BEHIND = lazy_pattern(
    r"[ \t]{0,40}((?:[^\W\d_a-z][^\Wa-z_]{1,20}[ .'’-]{0,2}){1,3})"
    r"(?:,[ ]([^\W\d_A-Z][^.,;:!?()\n]{1,60})[,:]?|[ ]\(([^\W\d_A-Z][^()\n]{1,60})\))[ \t]*\Z"
)
"""A name in capitals alone on its line with a direction behind a comma: ``LUCAS, à part``."""
DIRECTION_IN_NAME = lazy_pattern(
    r"[ ]{0,2}(\*\*|__)([^\W\d_][^*_:\n]{0,58}?)\1[ ]{0,2}[*_]{0,2}"
    r"(\((?!\W{0,2}[0-9])[^()\n]{1,120}\))[*_]{0,2}[:：][*_]{0,3}[ ]?"
)
"""A name in bold, a direction in brackets that is perhaps emphasised, and a colon."""
LINE_END = lazy_pattern(r"<br ?/?>|</(?:p|div|li|tr|dd)>", re.IGNORECASE)
NUMBERED = lazy_pattern(r"[ \t]{0,20}([0-9]{1,4})(?:[ \t]{1,40}(.*))?\Z")
NUMBERED_NAME = lazy_pattern(
    r"(?P<kind>[ \t#>*_\[(-]{0,9}(?i:"
    + ROLE_WORDS
    + r"|model|question|answer|frage|antwort|pregunta"
    r"|respuesta|pergunta|resposta|réponse|domanda|risposta|вопрос|ответ|问题?|回?答|質問|回答|질문|답변"
    r")(?:[ ][^\W\d_]{1,20}){0,2})[ .#]{0,2}"
    r"(?P<number>[0-9]{1,3})"
    r"(?:(?=[\])]?[*_]{0,3}[:：])|(?=\.[ \t])|(?P<alone>(?=[*_]{0,3}[ \t]*\Z)))"
)
"""A role in a chat or an interview with a number behind it, before a colon or alone."""
ASKED = lazy_pattern(
    r"(?i)[ \t#>*_\[(-]{0,9}(?:question|frage|pregunta|pergunta|domanda|вопрос|问题?|質問|질문)\Z"
)
ANSWERED = lazy_pattern(
    r"(?i)[ \t#>*_\[(-]{0,9}(?:(?:(?:my|your|sample|model)[ ])?(?:answer|response|reply)"
    r"|antwort|respuesta|resposta|réponse|risposta|ответ|回?答案?|回答|답변|A)"
    r"[*_]{0,3}(?:[:：]|[*_]{0,3}[ \t]*\Z)"
)
"""A word for a question, before its number, and a word for an answer without a number."""
COUNTER = lazy_pattern(r"[ \t]{0,20}[\[(]?#?([0-9]{1,6})(?:[.):\]]{0,2}(?=[ \t]|\Z)|[、．])(.*)\Z")
"""A number alone on its line, or before a text."""
PAGE = lazy_pattern(
    r"[ \t]{0,200}(?:page[ ]?)?[0-9]{1,4}(?:[ ]?(?:of|/)[ ]?[0-9]{1,4})?[ \t]*\Z", re.IGNORECASE
)
NUMBER_IN_MARGIN, FEWEST_OF_PAGE = lazy_pattern(r"\A[ \t]{0,20}[0-9]{1,4}(?:[ ]{2}|[ ]?\t)"), 10
"""The number of a line in the margin, as in records of courts, and the fewest lines of a page."""
TIME_OF_CHAT = lazy_pattern(
    r"(?:(?:Today|Yesterday)(?: at|,)?[ ]|[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4},?[ ])?"
    r"[0-9]{1,2}:[0-9]{2}(?:[ \u202f]?[AaPp][Mm])?\Z"
)
"""A time of day alone, perhaps behind a day, as chats show it below a name."""
FEWEST_BLANKS = 4
"""Blanks in a text that is neither a name nor a title."""
LEAST_NUMBERED, FEWEST_PAGES, FARTHEST, LEAST_BACK = 0.75, 2, 12, 0.1
TOKENS = lazy_pattern(
    r"<\|([0-9]{1,5}\.[0-9]{1,3})\|>([^<|]{0,2000})<\|([0-9]{1,5}\.[0-9]{1,3})\|>"
)
"""A text between two times as Whisper writes them in its tokens: ``<|0.00|> so<|1.20|>``."""
SEPARATED, SURE_OF_ALL = 0.9, 0.6
"""The share of lines that are alike, and that of names that return where each line has a number."""
WORD_BEFORE = lazy_pattern(
    rf"([\[(])(?:Time(?:stamp|code)?|Zeit|Hora|Temps|Tempo|Время|时间|時間)[ ]?[ :][ ]?"
    rf"(?={CLOCK}[\])])",
    re.IGNORECASE,
)
"""A word before a time in brackets that begins a line: ``[Time 0:12]``."""
FIELD_OF_NAME = lazy_pattern(
    rf"([ \t#*]{{0,9}})(?:Speaker|Sprecher(?:in)?|Locuteur|Orador|Hablante|Falante|Спикер|说话人)"
    rf"[ ]?[:：][ ]?(?=[^\W\d_][^\s:!?]{{0,30}}(?:[ ][^\s:!?]{{1,30}}){{0,2}}"
    rf"[ ]{{1,3}}[\[(]{CLOCK})",
    re.IGNORECASE,
)
"""The word for a speaker before a name and a time in brackets: ``Speaker: Ann (0:12)``."""
MINUTE_BEFORE = lazy_pattern(rf"[ \t]{{0,9}}Min(?:ute)?[.:]?[ ](?={CLOCK}(?![0-9:]))")
SIGN_BEFORE = lazy_pattern(rf"[ \t]{{0,9}}[–—•][ ]{{1,3}}(?=[\[(]{CLOCK}[\])])")
"""A word or a sign before the time with which a line begins: ``Min 0:12``, ``— [0:12]``."""
HALF_WITH_BLANK = lazy_pattern(
    rf"([^\n]{{0,24}}?(?<![0-9:]){CLOCK})[ \xa0\u202f]?([ap])\.[ \xa0\u202f]?m\."
)
"""The half of a day as in Spanish: ``9:05 a. m.``."""
IN_BRACES = lazy_pattern(rf"[ \t]{{0,9}}\{{({CLOCK})\}}(?=[ \t]{{0,9}}\Z)")
"""A time in braces that is a line."""
WORD_BEHIND = lazy_pattern(
    rf"(\W{{0,2}}{CLOCK})[ ](?:Uhr|hrs?\.?|heures?)\b(?=[ ]?[^\w\s]|[ ][A-Z])"
)
"""A word behind a time of day that begins a line: ``9:05 Uhr Ann: so``."""
POINT_INSIDE = lazy_pattern(
    r"(\W?[0-2][0-9])[.h]([0-5][0-9])(?=[\])]?[ ](?:[-–—] )?[^\W\d_][^\n:]{0,40}:)"
)
"""A time of day with a point or an ``h``, before a name: ``09.05 Ann: so``."""
CJK_DATE = (
    r"([0-9]{4})(?:[年년][ ]?|\.[ ])([0-9]{1,2})(?:[月월][ ]?|\.[ ])"
    r"([0-9]{1,2})(?:[日일]|\.(?![0-9]))"
)
SPELT_DATE = lazy_pattern(rf"{CJK_DATE}[ ]?({CLOCK}(?: [AP]M)?),[ ]")
"""A date with the words of Chinese, Japanese or Korean, and a time, before a message."""
COLON_BEFORE_MILLISECONDS = lazy_pattern(
    r"(\W{0,3}[0-9]{1,3}:[0-5][0-9]):([0-9]{3})(?:(\W{1,8}[0-9]{1,3}:[0-5][0-9]):([0-9]{3}))?(?![:.]?[0-9])"
)
"""A colon before the milliseconds of minutes and seconds: ``[00:12:509 - 01:02:026]``."""
MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
MONTH_INSIDE = lazy_pattern(
    r"(\[[0-9]{1,2}-)((?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))(-[0-9]{2,4} )(?=[0-9])"
)
"""A date with the letters of its month, before a time of day."""
GLUED_DASH = lazy_pattern(
    r"\s{0,9}([^\W\d_a-z][^\Wa-z_]{1,20}(?:[ .'’-]{1,2}[^\W\d_a-z][^\Wa-z_]{0,20}){0,2})[.]?"
    r"—(?=[^\s—])"
)
"""A name in capitals, a dash and a text without blanks between them."""
MESSAGE_OF_SEMICOLONS = lazy_pattern(
    r"(\W{0,2}\[[0-9]{1,4}([./-])[0-9]{1,2}\2[0-9]{1,4});[ ]([0-9]{1,2});([0-5][0-9]);([0-5][0-9])"
    r"\][ ](?:;[ ])?([^;\n]{1,60});[ ]"
)
"""The date, the time and the name of a message, with semicolons for commas and colons."""
BEHIND_CLOCK = lazy_pattern(
    rf"\[([^\[\],\n]{{0,9}}{CLOCK}[^\[\],\n0-9]{{0,12}}),[ ](?:{CJK_DATE}|([0-9./-]{{6,10}}))\]"
)
"""A time of day and a date in brackets, as WhatsApp copies messages from its page."""
ESCAPED = lazy_pattern(r"\\u(20[026][0-9A-Fa-f])")
"""A mark of direction as programs escape it."""
ESCAPED_SIGN = lazy_pattern(rf"\\({MARKDOWN_SIGN})|[ ]?\\\Z")
ESCAPED_BRACKETS = lazy_pattern(r"\\\[[^\[\]\\\n]{1,80}\\\]")
"""A sign that Markdown would read as a mark or the end of a line, and brackets of no link."""
SECONDS = lazy_pattern(r"[ ]?(?:\[\[|(?<!\S)\()([0-9]{1,6}\.[0-9]{1,3})(?:\]\]|\)(?!\S))[ ]?")
"""A number of seconds in brackets inside a text."""
CLOCK_BETWEEN = lazy_pattern(r"(?<!\S)[(\[]?((?:[0-9]{1,2}:)?[0-9]{1,2}:[0-5][0-9])[)\]]?(?!\S)")
FEWEST_AT_CLOCKS = 10
"""A time between words, and the fewest times at which a single line is divided."""
STAMP_FIRST = lazy_pattern(
    rf"[*_`#>|(\[ \t-]{{0,8}}(?:{CLOCK}|(?<=[(\[])[0-9]{{1,6}}\.[0-9]{{1,3}}[ ]?s?[ ]?[-–→,])"
)
NAME_FIELD = lazy_pattern(
    r"[ \t]{0,9}(?:Speaker|Sprecher(?:in)?|Locuteur|Orador|Hablante|Falante|Спикер|说话人)[ ]?[:：]"
    r"[ \t]{0,9}([^\W\d_][^\s:!?]{0,30}(?:[ ][^\s:!?]{1,30}){0,2})[ \t]*\Z",
    re.IGNORECASE,
)
"""Who says the text above, as a field on a line of its own."""
LEAST = 3
MOST_ALIKE = 2
"""The most names that may have the same words below them by chance."""
SAMPLE = 3000
"""Lines by which the rows are chosen that are tried on a whole text."""


def if_in_sample(change: Callable[[Lines], Lines]) -> Callable[[Lines], Lines]:
    """Return a function that changes a long text only if it changes the paragraphs of a sample."""

    @wraps(change)
    def changed(lines: Lines) -> Lines:
        if len(lines) > SAMPLE:
            blank = (n for n in range(SAMPLE, SAMPLE // 2, -1) if not lines[n][1].strip())
            some = lines[: next(blank, SAMPLE)]
            if change(some) is some:
                return lines
        return change(lines)

    return changed


@if_in_sample
def plain_lines(lines: Lines) -> Lines:
    """Remove bars, HTML tags, marks of wikis and repeated heads; put final times in brackets."""
    lines = with_colons_for_sign(without_merge_marks(lines))
    lines = with_directions_in_names(without_html(without_bars(without_wiki_marks(lines))))
    lines = with_plain_names(with_directions_in_brackets(lines))
    return with_plain_times(with_names_beside_times(lines))


@if_in_sample
def with_plain_times(lines: Lines) -> Lines:
    """Remove repetitions, links and dates of times; put final and repeated times in brackets."""
    lines = with_lines_at_seconds(without_linked_times(without_tokens(without_escapes(lines))))
    lines = with_plain_dates(with_colons(with_close_times(lines)))
    lines = _replaced(SIGN_BEFORE, "", _replaced(MINUTE_BEFORE, "", lines, 0.5), 0.5)
    lines = _replaced(FIELD_OF_NAME, r"\1", lines, 0)
    lines = _replaced(WORD_BEFORE, r"\1", _replaced(IN_BRACES, r"[\1]", lines, 0), 0)
    lines = _with_points_as_colons(_replaced(WORD_BEHIND, r"\1", lines, 0))
    lines = _replaced(COLON_BEFORE_MILLISECONDS, _with_points, lines, 0.5)
    lines = with_names_first(with_colons_for_dashes(lines))
    return with_times_in_brackets(without_doubles(without_initials(lines)))


def _with_points(match: re.Match[str]) -> str:
    """Write points before the milliseconds of a start and an end."""
    start, of_start, end, of_end = match.groups()
    return f"{start}.{of_start}" + (f"{end}.{of_end}" if end else "")


def without_escapes(lines: Lines) -> Lines:
    r"""Read escaped characters as themselves: marks of direction (``\u200e``), ``\[laughs\]``.

    Several lines have one, or one has brackets that both are escaped.
    """
    escaped = [line for _, line in lines if "\\" in line]
    if sum("\\u20" in line for line in escaped) >= LEAST:
        lines = [(n, ESCAPED.sub(lambda mark: chr(int(mark[1], 16)), line)) for n, line in lines]
    signed = [line for line in escaped if ESCAPED_SIGN.search(line)]
    if len(signed) < LEAST and not any(map(ESCAPED_BRACKETS.search, signed)):
        return lines
    return [(n, ESCAPED_SIGN.sub(r"\1", line) if "\\" in line else line) for n, line in lines]


def without_tokens(lines: Lines) -> Lines:
    """Write the times of Whisper's tokens in brackets, each on a line of its own."""
    if sum(len(TOKENS.findall(line)) for _, line in lines[:SAMPLE] if "|>" in line) < LEAST:
        return lines
    return _cut_lines(lines, "|>", partial(TOKENS.sub, r"[\1 - \3]\2\n"))


def with_lines_at_seconds(lines: Lines) -> Lines:
    """Divide a single line at the numbers of seconds in brackets, or times, each of a part."""
    filled = [(number, line.strip()) for number, line in lines if line.strip()]
    (number, line), *others = filled or [(0, "")]
    first, *parts = SECONDS.split("" if others else line)
    times = [round(float(time) * SECOND) for time in parts[::2]]
    texts = parts[1::2] if not first else [first, *parts[1:-2:2]]
    are_all = bool(first) == (parts[-1:] == [""])
    if not others and not parts and (clocks := _parts_at_clocks(line)):
        return [(number, part) for part in clocks]
    if not are_all or len(times) < LEAST or any(b <= a for a, b in itertools.pairwise(times)):
        return lines
    return [
        (number, f"[{format_clock(time)}] {text}") for time, text in zip(times, texts, strict=True)
    ]


def _parts_at_clocks(line: str) -> list[str]:
    """Return the parts of a line that each begin with a time, with the times in brackets.

    The list is empty unless the line begins with a time, and many times increase.

    >>> _parts_at_clocks(" ".join(f"{n}:05 so it was" for n in range(10)))[1]
    '[1:05] so it was'
    """
    if not line[:1].isdigit() and line[:1] not in ("(", "["):
        return []
    first, *parts = CLOCK_BETWEEN.split(line)
    times = [parse_stamp(time) for time in parts[::2]]
    are_many = len(times) >= FEWEST_AT_CLOCKS and not first.strip()
    if not are_many or any(b <= a for a, b in itertools.pairwise(times)):
        return []
    return [f"[{time}] {text.strip()}" for time, text in zip(parts[::2], parts[1::2], strict=True)]


def with_names_first(lines: Lines) -> Lines:
    """Begin a new line at each name of a speaker inside lines, if there are such names."""
    inside = names_inside([line for _, line in lines[:SAMPLE]])
    if inside is None:
        return lines
    return [(number, part) for number, line in lines for part in inside.divided(line).split("\n")]


def with_colons_for_dashes(lines: Lines) -> Lines:
    """Write a colon for the dash between a name in capitals and a text, without blanks.

    Half of the lines begin so, with several names that return.

    >>> with_colons_for_dashes([(n, f"{('ANNA', 'BEN')[n % 2]}—So it is") for n in range(4)])[3]
    (3, 'BEN: So it is')
    """
    dashed = [
        m for _, line in lines if "—" in line[:LONGEST_PART] and (m := GLUED_DASH.match(line))
    ]
    names = Counter(match[1] for match in dashed)
    again = {name for name, count in names.items() if count > 1}
    filled = sum(bool(line.strip()) for _, line in lines)
    if len(again) < MOST_ALIKE or 2 * sum(names[name] for name in again) < filled:
        return lines
    return [
        (number, GLUED_DASH.sub(r"\1: ", line, count=1) if "—" in line else line)
        for number, line in lines
    ]


def _cut_lines(lines: Lines, sign: str, with_breaks: Callable[[str], str]) -> Lines:
    """Cut the lines that contain a sign where a function puts line breaks; numbers stay."""
    return [
        (number, part)
        for number, line in lines
        for part in (with_breaks(line).split("\n") if sign in line else [line])
    ]


def with_colons(lines: Lines) -> Lines:
    """Write colons for the semicolons in times of hours to frames, if several lines have one.

    So in messages of a chat all of whose commas and colons became semicolons.

    >>> with_colons([(n, f"[4/2/2024; 04;07;1{n}] Ann; so; it is") for n in range(3)])[2]
    (2, '[4/2/2024, 04:07:12] Ann: so; it is')
    """
    lines = _replaced(MESSAGE_OF_SEMICOLONS, r"\1, \3:\4:\5] \6: ", lines, 0)
    timed = sum(";" in line and SEMICOLONS.search(line) is not None for _, line in lines)
    if timed < LEAST:
        return lines
    return [(n, SEMICOLONS.sub(r"\1:\2:\3:\4", line) if ";" in line else line) for n, line in lines]


def with_close_times(lines: Lines) -> Lines:
    """Remove the blanks around the signs of times that begin lines; write wide signs as ASCII.

    Several times must have such blanks or signs.
    """
    times = {
        n: match for n, (_, line) in enumerate(lines)
        if (match := LOOSE_TIMES.match(line[:LONGEST_PART].translate(WIDE)))
    }  # fmt: skip
    close = {n: LOOSE_SIGN.sub(r"\1\2", match[0]) for n, match in times.items()}
    if sum(not lines[n][1].startswith(time) for n, time in close.items()) < LEAST:
        return lines
    return [
        (number, close[n] + line[times[n].end() :] if n in times else line)
        for n, (number, line) in enumerate(lines)
    ]


def with_plain_dates(lines: Lines) -> Lines:
    """Write times of day behind dates with a colon; remove the date 1970-01-01 before times.

    Times directly before texts are put in brackets.
    """
    lines = _replaced(FOLLOWED, r"\1", _replaced(PRIMES, r"\1\2:\3", lines, 0), 0)
    lines = _replaced(HALF_WITH_BLANK, r"\1 \2m", _with_halves_last(lines), 0.3)
    lines = _replaced(MONTH_INSIDE, _month_as_number, lines, 0)
    lines = _replaced(SPELT_DATE, r"[\1-\2-\3, \4] ", lines, 0)
    lines = _replaced(BEHIND_CLOCK, _date_first, lines, 0)
    if sum(GLUED_TEXT.match(line) is not None for _, line in lines[:SAMPLE]) >= LEAST:
        lines = [(number, GLUED_NUMBER.sub(r"\1 ", line, count=1)) for number, line in lines]
    lines = _with_blanks_behind_names(_replaced(DATED_WITH_POINT, r"\1:\2", lines, 0.5))
    lines = _replaced(BEFORE_NOON, r"(\1) ", _replaced(BEFORE_TEXT, r"[\1] ", lines, 0.6), 0.6)
    return _with_dashes_joined(_replaced(EPOCH, r"\1", lines, SEPARATED))


def _month_as_number(match: re.Match[str]) -> str:
    """Write a month in letters as its number: ``[01-May-24`` becomes ``[01-05-24``."""
    return f"{match[1]}{MONTHS.index(match[2].lower()) // 3 + 1:02}{match[3]}"


def _date_first(match: re.Match[str]) -> str:
    """Write a date before the time of day in the same brackets."""
    date = match[5] or "-".join(match.group(2, 3, 4))
    return f"[{date}, {match[1].strip()}]"


def _with_dashes_joined(lines: Lines) -> Lines:
    """Join a name, a dash and a time of day that are on lines of their own, as copied from chats.

    >>> _with_dashes_joined([(1, "ann"), (2, " — "), (3, "Today at 3:14 PM"), (4, "hi")] * 3)[0]
    (1, 'ann — Today at 3:14 PM')
    """
    texts = [line.strip() for _, line in lines]
    dashes = {
        n for n in range(1, len(texts) - 1)
        if texts[n] in ("—", "–", "-") and texts[n - 1] and TIME_OF_CHAT.match(texts[n + 1])
    }  # fmt: skip
    if len(dashes) < LEAST:
        return lines
    return [
        (number, f"{texts[n]} — {texts[n + 2]}" if n + 1 in dashes else line)
        for n, (number, line) in enumerate(lines) if n not in dashes and n - 1 not in dashes
    ]  # fmt: skip


def _with_halves_last(lines: Lines) -> Lines:
    """Write AM or PM behind times of day for the half of the day before them, if it is written."""
    times = {n: match for n, (_, line) in enumerate(lines) if (match := HALF_FIRST.match(line))}
    if len(times) < LEAST:
        return lines
    return [
        (
            number,
            f"{times[n][1]}{times[n][3]} {'AM' if times[n][2] else 'PM'}{line[times[n].end() :]}",
        )
        if n in times
        else (number, line)
        for n, (number, line) in enumerate(lines)
    ]


def _with_points_as_colons(lines: Lines) -> Lines:
    """Write colons in the times of day before names, if most lines have one and they increase.

    >>> _with_points_as_colons([(n, f"09.0{n} Ann: so") for n in range(4)])[1]
    (1, '09:01 Ann: so')
    """
    times = {n: match for n, (_, line) in enumerate(lines) if (match := POINT_INSIDE.match(line))}
    starts = [(match[1].strip("[( "), match[2]) for match in times.values()]
    if len(times) < LEAST or starts != sorted(starts):
        return lines
    return _replaced(POINT_INSIDE, r"\1:\2", lines, LEAST_NUMBERED)


def _with_blanks_behind_names(lines: Lines) -> Lines:
    """Write a blank between a name and the time directly behind it, if such names return."""
    glued = {n: match for n, (_, line) in enumerate(lines) if (match := GLUED_NAME.match(line))}
    if _are_hours(hours := {n: hour for n in glued if (hour := HOUR_LAST.search(lines[n][1]))}):
        glued = {n: match for n, match in glued.items() if n not in hours}
    names = {match[1] for match in glued.values()}
    if len(glued) < LEAST or 2 * len(names) > len(glued) or not all(map(is_name, names)):
        return lines
    return [
        (number, f"{glued[n][1]} {glued[n][2]}" if n in glued else line)
        for n, (number, line) in enumerate(lines)
    ]


def _are_hours(times: dict[int, re.Match[str]]) -> bool:
    """Return True if numbers behind names are hours: the times with them seldom decrease."""
    parts = [tuple(map(int, match.groups())) for match in times.values()]
    return 10 * sum(b < a for a, b in itertools.pairwise(parts)) <= len(parts)


def _replaced(
    pattern: re.Pattern[str],
    plain: str | Callable[[re.Match[str]], str],
    lines: Lines,
    share: float,
) -> Lines:
    """Replace a pattern at the beginnings of lines, if at least this share of lines has it."""
    having = sum(pattern.match(line) is not None for _, line in lines)
    if having < max(LEAST, share * sum(bool(line.strip()) for _, line in lines)):
        return lines
    return [
        (number, pattern.sub(plain, line, count=1) if pattern.match(line) else line)
        for number, line in lines
    ]


def without_linked_times(lines: Lines) -> Lines:
    """Remove the links from times in brackets."""
    if not any("[[" in line for _, line in lines):
        return lines
    return [(n, LINKED_TIME.sub(r"[\1]", line) if "[[" in line else line) for n, line in lines]


def with_times_in_brackets(lines: Lines) -> Lines:
    """Put the times at the ends of lines in square brackets, if nearly all lines have one."""
    ends = sum(line[-1:] == ")" for _, line in lines)
    filled = sum(bool(line.strip()) for _, line in lines) if ends >= LEAST else 0
    if ends < LEAST or ends < SEPARATED * filled:
        return lines
    bracketed = [(number, _with_time_in_brackets(line)) for number, line in lines]
    changed = sum(line[-1:] == "]" for _, line in bracketed)
    return bracketed if changed >= SEPARATED * filled else lines


def _with_time_in_brackets(line: str) -> str:
    """Put the time at the end of a line in brackets, if there is text directly before it."""
    match = TIME_BEHIND.search(line)
    if match is None:
        return line
    before = line[: match.start()]
    text = before[max(before.rfind("("), before.rfind(")")) + 1 :]
    if not text.replace(":", " ").strip():
        return line
    return f"{line[: match.start() + 1]}[{match[1]}]"


@if_in_sample
def with_names_of_roles(lines: Lines) -> Lines:
    """Write the marks of turns for language models as names alone: ``<|user|>``.

    >>> with_names_of_roles([(1, "<|user|>"), (2, "so<|end|>"), (3, "<|assistant|>no"), (4, "")])
    [(1, 'user:'), (2, 'so'), (3, 'assistant: no'), (4, '')]
    """
    if sum(line.count("[/INST]") for _, line in lines) >= MOST_ALIKE:
        return [
            (number, part.strip()) for number, line in lines
            for part in INSTRUCTION_MARK.sub(_role_of_instruction, line).split("\n")
        ]  # fmt: skip
    if sum("<" in line and ROLE_MARK.match(line) is not None for _, line in lines) < MOST_ALIKE:
        return lines
    named: list[tuple[int, str]] = []
    is_alone = False
    for number, line in lines:
        if is_alone and not line.strip():
            continue  # the text is below a blank line
        mark = ROLE_MARK.match(line) if "<" in line else None
        is_alone = mark is not None and mark.end() == len(line.rstrip())
        plain = ROLE_MARK.sub(_named_role, line) if mark is not None else line
        named.append((number, END_MARK.sub("", plain) if "<" in plain else plain))
    return named


def _role_of_instruction(mark: re.Match[str]) -> str:
    """Return the name that is written for the mark of an instruction; nothing for other marks.

    >>> INSTRUCTION_MARK.sub(_role_of_instruction, "<s>[INST] so? [/INST] yes </s>").splitlines()
    ['', 'user: so? ', 'assistant: yes ']
    """
    role = {"[INST]": "user", "[/INST]": "assistant", "<</SYS>>": "user"}.get(mark["mark"] or "")
    role = "system" if "<<SYS>>" in mark[0] else role
    return f"\n{role}: " if role else ""


def _named_role(mark: re.Match[str]) -> str:
    """Return the name and the colon that are written for the mark of a role."""
    name = mark[1] or mark[2] or mark[3] or mark[4]
    is_alone = not mark.string[mark.end() :].strip()
    return f"{name}:" if is_alone else f"{name}: "


def with_directions_in_brackets(lines: Lines) -> Lines:
    """Write a direction behind a comma and a name in capitals that is also alone in brackets.

    The line is the first of a paragraph, and others are below it.

    >>> said = ["ANN", "So.", "", "ANN, aside", "Oh.", "", "לא, אבל", "כן"]
    >>> [line for _, line in with_directions_in_brackets(list(enumerate(said)))[3:]]
    ['ANN (aside)', 'Oh.', '', 'לא, אבל', 'כן']
    """
    directed = {
        n: match for n, (_, line) in enumerate(lines)
        if ("," in line[:LONGEST_TIMES] or "(" in line[:LONGEST_TIMES])
        and (match := DIRECTION_BEHIND.match(line)) and match[1].isupper()
        and not (n and lines[n - 1][1].strip())
        and any(text.strip() for _, text in lines[n + 1 : n + 2])
    }  # fmt: skip
    names = {match[1] for match in directed.values()}
    alone = [text for _, line in lines if (text := line.strip()).rstrip(".:") in names and names]
    directed = {
        n: x for n, x in directed.items() if any(text.rstrip(".:") == x[1] for text in alone)
    }
    if not directed:
        return lines
    point = "." if 2 * sum(text[-1] == "." for text in alone) > len(alone) else ""
    return [
        (
            number,
            f"{directed[n][1]} ({directed[n][2] or directed[n][3]}){point}"
            if n in directed
            else line,
        )
        for n, (number, line) in enumerate(lines)
    ]


def with_directions_in_names(lines: Lines) -> Lines:
    """Write a direction between a name in bold and its colon as a part of the name.

    >>> with_directions_in_names([(n, "**Ann** _(softly):_ So.") for n in range(3)])[0]
    (0, '**Ann (softly):** So.')
    """
    bold = [n for n, (_, line) in enumerate(lines) if line[:3].lstrip()[:2] in ("**", "__")]
    directed = {n: match for n in bold if (match := DIRECTION_IN_NAME.match(lines[n][1]))}
    named = sum(":**" in lines[n][1] or "**:" in lines[n][1] for n in bold)
    if not directed or len(directed) + named < LEAST:
        return lines
    return [
        (
            number,
            f"**{directed[n][2]} {directed[n][3]}:** {line[directed[n].end() :]}"
            if n in directed
            else line,
        )
        for n, (number, line) in enumerate(lines)
    ]


def without_html(lines: Lines) -> Lines:
    """Remove HTML tags if at least half of the lines have one, and one is closed.

    Two names in bold that return are enough; names without a colon are written as in Markdown.
    """
    lines = with_names_of_roles(lines)
    tagged = sum("<" in line and HTML.search(line) is not None for _, line in lines)
    if not tagged:
        return lines
    bold = (NAMED_IN_BOLD.match(line) for _, line in lines if "<" in line)
    names = Counter(match[2] for match in bold if match is not None)
    have_names = sum(count > 1 for count in names.values()) >= MOST_ALIKE
    are_closed = any("</" in line or LINE_END.search(line) for _, line in lines)
    is_most = 2 * tagged >= sum(bool(line.strip()) for _, line in lines)
    if not are_closed or not (is_most or have_names):
        return lines
    return [
        (number, unescape(HTML.sub("", NAMED_IN_BOLD.sub(r"**\2**", part, count=1))))
        for number, line in lines
        for part in LINE_END.split(line)
    ]


def without_bars(lines: Lines) -> Lines:
    """Remove bars and ``>`` that begin all lines, the bars around rows, and ``>`` alone."""
    rows = sum(line[:1] == "|" and line.rstrip()[-1:] == "|" for _, line in lines)
    if rows >= max(LEAST, 0.5 * sum(bool(line.strip()) for _, line in lines)):
        return [(n, line.rstrip()[1:-1] if line[:1] == "|" else line) for n, line in lines]
    if any(line.strip() == ">" for _, line in lines):
        lines = [(n, "" if line.strip() == ">" else line) for n, line in lines]
    filled = [line.lstrip() for _, line in lines if line.strip()]
    sign = filled[0][0] if filled and filled[0][0] in "|>" else ""
    if not sign or not all(line.startswith(sign) for line in filled):
        return lines
    if any(line.count("|") > 1 if sign == "|" else line[1:2].strip() for line in filled):
        return lines
    return [(number, line.lstrip().removeprefix(sign)) for number, line in lines]


def without_initials(lines: Lines) -> Lines:
    """Remove the initials of persons directly above their names and a time, as on pages."""
    plain = {n: text for n, (_, line) in enumerate(lines) if (text := line.strip())}
    initials = {
        a for (a, above), (_, name), (_, below) in zip(
            plain.items(), [*plain.items()][1:], [*plain.items()][2:], strict=False
        )
        if SHORTEST_INITIALS <= len(above) <= MOST_INITIALS and above.isupper()
        and below[0].isdigit() and is_name(name) and _are_initials(above, name)
    }  # fmt: skip
    if len(initials) < LEAST:
        return lines
    return [line for n, line in enumerate(lines) if n not in initials]


def _are_initials(letters: str, name: str) -> bool:
    """Return True if letters are those of the words of a name, or of the first and the last."""
    first = "".join(word[0] for word in name.upper().split() if word[0].isalpha())
    return letters in (first, first[:MOST_INITIALS], f"{first[:1]}{first[-1:]}")


def without_doubles(lines: Lines) -> Lines:
    """Write times that are in words and in numbers once, as in pages of Teams, or only in words.

    A name and a time that the next line repeats are removed.
    """
    glued = {n: match for n, (_, line) in enumerate(lines) if (match := GLUED.match(line))}
    if len(glued) >= LEAST:
        first = next(iter(glued))
        zero = {n: match for n in range(first) if (match := ZERO.match(lines[n][1]))}
        glued |= zero
        return [
            (number, f"[{glued[n][1]}] {glued[n][2]}" if n in glued else line)
            for n, (number, line) in enumerate(lines)
        ]
    lines = _with_doubles_joined(lines)
    plain = {n: text for n, (_, line) in enumerate(lines) if (text := line.strip())}
    alone = {
        n for (_, above), (n, below) in itertools.pairwise(plain.items())
        if below[0].isdigit() and SPELT_ALONE.match(below) and LONE.match(above)
    }  # fmt: skip
    if len(alone) >= LEAST:
        return [line for n, line in enumerate(lines) if n not in alone]
    worded = [n for n, text in plain.items() if text[0].isdigit() and SPELT_ALONE.match(text)]
    starts = [_time_in_words(plain[n]) for n in worded]
    if len(starts) > LEAST and starts == sorted(starts) and starts[0] < starts[-1]:
        clocks = dict(zip(worded, map(format_clock, starts), strict=True))
        return [(number, clocks.get(n, line)) for n, (number, line) in enumerate(lines)]
    doubled = {n: match for n, (_, line) in enumerate(lines) if (match := DOUBLE.match(line))}
    if len(doubled) < LEAST:
        return lines
    texts = [line for _, line in lines]
    for n, match in doubled.items():
        name, spelt, clock = match.groups()
        texts[n] = f"{name} {clock}" if name else clock
        above = texts[n - 1].strip() if n and not name else ""
        if above and lines[n + 1 : n + 2] and lines[n + 1][1].strip() == f"{above} {spelt}":
            texts[n - 1 : n + 2] = ["", "", f"{above} {clock}"]
    return [(number, text) for (number, _), text in zip(lines, texts, strict=True)]


def _time_in_words(text: str) -> int:
    """Return a time in nanoseconds that has hours, minutes and seconds in words.

    >>> _time_in_words("1 Minute, 5 Sekunden") // SECOND
    65
    """
    parts = UNIT_IN_WORDS.findall(text)
    sizes = {"": 1, "m": 60}
    return SECOND * sum(int(count) * sizes.get(unit.lower(), 3600) for count, unit in parts)


def _with_doubles_joined(lines: Lines) -> Lines:
    """Join times in words with the same times in numbers on the next lines, if there are several.

    >>> _with_doubles_joined([(1, "3 seconds"), (2, "0:03")] * 3)[0]
    (1, '3 seconds0:03')
    """
    above = {
        n for n, (a, b) in enumerate(itertools.pairwise(line.strip() for _, line in lines))
        if a[:1].isdigit() and b[:1].isdigit() and SPELT_ALONE.match(a) and LONE.match(b)
    }  # fmt: skip
    if len(above) < LEAST:
        return lines
    return [
        (number, line.strip() + lines[n + 1][1].strip() if n in above else line)
        for n, (number, line) in enumerate(lines) if n - 1 not in above
    ]  # fmt: skip


@if_in_sample
def without_numbers(lines: Lines) -> Lines:
    """Remove page breaks, line numbers that restart on each page, and numbers that count times.

    Numbers of verses are removed, too.
    """
    if (verse_number := verse_numbers(line for _, line in lines)) is not None:
        lines = [(number, verse_number.sub("", line)) for number, line in lines]
    lines = _without_page_numbers(_without_counters_of_names(_without_counters(lines)))
    return _without_counters_in_names(lines)


def _without_counters_in_names(lines: Lines) -> Lines:
    """Remove numbers that count up in the names of two kinds of turns: ``Q1: so? A1: no. Q2: …``.

    >>> _without_counters_in_names([(n, f"{'QA'[n % 2]}{n // 2 + 1}: so") for n in range(6)])[3]
    (3, 'A: so')
    >>> _without_counters_in_names([(n, f"Speaker {n % 2 + 1}: so") for n in range(6)])[3]
    (3, 'Speaker 2: so')
    """
    named = {
        n: match for n, (_, line) in enumerate(lines)
        if len(line) <= LONGEST_PART or ":" in line[:LONGEST_PART] or "：" in line[:LONGEST_PART]
        if (match := NUMBERED_NAME.match(line)) is not None
    }  # fmt: skip
    kinds: dict[str, list[int]] = {}
    for match in named.values():
        kinds.setdefault(match["kind"].casefold(), []).append(int(match["number"]))
    numbers = [int(match["number"]) for match in named.values()]
    if not kinds or len(kinds) > LEAST or numbers != sorted(numbers):
        return lines
    if len(kinds) < MOST_ALIKE and not _are_questions(named, lines):
        return lines
    if any(len(count) < LEAST or count != [*range(count[0], count[0] + len(count))]
           for count in kinds.values()):  # fmt: skip
        return lines
    if len(kinds) < MOST_ALIKE and all(match["alone"] is None for match in named.values()):
        return _with_questions_as_names(named, lines)
    return [
        (number, named[n]["kind"] + line[named[n].end() :] if n in named else line)
        for n, (number, line) in enumerate(lines)
    ]


def _with_questions_as_names(named: Mapping[int, re.Match[str]], lines: Lines) -> Lines:
    """Write headings that are questions as the answers are, perhaps in bold, without numbers."""
    bold = "**" if any("**" in line and ANSWERED.match(line) for _, line in lines) else ""
    plain: list[tuple[int, str]] = []
    for n, (number, line) in enumerate(lines):
        if n in named:
            kind, behind = named[n]["kind"], line[named[n].end() :]
            if kind.lstrip(" \t")[:1] == "#" and "**" not in kind:
                line = f"{bold}{kind.lstrip(' #')}:{bold} {behind[1:].strip()}"
            else:
                line = kind + behind
        plain.append((number, line))
    return plain


def _are_questions(named: Mapping[int, re.Match[str]], lines: Lines) -> bool:
    """Return True if a question with a number is above each answer, which has no number.

    >>> texts = ["Question 1", "So?", "Answer", "No.", "Question 2", "Who?", "Answer: I."]
    >>> numbered = {n: NUMBERED_NAME.match(texts[n]) for n in (0, 4)}
    >>> _are_questions(numbered, list(enumerate(texts)))
    True
    """
    answers = [n for n, (_, line) in enumerate(lines) if ANSWERED.match(line[:LONGEST_PART])]
    are_asked = all(ASKED.match(match["kind"]) for match in named.values())
    turns = sorted((*named, *answers))
    pairs = zip(turns[::2], turns[1::2], strict=False)
    return are_asked and len(answers) == len(named) and all(
        first in named and second > first + 1 - (named[first]["alone"] is None)
        for first, second in pairs
    )  # fmt: skip


def _without_counters_of_names(lines: Lines) -> Lines:
    """Remove numbers that count up before lines, if names that return begin nearly all lines."""
    if len(lines) < LEAST or not any(COUNTER.match(line) for _, line in lines[:FARTHEST]):
        return lines
    filled = {n: COUNTER.match(line) for n, (_, line) in enumerate(lines) if line.strip()}
    counters = {n: match for n, match in filled.items() if match is not None}
    numbers = [int(match[1]) for match in counters.values()]
    steps = sum(b == a + 1 for a, b in itertools.pairwise(numbers))
    are_alone = numbers == sorted({*numbers}) and not any(x[2].strip() for x in counters.values())
    are_delays = not are_alone and steps < SEPARATED * (len(numbers) - 1)
    back = sum(b < a for a, b in itertools.pairwise(numbers))
    if len(counters) < LEAST or (are_delays and back < LEAST_BACK * len(numbers)):
        return lines
    texts = {n: (match[2] if match else lines[n][1]).strip() for n, match in filled.items()}
    heads = {
        n: any_untimed(fold(text)) if ":" in text[:LONGEST_PART] else None
        for n, text in texts.items()
    }
    some = (n for n in heads if (texts[n] if are_alone else n in counters or heads[n]))
    heads = {n: heads[n] for n in some}
    names = Counter(head.name for head in heads.values() if head is not None)
    if not are_alone:  # fields above have no number
        heads = {
            n: head for n, head in heads.items()
            if n in counters or head is None or names[head.name] > 1
        }  # fmt: skip
    names = Counter(head.name for head in heads.values() if head is not None)
    returning = [count for count in names.values() if count > 1]
    are_all = steps == len(numbers) - 1 and len(counters) >= SEPARATED * len(filled)
    if are_all and not are_alone:  # lines of paragraphs have numbers, too
        heads = {n: head for n, head in heads.items() if head is not None}
    are_few = 2 * len(heads) < len(filled) and not are_alone and not are_all
    least = SURE_OF_ALL if are_all and len(heads) == len(filled) else SEPARATED
    if len(returning) < 2 or are_few or sum(returning) < least * len(heads):
        return lines
    if are_delays:
        pairs = {
            (head.name, match[1]) for n, match in counters.items()
            if (head := heads[n]) is not None
        }  # fmt: skip
        kinds = Counter(name for name, _ in pairs)
        if sum(count > LEAST for count in kinds.values()) < 2:
            return lines
    return [(number, texts.get(n, line)) for n, (number, line) in enumerate(lines)]


@if_in_sample
def with_times_first(lines: Lines) -> Lines:
    """Write a time above its text, if each paragraph begins with a text and ends with a time."""
    filled = [bool(line.strip()) for _, line in lines]
    ends = [n for n in range(len(lines)) if filled[n] and not any(filled[n + 1 : n + 2])]
    if not all(_is_time(lines[n][1]) for n in ends):
        return lines
    if len(ends) == 1:
        ends = _ends_of_one_paragraph(lines)
    if len(ends) < 2:
        return lines
    ordered: list[tuple[int, str]] = []
    first = said = 0
    for n in ends:
        begin = next(m for m in range(first, n + 1) if filled[m])
        if begin == n or any(_is_time(lines[m][1]) for m in range(begin, n)):
            return lines
        said += sum(line.count(" ") for _, line in lines[begin:n]) >= FEWEST_BLANKS
        ordered += [*lines[first:begin], lines[n], *lines[begin:n]]
        first = n + 1
    return [*ordered, *lines[first:]] if 2 * said > len(ends) else lines


def with_names_beside_times(lines: Lines) -> Lines:
    """Write the names in last lines such as ``Speaker: Ann`` beside the times above the texts.

    Most paragraphs that begin with a time alone have such a line below the text; the names return.
    """
    if sum(NAME_FIELD.match(line) is not None for _, line in lines) < LEAST:
        return lines
    is_filled = [False, *(bool(line.strip()) for _, line in lines), False]
    begins = [n for n in range(len(lines)) if is_filled[n + 1] and not is_filled[n]]
    ends = [n for n in range(len(lines)) if is_filled[n + 1] and not is_filled[n + 2]]
    stamped = {
        begin: end for begin, end in zip(begins, ends, strict=True)
        if begin < end and _is_time(lines[begin][1])
    }  # fmt: skip
    names = {
        end: match[1] for begin, end in stamped.items()
        if begin + 1 < end and (match := NAME_FIELD.match(lines[end][1])) is not None
    }  # fmt: skip
    if 2 * len(names) < max(2 * LEAST, len(stamped)) or 3 * len({*names.values()}) > len(names):
        return lines
    heads = {
        begin: f"[{lines[begin][1].strip().strip('[]()')}] "
        + (f"{names[end]}: " if end in names else "")
        for begin, end in stamped.items()
    }
    return [
        (number, heads.get(n - 1, "") + line) for n, (number, line) in enumerate(lines)
        if n not in heads and n not in names
    ]  # fmt: skip


def _is_time(line: str) -> bool:
    """Return True if a line has only a time, or a start and an end."""
    line = line.strip()
    return len(line) <= LONGEST_TIMES and TIMES_ALONE.match(line) is not None


def _ends_of_one_paragraph(lines: Lines) -> list[int]:
    """Return the positions of times below sentences, if the first time is zero; otherwise none."""
    ends = [n for n, (_, line) in enumerate(lines) if _is_time(line)]
    above = next((line.strip() for _, line in lines[: ends[0]] if line.strip()), "")
    is_zero = not any(map("123456789".__contains__, lines[ends[0]][1]))
    return ends if is_zero and above.endswith(SENTENCE_ENDS) else []


def _without_counters(lines: Lines) -> Lines:
    """Remove numbers that count up before or above nearly all lines that begin with a time."""
    filled = [(n, line) for n, (_, line) in enumerate(lines) if line.strip()]
    counters = {n: match for n, line in filled if (match := COUNTER.match(line))}
    below = {n: after for (n, _), (_, after) in itertools.pairwise(filled)}
    counters = {
        n: match for n, match in counters.items()
        if STAMP_FIRST.match(match[2].strip() or below.get(n, "")) is not None
    }  # fmt: skip
    numbers = [int(match[1]) for match in counters.values()]
    timed = sum(STAMP_FIRST.match(line) is not None for _, line in filled)
    timed += sum(bool(match[2].strip()) for match in counters.values())
    # Markdown counts on from ``1.`` although every line has it
    steps = sum(b == a + 1 for a, b in itertools.pairwise(numbers))
    if set(numbers) == {1}:
        steps = len(numbers) - 1
    if len(numbers) < LEAST or steps < SEPARATED * (len(numbers) - 1) or (
        len(numbers) < SEPARATED * timed
    ):  # fmt: skip
        return lines
    return [
        (number, counters[n][2].lstrip() if n in counters else line)
        for n, (number, line) in enumerate(lines)
    ]


def _without_page_numbers(lines: Lines) -> Lines:
    """Remove page breaks, and line numbers that restart on each page."""
    filled = [(number, line) for number, line in lines if line.strip()]
    numbered = {n: match for n, line in filled if (match := NUMBERED.match(line))}
    if len(numbered) < LEAST_NUMBERED * len(filled) or len(numbered) < LEAST:
        return lines
    numbers: list[int] = []
    for n, match in list(numbered.items()):
        number = int(match[1])
        if numbers and number not in (1, numbers[-1] + 1) and not (match[2] or "").strip():
            del numbered[n]  # the number of a page
        else:
            numbers.append(number)
    steps = list(itertools.pairwise(numbers))
    pages = sum(second == 1 for _, second in steps)
    wide = sum(NUMBER_IN_MARGIN.match(match.string) is not None for match in numbered.values())
    is_one_page = wide >= LEAST_NUMBERED * len(numbered) and len(numbered) >= FEWEST_OF_PAGE
    if (
        (pages < FEWEST_PAGES - 1 and not is_one_page)
        or not all(b in (1, a + 1) for a, b in steps)
        or max(numbers) < LEAST
    ):
        return lines
    return [
        (n, f" {numbered[n][2] or ''}" if n in numbered else "" if PAGE.match(line) else line)
        for n, line in lines
    ]
